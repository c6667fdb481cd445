// The lists of an account that can be read to the end, and their requests (specification 4.3).
import { plain } from '../domain/decimal.ts';
import type { Fill, SbsTrade } from '../domain/fill.ts';
import type { TradeId } from '../domain/ids.ts';
import type { Asset, InstrumentSymbol } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import type { Side } from '../domain/order.ts';
import type { Result } from '../domain/result.ts';
import type { CryptoTransfer, FiatTransfer, TransferDirection } from '../domain/transfer.ts';
import { type TimeRange, TRADE_WINDOW_MAX_MS, timeRange, tradeWindow } from '../venue/bounds.ts';
import type {
  ReadKind,
  ReadRequest,
  SbsTradesFilter,
  SpotTradesFilter,
  TimeFilter,
  TransferListName,
} from '../venue/requests.ts';
import type { RowKey } from './coverage.ts';
import type { Entry, ListTraits, Query } from './query.ts';

/** A request without its stamp, which it gets only when it may leave (order-truth §3). */
type Unstamped<K extends ReadKind> = { [N in K]: Omit<ReadRequest<N>, 'stamp'> & { readonly kind: N } }[K];

export type SpotTradesQuestion = Unstamped<'spot-trades' | 'spot-trades-historical'>;
export type SbsTradesQuestion = Unstamped<'sbs-trades'>;
export type CryptoQuestion = Unstamped<TransferListName<'crypto'>>;
export type FiatQuestion = Unstamped<TransferListName<'fiat'>>;
export type HistoryQuestion = SpotTradesQuestion | SbsTradesQuestion | CryptoQuestion | FiatQuestion;

/** "Within 72 hours" may mean less than 72. */
const LONGEST_WINDOW_MS = TRADE_WINDOW_MAX_MS - 1;

export function spotTrades(symbol: InstrumentSymbol): ListTraits<Fill, SpotTradesQuestion> {
  return {
    ...tradesOf<Fill>(symbol),
    title: `spot trades of ${symbol}`,
    hasArchive: true,
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
    ...tradesOf<SbsTrade>(symbol),
    title: `simple buys and sells of ${symbol}`,
    hasArchive: false,
    question: (_route, query, limit) => ({ kind: 'sbs-trades', symbol, filter: sbsFilter(query), limit }),
  };
}

type Shared<Row> = Omit<ListTraits<Row, unknown>, 'title' | 'hasArchive' | 'question'>;

const tradesOf = <Row extends SbsTrade>(symbol: InstrumentSymbol): Shared<Row> => ({
  longestWindowMs: LONGEST_WINDOW_MS,
  keyOf: (row) => ({ time: row.venueTime, id: row.tradeId }),
  belongs: (row) => row.symbol === symbol,
  nameOf: tradeName,
  absorb: absorbTrades,
  isPending: () => false,
});

const TRANSFERS = {
  longestWindowMs: Number.POSITIVE_INFINITY,
  hasArchive: true,
  keyOf: (row: CryptoTransfer | FiatTransfer): RowKey => ({ time: row.venueTime, id: null }),
} as const;

/**
 * Of one asset, or of all. There is no filter by status: a row that changes its status while pages are read would leave
 * the list, and its absence from a page would prove nothing.
 */
export function cryptoTransfers(
  direction: TransferDirection,
  asset?: Asset,
): ListTraits<CryptoTransfer, CryptoQuestion> {
  return {
    ...TRANSFERS,
    title: `crypto ${direction}s${asset === undefined ? '' : ` of ${asset}`}`,
    belongs: (row) => row.direction === direction && (asset === undefined || row.asset === asset),
    nameOf: cryptoName,
    absorb: absorbTransfers(cryptoProgress),
    isPending,
    question: (endpoint, query, limit) => ({
      kind: `crypto-${direction}s${TWIN[endpoint]}`,
      filter: { time: transferTime(query), ...(asset !== undefined && { asset }) },
      limit,
    }),
  };
}

export function fiatTransfers(direction: TransferDirection): ListTraits<FiatTransfer, FiatQuestion> {
  return {
    ...TRANSFERS,
    title: `fiat ${direction}s`,
    belongs: (row) => row.direction === direction,
    nameOf: fiatName,
    absorb: absorbTransfers(fiatProgress),
    isPending,
    question: (endpoint, query, limit) => ({
      kind: `fiat-${direction}s${TWIN[endpoint]}`,
      filter: { time: transferTime(query) },
      limit,
    }),
  };
}

/** What its name adds to that of the recent list. */
const TWIN = { recent: '', archive: '-historical' } as const;

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

/** The plan's requests are within the bounds; anything else is a bug. */
function planned<T>(bounds: Result<T>): T {
  invariant(bounds.ok, () => `A planned window is not one: ${bounds.ok ? '' : bounds.error}`);
  return bounds.value;
}

// Trades are identified by id and side; a trade shown again with other content was corrected by the venue.

/**
 * A self-trade is two rows with one id, one on each side, as the ledger books it (`TradeName` of booked-trades.ts). Ids
 * are numbers as text: leading zeros don't count.
 */
const tradeName = ({ tradeId, side }: { readonly tradeId: TradeId; readonly side: Side }): string =>
  `${tradeId.replace(/^0+(?=\d)/, '')} ${side}`;

/** A corrected trade is handed out again (order-truth §4: same id with other content); an identical repeat is not. */
function absorbTrades<Row>(known: Entry<Row>[], shown: readonly Row[]): Entry<Row>[] {
  const newest = shown.at(-1);
  const [entry] = known;
  if (newest === undefined) return [];
  if (entry === undefined) {
    const added = { row: newest, handedOut: null };
    known.push(added);
    return [added];
  }
  if (JSON.stringify(entry.row) === JSON.stringify(newest)) return [];
  entry.row = newest;
  if (entry.handedOut === null) return [];
  entry.handedOut = null;
  return [entry];
}

// Identifies transfers. They have no ids: their name is made of the fields that never change, and identical ones are
// counted.

const name = (...parts: readonly (string | number)[]): string => JSON.stringify(parts);

/** Status, hash and addresses may come later, and a fee may be settled later: none of them is part of the name. */
export const cryptoName = (row: CryptoTransfer): string =>
  name(row.direction, row.venueTime, row.asset, plain(row.amount), row.network);

export const fiatName = (row: FiatTransfer): string =>
  name(row.direction, row.venueTime, plain(row.amount), row.referenceId);

/** The fields of a row that may change, once, from open to settled. */
interface Progress {
  /** `null` while it is not final. */
  readonly finalStatus: string | null;
  /** `null` until there is one. */
  readonly hash: string | null;
}

const FINAL: readonly string[] = ['success', 'failed', 'rejected'];

/** An unlisted word counts as not final. */
export const isPending = ({ status }: CryptoTransfer | FiatTransfer): boolean => !FINAL.includes(status);

export const cryptoProgress = (row: CryptoTransfer): Progress => ({
  finalStatus: isPending(row) ? null : row.status,
  hash: row.transactionHash,
});

const fiatProgress = (row: FiatTransfer): Progress => ({
  finalStatus: isPending(row) ? null : row.status,
  hash: null,
});

/**
 * Joins transfers with the same name into the fewest that explain both: each row of a page is a known one, unchanged or
 * advanced, or else a new one. A page that covers their millisecond shows them all, so the count is right where reading
 * is complete.
 */
export function absorbTransfers<Row>(progressOf: (row: Row) => Progress) {
  return (known: Entry<Row>[], shown: readonly Row[]): Entry<Row>[] => {
    const left = new Set(known);
    const fresh = shown.filter((row) => !join(row, left));
    const added = fresh.map((row) => ({ row, handedOut: null }));
    known.push(...added);
    return added;
  };

  function join(row: Row, left: Set<Entry<Row>>): boolean {
    const fitting = [...left].filter((entry) => mayBecome(progressOf(entry.row), progressOf(row)));
    // The fitting entry with the most known fields: a less known one may still fit the next row.
    const [best] = fitting.sort((a, b) => knownOf(progressOf(b.row)) - knownOf(progressOf(a.row)));
    if (best === undefined) return false;
    left.delete(best);
    best.row = row;
    return true;
  }
}

/** The same hash means the same transfer; the same final status need not. */
const knownOf = ({ hash, finalStatus }: Progress): number => (hash === null ? 0 : 2) + (finalStatus === null ? 0 : 1);

/** It is unchanged or has advanced: known fields of a transfer never change. */
const mayBecome = (before: Progress, now: Progress): boolean =>
  (before.finalStatus === null || before.finalStatus === now.finalStatus) &&
  (before.hash === null || before.hash === now.hash);
