// Learns the shifts of time fields from answers: what their rows prove about the clock that wrote them.
import { type DurationMs, type EpochMs, SECOND } from '../../domain/time.ts';
import type { ReadKind } from '../../venue/requests.ts';
import { movedBy, NOTHING_KNOWN, type OffsetBelief, type OffsetSample, weigh } from './offset-belief.ts';
import {
  type DateReading,
  evidenceOf,
  type KindRecord,
  measuredMsOf,
  NOTHING_LEARNED,
  type Page,
  QUARTER,
  type TimeOffsetChange,
  type TimeOffsetSettings,
  type TimeOffsets,
} from './time-offsets.ts';

/** One time as it was written, and what names the row that it stands in. */
export interface SeenTime {
  readonly name: string;
  readonly at: EpochMs;
}

/** The times of one answer. */
export interface TimesSeen {
  readonly kind: ReadKind;
  /** Names the question: answers to the same one can be compared. */
  readonly list: string;
  /**
   * `events`: the time of a row stays, and the row is listed soon after it. `records`: it stays, but the row may be
   * listed long after (a deposit that was on its way). `latest`: it moves on with what the row tells.
   */
  readonly shape: 'events' | 'records' | 'latest';
  readonly times: readonly SeenTime[];
  /** Only a page of which every row was understood can show that a row was not there. */
  readonly complete: boolean;
  /** The answer's `Date`. */
  readonly venueDate: EpochMs;
}

/** An accepted create: its order was made while the request was on its way. */
interface OrderMade {
  /** As the list of open orders names it. */
  readonly name: string;
  readonly venueDate: EpochMs;
  readonly roundTripMs: DurationMs;
}

const DATE_RESOLUTION_MS: DurationMs = SECOND;
/** Faster than any quartz drifts. */
const DRIFT_PPM = 500;
/** How many tolerances a stepped clock must have run evenly: one that stands still leaves the tolerance before. */
const STEP_PROVED_AFTER = 2;
/** Questions and orders that are remembered; the oldest are forgotten. */
const PAGES_KEPT = 64;
/** No list is as long; a page of more rows is not remembered. */
const ROWS_KEPT = 1_000;
const ORDERS_KEPT = 256;
const QUESTION_OF_ORDERS: ReadKind = 'open-orders';

/** When an answer was given, by the exchange's clock, and our monotonic time of the same moment. */
export interface DatedAnswer {
  readonly at: EpochMs;
  readonly mono: DurationMs;
  /** Whether a signed request was taken at that time: a header alone may be wrong by hours (F88). */
  readonly proved: boolean;
}

/**
 * Takes in the date of any answer. `trusted` is false where it does not go with those before: nothing must be learned
 * from that answer's rows. What is proved is always trusted, and what was learned by another clock that was not is
 * forgotten. Without a proof the clock has stepped only when the new time has run evenly for a while (a frozen clock
 * does not).
 */
export function observeDate(
  state: TimeOffsets,
  { at, mono, proved }: DatedAnswer,
): { readonly state: TimeOffsets; readonly trusted: boolean } {
  const { clock, settings } = state;
  const reading: DateReading = { aheadMs: at - mono, mono };
  if (clock === null) return { state: { ...state, clock: { reading, proved, other: null } }, trusted: true };
  if (goesWith(clock.reading, reading, settings)) {
    const followed = { reading: drifted(clock.reading, reading), proved: clock.proved || proved, other: null };
    return { state: { ...state, clock: followed }, trusted: true };
  }
  if (proved) {
    // Where both were proved, our own clock stood still meanwhile, or the exchange's moved with the times of its rows.
    const known = clock.proved ? state : withoutShifts(state, at);
    return { state: { ...known, clock: { reading, proved, other: null } }, trusted: true };
  }
  if (clock.other === null || !goesWith(clock.other, reading, settings)) {
    return { state: { ...state, clock: { ...clock, other: reading } }, trusted: false };
  }
  if (mono - clock.other.mono < STEP_PROVED_AFTER * settings.toleranceMs) return { state, trusted: false };
  return { state: { ...withoutShifts(state, at), clock: { reading, proved, other: null } }, trusted: true };
}

/** What was learned by a clock that was wrong, or of which nobody knows, is forgotten. */
function withoutShifts(state: TimeOffsets, at: EpochMs): TimeOffsets {
  const kinds = new Map([...state.kinds].map(([kind, record]) => [kind, forgotten(record, at)]));
  return { ...state, kinds, pages: new Map(), made: new Map() };
}

function goesWith(before: DateReading, now: DateReading, { toleranceMs }: TimeOffsetSettings): boolean {
  // The other half is left for what the venue's own clocks differ by.
  return Math.abs(now.aheadMs - before.aheadMs) <= toleranceMs / 2 + driftBetween(before, now);
}

/** Follows no faster than clocks drift: a `Date` that stands still drags nothing along. */
function drifted(before: DateReading, now: DateReading): DateReading {
  const drift = driftBetween(before, now);
  const step = Math.min(Math.max(now.aheadMs - before.aheadMs, -drift), drift);
  return { aheadMs: before.aheadMs + step, mono: now.mono };
}

const driftBetween = (before: DateReading, now: DateReading): DurationMs =>
  Math.abs(now.mono - before.mono) * (DRIFT_PPM / 1e6);

/**
 * Remembers an order, in place (a copy per create would cost more than the rest): where it shows up, its creation time
 * is known from both sides. A name that was there before is not what this create made (F17).
 */
export function observeOrderMade(state: TimeOffsets, order: OrderMade): TimeOffsets {
  if (isNamed(state, order.name)) return state;
  const { toleranceMs, readLagMs } = state.settings;
  const span = {
    earliest: order.venueDate - order.roundTripMs - toleranceMs,
    latest: order.venueDate + DATE_RESOLUTION_MS + readLagMs + toleranceMs,
  };
  const { made } = state;
  made.set(order.name, span);
  const [oldest] = made.keys();
  if (made.size > ORDERS_KEPT && oldest !== undefined) made.delete(oldest);
  return state;
}

/** Whether an order of that name was made, or any row of that name listed, as far as is remembered. */
function isNamed({ made, pages }: TimeOffsets, name: string): boolean {
  return made.has(name) || [...pages.values()].some(({ times }) => times.has(name));
}

/** Takes in the times of one answer, as written. Its `Date` must have been observed and trusted. */
export function observeTimes(state: TimeOffsets, seen: TimesSeen): TimeOffsets {
  const before = state.pages.get(seen.list) ?? null;
  const record = state.kinds.get(seen.kind) ?? NOTHING_LEARNED;
  const samples = samplesOf(state, seen, before);
  const learned = samples.reduce(
    (known, sample) => weighed(known, sample, seen.venueDate),
    moved(record, seen, before),
  );
  const kinds = learned === record ? state.kinds : new Map(state.kinds).set(seen.kind, learned);
  if (!seen.complete || seen.times.length > ROWS_KEPT) return { ...state, kinds };
  return { ...state, kinds, pages: withNewest(state.pages, seen.list, { value: pageOf(seen), kept: PAGES_KEPT }) };
}

/** Rows that were read before keep their names and tell nothing new. */
function samplesOf(state: TimeOffsets, seen: TimesSeen, before: Page | null): readonly OffsetSample[] {
  const unseen = seen.times.filter(({ name, at }) => isUnseen(before?.times.get(name), at, seen.shape));
  if (unseen.length === 0) return [];
  const { toleranceMs, readLagMs } = state.settings;
  const newest = newestOf(unseen);
  const least = quartersUp(newest - (seen.venueDate + DATE_RESOLUTION_MS + toleranceMs));
  const fresh = newestFresh(unseen, seen, before);
  const most = fresh === null ? Infinity : quartersDown(fresh.at - (fresh.since - readLagMs - toleranceMs));
  return [{ least, most, firm: false }, ...madeSamples(state, seen.kind, unseen)];
}

// Zero is added because the ceiling of a small negative number is −0.
const quartersUp = (ms: DurationMs): number => Math.ceil(ms / QUARTER) + 0;
const quartersDown = (ms: DurationMs): number => Math.floor(ms / QUARTER);

const isUnseen = (before: EpochMs | undefined, at: EpochMs, shape: TimesSeen['shape']): boolean =>
  before === undefined || (shape === 'latest' && at > before);

/** The newest row that can't be older than the answer before, and that answer's `Date`. */
function newestFresh(
  unseen: readonly SeenTime[],
  seen: TimesSeen,
  before: Page | null,
): { readonly at: EpochMs; readonly since: EpochMs } | null {
  // A record that is new on the list may be an old one: it bounds nothing from that side.
  if (before === null || seen.shape === 'records') return null;
  if (seen.shape === 'latest') {
    const movedOn = unseen.filter(({ name }) => before.times.has(name));
    return movedOn.length === 0 ? null : { at: newestOf(movedOn), since: before.venueDate };
  }
  // Pages that share no row may be of different parts of the list; a row older than the page before may have slid back
  // in.
  const overlaps = seen.times.some(({ name }) => before.times.has(name));
  const newest = newestOf(unseen);
  return overlaps && newest >= before.newest ? { at: newest, since: before.venueDate } : null;
}

function madeSamples(state: TimeOffsets, kind: ReadKind, unseen: readonly SeenTime[]): readonly OffsetSample[] {
  if (kind !== QUESTION_OF_ORDERS) return [];
  return unseen.flatMap(({ name, at }) => {
    const span = state.made.get(name);
    if (span === undefined) return [];
    return [{ least: quartersUp(at - span.latest), most: quartersDown(at - span.earliest), firm: true }];
  });
}

/** Rows that came before with other times: if all have moved by the same quarter hours, so has the field. */
function moved(record: KindRecord, seen: TimesSeen, before: Page | null): KindRecord {
  if (before === null || seen.shape === 'latest') return record;
  const steps = new Set(
    seen.times.flatMap(({ name, at }) => {
      const then = before.times.get(name);
      return then === undefined ? [] : [at - then];
    }),
  );
  const [step = 0] = steps;
  const quarters = step / QUARTER;
  if (steps.size !== 1 || quarters === 0 || !Number.isInteger(quarters)) return record;
  return changed(record, movedBy(record.belief, quarters), { at: seen.venueDate, because: 'rows' });
}

function weighed(record: KindRecord, sample: OffsetSample, at: EpochMs): KindRecord {
  const { belief, contradicted } = weigh(record.belief, sample);
  return contradicted ? changed(record, belief, { at, because: 'rows' }) : { ...record, belief };
}

function forgotten(record: KindRecord, at: EpochMs): KindRecord {
  const knew = evidenceOf(record.belief) !== 'none';
  return knew ? changed(record, NOTHING_KNOWN, { at, because: 'clock' }) : { ...record, belief: NOTHING_KNOWN };
}

function changed(
  record: KindRecord,
  belief: OffsetBelief,
  change: Pick<TimeOffsetChange, 'at' | 'because'>,
): KindRecord {
  const lastChange = { ...change, fromMs: measuredMsOf(record.belief), toMs: measuredMsOf(belief) };
  return { belief, changes: record.changes + 1, lastChange };
}

const newestOf = (times: readonly SeenTime[]): EpochMs =>
  times.reduce((newest, { at }) => Math.max(newest, at), -Infinity);

function pageOf({ venueDate, times }: TimesSeen): Page {
  return { venueDate, times: new Map(times.map(({ name, at }) => [name, at])), newest: newestOf(times) };
}

/** The map with this entry as its newest, and no more than `kept` in all. */
function withNewest<T>(
  map: ReadonlyMap<string, T>,
  name: string,
  { value, kept }: { readonly value: T; readonly kept: number },
): ReadonlyMap<string, T> {
  const next = new Map(map);
  next.delete(name);
  next.set(name, value);
  const [oldest] = next.keys();
  if (next.size > kept && oldest !== undefined) next.delete(oldest);
  return next;
}
