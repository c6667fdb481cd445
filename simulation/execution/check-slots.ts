// S3, S4 and S5: the live orders in each slot, by the journal and at the exchange, and which of them may coexist.
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../src/domain/time.ts';
import { type Answered, type CheckContext, type Checker, mayBeClosedTooSoon } from '../checks/context.ts';
import type { JournalIntent } from '../checks/journal-model.ts';
import type { TrueOrder } from '../checks/oracle.ts';
import { DECISION_SLACK_MS, forgetReads, type LastReads, noReads, rememberRead } from './last-reads.ts';

/** How long both orders of a move may be on the book: a slow lane has other work, too. */
const OUTSTAYS_AT_MOST_MS = MINUTE;
/** Two orders of one create: the bot must have noticed within the lists' lag plus this. */
const NOTICED_WITHIN_MS: DurationMs = 2 * MINUTE;

interface Slots {
  readonly reads: LastReads;
  /** Intents with two orders at the exchange: since when both are live. */
  readonly doubledSince: Map<string, EpochMs>;
  /** Orders whose cancel the exchange acknowledged, by id or by symbol. */
  readonly acknowledged: Set<string>;
  /** Intents that have left their slot. */
  readonly left: Set<string>;
  /** Since when each intent has been open together with a newer one of its slot. */
  readonly outstays: Map<string, EpochMs>;
  /** Stand-ins for an intent of the same slot whose create has no answer, by that intent. */
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
    sent(context, { endpoint, intent }) {
      if (endpoint === 'create' && intent !== null) beside(slots, context, intent);
    },
    answered(context, message) {
      rememberAcknowledged(slots, context, message);
      rememberRead(slots.reads, context, message);
    },
    recorded(context, { type, epoch, payload }) {
      // An intent whose process ends before a byte leaves counts as live all the same.
      const intent = type === 'intent' ? context.journal.intents.get(String(payload.intentId)) : undefined;
      if (intent !== undefined) inDoubt(slots, context, intent);
      // While the bot is down nothing can cancel: a new process gets its own time for it.
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
  const taken = new Map<string, JournalIntent>();
  for (const intent of context.journal.live.values()) {
    const slot = `${intent.symbol} ${intent.slot}`;
    const other = taken.get(slot);
    if (other !== undefined) outstaying(slots, context, [other, intent]);
    if (hasLeft(slots, intent)) continue;
    if (other !== undefined && !mayBeTwo(slots, other, intent))
      context.violated('S3', `Intents ${other.intentId} and ${intent.intentId} are both live in ${slot}.`);
    taken.set(slot, intent);
  }
}

/** S4: the same for the orders at the exchange. */
function atExchange(slots: Slots, context: CheckContext): void {
  const { journal, oracle } = context;
  const bySlot = new Map<string, JournalIntent>();
  for (const order of oracle.live()) {
    if (order.maker.kind !== 'bot') continue;
    const { intentId } = order.maker;
    const intent = journal.byOrder.get(order.orderId) ?? journal.intents.get(intentId);
    const doubled = oracle.deliveriesOf(intentId) > 1;
    if (doubled) noticed(slots, context, { intentId, symbol: order.symbol });
    if (intent === undefined || doubled) continue;
    owned(context, order, intent);
    if (intent.state === 'closed' || hasLeft(slots, intent)) continue;
    const slot = `${intent.symbol} ${intent.slot}`;
    const other = bySlot.get(slot);
    if (other && !mayBeTwo(slots, other, intent))
      context.violated('S4', `Intents ${other.intentId} and ${intent.intentId} are both live in ${slot}.`);
    bySlot.set(slot, intent);
  }
}

/** One of the two is canceled once the other is on the book. */
const isMove = (a: JournalIntent, b: JournalIntent): boolean => a.replaces === b.intentId || b.replaces === a.intentId;

const mayBeTwo = ({ standIns }: Slots, a: JournalIntent, b: JournalIntent): boolean =>
  isMove(a, b) || standIns.get(a.intentId) === b.intentId || standIns.get(b.intentId) === a.intentId;

/**
 * S3: an order may stand in for one whose create has no answer if orders and trades were read since, and no row could
 * be either's: price and quantity differ.
 */
function inDoubt({ reads, standIns }: Slots, context: CheckContext, intent: JournalIntent): void {
  const isIts = ({ intentId, symbol, slot, state }: JournalIntent): boolean =>
    intentId !== intent.intentId &&
    symbol === intent.symbol &&
    slot === intent.slot &&
    (state === 'unknown' || state === 'soft-rejected');
  const doubtful = [...context.journal.live.values()].filter(isIts);
  const [only] = doubtful;
  if (only === undefined || doubtful.length > 1) return;
  const isUnlike = only.price !== intent.price && only.quantity !== intent.quantity;
  if (!isUnlike || !lookedSince(reads, context, only)) return;
  context.counters.add('stood in for an unknown create');
  standIns.set(intent.intentId, only.intentId);
}

function lookedSince({ at, before }: LastReads, context: CheckContext, { symbol, since }: JournalIntent): boolean {
  const from = since + context.clockError() - DECISION_SLACK_MS;
  const read = context.isUp() ? at : before;
  return ['open-orders', 'spot-trades'].every((endpoint) => (read.get(`${endpoint} ${symbol}`) ?? 0) >= from);
}

/** S5: the journal contains the order, or the possibility that it exists. */
function owned(context: CheckContext, order: TrueOrder, intent: JournalIntent): void {
  const { orderId } = order;
  if (intent.state === 'closed') {
    if (mayBeClosedTooSoon(context, intent, order)) return context.counters.add('closed while the lists trailed');
    const how = `${intent.closedAs} ${((context.now() - intent.since) / SECOND).toFixed(1)} s ago`;
    context.violated('S5', `Order ${orderId} is live; its intent ${intent.intentId} was closed as ${how}.`);
  } else if (intent.orderId !== null && intent.orderId !== orderId) {
    context.violated('S5', `Order ${orderId} is live; its intent ${intent.intentId} is bound to ${intent.orderId}.`);
  }
}

/** F11: the second order of one create is not the bot's fault, but it must notice it. */
function noticed(
  { doubledSince }: Slots,
  context: CheckContext,
  { intentId, symbol }: Pick<JournalIntent, 'intentId' | 'symbol'>,
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
    !context.journal.halts.has(symbol)
  ) {
    context.violated('S4', `Two orders of intent ${intentId} are live, and nobody has noticed.`);
  }
}

/**
 * Its cancel was acknowledged, including a fence sent when lists already lacked it, or it was canceled and then missing
 * from a list. It still counts in every limit. The next process cannot know of an acknowledgment to a process that
 * could no longer write.
 */
const leaves = ({ acknowledged }: Slots, { state, cancelSent, cancelTaken, orderId }: JournalIntent): boolean =>
  (cancelSent && state === 'closing') || (cancelTaken && orderId !== null && acknowledged.has(orderId));

/** The same for an order that is listed again: it must go, but another one may have its slot. */
function hasLeft(slots: Slots, intent: JournalIntent): boolean {
  if (leaves(slots, intent)) slots.left.add(intent.intentId);
  return slots.left.has(intent.intentId);
}

function rememberAcknowledged(
  { acknowledged }: Slots,
  { journal }: CheckContext,
  { endpoint, status, body, text }: Answered,
): void {
  if (status !== 200 || !text.includes('"msg"') || text.includes('"code"')) return;
  if (endpoint === 'cancel') acknowledged.add(body.order_id ?? '');
  if (endpoint !== 'cancel-symbol') return;
  for (const { symbol, orderId } of journal.live.values())
    if (symbol === body.symbol && orderId !== null) acknowledged.add(orderId);
}

/** S3: an order was created next to too many with a pending cancel. */
function beside(slots: Slots, context: CheckContext, { intentId, symbol, slot }: JournalIntent): void {
  const leaving = [...context.journal.live.values()].filter((each) => each.symbol === symbol && leaves(slots, each));
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

/** S4: once a newer order of the slot is on the book, the older one is soon canceled. */
function outstaying(
  { outstays }: Slots,
  context: CheckContext,
  [older, newer]: readonly [JournalIntent, JournalIntent],
): void {
  if (older.state !== 'open' || newer.state !== 'open') return void outstays.delete(older.intentId);
  const since = outstays.get(older.intentId) ?? context.now();
  outstays.set(older.intentId, since);
  const ms = context.now() - Math.max(since, context.calmSince());
  if (!context.isUp() || context.phase() !== 'calm' || ms <= OUTSTAYS_AT_MOST_MS) return;
  if (!context.journal.halts.has(older.symbol))
    context.violated('S4', `Intent ${older.intentId} stayed for ${ms} ms beside ${newer.intentId} of its slot.`);
}
