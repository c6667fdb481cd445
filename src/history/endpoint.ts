// One of the two lists while it is being read: what of it was covered, and which ways of asking have failed.
import type { DurationMs, EpochMs } from '../domain/time.ts';
import { type Coverage, type Hole, holesIn, NOTHING_COVERED, type RowKey, type Span } from './coverage.ts';
import type { HistoryGap } from './outcome.ts';
import type { EndpointName } from './query.ts';

/**
 * Going from id to id. `at` is a row that the next page must contain: that proves the overlap (order-truth §4). Without
 * one, a row before the goal is looked for first.
 */
export interface IdPaging {
  readonly at: RowKey | null;
  /** Everything behind `at` that it is for is covered up to here. */
  readonly coveredFrom: EpochMs;
  /** Where no row to page from is at hand: in a window before the goal, or anywhere before it. */
  readonly seek: 'near' | 'far';
  /** It ends with a row after this moment. */
  readonly goal: EpochMs;
  /** `cursor`: from the last known trade to the present. `moment`: through one millisecond that no time can split. */
  readonly purpose: 'cursor' | 'moment';
  /** Rows that the moment alone was answered with. */
  readonly crowd: number;
}

/** A span that is read in windows of `width` ms, halved where one holds the row that can't be read. */
export interface Corner extends Span {
  readonly width: number;
}

/** Owned by its reading and changed in place. */
export interface Endpoint {
  readonly name: EndpointName;
  /** What this endpoint is read for; infinite on the right until the first answer tells the time. */
  range: Span;
  /** Up to the present: the last part is asked without an end. */
  open: boolean;
  /** Covered as far as this list showed rows. */
  swept: Coverage;
  /** Covered, and proved not to have left the rolling window by then. */
  trusted: Coverage;
  /** Most rows that a page had. A list cuts all its pages at the same length. */
  longestPage: number;
  /** Age of the oldest row that it has shown, when it did: a younger row has not left it. */
  heldMs: DurationMs;
  /** Asking by start gives the newest rows, or by end the oldest: it does not lead on here. */
  ignoresStart: boolean;
  ignoresEnd: boolean;
  /** The rows to overlap with fill a page by themselves: ask without them. */
  bare: boolean;
  /** A millisecond to be asked alone. */
  closeUp: EpochMs | null;
  /** Where a row that can't be read is being cornered. */
  corner: Corner | null;
  paging: IdPaging | null;
  /** What was given up: a page that reaches over it would fill up with it, or be spoilt again. */
  readonly flaws: HistoryGap[];
}

export function openEndpoint(name: EndpointName, range: Span, open: boolean): Endpoint {
  return {
    name,
    range,
    open,
    swept: NOTHING_COVERED,
    trusted: NOTHING_COVERED,
    longestPage: 0,
    heldMs: 0,
    ignoresStart: false,
    ignoresEnd: false,
    bare: false,
    closeUp: null,
    corner: null,
    paging: null,
    flaws: [],
  };
}

/** To the last row there is, where that can be asked for: the present that the first answer told is past by then. */
function wantedOf({ open, ignoresStart, range }: Endpoint): Span {
  return open && !ignoresStart ? { from: range.from, to: Number.POSITIVE_INFINITY } : range;
}

/** What is still to be read, with the rows to overlap with, as far as nothing that was given up lies between. */
export function holesOf(endpoint: Endpoint): Hole[] {
  const isClear = (from: EpochMs, to: EpochMs): boolean =>
    !endpoint.flaws.some((flaw) => flaw.to >= from && flaw.to <= to);
  return holesIn(endpoint.swept, wantedOf(endpoint)).map((hole) => ({
    ...hole,
    before: hole.before !== null && isClear(hole.before.time, hole.from) ? hole.before : null,
    after: hole.after !== null && isClear(hole.to, hole.after.time) ? hole.after : null,
  }));
}
