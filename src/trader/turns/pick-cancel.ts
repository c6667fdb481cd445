// The cancel that is worth most now: of what should not be on the book, and again of what a cancel did not take.
import type { IntentId, OrderId } from '../../domain/ids.ts';
import type { EpochMs } from '../../domain/time.ts';
import { PROBE_EVERY_MS } from '../../venue/error-codes.ts';
import { repeatsGoFirst } from '../contact/refusal.ts';
import { gotLost, isCut, repeatsInSilence } from '../contact/responsive.ts';
import { decisionOf } from '../decision/decide.ts';
import type { Intent } from '../durable/intent.ts';
import { wantsFence } from '../orders/fence.ts';
import { liveOrderOf } from '../state/live-order.ts';
import { marketOf, symbolsOf, type TraderState } from '../state/state.ts';
import { type Candidate, isFree } from './candidate.ts';

const CANCEL_RETRY_MS = 1_000;
const CANCEL_RETRY_LONGEST_MS = 10_000;

/** Cancels: of orders that reappeared, of what should not be on the book, and again of those that did not take. */
export function pickCancel(state: TraderState, now: EpochMs): Candidate | null {
  const free = (candidate: Candidate): boolean => isFree(state, candidate, now);
  for (const [orderId, { sentAt }] of state.orders.reappeared) {
    const candidate = {
      kind: 'cancel',
      orderId,
      intentId: state.durable.orders.byOrderId.get(orderId) ?? null,
      why: 'It was held for closed.',
    } as const;
    if (sentAt === null && free(candidate)) return candidate;
  }
  for (const second of duplicatesToCancel(state)) {
    const candidate = { kind: 'cancel', ...second, why: 'It is a second order of one create.' } as const;
    if (free(candidate)) return candidate;
  }
  const repeated = (): Candidate | null => pickRepeatedCancel(state, now);
  const first = (): Candidate | null => pickFirstCancel(state, now);
  // In a silence repeats are always due: what was not tried yet must not wait for them.
  const cancel = isCut(state, 'private', now) ? (first() ?? repeated()) : (repeated() ?? first());
  return cancel ?? pickFence(state, now);
}

/** Second orders that are still to be canceled. */
function* duplicatesToCancel({ durable }: TraderState): Generator<{ intentId: IntentId; orderId: OrderId }> {
  for (const { intentId, orderId, state, duplicateOf } of durable.orders.intents.values())
    if (duplicateOf !== null && state === 'open' && orderId !== null) yield { intentId, orderId };
}

/** Of those that were not acknowledged, or did not take: the one that was sent the longest ago. */
function pickRepeatedCancel(state: TraderState, now: EpochMs): Candidate | null {
  let oldest: { readonly candidate: Candidate; readonly sentAt: EpochMs } | null = null;
  for (const intent of state.durable.orders.intents.values()) {
    const { intentId, orderId } = intent;
    if (intent.state !== 'cancel-sent' || orderId === null || !mayRetryCancel(state, intent, now)) continue;
    const sentAt = liveOrderOf(state, intentId).cancel?.sentAt ?? 0;
    if (oldest !== null && oldest.sentAt <= sentAt) continue;
    const candidate = { kind: 'cancel', orderId, intentId, why: 'The cancel before had no effect.' } as const;
    if (cancelAgainAt(state, intentId, now) <= now && isFree(state, candidate, now)) oldest = { candidate, sentAt };
  }
  return oldest?.candidate ?? null;
}

/** Of orders that should not be on the book. */
function pickFirstCancel(state: TraderState, now: EpochMs): Candidate | null {
  for (const symbol of symbolsOf(state)) {
    for (const { intentId, why } of decisionOf(state, symbol, now).cancels) {
      const orderId = state.durable.orders.intents.get(intentId)?.orderId ?? null;
      if (orderId === null || state.durable.orders.intents.get(intentId)?.state !== 'open') continue;
      const candidate = { kind: 'cancel', orderId, intentId, why } as const;
      if (isFree(state, candidate, now)) return candidate;
    }
  }
  return null;
}

function pickFence(state: TraderState, now: EpochMs): Candidate | null {
  for (const symbol of symbolsOf(state)) {
    const candidate = { kind: 'cancel-symbol', symbol, why: 'Nothing unnamed may be left in the book.' } as const;
    if (wantsFence(state, symbol, now) && isFree(state, candidate, now)) return candidate;
  }
  return null;
}

/**
 * Between two attempts the list of own orders is asked for, and no two repeats follow each other: where cancels are
 * refused because the orders are gone, repeats alone would take a slow lane, and nothing would ever show it.
 */
function mayRetryCancel(state: TraderState, { intentId, symbol }: Intent, now: EpochMs): boolean {
  const answeredAt = liveOrderOf(state, intentId).cancel?.answeredAt ?? null;
  if (answeredAt === null || repeatsGoFirst(state, answeredAt, now)) return true;
  if (repeatsInSilence(state, answeredAt, now)) return true;
  const { attemptedAt } = marketOf(state, symbol).openOrders;
  return state.requests.cancelsRepeated === 0 && attemptedAt !== null && attemptedAt >= answeredAt;
}

/** When a cancel that was not acknowledged, or did not take, may be sent again. */
function cancelAgainAt(state: TraderState, intentId: IntentId, now: EpochMs): EpochMs {
  const attempt = liveOrderOf(state, intentId).cancel;
  if (!attempt) return 0;
  if (attempt.acknowledged) return Number.POSITIVE_INFINITY;
  if (attempt.answeredAt === null) return attempt.sentAt + PROBE_EVERY_MS;
  if (gotLost(state, attempt.answeredAt)) return now;
  const longest = isCut(state, 'private', now) ? PROBE_EVERY_MS : CANCEL_RETRY_LONGEST_MS;
  return attempt.answeredAt + Math.min(longest, CANCEL_RETRY_MS * attempt.attempts);
}
