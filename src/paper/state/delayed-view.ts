// What a list shows when it trails the facts: changes wait until they are old enough, then show (Q6).
import type { EpochMs } from '../../domain/time.ts';

interface Change<Row> {
  readonly at: EpochMs;
  readonly key: string;
  /** `null` takes the row away. */
  readonly row: Row | null;
}

/** Rows by key in order of first appearance, and the changes that don't show yet, oldest first. */
export interface DelayedView<Row> {
  readonly visible: Map<string, Row>;
  readonly pending: Change<Row>[];
}

/** Plain JSON of a view. */
export interface ViewSnapshot<Row> {
  readonly visible: readonly (readonly [string, Row])[];
  readonly pending: readonly Change<Row>[];
}

/** Most changes that wait; beyond it the oldest show early. */
const PENDING_MAX = 20_000;

export function createView<Row>(): DelayedView<Row> {
  return { visible: new Map(), pending: [] };
}

/** Records a change; `at` must not be before that of the change recorded last. */
export function noteChange<Row>(view: DelayedView<Row>, change: Change<Row>, lagMs: number): void {
  if (lagMs === 0 && view.pending.length === 0) {
    show(view, change);
    return;
  }
  view.pending.push(change);
  showUntil(view, change.at - lagMs);
}

/**
 * The rows as they were at `until`, or at the last moment that was shown, whichever is later: a view never goes back.
 */
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

export function snapshotView<Row>(view: DelayedView<Row>): ViewSnapshot<Row> {
  return { visible: [...view.visible], pending: [...view.pending] };
}

export function restoreView<Row>(saved: ViewSnapshot<Row>): DelayedView<Row> {
  return { visible: new Map(saved.visible), pending: [...saved.pending] };
}
