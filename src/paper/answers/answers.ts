// Maps the endpoints to their functions.
import type { Instrument } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';
import { allOf, mapped } from '../../domain/result.ts';
import { reader } from '../../matching/engine.ts';
import type { EndpointName } from '../../venue/requests.ts';
import type { Visit } from '../gate/gate.ts';
import { listLimit, optionalSymbol, type Parsed, requiredSymbol } from '../gate/parameters.ts';
import { priceText, quantityText, unitsText } from '../state/amounts.ts';
import type { CreateInFlight } from '../state/in-flight.ts';
import { dayRange, type Print } from '../state/market-record.ts';
import { type ExchangeState, marketRecord } from '../state/state.ts';
import { ok, okText, type Reply, refuse } from '../wire/messages.ts';
import { parameter } from '../wire/query.ts';
import { answerAssets, answerOpenOrders, answerWallet } from './account.ts';
import { answerBestPrices, answerDepth, answerLegacyTickers, answerLegacyTrades } from './legacy.ts';
import { answerCancel, answerCancelAll, answerCancelSymbol, answerCreate } from './orders.ts';
import { answerFills, answerSbsTrades } from './trades.ts';
import { answerTransfers } from './transfers.ts';

const ANSWERS: Readonly<Record<Exclude<EndpointName, 'create'>, (visit: Visit) => Reply>> = {
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
  'spot-trades': (visit) => answerFills(visit, 'recent'),
  'spot-trades-historical': (visit) => answerFills(visit, 'historical'),
  'sbs-trades': answerSbsTrades,
  cancel: answerCancel,
  'cancel-symbol': answerCancelSymbol,
  'cancel-all': answerCancelAll,
  'legacy-best-prices': answerBestPrices,
  'legacy-tickers': answerLegacyTickers,
  'legacy-depth': answerDepth,
  'legacy-trades': answerLegacyTrades,
};

/** The reply to a visit that passed the gate; a create may be in flight instead. */
export function replyOf(visit: Visit): Reply | CreateInFlight {
  const { name } = visit.endpoint;
  return name === 'create' ? answerCreate(visit) : ANSWERS[name](visit);
}

// The public endpoints: tickers, symbols, trades and order book.

/** One row per symbol that has traded: without a last price there is no row. */
function answerTickers({ state, query, now }: Visit): Reply {
  const wanted = optionalSymbol(state, query);
  if (!wanted.ok) return wanted.error;
  const instruments = wanted.value === null ? state.settings.engine.instruments : [wanted.value];
  return ok(instruments.flatMap((instrument) => tickerRow(state, instrument, now) ?? []));
}

function tickerRow(state: ExchangeState, instrument: Instrument, now: number): object | null {
  const record = marketRecord(state, instrument.symbol);
  const last = record.prints.at(-1);
  if (!last) return null;
  const day = dayRange(record, now);
  const { open, high, low } = day ?? { open: last.price, high: last.price, low: last.price };
  return {
    symbol: instrument.symbol,
    lastPrice: priceText(last.price, instrument),
    high: priceText(high, instrument),
    low: priceText(low, instrument),
    volume: day ? quantityText(day.volume, instrument) : '0',
    change_24h: ((last.price / open - 1) * 100).toFixed(2),
    time: state.controls.quirks.tickerTimeUnit === 'ms' ? String(last.at) : String(Math.floor(last.at / 1000)),
  };
}

/** By the specification, this endpoint takes no parameters. */
function answerSymbols({ state, query }: Visit): Reply {
  if ([...query].length > 0) return refuse(-1009, 'The list of symbols takes no parameters.');
  return ok(state.settings.engine.instruments.map((instrument) => instrument.symbol));
}

/** Newest first. */
function answerPublicTrades(visit: Visit): Reply {
  const asked = symbolAndLimit(visit);
  if (!asked.ok) return asked.error;
  const { instrument, limit } = asked.value;
  const { prints } = marketRecord(visit.state, instrument.symbol);
  return ok(
    prints
      .slice(Math.max(0, prints.length - limit))
      .reverse()
      .map((print) => printRow(visit.state, instrument, print)),
  );
}

function printRow(state: ExchangeState, instrument: Instrument, print: Print): object {
  const { timeAs, publicTradeOffsetMs } = state.controls.quirks;
  const time = print.at + publicTradeOffsetMs;
  return {
    price: priceText(print.price, instrument),
    qty: quantityText(print.quantity, instrument),
    quoteQty: unitsText(BigInt(print.notional), state.settings.engine.assetDecimals),
    time: timeAs === 'number' ? time : String(time),
    isBuyerMaker: print.makerSide === 'buy',
  };
}

function answerOrderBook(visit: Visit): Reply {
  const asked = symbolAndLimit(visit);
  if (!asked.ok) return asked.error;
  const { instrument, limit } = asked.value;
  const depth = Math.min(limit, visit.state.controls.quirks.orderBookCap ?? limit);
  const market = reader(visit.state.engine);
  // Written by hand, at a part of the cost: a book is asked for each second, and plain decimals need no escape.
  const levels = (side: Side): string =>
    market
      .levels(instrument.symbol, side, depth)
      .map(({ price, quantity }) => `["${priceText(price, instrument)}","${quantityText(quantity, instrument)}"]`)
      .join(',');
  return okText(`{"bids":[${levels('buy')}],"asks":[${levels('sell')}]}`);
}

function symbolAndLimit({ state, query }: Visit): Parsed<{ instrument: Instrument; limit: number }> {
  const { listCap } = state.controls.quirks;
  return allOf({
    instrument: requiredSymbol(state, parameter(query, 'symbol')),
    limit: mapped(listLimit(query), (limit) => Math.min(limit, listCap ?? limit)),
  });
}
