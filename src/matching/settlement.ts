// One fill: who pays what to whom.
import type { Asset } from '../domain/instrument.ts';
import type { EpochMs } from '../domain/time.ts';
import { holdingOf } from './accounts.ts';
import { baseUnits, notionalOf } from './charges.ts';
import type { EngineState } from './engine-state.ts';
import type { Account, LiveOrder } from './market.ts';
import type { Ratio } from './ratio.ts';
import { adjustReservation } from './reservation.ts';
import type { EngineTrade, Lots, Ticks, Units } from './types.ts';

/** A fill at the maker's price; both orders have been reduced by `quantity` already. */
export interface Match {
  readonly taker: LiveOrder;
  readonly maker: LiveOrder;
  readonly quantity: Lots;
  readonly at: EpochMs;
}

interface Charge {
  readonly asset: Asset;
  readonly amount: Units;
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
  const notional = notionalOf(market, maker.price, quantity);
  adjustReservation(state, maker);
  adjustReservation(state, taker);
  const [buyer, seller] = maker.side === 'buy' ? [maker, taker] : [taker, maker];
  const buyerRatio = buyer === maker ? state.charges.maker : state.charges.taker;
  const sellerRatio = seller === maker ? state.charges.maker : state.charges.taker;
  const buyerFee = settleBuyer(state, buyer, { notional, quantity, feeRatio: buyerRatio });
  const { fee: sellerFee, tds } = settleSeller(state, seller, { notional, quantity, feeRatio: sellerRatio });
  const trade: EngineTrade = {
    tradeId: state.nextTradeNumber.toString(),
    symbol: market.instrument.symbol,
    price: maker.price as Ticks,
    quantity,
    notional,
    makerSide: maker.side,
    makerOrderId: maker.info.orderId,
    makerAccount: maker.info.account.name,
    makerFee: buyer === maker ? buyerFee : sellerFee,
    takerOrderId: taker.info.orderId,
    takerAccount: taker.info.account.name,
    takerFee: buyer === taker ? buyerFee : sellerFee,
    tds,
    at,
  };
  state.nextTradeNumber += 1n;
  market.lastTrade = trade;
  return trade;
}

interface Share {
  readonly notional: Units;
  readonly quantity: Lots;
  readonly feeRatio: Ratio;
}

function settleBuyer(state: EngineState, { info }: LiveOrder, { notional, quantity, feeRatio }: Share): Charge {
  const { account, market } = info;
  const { base, quote } = market.instrument;
  const bought = baseUnits(market, quantity);
  const [paid, received] = [holdingOf(account, quote), holdingOf(account, base)];
  paid.free -= notional;
  received.free += bought;
  const inQuote = state.settings.buyerFeeAsset === 'quote';
  const fee = { asset: inQuote ? quote : base, amount: state.charges.share(inQuote ? notional : bought, feeRatio) };
  return collectFee(state, account, fee);
}

function settleSeller(state: EngineState, { info }: LiveOrder, share: Share): { fee: Charge; tds: Units } {
  const { account, market } = info;
  const { base, quote } = market.instrument;
  const tds = state.charges.share(share.notional, state.charges.tds);
  holdingOf(account, base).free -= baseUnits(market, share.quantity);
  holdingOf(account, quote).free += share.notional - tds;
  holdingOf(state.tax, quote).free += tds;
  const amount = state.charges.share(share.notional, share.feeRatio);
  return { fee: collectFee(state, account, { asset: quote, amount }), tds };
}

/** Takes the fee, or what the account has of it. */
function collectFee(state: EngineState, account: Account, { asset, amount }: Charge): Charge {
  const holding = holdingOf(account, asset);
  const collected = account.unlimited || holding.free >= amount ? amount : holding.free;
  holding.free -= collected;
  holdingOf(state.fees, asset).free += collected;
  return { asset, amount: collected };
}
