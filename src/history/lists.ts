// The lists of an account that can be read to the end, and how each is asked (specification 4.3).
import type { Fill, SbsTrade } from '../domain/fill.ts';
import type { Asset, InstrumentSymbol } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import type { Result } from '../domain/result.ts';
import type { CryptoTransfer, FiatTransfer, TransferDirection } from '../domain/transfer.ts';
import { type TimeRange, TRADE_WINDOW_MAX_MS, timeRange, tradeWindow } from '../venue/bounds.ts';
import type { ReadKind, ReadRequest, SbsTradesFilter, SpotTradesFilter, TimeFilter } from '../venue/requests.ts';
import type { RowKey } from './coverage.ts';
import type { ListTraits } from './list-traits.ts';
import type { Query } from './query.ts';
import { absorbTrades, tradeName } from './trade-identity.ts';
import { absorbTransfers, cryptoName, cryptoProgress, fiatName, fiatProgress, isPending } from './transfer-identity.ts';

/** A request that still wants its stamp: that is given when the request may leave, not before (order-truth §3). */
export type Unstamped<K extends ReadKind> = { [N in K]: Omit<ReadRequest<N>, 'stamp'> & { readonly kind: N } }[K];

export type SpotTradesQuestion = Unstamped<'spot-trades' | 'spot-trades-historical'>;
export type SbsTradesQuestion = Unstamped<'sbs-trades'>;
export type CryptoQuestion = Unstamped<
  'crypto-deposits' | 'crypto-deposits-historical' | 'crypto-withdrawals' | 'crypto-withdrawals-historical'
>;
export type FiatQuestion = Unstamped<
  'fiat-deposits' | 'fiat-deposits-historical' | 'fiat-withdrawals' | 'fiat-withdrawals-historical'
>;
export type HistoryQuestion = SpotTradesQuestion | SbsTradesQuestion | CryptoQuestion | FiatQuestion;

/** "Within 72 hours" may mean less than 72. */
const LONGEST_WINDOW_MS = TRADE_WINDOW_MAX_MS - 1;

const tradeKey = (row: Fill | SbsTrade): RowKey => ({ time: row.venueTime, id: row.tradeId });
const transferKey = (row: CryptoTransfer | FiatTransfer): RowKey => ({ time: row.venueTime, id: null });

export function spotTrades(symbol: InstrumentSymbol): ListTraits<Fill, SpotTradesQuestion> {
  return {
    title: `spot trades of ${symbol}`,
    longestWindowMs: LONGEST_WINDOW_MS,
    hasArchive: true,
    keyOf: tradeKey,
    belongs: (row) => row.symbol === symbol,
    nameOf: tradeName,
    absorb: absorbTrades,
    isPending: () => false,
    question: (endpoint, query, limit) => ({
      kind: endpoint === 'recent' ? 'spot-trades' : 'spot-trades-historical',
      symbol,
      filter: spotFilter(query),
      limit,
    }),
  };
}

export function sbsTrades(symbol: InstrumentSymbol): ListTraits<SbsTrade, SbsTradesQuestion> {
  return {
    title: `simple buys and sells of ${symbol}`,
    longestWindowMs: LONGEST_WINDOW_MS,
    hasArchive: false,
    keyOf: tradeKey,
    belongs: (row) => row.symbol === symbol,
    nameOf: tradeName,
    absorb: absorbTrades,
    isPending: () => false,
    question: (_route, query, limit) => ({ kind: 'sbs-trades', symbol, filter: sbsFilter(query), limit }),
  };
}

const CRYPTO_LISTS = {
  deposit: { recent: 'crypto-deposits', archive: 'crypto-deposits-historical' },
  withdrawal: { recent: 'crypto-withdrawals', archive: 'crypto-withdrawals-historical' },
} as const;

const FIAT_LISTS = {
  deposit: { recent: 'fiat-deposits', archive: 'fiat-deposits-historical' },
  withdrawal: { recent: 'fiat-withdrawals', archive: 'fiat-withdrawals-historical' },
} as const;

/**
 * Of one asset, or of all. No status can be asked for: a row that changes its status while pages are read would leave
 * the list, and what a page lacks would prove nothing.
 */
export function cryptoTransfers(
  direction: TransferDirection,
  asset?: Asset,
): ListTraits<CryptoTransfer, CryptoQuestion> {
  return {
    title: `crypto ${direction}s${asset === undefined ? '' : ` of ${asset}`}`,
    longestWindowMs: null,
    hasArchive: true,
    keyOf: transferKey,
    belongs: (row) => row.direction === direction && (asset === undefined || row.asset === asset),
    nameOf: cryptoName,
    absorb: absorbTransfers(cryptoProgress),
    isPending,
    question: (endpoint, query, limit) => ({
      kind: CRYPTO_LISTS[direction][endpoint],
      filter: { time: transferTime(query), ...(asset !== undefined && { asset }) },
      limit,
    }),
  };
}

export function fiatTransfers(direction: TransferDirection): ListTraits<FiatTransfer, FiatQuestion> {
  return {
    title: `fiat ${direction}s`,
    longestWindowMs: null,
    hasArchive: true,
    keyOf: transferKey,
    belongs: (row) => row.direction === direction,
    nameOf: fiatName,
    absorb: absorbTransfers(fiatProgress),
    isPending,
    question: (endpoint, query, limit) => ({
      kind: FIAT_LISTS[direction][endpoint],
      filter: { time: transferTime(query) },
      limit,
    }),
  };
}

function spotFilter(query: Query): SpotTradesFilter {
  switch (query.by) {
    case 'start':
      return { by: 'start', startTime: query.from };
    case 'end':
      return { by: 'end', endTime: query.to };
    case 'window':
      return { by: 'window', window: planned(tradeWindow(query.from, query.to)) };
    case 'from-id':
      return { by: 'from-id', fromId: query.id };
  }
}

function sbsFilter(query: Query): SbsTradesFilter {
  if (query.by === 'from-id') return { time: { by: 'all' }, fromId: query.id };
  if (query.by !== 'window') return { time: sideOfTime(query) };
  return { time: { by: 'range', range: planned(tradeWindow(query.from, query.to)) } };
}

function transferTime(query: Query): TransferTime {
  invariant(query.by !== 'from-id', 'Transfers have no ids to ask from.');
  if (query.by !== 'window') return sideOfTime(query);
  return { by: 'range', range: planned(timeRange(query.from, query.to)) };
}

type TransferTime = TimeFilter<TimeRange>;

function sideOfTime(query: Extract<Query, { by: 'start' | 'end' }>): TimeFilter<never> {
  return query.by === 'start' ? { by: 'start', startTime: query.from } : { by: 'end', endTime: query.to };
}

/** What the plan asks for is within the bounds; anything else is a bug. */
function planned<T>(bounds: Result<T>): T {
  invariant(bounds.ok, () => `A planned window is not one: ${bounds.ok ? '' : bounds.error}`);
  return bounds.value;
}
