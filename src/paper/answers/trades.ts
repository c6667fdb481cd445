// The account's executions in a symbol, within the rolling window and beyond it.
import { fail, ok } from '../../domain/result.ts';
import { TRADE_WINDOW_MAX_MS } from '../../venue/bounds.ts';
import type { Visit } from '../gate/gate.ts';
import { fromIdIn, listTimes } from '../gate/list-parameters.ts';
import { listLimit, orderIdText, type Parsed, requiredSymbol } from '../gate/parameters.ts';
import type { FillRow } from '../state/account-record.ts';
import { parameter, type Query } from '../wire/query.ts';
import { type Reply, refuse } from '../wire/reply.ts';
import type { Reach } from './list-page.ts';
import { answerTradeList, type TradeQuestion } from './trade-list.ts';

export function answerSpotTrades(visit: Visit): Reply {
  return answerFills(visit, 'recent');
}

export function answerSpotTradesHistorical(visit: Visit): Reply {
  return answerFills(visit, 'historical');
}

function answerFills(visit: Visit, reach: Reach): Reply {
  const question = questionOf(visit, reach);
  return question.ok ? answerTradeList(visit, ({ fills }) => fills, question.value) : question.error;
}

/** Looks at symbol, limit, order id, times and fromId, then at what is given together. */
function questionOf({ state, query }: Visit, reach: Reach): Parsed<TradeQuestion<FillRow>> {
  const instrument = requiredSymbol(state, parameter(query, 'symbol'));
  if (!instrument.ok) return instrument;
  const limit = listLimit(query);
  if (!limit.ok) return limit;
  const given = parameter(query, 'orderId');
  const orderId = given === undefined ? ok(null) : orderIdText(given);
  if (!orderId.ok) return orderId;
  const times = listTimes(query, TRADE_WINDOW_MAX_MS);
  if (!times.ok) return times;
  const fromId = fromIdIn(query);
  if (!fromId.ok) return fromId;
  const together = refusalOfCombination(query);
  if (together !== null) return fail(refuse(-1109, together));
  return ok({
    reach,
    symbol: instrument.value.symbol,
    times: times.value,
    fromId: fromId.value,
    limit: limit.value,
    isWanted: (row) => orderId.value === null || row.orderId === orderId.value,
  });
}

/** The combinations that are allowed beside `symbol`. */
const COMBINATIONS = new Set(['', 'orderId', 'startTime', 'endTime', 'fromId', 'startTime endTime']);
const FILTERS = ['orderId', 'startTime', 'endTime', 'fromId'] as const;

function refusalOfCombination(query: Query): string | null {
  const given = FILTERS.filter((name) => query.has(name)).join(' ');
  return COMBINATIONS.has(given) ? null : `These parameters cannot be used together: ${given}.`;
}
