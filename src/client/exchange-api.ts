// The 26 endpoints as 26 methods for developers, commands and scripts. Each sends one request and returns its outcome
// and facts.

import type { z } from 'zod';
import type { OrderId, TradeId } from '../domain/ids.ts';
import type { Asset, InstrumentSymbol } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import type { OrderRequest } from '../domain/order.ts';
import type { Venue } from '../ports/transport.ts';
import type { ListLimit, TimeRange, TradeWindow } from '../venue/bounds.ts';
import { ENDPOINTS } from '../venue/endpoints.ts';
import type { Completed } from '../venue/outcomes.ts';
import type {
  CryptoTransfersFilter,
  EndpointName,
  FiatTransfersFilter,
  SpotTradesFilter,
  Stamp,
  TimeFilter,
  VenueRequest,
} from '../venue/requests.ts';
import { ARGUMENTS, checked } from './asked/arguments.ts';
import type { CompletedOf } from './exchange-client.ts';

/**
 * The result of a request of this kind: `outcome` (switch on its `kind`), `facts` (times, limits), `request`, `kind`.
 */
export type Answer<K extends EndpointName> = Promise<CompletedOf<K>>;

export interface OfSymbol {
  readonly symbol: InstrumentSymbol;
}

export interface Limited {
  /** Rows, or levels a side: 1–50; absent 20. `listLimit` makes one of a number. A venue may give fewer (N3). */
  readonly limit?: ListLimit;
}

/**
 * Moments are epoch ms, both ends included. Absent: all times of the list.
 */
interface InTime<Range> {
  readonly time?: TimeFilter<Range>;
}

export type CryptoTransfersAsked = Omit<CryptoTransfersFilter, 'time'> & InTime<TimeRange> & Limited;
export type FiatTransfersAsked = Omit<FiatTransfersFilter, 'time'> & InTime<TimeRange> & Limited;

export interface SpotTradesAsked extends OfSymbol, Limited {
  /** One of the six combinations that the venue allows. Absent: by symbol alone. */
  readonly filter?: SpotTradesFilter;
}

export interface SbsTradesAsked extends OfSymbol, Limited, InTime<TradeWindow> {
  /** Number of one SBS order. */
  readonly orderId?: TradeId;
  /** Trades with this id or a higher one. */
  readonly fromId?: TradeId;
}

/**
 * Prices are quote per base and quantities base, as exact decimals; times epoch ms, corrected by `timeOffsetsMs`.
 * Section numbers are those of the exchange's specification.
 *
 * In addition to the codes named at a method, any request of the current interface may get -1125 (503), -1404 (404),
 * -1000, -1009, -4001 (500) and -1003 (429); a private one also with -1001, -1015, -1022, -2003, -2004, -2015 (403),
 * -1021, -1023, -1106 (400) and -3000 (500). The legacy interface has no codes: its statuses are 400, 403, 404, 405,
 * 429, 500 and 503.
 *
 * An argument of another form than documented (a side `BUY`, an invalid symbol, an unknown field) rejects with an
 * `InvariantViolation` before anything is sent. No failure of the network or the exchange throws.
 */
export interface ExchangeApi {
  /** Best bid, best ask and last price of every pair, each with its asset. §4.1, rows §2.1. */
  legacyBestPrices(): Answer<'legacy-best-prices'>;

  /** Prices, 24 h range and base volume of every pair, by lower-case key. §4.1, rows §2.2. */
  legacyTickers(): Answer<'legacy-tickers'>;

  /** Price levels with the second at which they were true. §4.1, levels §2.3. */
  legacyDepth(of: OfSymbol): Answer<'legacy-depth'>;

  /**
   * Recent public trades with ids, newest first; quote amounts too. `created_at` has no zone (Q17). §4.1, rows §2.4.
   */
  legacyTrades(of: OfSymbol): Answer<'legacy-trades'>;

  /**
   * Last price, range, base volume and change in percent; of all symbols where none is given. §4.2, rows §2.5. Codes
   * -1121, -1123, -5001.
   */
  tickers(of?: Partial<OfSymbol>): Answer<'tickers'>;

  /** All symbols; the answer does not say which can be traded. §4.2. Code -5015. */
  symbols(): Answer<'symbols'>;

  /**
   * Recent public trades of a symbol, without ids. §4.2, rows §2.6.
   * Codes -1103, -1104, -1105, -1121, -1123, -5002.
   */
  publicTrades(of: OfSymbol & Limited): Answer<'public-trades'>;

  /**
   * Price levels of a symbol: bids from the highest, asks from the lowest. A short side is not the end of the book
   * (N3). §4.2, levels §2.7. Codes -1103, -1104, -1105, -1121, -1123, -5003.
   */
  orderBook(of: OfSymbol & Limited): Answer<'order-book'>;

  /**
   * Whether an asset is active, and its networks with limits and fees in the asset; of all assets where none is given.
   * §4.2, rows §2.8. Codes -1111, -1122.
   */
  assets(of?: { readonly asset?: Asset }): Answer<'assets'>;

  /**
   * Balances in units of each asset. Every asset is listed unless `omitZeroBalances` is true (the venue's own default,
   * not this method's). What `locked` includes is not specified (Q12). §4.3, rows §2.9. Code -5005.
   */
  wallet(how?: { readonly omitZeroBalances?: boolean }): Answer<'wallet'>;

  /**
   * Crypto deposits within the rolling window (Q16); amounts and fees in the asset. §4.3, rows §2.10. Codes -1104,
   * -1105, -1107, -1108, -1111, -1122, -5006.
   */
  cryptoDeposits(asked?: CryptoTransfersAsked): Answer<'crypto-deposits'>;

  /** The same beyond the rolling window. §4.3, rows §2.10. Codes -1104, -1105, -1107, -1108, -1111, -1122, -5006. */
  cryptoDepositsHistorical(asked?: CryptoTransfersAsked): Answer<'crypto-deposits-historical'>;

  /**
   * Crypto withdrawals within the rolling window (Q16); amounts and fees in the asset. §4.3, rows §2.10. Codes -1104,
   * -1105, -1107, -1108, -1111, -1122, -5007.
   */
  cryptoWithdrawals(asked?: CryptoTransfersAsked): Answer<'crypto-withdrawals'>;

  /** The same beyond the rolling window. §4.3, rows §2.10. Codes -1104, -1105, -1107, -1108, -1111, -1122, -5007. */
  cryptoWithdrawalsHistorical(asked?: CryptoTransfersAsked): Answer<'crypto-withdrawals-historical'>;

  /** INR deposits within the rolling window (Q16). §4.3, rows §2.11. Codes -1104, -1105, -1107, -1108, -5008. */
  fiatDeposits(asked?: FiatTransfersAsked): Answer<'fiat-deposits'>;

  /** The same beyond the rolling window. §4.3, rows §2.11. Codes -1104, -1105, -1107, -1108, -5008. */
  fiatDepositsHistorical(asked?: FiatTransfersAsked): Answer<'fiat-deposits-historical'>;

  /** INR withdrawals within the rolling window (Q16). §4.3, rows §2.11. Codes -1104, -1105, -1107, -1108, -5009. */
  fiatWithdrawals(asked?: FiatTransfersAsked): Answer<'fiat-withdrawals'>;

  /** The same beyond the rolling window. §4.3, rows §2.11. Codes -1104, -1105, -1107, -1108, -5009. */
  fiatWithdrawalsHistorical(asked?: FiatTransfersAsked): Answer<'fiat-withdrawals-historical'>;

  /**
   * Open orders of one symbol or of all, including other programs' orders and MARKET and STOP orders. A page of exactly
   * 20 or 50 rows is not complete (Q4). §4.3, rows §2.12. Codes -1121, -1123, -5010.
   */
  openOrders(of?: Partial<OfSymbol>): Answer<'open-orders'>;

  /**
   * Own fills of a symbol within the rolling window (Q16), in any order (Q2); `commission` in `commissionAsset`, `tds`
   * in quote. A window spans at most 72 h. §4.3, rows §2.13. Codes -1103, -1104, -1105, -1107, -1109, -1121, -1123,
   * -1124, -5011.
   */
  spotTrades(asked: SpotTradesAsked): Answer<'spot-trades'>;

  /**
   * The same beyond the rolling window. §4.3, rows §2.13. Codes -1103, -1104, -1105, -1107, -1109, -1121, -1123, -1124,
   * -5011.
   */
  spotTradesHistorical(asked: SpotTradesAsked): Answer<'spot-trades-historical'>;

  /**
   * Own simple buys and sells of a coin (`COIN/INR`); prices, quote amounts and tax in INR. A window spans at most 72
   * h; there is no historical list. §4.3, rows §2.14. Codes -1103, -1104, -1105, -1107, -1121, -1123, -1124, -5012.
   */
  sbsTrades(asked: SbsTradesAsked): Answer<'sbs-trades'>;

  /**
   * Places a LIMIT order. It can take liquidity (Q9), and it is not idempotent: after `unknown` or `soft-rejected` it
   * may exist, and to ask again may place a second one. §4.4, answer §2.15. Codes -1103, -1112, -1113, -1114, -1115,
   * -1121, -1123, -5013.
   */
  createOrder(order: OrderRequest): Answer<'create'>;

  /** Cancels one order. `acknowledged` does not say how much had filled before. §4.4. Codes -1102, -1124, -5014. */
  cancelOrder(which: { readonly orderId: OrderId }): Answer<'cancel'>;

  /** Cancels every open order of a symbol, including other programs' orders. §4.4. Codes -1103, -1121, -1123, -5014. */
  cancelSymbol(of: OfSymbol): Answer<'cancel-symbol'>;

  /** Cancels every open order of the account on all symbols, including other programs' orders. §4.4. Code -5014. */
  cancelAll(): Answer<'cancel-all'>;
}

export interface ExchangeApiParts {
  /** Sends one request: a client's own `perform`, or a wrapper that first waits for a lane. */
  readonly perform: Venue['perform'];
  /** For each private request: the time by the venue's clock, and how long it may be accepted. */
  readonly stamp: () => Stamp;
  /** Secrets that no sentence about a wrong argument may show. */
  readonly secrets?: readonly string[];
}

function methodsOf({ perform, secrets = [] }: Omit<ExchangeApiParts, 'stamp'>) {
  return <T, R extends VenueRequest>(name: keyof ExchangeApi, schema: z.ZodType<T>, requestOf: (asked: T) => R) =>
    async (given?: unknown): Answer<R['kind']> => {
      const request = requestOf(checked(schema, given, { name, secrets }));
      const completed = asOnePage(await perform(request));
      const isAnswer = isOf<R['kind']>(completed, request.kind);
      invariant(isAnswer, `A request ${request.kind} was answered as ${completed.kind}.`);
      return completed;
    };
}

/** A thin facade: it checks the argument, adds stamp and default filter, and keeps each answer with its request. */
export function createExchangeApi({ stamp, ...parts }: ExchangeApiParts): ExchangeApi {
  const method = methodsOf(parts);
  const list = <F extends Limited & InTime<TimeRange>>({ limit, ...filter }: F) => ({
    filter: { time: ALL_TIMES, ...filter },
    ...(limit !== undefined && { limit }),
    stamp: stamp(),
  });
  const trades = ({ filter = BY_SYMBOL, ...rest }: SpotTradesAsked) => ({ ...rest, filter, stamp: stamp() });
  const sbs = ({ symbol, ...rest }: SbsTradesAsked) => ({ symbol, ...list(rest) });

  const { nothing, symbol, optionalSymbol, page, asset, wallet, crypto, fiat, spotTrades } = ARGUMENTS;
  return {
    legacyBestPrices: method('legacyBestPrices', nothing, () => ({ kind: 'legacy-best-prices' })),
    legacyTickers: method('legacyTickers', nothing, () => ({ kind: 'legacy-tickers' })),
    legacyDepth: method('legacyDepth', symbol, (of) => ({ kind: 'legacy-depth', ...of })),
    legacyTrades: method('legacyTrades', symbol, (of) => ({ kind: 'legacy-trades', ...of })),
    tickers: method('tickers', optionalSymbol, (of) => ({ kind: 'tickers', ...of })),
    symbols: method('symbols', nothing, () => ({ kind: 'symbols' })),
    publicTrades: method('publicTrades', page, (of) => ({ kind: 'public-trades', ...of })),
    orderBook: method('orderBook', page, (of) => ({ kind: 'order-book', ...of })),
    assets: method('assets', asset, (of) => ({ kind: 'assets', ...of })),
    wallet: method('wallet', wallet, (how) => ({ kind: 'wallet', ...how, stamp: stamp() })),
    cryptoDeposits: method('cryptoDeposits', crypto, (asked = {}) => ({ kind: 'crypto-deposits', ...list(asked) })),
    cryptoDepositsHistorical: method('cryptoDepositsHistorical', crypto, (asked = {}) => ({
      kind: 'crypto-deposits-historical',
      ...list(asked),
    })),
    cryptoWithdrawals: method('cryptoWithdrawals', crypto, (asked = {}) => ({
      kind: 'crypto-withdrawals',
      ...list(asked),
    })),
    cryptoWithdrawalsHistorical: method('cryptoWithdrawalsHistorical', crypto, (asked = {}) => ({
      kind: 'crypto-withdrawals-historical',
      ...list(asked),
    })),
    fiatDeposits: method('fiatDeposits', fiat, (asked = {}) => ({ kind: 'fiat-deposits', ...list(asked) })),
    fiatDepositsHistorical: method('fiatDepositsHistorical', fiat, (asked = {}) => ({
      kind: 'fiat-deposits-historical',
      ...list(asked),
    })),
    fiatWithdrawals: method('fiatWithdrawals', fiat, (asked = {}) => ({ kind: 'fiat-withdrawals', ...list(asked) })),
    fiatWithdrawalsHistorical: method('fiatWithdrawalsHistorical', fiat, (asked = {}) => ({
      kind: 'fiat-withdrawals-historical',
      ...list(asked),
    })),
    openOrders: method('openOrders', optionalSymbol, (of) => ({ kind: 'open-orders', ...of, stamp: stamp() })),
    spotTrades: method('spotTrades', spotTrades, (asked) => ({ kind: 'spot-trades', ...trades(asked) })),
    spotTradesHistorical: method('spotTradesHistorical', spotTrades, (asked) => ({
      kind: 'spot-trades-historical',
      ...trades(asked),
    })),
    sbsTrades: method('sbsTrades', ARGUMENTS.sbsTrades, (asked) => ({ kind: 'sbs-trades', ...sbs(asked) })),
    createOrder: method('createOrder', ARGUMENTS.order, (order) => ({ kind: 'create', order, stamp: stamp() })),
    cancelOrder: method('cancelOrder', ARGUMENTS.orderId, (of) => ({ kind: 'cancel', ...of, stamp: stamp() })),
    cancelSymbol: method('cancelSymbol', symbol, (of) => ({ kind: 'cancel-symbol', ...of, stamp: stamp() })),
    cancelAll: method('cancelAll', nothing, () => ({ kind: 'cancel-all', stamp: stamp() })),
  };
}

const ALL_TIMES = { by: 'all' } as const;
const BY_SYMBOL = { by: 'symbol' } as const;

const isOf = <K extends EndpointName>(completed: Completed, kind: K): completed is CompletedOf<K> =>
  completed.kind === kind;

// One page of a longer list proves that its rows exist, never that they are all.

/** Lists that come in pages. A book has the requested depth, and can't be read to an end. */
const isPaged = (kind: EndpointName): boolean =>
  kind === 'legacy-trades' || ('limit' in ENDPOINTS[kind].query.shape && kind !== 'order-book');

/**
 * Returns the answer, never complete where it is a page: there are no page tokens, the page length is not published,
 * and an empty page may be wrong. The histories of `openExchange` join pages until their ends are proved.
 */
export function asOnePage(completed: Completed): Completed {
  const { kind, outcome } = completed;
  if (!isPaged(kind) || outcome.kind !== 'read' || !outcome.read.complete) return completed;
  const { rows } = outcome.read;
  const count = Array.isArray(rows) ? rows.length : 0;
  const told = `One page of ${kind} (rows: ${count}) does not prove that there are no more; a history does.`;
  const read = { ...outcome.read, complete: false, incompleteBecause: told };
  // Only the content of the read changed, so request and outcome still have the same kind.
  return { ...completed, outcome: { ...outcome, read } } as Completed;
}
