// Reads the memory and changes nothing: from any thread or process, also while the bot writes it.

import { lstatSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BOUNDS, LEVELS, type Level, levelFor, type NoticeRow } from '../../memory/batch.ts';
import {
  type CountSum,
  columnsOf,
  type FillMark,
  type History,
  type HistoryQuery,
  historyQuery,
  MOST_MARKS,
  type PointAt,
} from '../../memory/history.ts';
import { realClock } from '../../ports/clock.ts';
import { isOurs, levelNumber, VALUE_COLUMNS } from './memory-schema.ts';

export interface MemorySpan {
  readonly from: number;
  readonly to: number;
}

export interface MemoryReader {
  /** Since when it is written. */
  since(): number | null;
  history(query: HistoryQuery): History;
  /** Of the days that begin in the span. */
  counts(span: MemorySpan): readonly CountSum[];
  notices(span: MemorySpan): readonly NoticeRow[];
  /** The last sample of a symbol up to a moment that knows a price of it; null where there is none. */
  lastPoint(symbol: string, at: number): PointAt | null;
  close(): void;
}

/** Null where there is none, or one of another version. Throws what SQLite throws of a damaged one. */
export function readMemory(file: string): MemoryReader | null {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return null;
  const database = new DatabaseSync(file, { readOnly: true, timeout: 1_000 });
  try {
    if (isOurs(database)) return readerOver(database);
    database.close();
    return null;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Seconds are told again after ten of them where nothing changes, the other levels in each bucket. */
const SECOND_GAP_MS = 15_000;

function readerOver(database: DatabaseSync): MemoryReader {
  const sinceFact = database.prepare("SELECT value FROM fact WHERE name = 'since'");
  const symbolId = database.prepare('SELECT id FROM symbol WHERE name = ?');
  const idOf = (symbol: string): number => (symbolId.get(symbol) as { id: number } | undefined)?.id ?? -1;
  const since = (): number | null => (sinceFact.get() as { value: number } | undefined)?.value ?? null;
  return {
    since,
    history(query) {
      const { symbol, from, to } = query;
      const level = levelFor(query);
      const id = idOf(symbol);
      const { rows, binMs } = pointsOf(database, { id, level, query });
      const stepMs = level === 'second' ? SECOND_GAP_MS : 2 * BOUNDS[level].stepMs;
      const about = { symbol, from, to, level, gapMs: Math.max(stepMs, 2 * binMs), knownFrom: since() };
      return { ...about, ...columnsOf(rows), ...marksOf(database, id, query) };
    },
    counts: ({ from, to }) =>
      database.prepare(COUNTS).all(levelNumber('day'), from, to) as unknown as readonly CountSum[],
    notices: ({ from, to }) =>
      database
        .prepare('SELECT at, level, op, symbol, message, seq FROM notice WHERE at >= ? AND at < ? ORDER BY at, id')
        .all(from, to) as unknown as readonly NoticeRow[],
    lastPoint: (symbol, at) => lastPoint(database, idOf(symbol), at),
    close: () => database.close(),
  };
}

const COUNTS = `SELECT name AS symbol, kind, a, b, c, sum(n) AS n FROM count JOIN symbol ON symbol.id = count.symbol
  WHERE level = ? AND at >= ? AND at < ? GROUP BY name, kind, a, b, c ORDER BY name, kind, a, b, c`;

interface Wanted {
  readonly id: number;
  readonly level: Level;
  readonly query: HistoryQuery;
}

/** The last point of each bin: SQLite's bare columns are those of the row with the `max`. */
function pointsOf(database: DatabaseSync, { id, level, query }: Wanted): { rows: PointAt[]; binMs: number } {
  const { from, to, points } = query;
  const binMs = Math.max(1, Math.ceil((to - from) / points));
  const select = database.prepare(`SELECT max(moment) AS at, ${VALUE_COLUMNS} FROM point
    WHERE symbol = ? AND level = ? AND at >= ? AND at < ? AND moment >= ? AND moment < ?
    GROUP BY CAST((moment - ?) / ? AS INTEGER) ORDER BY at`);
  // A bucket that began before the span may end in it.
  const first = from - BOUNDS[level].stepMs;
  const rows = select.all(id, levelNumber(level), first, to, from, to, from, binMs) as unknown as PointAt[];
  return { rows, binMs };
}

function marksOf(
  database: DatabaseSync,
  id: number,
  { from, to }: HistoryQuery,
): Pick<History, 'fills' | 'fillsLeftOut'> {
  const inSpan = 'FROM fill WHERE symbol = ? AND at >= ? AND at < ? AND ours = 1 AND gone = 0';
  const newest = database
    .prepare(`SELECT at, side, price, quantity, trade_id AS tradeId ${inSpan} ORDER BY at DESC, trade_id DESC LIMIT ?`)
    .all(id, from, to, MOST_MARKS) as unknown as FillMark[];
  const { all } = database.prepare(`SELECT count(*) AS "all" ${inSpan}`).get(id, from, to) as { all: number };
  return { fills: newest.reverse(), fillsLeftOut: all - newest.length };
}

/** The newest that any level has: what a bucket holds may be of after the moment. */
function lastPoint(database: DatabaseSync, id: number, at: number): PointAt | null {
  const select = database.prepare(`SELECT moment AS at, ${VALUE_COLUMNS} FROM point
    WHERE symbol = ? AND level = ? AND at <= ? AND moment <= ? AND reference IS NOT NULL ORDER BY at DESC LIMIT 1`);
  const rows = LEVELS.map((level) => select.get(id, levelNumber(level), at, at) as unknown as PointAt | undefined);
  return rows.reduce<PointAt | null>((best, row) => (row && (best === null || row.at > best.at) ? row : best), null);
}

// `GET /api/history`: prices, quotes, inventory and equity of a symbol over time, with its fills. Reads only.

export interface HistorySource {
  /** Those that may be asked for. */
  readonly symbols: () => readonly string[];
  /** Null while nothing is remembered. */
  readonly history: (query: HistoryQuery) => Promise<History | null>;
}

export function addHistoryRoute(
  app: FastifyInstance,
  { symbols, history }: HistorySource,
  mayRead: (request: FastifyRequest) => boolean,
): void {
  app.get('/api/history', async (request, reply) => {
    if (!mayRead(request)) return sentence(reply, 401, 'Sign in first, or send a token as `Authorization: Bearer`.');
    const asked = request.query as Readonly<Record<string, unknown>>;
    const query = historyQuery(asked, { symbols: symbols(), now: realClock.now() });
    if (!query.ok) return sentence(reply, 400, query.error);
    const answer = await history(query.value);
    if (answer === null) return sentence(reply, 503, 'Nothing is remembered yet: ask again in some seconds.');
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
  });
}

const sentence = (reply: FastifyReply, code: number, text: string): FastifyReply =>
  reply
    .code(code)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ error: text }));
