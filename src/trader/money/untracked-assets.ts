// Assets that no run trades. Their holdings are the owner's affair, but they may explain a difference: a coin that
// moved at the same time was traded for it.
import { type Balance, totalOf } from '../../domain/balance.ts';
import { plain } from '../../domain/decimal.ts';
import { type Asset, type InstrumentSymbol, parseSymbol } from '../../domain/instrument.ts';
import { FIAT } from '../durable/external-flow.ts';
import { assetsOfRuns, isOpened, unopenedMarkets, type With } from '../state/state.ts';

/**
 * Coins whose total changed since the wallet last matched the ledger; all holdings if it has not matched in this
 * session, as nothing is known of the time before.
 */
function untrackedCoins(
  state: With<'settings' | 'durable' | 'markets' | 'reconciliation'>,
  rows: readonly Balance[],
): { readonly moved: readonly Asset[]; readonly held: readonly Asset[] } {
  const { rowsWhenEqual } = state.reconciliation;
  const now = untrackedIn(state, rows);
  if (rowsWhenEqual === null) return { moved: [], held: [...now.keys()] };
  const before = untrackedIn(state, rowsWhenEqual);
  const assets = [...new Set([...now.keys(), ...before.keys()])];
  return { moved: assets.filter((asset) => now.get(asset) !== before.get(asset)), held: [] };
}

/** Totals as text. A zero row counts as absent: the wallet may list every asset of the exchange. */
function untrackedIn(
  state: With<'settings' | 'durable' | 'markets'>,
  rows: readonly Balance[],
): ReadonlyMap<Asset, string> {
  const runs = assetsOfRuns(state);
  const { lockedIncludesStakingAndOtc } = state.settings.assumptions;
  const totals = rows.map((row) => [row.asset, totalOf(row, lockedIncludesStakingAndOtc)] as const);
  return new Map(
    totals.flatMap(([asset, total]) => (total.isZero() || runs.has(asset) ? [] : [[asset, plain(total)] as const])),
  );
}

// Markets without a run. A difference may come from a trade of the owner in one of them: most likely with an untracked
// asset that moved at the same time.

/** Whether the market has no run, or is still to be opened. */
export const isInOtherMarket = ({ durable, markets }: With<'durable' | 'markets'>, symbol: InstrumentSymbol): boolean =>
  !markets.has(symbol) || !isOpened(durable, symbol);

/** Markets without a run. Some of them may not exist. */
export interface Markets {
  readonly spot: readonly InstrumentSymbol[];
  /** Markets whose simple buys and sells are read. */
  readonly simple: readonly InstrumentSymbol[];
}

/** At most this many coins are searched: two lists of each are read. */
const MOST_COINS = 12;

/**
 * Other markets that may explain a difference of a wallet in these assets. `likely`: a market that is to be opened, or
 * a coin without a run that moved as well. `possible`: one may have moved while the bot was down, or the differing
 * assets were traded for one another.
 */
export function otherMarkets(
  state: With<'settings' | 'durable' | 'markets' | 'reconciliation'>,
  differing: ReadonlySet<Asset>,
  rows: readonly Balance[],
): { readonly likely: Markets; readonly possible: Markets } {
  const runs = assetsOfRuns(state);
  const { moved, held } = untrackedCoins(state, rows);
  const assets = [...differing];
  const untraded = assets.filter((asset) => !runs.has(asset));
  const likely = [...waitingPairs(state, differing), ...pairsOf([...untraded, ...moved.slice(0, MOST_COINS)], assets)];
  const possible = pairsOf([...assets, ...held.slice(0, MOST_COINS)], assets);
  const isLikely = ([a, b]: Pair): boolean => likely.some((pair) => pair.includes(a) && pair.includes(b));
  return {
    likely: marketsOf(state, likely),
    possible: marketsOf(
      state,
      possible.filter((pair) => !isLikely(pair)),
    ),
  };
}

type Pair = readonly [Asset, Asset];

/** Markets still to be opened with an asset that differs. */
const waitingPairs = (state: With<'durable' | 'markets'>, differing: ReadonlySet<Asset>): Pair[] =>
  unopenedMarkets(state).flatMap(({ run }): Pair[] => {
    const { base, quote } = run.instrument;
    return differing.has(base) || differing.has(quote) ? [[base, quote]] : [];
  });

/** Each of the first with each of the second, once. */
function pairsOf(these: readonly Asset[], those: readonly Asset[]): Pair[] {
  const pairs = new Map<string, Pair>();
  for (const a of these) for (const b of those) if (a !== b && !pairs.has(`${b},${a}`)) pairs.set(`${a},${b}`, [a, b]);
  return [...pairs.values()];
}

function marketsOf(state: With<'durable' | 'markets'>, pairs: readonly Pair[]): Markets {
  const symbols = pairs.flatMap(([a, b]) => fiatMarket(a, b) ?? [`${a}/${b}`, `${b}/${a}`]);
  const others = symbols.filter((symbol) => isInOtherMarket(state, symbol));
  const runs = assetsOfRuns(state);
  return { spot: others, simple: others.filter((symbol) => isSimple(symbol, runs)) };
}

/** Whether coins are simply bought and sold for the quote asset. For coins of runs these lists are read anyway. */
function isSimple(symbol: InstrumentSymbol, runs: ReadonlySet<Asset>): boolean {
  const market = parseSymbol(symbol);
  return market?.quote === FIAT && !(runs.has(FIAT) && runs.has(market.base));
}

/** Fiat is the quote asset of all its markets; between two coins the quote asset is unknown. */
function fiatMarket(a: Asset, b: Asset): InstrumentSymbol | null {
  if (a === FIAT) return `${b}/${FIAT}`;
  return b === FIAT ? `${a}/${FIAT}` : null;
}
