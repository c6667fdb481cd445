// E1: an order closed as canceled is missing from a list that left late enough, its trades are counted after that, and
// a wallet confirms them (order-truth §3.8). An order closed as filled has all of its trades (§3.5).
import { Decimal } from '../../src/domain/decimal.ts';
import type { EpochMs } from '../../src/domain/time.ts';
import type { CheckContext } from '../checks/context.ts';
import type { JournalIntent } from '../checks/journal-model.ts';
import { isAlone, lagBoundMs, OTHER_PROCESS_SLACK_MS, slackMs } from './bounds.ts';
import type { LedgerTotals } from './ledger-totals.ts';
import { isReadWhole, type NamedReads, readToTheEndAt } from './named-reads.ts';
import type { OrderTrail } from './order-trail.ts';
import type { Wallets } from './wallets.ts';
import type { WireLog } from './wire-log.ts';

export interface Evidence {
  readonly log: WireLog;
  readonly trail: OrderTrail;
  readonly wallets: Wallets;
  readonly ledger: LedgerTotals;
}

/**
 * Why the named reads don't prove it; null if they do. A fence cancels orders without a known name; a process that
 * learned the name later may do without that acknowledgment if it meets all requirements for a case without one.
 */
export function whyNotCanceled(
  context: CheckContext,
  intent: JournalIntent,
  named: NamedReads,
  evidence: Evidence,
): string | null {
  const canceledAt = evidence.trail.canceledAt(context, intent);
  const why = whyNotGone(context, intent, named, { ...evidence, canceledAt });
  if (why === null || canceledAt === null) return why;
  return whyNotGone(context, intent, named, { ...evidence, canceledAt: null }) === null ? null : why;
}

interface Canceled extends Evidence {
  /** When the acknowledged cancel that it relies on was acknowledged; null without one. */
  readonly canceledAt: EpochMs | null;
}

function whyNotGone(
  context: CheckContext,
  intent: JournalIntent,
  named: NamedReads,
  { canceledAt, ...evidence }: Canceled,
): string | null {
  const { trail } = evidence;
  const missed = trail.missed(intent);
  if (missed === null) return 'no whole list lacked it before';
  const bound = lagBoundMs(context);
  const slack = missed.epoch === context.journal.epoch ? slackMs(bound) : OTHER_PROCESS_SLACK_MS;
  const { venueInternalLagMs } = context.settings.assumptions;
  // Without an acknowledged cancel the list must leave a bound after the first one that lacks it.
  const goneAt = Math.max(missed.at, trail.shownAt(intent));
  const from = (canceledAt === null ? goneAt : canceledAt + venueInternalLagMs) + bound - slack;
  const list = named.orders.at(-1);
  if (list === undefined || list.sentAt < from) return late('the list that lacks it', list?.sentAt, from);
  if (!list.whole) return 'the list that lacks it is not whole';
  if (trail.shownAt(intent) >= list.sentAt) return 'a list of then shows it';
  const countsFrom = canceledAt === null ? list.sentAt : from;
  const why = whyNotCounted(intent, named, countsFrom, evidence);
  // With its cancel and its trades no wallet is needed, unless a list shows that some are missing.
  const isMissing = trail.shownFilled(intent).gt(filledOf(context.journal, intent));
  const read = { leftAt: intent.at, from: countsFrom };
  if (why === null && intent.cancelTaken && !isMissing && isReadWhole(evidence.log, named.trades, read)) return null;
  return why ?? whyMayHaveFilled(context, intent, isMissing ? intent.at : missed.writtenAt, evidence);
}

/**
 * Fills from before a difference was found may be part of it: a fill moves both assets, or on a shared account, where
 * it is a self-trade, the quote alone.
 */
export function whyMayHaveFilled(
  { settings }: CheckContext,
  { symbol }: JournalIntent,
  missedAt: EpochMs,
  { ledger: { confirmed, unexplainedSince } }: Evidence,
): string | null {
  const since = unexplainedSince();
  const run = settings.runs.find(({ instrument }) => instrument.symbol === symbol);
  if (since === null || run === undefined || missedAt >= since) return null;
  const { base, quote } = run.instrument;
  const mayBeFill = confirmed.has(quote) && (confirmed.has(base) || !isAlone(settings));
  return mayBeFill ? 'what is not explained may be a fill of it' : null;
}

/** Trades of the intent to their end, and a wallet that confirms the booked ones, both from then on. */
export function whyNotCounted(
  { at: leftAt }: JournalIntent,
  named: NamedReads,
  from: EpochMs,
  { log, wallets }: Evidence,
): string | null {
  const tradesAt = readToTheEndAt(log, named.trades, leftAt);
  if (tradesAt === null) return 'no page that is named reads own trades to their end';
  if (tradesAt < from) return late('own trades', tradesAt, from);
  if (named.wallet === null) return 'no wallet is named';
  if (named.wallet.sentAt < from) return late('the wallet', named.wallet.sentAt, from);
  return wallets.bearing(named.wallet) === 'none' ? 'the wallet that is named does not equal the ledger' : null;
}

/** Why an order closed as filled is not proved to be. */
export function whyNotFilled({ journal }: CheckContext, intent: JournalIntent): string | null {
  const filled = filledOf(journal, intent);
  return filled.lt(intent.quantity) ? `only ${filled.toFixed()} of ${intent.quantity} are booked` : null;
}

const filledOf = ({ fills }: CheckContext['journal'], intent: JournalIntent): Decimal =>
  [...fills.values()]
    .filter(({ orderId }) => orderId === intent.orderId)
    .reduce((sum, { quantity }) => sum.add(quantity), new Decimal(0));

export const late = (what: string, at: EpochMs | undefined, from: EpochMs): string =>
  at === undefined ? `${what} is not named` : `${what} left ${Math.ceil(from - at)} ms too early`;
