// All requests to the venue as closed types, with the type of each answer.
import type { Balance } from '../domain/balance.ts';
import type { Decimal } from '../domain/decimal.ts';
import type { Fill, PublicTrade, SbsTrade } from '../domain/fill.ts';
import type { OrderId, TradeId } from '../domain/ids.ts';
import type { Asset, AssetSettings, InstrumentSymbol } from '../domain/instrument.ts';
import type { OpenOrder, OrderRequest, Side } from '../domain/order.ts';
import type { OrderBook } from '../domain/order-book.ts';
import type { DurationMs, EpochMs } from '../domain/time.ts';
import type { CryptoTransfer, CryptoTransferStatus, FiatTransfer, FiatTransferStatus } from '../domain/transfer.ts';
import type { ListLimit, TimeRange, TradeWindow } from './bounds.ts';

/**
 * One row of the ticker list (specification 2.5). Fields other than the last price are `null` where the venue states
 * none.
 */
export interface Ticker {
  readonly symbol: InstrumentSymbol;
  /** Quote per base; `null` if the venue writes zero or null: most listed symbols never trade (N11). */
  readonly lastPrice: Decimal | null;
  readonly high: Decimal | null;
  readonly low: Decimal | null;
  /** Base, over the venue's rolling window. */
  readonly volume: Decimal | null;
  /** Percent over 24 hours: 1.5 is 1.5 %. */
  readonly changePercent: Decimal | null;
  readonly venueTime: EpochMs;
}

/** The claimed time of a private request, by the venue's clock, and how long it may be accepted. */
export interface Stamp {
  readonly timestamp: EpochMs;
  readonly recvWindow: DurationMs;
}

/**
 * The parameter combinations allowed for the spot trade lists (specification 4.3): one shape each; others give -1109.
 */
export type SpotTradesFilter =
  | { readonly by: 'symbol' }
  | { readonly by: 'order'; readonly orderId: OrderId }
  | { readonly by: 'start'; readonly startTime: EpochMs }
  | { readonly by: 'end'; readonly endTime: EpochMs }
  /** `since`: the time of that trade, for an exchange that takes no ids. */
  | { readonly by: 'from-id'; readonly fromId: TradeId; readonly since?: EpochMs }
  | { readonly by: 'window'; readonly window: TradeWindow };

/** One bound of time, or both; no request asks for all times. */
export type TimeFilter<Range> =
  | { readonly by: 'all' }
  | { readonly by: 'start'; readonly startTime: EpochMs }
  | { readonly by: 'end'; readonly endTime: EpochMs }
  | { readonly by: 'range'; readonly range: Range };

/** The simple buy/sell list states no rule for combinations; its window is the trade lists'. */
export interface SbsTradesFilter {
  readonly time: TimeFilter<TradeWindow>;
  /** Number of one SBS order. */
  readonly orderId?: TradeId;
  readonly fromId?: TradeId;
}

/** The transfer lists state no longest window. */
export interface CryptoTransfersFilter {
  readonly time: TimeFilter<TimeRange>;
  readonly asset?: Asset;
  readonly status?: CryptoTransferStatus;
}

export interface FiatTransfersFilter {
  readonly time: TimeFilter<TimeRange>;
  readonly status?: FiatTransferStatus;
}

/** Without `limit` the venue gives 20 rows. */
interface Listed {
  readonly limit?: ListLimit;
}

interface Private {
  readonly stamp: Stamp;
}

interface TradeList extends Private, Listed {
  readonly symbol: InstrumentSymbol;
  readonly filter: SpotTradesFilter;
}

interface TransfersTable {
  crypto: { params: Private & Listed & { readonly filter: CryptoTransfersFilter }; answer: readonly CryptoTransfer[] };
  fiat: { params: Private & Listed & { readonly filter: FiatTransfersFilter }; answer: readonly FiatTransfer[] };
}

/** The lists of one kind of transfers: both directions, each within the rolling window and beyond it. */
export type TransferListName<Means extends keyof TransfersTable> =
  `${Means}-${'deposits' | 'withdrawals'}${'' | '-historical'}`;

/** Reads: repeating them changes nothing. */
export interface ReadTable
  extends Record<TransferListName<'crypto'>, TransfersTable['crypto']>,
    Record<TransferListName<'fiat'>, TransfersTable['fiat']> {
  'legacy-best-prices': { params: Record<never, never>; answer: readonly LegacyBestPrices[] };
  'legacy-tickers': { params: Record<never, never>; answer: readonly LegacyTicker[] };
  'legacy-depth': { params: { symbol: InstrumentSymbol }; answer: LegacyDepth };
  'legacy-trades': { params: { symbol: InstrumentSymbol }; answer: readonly LegacyTrade[] };

  tickers: { params: { symbol?: InstrumentSymbol }; answer: readonly Ticker[] };
  symbols: { params: Record<never, never>; answer: readonly InstrumentSymbol[] };
  'public-trades': { params: { symbol: InstrumentSymbol } & Listed; answer: readonly PublicTrade[] };
  'order-book': { params: { symbol: InstrumentSymbol } & Listed; answer: OrderBook };
  assets: { params: { asset?: Asset }; answer: readonly AssetSettings[] };

  /** Omits assets without a balance only on request (`omitZeroBalances`): then absence proves nothing. */
  wallet: { params: { omitZeroBalances?: boolean } & Private; answer: readonly Balance[] };
  'open-orders': { params: { symbol?: InstrumentSymbol } & Private; answer: readonly OpenOrder[] };
  'spot-trades': { params: TradeList; answer: readonly Fill[] };
  'spot-trades-historical': { params: TradeList; answer: readonly Fill[] };
  'sbs-trades': {
    params: { symbol: InstrumentSymbol; filter: SbsTradesFilter } & Private & Listed;
    answer: readonly SbsTrade[];
  };
}

/** Writes: each can move money. */
interface WriteTable {
  create: { params: { order: OrderRequest; stamp: Stamp } };
  cancel: { params: { orderId: OrderId; stamp: Stamp } };
  'cancel-symbol': { params: { symbol: InstrumentSymbol; stamp: Stamp } };
  'cancel-all': { params: { stamp: Stamp } };
}

export type ReadKind = keyof ReadTable;
export type CancelKind = 'cancel' | 'cancel-symbol' | 'cancel-all';
export type EndpointName = ReadKind | keyof WriteTable;

export type ReadRequest<K extends ReadKind = ReadKind> = {
  [N in K]: Readonly<{ kind: N } & ReadTable[N]['params']>;
}[K];
export type CreateRequest = Readonly<{ kind: 'create' } & WriteTable['create']['params']>;
export type CancelRequest = { [N in CancelKind]: Readonly<{ kind: N } & WriteTable[N]['params']> }[CancelKind];
export type VenueRequest = ReadRequest | CreateRequest | CancelRequest;

/**
 * The rate-limit scope of a request: public calls count per IP, private ones per key, legacy ones separately or not
 * (Q18).
 */
export type LaneName = 'public' | 'private' | 'legacy';

// Rows of the legacy public interface (specification 2.1–2.4).

/**
 * `btcinr`: base and quote in lower case without a separator. Its symbol can't be determined without the list of
 * symbols.
 */
export type LegacyMarketKey = string;

/** A price with its asset, from "amount ASSET". */
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

/** A book with its time (2.3). */
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
  /** The venue's `Buy` or `Sell`; whether it is the taker's side or the maker's is not specified. */
  readonly side: Side;
  /** The venue's local time, read as if it were UTC (Q17). */
  readonly venueTime: EpochMs;
}
