// Which function answers which endpoint of the current interface.
import { invariant } from '../../domain/invariant.ts';
import type { EndpointName } from '../../venue/requests.ts';
import type { Visit } from '../gate/gate.ts';
import type { CreateInFlight } from '../state/in-flight.ts';
import type { Reply } from '../wire/messages.ts';
import { answerAssets, answerOpenOrders, answerWallet } from './account.ts';
import { answerOrderBook, answerPublicTrades, answerSymbols, answerTickers } from './market.ts';
import { answerCancel, answerCancelAll, answerCancelSymbol, answerCreate } from './orders.ts';
import { answerSbsTrades, answerSpotTrades, answerSpotTradesHistorical } from './trades.ts';
import { answerTransfers } from './transfers.ts';

type LegacyName = Extract<EndpointName, `legacy-${string}`>;
type AnswerOf = (visit: Visit) => Reply;

const ANSWERS: Readonly<Partial<Record<EndpointName, AnswerOf>>> = {
  tickers: answerTickers,
  symbols: answerSymbols,
  'public-trades': answerPublicTrades,
  'order-book': answerOrderBook,
  assets: answerAssets,
  wallet: answerWallet,
  'crypto-deposits': answerTransfers,
  'crypto-deposits-historical': answerTransfers,
  'crypto-withdrawals': answerTransfers,
  'crypto-withdrawals-historical': answerTransfers,
  'fiat-deposits': answerTransfers,
  'fiat-deposits-historical': answerTransfers,
  'fiat-withdrawals': answerTransfers,
  'fiat-withdrawals-historical': answerTransfers,
  'open-orders': answerOpenOrders,
  'spot-trades': answerSpotTrades,
  'spot-trades-historical': answerSpotTradesHistorical,
  'sbs-trades': answerSbsTrades,
  cancel: answerCancel,
  'cancel-symbol': answerCancelSymbol,
  'cancel-all': answerCancelAll,
} satisfies Record<Exclude<EndpointName, LegacyName | 'create'>, AnswerOf>;

/** The reply of a visit that passed the gate; a create may be on its way instead. */
export function replyOf(visit: Visit): Reply | CreateInFlight {
  const { name } = visit.endpoint;
  if (name === 'create') return answerCreate(visit);
  const answerOf = ANSWERS[name];
  invariant(answerOf !== undefined, `Nothing answers the endpoint ${name}.`);
  return answerOf(visit);
}
