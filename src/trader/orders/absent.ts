import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import { readsAnsweredSince } from '../contact/responsive.ts';
import type { Intent } from '../durable/intent.ts';
import type { Reads } from '../durable/reads.ts';
import { confirmedSentAt } from '../money/confirmed-wallet.ts';
import { isUnresolved, unresolvedOf } from '../policy/attribution/match.ts';
import { policyOf } from '../policy/policy-of.ts';
import { liveOrderOf, liveOrderToChange, noteAbsence } from '../state/live-order.ts';
import { lagBoundMs, marketOf, noteResolution, REQUESTS_OF_A_PROOF, type TraderState, touch } from '../state/state.ts';
import { ageOf, need } from '../state/surfaces.ts';
import { emit, haltSymbol, intentNotice, type Turn } from '../state/turn.ts';
import { fencedAt } from './fence.ts';
import { countsFrom, doubtMs, doubtSettledBy, locksTooLittle, noteLacked } from './locked-funds.ts';

/** An order that shows at all shows soon: after a while each look may wait for this share of the time since. */
const PROBE_EASE_RATIO = 0.25;

/**
 * Asks for the reads that can show an unresolved intent: every `probeMs` at first, more rarely later (on a slow lane
 * the search would leave no request for anything else), and once more each when they can prove that it is absent.
 */
export function probe(state: TraderState, symbol: InstrumentSymbol, now: EpochMs): void {
  const { openOrders: orders, trades } = marketOf(state, symbol);
  for (const intent of unresolvedOf(state, symbol)) {
    const pause = Math.max(state.settings.polling.probeMs, (now - intent.since) * PROBE_EASE_RATIO);
    for (const surface of [orders, trades]) if (ageOf(surface, now) >= pause) need(surface, now);
    const provable = provableAt(state, intent);
    if (now < provable) continue;
    const forRate = isForRate(state, intent);
    const witnesses = forRate ? [trades, orders] : [trades, state.wallet];
    for (const surface of witnesses) if ((surface.sentAt ?? 0) < provable) need(surface, now);
    if (!forRate && (orders.beforeSentAt ?? 0) < provable) need(orders, now);
  }
}

/**
 * A refusal for the rate is watched until no copy of the create can be taken any more, and looked for once after that
 * (order-truth §1). Should lists show it later still, it is known as one that was held for never placed.
 */
const isForRate = (state: TraderState, { intentId, state: of }: Intent): boolean =>
  of === 'soft-rejected' && liveOrderOf(state, intentId).absence.forRate === true;

/**
 * Reads that leave from then on can prove that the intent was never placed. Where all orders of a symbol may be
 * canceled at once a fence comes first; where the exchange takes none, orders, trades and wallet prove it without.
 */
function provableAt(state: TraderState, intent: Intent): EpochMs {
  const boundMs = lagBoundMs(state);
  if (isForRate(state, intent)) return Math.max(intent.horizon, intent.since);
  // What left before the create was given up on was not searched for it: only reads after that can show that it is
  // absent.
  const without = Math.max(intent.horizon + boundMs, intent.since);
  if (!policyOf(state).cancelsBySymbol || intent.state !== 'unknown') return without;
  const absence = liveOrderOf(state, intent.intentId).absence;
  if (absence.unfencedAt !== null) return Math.max(without, absence.unfencedAt);
  const fenced = absence.fencedAt ?? fencedAt(state, intent.symbol, intent.horizon);
  return fenced === null ? Number.POSITIVE_INFINITY : Math.max(without, fenced + boundMs);
}

/** The first fence after the horizon counts: later ones prove no more. */
function noteFence(state: TraderState, intent: Intent): void {
  const { fencedAt: known, unfencedAt } = liveOrderOf(state, intent.intentId).absence;
  if (!policyOf(state).cancelsBySymbol || intent.state !== 'unknown' || known !== null || unfencedAt !== null) return;
  const fenced = fencedAt(state, intent.symbol, intent.horizon);
  if (fenced === null) return;
  const fenceSentAt = marketOf(state, intent.symbol).fence?.taken?.sentAt ?? null;
  noteAbsence(state, intent.intentId, { fencedAt: fenced, fenceSentAt });
}

/**
 * Settles absence: a refusal for the rate after its horizon; another soft rejection after the horizon and the lag by
 * two complete lists and trades; an unknown only when two complete lists of orders, a complete one of trades and a
 * wallet that equals the ledger all left after that. A list may lack an order that rests (F34): where the wallet locks
 * enough for it, the lists must lack it for long, and trades and wallet leave after that. Past the deadline the symbol
 * is halted; a fence that was not taken until then is waited for no longer.
 */
export function settleAbsent(turn: Turn, symbol: InstrumentSymbol): void {
  const { state, now } = turn;
  const { resolutionDeadlineMs } = state.settings.assumptions;
  const boundMs = lagBoundMs(state);
  // While the bot was down, or nothing was answered, nobody looked: the time for proof begins when somebody does.
  const looking = Math.max(readsAnsweredSince(state, now) ?? now, marketOf(state, symbol).openOrders.readSince ?? 0);
  for (const intent of unresolvedOf(state, symbol)) {
    noteFence(state, intent);
    const provable = provableAt(state, intent);
    const begun = Math.max(looking, Number.isFinite(provable) ? provable : fenceBy(intent, looking, boundMs));
    const looked = state.wallet.lockedLately.at(-1)?.sentAt ?? 0;
    const isOpen = looked >= provable && !locksTooLittle(state, intent, provable);
    const deadline = begun + resolutionDeadlineMs + (isOpen ? doubtMs(state) + boundMs : 0);
    if (now < provable && now <= deadline) continue;
    if (now >= provable) noteLooks(state, intent, provable);
    if (now >= begun) noteBegun(state, intent);
    if (now >= provable && isProvedAbsent(state, intent, provable)) settleProved(turn, intent);
    else if (!isInTime(state, intent, { deadline, now })) giveUp(turn, intent, provable);
  }
}

/** Nothing of the intent rests; what may have filled of it, a person is asked about. */
function settleProved(turn: Turn, intent: Intent): void {
  if (!policyOf(turn.state).askAboutFills(turn, intent)) closeAbsent(turn, intent);
}

const PROVED = 'proved by orders, trades and wallet';

function closeAbsent(turn: Turn, intent: Intent): void {
  const { state, now } = turn;
  const by = isForRate(state, intent) ? 'refused for the rate, and not there after its horizon' : PROVED;
  const reads = readsOf(state, intent);
  emit(turn, { type: 'closed', payload: { intentId: intent.intentId, as: 'not-placed', reads, at: now } });
  state.orders.live.delete(intent.intentId);
  if (intent.state === 'unknown') noteResolution(state, { by: 'absence', seconds: (now - intent.sentAt) / 1_000 });
  const message = `Intent ${intent.intentId} was never placed: ${by}.`;
  intentNotice(turn, intent, { level: 'info', op: 'not-placed', message });
  touch(state, intent.symbol);
}

/** What its absence rests on. */
function readsOf(state: TraderState, intent: Intent): Reads {
  const { beforeSentAt, sentAt } = marketOf(state, intent.symbol).openOrders;
  const trades = marketOf(state, intent.symbol).trades.sentAt;
  const counted = trades === null ? {} : { trades: [trades] };
  if (isForRate(state, intent)) return { orders: [sentAt].filter((at) => at !== null), ...counted };
  const { fencedAt: fenced, fenceSentAt: fence } = liveOrderOf(state, intent.intentId).absence;
  const wallet = intent.state === 'unknown' ? confirmedSentAt(state, intent, intent.sentAt) : null;
  const { lacked = null, ...locks } = doubtSettledBy(state, intent, provableAt(state, intent));
  return {
    orders: [...new Set([lacked, beforeSentAt, sentAt])].filter((at) => at !== null),
    ...counted,
    ...(wallet === null ? {} : { wallet }),
    ...locks,
    ...(fenced === null || fence === null ? {} : { fence }),
  };
}

/** On the fence, where one is waited for; then on a proof at all: a person is called. */
function giveUp(turn: Turn, intent: Intent, provable: EpochMs): void {
  const { state, now } = turn;
  if (!Number.isFinite(provable)) return noteAbsence(state, intent.intentId, { unfencedAt: now, turnsBefore: null });
  const order = `${intent.side} ${intent.quantity.toFixed()} @ ${intent.price.toFixed()}`;
  const reason = `What became of intent ${intent.intentId} (${order}) could not be proved.`;
  haltSymbol(turn, intent.symbol, reason, 'create-unproved');
}

/** Somebody looks for it now. */
function noteBegun(state: TraderState, { intentId }: Intent): void {
  if (liveOrderOf(state, intentId).absence.turnsBefore === null)
    noteAbsence(state, intentId, { turnsBefore: state.requests.privateTurns });
}

/** A lane that was slowed down gets the requests that a proof takes, however long they take. */
function isInTime(
  state: TraderState,
  { intentId }: Intent,
  { deadline, now }: { readonly deadline: EpochMs; readonly now: EpochMs },
): boolean {
  const { turnsBefore } = liveOrderOf(state, intentId).absence;
  return (
    now <= deadline || state.requests.privateTurns - (turnsBefore ?? state.requests.privateTurns) < REQUESTS_OF_A_PROOF
  );
}

/**
 * A fence that has not come yet: it may be asked for as soon as somebody looks, and a start asks for a new one.
 */
function fenceBy(intent: Intent, looking: EpochMs, lagMs: DurationMs): EpochMs {
  return Math.max(intent.horizon, intent.since, looking) + lagMs;
}

/**
 * When something was listed last that may be the intent's, or a second order of another of ours on its side; null where
 * nothing is, or was lately. No exchange makes a sale of a purchase.
 */
function maybeOursShownAt(state: TraderState, { symbol, side }: Intent): EpochMs | null {
  const { unmatched } = marketOf(state, symbol).openOrders;
  const possible = [...unmatched.values()].filter(({ row, mayBeOurs }) => mayBeOurs && row.side === side);
  return possible.length === 0 ? null : Math.max(...possible.map(({ lastSentAt }) => lastSentAt));
}

/**
 * Whether only a person can tell what became of a create: every list since it can be looked for shows an order that
 * may be its own, or another's second one. As long as that rests no read settles it. Or he was asked about trades that
 * may be of it.
 */
export function isUndecidable(state: TraderState, intent: Intent): boolean {
  if (!isUnresolved(intent)) return false;
  if (policyOf(state).isAskedAboutFills(state, intent)) return true;
  const { beforeSentAt } = marketOf(state, intent.symbol).openOrders;
  const shownAt = maybeOursShownAt(state, intent);
  return (
    beforeSentAt !== null && shownAt !== null && beforeSentAt >= provableAt(state, intent) && shownAt > beforeSentAt
  );
}

/** When the first of two lists left that had to show it; null before the second one. */
function lookedFrom(state: TraderState, { symbol }: Intent, provable: EpochMs): EpochMs | null {
  const { beforeSentAt, sentAt } = marketOf(state, symbol).openOrders;
  if (beforeSentAt === null || beforeSentAt < provable || sentAt === null) return null;
  return beforeSentAt;
}

/** What the last lists showed of it, once they can prove that it is absent. */
function noteLooks(state: TraderState, intent: Intent, provable: EpochMs): void {
  const { intentId } = intent;
  const lookedAt = lookedFrom(state, intent, provable);
  if (isForRate(state, intent) || lookedAt === null) return;
  const shownAt = maybeOursShownAt(state, intent);
  if (shownAt !== null) {
    noteAbsence(state, intentId, { shownAt, missedAt: null });
    liveOrderToChange(state, intentId).lackedAt = null;
    return;
  }
  const absence = liveOrderOf(state, intentId).absence;
  if (absence.shownAt !== null && lookedAt <= absence.shownAt) return;
  const missedFrom = absence.missedAt ?? lookedAt;
  if (absence.missedAt === null) noteAbsence(state, intentId, { missedAt: missedFrom });
  noteLacked(state, intent, { missedFrom, from: provable });
}

function isProvedAbsent(state: TraderState, intent: Intent, provable: EpochMs): boolean {
  if (isForRate(state, intent)) {
    const { openOrders, trades } = marketOf(state, intent.symbol);
    const looked = [openOrders.sentAt, trades.sentAt];
    return looked.every((at) => at !== null && at >= provable) && maybeOursShownAt(state, intent) === null;
  }
  const lookedAt = lookedFrom(state, intent, provable);
  // A person was asked, and absence is not proved meanwhile; nor is it by a list from before that was gone.
  const { shownAt, missedAt } = liveOrderOf(state, intent.intentId).absence;
  if (lookedAt === null || missedAt === null || (shownAt !== null && lookedAt <= shownAt)) return false;
  const from = countsFrom(state, intent, { missedFrom: missedAt, from: provable });
  if (from === null) return false;
  const trades = marketOf(state, intent.symbol).trades;
  if (trades.sentAt === null || trades.sentAt < from) return false;
  if (intent.state === 'soft-rejected') return true;
  const confirmedAt = confirmedSentAt(state, intent, intent.sentAt);
  return confirmedAt !== null && confirmedAt >= from;
}
