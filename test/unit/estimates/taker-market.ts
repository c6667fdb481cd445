// A simulated market with a moving mid price, takers on both sides and slow polls, of which A and k are known.
import { exponential, normal, randomStream } from '../../../src/crowd/random.ts';
import type { PublicTrade } from '../../../src/domain/fill.ts';
import type { IntensitySettings } from '../../../src/estimates/estimate.ts';
import { type BookMid, NO_TAKERS, type TakerSample, withTakers } from '../../../src/estimates/takers.ts';
import { coverageOf, joinPage } from '../../../src/estimates/trade-pages.ts';
import { every, inOrder, poissonTrades } from './poisson-market.ts';

export interface TakerMarket {
  readonly name: string;
  /** A of each side. */
  readonly perSecond: number;
  readonly decayPerBps: number;
  readonly halfSpreadBps: number;
  /** bps per √s. */
  readonly sigma: number;
  readonly seconds: number;
  readonly bookEveryMs: number;
  readonly pageEveryMs: number;
  readonly pageLength: number;
}

const GRID_MS = 100;

/** Mid price by tenths of a second. */
function midPath({ name, sigma, seconds }: TakerMarket): (at: number) => number {
  const stream = randomStream(name, 'mid');
  let log = 0;
  const path = Array.from({ length: (seconds * 1_000) / GRID_MS + 1 }, () => {
    log += (sigma * Math.sqrt(GRID_MS / 1_000) * normal(stream)) / 10_000;
    return 100 * Math.exp(log);
  });
  return (at) => path[Math.floor(at / GRID_MS)] ?? Number.NaN;
}

/** Takers go exponentially far from the true mid, and trade where that is half the spread at least. */
function tradesOf(market: TakerMarket, midAt: (at: number) => number): readonly PublicTrade[] {
  const { name, perSecond, seconds, decayPerBps, halfSpreadBps } = market;
  const sides = (['buy', 'sell'] as const).map((takerSide) => {
    const depths = randomStream(name, `depths ${takerSide}`);
    return poissonTrades(randomStream(name, takerSide), {
      ...{ perSecond, seconds, takerSide },
      priceAt: (at) => {
        const distance = exponential(depths, 1 / decayPerBps);
        if (distance < halfSpreadBps) return null;
        return midAt(at) * (1 + ((takerSide === 'buy' ? 1 : -1) * distance) / 10_000);
      },
    });
  });
  return inOrder(...sides);
}

/** What is known of the market at its end, by polls. */
export function polled(market: TakerMarket, settings: IntensitySettings): { sample: TakerSample; gaps: number } {
  const midAt = midPath(market);
  const trades = tradesOf(market, midAt);
  const { seconds, bookEveryMs, pageEveryMs, pageLength, halfSpreadBps } = market;
  let [mids, tail, sample]: [BookMid[], readonly PublicTrade[], TakerSample] = [[], [], NO_TAKERS];
  let coveredTo: number | null = null;
  let [end, gaps] = [0, 0];
  const pageTimes = new Set(every(pageEveryMs, seconds * 1_000));
  const bookTimes = new Set([0, ...every(bookEveryMs, seconds * 1_000)]);
  for (const at of [...new Set([...pageTimes, ...bookTimes])].sort((a, b) => a - b)) {
    if (bookTimes.has(at)) mids = [...mids, { at, price: midAt(at), halfSpreadBps, tickBps: 0 }].slice(-60);
    if (!pageTimes.has(at)) continue;
    while ((trades[end]?.venueTime ?? Number.POSITIVE_INFINITY) <= at) end += 1;
    const joined = joinPage(tail, trades.slice(Math.max(0, end - pageLength), end));
    const coverage = coverageOf(joined, { sentAt: at, coveredTo });
    tail = joined.tail;
    gaps += joined.hasGap ? 1 : 0;
    if (!joined.isBehind) coveredTo = at;
    if (coverage !== null) sample = withTakers(sample, { coverage, sentAt: at, mids }, settings);
  }
  return { sample, gaps };
}
