// What can be asked of the venue, as closed types, and what each question is answered with.
import type { Balance } from '../domain/balance.ts';
import type { Decimal } from '../domain/decimal.ts';
import type { Fill, PublicTrade } from '../domain/fill.ts';
import type { OrderId, TradeId } from '../domain/ids.ts';
import type { InstrumentSymbol } from '../domain/instrument.ts';
import type { OpenOrder, OrderRequest } from '../domain/order.ts';
import type { OrderBook } from '../domain/order-book.ts';
import type { DurationMs, EpochMs } from '../domain/time.ts';

/** One row of the ticker list (specification 2.5). */
export interface Ticker {
  readonly symbol: InstrumentSymbol;
  readonly lastPrice: Decimal;
  readonly venueTime: EpochMs;
}

/** The moment that a private request claims to be made at, by the venue's clock, and for how long it may be accepted. */
export interface Stamp {
  readonly timestamp: EpochMs;
  readonly recvWindow: DurationMs;
}

/** The parameter combinations that the spot trade lists allow (specification 4.3): one shape each; others give -1109. */
export type SpotTradesFilter =
  | { readonly by: 'symbol' }
  | { readonly by: 'order'; readonly orderId: OrderId }
  | { readonly by: 'start'; readonly startTime: EpochMs }
  | { readonly by: 'end'; readonly endTime: EpochMs }
  | { readonly by: 'from-id'; readonly fromId: TradeId }
  | { readonly by: 'window'; readonly startTime: EpochMs; readonly endTime: EpochMs };

/** Reads: asking twice changes nothing. `limit` is 1–50 where the endpoint takes it. */
export interface ReadTable {
  'order-book': { params: { symbol: InstrumentSymbol; limit: number }; answer: OrderBook };
  tickers: { params: { symbol?: InstrumentSymbol }; answer: readonly Ticker[] };
  symbols: { params: Record<never, never>; answer: readonly InstrumentSymbol[] };
  'public-trades': { params: { symbol: InstrumentSymbol; limit: number }; answer: readonly PublicTrade[] };
  wallet: { params: { stamp: Stamp }; answer: readonly Balance[] };
  'open-orders': { params: { symbol?: InstrumentSymbol; stamp: Stamp }; answer: readonly OpenOrder[] };
  'spot-trades': {
    params: { symbol: InstrumentSymbol; filter: SpotTradesFilter; limit: number; stamp: Stamp };
    answer: readonly Fill[];
  };
}

/** Writes: each can move money. */
export interface WriteTable {
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

/** The rate-limit scope of a request: public calls count per IP, private ones per key, legacy ones apart or not (Q18). */
export type LaneName = 'public' | 'private' | 'legacy';
