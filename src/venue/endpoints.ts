// One row of the table of endpoints: client, paper exchange and documents are built from it.
import { z } from 'zod';
import * as shape from './endpoint-shapes.ts';
import type { EndpointName, LaneName } from './requests.ts';

/** Permissions that a key may need (specification 5.2). */
export type Permission = 'wallet' | 'orders' | 'trades';

export interface Endpoint {
  readonly name: EndpointName;
  /** Which base URL the path is appended to. */
  readonly interface: 'current' | 'legacy';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The path in the specification's sample calls, if different (Q13). */
  readonly samplePath?: string;
  readonly lane: LaneName;
  /** Whether the request carries key, timestamp, recvWindow and signature. */
  readonly signed: boolean;
  readonly permission?: Permission;
  /** Query parameters in addition to `timestamp`, `recvWindow` and `signature`, as on the wire. */
  readonly query: z.ZodObject;
  /** JSON body, or `null` where the request has none. */
  readonly body: z.ZodObject | null;
  /** The documented shape of a successful answer. Parsers are more tolerant than this. */
  readonly answer: z.ZodType;
  /** The documented code of the endpoint's own failure; the legacy interface has no codes. */
  readonly failureCode: number | null;
  /** Section of the specification. */
  readonly section: string;
  readonly summary: string;
}

// The exchange's interface as data: one row per endpoint. Client, paper exchange and documents use this table.

type Part = Pick<Endpoint, 'interface' | 'method' | 'lane' | 'signed' | 'query' | 'body' | 'failureCode' | 'section'>;
const LEGACY: Part = {
  interface: 'legacy',
  method: 'GET',
  lane: 'legacy',
  signed: false,
  query: z.object({}),
  body: null,
  failureCode: null,
  section: '4.1',
};
const PUBLIC: Part = { ...LEGACY, interface: 'current', lane: 'public', section: '4.2' };
const PRIVATE: Part = { ...PUBLIC, lane: 'private', signed: true, section: '4.3' };
const WRITE: Part & { permission: Permission } = {
  ...PRIVATE,
  method: 'POST',
  section: '4.4',
  permission: 'orders',
};

/** A row of the table; its key is its name. */
type Row = Omit<Endpoint, 'name'>;
const CRYPTO: Part & { permission: Permission } = { ...PRIVATE, permission: 'wallet', query: shape.cryptoListQuery };
const FIAT = { ...CRYPTO, query: shape.fiatListQuery };

/** One value for a list within the rolling window, and one for its historical twin. */
export const twins = <Name extends string, T>(name: Name, recent: T, historical: T) =>
  ({ [name]: recent, [`${name}-historical`]: historical }) as Record<Name | `${Name}-historical`, T>;

/** The rows of both; the summary continues with the times of the list's rows. */
const bothOf = <Name extends string>(name: Name, list: Row) =>
  twins<Name, Row>(
    name,
    { ...list, summary: `${list.summary} within the rolling window.` },
    { ...list, path: `${list.path}/historical`, summary: `${list.summary} beyond the rolling window.` },
  );

const ROWS: Readonly<Record<EndpointName, Row>> = {
  'legacy-best-prices': {
    ...LEGACY,
    path: '/api/ticker',
    answer: shape.legacyBestPrices,
    summary: 'Best bid and ask and last price of every pair (ticker, first version).',
  },
  'legacy-tickers': {
    ...LEGACY,
    path: '/api/v2/ticker',
    answer: shape.legacyTickers,
    summary: 'Prices, range and volume of every pair (ticker, second version).',
  },
  'legacy-depth': {
    ...LEGACY,
    path: '/api/v2/depth',
    samplePath: '/api/depth',
    query: shape.legacyMarketQuery,
    answer: shape.legacyDepth,
    summary: 'Price levels of a pair with their time.',
  },
  'legacy-trades': {
    ...LEGACY,
    path: '/api/v2/trades',
    samplePath: '/api/trades',
    query: shape.legacyMarketQuery,
    answer: shape.legacyTrades,
    summary: 'Recent public trades of a pair, newest first, with ids.',
  },
  tickers: {
    ...PUBLIC,
    path: '/api/v1/public/exchange/ticker',
    query: z.object({ symbol: shape.symbol.optional() }),
    answer: shape.tickers,
    failureCode: -5001,
    summary: 'Last price, range and volume of one symbol or of all.',
  },
  symbols: {
    ...PUBLIC,
    path: '/api/v1/public/exchange/symbols',
    answer: z.array(shape.symbol),
    failureCode: -5015,
    summary: 'All symbols.',
  },
  'public-trades': {
    ...PUBLIC,
    path: '/api/v1/public/market/trades',
    query: z.object({ symbol: shape.symbol, limit: shape.limit.optional() }),
    answer: shape.publicTrades,
    failureCode: -5002,
    summary: 'Recent public trades of a symbol.',
  },
  'order-book': {
    ...PUBLIC,
    path: '/api/v1/public/market/orderbook',
    query: z.object({ symbol: shape.symbol, limit: shape.limit.optional() }),
    answer: shape.orderBook,
    failureCode: -5003,
    summary: 'Price levels of a symbol, at most `limit` a side.',
  },
  assets: {
    ...PUBLIC,
    path: '/api/v1/public/exchange/assets',
    query: z.object({ asset: z.string().describe('asset ticker').optional() }),
    answer: shape.assets,
    // The documented codes include no failure of this list; -1000 is the general one.
    failureCode: -1000,
    summary: 'Status and networks of one asset or of all.',
  },
  wallet: {
    ...PRIVATE,
    path: '/api/v1/wallet',
    permission: 'wallet',
    query: z.object({ omitZeroBalances: shape.flag.optional() }),
    answer: shape.wallet,
    failureCode: -5005,
    summary: 'Balances of the account.',
  },
  ...bothOf('crypto-deposits', {
    ...CRYPTO,
    path: '/api/v1/crypto/deposits',
    answer: shape.cryptoDeposits,
    failureCode: -5006,
    summary: 'Crypto deposits',
  }),
  ...bothOf('crypto-withdrawals', {
    ...CRYPTO,
    path: '/api/v1/crypto/withdrawals',
    answer: shape.cryptoWithdrawals,
    failureCode: -5007,
    summary: 'Crypto withdrawals',
  }),
  ...bothOf('fiat-deposits', {
    ...FIAT,
    path: '/api/v1/fiat/deposits',
    answer: shape.fiatDeposits,
    failureCode: -5008,
    summary: 'INR deposits',
  }),
  ...bothOf('fiat-withdrawals', {
    ...FIAT,
    path: '/api/v1/fiat/withdrawals',
    answer: shape.fiatWithdrawals,
    failureCode: -5009,
    summary: 'INR withdrawals',
  }),
  'open-orders': {
    ...PRIVATE,
    path: '/api/v1/spot/orders/open',
    permission: 'orders',
    query: z.object({ symbol: shape.symbol.optional() }),
    answer: shape.openOrders,
    failureCode: -5010,
    summary: 'Orders with status NEW or PARTIALLY_FILLED, of one symbol or of all.',
  },
  ...bothOf('spot-trades', {
    ...PRIVATE,
    path: '/api/v1/spot/trades',
    permission: 'trades',
    query: shape.spotTradesQuery,
    answer: shape.spotTrades,
    failureCode: -5011,
    summary: "The account's executions in a symbol",
  }),
  'sbs-trades': {
    ...PRIVATE,
    path: '/api/v1/ebes/trades',
    permission: 'trades',
    query: shape.sbsTradesQuery,
    answer: shape.sbsTrades,
    failureCode: -5012,
    summary: "The account's simple buys and sells of a coin; no historical list exists.",
  },
  create: {
    ...WRITE,
    path: '/api/v1/spot/order/create',
    body: shape.orderBody,
    answer: shape.created,
    failureCode: -5013,
    summary: 'Place a LIMIT order.',
  },
  cancel: {
    ...WRITE,
    path: '/api/v1/spot/order/cancel',
    body: z.object({ order_id: shape.orderId }),
    answer: shape.msg,
    failureCode: -5014,
    summary: 'Cancel one order.',
  },
  'cancel-symbol': {
    ...WRITE,
    path: '/api/v1/spot/orders/cancel',
    body: z.object({ symbol: shape.symbol }),
    answer: shape.msg,
    failureCode: -5014,
    summary: 'Cancel every open order of a symbol.',
  },
  'cancel-all': {
    ...WRITE,
    path: '/api/v1/spot/orders/cancel/all',
    answer: shape.msg,
    failureCode: -5014,
    summary: 'Cancel every open order of the account.',
  },
};

/** The 26 endpoints, in the order of the specification's §4. */
export const ENDPOINTS = Object.fromEntries(
  Object.entries(ROWS).map(([name, row]) => [name, { name, ...row }]),
) as Readonly<Record<EndpointName, Endpoint>>;

/** Limits stated in the specification (§8); those of lists and windows are in `bounds.ts`. */
export const RECV_WINDOW_DEFAULT_MS = 5_000;
export const RECV_WINDOW_MAX_MS = 60_000;

/** The paper exchange names its instance in every answer, so that a journal can be matched to its exchange. */
export const PAPER_INSTANCE_HEADER = 'X-Paper-Instance';
