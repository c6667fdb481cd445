// Which function answers which endpoint of the current interface.
import { invariant } from '../domain/invariant.ts';
import type { EndpointName } from '../venue/requests.ts';
import { answerOpenOrders, answerWallet } from './answer-account.ts';
import { answerAssets } from './answer-assets.ts';
import { answerCancel, answerCancelAll, answerCancelSymbol } from './answer-cancel.ts';
import { answerCreate } from './answer-create.ts';
import { answerOrderBook, answerPublicTrades, answerSymbols, answerTickers } from './answer-market.ts';
import { answerSbsTrades } from './answer-sbs.ts';
import { answerSpotTrades, answerSpotTradesHistorical } from './answer-trades.ts';
import { answerTransfers } from './answer-transfers.ts';
import type { Visit } from './gate.ts';
import type { CreateInFlight } from './in-flight.ts';
import type { Reply } from './reply.ts';

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
