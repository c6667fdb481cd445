// The 26 endpoints as 26 methods for developers, commands and scripts. Each asks once and returns its outcome and
// facts.
import type { z } from 'zod';
import { invariant } from '../domain/invariant.ts';
import type { ListLimit } from '../venue/bounds.ts';
import { ENDPOINTS } from '../venue/endpoints.ts';
import type { AnswerFacts, Completed, Read, ReadOutcome } from '../venue/outcomes.ts';
import type { EndpointName, ReadKind, ReadRequest, ReadTable, Stamp, VenueRequest } from '../venue/requests.ts';
import { ARGUMENTS, checked, OPTIONS } from './asked/arguments.ts';
import type { CompletedOf } from './exchange-client.ts';

/** How a call may end before its answer. */
export interface CallOptions {
  /**
   * Ends the call, in the queue as well: a read is `failed`, a create or cancel `not-sent`, or `unknown` once bytes of
   * it left.
   */
  readonly signal?: AbortSignal;
  /** Ends it in the same way after this long, waits for the lane and repetitions included. */
  readonly timeoutMs?: number;
}

/** How a read may end, and be repeated. */
export interface ReadOptions extends CallOptions {
  /**
   * How often it is asked again where the exchange put it off with 429, 503 or 504, each time when the exchange wants
   * to be asked, and no sooner than the lane's growing pause (specification 7.4). Absent: never.
   */
  readonly retry?: number;
}

/**
 * The result of a request of this kind: `outcome` (switch on its `kind`), `facts` (times, limits), `request`, `kind`.
 */
export type Answer<K extends EndpointName> = Promise<CompletedOf<K>>;

/**
 * The first page of the rows that were asked for. It proves that these rows exist, and not that they are all:
 * there are no page tokens, the length of a page is not published, and an empty page may be wrong.
 * `incompleteBecause` is there if a row of the page itself could not be read.
 */
export type FirstPage<T> = Omit<Read<T>, 'complete'>;

export type FirstPageOutcome<T> =
  | { readonly kind: 'read'; readonly read: FirstPage<T> }
  | Exclude<ReadOutcome<T>, { kind: 'read' }>;

interface FirstPageCompleted<K extends ReadKind> {
  readonly kind: K;
  readonly request: ReadRequest<K>;
  readonly outcome: FirstPageOutcome<ReadTable[K]['answer']>;
  readonly facts: AnswerFacts;
}

export type FirstPageAnswer<K extends ReadKind> = Promise<FirstPageCompleted<K>>;

/** The argument of a method. */
type Asked<Name extends keyof typeof ARGUMENTS> = z.input<(typeof ARGUMENTS)[Name]>;

/**
 * Prices are quote per base and quantities base: exact decimals, or their text. Times of answers are epoch ms,
 * corrected by `timeOffsetsMs`; a time may be given as epoch ms, `Date` or ISO 8601 text. Section numbers are those of
 * the exchange's specification; docs/openapi.json has the error codes of each endpoint.
 *
 * An argument of another form than documented (a side `BUY`, an invalid symbol, an unknown field) rejects with an
 * `ArgumentError` before anything is sent. No failure of the network or the exchange throws.
 */
export interface ExchangeApi {
  /** Best bid, best ask and last price of every pair, each with its asset. §2.1 */
  legacyBestPrices(options?: ReadOptions): Answer<'legacy-best-prices'>;
  /** Prices, 24 h range and base volume of every pair, by lower-case key. §2.2 */
  legacyTickers(options?: ReadOptions): Answer<'legacy-tickers'>;
  /** Price levels with the second at which they were true. §2.3 */
  legacyDepth(of: Asked<'symbol'>, options?: ReadOptions): Answer<'legacy-depth'>;

  /** Last price, range, base volume and change in percent; of all symbols where none is given. §2.5 */
  tickers(of?: Asked<'optionalSymbol'>, options?: ReadOptions): Answer<'tickers'>;
  /** All symbols; the answer does not say which can be traded. §4.2 */
  symbols(options?: ReadOptions): Answer<'symbols'>;
  /**
   * Bids from the highest, asks from the lowest; `limit`: levels a side, 1–50, absent 20. A short side is not the end
   * of the book (N3). §2.7
   */
  orderBook(of: Asked<'page'>, options?: ReadOptions): Answer<'order-book'>;
  /** Whether an asset is active, and its networks with limits and fees; of all assets where none is given. §2.8 */
  assets(of?: Asked<'asset'>, options?: ReadOptions): Answer<'assets'>;

  /**
   * Balances in units of each asset. Every asset is listed unless `omitZeroBalances` is true (the venue's own default,
   * not this method's). What `locked` includes is not specified (Q12). §2.9
   */
  wallet(how?: Asked<'wallet'>, options?: ReadOptions): Answer<'wallet'>;
  /**
   * Open orders of one symbol or of all, including other programs' orders and MARKET and STOP orders. A page of exactly
   * 20 or 50 rows is not complete (Q4). §2.12
   */
  openOrders(of?: Asked<'optionalSymbol'>, options?: ReadOptions): Answer<'open-orders'>;

  /**
   * Places a LIMIT order. It can take liquidity (Q9), and it is not idempotent: after `unknown` or `soft-rejected` it
   * may exist, and a second request may place a second one. §4.4, answer §2.15
   */
  createOrder(order: Asked<'order'>, options?: CallOptions): Answer<'create'>;
  /** Cancels one order. `acknowledged` does not say how much had filled before. §4.4 */
  cancelOrder(which: Asked<'orderId'>, options?: CallOptions): Answer<'cancel'>;
  /** Cancels every open order of a symbol, including other programs' orders. §4.4 */
  cancelSymbol(of: Asked<'symbol'>, options?: CallOptions): Answer<'cancel-symbol'>;
  /** Cancels every open order of the account on all symbols, including other programs' orders. §4.4 */
  cancelAll(options?: CallOptions): Answer<'cancel-all'>;
}

/**
 * The first page of a list that may be longer. `limit`: rows, 1–50; absent 20. A venue may give fewer (N3). `time`:
 * both ends included; absent: all times of the list. The histories of `openExchange` join pages until their ends are
 * proved.
 */
export interface FirstPages {
  /** Recent public trades with ids, newest first; quote amounts too. `created_at` has no zone (Q17). §2.4 */
  legacyTrades(of: Asked<'symbol'>, options?: ReadOptions): FirstPageAnswer<'legacy-trades'>;
  /** Recent public trades of a symbol, without ids. §2.6 */
  publicTrades(of: Asked<'page'>, options?: ReadOptions): FirstPageAnswer<'public-trades'>;

  /** Within the rolling window (Q16), as all lists without an archive in their name; amounts in the asset. §2.10 */
  cryptoDeposits(of?: Asked<'crypto'>, options?: ReadOptions): FirstPageAnswer<'crypto-deposits'>;
  cryptoDepositsHistorical(of?: Asked<'crypto'>, options?: ReadOptions): FirstPageAnswer<'crypto-deposits-historical'>;
  cryptoWithdrawals(of?: Asked<'crypto'>, options?: ReadOptions): FirstPageAnswer<'crypto-withdrawals'>;
  cryptoWithdrawalsHistorical(
    of?: Asked<'crypto'>,
    options?: ReadOptions,
  ): FirstPageAnswer<'crypto-withdrawals-historical'>;
  /** Deposits of INR. §2.11 */
  fiatDeposits(of?: Asked<'fiat'>, options?: ReadOptions): FirstPageAnswer<'fiat-deposits'>;
  fiatDepositsHistorical(of?: Asked<'fiat'>, options?: ReadOptions): FirstPageAnswer<'fiat-deposits-historical'>;
  fiatWithdrawals(of?: Asked<'fiat'>, options?: ReadOptions): FirstPageAnswer<'fiat-withdrawals'>;
  fiatWithdrawalsHistorical(of?: Asked<'fiat'>, options?: ReadOptions): FirstPageAnswer<'fiat-withdrawals-historical'>;

  /**
   * Own fills of a symbol in any order (Q2); `commission` in `commissionAsset`, `tds` in quote. A window spans at most
   * 72 h. §2.13
   */
  spotTrades(of: Asked<'spotTrades'>, options?: ReadOptions): FirstPageAnswer<'spot-trades'>;
  spotTradesHistorical(of: Asked<'spotTrades'>, options?: ReadOptions): FirstPageAnswer<'spot-trades-historical'>;
  /**
   * Own simple buys and sells of a coin (`COIN/INR`); prices, quote amounts and tax in INR. A window spans at most
   * 72 h; there is no historical list. §2.14
   */
  sbsTrades(of: Asked<'sbsTrades'>, options?: ReadOptions): FirstPageAnswer<'sbs-trades'>;
}

export interface ExchangeApiParts {
  /** Asks as the options say: a client's own `perform`, or a wrapper that first waits for a lane. */
  readonly perform: (request: VenueRequest, options: ReadOptions) => Promise<Completed>;
  /** For each private request: the time by the venue's clock, and how long it may be accepted. */
  readonly stamp: () => Stamp;
  /** Secrets that no sentence about a wrong argument may show. */
  readonly secrets?: readonly string[];
}

function methodsOf({ perform, secrets = [] }: Omit<ExchangeApiParts, 'stamp'>) {
  async function ask<R extends VenueRequest>(name: string, request: R, given: unknown): Answer<R['kind']> {
    const schema = ENDPOINTS[request.kind].method === 'POST' ? OPTIONS.call : OPTIONS.read;
    const completed = await perform(request, checked(schema, given, { name: `${name} options`, secrets }) ?? {});
    const isAnswer = isOf<R['kind']>(completed, request.kind);
    invariant(isAnswer, `A request ${request.kind} was answered as ${completed.kind}.`);
    return completed;
  }

  return {
    method:
      <T, Given, R extends VenueRequest>(name: string, schema: z.ZodType<T, Given>, requestOf: (asked: T) => R) =>
      async (given?: Given, options?: ReadOptions): Answer<R['kind']> =>
        ask(name, requestOf(checked(schema, given, { name, secrets })), options),
    /** A method without an argument of its own. */
    bare:
      <R extends VenueRequest>(name: string, requestOf: () => R) =>
      (options?: ReadOptions): Answer<R['kind']> =>
        ask(name, requestOf(), options),
    page:
      <K extends ReadKind, T, Given>(
        name: string,
        schema: z.ZodType<T, Given>,
        requestOf: (asked: T) => Extract<VenueRequest, { kind: K }>,
      ) =>
      async (given?: Given, options?: ReadOptions): FirstPageAnswer<K> =>
        firstPageOf(await ask(name, requestOf(checked(schema, given, { name, secrets })), options)),
  };
}

/** Thin facades: they check the argument, add stamp and default filter, and keep each answer with its request. */
export function createExchangeApi({ stamp, ...parts }: ExchangeApiParts): {
  readonly api: ExchangeApi;
  readonly firstPage: FirstPages;
} {
  const { method, bare, page } = methodsOf(parts);
  const list = <F extends { readonly limit?: ListLimit }>({ limit, ...filter }: F) => ({
    filter: { time: ALL_TIMES, ...filter },
    ...(limit !== undefined && { limit }),
    stamp: stamp(),
  });
  const trades = ({ filter = BY_SYMBOL, ...rest }: z.output<typeof ARGUMENTS.spotTrades>) => ({
    ...{ ...rest, filter, stamp: stamp() },
  });

  const { symbol, optionalSymbol, page: paged, asset, wallet, crypto, fiat, spotTrades, sbsTrades } = ARGUMENTS;
  return {
    api: {
      legacyBestPrices: bare('legacyBestPrices', () => ({ kind: 'legacy-best-prices' })),
      legacyTickers: bare('legacyTickers', () => ({ kind: 'legacy-tickers' })),
      legacyDepth: method('legacyDepth', symbol, (of) => ({ kind: 'legacy-depth', ...of })),
      tickers: method('tickers', optionalSymbol, (of) => ({ kind: 'tickers', ...of })),
      symbols: bare('symbols', () => ({ kind: 'symbols' })),
      orderBook: method('orderBook', paged, (of) => ({ kind: 'order-book', ...of })),
      assets: method('assets', asset, (of) => ({ kind: 'assets', ...of })),
      wallet: method('wallet', wallet, (how) => ({ kind: 'wallet', ...how, stamp: stamp() })),
      openOrders: method('openOrders', optionalSymbol, (of) => ({ kind: 'open-orders', ...of, stamp: stamp() })),
      createOrder: method('createOrder', ARGUMENTS.order, (order) => ({ kind: 'create', order, stamp: stamp() })),
      cancelOrder: method('cancelOrder', ARGUMENTS.orderId, (of) => ({ kind: 'cancel', ...of, stamp: stamp() })),
      cancelSymbol: method('cancelSymbol', symbol, (of) => ({ kind: 'cancel-symbol', ...of, stamp: stamp() })),
      cancelAll: bare('cancelAll', () => ({ kind: 'cancel-all', stamp: stamp() })),
    },
    firstPage: {
      legacyTrades: page('legacyTrades', symbol, (of) => ({ kind: 'legacy-trades', ...of })),
      publicTrades: page('publicTrades', paged, (of) => ({ kind: 'public-trades', ...of })),
      cryptoDeposits: page('cryptoDeposits', crypto, (of = {}) => ({ kind: 'crypto-deposits', ...list(of) })),
      cryptoDepositsHistorical: page('cryptoDepositsHistorical', crypto, (of = {}) => ({
        ...{ kind: 'crypto-deposits-historical', ...list(of) },
      })),
      cryptoWithdrawals: page('cryptoWithdrawals', crypto, (of = {}) => ({ kind: 'crypto-withdrawals', ...list(of) })),
      cryptoWithdrawalsHistorical: page('cryptoWithdrawalsHistorical', crypto, (of = {}) => ({
        ...{ kind: 'crypto-withdrawals-historical', ...list(of) },
      })),
      fiatDeposits: page('fiatDeposits', fiat, (of = {}) => ({ kind: 'fiat-deposits', ...list(of) })),
      fiatDepositsHistorical: page('fiatDepositsHistorical', fiat, (of = {}) => ({
        ...{ kind: 'fiat-deposits-historical', ...list(of) },
      })),
      fiatWithdrawals: page('fiatWithdrawals', fiat, (of = {}) => ({ kind: 'fiat-withdrawals', ...list(of) })),
      fiatWithdrawalsHistorical: page('fiatWithdrawalsHistorical', fiat, (of = {}) => ({
        ...{ kind: 'fiat-withdrawals-historical', ...list(of) },
      })),
      spotTrades: page('spotTrades', spotTrades, (of) => ({ kind: 'spot-trades', ...trades(of) })),
      spotTradesHistorical: page('spotTradesHistorical', spotTrades, (of) => ({
        ...{ kind: 'spot-trades-historical', ...trades(of) },
      })),
      sbsTrades: page('sbsTrades', sbsTrades, ({ symbol, ...of }) => ({ kind: 'sbs-trades', symbol, ...list(of) })),
    },
  };
}

const ALL_TIMES = { by: 'all' } as const;
const BY_SYMBOL = { by: 'symbol' } as const;

const isOf = <K extends EndpointName>(completed: Completed, kind: K): completed is CompletedOf<K> =>
  completed.kind === kind;

/** The answer without a claim that its rows are all. */
function firstPageOf<K extends ReadKind>(answer: Completed): FirstPageCompleted<K> {
  const { outcome } = answer;
  if (outcome.kind !== 'read') return answer as unknown as FirstPageCompleted<K>;
  const { complete: _, ...read } = outcome.read;
  // All else is as the request's kind says.
  return { ...answer, outcome: { kind: 'read', read } } as unknown as FirstPageCompleted<K>;
}
