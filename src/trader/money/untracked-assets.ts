// Assets that no run trades. What the wallet holds of them is the owner's affair, but it says where a difference may
// come from: a coin that moved together with it was traded for it.
import { type Balance, totalOf } from '../../domain/balance.ts';
import { type Asset, type InstrumentSymbol, parseSymbol } from '../../domain/instrument.ts';
import { type Amount, amountOf, NO_AMOUNT } from '../../ledger/amount.ts';
import { FIAT } from '../durable/external-flow.ts';
import type { Reconciliation } from '../state/reconciliation.ts';
import { assetsOfRuns, openedMarkets, type TraderState, unopenedMarkets } from '../state/state.ts';

/** Of the newest wallet. */
export function recordUntracked(state: TraderState, rows: readonly Balance[]): void {
  state.reconciliation.untracked = untrackedIn(state, rows);
}

/** Of a wallet's other coins no more are followed. */
const MOST_ASSETS = 200;

/**
 * A row of nothing is none: the wallet may list every asset that the exchange has. An amount that is not exact says
 * nothing.
 */
function untrackedIn(state: TraderState, rows: readonly Balance[]): Totals {
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
 * The wallet of these rows equals the ledger: what moved after it is another difference. It may be an older one than
 * the newest, which shows what has moved since.
 */
export function keepUntracked(state: TraderState, rows: readonly Balance[]): void {
  if (state.durable.differences.unexplainedSince !== null) return;
  state.reconciliation.untrackedBefore = untrackedIn(state, rows);
}

/**
 * Coins whose total is another one than when the wallet last equalled the ledger; all that are held where it has not in
 * this session, as nobody looked before.
 */
function untrackedCoins(
  { untracked: now, untrackedBefore: before }: Reconciliation,
  runs: ReadonlySet<Asset>,
): { readonly moved: readonly Asset[]; readonly held: readonly Asset[] } {
  if (now === null) return { moved: [], held: [] };
  // A market that was opened since may trade one of those.
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

// Markets in which no run is. A difference may come from a trade of the owner in one of them: most likely with an
// untracked asset that moved together with it.

/** Whether no run has the market, or it is still to be opened. */
export const isInOtherMarket = (state: Pick<TraderState, 'durable' | 'settings'>, symbol: InstrumentSymbol): boolean =>
  !openedMarkets(state).includes(symbol);

/** Markets in which no run is. Not every one of them need exist. */
export interface Markets {
  readonly spot: readonly InstrumentSymbol[];
  /** Whose simple buys and sells are asked for. */
  readonly simple: readonly InstrumentSymbol[];
}

/** Of more coins than these a person is asked: two lists of each are read. */
const MOST_COINS = 12;

/**
 * Where else a difference of these assets may come from. `likely`: a market that is to be opened, or a coin that no run
 * trades moved as well. `possible`: one may have moved while the bot was down, or what differs was traded for one
 * another.
 */
export function otherMarkets(
  state: TraderState,
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

/** Markets that are to be opened, of assets that differ. */
const waitingPairs = (state: Pick<TraderState, 'durable' | 'settings'>, differing: ReadonlySet<Asset>): Pair[] =>
  unopenedMarkets(state).flatMap((symbol): Pair[] => {
    const { base, quote } = parseSymbol(symbol) ?? { base: '', quote: '' };
    return differing.has(base) || differing.has(quote) ? [[base, quote]] : [];
  });

/** Each of these with each of those, once. */
function pairsOf(these: readonly Asset[], those: readonly Asset[]): Pair[] {
  const pairs = new Map<string, Pair>();
  for (const a of these) for (const b of those) if (a !== b && !pairs.has(`${b},${a}`)) pairs.set(`${a},${b}`, [a, b]);
  return [...pairs.values()];
}

function marketsOf(state: TraderState, pairs: readonly Pair[]): Markets {
  const symbols = pairs.flatMap(([a, b]) => fiatMarket(a, b) ?? [`${a}/${b}`, `${b}/${a}`]);
  const others = symbols.filter((symbol) => isInOtherMarket(state, symbol));
  const runs = assetsOfRuns(state);
  return { spot: others, simple: others.filter((symbol) => isSimple(symbol, runs)) };
}

/**
 * Whether coins are simply bought and sold for the quote asset. Of the coins of runs those lists are read all the same.
 */
function isSimple(symbol: InstrumentSymbol, runs: ReadonlySet<Asset>): boolean {
  const market = parseSymbol(symbol);
  return market?.quote === FIAT && !(runs.has(FIAT) && runs.has(market.base));
}

/** Fiat is the quote asset of all its markets; of two coins nobody knows which one is. */
function fiatMarket(a: Asset, b: Asset): InstrumentSymbol | null {
  if (a === FIAT) return `${b}/${FIAT}`;
  return b === FIAT ? `${a}/${FIAT}` : null;
}
