// Processes the times of one answer after another: their evidence about the clock that wrote them.
import { type DurationMs, type EpochMs, HOUR, MINUTE, SECOND } from '../../domain/time.ts';
import type { ReadKind } from '../../venue/requests.ts';

/** One time as written, and the name of its row. */
export interface SeenTime {
  readonly name: string;
  readonly at: EpochMs;
}

/** The times of one answer. */
export interface TimesSeen {
  readonly kind: ReadKind;
  /** Identifies the request: answers to the same one can be compared. */
  readonly list: string;
  /**
   * `events`: a row keeps its time, and is listed soon after it. `records`: it keeps its time, but may be listed long
   * after (a deposit in transit). `latest`: its time moves on with its content.
   */
  readonly shape: 'events' | 'records' | 'latest';
  readonly times: readonly SeenTime[];
  /** Only a page with every row readable can prove a row's absence. */
  readonly complete: boolean;
  /** The answer's `Date`. */
  readonly venueDate: EpochMs;
}

const DATE_RESOLUTION_MS: DurationMs = SECOND;
/** How far `Date` may be from the clock that stamps rows. */
const TOLERANCE: DurationMs = MINUTE;
/** How long after its time a row may be missing from its list. */
const LISTED_AFTER: DurationMs = MINUTE;
/** This many new rows that look too old can't all be listed late. */
const ENOUGH_BEHIND = 3;

/** Processes the times of one answer, as written. */
export function observeTimes(state: TimeOffsets, seen: TimesSeen): TimeOffsets {
  const before = state.pages.get(seen.list);
  const pages = seen.complete ? new Map(state.pages).set(seen.list, pageOf(seen)) : state.pages;
  const unseen = seen.times.filter(({ name, at }) => isUnseen(before?.times.get(name), at, seen.shape));
  if (unseen.length === 0) return { ...state, pages };
  // No row is from the future.
  const least = quartersUp(newestOf(unseen) - (seen.venueDate + DATE_RESOLUTION_MS + TOLERANCE));
  const fresh = before === undefined ? null : newestFresh(unseen, seen, before);
  const most =
    fresh === null || before === undefined
      ? POSSIBLE.most
      : Math.floor((fresh - (before.venueDate - LISTED_AFTER - TOLERANCE)) / QUARTER);
  const behind = (state.behind.get(seen.kind) ?? 0) + (most < 0 ? 1 : 0);
  const bound = most < 0 && behind < ENOUGH_BEHIND ? POSSIBLE.most : most;
  return {
    ...state,
    pages,
    behind: new Map(state.behind).set(seen.kind, behind),
    ranges: new Map(state.ranges).set(seen.kind, narrowed(state.ranges.get(seen.kind), { least, most: bound })),
  };
}

/** The range that fits both; if none does, the newer one alone. */
function narrowed(known: OffsetRange = POSSIBLE, shown: OffsetRange): OffsetRange {
  const both = within(known, shown);
  return both.least <= both.most ? both : within(POSSIBLE, shown);
}

const within = (a: OffsetRange, b: OffsetRange): OffsetRange => ({
  least: Math.max(a.least, b.least),
  most: Math.min(a.most, b.most),
});

// Zero is added because the ceiling of a small negative number is −0.
const quartersUp = (ms: DurationMs): number => Math.ceil(ms / QUARTER) + 0;

const isUnseen = (before: EpochMs | undefined, at: EpochMs, shape: TimesSeen['shape']): boolean =>
  before === undefined || (shape === 'latest' && at > before);

/** The newest row that can't be older than the previous answer; null if there is none. */
function newestFresh(unseen: readonly SeenTime[], seen: TimesSeen, before: Page): EpochMs | null {
  // A record new on the list may be old.
  if (seen.shape === 'records') return null;
  const known = seen.times.filter(({ name }) => before.times.has(name));
  if (seen.shape === 'latest') {
    const movedOn = unseen.filter(({ name }) => before.times.has(name));
    return movedOn.length === 0 ? null : newestOf(movedOn);
  }
  // Pages without a common row may be different parts of the list; a row older than the previous page may have slid
  // back in.
  const newest = newestOf(unseen);
  return known.length > 0 && newest >= before.newest ? newest : null;
}

function pageOf({ venueDate, times }: TimesSeen): Page {
  return { venueDate, times: new Map(times.map(({ name, at }) => [name, at])), newest: newestOf(times) };
}

const newestOf = (times: readonly SeenTime[]): EpochMs =>
  times.reduce((newest, { at }) => Math.max(newest, at), Number.NEGATIVE_INFINITY);

// How far the times of a list are off, as its answers show it against their `Date`.

/** Offsets are whole quarter hours, written time − true time; Indian time written as UTC is 5 h 30 min ahead. */
const QUARTER: DurationMs = 15 * MINUTE;

/**
 * `at-least`: rows would be in the future without it; the full offset may be larger if no row was young. `proved`:
 * bounded from both sides, by a row that can't be older than an earlier answer.
 */
type OffsetEvidence = 'none' | 'at-least' | 'proved';

export interface TimeOffset {
  /** Zero without evidence. */
  readonly measuredMs: DurationMs;
  readonly evidence: OffsetEvidence;
}

/** Possible offsets, in quarter hours, both ends included. */
interface OffsetRange {
  readonly least: number;
  readonly most: number;
}

/** The rows of one answer, for comparison with those of the next. */
interface Page {
  readonly venueDate: EpochMs;
  /** By row name. */
  readonly times: ReadonlyMap<string, EpochMs>;
  readonly newest: EpochMs;
}

/** Offsets observed so far; `observe-times.ts` updates them. */
export interface TimeOffsets {
  readonly ranges: ReadonlyMap<ReadKind, OffsetRange>;
  /** How often new rows of a list looked older than its last answer: a single one may just be listed late. */
  readonly behind: ReadonlyMap<ReadKind, number>;
  /** The last page of each question. */
  readonly pages: ReadonlyMap<string, Page>;
}

export const startTimeOffsets = (): TimeOffsets => ({ ranges: new Map(), behind: new Map(), pages: new Map() });

/** No time zone is further from UTC: 12 hours behind, 14 ahead. */
const POSSIBLE: OffsetRange = { least: (-12 * HOUR) / QUARTER, most: (14 * HOUR) / QUARTER };
/** No time zone is nearer to UTC: a smaller lead is a clock that runs ahead. */
const NEAREST = HOUR / QUARTER;

export function timeOffsetOf({ ranges }: TimeOffsets, kind: ReadKind): TimeOffset {
  const { least, most } = ranges.get(kind) ?? POSSIBLE;
  if (least === most) return { measuredMs: least * QUARTER, evidence: 'proved' };
  if (least < 0 || (least > 0 && least < NEAREST)) return { measuredMs: 0, evidence: 'none' };
  return { measuredMs: least * QUARTER, evidence: 'at-least' };
}
