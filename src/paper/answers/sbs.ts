// The account's simple buys and sells of a coin (specification 2.14). There is no historical list of them.
import { parseSymbol } from '../../domain/instrument.ts';
import { fail, ok } from '../../domain/result.ts';
import { TRADE_WINDOW_MAX_MS } from '../../venue/bounds.ts';
import type { Visit } from '../gate/gate.ts';
import { fromIdIn, listTimes, sbsOrderIdIn } from '../gate/list-parameters.ts';
import { listLimit, type Parsed } from '../gate/parameters.ts';
import type { SbsRow } from '../state/account-record.ts';
import { FIAT } from '../state/asset-record.ts';
import type { ExchangeState } from '../state/state.ts';
import { parameter } from '../wire/query.ts';
import { type Reply, refuse } from '../wire/reply.ts';
import { answerTradeList, type TradeQuestion } from './trade-list.ts';

export function answerSbsTrades(visit: Visit): Reply {
  const question = questionOf(visit);
  return question.ok ? answerTradeList(visit, ({ sbsTrades }) => sbsTrades, question.value) : question.error;
}

/** Looks at symbol, limit, order id, times and fromId; any of them may be given together. */
function questionOf({ state, query }: Visit): Parsed<TradeQuestion<SbsRow>> {
  const symbol = coinSymbol(state, parameter(query, 'symbol'));
  if (!symbol.ok) return symbol;
  const limit = listLimit(query);
  if (!limit.ok) return limit;
  const orderId = sbsOrderIdIn(query);
  if (!orderId.ok) return orderId;
  const times = listTimes(query, TRADE_WINDOW_MAX_MS);
  if (!times.ok) return times;
  const fromId = fromIdIn(query);
  if (!fromId.ok) return fromId;
  return ok({
    reach: 'recent',
    symbol: symbol.value,
    times: times.value,
    fromId: fromId.value,
    limit: limit.value,
    isWanted: (row) => orderId.value === null || row.id === orderId.value,
  });
}

/** `COIN/INR` of a coin that the exchange knows, whether it has a market or not: -1103, -1123, -1121. */
function coinSymbol({ backOffice }: ExchangeState, given: string | undefined): Parsed<string> {
  if (given === undefined || given === '') return fail(refuse(-1103, 'The symbol is required.'));
  const parts = parseSymbol(given);
  if (parts === null) return fail(refuse(-1123, `The symbol must have the form COIN/${FIAT}.`));
  const isSold = parts.quote === FIAT && parts.base !== FIAT && backOffice.assets.has(parts.base);
  return isSold ? ok(given) : fail(refuse(-1121, `${given} can't be bought or sold here.`));
}
