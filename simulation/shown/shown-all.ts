// B2, of what concerns the whole bot: counts, limits, its clock, its requests, and orders that are nobody's.
import { type EpochMs, MINUTE, SECOND } from '../../src/domain/time.ts';
import type { StatusSnapshot } from '../../src/trader/status/snapshot.ts';
import { type CheckContext, isPrivate } from '../checks/context.ts';
import type { Differs } from './differs.ts';
import type { Tallies } from './tallies.ts';

const CLOCK_ROUNDED_MS = 2;
/** How far two clocks drift apart at the most (F84). */
const MOST_DRIFT = 250e-6;
/** Answers that a lane may have and the bot has not taken in yet. */
const ON_THEIR_WAY = 4;

interface Judging {
  readonly differs: Differs;
  /** By the bot's clock. */
  readonly now: EpochMs;
  readonly tallies: Tallies;
  /** Why the bot is paused; null while it is not. */
  readonly paused: string | null;
}

export function judgeAll(context: CheckContext, view: StatusSnapshot, judging: Judging): void {
  const { differs, paused } = judging;
  const unknown = [...context.journal.live.values()].filter(({ state }) => state === 'unknown').length;
  differs('the number of unknown creates', view.unknownOrders, unknown);
  if (context.latchedSince() === null) differs('the kill latch', view.latched, null);
  // Who stops pauses no more. That it stops is the bot's own word: L1 asks for orders of one that says so for nothing.
  const stops = view.phase === 'stopping' || view.phase === 'stopped';
  differs('the pause', view.paused, stops ? null : paused);
  judgeMessages(context, view, judging);
  judgeLimits(context, view, differs);
  judgeClock(context, view, judging);
  judgeRequests(context, view, judging);
  for (const { orderId } of view.unmatchedOrders)
    if (!context.oracle.orders.has(orderId)) differs('an order', orderId, 'none of the account');
}

function judgeMessages(
  { settings }: CheckContext,
  { messages }: StatusSnapshot,
  { differs, now, tallies }: Judging,
): void {
  const { maxPerSecond, maxPerMinute, maxPerDay } = settings.messageRate;
  const [second, minute] = [tallies.messagesWithin(SECOND, now), tallies.messagesWithin(MINUTE, now)];
  if (second !== null) differs('the messages of a second', messages.inSecond, second);
  if (minute !== null) differs('the messages of a minute', messages.inMinute, minute);
  differs('the messages of a second that may be', messages.maxPerSecond, maxPerSecond);
  differs('the messages of a minute that may be', messages.maxPerMinute, maxPerMinute);
  differs('the messages of a day that may be', messages.maxPerDay, maxPerDay);
}

function judgeLimits({ settings }: CheckContext, { limits }: StatusSnapshot, differs: Differs): void {
  const { ageLimits, assumptions } = settings;
  differs('the age that a book may have', limits.bookAgeMs, ageLimits.bookMs);
  differs('the age that a list may have', limits.openOrdersAgeMs, ageLimits.openOrdersMs);
  differs('the age that a wallet may have', limits.reconciledAgeMs, ageLimits.reconciledMs);
  differs('what a clock may be off', limits.clockUncertaintyMs, assumptions.maxClockUncertaintyMs);
}

/** A sleep of the whole machine shows in no clock of it, and the first answer afterwards tells. */
function judgeClock(context: CheckContext, { clock }: StatusSnapshot, { now, tallies }: Judging): void {
  if (clock === null || context.wokeAt() !== null) return;
  // Before a signed request is taken there is nothing but the Date of answers, which may be hours off (F88).
  if (!tallies.isStampTaken() && context.excused('dates')) return;
  const away = Math.abs(now + clock.offsetMs - context.now());
  // What is shown is as of the newest answer: where all lanes are paused it may be minutes old.
  const driftedMs = (context.now() - tallies.answeredAt()) * MOST_DRIFT;
  if (away > clock.uncertaintyMs + CLOCK_ROUNDED_MS + driftedMs + (context.excused('dates') ? SECOND : 0))
    context.violated('B2', `The bot shows its clock as known to ${clock.uncertaintyMs} ms; it is ${away} ms off.`);
}

/** Each request is counted once it is answered or given up: that moment may be a turn before its count. */
function judgeRequests(context: CheckContext, { requests }: StatusSnapshot, { differs, tallies }: Judging): void {
  // What a process that stood still would have sent, it gave up unsent, and no message shows it.
  const mayBeUnsent = context.counters.all.has('fault F124');
  for (const [endpoint, count] of tallies.answers) {
    const shown = requests.filter(({ kind }) => kind === endpoint);
    const all = shown.reduce((sum, each) => sum + each.count, 0);
    if ((all > count && !mayBeUnsent) || all < count - ON_THEIR_WAY) differs(`the requests of ${endpoint}`, all, count);
    const lane = isPrivate({ endpoint }) ? 'private' : 'public';
    for (const each of shown) differs(`the lane of ${endpoint}`, each.lane, lane);
  }
}
