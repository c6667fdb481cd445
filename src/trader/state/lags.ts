// How far the exchange's lists trail reality: one event, and the lists that should show it. Pure.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { type DurationMs, type EpochMs, MINUTE } from '../../domain/time.ts';

/** A list that was read. */
export interface Look {
  readonly sentAt: EpochMs;
  readonly receivedAt: EpochMs;
}

/** When something happened at the exchange, by our clock, as exactly as known. */
export interface Happened {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

/** The proved lag of the lists for one event. */
export interface Proved {
  readonly atLeastMs: DurationMs;
  /** The same, by a second wrong list before the last one: a single one may be an outage. */
  readonly confirmedMs: DurationMs;
  readonly atMostMs: DurationMs;
}

export interface Watch {
  readonly kind: Exclude<LagKind, 'trades'>;
  /** The id of the intent. */
  readonly id: string;
  readonly symbol: InstrumentSymbol;
  readonly happened: Happened;
  /** From then on a list may lack an order because it ended. */
  endedFrom: EpochMs | null;
  /** When the last list left. */
  lookedAt: EpochMs;
  /** Send times of the last two wrong lists since the last right one. */
  wrong: readonly EpochMs[];
  /** Null before the first right list. */
  proved: Proved | null;
}

type Event = Pick<Watch, 'kind' | 'id' | 'symbol' | 'happened'>;

/** A watch of the same event begins anew. */
export function watchEvent({ watches }: Pick<Lags, 'watches'>, event: Event): void {
  const key = `${event.kind} ${event.id}`;
  watches.set(key, { ...event, endedFrom: null, lookedAt: 0, wrong: [], proved: null });
  keepNewest(watches, MOST_WATCHED);
}

const MOST_WATCHED = 500;

/** From then on a list may rightly lack the order. */
export function endOrder({ watches }: Pick<Lags, 'watches'>, id: string, from: EpochMs): void {
  const listed = watches.get(`listed ${id}`);
  if (listed !== undefined) listed.endedFrom = Math.min(from, listed.endedFrom ?? from);
}

/** Adds a complete list. Lists come and go while they trail: the last wrong one before the last right one counts. */
export function addLook(watch: Watch, isRight: boolean, { sentAt, receivedAt }: Look): void {
  const { happened, endedFrom } = watch;
  if (sentAt <= watch.lookedAt || receivedAt < happened.from) return;
  watch.lookedAt = sentAt;
  if (!isRight) {
    const isExpected = sentAt > happened.to && (endedFrom === null || receivedAt < endedFrom);
    if (isExpected) watch.wrong = [...watch.wrong.slice(-1), sentAt];
  } else if (watch.proved === null || watch.wrong.length > 0) {
    watch.proved = { ...wrongBy(watch), atMostMs: receivedAt - happened.from };
    watch.wrong = [];
  }
}

/** How long after the event the wrong lists left that came since the last right one. */
export function wrongBy({ wrong, happened: { to } }: Watch): Omit<Proved, 'atMostMs'> {
  return { atLeastMs: (wrong.at(-1) ?? to) - to, confirmedMs: (wrong.at(-2) ?? to) - to };
}

// Measurements: an interval for each own create, cancel and fill.

/**
 * - `listed`: from a create that was acknowledged to the list of open orders that shows the order.
 * - `gone`: from an acknowledged cancel, or the last fill, to the list of open orders that lacks it.
 * - `trades`: from a fill to its row in own trades.
 */
export const LAG_KINDS = ['listed', 'gone', 'trades'] as const;
export type LagKind = (typeof LAG_KINDS)[number];

/**
 * An event's proof: lists that left later than `atLeastMs` after it were wrong, and one that came `atMostMs` after it
 * was right.
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

/** Lists whose times decide something. */
export const DATED_LISTS = ['open-orders', 'spot-trades', 'public-trades'] as const;
export type DatedList = (typeof DATED_LISTS)[number];

export interface Lags {
  /** Since the start of the process, oldest first. */
  readonly samples: Readonly<Record<LagKind, LagSample[]>>;
  broken: BrokenBound | null;
  /** The exchange's clock minus ours, when it was last known; null while it is not. */
  offsetMs: DurationMs | null;
  /** Events still being compared with lists, by kind and id. */
  readonly watches: Map<string, Watch>;
  /** How far the times of impossible rows are off, by row. */
  readonly wrongTimes: Readonly<Record<DatedList, Map<string, DurationMs>>>;
}

/** Samples kept per kind. */
export const SAMPLES_KEPT = 500;

export function startLags(): Lags {
  return {
    samples: { listed: [], gone: [], trades: [] },
    broken: null,
    offsetMs: null,
    watches: new Map(),
    wrongTimes: { 'open-orders': new Map(), 'spot-trades': new Map(), 'public-trades': new Map() },
  };
}

/** An outage has no reads: a list that is right at the first read after this long proves nothing about its lag. */
const UNSEEN_MS = 5 * MINUTE;

/**
 * Records an event's proof, in whole milliseconds. An impossible interval comes from a clock, or from another fault.
 */
export function addSample(lags: Lags, kind: LagKind, { at, atLeastMs, atMostMs }: LagSample): void {
  if ((atLeastMs === 0 && atMostMs > UNSEEN_MS) || atMostMs < atLeastMs) return;
  const samples = lags.samples[kind];
  samples.push({ at, atLeastMs: Math.floor(atLeastMs), atMostMs: Math.ceil(atMostMs) });
  if (samples.length > SAMPLES_KEPT) samples.shift();
}

/** The oldest entries go first. */
export function keepNewest<K>(map: Map<K, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
