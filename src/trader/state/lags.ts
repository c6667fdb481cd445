// One order against the lists of open orders: when it should have shown in them, and when not any more. Pure.
import type { IntentId } from '../../domain/ids.ts';
import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import { type DurationMs, type EpochMs, MINUTE } from '../../domain/time.ts';
import { type Amount, add, NO_AMOUNT } from '../../ledger/amount.ts';
import type { Changes } from '../durable/external-flow.ts';

/** A list that was read. */
export interface Look {
  readonly sentAt: EpochMs;
  readonly receivedAt: EpochMs;
  /** It had no row at all: so does a list in an outage look. */
  readonly empty?: boolean;
}

/** When something happened at the exchange, as exactly as it is known, by our clock. */
export interface Happened {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

/** Whole lists in a row that all showed the order, or all lacked it. */
interface Run {
  readonly listed: boolean;
  readonly first: Look;
  beforeLast: Look;
  last: Look;
}

export interface OrderWatch {
  readonly symbol: InstrumentSymbol;
  /** From the create's leaving to its acknowledgment; null where that never came. */
  readonly accepted: Happened | null;
  readonly runs: Run[];
  /** When its first cancel left; null before. */
  cancelSentAt: EpochMs | null;
  /** When a cancel was first acknowledged; null before. */
  canceledAt: EpochMs | null;
  /** The last of its fills. */
  lastFill: Happened | null;
  closed: 'filled' | 'canceled' | null;
}

export const watchOrder = (symbol: InstrumentSymbol, accepted: Happened | null): OrderWatch => ({
  symbol,
  accepted,
  runs: [],
  cancelSentAt: null,
  canceledAt: null,
  lastFill: null,
  closed: null,
});

/** Lists come and go while they trail: what matters is the last wrong one, so few turns are enough. */
const RUNS_KEPT = 8;

/** A whole list was read. One that left before the last one, and came later, says nothing. */
export function noteListed({ runs }: OrderWatch, listed: boolean, look: Look): void {
  const run = runs.at(-1);
  if (run !== undefined && look.sentAt <= run.last.sentAt) return;
  if (run?.listed === listed) Object.assign(run, { beforeLast: run.last, last: look });
  else runs.push({ listed, first: look, beforeLast: look, last: look });
  if (runs.length > RUNS_KEPT) runs.shift();
}

/** What is proved; `atMostMs` is null where no list was right since. */
export interface Proved {
  readonly atLeastMs: DurationMs;
  /** The same by two looks in a row: one list may be an outage, and so may all that have no row. */
  readonly confirmedMs: DurationMs;
  readonly atMostMs: DurationMs | null;
}

/**
 * When the order ended: its last fill, or between the leaving of its first cancel and an acknowledgment. Null while it
 * has not, and where nothing of ours says when: somebody else may have canceled it at any time.
 */
export function endOf({ closed, lastFill, cancelSentAt, canceledAt }: OrderWatch): Happened | null {
  if (closed === 'filled') return lastFill;
  if (cancelSentAt === null || canceledAt === null) return null;
  return { from: cancelSentAt, to: canceledAt };
}

/**
 * How far open orders trailed its create. A list that lacks it counts only where the order surely rested when it came:
 * it filled later, or a later list showed it and it ended by a cancel of ours. A list that lacks what lists showed
 * before, longer after the create than any may trail, has a hole: that is another fault. Null where no list was to show
 * it.
 */
export function listedLag(watch: OrderWatch, assumedMs: DurationMs): Proved | null {
  const { accepted, runs, lastFill } = watch;
  const end = endOf(watch);
  if (accepted === null || end === null) return null;
  const lackedBy = (run: Run, until: EpochMs, shown: boolean): Wrong | null => {
    const before = looksOf(run).filter(({ receivedAt }) => receivedAt < until);
    const wrong = wrongBy(before, accepted.to);
    if (wrong === null || (shown && wrong.atLeastMs > assumedMs)) return null;
    const sound = before.filter(({ empty }) => empty !== true);
    return { ...wrong, confirmedMs: wrongBy(sound, accepted.to)?.confirmedMs ?? 0 };
  };
  let proved: Proved = NOT_WRONG;
  let perhaps: Wrong | null = null;
  for (const [index, run] of runs.entries()) {
    const shown = runs.slice(0, index).some(({ listed }) => listed);
    if (run.listed) {
      if (perhaps !== null) proved = { ...perhaps, atMostMs: null };
      proved = { ...proved, atMostMs: proved.atMostMs ?? run.first.receivedAt - accepted.from };
      perhaps = null;
    } else {
      const surely = lackedBy(run, lastFill?.from ?? 0, shown);
      if (surely !== null) proved = { ...surely, atMostMs: null };
      perhaps = lackedBy(run, end.from, shown);
    }
  }
  return proved;
}

type Wrong = Omit<Proved, 'atMostMs'>;

const NOT_WRONG: Proved = { atLeastMs: 0, confirmedMs: 0, atMostMs: null };

/** The last ones first. */
const looksOf = ({ first, beforeLast, last }: Run): Look[] => [...new Set([last, beforeLast, first])];

/** By how much wrong lists, the last ones first, left after something should have shown; null where none did. */
function wrongBy(looks: readonly Look[], since: EpochMs): Wrong | null {
  const [atLeastMs = 0, confirmedMs = 0] = looks.map(({ sentAt }) => Math.max(0, sentAt - since));
  return atLeastMs > 0 ? { atLeastMs, confirmedMs } : null;
}

/**
 * How far open orders trailed its end, so far. Null while it has not ended, and where lists lacked it before its cancel
 * left: somebody else ended it, nobody knows when.
 */
export function goneLag(watch: OrderWatch): Proved | null {
  const end = endOf(watch);
  if (end === null) return null;
  const before = watch.runs.findLast(({ first }) => first.receivedAt < end.from);
  if (watch.closed !== 'filled' && before?.listed === false) return null;
  let found = NOT_WRONG;
  for (const run of watch.runs) {
    const { listed, first, last } = run;
    const wrong = listed ? wrongBy(looksOf(run), end.to) : null;
    if (wrong !== null) found = { ...wrong, atMostMs: null };
    else if (!listed && last.sentAt > end.to) {
      // The first of them may have come before the order ended.
      const right = first.receivedAt >= end.from ? first : last;
      found = { ...found, atMostMs: found.atMostMs ?? right.receivedAt - end.from };
    }
  }
  return found;
}

/** Whether lists have lacked it for so long after its end that none is expected to show it again. */
export function isSettled(watch: OrderWatch, settledAfterMs: DurationMs): boolean {
  const end = endOf(watch);
  const run = watch.runs.at(-1);
  return watch.closed !== null && end !== null && run?.listed === false && run.last.sentAt >= end.to + settledAfterMs;
}

// One fill against the pages of own trades and the wallets: when they should have shown it. Pure.

/** The last wrong look, and the first right one after it. */
interface Seen {
  lackedSentAt: EpochMs | null;
  shownAt: EpochMs | null;
}

export interface FillWatch {
  readonly symbol: InstrumentSymbol;
  readonly tradeId: string;
  readonly venueTime: EpochMs;
  readonly happened: Happened;
  /** What it did to the wallet. */
  readonly changes: Changes;
  readonly trades: Seen;
  readonly wallet: Seen;
}

export interface WalletLook extends Look {
  readonly totals: ReadonlyMap<Asset, Amount>;
}

export function lagOf({ lackedSentAt, shownAt }: Seen, { from, to }: Happened): Proved {
  const atLeastMs = lackedSentAt === null ? 0 : Math.max(0, lackedSentAt - to);
  return {
    atLeastMs,
    // What was lacking is known by its number, or to the last digit: no outage looks like that.
    confirmedMs: atLeastMs,
    atMostMs: shownAt === null ? null : shownAt - from,
  };
}

function noteShown(seen: Seen, shown: boolean, look: Look): void {
  if (shown) seen.shownAt ??= look.receivedAt;
  else Object.assign(seen, { lackedSentAt: look.sentAt, shownAt: null });
}

/**
 * A whole page of own trades that was asked for from this trade on. Without it, it is of a server that is behind the
 * one before; longer after the fill than any may trail, the trade has left the list, or the list has a hole.
 */
export function noteInTrades(watch: FillWatch, { shown, look, assumedMs }: Paged): void {
  if (!shown && look.sentAt - watch.happened.to > assumedMs) return;
  noteShown(watch.trades, shown, look);
}

interface Paged {
  readonly shown: boolean;
  readonly look: Look;
  readonly assumedMs: DurationMs;
}

/**
 * All of the fills are in the ledger, whose totals these are. A wallet lacks the newest of them, if it differs from
 * that by exactly what they moved: so may the last one, which equals the ledger of now or of a moment before. Where
 * nothing fits, or more than one number of them does, it says nothing of any.
 */
export function judgeWallets(
  fills: readonly FillWatch[],
  wallets: readonly WalletLook[],
  ledger: WalletLook['totals'],
): void {
  const newestFirst = fills.toSorted((a, b) => b.venueTime - a.venueTime || compareIds(b.tradeId, a.tradeId));
  for (const wallet of wallets) {
    const lacks = lackedBy(wallet, ledger, newestFirst);
    for (const [index, { wallet: seen, happened }] of newestFirst.entries()) {
      if (wallet.receivedAt < happened.from) continue;
      if (lacks === null) seen.shownAt = null;
      else if (index >= lacks) noteShown(seen, true, wallet);
      else if (wallet.sentAt > happened.to) noteShown(seen, false, wallet);
    }
  }
}

function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : Number(a > b));
}

/** How many of the newest fills the wallet lacks; null where that can't be said. */
function lackedBy(
  { totals }: WalletLook,
  ledger: WalletLook['totals'],
  newestFirst: readonly FillWatch[],
): number | null {
  const missing = new Map<Asset, Amount>();
  const fits = (): boolean =>
    [...ledger].every(
      ([asset, total]) => add(totals.get(asset) ?? NO_AMOUNT, missing.get(asset) ?? NO_AMOUNT) === total,
    );
  let found = fits() ? [0] : [];
  for (const [index, { changes }] of newestFirst.entries()) {
    for (const [asset, by] of changes) missing.set(asset, add(missing.get(asset) ?? NO_AMOUNT, by));
    if (fits()) found = [...found, index + 1];
  }
  return found.length === 1 ? (found[0] ?? null) : null;
}

// How far the exchange's lists were seen to trail what is so: an interval for each own create, cancel and fill.

/**
 * - `listed`: from a create that was acknowledged to the list of open orders that shows the order.
 * - `gone`: from an acknowledged cancel, or the last fill, to the list of open orders that lacks it.
 * - `trades`: from a fill to its row in own trades.
 * - `wallet`: from a fill to the wallet that holds what it moved.
 */
export const LAG_KINDS = ['listed', 'gone', 'trades', 'wallet'] as const;
export type LagKind = (typeof LAG_KINDS)[number];

/**
 * What one event proves: lists that left later than `atLeastMs` after it were wrong, and one that came `atMostMs` after
 * it was right.
 */
export interface LagSample {
  /** When it was complete, by our clock. */
  readonly at: EpochMs;
  readonly atLeastMs: DurationMs;
  readonly atMostMs: DurationMs;
}

/** A proof that a list trailed by more than is assumed. */
export interface BrokenBound {
  readonly kind: LagKind;
  readonly at: EpochMs;
  readonly atLeastMs: DurationMs;
}

/** Lists by whose times something is decided. */
export const DATED_LISTS = ['open-orders', 'spot-trades', 'public-trades'] as const;
export type DatedList = (typeof DATED_LISTS)[number];

/** What is kept over a restart. */
export interface MeasuredLags {
  /** Oldest first. */
  readonly samples: Readonly<Record<LagKind, readonly LagSample[]>>;
  readonly broken: BrokenBound | null;
}

export interface Lags {
  readonly samples: Record<LagKind, LagSample[]>;
  broken: BrokenBound | null;
  /** The exchange's clock less ours, when it was last known; null while it is not. */
  offsetMs: DurationMs | null;
  /** Rises with every sample. */
  version: number;
  readonly orders: Map<IntentId, OrderWatch>;
  readonly fills: Map<string, FillWatch>;
  /** Since the last wallet that equalled the ledger, and that one, oldest first. */
  wallets: readonly WalletLook[];
  /** Of rows whose times can't be true, by their names: by how much they are off. */
  readonly wrongTimes: Readonly<Record<DatedList, Map<string, DurationMs>>>;
}

/** Samples that are kept of each kind. */
export const SAMPLES_KEPT = 500;

const nothingMeasured = (): MeasuredLags => ({
  samples: { listed: [], gone: [], trades: [], wallet: [] },
  broken: null,
});

export function startLags({ samples, broken }: MeasuredLags = nothingMeasured()): Lags {
  const copies = LAG_KINDS.map((kind) => [kind, samples[kind].slice(-SAMPLES_KEPT)] as const);
  return {
    samples: Object.fromEntries(copies) as Lags['samples'],
    broken,
    offsetMs: null,
    version: 0,
    orders: new Map(),
    fills: new Map(),
    wallets: [],
    wrongTimes: { 'open-orders': new Map(), 'spot-trades': new Map(), 'public-trades': new Map() },
  };
}

/** In an outage nobody looks: what was right at the first look after so long says nothing of the list. */
const UNSEEN_MS = 5 * MINUTE;

/** Keeps what an event proves, in whole milliseconds. An interval that is none is a clock's, or of another fault. */
export function addSample(lags: Lags, kind: LagKind, { at, atLeastMs, atMostMs }: LagSample): void {
  if ((atLeastMs === 0 && atMostMs > UNSEEN_MS) || atMostMs < atLeastMs) return;
  const samples = lags.samples[kind];
  samples.push({ at, atLeastMs: Math.floor(atLeastMs), atMostMs: Math.ceil(atMostMs) });
  if (samples.length > SAMPLES_KEPT) samples.shift();
  lags.version += 1;
}

/** Our clock was set: between a moment of before and one of now lies no duration. */
export function forgetWatched(lags: Lags): void {
  lags.orders.clear();
  lags.fills.clear();
  lags.wallets = [];
}

/** The oldest entries go first. */
export function keepNewest<K>(map: Map<K, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
