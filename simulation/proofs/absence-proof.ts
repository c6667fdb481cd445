// E2: a create counts as never placed once no copy of it can be accepted, and lists, trades and a wallet that would
// show it did not (order-truth §3.6 and §3.7).
import type { DurationMs, EpochMs } from '../../src/domain/time.ts';
import type { CheckContext } from '../checks/context.ts';
import type { JournalIntent } from '../checks/journal-model.ts';
import { lagBoundMs, OTHER_PROCESS_SLACK_MS, slackMs } from './bounds.ts';
import { type Evidence, late, whyMayHaveFilled, whyNotCounted } from './closing-proof.ts';
import { type NamedReads, readToTheEndAt } from './named-reads.ts';

/** A create as it left: true time. */
export interface Left {
  /** No copy of it can be accepted after that. */
  readonly horizon: number;
  readonly epoch: number;
  /** The answer's kind of refusal. */
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
  if (left.refused === 'for-rate')
    return whyNotRefused(intent, named, Math.max(left.horizon, searched) - slack, evidence);
  const fenced = fencedAt(left, named, slack);
  if (typeof fenced === 'string') return fenced;
  const from = Math.max(left.horizon + bound, searched, fenced === null ? 0 : fenced + bound) - slack;
  const [first, again, ...more] = named.orders;
  if (first === undefined || again === undefined || more.length > 0) return 'two lists are needed';
  if (!first.whole || !again.whole) return 'a list that is named is not whole';
  if (first.sentAt < from) return late('the first list', first.sentAt, from);
  // A gap in a list is never longer; behind a fence nothing rests that a gap could hide.
  const apart = first.sentAt + bound - slackMs(bound);
  if (fenced === null && again.sentAt < apart) return late('the second list', again.sentAt, apart);
  const shown = whyShown(context, intent, first.sentAt, evidence);
  if (shown !== null) return shown;
  const countsFrom = fenced === null ? again.sentAt : from;
  return whyNotCounted(intent, named, countsFrom, evidence) ?? whyMayHaveFilled(context, intent, intent.at, evidence);
}

/**
 * A refusal for the rate, before the order was processed: one list and trades, after which no copy can be accepted
 * (order-truth §1).
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

/** When the fence that it relies on was answered; null without one. */
function fencedAt({ horizon }: Left, { fence }: NamedReads, slack: DurationMs): EpochMs | string | null {
  if (fence === null) return null;
  if (fence.takenAt === null) return 'the fence that is named was not acknowledged';
  return fence.sentAt < horizon - slack ? late('the fence', fence.sentAt, horizon) : fence.takenAt;
}

/** A list that left since the first named one shows the order. */
function whyShown(
  { oracle }: CheckContext,
  { intentId }: JournalIntent,
  from: EpochMs,
  { log }: Evidence,
): string | null {
  const ids = new Set(oracle.ordersOf(intentId).map(({ orderId }) => orderId));
  const shown = log.orders.some(({ sentAt, rows }) => sentAt >= from && rows.some(({ orderId }) => ids.has(orderId)));
  return shown ? 'a list shows its order' : null;
}
