// The account's executions in a symbol: which rows a question selects, how many, and in what order.
import { HOUR } from '../domain/time.ts';
import { TRADE_WINDOW_MAX_MS } from '../venue/endpoints.ts';
import type { FillRow } from './account-record.ts';
import { callersRecord } from './answer-account.ts';
import type { Visit } from './gate.ts';
import { listLimit, orderIdText, type Parsed, requiredSymbol } from './parameters.ts';
import { parameter, type Query } from './query.ts';
import type { Quirks } from './quirks.ts';
import { okText, type Reply, refuse } from './reply.ts';

/** The six combinations that are allowed beside `symbol`; any other is -1109. */
const COMBINATIONS = new Set(['', 'orderId', 'startTime', 'endTime', 'fromId', 'startTime endTime']);
const FILTERS = ['orderId', 'startTime', 'endTime', 'fromId'] as const;

interface Filter {
  readonly orderId: string | null;
  readonly startTime: number | null;
  readonly endTime: number | null;
  readonly fromId: bigint | null;
}

export function answerSpotTrades(visit: Visit): Reply {
  const { state, query } = visit;
  const instrument = requiredSymbol(state, parameter(query, 'symbol'));
  if (!instrument.ok) return instrument.error;
  const limit = listLimit(query);
  if (!limit.ok) return limit.error;
  const filter = filterOf(query);
  if (!filter.ok) return filter.error;
  const { quirks } = state.controls;
  const { fills } = callersRecord(visit);
  const until = state.lastAt - quirks.tradesLagMs;
  const since = state.lastAt - quirks.tradesWindowMs;
  const bounds = { symbol: instrument.value.symbol, since, until };
  const page = selectPage(fills, { bounds, filter: filter.value, limit: limit.value, quirks });
  return okText(
    `[${ordered(page, quirks)
      .map((row) => tradeRow(row, quirks))
      .join(',')}]`,
  );
}

function filterOf(query: Query): Parsed<Filter> {
  const orderId = parameter(query, 'orderId');
  if (orderId !== undefined) {
    const parsed = orderIdText(orderId);
    if (!parsed.ok) return parsed;
  }
  const startTime = wholeNumber(query, 'startTime');
  const endTime = wholeNumber(query, 'endTime');
  const refused = (code: number, msg: string): Parsed<Filter> => ({ ok: false, error: refuse(code, msg) });
  if (startTime === undefined || endTime === undefined) {
    return refused(-1107, 'Start and end time must be whole numbers of milliseconds since epoch.');
  }
  if (startTime !== null && endTime !== null) {
    if (startTime > endTime) return refused(-1107, 'The start time must not be after the end time.');
    if (endTime - startTime > TRADE_WINDOW_MAX_MS) {
      return refused(-1107, `The end time must be within ${TRADE_WINDOW_MAX_MS / HOUR} hours of the start time.`);
    }
  }
  const fromId = parameter(query, 'fromId');
  if (fromId !== undefined && !/^\d{1,40}$/.test(fromId)) return refused(-1009, 'fromId must be a whole number.');
  const given = FILTERS.filter((name) => query.has(name)).join(' ');
  if (!COMBINATIONS.has(given)) return refused(-1109, `These parameters cannot be used together: ${given}.`);
  return {
    ok: true,
    value: { orderId: orderId ?? null, startTime, endTime, fromId: fromId === undefined ? null : BigInt(fromId) },
  };
}

/** `null` when it is not given, `undefined` when it is no moment. */
function wholeNumber(query: Query, name: string): number | null | undefined {
  const given = parameter(query, name);
  if (given === undefined) return null;
  return /^\d{1,15}$/.test(given) ? Number(given) : undefined;
}

interface Selection {
  readonly bounds: { readonly symbol: string; readonly since: number; readonly until: number };
  readonly filter: Filter;
  readonly limit: number;
  readonly quirks: Quirks;
}

/** At most `limit` rows, oldest first: from the old end of what qualifies or from the new one (Q3). */
function selectPage(fills: readonly FillRow[], { bounds, filter, limit, quirks }: Selection): FillRow[] {
  const oldestPart = (filter.fromId === null ? quirks.tradePage : quirks.fromIdPage) === 'oldest';
  const page: FillRow[] = [];
  // Rows are in order of time: everything before the first that is too old is too old as well.
  const first = firstSince(fills, Math.max(bounds.since, filter.startTime ?? bounds.since));
  const wanted = fills.length - first;
  for (let step = 0; step < wanted && page.length < limit; step += 1) {
    const row = fills[oldestPart ? first + step : fills.length - 1 - step];
    if (row && row.symbol === bounds.symbol && row.time <= bounds.until && qualifies(row, filter)) page.push(row);
  }
  return oldestPart ? page : page.reverse();
}

function firstSince(fills: readonly FillRow[], since: number): number {
  let low = 0;
  let high = fills.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((fills[middle]?.time ?? since) < since) low = middle + 1;
    else high = middle;
  }
  return low;
}

function qualifies(row: FillRow, filter: Filter): boolean {
  if (filter.orderId !== null && row.orderId !== filter.orderId) return false;
  if (filter.endTime !== null && row.time > filter.endTime) return false;
  return filter.fromId === null || BigInt(row.id) >= filter.fromId;
}

/** Q2. `unordered` is an order too, but one that nobody can use: by the id's digits read backwards. */
function ordered(page: readonly FillRow[], { tradeListOrder }: Pick<Quirks, 'tradeListOrder'>): readonly FillRow[] {
  if (tradeListOrder === 'oldest-first') return page;
  if (tradeListOrder === 'newest-first') return [...page].reverse();
  const backwards = (row: FillRow) => [...row.id].reverse().join('');
  return [...page].sort((a, b) => (backwards(a) < backwards(b) ? -1 : 1));
}

/** Written by hand: an id may exceed 2^53, and its digits must arrive as they are, in a JSON number. */
function tradeRow(row: FillRow, { tradeIdAs, timeAs }: Pick<Quirks, 'tradeIdAs' | 'timeAs'>): string {
  const { id, ...rest } = row;
  const time = timeAs === 'number' ? row.time : String(row.time);
  const fields = JSON.stringify({ ...rest, time });
  return `{"id":${tradeIdAs === 'number' ? id : `"${id}"`},${fields.slice(1)}`;
}
