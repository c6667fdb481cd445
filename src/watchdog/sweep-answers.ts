// Applies an answer to a sweep: an effective cancel, a throttling exchange, a list with or without our orders.
import { refused, taken } from '../client/pace/learned-rate.ts';
import type { OpenOrder } from '../domain/order.ts';
import type { DurationMs } from '../domain/time.ts';
import { SHOWN } from '../venue/lacked-twice.ts';
import type { CancelOutcome, Completed, CompletedCancel, CompletedRead, Read } from '../venue/outcomes.ts';
import { PROBE_EVERY_MS, remedyOf, stopsAll } from '../venue/refusals.ts';
import { keyOf, lookMs, recordCleanList } from './sweep.ts';
import { type Ambiguity, matchCreates } from './sweep-match.ts';
import {
  aim,
  forgetProof,
  freshScope,
  LONGEST_WAIT_MS,
  type Scope,
  type Sweep,
  type Target,
  WHOLE_ACCOUNT,
} from './sweep-state.ts';

type CompletedList = Extract<CompletedRead, { kind: 'open-orders' }>;

/** After this many failed cancels in a row the lists decide whether the order is open. */
const CANCEL_FAILED_OFTEN = 3;
/** Without any answer for half a minute, the exchange is the likelier cause than this cancel. */
const UNANSWERED_OFTEN = 6;
const BACKOFF_MS: DurationMs = 500;
const BACKOFF_LONGEST_MS: DurationMs = PROBE_EVERY_MS;
const STRIKE_MS: DurationMs = 1_000;
const STRIKE_LONGEST_MS: DurationMs = 30_000;

/** The answer to a request of a sweep. */
export interface SweepAnswer {
  readonly completed: Completed;
  readonly leftAt: DurationMs;
}

/** Processes the answer to a request of the sweep; others are ignored. */
export function recordSweepAnswer(sweep: Sweep, { completed, leftAt: sentAt }: SweepAnswer, now: DurationMs): void {
  const key = keyOfCompleted(completed);
  const lastSentAt = key === null ? undefined : sweep.inFlight.get(key);
  if (key === null || lastSentAt === undefined || sentAt > lastSentAt) return;
  if (sentAt === lastSentAt) sweep.inFlight.delete(key);
  const { receivedAt, sentAt: leftAt } = completed.facts;
  // Our wall clock may have been set between the two.
  const arrivedAt = Math.min(now, sentAt + Math.max(0, receivedAt - leftAt));
  const at = { sentAt, arrivedAt };
  restAfterRefusal(sweep, completed, arrivedAt);
  learnRate(sweep, completed, { leftAt: sentAt, now });
  if (completed.kind === 'open-orders') recordList(sweep, completed, at);
  else if (completed.kind === 'cancel')
    recordCancel(sweep, sweep.targets.get(completed.request.orderId), completed, at);
  else if (completed.kind === 'cancel-all') recordCancel(sweep, sweep.account ?? undefined, completed, at);
}

function keyOfCompleted({ kind, request }: Completed): string | null {
  return kind === 'cancel' || kind === 'cancel-all' || kind === 'open-orders' ? keyOf(request) : null;
}

/**
 * Rests when the exchange wants fewer requests, or none for a while: after a 429 as long as it says, in maintenance and
 * with refused keys at a gentle pace.
 */
function restAfterRefusal(sweep: Sweep, { kind, outcome, facts }: Completed, arrivedAt: DurationMs): void {
  const { settings } = sweep;
  const rest = (ms: DurationMs): void => {
    sweep.paceAt = Math.max(sweep.paceAt, arrivedAt + Math.min(ms, LONGEST_WAIT_MS));
  };
  const { remaining, resetAt, retryAfter } = facts.rateLimit ?? {};
  if (remaining === 0 && resetAt !== undefined) rest(resetAt - facts.receivedAt);
  if (facts.status === 429) {
    sweep.strikes += 1;
    rest(Math.max(retryAfter ?? 0, Math.min(STRIKE_MS * 2 ** (sweep.strikes - 1), STRIKE_LONGEST_MS)));
    sweep.trouble = 'The exchange wants fewer requests (429).';
    return;
  }
  if (wasLookedAt(outcome, facts)) sweep.strikes = 0;
  const answered = 'fault' in outcome ? outcome.fault : outcome;
  const refusal = 'refusal' in answered ? answered.refusal : undefined;
  if (refusal === 'maintenance') {
    rest(Math.max(settings.gentleMs, retryAfter ?? 0));
    sweep.trouble = 'The exchange is in maintenance.';
  } else if (facts.status === 503 || facts.status === 504) {
    rest(Math.min(settings.gentleMs, PROBE_EVERY_MS));
    restLists(sweep, arrivedAt + Math.min(retryAfter ?? 0, LONGEST_WAIT_MS));
    sweep.trouble = `The exchange is not available (${facts.status}).`;
  } else if ('code' in answered && stopsAll(refusal)) {
    rest(settings.gentleMs);
    sweep.trouble = `The exchange refuses the key or the request: ${answered.code}.`;
  } else if ('fault' in outcome) {
    sweep.trouble = outcome.fault.detail;
  } else if (kind === 'open-orders' && outcome.kind === 'rejected') {
    sweep.trouble = `The exchange refuses the list of open orders: ${outcome.code} ${outcome.msg}`;
  } else if (outcome.kind === 'acknowledged' || outcome.kind === 'read') {
    sweep.trouble = null;
  }
}

/** The last status about the request itself. */
const NOT_FOUND = 404;

/** Neither refused for the rate nor a failure; a cancel that could not be done was processed, too. */
function wasLookedAt(outcome: Completed['outcome'], { status }: Completed['facts']): boolean {
  const couldNot = 'fault' in outcome && outcome.fault.refusal === 'cancel-failure';
  return status !== undefined && status !== 429 && (status <= NOT_FOUND || couldNot);
}

/** A learned pace must recover: at a sixteenth of it a sweep of ten orders takes most of an hour. */
function learnRate(sweep: Sweep, { outcome, facts }: Completed, at: { leftAt: DurationMs; now: DurationMs }): void {
  if (facts.status === 429) sweep.rate = refused(sweep.rate, at.now);
  else if (wasLookedAt(outcome, facts)) sweep.rate = taken(sweep.rate, at);
}

/** Lists obey a gateway's wait; a cancel may be the one that gets through. */
function restLists({ scopes }: Sweep, until: DurationMs): void {
  for (const scope of scopes.values()) scope.notBefore = Math.max(scope.notBefore, until);
}

/** A cancel that left before the horizon of the last create does not cover later orders, whenever it is answered. */
function recordCancel(sweep: Sweep, target: Target | undefined, { outcome }: CompletedCancel, at: Moments): void {
  if (target === undefined) return;
  const { sentAt, arrivedAt } = at;
  target.attempts += 1;
  const isAll = target === sweep.account;
  if (!isThrough(outcome, target, isAll)) {
    const wait = Math.min(BACKOFF_MS * 2 ** Math.min(target.attempts, 10), BACKOFF_LONGEST_MS);
    target.notBefore = outcome.kind === 'throttled' ? 0 : arrivedAt + wait;
    return;
  }
  if (outcome.kind === 'acknowledged') sweep.canceled += 1;
  const pass = sentAt < sweep.secondFrom ? 1 : sweep.pass;
  target.passes = Math.max(target.passes, Math.min(pass, target.passes + 1));
  target.attempts = 0;
  target.notBefore = 0;
  target.acknowledgedAt = arrivedAt;
  target.isDoubtful = outcome.kind !== 'acknowledged';
  if (isAll && target.isDoubtful) for (const orderId of sweep.named) aim(sweep, orderId);
}

/** Whether repeating it is useless: the lists decide. */
function isThrough(outcome: CancelOutcome, { attempts, isDoubtful }: Target, isAll: boolean): boolean {
  const often = outcome.kind === 'unknown' && isUnanswered(outcome) ? UNANSWERED_OFTEN : CANCEL_FAILED_OFTEN;
  const isOften = attempts >= often || (isAll && isDoubtful);
  switch (outcome.kind) {
    case 'acknowledged':
      return true;
    case 'rejected':
      // A cancel of all has an alternative.
      return remedyOf(outcome.refusal) === 'fix-request' || (isAll && isOften);
    case 'unknown':
      return (isAll || outcome.fault.refusal === 'cancel-failure') && isOften;
    case 'not-sent':
    case 'throttled':
      return false;
  }
}

/** No answer, or a gateway's in place of the exchange's. */
const isUnanswered = ({ fault: { status, code } }: Extract<CancelOutcome, { kind: 'unknown' }>): boolean =>
  code === undefined && (status === undefined || status === 503 || status === 504);

function recordList(sweep: Sweep, { request, outcome }: CompletedList, at: Moments): void {
  const name = request.symbol ?? WHOLE_ACCOUNT;
  const scope = sweep.scopes.get(name);
  if (scope === undefined) return;
  if (outcome.kind !== 'read') {
    scope.notBefore = at.arrivedAt + lookMs(sweep);
    // If the exchange does not know a symbol, only the list of the whole account can show its orders.
    const isUnknown = outcome.kind === 'rejected' && outcome.refusal === 'symbol';
    if (isUnknown && name !== WHOLE_ACCOUNT) backToWhole(sweep, scope.notBefore);
    return;
  }
  const { read } = outcome;
  sweep.listed.set(name, read);
  const left = takeRows(sweep, read, { name, ...at });
  if (left > 0) {
    forgetProof(sweep);
    scope.notBefore = at.arrivedAt + lookMs(sweep);
  } else if (read.complete) {
    recordCleanList(sweep, scope, at.sentAt);
  } else {
    recordIncompleteList(sweep, scope, { name, read, arrivedAt: at.arrivedAt });
  }
}

interface Moments {
  /** When the request left, and when its answer arrived. */
  readonly sentAt: DurationMs;
  readonly arrivedAt: DurationMs;
}

/** Cancels listed orders of ours again, if needed; returns how many there were. */
function takeRows(
  sweep: Sweep,
  { rows, complete }: Read<readonly OpenOrder[]>,
  { name, ...at }: Moments & { name: string },
): number {
  if (sweep.account !== null) {
    if (rows.length > 0) cancelAgain(sweep, sweep.account, at);
    if (!sweep.account.isDoubtful) return rows.length;
    // Where cancel-all does not work, listed orders are canceled by name.
    for (const { orderId } of rows) aim(sweep, orderId);
    cancelListed(sweep, rows, at);
    return rows.length;
  }
  // An order missing from an incomplete list may be ours, and a similar one shown may be another owner's.
  if (complete) adopt(sweep, rows, name, at.sentAt);
  for (const { orderId } of rows) if (sweep.closed.has(orderId)) aim(sweep, orderId);
  return cancelListed(sweep, rows, at);
}

/** Returns how many of the rows are targets. */
function cancelListed(sweep: Sweep, rows: readonly OpenOrder[], at: Moments): number {
  const listed = rows.flatMap(({ orderId }) => sweep.targets.get(orderId) ?? []);
  for (const target of listed) cancelAgain(sweep, target, at);
  return listed.length;
}

/** A list that left before the cancel was answered is no evidence about it. */
function cancelAgain(sweep: Sweep, target: Target, { sentAt, arrivedAt }: Moments): void {
  if (target.passes < sweep.pass || sentAt <= target.acknowledgedAt) return;
  target.passes = sweep.pass - 1;
  target.notBefore = arrivedAt + lookMs(sweep);
  sweep.secondDoneAt = null;
}

/**
 * Gives unnamed creates the orders that only they can have made. A recently listed order counts even if this list lacks
 * it: otherwise one gap would make the owner's twin the only candidate.
 */
function adopt(sweep: Sweep, listed: readonly OpenOrder[], scope: string, sentAt: DurationMs): void {
  for (const row of listed) sweep.strangers.set(row.orderId, { row, sentAt });
  for (const [id, seen] of sweep.strangers)
    if (seen.sentAt + sweep.settings.readLagBoundMs < sentAt) sweep.strangers.delete(id);
  const rows = [...sweep.strangers.values()].map(({ row }) => row);
  const { targets, closed, questioned } = sweep;
  const strangers = rows.filter(({ orderId }) => ![targets, closed, questioned].some((known) => known.has(orderId)));
  const searched = sweep.unnamed.filter(({ symbol }) => scope === WHOLE_ACCOUNT || scope === symbol);
  const { found, ambiguous } = matchCreates(searched, strangers, sweep.settings.match);
  for (const orderId of found.values()) aim(sweep, orderId);
  sweep.unnamed = sweep.unnamed.filter((create) => !found.has(create));
  for (const create of searched) sweep.ambiguous.delete(create);
  for (const ambiguity of ambiguous) sweep.ambiguous.set(ambiguity.create, ambiguousWords(ambiguity));
}

function ambiguousWords({ create: { side, quantity, symbol, price }, orderIds, areLate }: Ambiguity): string {
  const order = `${side} of ${quantity.toFixed()} ${symbol} at ${price.toFixed()}`;
  if (areLate)
    return (
      `${orderIds.join(' and ')} is like the bot's ${order}, whose fate is unknown, but was created ` +
      'when that could no longer be accepted: not canceled, check whether it is yours.'
    );
  return `${orderIds.join(' and ')} could each be the bot's ${order}: not canceled, one of them may be yours.`;
}

function backToWhole({ scopes }: Sweep, notBefore: DurationMs): void {
  scopes.clear();
  scopes.set(WHOLE_ACCOUNT, { ...freshScope(), notBefore });
}

/** A list of the whole account may be cut: then it is read symbol by symbol. */
function recordIncompleteList(
  sweep: Sweep,
  scope: Scope,
  { name, read, arrivedAt }: { name: string; read: Read<readonly OpenOrder[]>; arrivedAt: DurationMs },
): void {
  const { settings, symbols } = sweep;
  if (name === WHOLE_ACCOUNT && settings.whose === 'own' && symbols.size > 0) {
    sweep.scopes.delete(WHOLE_ACCOUNT);
    for (const symbol of symbols) sweep.scopes.set(symbol, freshScope());
    return;
  }
  scope.lacked = SHOWN;
  scope.notBefore = arrivedAt + lookMs(sweep);
  sweep.trouble = `The list of open orders is not complete: ${read.incompleteBecause ?? 'a row could not be read.'}`;
}
