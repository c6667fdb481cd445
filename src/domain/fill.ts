// Executions: ours (`Fill`) and the public's (`PublicTrade`).
import type { Decimal } from './decimal.ts';
import type { OrderId, TradeId } from './ids.ts';
import type { Asset, InstrumentSymbol } from './instrument.ts';
import type { Side } from './order.ts';
import type { EpochMs } from './time.ts';

export type Liquidity = 'maker' | 'taker';

/**
 * One simple buy or sell of the owner (specification 2.14): a conversion at the venue's own price, without an order in
 * a book.
 */
export interface SbsTrade {
  /** Of an SBS trade: `COIN/INR`. */
  readonly symbol: InstrumentSymbol;
  /** Of an SBS trade: the number of its order. */
  readonly tradeId: TradeId;
  readonly side: Side;
  /** Quote per base. */
  readonly price: Decimal;
  /** Base. */
  readonly quantity: Decimal;
  /** Quote, as the venue states it. */
  readonly quoteQuantity: Decimal;
  /** In `commissionAsset`, never negative. */
  readonly commission: Decimal;
  readonly commissionAsset: Asset;
  /** Tax withheld at source on a sale, in quote, never negative; zero where the venue states none. */
  readonly tds: Decimal;
  readonly venueTime: EpochMs;
}

/** One of our executions (specification 2.13): the same, of an order. */
export interface Fill extends SbsTrade {
  readonly orderId: OrderId;
  readonly liquidity: Liquidity;
}

/** One public print (specification 2.6). It has no id. */
export interface PublicTrade {
  readonly price: Decimal;
  readonly quantity: Decimal;
  readonly takerSide: Side;
  readonly venueTime: EpochMs;
}
