// Reads the memory file and changes nothing: from any process, even while the bot writes it.
import { lstatSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Period } from '../books/local-time.ts';
import type { MarkedFill } from '../metrics/markouts.ts';
import { type CountSum, columnsOf, type History, type HistoryQuery, MOST_MARKS, type PointAt } from './history.ts';
import { isOurs, levelNumber } from './memory-file.ts';
import { BOUNDS, LEVELS, levelFor, type NoticeRow, SAMPLE_FIELDS, type Sample } from './rows.ts';

type Span = Pick<Period, 'from' | 'to'>;

/** Null if there is none, or one of another version. Throws SQLite's errors for a damaged one. */
export function readMemory(file: string): MemoryReader | null {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return null;
  const database = new DatabaseSync(file, { readOnly: true, timeout: 1_000 });
  let reader: MemoryReader | null = null;
  try {
    reader = isOurs(database) ? readerOver(database) : null;
    return reader;
  } finally {
    if (reader === null) database.close();
  }
}

export type MemoryReader = ReturnType<typeof readerOver>;

/** Unchanged seconds are repeated every ten seconds, the other levels in each bucket. */
const SECOND_GAP_MS = 15_000;

const COUNTS = `SELECT symbol, kind, a, b, c, sum(n) AS n FROM count WHERE at >= ? AND at < ?
  GROUP BY symbol, kind, a, b, c ORDER BY symbol, kind, a, b, c`;
const NOTICES = 'SELECT at, level, op, symbol, message FROM notice WHERE at >= ? AND at < ? ORDER BY at, id';

function readerOver(database: DatabaseSync) {
  const sinceFact = database.prepare("SELECT value FROM fact WHERE name = 'since'");
  const since = (): EpochMs | null => (sinceFact.get() as { value: number } | undefined)?.value ?? null;
  return {
    /** When the file was created. */
    since,
    history(query: HistoryQuery): History {
      const { symbol, from, to, points } = query;
      const level = levelFor(query);
      const binMs = Math.max(1, Math.ceil((to - from) / points));
      const stepMs = level === 'second' ? SECOND_GAP_MS : 2 * BOUNDS[level].stepMs;
      // The last of a bin may be that much later than the first.
      const columns = columnsOf(pointsOf(database, query, binMs), stepMs + binMs);
      return { symbol, from, to, level, knownFrom: since(), ...columns, ...marksOf(database, query) };
    },
    /** Sums over the days that begin in the span. */
    counts: ({ from, to }: Span) => database.prepare(COUNTS).all(from, to) as unknown as readonly CountSum[],
    notices: ({ from, to }: Span) => database.prepare(NOTICES).all(from, to) as unknown as readonly NoticeRow[],
    /** The symbol's last sample up to a time that has a price; null if there is none. */
    lastPoint: (symbol: InstrumentSymbol, at: EpochMs) => lastPoint(database, 'reference', { symbol, at }),
    /** The same before a time, with a profit. */
    profitBefore: (symbol: InstrumentSymbol, time: EpochMs) => lastPoint(database, 'profit', { symbol, at: time - 1 }),
    close: (): void => database.close(),
  };
}

/** The last point of each bin: SQLite takes bare columns from the row with the `max`. */
function pointsOf(database: DatabaseSync, query: HistoryQuery, binMs: number): readonly PointAt[] {
  const { symbol, from, to } = query;
  const level = levelFor(query);
  const select = database.prepare(`SELECT max(moment) AS at, ${SAMPLE_FIELDS.join(', ')} FROM point
    WHERE symbol = ? AND level = ? AND point.at >= ? AND point.at < ? AND moment >= ? AND moment < ?
    GROUP BY CAST((moment - ?) / ? AS INTEGER) ORDER BY 1`);
  // A bucket that began before the span may end in it.
  const first = from - BOUNDS[level].stepMs;
  return select.all(symbol, levelNumber(level), first, to, from, to, from, binMs) as unknown as PointAt[];
}

function marksOf(database: DatabaseSync, { symbol, from, to }: HistoryQuery): Pick<History, 'fills' | 'fillsLeftOut'> {
  const inSpan = 'FROM fill WHERE symbol = ? AND at >= ? AND at < ?';
  const newest = database
    .prepare(`SELECT at, side, price, quantity, trade_id AS tradeId ${inSpan} ORDER BY at DESC, trade_id DESC LIMIT ?`)
    .all(symbol, from, to, MOST_MARKS) as unknown as MarkedFill[];
  const { all } = database.prepare(`SELECT count(*) AS "all" ${inSpan}`).get(symbol, from, to) as { all: number };
  return { fills: newest.reverse(), fillsLeftOut: all - newest.length };
}

/** Searches all levels for the newest, since a bucket may hold a later time. */
function lastPoint(
  database: DatabaseSync,
  known: keyof Sample,
  { symbol, at }: { readonly symbol: InstrumentSymbol; readonly at: EpochMs },
): PointAt | null {
  const select = database.prepare(`SELECT moment AS at, ${SAMPLE_FIELDS.join(', ')} FROM point WHERE symbol = ?
    AND level = ? AND point.at <= ? AND moment <= ? AND ${known} IS NOT NULL ORDER BY point.at DESC LIMIT 1`);
  const rows = LEVELS.map((level) => select.get(symbol, levelNumber(level), at, at) as unknown as PointAt | undefined);
  return rows.reduce<PointAt | null>((best, row) => (row && (best === null || row.at > best.at) ? row : best), null);
}
