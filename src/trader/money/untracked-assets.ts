// Assets that no run trades. What the wallet holds of them is the owner's affair, but it says where a difference may
// come from: a coin that moved together with it was traded for it.
import { type Balance, totalOf } from '../../domain/balance.ts';
import { type Asset, type InstrumentSymbol, parseSymbol } from '../../domain/instrument.ts';
import { type Amount, amountOf, amountText, NO_AMOUNT } from '../../ledger/amount.ts';
import { FIAT } from '../durable/external-flow.ts';
import { assetsOfRuns, marketsOfRuns, type TraderState } from '../state/state.ts';

/** Of the newest wallet. */
export function noteUntracked(state: TraderState, rows: readonly Balance[]): void {
  state.reconciliation.untracked = untrackedIn(state, rows);
}

/** Of a wallet's other coins no more are followed: each change of one is a record of the journal. */
const MOST_ASSETS = 200;

/**
 * A row of nothing is none: the wallet may list every asset that the exchange has. An amount that is not exact says
 * nothing.
 */
function untrackedIn(state: TraderState, rows: readonly Balance[]): Totals {
  const { durable, settings } = state;
  const { lockedIncludesStakingAndOtc } = settings.assumptions;
  const runs = assetsOfRuns(state);
  const held = new Map<Asset, Amount>();
  for (const row of rows) {
    if (runs.has(row.asset) || held.size >= MOST_ASSETS) continue;
    const exact = amountOf(totalOf(row, lockedIncludesStakingAndOtc));
    const total = exact.ok ? exact.value : totalIn(durable.differences.untracked, row.asset);
    if (total !== NO_AMOUNT) held.set(row.asset, total);
  }
  return held;
}

/**
 * What changed since the last wallet that equaled the ledger, by another one that does: what moves after it is another
 * difference, in this session or the next. It may be an older one than the newest, which shows what has moved since.
 */
export function changedElsewhere(
  state: TraderState,
  rows: readonly Balance[],
): (readonly [asset: Asset, total: string])[] {
  const { untracked, unexplainedSince } = state.durable.differences;
  if (unexplainedSince !== null) return [];
  const now = untrackedIn(state, rows);
  return changedBetween(untracked, now).map((asset) => [asset, amountText(totalIn(now, asset))]);
}

/**
 * Coins whose total is another one than when the wallet last equalled the ledger, and the others where they may have
 * moved there and back: nobody looked meanwhile.
 */
export function untrackedCoins(
  { durable, reconciliation }: Pick<TraderState, 'durable' | 'reconciliation'>,
  runs: ReadonlySet<Asset>,
): { readonly moved: readonly Asset[]; readonly still: readonly Asset[] } {
  const { untracked: now, followsUntracked } = reconciliation;
  if (now === null) return { moved: [], still: [] };
  // A run that was configured since may trade one of those.
  const moved = changedBetween(durable.differences.untracked, now).filter((asset) => !runs.has(asset));
  return { moved, still: followsUntracked ? [] : [...now.keys()].filter((asset) => !moved.includes(asset)) };
}

type Totals = ReadonlyMap<Asset, Amount>;

const totalIn = (totals: Totals, asset: Asset): Amount => totals.get(asset) ?? NO_AMOUNT;

function changedBetween(then: Totals, now: Totals): Asset[] {
  const assets = new Set([...now.keys(), ...then.keys()]);
  return [...assets].filter((asset) => totalIn(now, asset) !== totalIn(then, asset));
}

// Markets in which no run is. A difference may come from a trade of the owner in one of them: most likely with an
// untracked asset that moved together with it.

/** Whether no run has the market, or one that waits for the exchange to list it. */
export const isInOtherMarket = (state: Pick<TraderState, 'durable' | 'markets'>, symbol: InstrumentSymbol): boolean =>
  !marketsOfRuns(state).includes(symbol);

/** Markets in which no run is. Not every one of them need exist. */
export interface Markets {
  readonly spot: readonly InstrumentSymbol[];
  /** Whose simple buys and sells are asked for. */
  readonly simple: readonly InstrumentSymbol[];
}

/** Of more coins than these a person is asked: two lists of each are read. */
const MOST_COINS = 12;

/**
 * Where else a difference of these assets may come from. `likely`: a coin that no run trades moved as well. `possible`:
 * one came and went while the bot was down, or what differs was traded for one another.
 */
export function otherMarkets(
  state: TraderState,
  differing: ReadonlySet<Asset>,
): { readonly likely: Markets; readonly possible: Markets } {
  const runs = assetsOfRuns(state);
  const { moved, still } = untrackedCoins(state, runs);
  const assets = [...differing];
  const untraded = assets.filter((asset) => !runs.has(asset));
  const likely = pairsOf([...untraded, ...moved.slice(0, MOST_COINS)], assets);
  const possible = pairsOf([...assets, ...still.slice(0, Math.max(0, MOST_COINS - moved.length))], assets);
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

/** Each of these with each of those, once. */
function pairsOf(these: readonly Asset[], those: readonly Asset[]): Pair[] {
  const pairs = new Map<string, Pair>();
  for (const a of these) for (const b of those) if (a !== b && !pairs.has(`${b},${a}`)) pairs.set(`${a},${b}`, [a, b]);
  return [...pairs.values()];
}

function marketsOf(state: Pick<TraderState, 'durable' | 'markets'>, pairs: readonly Pair[]): Markets {
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
