// Quotes like fixed-spread, around the micro-price instead of the middle: nearer to the side with the smaller size.
//
// From the best sizes alone the micro-price is (bid·ask size + ask·bid size)/(both sizes). With `learned` it is the mid
// price plus its expected move by imbalance and spread (Stoikov 2018), learned from the books read: the table in
// `src/models/micro-price.ts`. 99 × 1 against 101 × 3: (99·3 + 101·1)/4 = 99.5, half a unit under the middle.
import { z } from 'zod';
import { type Decimal, decimal, ONE } from '../src/domain/decimal.ts';
import { microPrice, midPrice, type OrderBook, touchOf } from '../src/domain/order-book.ts';
import type { EpochMs } from '../src/domain/time.ts';
import {
  countSnapshot,
  type MicroPriceCounts,
  microPriceBps,
  microPriceTable,
  type Snapshot,
  startMicroPrice,
} from '../src/models/micro-price.ts';
import { above0 } from '../src/quoting/amount.ts';
import { defineStrategy, type MarketView, type Step } from '../src/quoting/strategy.ts';
import { strategy as fixedSpread, fixedSpreadParams } from './fixed-spread.ts';

const params = fixedSpreadParams.safeExtend({
  learned: z
    .boolean()
    .default(false)
    .describe('Whether the micro-price is learned from the books read, or taken from the best sizes alone.'),
  imbalanceBuckets: z
    .number()
    .int()
    .min(2)
    .max(20)
    .default(6)
    .describe('Number of equal parts that imbalance is divided into.'),
  spreadBucketBps: above0(1_000, 'bps').default(50).describe('Step in which spreads are distinguished.'),
  mostSpreads: z
    .number()
    .int()
    .min(1)
    .max(10)
    .default(4)
    .describe('Number of spread steps; all wider spreads count as one.'),
  minimumSnapshots: z
    .number()
    .int()
    .min(50)
    .max(100_000)
    .default(500)
    .describe('Until this many books were read, the best sizes alone are used.'),
});

type Params = z.output<typeof params>;

/** The counts, and the last table made from them. */
interface Memory {
  readonly counts: MicroPriceCounts;
  /** When the last of the books was asked for. */
  readonly seenAt: EpochMs;
  readonly table: readonly number[] | null;
}

/** A table takes some ten thousand multiplications, so it is rebuilt only after this many books. */
const TABLE_EVERY = 50;
/** The price's move over a longer time without a book is unrelated to the last book's sizes. */
const LONGEST_STEP_MS = 120_000;
const FINE_PLACES = 20;

export const strategy = defineStrategy<Params, Memory>({
  name: 'microprice-pegged',
  params: params.describe('Like fixed-spread, around the micro-price; for deep books.'),
  ignoresNow: true,
  memory: {
    start: ({ imbalanceBuckets, mostSpreads }) => ({
      counts: startMicroPrice({ imbalanceBuckets, mostSpreadTicks: mostSpreads }),
      seenAt: 0,
      table: null,
    }),
    reduce(memory, event, settings) {
      if (event.kind !== 'book' || !settings.learned) return memory;
      const snapshot = snapshotOf(event.book, settings);
      if (snapshot === null) return memory;
      const { sentAt: seenAt } = event;
      const isStep = seenAt - memory.seenAt <= LONGEST_STEP_MS;
      const counts = countSnapshot(isStep ? memory.counts : { ...memory.counts, last: null }, snapshot);
      const isDue = counts.samples >= settings.minimumSnapshots && counts.samples % TABLE_EVERY === 0;
      return { counts, seenAt, table: isDue || memory.table === null ? tableOf(counts, settings) : memory.table };
    },
  },
  quote(view, settings, memory) {
    const { price, why } = priceOf(view, settings, memory);
    const around = fixedSpread.quote({ ...view, referencePrice: price }, settings, undefined);
    return { ...around, explain: [microStep(view, price, why), ...around.explain] };
  },
});

const tableOf = (counts: MicroPriceCounts, { minimumSnapshots }: Params): readonly number[] | null =>
  counts.samples >= minimumSnapshots ? microPriceTable(counts) : null;

/** Null for a book without two sides. */
function snapshotOf(book: OrderBook, { spreadBucketBps }: Params): Snapshot | null {
  const touch = touchOf(book);
  if (touch === null) return null;
  const { bid, ask } = touch;
  const mid = midPrice(touch).toNumber();
  const spreadBps = (ask.price.sub(bid.price).toNumber() / mid) * 10_000;
  const imbalanceRatio = bid.quantity.div(bid.quantity.add(ask.quantity)).toNumber();
  return { imbalanceRatio, spreadTicks: Math.ceil(spreadBps / spreadBucketBps), mid };
}

function priceOf(
  view: MarketView,
  settings: Params,
  { counts, table }: Memory,
): { readonly price: Decimal; readonly why: string } {
  const touch = touchOf(view.book);
  if (touch === null) return { price: view.referencePrice, why: 'The book has no two sides.' };
  const snapshot = settings.learned && table !== null ? snapshotOf(view.book, settings) : null;
  if (snapshot !== null && table !== null) {
    const bps = microPriceBps(counts, table, snapshot);
    const shift = decimal(bps.toFixed(9)).div(10_000);
    const price = midPrice(touch).mul(ONE.add(shift)).toDecimalPlaces(FINE_PLACES);
    return { price, why: `Learned from ${counts.samples} books: ${bps.toFixed(2)} bps off the middle.` };
  }
  const price = microPrice(touch).toDecimalPlaces(FINE_PLACES);
  if (!settings.learned) return { price, why: 'The best prices, each weighted by the size at the other.' };
  const missing = `${counts.samples} of ${settings.minimumSnapshots} books are read`;
  return { price, why: `The best prices, each weighted by the size at the other, as only ${missing}.` };
}

function microStep(view: MarketView, price: Decimal, why: string): Step {
  const places = view.instrument.tickSize.decimalPlaces() + 2;
  const shown = (value: Decimal): string => value.toDecimalPlaces(places).toFixed();
  return { name: 'micro-price', before: shown(view.referencePrice), after: shown(price), why };
}
