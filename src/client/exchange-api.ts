// The 26 endpoints as 26 methods for developers, commands and scripts. Each sends one request and returns its outcome
// and facts.
import type { z } from 'zod';
import { invariant } from '../domain/invariant.ts';
import type { Venue } from '../ports/transport.ts';
import type { ListLimit } from '../venue/bounds.ts';
import { ENDPOINTS } from '../venue/endpoints.ts';
import type { Completed } from '../venue/outcomes.ts';
import type { EndpointName, Stamp, VenueRequest } from '../venue/requests.ts';
import { ARGUMENTS, checked } from './asked/arguments.ts';
import type { CompletedOf } from './exchange-client.ts';

/**
 * The result of a request of this kind: `outcome` (switch on its `kind`), `facts` (times, limits), `request`, `kind`.
 */
export type Answer<K extends EndpointName> = Promise<CompletedOf<K>>;

/** The checked argument of a method. */
type Asked<Name extends keyof typeof ARGUMENTS> = z.infer<(typeof ARGUMENTS)[Name]>;

/**
 * Prices are quote per base and quantities base, as exact decimals; times epoch ms, corrected by `timeOffsetsMs`.
 * `limit`: rows, or levels a side, 1–50 (`listLimit` makes one of a number); absent 20. A venue may give fewer (N3).
 * `time`: moments in epoch ms, both ends included; absent: all times of the list. Section numbers are those of the
 * exchange's specification; docs/openapi.json has the error codes of each endpoint.
 *
 * An argument of another form than documented (a side `BUY`, an invalid symbol, an unknown field) rejects with an
 * `InvariantViolation` before anything is sent. No failure of the network or the exchange throws.
 */
export interface ExchangeApi {
  /** Best bid, best ask and last price of every pair, each with its asset. §2.1 */
  legacyBestPrices(): Answer<'legacy-best-prices'>;
  /** Prices, 24 h range and base volume of every pair, by lower-case key. §2.2 */
  legacyTickers(): Answer<'legacy-tickers'>;
  /** Price levels with the second at which they were true. §2.3 */
  legacyDepth(of: Asked<'symbol'>): Answer<'legacy-depth'>;
  /** Recent public trades with ids, newest first; quote amounts too. `created_at` has no zone (Q17). §2.4 */
  legacyTrades(of: Asked<'symbol'>): Answer<'legacy-trades'>;

  /** Last price, range, base volume and change in percent; of all symbols where none is given. §2.5 */
  tickers(of?: Asked<'optionalSymbol'>): Answer<'tickers'>;
  /** All symbols; the answer does not say which can be traded. §4.2 */
  symbols(): Answer<'symbols'>;
  /** Recent public trades of a symbol, without ids. §2.6 */
  publicTrades(of: Asked<'page'>): Answer<'public-trades'>;
  /** Bids from the highest, asks from the lowest. A short side is not the end of the book (N3). §2.7 */
  orderBook(of: Asked<'page'>): Answer<'order-book'>;
  /** Whether an asset is active, and its networks with limits and fees; of all assets where none is given. §2.8 */
  assets(of?: Asked<'asset'>): Answer<'assets'>;

  /**
   * Balances in units of each asset. Every asset is listed unless `omitZeroBalances` is true (the venue's own default,
   * not this method's). What `locked` includes is not specified (Q12). §2.9
   */
  wallet(how?: Asked<'wallet'>): Answer<'wallet'>;
  /** Within the rolling window (Q16), as all lists without an archive in their name; amounts in the asset. §2.10 */
  cryptoDeposits(asked?: Asked<'crypto'>): Answer<'crypto-deposits'>;
  cryptoDepositsHistorical(asked?: Asked<'crypto'>): Answer<'crypto-deposits-historical'>;
  cryptoWithdrawals(asked?: Asked<'crypto'>): Answer<'crypto-withdrawals'>;
  cryptoWithdrawalsHistorical(asked?: Asked<'crypto'>): Answer<'crypto-withdrawals-historical'>;
  /** Deposits of INR. §2.11 */
  fiatDeposits(asked?: Asked<'fiat'>): Answer<'fiat-deposits'>;
  fiatDepositsHistorical(asked?: Asked<'fiat'>): Answer<'fiat-deposits-historical'>;
  fiatWithdrawals(asked?: Asked<'fiat'>): Answer<'fiat-withdrawals'>;
  fiatWithdrawalsHistorical(asked?: Asked<'fiat'>): Answer<'fiat-withdrawals-historical'>;

  /**
   * Open orders of one symbol or of all, including other programs' orders and MARKET and STOP orders. A page of exactly
   * 20 or 50 rows is not complete (Q4). §2.12
   */
  openOrders(of?: Asked<'optionalSymbol'>): Answer<'open-orders'>;
  /**
   * Own fills of a symbol in any order (Q2); `commission` in `commissionAsset`, `tds` in quote. A window spans at most
   * 72 h. §2.13
   */
  spotTrades(asked: Asked<'spotTrades'>): Answer<'spot-trades'>;
  spotTradesHistorical(asked: Asked<'spotTrades'>): Answer<'spot-trades-historical'>;
  /**
   * Own simple buys and sells of a coin (`COIN/INR`); prices, quote amounts and tax in INR. A window spans at most
   * 72 h; there is no historical list. §2.14
   */
  sbsTrades(asked: Asked<'sbsTrades'>): Answer<'sbs-trades'>;

  /**
   * Places a LIMIT order. It can take liquidity (Q9), and it is not idempotent: after `unknown` or `soft-rejected` it
   * may exist, and a second request may place a second one. §4.4, answer §2.15
   */
  createOrder(order: Asked<'order'>): Answer<'create'>;
  /** Cancels one order. `acknowledged` does not say how much had filled before. §4.4 */
  cancelOrder(which: Asked<'orderId'>): Answer<'cancel'>;
  /** Cancels every open order of a symbol, including other programs' orders. §4.4 */
  cancelSymbol(of: Asked<'symbol'>): Answer<'cancel-symbol'>;
  /** Cancels every open order of the account on all symbols, including other programs' orders. §4.4 */
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
  const list = <F extends { readonly limit?: ListLimit }>({ limit, ...filter }: F) => ({
    filter: { time: ALL_TIMES, ...filter },
    ...(limit !== undefined && { limit }),
    stamp: stamp(),
  });
  const trades = ({ filter = BY_SYMBOL, ...rest }: Asked<'spotTrades'>) => ({ ...rest, filter, stamp: stamp() });
  const sbs = ({ symbol, ...rest }: Asked<'sbsTrades'>) => ({ symbol, ...list(rest) });

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
function asOnePage(completed: Completed): Completed {
  const { kind, outcome } = completed;
  if (!isPaged(kind) || outcome.kind !== 'read' || !outcome.read.complete) return completed;
  const { rows } = outcome.read;
  const count = Array.isArray(rows) ? rows.length : 0;
  const told = `One page of ${kind} (rows: ${count}) does not prove that there are no more; a history does.`;
  const read = { ...outcome.read, complete: false, incompleteBecause: told };
  // Only the content of the read changed, so request and outcome still have the same kind.
  return { ...completed, outcome: { ...outcome, read } } as Completed;
}
