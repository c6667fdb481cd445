// The exchange's record of one account, in addition to the engine's: trades, transfers, closed orders, and what its
// lists show.
import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { EngineTrade } from '../../matching/types.ts';
import type { Purpose } from './amounts.ts';
import type { ListedOrder } from './in-flight.ts';
import type { Transfer, TransferId } from './owner-actions.ts';

/** One execution or simple buy or sell of the account in wire form; plain JSON. */
export interface TradeRow {
  readonly symbol: InstrumentSymbol;
  /** Digits; may exceed 2^53. */
  readonly id: string;
  readonly price: string;
  readonly qty: string;
  readonly quoteQty: string;
  readonly commission: string;
  readonly commissionAsset: Asset;
  readonly tds: string;
  readonly time: EpochMs;
  readonly isBuyer: boolean;
  readonly isMaker: boolean;
}

/** Specification 2.14. `id` is the number of the SBS order. */
export type SbsRow = TradeRow;

/** Specification 2.13. */
export interface FillRow extends TradeRow {
  readonly orderId: string;
}

/** A row with facts that the exchange does not show. */
export interface Kept<Row extends TradeRow = TradeRow> {
  readonly row: Row;
  /** When it happened, without the exchange's clock error: windows and lags use this time. */
  readonly at: EpochMs;
  /** Hidden before this; absent: shown at once. */
  readonly shownFrom?: EpochMs;
}

export interface KeptFill extends Kept<FillRow> {
  /** With both sides, for undoing it. */
  readonly trade: EngineTrade;
}

/** `locked` is for orders, withdrawals and P2P; the wallet may show its sum with staking and OTC (Q12). */
export interface WalletRow {
  readonly free: string;
  readonly locked: string;
  readonly lockedFd: string;
  readonly lockedStaking: string;
  readonly lockedOtc: string;
}

export interface AccountRecord {
  /** In order of `at`, at most TRADES_MAX, the oldest are dropped. */
  readonly fills: KeptFill[];
  readonly sbsTrades: Kept<SbsRow>[];
  /** Ids of orders that closed, oldest first; at most CLOSED_MAX. */
  readonly closed: Set<string>;
  /** In their present state, in order of recording; at most TRANSFERS_MAX. */
  readonly transfers: Map<TransferId, Transfer>;
  /** Every purpose it has ever set money aside for. */
  readonly pockets: Set<Purpose>;
  readonly openOrders: DelayedView<ListedOrder>;
  readonly wallet: DelayedView<WalletRow>;
  /** As the lists show them. */
  readonly shownTransfers: DelayedView<Transfer>;
  /** Its lists of trades have shown everything up to here: like views, they never go back. */
  tradesShownUntil: EpochMs;
  /** The next `count` executions show `forMs` late. */
  nextTrades: { readonly count: number; readonly forMs: DurationMs } | null;
}

const TRADES_MAX = 100_000;
/** Dropped in batches, so that the list is not moved at every fill. */
const TRADES_DROPPED = 1_000;
const CLOSED_MAX = 2_000;
const CLOSED_DROPPED = 200;
export const TRANSFERS_MAX = 10_000;

export function createAccountRecord(): AccountRecord {
  return {
    fills: [],
    sbsTrades: [],
    closed: new Set(),
    transfers: new Map(),
    pockets: new Set(),
    openOrders: createView(),
    wallet: createView(),
    shownTransfers: createView(),
    tradesShownUntil: 0,
    nextTrades: null,
  };
}

/** Inserts a row by its time, after those of the same moment: a backdated row is not the last. */
export function recordTrade<K extends Kept>(kept: K[], trade: K): void {
  kept.splice(kept.findLastIndex(({ at }) => at <= trade.at) + 1, 0, trade);
  if (kept.length > TRADES_MAX) kept.splice(0, TRADES_DROPPED);
}

/** An execution at the exchange's `now`, held back if an owner's action requires it. */
export function recordFill(record: AccountRecord, fill: KeptFill, now: EpochMs): void {
  const delay = record.nextTrades;
  if (delay === null) {
    recordTrade(record.fills, fill);
    return;
  }
  recordTrade(record.fills, { ...fill, shownFrom: now + delay.forMs });
  record.nextTrades = delay.count > 1 ? { ...delay, count: delay.count - 1 } : null;
}

export function recordClosed(record: AccountRecord, orderId: string): void {
  record.closed.add(orderId);
  if (record.closed.size <= CLOSED_MAX) return;
  for (const oldest of [...record.closed].slice(0, CLOSED_DROPPED)) record.closed.delete(oldest);
}

// A list that trails the facts: changes wait until they are old enough, then show (Q6).

interface Change<Row> {
  readonly at: EpochMs;
  readonly key: string;
  /** `null` removes the row. */
  readonly row: Row | null;
}

/** Rows by key in order of first appearance, and the hidden changes, oldest first. */
interface DelayedView<Row> {
  readonly visible: Map<string, Row>;
  readonly pending: Change<Row>[];
}

/** Most hidden changes; beyond it the oldest show early. */
const PENDING_MAX = 20_000;

function createView<Row>(): DelayedView<Row> {
  return { visible: new Map(), pending: [] };
}

/** Records a change; `at` must not be before the last one's. */
export function recordChange<Row>(view: DelayedView<Row>, change: Change<Row>, lagMs: number): void {
  if (lagMs === 0 && view.pending.length === 0) {
    show(view, change);
    return;
  }
  view.pending.push(change);
  showUntil(view, change.at - lagMs);
}

/** The rows at `until`, or at the last moment shown if that is later: a view never goes back. */
export function showUntil<Row>(view: DelayedView<Row>, until: EpochMs): ReadonlyMap<string, Row> {
  let due = Math.max(0, view.pending.length - PENDING_MAX);
  while ((view.pending[due]?.at ?? Number.POSITIVE_INFINITY) <= until) due += 1;
  for (const change of due > 0 ? view.pending.splice(0, due) : []) show(view, change);
  return view.visible;
}

function show<Row>({ visible }: DelayedView<Row>, { key, row }: Change<Row>): void {
  if (row === null) visible.delete(key);
  else visible.set(key, row);
}
