// Assets that no run trades. Their holdings are the owner's affair, but they may explain a difference: a coin that
// moved at the same time was traded for it.
import { type Balance, totalOf } from '../../domain/balance.ts';
import { type Asset, type InstrumentSymbol, parseSymbol } from '../../domain/instrument.ts';
import { type Amount, amountOf, NO_AMOUNT } from '../../ledger/amount.ts';
import { FIAT } from '../durable/external-flow.ts';
import type { Reconciliation } from '../state/reconciliation.ts';
import { assetsOfRuns, openedMarkets, unopenedMarkets, type With } from '../state/state.ts';

/** Records the newest wallet's untracked holdings. */
export function recordUntracked(
  state: With<'settings' | 'durable' | 'markets' | 'reconciliation'>,
  rows: readonly Balance[],
): void {
  state.reconciliation.untracked = untrackedIn(state, rows);
}

/** At most this many of a wallet's other coins are tracked. */
const MOST_ASSETS = 200;

/** A zero row counts as absent: the wallet may list every asset of the exchange. An inexact amount proves nothing. */
function untrackedIn(
  state: With<'settings' | 'durable' | 'markets' | 'reconciliation'>,
  rows: readonly Balance[],
): Totals {
  const { reconciliation, settings } = state;
  const { lockedIncludesStakingAndOtc } = settings.assumptions;
  const runs = assetsOfRuns(state);
  const held = new Map<Asset, Amount>();
  for (const row of rows) {
    if (runs.has(row.asset) || held.size >= MOST_ASSETS) continue;
    const exact = amountOf(totalOf(row, lockedIncludesStakingAndOtc));
    const total = exact.ok ? exact.value : totalIn(reconciliation.untrackedBefore ?? NOTHING, row.asset);
    if (total !== NO_AMOUNT) held.set(row.asset, total);
  }
  return held;
}

/**
 * The wallet of these rows matches the ledger: later movements belong to another difference. It may be older than the
 * newest wallet, which shows what has moved since.
 */
export function keepUntracked(
  state: With<'settings' | 'durable' | 'markets' | 'reconciliation'>,
  rows: readonly Balance[],
): void {
  if (state.durable.differences.unexplainedSince !== null) return;
  state.reconciliation.untrackedBefore = untrackedIn(state, rows);
}

/**
 * Coins whose total changed since the wallet last matched the ledger; all holdings if it has not matched in this
 * session, as nothing is known of the time before.
 */
function untrackedCoins(
  { untracked: now, untrackedBefore: before }: Reconciliation,
  runs: ReadonlySet<Asset>,
): { readonly moved: readonly Asset[]; readonly held: readonly Asset[] } {
  if (now === null) return { moved: [], held: [] };
  // A market opened since may trade one of those.
  const moved = before === null ? [] : changedBetween(before, now).filter((asset) => !runs.has(asset));
  return { moved, held: before === null ? [...now.keys()] : [] };
}

type Totals = ReadonlyMap<Asset, Amount>;

const NOTHING: Totals = new Map();

const totalIn = (totals: Totals, asset: Asset): Amount => totals.get(asset) ?? NO_AMOUNT;

function changedBetween(then: Totals, now: Totals): Asset[] {
  const assets = new Set([...now.keys(), ...then.keys()]);
  return [...assets].filter((asset) => totalIn(now, asset) !== totalIn(then, asset));
}

// Markets without a run. A difference may come from a trade of the owner in one of them: most likely with an untracked
// asset that moved at the same time.

/** Whether the market has no run, or is still to be opened. */
export const isInOtherMarket = (state: With<'settings' | 'durable'>, symbol: InstrumentSymbol): boolean =>
  !openedMarkets(state).includes(symbol);

/** Markets without a run. Some of them may not exist. */
export interface Markets {
  readonly spot: readonly InstrumentSymbol[];
  /** Markets whose simple buys and sells are read. */
  readonly simple: readonly InstrumentSymbol[];
}

/** At most this many coins are searched: two lists of each are read. */
const MOST_COINS = 12;

/**
 * Other markets that may explain a difference in these assets. `likely`: a market that is to be opened, or a coin
 * without a run that moved as well. `possible`: one may have moved while the bot was down, or the differing assets were
 * traded for one another.
 */
export function otherMarkets(
  state: With<'settings' | 'durable' | 'markets' | 'reconciliation'>,
  differing: ReadonlySet<Asset>,
): { readonly likely: Markets; readonly possible: Markets } {
  const runs = assetsOfRuns(state);
  const { moved, held } = untrackedCoins(state.reconciliation, runs);
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
const waitingPairs = (state: With<'settings' | 'durable'>, differing: ReadonlySet<Asset>): Pair[] =>
  unopenedMarkets(state).flatMap((symbol): Pair[] => {
    const { base, quote } = parseSymbol(symbol) ?? { base: '', quote: '' };
    return differing.has(base) || differing.has(quote) ? [[base, quote]] : [];
  });

/** Each of the first with each of the second, once. */
function pairsOf(these: readonly Asset[], those: readonly Asset[]): Pair[] {
  const pairs = new Map<string, Pair>();
  for (const a of these) for (const b of those) if (a !== b && !pairs.has(`${b},${a}`)) pairs.set(`${a},${b}`, [a, b]);
  return [...pairs.values()];
}

function marketsOf(state: With<'settings' | 'durable' | 'markets'>, pairs: readonly Pair[]): Markets {
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
