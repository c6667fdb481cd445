// Gathers what happens into rows of every level until somebody takes them. Bounded: what nobody takes is dropped, the
// oldest first.
import type { Calendar } from '../books/local-time.ts';
import type { InstrumentSymbol } from '../domain/instrument.ts';
import type { Side } from '../domain/order.ts';
import { type DurationMs, type EpochMs, SECOND } from '../domain/time.ts';
import {
  type Batch,
  BOUNDS,
  bucketOf,
  type Counted,
  type CountRow,
  type DecisionRow,
  type FillRow,
  LEVELS,
  type Level,
  type NoticeRow,
  type PointRow,
  SAMPLE_FIELDS,
  type Sample,
} from './batch.ts';

export interface Collector {
  /** How a symbol stands. To be called every second or so. */
  sample(symbol: InstrumentSymbol, sample: Sample, at: EpochMs): void;
  /** What is wanted of a side, or why nothing is. */
  decided(symbol: InstrumentSymbol, side: Side, now: { readonly text: string; readonly at: EpochMs }): void;
  count(symbol: InstrumentSymbol | null, counted: Counted, at: EpochMs): void;
  notice(row: NoticeRow): void;
  fill(row: FillRow): void;
  /** What came since it was taken last. */
  take(at: EpochMs): Batch;
}

/** A quote or price holds so long at the most without a look at it: a machine that slept has seen nothing. */
const LONGEST_STEP_MS: DurationMs = 5 * SECOND;
/** What does not change is told again after so long, so that a gap shows that nobody looked. */
const REPEAT_MS: DurationMs = 10 * SECOND;
/** What is waiting of each kind while nothing can be written. */
const MOST_WAITING = 20_000;
/** A sentence may hold what an exchange says. */
const LONGEST_TEXT = 300;

interface Seen {
  sample: Sample;
  at: EpochMs;
  writtenAt: EpochMs;
}

interface Waiting {
  points: Map<string, PointRow>;
  counts: Map<string, CountRow>;
  decisions: DecisionRow[];
  notices: NoticeRow[];
  fills: FillRow[];
}

const nothing = (): Waiting => ({ points: new Map(), counts: new Map(), decisions: [], notices: [], fills: [] });

/** `calendar`: whose days are those of the day's rows. */
export function createCollector(calendar: Calendar): Collector {
  const seen = new Map<InstrumentSymbol, Seen>();
  const wanted = new Map<string, string>();
  const bucket = remembered(calendar);
  let waiting = nothing();
  const count: Collector['count'] = (symbol, counted, at) => addCount(waiting.counts, bucket, { symbol, counted, at });
  return {
    sample(symbol, sample, at) {
      const before = seen.get(symbol);
      const ms = before === undefined ? 0 : Math.min(LONGEST_STEP_MS, at - before.at);
      if (before !== undefined && ms > 0) for (const each of heldFor(before.sample, ms)) count(symbol, each, at);
      const isNew = before === undefined || SAMPLE_FIELDS.some((field) => sample[field] !== before.sample[field]);
      const isDue = isNew || at - before.writtenAt >= REPEAT_MS || at < before.at;
      seen.set(symbol, { sample, at, writtenAt: isDue ? at : before.writtenAt });
      if (isDue)
        for (const level of LEVELS) addPoint(waiting.points, bucket, { ...sample, symbol, level, at, moment: at });
    },
    decided(symbol, side, { text, at }) {
      const key = `${side} ${symbol}`;
      if (wanted.get(key) === text) return;
      wanted.set(key, text);
      push(waiting.decisions, { symbol, at, side, text: shortened(text) });
    },
    count,
    notice: (row) => push(waiting.notices, { ...row, message: shortened(row.message) }),
    fill: (row) => push(waiting.fills, row),
    take(at) {
      const { points, counts, ...lists } = waiting;
      waiting = nothing();
      return { at, points: [...points.values()], counts: [...counts.values()], ...lists };
    },
  };
}

type Bucket = (level: Level, at: EpochMs) => EpochMs;

/** Days begin with a quarter hour: within one the day is asked for once. */
function remembered(calendar: Calendar): Bucket {
  let [quarter, day] = [Number.NaN, Number.NaN];
  return (level, at) => {
    if (level !== 'day') return bucketOf(level, at, calendar);
    const now = bucketOf('quarter', at, calendar);
    if (now !== quarter) [quarter, day] = [now, bucketOf('day', at, calendar)];
    return day;
  };
}

const shortened = (text: string): string => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text);

function push<T>(list: T[], row: T): void {
  list.push(row);
  if (list.length > MOST_WAITING) list.shift();
}

/** The last of a bucket is the bucket's; of seconds each one is kept. */
function addPoint(points: Map<string, PointRow>, bucket: Bucket, row: PointRow): void {
  const at = row.level === 'second' ? row.at : bucket(row.level, row.at);
  points.set(`${row.level} ${at} ${row.symbol}`, { ...row, at });
  if (points.size <= MOST_WAITING) return;
  const [oldest] = points.keys();
  if (oldest !== undefined) points.delete(oldest);
}

interface Happened {
  readonly symbol: InstrumentSymbol | null;
  readonly counted: Counted;
  readonly at: EpochMs;
}

const COUNTING_LEVELS: readonly Level[] = LEVELS.filter((level) => BOUNDS[level].countsMs > 0);

function addCount(counts: Map<string, CountRow>, bucket: Bucket, { symbol, counted, at: moment }: Happened): void {
  const { kind } = counted;
  const [a, b, c] = ['a', 'b', 'c'].map((part) => String((counted as Readonly<Record<string, unknown>>)[part] ?? ''));
  const n = 'ms' in counted ? counted.ms : 'n' in counted ? counted.n : 1;
  if (n === 0) return;
  for (const level of COUNTING_LEVELS) {
    const at = bucket(level, moment);
    const key = [level, at, symbol, kind, a, b, c].join('\n');
    const before = counts.get(key);
    if (before === undefined && counts.size >= MOST_WAITING) continue;
    counts.set(key, { symbol, level, at, kind, a: a ?? '', b: b ?? '', c: c ?? '', n: n + (before?.n ?? 0) });
  }
}

/** What held of a symbol for so long: how wide it was, there and here. */
function* heldFor({ marketBid, marketAsk, ownBid, ownAsk }: Sample, ms: DurationMs): Generator<Counted> {
  yield { kind: 'watched', ms };
  const market = spreadBps(marketBid, marketAsk);
  const own = spreadBps(ownBid, ownAsk);
  if (market === null) return;
  yield { kind: 'spread', a: 'ms', n: ms };
  yield { kind: 'spread', a: 'market', n: market * ms };
  if (own === null) return;
  yield { kind: 'spread', a: 'ms-quoted', n: ms };
  yield { kind: 'spread', a: 'own', n: own * ms };
  yield { kind: 'spread', a: 'market-meanwhile', n: market * ms };
}

function spreadBps(bid: number | null, ask: number | null): number | null {
  if (bid === null || ask === null || bid + ask <= 0) return null;
  return (20_000 * (ask - bid)) / (ask + bid);
}
