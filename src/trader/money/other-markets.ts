// Markets in which no run is. A difference may come from a trade of the owner in one of them: most likely with an
// untracked asset that moved together with it.
import { type Asset, type InstrumentSymbol, parseSymbol } from '../../domain/instrument.ts';
import { FIAT } from '../durable/external-flow.ts';
import { assetsOfRuns, marketsOfRuns } from '../state/assets.ts';
import type { TraderState } from '../state/state.ts';
import { untrackedCoins } from './untracked-assets.ts';

/** Whether no run has the market, or one that waits for the exchange to list it. */
export const isInOtherMarket = (state: TraderState, symbol: InstrumentSymbol): boolean =>
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
