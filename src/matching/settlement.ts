// One fill: who pays what to whom.
import type { EpochMs } from '../domain/time.ts';
import { holdingOf } from './accounts.ts';
import { type Charge, type FillTerms, fillTerms } from './charges.ts';
import type { EngineState } from './engine-state.ts';
import type { Account, LiveOrder } from './market.ts';
import { adjustReservation } from './reservation.ts';
import type { EngineTrade, Lots, Ticks } from './types.ts';

/** A fill at the maker's price; both orders have been reduced by `quantity` already. */
export interface Match {
  readonly taker: LiveOrder;
  readonly maker: LiveOrder;
  readonly quantity: Lots;
  readonly at: EpochMs;
}

/**
 * Moves the money of a fill, in this order: both reservations shrink to what the orders' rests need; the buyer pays the
 * notional and his fee; the seller delivers the base and receives notional − tax − fee.
 *
 * Fees are rounded per fill, so the sum of them may exceed what was reserved by single units. Such a unit is taken from
 * what is free, and where a limited account has none, the fee is what is left: no balance goes below zero. The notional
 * itself is always covered, because the reservation was made at the order's own limit.
 */
export function settle(state: EngineState, match: Match): EngineTrade {
  const { taker, maker, quantity, at } = match;
  const { market } = maker.info;
  adjustReservation(state, maker);
  adjustReservation(state, taker);
  const { price, side: makerSide } = maker;
  const terms = fillTerms(state.charges, market, { price, quantity, makerSide });
  const [buyer, seller] = makerSide === 'buy' ? [maker, taker] : [taker, maker];
  const buyerFee = settleBuyer(state, buyer, terms);
  const sellerFee = settleSeller(state, seller, terms);
  const trade: EngineTrade = {
    tradeId: state.nextTradeNumber.toString(),
    symbol: market.instrument.symbol,
    price: price as Ticks,
    quantity,
    notional: terms.notional,
    makerSide,
    makerOrderId: maker.info.orderId,
    makerAccount: maker.info.account.name,
    makerFee: buyer === maker ? buyerFee : sellerFee,
    takerOrderId: taker.info.orderId,
    takerAccount: taker.info.account.name,
    takerFee: buyer === taker ? buyerFee : sellerFee,
    tds: terms.tds,
    at,
  };
  state.nextTradeNumber += 1n;
  market.lastTrade = trade;
  return trade;
}

function settleBuyer(state: EngineState, { info }: LiveOrder, { notional, bought, buyerFee }: FillTerms): Charge {
  const { account, market } = info;
  const { base, quote } = market.instrument;
  const [paid, received] = [holdingOf(account, quote), holdingOf(account, base)];
  paid.free -= notional;
  received.free += bought;
  return collectFee(state, account, buyerFee);
}

function settleSeller(state: EngineState, { info }: LiveOrder, terms: FillTerms): Charge {
  const { account, market } = info;
  const { base, quote } = market.instrument;
  holdingOf(account, base).free -= terms.bought;
  holdingOf(account, quote).free += terms.notional - terms.tds;
  holdingOf(state.tax, quote).free += terms.tds;
  return collectFee(state, account, terms.sellerFee);
}

/** Takes the fee, or what the account has of it. */
function collectFee(state: EngineState, account: Account, { asset, amount }: Charge): Charge {
  const holding = holdingOf(account, asset);
  const collected = account.unlimited || holding.free >= amount ? amount : holding.free;
  holding.free -= collected;
  holdingOf(state.fees, asset).free += collected;
  return { asset, amount: collected };
}
