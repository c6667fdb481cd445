// S3, S4 and S5: what is live in each slot, by the journal and at the exchange, and which order may stand beside which.
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../src/domain/time.ts';
import type { Claim } from '../checks/claims.ts';
import type { Answered, CheckContext, Checker } from '../checks/context.ts';
import type { TrueOrder } from '../checks/oracle.ts';
import { DECISION_SLACK_MS, forgetReads, type LastReads, noReads, noteRead } from './last-reads.ts';

/** Both orders of a move may be on the book for so long: a slow lane has other things to do, too. */
const OUTSTAYS_AT_MOST_MS = MINUTE;
/** Two orders of one create: the bot must have noticed after the lists' lag and so long. */
const NOTICED_WITHIN_MS: DurationMs = 2 * MINUTE;

interface Slots {
  readonly reads: LastReads;
  /** Intents with two orders at the exchange: since when both are live. */
  readonly doubledSince: Map<string, EpochMs>;
  /** Orders whose cancel the exchange acknowledged: of one of them, or of its whole symbol. */
  readonly acknowledged: Set<string>;
  /** Intents that have left their slot. */
  readonly left: Set<string>;
  /** Intents beside a newer one of their slot, both open: since when. */
  readonly outstays: Map<string, EpochMs>;
  /** Intents that stand in for one of their slot whose create has no answer, by that one's intent. */
  readonly standIns: Map<string, string>;
  epoch: number;
}

export function slotChecks(): Checker {
  const slots: Slots = {
    reads: noReads(),
    doubledSince: new Map(),
    acknowledged: new Set(),
    left: new Set(),
    outstays: new Map(),
    standIns: new Map(),
    epoch: 0,
  };
  return {
    sent(context, { endpoint, claim }) {
      if (endpoint === 'create' && claim !== null) beside(slots, context, claim);
    },
    answered(context, message) {
      noteAcknowledged(slots, context, message);
      noteRead(slots.reads, context, message);
    },
    recorded(context, { type, epoch, payload }) {
      // One whose process ends before a byte leaves counts as live all the same (seed 6228).
      const claim = type === 'intent' ? context.claims.intents.get(String(payload.intentId)) : undefined;
      if (claim !== undefined) inDoubt(slots, context, claim);
      // Nobody can cancel while the bot is down: a new process has its own time for it.
      if (epoch > slots.epoch) slots.outstays.clear();
      slots.epoch = epoch;
    },
    event(context, changed) {
      if (!changed) return;
      inJournal(slots, context);
      atExchange(slots, context);
    },
    crashed: () => forgetReads(slots.reads),
  };
}

/** S3: in the journal, one intent is live in each slot. */
function inJournal(slots: Slots, context: CheckContext): void {
  const taken = new Map<string, Claim>();
  for (const claim of context.claims.live.values()) {
    const slot = `${claim.symbol} ${claim.slot}`;
    const other = taken.get(slot);
    if (other !== undefined) outstaying(slots, context, [other, claim]);
    if (hasLeft(slots, claim)) continue;
    if (other !== undefined && !mayBeTwo(slots, other, claim))
      context.violated('S3', `Intents ${other.intentId} and ${claim.intentId} are both live in ${slot}.`);
    taken.set(slot, claim);
  }
}

/** S4: the same of the orders at the exchange. */
function atExchange(slots: Slots, context: CheckContext): void {
  const { claims, oracle } = context;
  const bySlot = new Map<string, Claim>();
  for (const order of oracle.live()) {
    if (order.maker.kind !== 'bot') continue;
    const { intentId } = order.maker;
    const claim = claims.byOrder.get(order.orderId) ?? claims.intents.get(intentId);
    const doubled = oracle.deliveriesOf(intentId) > 1;
    if (doubled) noticed(slots, context, { intentId, symbol: order.symbol });
    if (claim === undefined || doubled) continue;
    owned(context, order, claim);
    if (hasLeft(slots, claim)) continue;
    const slot = `${claim.symbol} ${claim.slot}`;
    const other = bySlot.get(slot);
    if (other && !mayBeTwo(slots, other, claim))
      context.violated('S4', `Intents ${other.intentId} and ${claim.intentId} are both live in ${slot}.`);
    bySlot.set(slot, claim);
  }
}

/** One of the two is to be canceled once the other one is on the book. */
const isMove = (a: Claim, b: Claim): boolean => a.replaces === b.intentId || b.replaces === a.intentId;

const mayBeTwo = ({ standIns }: Slots, a: Claim, b: Claim): boolean =>
  isMove(a, b) || standIns.get(a.intentId) === b.intentId || standIns.get(b.intentId) === a.intentId;

/**
 * S3: an order may stand in for one whose create has no answer, where orders and trades were asked for since, and no
 * row could be either's: price and quantity differ.
 */
function inDoubt({ reads, standIns }: Slots, context: CheckContext, claim: Claim): void {
  const isIts = ({ intentId, symbol, slot, state }: Claim): boolean =>
    intentId !== claim.intentId &&
    symbol === claim.symbol &&
    slot === claim.slot &&
    (state === 'unknown' || state === 'soft-rejected');
  const doubtful = [...context.claims.live.values()].filter(isIts);
  const [only] = doubtful;
  if (only === undefined || doubtful.length > 1) return;
  const isUnlike = only.price !== claim.price && only.quantity !== claim.quantity;
  if (!isUnlike || !lookedSince(reads, context, only)) return;
  context.counters.add('stood in for an unknown create');
  standIns.set(claim.intentId, only.intentId);
}

function lookedSince({ at, before }: LastReads, context: CheckContext, { symbol, since }: Claim): boolean {
  const from = since + context.clockError() - DECISION_SLACK_MS;
  const read = context.isUp() ? at : before;
  return ['open-orders', 'spot-trades'].every((endpoint) => (read.get(`${endpoint} ${symbol}`) ?? 0) >= from);
}

/** S5: the journal knows the order, or knows that it may exist. */
function owned(context: CheckContext, { orderId }: TrueOrder, claim: Claim): void {
  if (claim.state === 'closed') {
    const how = `${claim.closedAs} ${((context.now() - claim.since) / SECOND).toFixed(1)} s ago`;
    context.violated('S5', `Order ${orderId} is live; its intent ${claim.intentId} was closed as ${how}.`);
  } else if (claim.orderId !== null && claim.orderId !== orderId) {
    context.violated('S5', `Order ${orderId} is live; its intent ${claim.intentId} is bound to ${claim.orderId}.`);
  }
}

/** F11: the second order of one create is none of the bot's doing, but it must see it. */
function noticed(
  { doubledSince }: Slots,
  context: CheckContext,
  { intentId, symbol }: Pick<Claim, 'intentId' | 'symbol'>,
): void {
  context.counters.add('same order delivered twice');
  const live = context.oracle.ordersOf(intentId).filter((each) => each.live);
  if (live.length < 2) {
    doubledSince.delete(intentId);
    return;
  }
  const since = doubledSince.get(intentId) ?? context.now();
  doubledSince.set(intentId, since);
  const within = context.settings.assumptions.readLagBoundMs + NOTICED_WITHIN_MS;
  if (
    context.isUp() &&
    context.phase() !== 'chaos' &&
    context.now() - Math.max(since, context.calmSince()) > within &&
    !context.claims.halts.has(symbol)
  ) {
    context.violated('S4', `Two orders of intent ${intentId} are live, and nobody has noticed.`);
  }
}

/**
 * Its cancel was acknowledged, or it was canceled and then missed in a list. It still counts in every limit. What was
 * acknowledged to a process that could write no more, the next one cannot know.
 */
const leaves = ({ acknowledged }: Slots, { state, cancelSent, cancelTaken, orderId }: Claim): boolean =>
  cancelSent && (state === 'closing' || (cancelTaken && orderId !== null && acknowledged.has(orderId)));

/** The same of one that is listed again: it must go, but another one may have its slot. */
function hasLeft(slots: Slots, claim: Claim): boolean {
  if (leaves(slots, claim)) slots.left.add(claim.intentId);
  return slots.left.has(claim.intentId);
}

function noteAcknowledged(
  { acknowledged }: Slots,
  { claims }: CheckContext,
  { endpoint, status, body, text }: Answered,
): void {
  if (status !== 200 || !text.includes('"msg"') || text.includes('"code"')) return;
  if (endpoint === 'cancel') acknowledged.add(body.order_id ?? '');
  if (endpoint !== 'cancel-symbol') return;
  for (const { symbol, orderId } of claims.live.values())
    if (symbol === body.symbol && orderId !== null) acknowledged.add(orderId);
}

/** S3: an order was created beside so many that leave. */
function beside(slots: Slots, context: CheckContext, { intentId, symbol, slot }: Claim): void {
  const leaving = [...context.claims.live.values()].filter((each) => each.symbol === symbol && leaves(slots, each));
  const here = leaving.filter((each) => each.slot === slot).length;
  if (here === 0) return;
  context.counters.add('created beside a leaving order');
  const limits = context.settings.runs.find(({ instrument }) => instrument.symbol === symbol)?.limits;
  if (limits === undefined || (here <= limits.maxLeavingPerSlot && leaving.length <= limits.maxLeaving)) return;
  context.violated(
    'S3',
    `Intent ${intentId} was sent beside ${here} leaving ones in ${slot}, ${leaving.length} in all.`,
  );
}

/** S4: where a newer order of the slot is on the book, the older one is canceled soon. */
function outstaying({ outstays }: Slots, context: CheckContext, [older, newer]: readonly [Claim, Claim]): void {
  if (older.state !== 'open' || newer.state !== 'open') return void outstays.delete(older.intentId);
  const since = outstays.get(older.intentId) ?? context.now();
  outstays.set(older.intentId, since);
  const ms = context.now() - Math.max(since, context.calmSince());
  if (!context.isUp() || context.phase() !== 'calm' || ms <= OUTSTAYS_AT_MOST_MS) return;
  if (!context.claims.halts.has(older.symbol))
    context.violated('S4', `Intent ${older.intentId} stayed for ${ms} ms beside ${newer.intentId} of its slot.`);
}
