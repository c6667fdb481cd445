// The exchange's interface as data: one row per endpoint. Client, paper exchange and documents are made from this table.
import { z } from 'zod';
import type { EndpointName, LaneName } from './requests.ts';

/** What a key must be allowed to do (specification 5.2). */
export type Permission = 'wallet' | 'orders' | 'trades';

export interface Endpoint {
  readonly name: EndpointName;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly lane: LaneName;
  /** Whether the request carries key, timestamp, recvWindow and signature. */
  readonly signed: boolean;
  readonly permission?: Permission;
  /** Query parameters beside `timestamp`, `recvWindow` and `signature`, as the wire carries them. */
  readonly query: z.ZodObject;
  /** JSON body, or `null` where the request has none. */
  readonly body: z.ZodObject | null;
  /** The documented shape of a successful answer. Parsers are more tolerant than this. */
  readonly answer: z.ZodType;
  /** The documented code of the endpoint's own failure. */
  readonly failureCode: number;
  readonly summary: string;
}

const text = z.string();
const decimalText = z.string().describe('decimal number as text');
const epochMs = z.number().int().describe('milliseconds since epoch');
const symbol = z.string().describe('BASE/QUOTE, upper case');
const limit = z.string().describe('integer 1–50, default 20');
const msg = z.object({ msg: text });

const level = z.tuple([decimalText, decimalText]);
const openOrder = z.object({
  symbol,
  orderId: text.describe('1-<number>-1'),
  price: decimalText,
  origQty: decimalText,
  executedQty: decimalText,
  remainingQty: decimalText,
  status: text,
  type: z.enum(['MARKET', 'LIMIT', 'STOP_MARKET', 'STOP_LIMIT']),
  side: z.enum(['BUY', 'SELL']),
  time: epochMs,
});
const spotTrade = z.object({
  symbol,
  id: z.number().int(),
  orderId: text,
  price: decimalText,
  qty: decimalText,
  quoteQty: decimalText,
  commission: decimalText,
  commissionAsset: text,
  tds: decimalText,
  time: epochMs,
  isBuyer: z.boolean(),
  isMaker: z.boolean(),
});

export const ENDPOINTS: Readonly<Record<EndpointName, Endpoint>> = {
  tickers: {
    name: 'tickers',
    method: 'GET',
    path: '/api/v1/public/exchange/ticker',
    lane: 'public',
    signed: false,
    query: z.object({ symbol: symbol.optional() }),
    body: null,
    answer: z.array(
      z.object({
        symbol,
        lastPrice: decimalText,
        high: decimalText,
        low: decimalText,
        volume: decimalText,
        change_24h: decimalText,
        time: text.describe('milliseconds since epoch, as text'),
      }),
    ),
    failureCode: -5001,
    summary: 'Last price, range and volume of one symbol or of all.',
  },
  symbols: {
    name: 'symbols',
    method: 'GET',
    path: '/api/v1/public/exchange/symbols',
    lane: 'public',
    signed: false,
    query: z.object({}),
    body: null,
    answer: z.array(symbol),
    failureCode: -5015,
    summary: 'All symbols.',
  },
  'public-trades': {
    name: 'public-trades',
    method: 'GET',
    path: '/api/v1/public/market/trades',
    lane: 'public',
    signed: false,
    query: z.object({ symbol, limit: limit.optional() }),
    body: null,
    answer: z.array(
      z.object({
        price: decimalText,
        qty: decimalText,
        quoteQty: decimalText.optional(),
        time: epochMs,
        isBuyerMaker: z.boolean(),
      }),
    ),
    failureCode: -5002,
    summary: 'Recent public trades of a symbol.',
  },
  'order-book': {
    name: 'order-book',
    method: 'GET',
    path: '/api/v1/public/market/orderbook',
    lane: 'public',
    signed: false,
    query: z.object({ symbol, limit: limit.optional() }),
    body: null,
    answer: z.object({ bids: z.array(level), asks: z.array(level) }),
    failureCode: -5003,
    summary: 'Price levels of a symbol, at most `limit` a side.',
  },
  wallet: {
    name: 'wallet',
    method: 'GET',
    path: '/api/v1/wallet',
    lane: 'private',
    signed: true,
    permission: 'wallet',
    query: z.object({ omitZeroBalances: z.string().describe('true or false, default true').optional() }),
    body: null,
    answer: z.array(
      z.object({
        asset: text,
        free: decimalText,
        locked: decimalText,
        lockedFd: decimalText,
        lockedStaking: decimalText,
        lockedOtc: decimalText,
      }),
    ),
    failureCode: -5005,
    summary: 'Balances of the account.',
  },
  'open-orders': {
    name: 'open-orders',
    method: 'GET',
    path: '/api/v1/spot/orders/open',
    lane: 'private',
    signed: true,
    permission: 'orders',
    query: z.object({ symbol: symbol.optional() }),
    body: null,
    answer: z.array(openOrder),
    failureCode: -5010,
    summary: 'Orders with status NEW or PARTIALLY_FILLED, of one symbol or of all.',
  },
  'spot-trades': {
    name: 'spot-trades',
    method: 'GET',
    path: '/api/v1/spot/trades',
    lane: 'private',
    signed: true,
    permission: 'trades',
    query: z.object({
      symbol,
      orderId: text.optional(),
      startTime: text.optional(),
      endTime: text.optional(),
      fromId: text.optional(),
      limit: limit.optional(),
    }),
    body: null,
    answer: z.array(spotTrade),
    failureCode: -5011,
    summary: "The account's executions in a symbol.",
  },
  create: {
    name: 'create',
    method: 'POST',
    path: '/api/v1/spot/order/create',
    lane: 'private',
    signed: true,
    permission: 'orders',
    query: z.object({}),
    body: z.object({
      symbol,
      action: z.enum(['BUY', 'SELL']),
      type: z.enum(['LIMIT']),
      price: decimalText,
      quantity: decimalText,
    }),
    answer: z.union([z.object({ data: z.object({ order_id: text }) }), msg]),
    failureCode: -5013,
    summary: 'Place a LIMIT order.',
  },
  cancel: {
    name: 'cancel',
    method: 'POST',
    path: '/api/v1/spot/order/cancel',
    lane: 'private',
    signed: true,
    permission: 'orders',
    query: z.object({}),
    body: z.object({ order_id: text.describe('1-<number>-1') }),
    answer: msg,
    failureCode: -5014,
    summary: 'Cancel one order.',
  },
  'cancel-symbol': {
    name: 'cancel-symbol',
    method: 'POST',
    path: '/api/v1/spot/orders/cancel',
    lane: 'private',
    signed: true,
    permission: 'orders',
    query: z.object({}),
    body: z.object({ symbol }),
    answer: msg,
    failureCode: -5014,
    summary: 'Cancel every open order of a symbol.',
  },
  'cancel-all': {
    name: 'cancel-all',
    method: 'POST',
    path: '/api/v1/spot/orders/cancel/all',
    lane: 'private',
    signed: true,
    permission: 'orders',
    query: z.object({}),
    body: null,
    answer: msg,
    failureCode: -5014,
    summary: 'Cancel every open order of the account.',
  },
};

/** Limits that the specification states (§8). */
export const RECV_WINDOW_DEFAULT_MS = 5_000;
export const RECV_WINDOW_MAX_MS = 60_000;
export const LIST_LIMIT_DEFAULT = 20;
export const LIST_LIMIT_MAX = 50;
export const TRADE_WINDOW_MAX_MS = 72 * 3_600_000;

/** Name of the header that carries the API key, where the configuration names no other. */
export const API_KEY_HEADER_DEFAULT = 'X-EXCHANGE-APIKEY';
/** The paper exchange names its instance in every answer, so that a journal knows which exchange it belongs to. */
export const PAPER_INSTANCE_HEADER = 'X-Paper-Instance';
