// The account's executions in a symbol, within the rolling window and beyond it.
import { type InstrumentSymbol, parseSymbol } from '../../domain/instrument.ts';
import { allOf, fail, mapped, ok } from '../../domain/result.ts';
import type { EpochMs } from '../../domain/time.ts';
import { TRADE_WINDOW_MAX_MS } from '../../venue/bounds.ts';
import type { Visit } from '../gate/gate.ts';
import {
  compareDigits,
  fromIdIn,
  isWithin,
  listLimit,
  listTimes,
  optional,
  orderIdText,
  type Parsed,
  requiredSymbol,
  sbsOrderIdIn,
  type Times,
} from '../gate/parameters.ts';
import type { AccountRecord, FillRow, Kept, SbsRow, TradeRow } from '../state/account-record.ts';
import { FIAT } from '../state/back-office.ts';
import type { ExchangeState } from '../state/state.ts';
import { okText, type Reply, refuse } from '../wire/messages.ts';
import { parameter, type Query } from '../wire/query.ts';
import type { Quirks } from '../wire/quirks.ts';
import { callersRecord, inOrder, type Reach, rowsShown, spanOf } from './account.ts';

/** Checks symbol, limit, order id, times and fromId, then their combination. */
export function answerFills(visit: Visit, reach: Reach): Reply {
  const { state, query } = visit;
  const asked = allOf({
    symbol: mapped(requiredSymbol(state, parameter(query, 'symbol')), ({ symbol }) => symbol),
    limit: listLimit(query),
    orderId: optional(query, 'orderId', orderIdText),
    times: listTimes(query, TRADE_WINDOW_MAX_MS),
    fromId: fromIdIn(query),
    together: allowedTogether(query),
  });
  if (!asked.ok) return asked.error;
  const { orderId, ...question } = asked.value;
  const isWanted = (row: FillRow): boolean => orderId === null || row.orderId === orderId;
  return answerTradeList(visit, ({ fills }) => fills, { ...question, reach, isWanted });
}

/** The combinations allowed in addition to `symbol`. */
const COMBINATIONS = new Set(['', 'orderId', 'startTime', 'endTime', 'fromId', 'startTime endTime']);
const FILTERS = ['orderId', 'startTime', 'endTime', 'fromId'] as const;

function allowedTogether(query: Query): Parsed<null> {
  const given = FILTERS.filter((name) => query.has(name)).join(' ');
  const isAllowed = COMBINATIONS.has(given);
  return isAllowed ? ok(null) : fail(refuse(-1109, `These parameters cannot be used together: ${given}.`));
}

/**
 * The account's simple buys and sells of a coin (specification 2.14), which have no historical list. Checks symbol,
 * limit, order id, times and fromId; any of them may be combined.
 */
export function answerSbsTrades(visit: Visit): Reply {
  const { state, query } = visit;
  const asked = allOf({
    symbol: coinSymbol(state, parameter(query, 'symbol')),
    limit: listLimit(query),
    orderId: sbsOrderIdIn(query),
    times: listTimes(query, TRADE_WINDOW_MAX_MS),
    fromId: fromIdIn(query),
  });
  if (!asked.ok) return asked.error;
  const { orderId, ...question } = asked.value;
  const isWanted = (row: SbsRow): boolean => orderId === null || row.id === orderId;
  return answerTradeList(visit, ({ sbsTrades }) => sbsTrades, { ...question, reach: 'recent', isWanted });
}

/** `COIN/INR` of a known coin, with a market or without: -1103, -1123, -1121. */
function coinSymbol({ backOffice }: ExchangeState, given: string | undefined): Parsed<string> {
  if (given === undefined || given === '') return fail(refuse(-1103, 'The symbol is required.'));
  const parts = parseSymbol(given);
  if (parts === null) return fail(refuse(-1123, `The symbol must have the form COIN/${FIAT}.`));
  const isSold = parts.quote === FIAT && parts.base !== FIAT && backOffice.assets.has(parts.base);
  return isSold ? ok(given) : fail(refuse(-1121, `${given} can't be bought or sold here.`));
}

// The trades that a request selects: which, how many, and in what order; the same for executions and for simple buys
// and sells.

interface TradeQuestion<Row> {
  readonly reach: Reach;
  readonly symbol: InstrumentSymbol;
  readonly times: Times;
  /** Digits without leading zeros; `null` when absent. */
  readonly fromId: string | null;
  readonly limit: number;
  /** Any other condition on a row. */
  readonly isWanted: (row: Row) => boolean;
}

/** `listOf` must return a list in order of `at`. */
function answerTradeList<Row extends TradeRow>(
  visit: Visit,
  listOf: (record: AccountRecord) => readonly Kept<Row>[],
  question: TradeQuestion<Row>,
): Reply {
  const { state } = visit;
  const { quirks } = state.controls;
  const record = callersRecord(visit);
  record.tradesShownUntil = Math.max(record.tradesShownUntil, state.lastAt - quirks.tradesLagMs);
  const page = selectPage(state, { kept: listOf(record), shownUntil: record.tradesShownUntil }, question);
  const rows = inOrder(page, quirks.tradeListOrder, (row) => row.id);
  return okText(`[${rows.map((row) => tradeText(row, quirks)).join(',')}]`);
}

interface TradeList<Row extends TradeRow> {
  readonly kept: readonly Kept<Row>[];
  readonly shownUntil: EpochMs;
}

/** Oldest first: from the old or the new end of the selection (Q3). */
function selectPage<Row extends TradeRow>(
  state: ExchangeState,
  list: TradeList<Row>,
  question: TradeQuestion<Row>,
): readonly Row[] {
  const { quirks } = state.controls;
  const limit = rowsShown(question.limit, quirks);
  const { fromId } = question;
  if (fromId === null) return fromOneEnd(state, list, { ...question, limit });
  // By number, not by time: a row may be published late or backdated.
  const all = fromOneEnd(state, list, { ...question, limit: Number.POSITIVE_INFINITY });
  const byNumber = all.toSorted((a, b) => compareDigits(a.id, b.id));
  return quirks.fromIdPage === 'oldest' ? byNumber.slice(0, limit) : byNumber.slice(-limit);
}

function fromOneEnd<Row extends TradeRow>(
  state: ExchangeState,
  { kept, shownUntil }: TradeList<Row>,
  question: TradeQuestion<Row>,
): readonly Row[] {
  const { tradePage } = state.controls.quirks;
  const { from, before } = spanOf(state, question.reach);
  const [first, end] = [indexSince(kept, from), indexSince(kept, before)];
  const page: Row[] = [];
  for (let step = 0; step < end - first && page.length < question.limit; step += 1) {
    const one = kept[tradePage === 'oldest' ? first + step : end - 1 - step];
    if (one === undefined || one.at > shownUntil || (one.shownFrom ?? 0) > state.lastAt) continue;
    if (qualifies(one.row, question)) page.push(one.row);
  }
  return tradePage === 'oldest' ? page : page.reverse();
}

function qualifies<Row extends TradeRow>(row: Row, question: TradeQuestion<Row>): boolean {
  const { symbol, times, fromId, isWanted } = question;
  if (row.symbol !== symbol || !isWithin(times, row.time)) return false;
  return (fromId === null || compareDigits(row.id, fromId) >= 0) && isWanted(row);
}

/** Index of the first one not before `moment`; the length if there is none. */
function indexSince(kept: readonly Kept[], moment: EpochMs): number {
  let low = 0;
  let high = kept.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((kept[middle]?.at ?? moment) < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Written by hand: an id may exceed 2^53, and its digits must arrive unchanged, in a JSON number. */
function tradeText(row: TradeRow, { tradeIdAs, timeAs }: Pick<Quirks, 'tradeIdAs' | 'timeAs'>): string {
  const { id, ...rest } = row;
  const time = timeAs === 'number' ? row.time : String(row.time);
  const fields = JSON.stringify({ ...rest, time });
  return `{"id":${tradeIdAs === 'number' ? id : `"${id}"`},${fields.slice(1)}`;
}
