// E2: a create is held for never placed once no copy of it can be taken, and lists, trades and a wallet that had to
// show it did not (order-truth §3.6 and §3.7).
import type { OpenOrder } from '../../src/domain/order.ts';
import type { EpochMs } from '../../src/domain/time.ts';
import type { CheckContext } from '../checks/context.ts';
import type { JournalIntent } from '../checks/journal-model.ts';
import { doubtMs, isAlone, lagBoundMs, OTHER_PROCESS_SLACK_MS, slackMs } from './bounds.ts';
import { doubtEndsAt, type Evidence, late, whyMayHaveFilled, whyNotCounted } from './closing-proof.ts';
import { type NamedReads, readToTheEndAt } from './named-reads.ts';
import type { Seen } from './wire-log.ts';

/** A create as it left: true time. */
export interface Left {
  /** No copy of it can be taken after that. */
  readonly horizon: number;
  readonly epoch: number;
  /** What the answer said of it. */
  readonly refused: 'for-rate' | 'softly' | 'no';
}

export function whyNotAbsent(
  context: CheckContext,
  { intent, left, named }: { intent: JournalIntent; left: Left; named: NamedReads },
  evidence: Evidence,
): string | null {
  const bound = lagBoundMs(context);
  const slack = left.epoch === context.journal.epoch ? slackMs(bound) : OTHER_PROCESS_SLACK_MS;
  const searched = evidence.trail.lostAt(intent);
  const shown = showsIt(context, intent, named.orders);
  if (shown !== null) return shown;
  if (left.refused === 'for-rate')
    return whyNotRefused(intent, named, Math.max(left.horizon, searched) - slack, evidence);
  let provable = Math.max(left.horizon + bound, searched);
  if (left.refused === 'no' && isAlone(context.settings)) {
    const fenced = fencedUntil(context, left, named);
    if (typeof fenced === 'string') return fenced;
    provable = Math.max(provable, fenced + bound);
  }
  const from = provable - slack;
  const lateEnough = named.orders.filter(({ whole, sentAt }) => whole && sentAt >= from);
  if (lateEnough.length < 2)
    return `${lateEnough.length} whole lists are named that left late enough, and two are needed`;
  const goneAt = firstWithoutIt(context, intent, from, evidence) ?? from;
  const countsFrom = doubtEndsAt(context, named, { goneAt, from }, evidence);
  if (typeof countsFrom === 'string') return countsFrom;
  if (left.refused !== 'no') return whyNotRead(intent, named, countsFrom, evidence);
  return whyNotCounted(intent, named, countsFrom, evidence) ?? whyMayHaveFilled(context, intent, intent.at, evidence);
}

/**
 * A refusal for the rate, which nobody looked at: one list and trades, after which no copy can be taken (order-truth
 * §1).
 */
function whyNotRefused(intent: JournalIntent, named: NamedReads, from: number, evidence: Evidence): string | null {
  const list = named.orders.at(-1);
  if (list === undefined || !list.whole || list.sentAt < from) return late('a whole list', list?.sentAt, from);
  return whyNotRead(intent, named, from, evidence);
}

function whyNotRead({ at: leftAt }: JournalIntent, named: NamedReads, from: number, { log }: Evidence): string | null {
  const tradesAt = readToTheEndAt(log, named.trades, leftAt);
  return tradesAt !== null && tradesAt >= from ? null : late('own trades to their end', tradesAt ?? undefined, from);
}

/** When the fence was answered; 0 where none was taken until the deadline (decision 0009). */
function fencedUntil(context: CheckContext, { horizon }: Left, { fence }: NamedReads): number | string {
  if (fence === null) {
    const { resolutionDeadlineMs } = context.settings.assumptions;
    const waited = context.now() - horizon - lagBoundMs(context);
    return waited >= resolutionDeadlineMs - OTHER_PROCESS_SLACK_MS ? 0 : 'no fence is named, and its time is not over';
  }
  if (fence.takenAt === null) return 'the fence that is named was not acknowledged';
  if (fence.sentAt < horizon - slackMs(doubtMs(context))) return late('the fence', fence.sentAt, horizon);
  return fence.takenAt;
}

function showsIt(
  { oracle }: CheckContext,
  { intentId }: JournalIntent,
  lists: readonly Seen<OpenOrder>[],
): string | null {
  const ids = new Set(oracle.ordersOf(intentId).map(({ orderId }) => orderId));
  const shown = lists.some(({ rows }) => rows.some(({ orderId }) => ids.has(orderId)));
  return shown ? 'a list that is named shows its order' : null;
}

/** When the first whole list left that had to show the order, of those since the last that does. */
function firstWithoutIt(
  context: CheckContext,
  { intentId, symbol }: JournalIntent,
  from: EpochMs,
  { log }: Evidence,
): EpochMs | null {
  const ids = new Set(context.oracle.ordersOf(intentId).map(({ orderId }) => orderId));
  const here = log.orders.filter((list) => list.sentAt >= from && (list.symbol === null || list.symbol === symbol));
  const shows = here.findLastIndex(({ rows }) => rows.some(({ orderId }) => ids.has(orderId)));
  return here.slice(shows + 1).find(({ whole }) => whole)?.sentAt ?? null;
}
