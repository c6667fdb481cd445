// What the legacy public interface says of the market (specification 2.1–2.4).
import type { Decimal } from './decimal.ts';
import type { TradeId } from './ids.ts';
import type { Asset, InstrumentSymbol } from './instrument.ts';
import type { Side } from './order.ts';
import type { OrderBook } from './order-book.ts';
import type { EpochMs } from './time.ts';

/**
 * `btcinr`: base and quote in lower case without a separator. Which symbol it stands for can't be told without the list
 * of symbols.
 */
export type LegacyMarketKey = string;

/** A price with the asset that it is in, from "amount ASSET". */
export interface LegacyPrice {
  readonly amount: Decimal;
  readonly asset: Asset;
}

/** One pair of the first ticker (2.1). */
export interface LegacyBestPrices {
  readonly symbol: InstrumentSymbol;
  /** `null` where there is none. */
  readonly bid: LegacyPrice | null;
  readonly ask: LegacyPrice | null;
  /** `null` where the answer has none for the pair. */
  readonly lastPrice: Decimal | null;
}

/** One pair of the second ticker (2.2). Prices are `null` where the venue states none or zero. */
export interface LegacyTicker {
  readonly key: LegacyMarketKey;
  readonly symbol: InstrumentSymbol;
  readonly bid: Decimal | null;
  readonly ask: Decimal | null;
  readonly high: Decimal | null;
  readonly low: Decimal | null;
  readonly open: Decimal | null;
  readonly last: Decimal | null;
  /** Base. */
  readonly volume: Decimal;
  /** The venue's word, as written: `SPOT`. */
  readonly marketType: string;
  readonly venueTime: EpochMs;
}

/** A book with the moment that it was true (2.3). */
export interface LegacyDepth extends OrderBook {
  readonly venueTime: EpochMs;
}

/** One public trade (2.4). */
export interface LegacyTrade {
  readonly tradeId: TradeId;
  readonly marketKey: LegacyMarketKey;
  readonly price: Decimal;
  /** Base. */
  readonly quantity: Decimal;
  /** Quote. */
  readonly quoteQuantity: Decimal;
  /** The venue's `Buy` or `Sell`; whose side it tells, taker's or maker's, is not specified. */
  readonly side: Side;
  /** The local time that the venue writes, read as if it were UTC (Q17). */
  readonly venueTime: EpochMs;
}
