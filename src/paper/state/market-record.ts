// A symbol's public past: the last prints, and the rolling day of the ticker.
import type { Side } from '../../domain/order.ts';
import { DAY, type EpochMs, MINUTE } from '../../domain/time.ts';
import type { EngineTrade, Lots, Ticks } from '../../matching/types.ts';

/** A public trade; plain JSON. */
export interface Print {
  /** Digits; may exceed 2^53. Only the legacy list shows it. */
  readonly tradeId: string;
  readonly price: Ticks;
  readonly quantity: Lots;
  /** Units of the quote asset, as digits. */
  readonly notional: string;
  readonly makerSide: Side;
  readonly at: EpochMs;
}

/** The trades of one stretch of BUCKET_MS. */
interface Bucket {
  /** Without the exchange's clock error. */
  readonly startedAt: EpochMs;
  readonly open: Ticks;
  high: Ticks;
  low: Ticks;
  volume: Lots;
}

/** Oldest first in both lists; plain JSON. Bounded: PRINTS_MAX prints, one day of buckets. */
export interface MarketRecord {
  readonly prints: Print[];
  readonly buckets: Bucket[];
}

/** The rolling day of a ticker, and its last print. */
type DayRange = Readonly<Omit<Bucket, 'startedAt'>>;

/** A list shows at most 50; the rest is for lists that trail. */
const PRINTS_MAX = 200;
/**
 * The day advances in these steps: a day of a symbol costs 288 small objects, and its edge is accurate to five minutes.
 */
const BUCKET_MS = 5 * MINUTE;

/** A trade as of `at`, not before the last call's; it shows its stamped time. */
export function recordPrint(record: MarketRecord, trade: EngineTrade, at: EpochMs): void {
  const { tradeId, price, quantity, makerSide } = trade;
  record.prints.push({ tradeId, price, quantity, notional: trade.notional.toString(), makerSide, at: trade.at });
  if (record.prints.length > 2 * PRINTS_MAX) record.prints.splice(0, record.prints.length - PRINTS_MAX);
  const startedAt = at - (at % BUCKET_MS);
  const last = record.buckets.at(-1);
  if (last?.startedAt === startedAt) {
    last.high = Math.max(last.high, price) as Ticks;
    last.low = Math.min(last.low, price) as Ticks;
    last.volume = (last.volume + quantity) as Lots;
    return;
  }
  record.buckets.push({ startedAt, open: price, high: price, low: price, volume: quantity });
  record.buckets.splice(0, oldCount(record, at));
}

/** How many buckets ended more than a day before `now`. */
function oldCount({ buckets }: MarketRecord, now: EpochMs): number {
  let old = 0;
  while ((buckets[old]?.startedAt ?? now) + BUCKET_MS <= now - DAY) old += 1;
  return old;
}

/** Range and volume of the 24 hours before `now`; `null` without trades. */
export function dayRange(record: MarketRecord, now: EpochMs): DayRange | null {
  const buckets = record.buckets.slice(oldCount(record, now));
  const first = buckets[0];
  if (!first) return null;
  const range = { open: first.open, high: first.high, low: first.low, volume: 0 };
  for (const bucket of buckets) {
    range.high = Math.max(range.high, bucket.high) as Ticks;
    range.low = Math.min(range.low, bucket.low) as Ticks;
    range.volume += bucket.volume;
  }
  return { ...range, volume: range.volume as Lots };
}
