// Answers to creates and cancels.
import type { IntentId } from '../../domain/ids.ts';
import { assertNever } from '../../domain/invariant.ts';
import { type CancelOutcome, type CreateOutcome, detailOf } from '../../venue/outcomes.ts';
import type { Intent } from '../durable/intent.ts';
import { attributeBooked } from '../money/corrections.ts';
import { wasThereBefore } from '../policy/attribution/match.ts';
import type { Market } from '../state/market.ts';
import { seenOf, seenToChange } from '../state/seen.ts';
import { marketOf, touch, touchAll, type With } from '../state/state.ts';
import { need } from '../state/surfaces.ts';
import { emit, haltSymbol, intentNotice, type Step, type Turn } from '../state/turn.ts';
import { unwindingOf } from '../state/unwinding.ts';
import { closeFilled } from './close.ts';
import { probe } from './settle.ts';

/** A create is answered, or its answer is lost. */
export function observeCreate(turn: Turn, market: Market, intent: Intent, outcome: CreateOutcome): void {
  const { state, now } = turn;
  const settled = outcome.kind === 'accepted' ? named(state, market, intent, outcome) : outcome;
  const throttledBy = settled.kind === 'soft-rejected' ? settled.throttledBy : undefined;
  const refused = settled.kind === 'soft-rejected' && throttledBy === undefined ? { refused: true as const } : {};
  emit(turn, {
    type: 'create-outcome',
    payload: {
      intentId: intent.intentId,
      outcome: settled.kind,
      orderId: settled.kind === 'accepted' ? settled.orderId : null,
      detail: detailOf(settled),
      ...refused,
      at: now,
    },
  });
  touchAll(state);
  if (throttledBy === 'exchange') seenToChange(state.orders, intent.intentId).forRate = true;
  // Throttling concerns the lane, which rests by itself; the request may be right.
  if (throttledBy === undefined) countRejects(turn, market, intent, settled);
  const order = `${intent.side} ${intent.quantity.toFixed()} @ ${intent.price.toFixed()}`;
  switch (settled.kind) {
    case 'accepted':
      intentNotice(turn, intent, { level: 'info', op: 'accepted', message: `Order ${settled.orderId}: ${order}.` });
      // At another price than was sent (F16), nobody could attribute the fills to it.
      attributeBooked(turn, market, intent, settled.orderId);
      return closeFilled(turn, market);
    case 'not-sent':
      return intentNotice(turn, intent, {
        level: 'warn',
        op: 'rejected',
        message: `${order} did not leave: ${detailOf(settled)}`,
      });
    case 'rejected':
    case 'soft-rejected':
      need(state.wallet, now);
      return intentNotice(turn, intent, {
        level: 'warn',
        op: 'rejected',
        message: `${order} was refused: ${detailOf(settled)}`,
      });
    case 'unknown':
      probe(state, market, now);
      return intentNotice(turn, intent, {
        level: 'warn',
        op: 'unknown',
        message: `The outcome of ${order} is unknown: ${detailOf(settled)}`,
      });
    default:
      assertNever(settled);
  }
}

type Accepted = Extract<CreateOutcome, { kind: 'accepted' }>;

/** The answer, with its id only if it can be trusted. */
function named(state: With<'durable' | 'orders'>, market: Market, intent: Intent, outcome: Accepted): CreateOutcome {
  const { durable } = state;
  const { doubtedIds } = state.orders;
  const isOld = durable.orders.byOrderId.has(outcome.orderId) || doubtedIds.has(outcome.orderId);
  if (isOld || wasThereBefore(market, intent, outcome.orderId)) {
    seenToChange(state.orders, intent.intentId).isMisnamed = true;
    return reused(outcome);
  }
  const doubtful = misnamedOf(state);
  if (doubtful === null) return outcome;
  doubtedIds.add(outcome.orderId);
  return swapped(doubtful, outcome);
}

/** An id that another order has, or that answered another create, can't be this one's (F17): the create is unknown. */
function reused(outcome: Accepted): CreateOutcome {
  const detail = `The exchange answered with order ${outcome.orderId}, which is another order's id.`;
  return { kind: 'unknown', fault: { sent: true, reason: 'bad-shape', detail } };
}

/**
 * Answers may be swapped (F79): while a create waits for its order because it was answered with another's id, the next
 * new id may be its own. The lists show the order behind it.
 */
function swapped(doubtful: IntentId, outcome: Accepted): CreateOutcome {
  const detail =
    `The exchange answered with order ${outcome.orderId}, which may be intent ${doubtful}: that one was answered ` +
    `with another order's id.`;
  return { kind: 'unknown', fault: { sent: true, reason: 'bad-shape', detail } };
}

/** A create that was answered with another order's id, and whose own is not known yet. */
function misnamedOf({ orders, durable }: With<'durable' | 'orders'>): IntentId | null {
  for (const [id, { isMisnamed }] of orders.seen)
    if (isMisnamed && durable.orders.intents.get(id)?.state === 'unknown') return id;
  return null;
}

/**
 * Three refusals of one kind in a row make the symbol rest (K9); a code that means that the symbol is wrong halts it.
 */
function countRejects(
  turn: Step<'settings' | 'session'>,
  market: Market,
  intent: Intent,
  outcome: CreateOutcome,
): void {
  const { rejects, unsent } = market;
  if (outcome.kind === 'not-sent') return restAfterSilence(turn, unsent);
  if (outcome.kind === 'unknown') return;
  unsent.inARow = 0;
  if (outcome.kind === 'accepted') {
    rejects.inARow = 0;
    return;
  }
  const kind = outcome.kind === 'rejected' ? String(outcome.code) : outcome.msg;
  rejects.inARow = rejects.kind === kind ? rejects.inARow + 1 : 1;
  rejects.kind = kind;
  if (unwindingOf(turn.state, market, turn.now)?.takes === true)
    market.takesFrom = turn.arrivedAt + turn.state.settings.rejectPauseMs;
  if (outcome.kind === 'rejected' && outcome.refusal === 'symbol') {
    return haltSymbol(
      turn,
      market,
      `The exchange refused ${intent.quantity.toFixed()} @ ${intent.price.toFixed()}: ${outcome.code} ${outcome.msg}`,
      'exchange',
    );
  }
  if (rejects.inARow < turn.state.settings.maxConsecutiveRejects) return;
  rejects.restUntil = turn.arrivedAt + turn.state.settings.rejectPauseMs;
  // A run of refusals may last for hours: people are called when it begins.
  const isFirst = rejects.inARow === turn.state.settings.maxConsecutiveRejects;
  intentNotice(turn, intent, {
    level: isFirst ? 'page' : 'warn',
    op: 'resting',
    message: `${rejects.inARow} refusals in a row (${kind}): ${intent.symbol} rests.`,
  });
}

const FIRST_REST_MS = 500;
const LONGEST_REST_MS = 30_000;

/** Nothing leaves this machine: the slot is free, and retrying a dead line is not urgent (F08, F70). */
function restAfterSilence(turn: Step, unsent: Market['unsent']): void {
  unsent.inARow += 1;
  unsent.restUntil = turn.arrivedAt + Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (unsent.inARow - 1));
}

/** A cancel is answered, or its answer is lost. No answer says how much had filled. */
export function observeCancel(turn: Step<'orders'>, id: IntentId, outcome: CancelOutcome): void {
  const { state, now } = turn;
  const attempt = seenOf(state.orders, id).cancel;
  if (attempt) {
    attempt.answeredAt = turn.arrivedAt;
    // Two cancels of an order may be in flight: one acknowledgement holds, whatever the other answer is.
    attempt.acknowledged ||= outcome.kind === 'acknowledged';
  }
  const intent = state.durable.orders.intents.get(id);
  if (!intent) return;
  emit(turn, {
    type: 'cancel-outcome',
    payload: { intentId: id, outcome: outcome.kind, detail: detailOf(outcome), at: now },
  });
  const market = marketOf(state, intent.symbol);
  need(market.openOrders, now);
  const level = outcome.kind === 'acknowledged' ? 'debug' : 'warn';
  intentNotice(turn, intent, {
    level,
    op: 'cancel',
    message: `Cancel of order ${intent.orderId ?? ''}: ${outcome.kind}, ${detailOf(outcome)}`,
  });
  touch(market);
}
