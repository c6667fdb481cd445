// Collects events into rows until they are taken. Bounded: drops the oldest rows that nobody takes.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { type DurationMs, type EpochMs, SECOND } from '../../domain/time.ts';
import type { Calendar } from '../books/local-time.ts';
import {
  type Batch,
  bucketOf,
  type Counted,
  type CountRow,
  type FillRow,
  LEVELS,
  type NoticeRow,
  type PointRow,
  SAMPLE_FIELDS,
  type Sample,
} from './rows.ts';

/** Longest time for which one sample of a quote or price counts: a machine that slept has seen nothing. */
const LONGEST_STEP_MS: DurationMs = 5 * SECOND;
/** Repeats unchanged values this often, so that a longer gap means that nothing was watching. */
const REPEAT_MS: DurationMs = 10 * SECOND;
/** Most rows of each kind that wait while nothing can be written. */
const MOST_WAITING = 20_000;
/** A sentence may quote the exchange. */
const LONGEST_TEXT = 300;

const nothing = () => ({
  points: new Map<string, PointRow>(),
  counts: new Map<string, CountRow>(),
  notices: [] as NoticeRow[],
  fills: [] as FillRow[],
});

export type Collector = ReturnType<typeof createCollector>;

/** A count with the labels of any kind. */
type Labeled = Pick<Counted, 'kind' | 'n'> & { readonly a?: string; readonly b?: string | number; readonly c?: string };

/** `calendar`: defines the days of the daily rows. */
export function createCollector(calendar: Calendar) {
  const seen = new Map<InstrumentSymbol, { readonly sample: Sample } & Record<'at' | 'writtenAt', EpochMs>>();
  let waiting = nothing();

  /** `symbol`: null for the whole account. */
  function count(symbol: InstrumentSymbol | null, counted: Counted, moment: EpochMs): void {
    const { kind, n = 1, a = '', b = '', c = '' }: Labeled = counted;
    const at = bucketOf('day', moment, calendar);
    const key = [at, symbol, kind, a, b, c].join('\n');
    const before = waiting.counts.get(key);
    if (n === 0 || (before === undefined && waiting.counts.size >= MOST_WAITING)) return;
    waiting.counts.set(key, { symbol: symbol ?? '', at, kind, a, b: String(b), c, n: n + (before?.n ?? 0) });
  }

  return {
    count,
    /** The symbol's current state. Call about once a second. */
    sample(symbol: InstrumentSymbol, sample: Sample, at: EpochMs): void {
      const before = seen.get(symbol);
      const ms = before === undefined ? 0 : Math.min(LONGEST_STEP_MS, at - before.at);
      if (before !== undefined && ms > 0) for (const each of heldFor(before.sample, ms)) count(symbol, each, at);
      const isNew = before === undefined || SAMPLE_FIELDS.some((field) => sample[field] !== before.sample[field]);
      const isDue = isNew || at - before.writtenAt >= REPEAT_MS || at < before.at;
      seen.set(symbol, { sample, at, writtenAt: isDue ? at : before.writtenAt });
      if (isDue)
        for (const level of LEVELS) addPoint(waiting.points, calendar, { ...sample, symbol, level, at, moment: at });
    },
    notice(row: NoticeRow): void {
      const { message } = row;
      push(waiting.notices, {
        ...row,
        message: message.length > LONGEST_TEXT ? `${message.slice(0, LONGEST_TEXT - 1)}…` : message,
      });
    },
    fill: (row: FillRow): void => push(waiting.fills, row),
    /** Takes the rows since the last call. */
    take(at: EpochMs): Batch {
      const { points, counts, notices, fills } = waiting;
      waiting = nothing();
      return { at, points: [...points.values()], counts: [...counts.values()], notices, fills };
    },
  };
}

function push<T>(list: T[], row: T): void {
  list.push(row);
  if (list.length > MOST_WAITING) list.shift();
}

/** The last point of a bucket wins; each second is kept. */
function addPoint(points: Map<string, PointRow>, calendar: Calendar, row: PointRow): void {
  const at = row.level === 'second' ? row.at : bucketOf(row.level, row.at, calendar);
  points.set(`${row.level} ${at} ${row.symbol}`, { ...row, at });
  if (points.size <= MOST_WAITING) return;
  const [oldest] = points.keys();
  if (oldest !== undefined) points.delete(oldest);
}

/** Spreads that held for `ms`, the market's and our own. */
function* heldFor({ marketBid, marketAsk, ownBid, ownAsk }: Sample, ms: DurationMs): Generator<Counted> {
  yield { kind: 'watched', n: ms };
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
