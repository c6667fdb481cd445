// The state of a reading of one list.
import { compareTradeIds } from '../domain/ids.ts';
import type { DurationMs, EpochMs } from '../domain/time.ts';
import type { Fault } from '../venue/outcomes.ts';
import {
  type Coverage,
  compareKeys,
  type Hole,
  holesIn,
  NOTHING_COVERED,
  type RowKey,
  type Span,
  union,
} from './coverage.ts';
import type { HistoryGap, TradeCursor } from './outcome.ts';
import type { EndpointName, Entry, HistorySettings, ListTraits } from './query.ts';

/**
 * `after`: every trade after a known one, up to the present. `between`: every row between two times, both included;
 * without `to`, up to the present. Times are the rows' own.
 */
export type TradesTarget = { readonly by: 'after'; readonly cursor: TradeCursor } | TimesTarget;
export interface TimesTarget {
  readonly by: 'between';
  readonly from: EpochMs;
  readonly to: EpochMs | null;
}

/** Why reading has stopped. */
export type Ended =
  | { readonly kind: 'swept' }
  | { readonly kind: 'limit' }
  | { readonly kind: 'archive-refused'; readonly fault: Fault }
  | { readonly kind: 'failed'; readonly fault: Fault };

/** Owned by its reader; `observe` changes it in place and returns it (decision 0002). */
export interface HistoryState<Row, Question> {
  readonly traits: ListTraits<Row, Question>;
  readonly target: TradesTarget;
  readonly settings: HistorySettings;
  readonly collection: Collection<Row>;
  readonly recent: Endpoint;
  /**
   * Opened when the recent list was read and does not reach back far enough: rows move from there to here, never back.
   */
  archive: Endpoint | null;
  requests: number;
  /** When the first page was requested: a complete reading holds the rows that existed then. */
  firstAskedAt: EpochMs | null;
  /** Pages in a row that proved nothing. */
  useless: number;
  /** Time of the known trade on its page; `null` before. */
  cursorSeenAt: EpochMs | null;
  /** A later trade has a smaller id. */
  outOfOrder: boolean;
  /** It relies on ids and times both: ids stood for times, or tell new rows from known ones on pages asked by time. */
  usedIdsForTimes: boolean;
  /** The list refused to be read by id. */
  takesNoIds: boolean;
  ended: Ended | null;
}

export const targetFrom = (target: TradesTarget): EpochMs =>
  target.by === 'after' ? target.cursor.venueTime : target.from;

/** The list that is being read. */
export const currentEndpoint = <Row, Question>(state: HistoryState<Row, Question>): Endpoint =>
  state.archive ?? state.recent;

/** Coverage proved by both lists together. */
export function provenBy<Row, Question>(state: HistoryState<Row, Question>): Coverage {
  return state.archive === null ? state.recent.trusted : union(state.recent.trusted, state.archive.trusted);
}

/** Whether to hand out a row, including any after an open end. */
export function isWanted(target: TradesTarget, { time, id }: RowKey): boolean {
  if (target.by === 'after') return id !== null && compareTradeIds(id, target.cursor.tradeId) > 0;
  return time >= target.from && (target.to === null || time <= target.to);
}

// One of the two lists while it is being read: its coverage, and the kinds of requests that have failed.

/**
 * Paging from id to id. `at` is a row that the next page must contain: that proves the overlap (order-truth §4).
 * Without one, a row before the goal is sought first.
 */
export interface IdPaging {
  readonly at: RowKey | null;
  /** Everything after `at` within its purpose is covered up to here. */
  readonly coveredFrom: EpochMs;
  /** Where to seek a row to page from: in a window before the goal, or anywhere before it. */
  readonly seek: 'near' | 'far';
  /** It ends with a row after this moment. */
  readonly goal: EpochMs;
  /** `cursor`: from the last known trade to the present. `moment`: through one millisecond that no time can split. */
  readonly purpose: 'cursor' | 'moment';
  /** Rows in the answer for the moment alone. */
  readonly crowd: number;
}

/** A span read in windows of `width` ms, halved if one holds the unreadable row. */
export interface Corner extends Span {
  readonly width: number;
}

/** Owned by its reading and changed in place. */
export interface Endpoint {
  readonly name: EndpointName;
  /** The span to read; without an upper end until the first answer shows the time. */
  range: Span;
  /** Up to the present: the last part is requested without an end. */
  open: boolean;
  /** Covered by this list's pages. */
  swept: Coverage;
  /** Covered, and proved not to have left the rolling window by then. */
  trusted: Coverage;
  /** Most rows of a page so far. A list cuts all its pages at the same length. */
  longestPage: number;
  /** Age of its oldest row at the time it was shown: a younger row has not left the list. */
  heldMs: DurationMs;
  /** A request by start gives the newest rows, or by end the oldest: it makes no progress here. */
  ignoresStart: boolean;
  ignoresEnd: boolean;
  /** The overlapping rows fill a page by themselves: leave them out. */
  bare: boolean;
  /** A millisecond to request alone. */
  closeUp: EpochMs | null;
  /** The corner around an unreadable row. */
  corner: Corner | null;
  paging: IdPaging | null;
  /** Gaps given up: a page across one would fill up with its rows, or fail again. */
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

/** Open-ended where the list allows it: by then newer rows may exist. */
function wantedOf({ open, ignoresStart, range }: Endpoint): Span {
  return open && !ignoresStart ? { from: range.from, to: Number.POSITIVE_INFINITY } : range;
}

/** Spans still to read, with the rows to overlap; a row behind a given-up gap is left out. */
export function holesOf(endpoint: Endpoint): Hole[] {
  const isClear = (from: EpochMs, to: EpochMs): boolean =>
    !endpoint.flaws.some((flaw) => flaw.to >= from && flaw.to <= to);
  return holesIn(endpoint.swept, wantedOf(endpoint)).map((hole) => ({
    ...hole,
    before: hole.before !== null && isClear(hole.before.time, hole.from) ? hole.before : null,
    after: hole.after !== null && isClear(hole.to, hole.after.time) ? hole.after : null,
  }));
}

// The rows read: each once, held back until everything before it was read.

/** Owned by its reading and changed in place. */
interface Collection<Row> {
  /** By name; rows without ids can share one. */
  readonly groups: Map<string, Entry<Row>[]>;
  held: Entry<Row>[];
  ready: Row[];
  handedOut: number;
}

export const emptyCollection = <Row>(): Collection<Row> => ({ groups: new Map(), held: [], ready: [], handedOut: 0 });

type Traits<Row> = Pick<ListTraits<Row, unknown>, 'nameOf' | 'absorb' | 'keyOf'>;

/** Takes in the rows of one page. */
export function collect<Row>(collection: Collection<Row>, traits: Traits<Row>, rows: readonly Row[]): void {
  const byName = new Map<string, Row[]>();
  for (const row of rows) {
    const name = traits.nameOf(row);
    const shown = byName.get(name);
    if (shown === undefined) byName.set(name, [row]);
    else shown.push(row);
  }
  for (const [name, shown] of byName) {
    const known = collection.groups.get(name) ?? [];
    collection.groups.set(name, known);
    collection.held.push(...traits.absorb(known, shown));
  }
}

/** Makes the rows up to a moment ready, oldest first. */
export function release<Row>(collection: Collection<Row>, traits: Traits<Row>, until: EpochMs): void {
  const isDue = (entry: Entry<Row>): boolean => traits.keyOf(entry.row).time <= until;
  const due = collection.held.filter(isDue);
  if (due.length === 0) return;
  collection.held = collection.held.filter((entry) => !isDue(entry));
  for (const entry of due) entry.handedOut = entry.row;
  collection.ready.push(...due.map(({ row }) => row).sort((a, b) => compareKeys(traits.keyOf(a), traits.keyOf(b))));
}

/** Hands out the ready rows, once. */
export function takeReady<Row>(collection: Collection<Row>): readonly Row[] {
  const { ready } = collection;
  collection.ready = [];
  collection.handedOut += ready.length;
  return ready;
}

export function* entriesOf<Row>(collection: Collection<Row>): Generator<Entry<Row>> {
  for (const group of collection.groups.values()) yield* group;
}
