// Compares the bot's conclusions about its orders (order-truth §8, R1–R7) with their true fates.
import { isDeepStrictEqual } from 'node:util';
import { Decimal } from '../../src/domain/decimal.ts';
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../src/domain/time.ts';
import type { Durable } from '../../src/trader/durable/durable.ts';
import { isListCut } from '../presence/list-cut.ts';
import { isAlone } from '../proofs/bounds.ts';
import { ordersIn } from '../proofs/rows.ts';
import { type CheckContext, type Checker, mayBeClosedTooSoon } from './context.ts';
import type { JournalIntent, Told } from './journal-model.ts';
import { createLaneHealth } from './lane-health.ts';
import type { TrueOrder } from './oracle.ts';

export function resolutionChecks(): Checker {
  /** Times at which the bot canceled everything of a symbol; the empty symbol means all. */
  const fences: Fence[] = [];
  const health = createLaneHealth();
  /** When a person last accepted a difference as the owner's own: unreadable fills are booked as such. */
  let acceptedAt: EpochMs = 0;
  /** When wallet or ledger were last unexplained: nothing is counted meanwhile. */
  let unexplainedAt: EpochMs = 0;
  /** When a market's lists were last cut: cut lists prove nothing. */
  const cutAt = new Map<string, EpochMs>();
  /** Orders that the bot canceled by an id missing from its journal: after a failed write, from memory. */
  const nameless = new Set<string>();
  /** Orders that a whole list has shown to the bot since its start: it remembers no list beyond that. */
  const listed = new Set<string>();
  /** Orders that a person called not the bot's. */
  const disowned = new Set<string>();
  /** Intents whose order a person was asked about, and whether the person has acted. */
  const inQuestion = new Map<string, 'halted' | 'resumed'>();
  return {
    answered(context, message) {
      health.answered(context, message);
      if (message.endpoint !== 'open-orders' || message.status !== 200) return;
      const shown = ordersIn(message.text, message.query.get('symbol'));
      if (shown?.whole) for (const { orderId } of shown.rows) listed.add(orderId);
    },
    sent(context, { endpoint, query, body }) {
      const orderId = endpoint === 'cancel' ? body.order_id : undefined;
      if (orderId !== undefined && !context.journal.byOrder.has(orderId)) nameless.add(orderId);
      if (endpoint === 'cancel-all') fences.push({ symbol: '', at: context.now() });
      if (endpoint === 'cancel-symbol')
        fences.push({ symbol: body.symbol ?? query.get('symbol') ?? '', at: context.now() });
    },
    recorded(context, told) {
      health.recorded(context, told);
      if (told.type === 'session-started') listed.clear();
      if (told.type === 'external-flow' && told.payload.kind === 'accepted') acceptedAt = context.now();
      // A person was asked which order was the intent's; by resuming the symbol the person took responsibility for it.
      const asked = told.type === 'symbol-halted' ? (told.payload.intents as readonly string[] | undefined) : undefined;
      for (const id of asked ?? []) inQuestion.set(id, 'halted');
      if (told.type === 'symbol-resumed') {
        for (const id of inQuestion.keys()) inQuestion.set(id, 'resumed');
        for (const id of (told.payload.notOurs as readonly string[] | undefined) ?? []) disowned.add(id);
      }
      const byExchange: TakenAway['byExchange'] = (order, side) => gaveWay(context, order, side);
      const byPerson = inQuestion.get(String(told.payload.intentId)) === 'resumed';
      if (told.type === 'closed' && !byPerson)
        judge(context, told, { fences, nameless, listed, disowned, byExchange, acceptedAt });
      if (told.type === 'create-outcome') judgeAnswer(context, told);
      if (told.type === 'fill') attribution(context, told);
    },
    sampled(context) {
      if (isUnexplained(context)) unexplainedAt = context.now();
      for (const { instrument } of context.settings.runs)
        if (isListCut(context, instrument.symbol)) cutAt.set(instrument.symbol, context.now());
      if (!health.isHeldBack(context))
        pending(context, { heardSince: health.since(), unexplainedAt, fastFrom: health.fastSince(), cutAt });
    },
  };
}

interface Fence {
  readonly symbol: string;
  readonly at: EpochMs;
}

/**
 * A fence takes orders away within a message's longest time in transit plus the exchange's work: also one created after
 * it left (F26).
 */
const FENCE_TAKES_MS: DurationMs = MINUTE;

/** Orders canceled without a journal record, and a person's statements about them. */
interface TakenAway {
  readonly fences: readonly Fence[];
  readonly nameless: ReadonlySet<string>;
  readonly listed: ReadonlySet<string>;
  readonly disowned: ReadonlySet<string>;
  /** Whether the exchange removed the order because it would have traded with another order of the account. */
  readonly byExchange: (order: TrueOrder, side: string) => boolean;
  /** When a person last accepted a difference as the owner's own. */
  readonly acceptedAt: EpochMs;
}

/** R1: the reason recorded for closing an intent is true. */
function judge(context: CheckContext, { payload }: Told, taken: TakenAway): void {
  const intent = context.journal.intents.get(String(payload.intentId));
  if (intent === undefined) return;
  // The second order of a create is an intent of its own, made by the same bytes.
  const origin = intent.duplicateOf ?? intent.intentId;
  // A person who resumes without taking an order over states that it is not the bot's, rightly or not.
  const orders = context.oracle.ordersOf(origin).filter(({ orderId }) => !taken.disowned.has(orderId));
  const filled = orders.reduce((sum, order) => sum.add(order.filled), new Decimal(0));
  context.counters.add(`closed ${intent.closedAs ?? ''}`);
  if (intent.closedAs === 'canceled' && filled.gt(0)) context.counters.add('canceled after a partial fill');
  // Some orders can't be told from ones that never existed: those that a fence, or the exchange for a self-trade,
  // removed before they were seen; those whose trades were undone; and those found and canceled when nothing could be
  // written any more, however much had filled.
  const isSeen = (order: TrueOrder): boolean => order.filled.gt(0) && !isPartOfNobody(context, order, intent, taken);
  const isWronglyLive = (order: TrueOrder): boolean => order.live && !mayBeClosedTooSoon(context, intent, order);
  const seen = orders.filter((order) =>
    order.live ? isWronglyLive(order) : isSeen(order) || !isTakenAway(intent, order, taken),
  );
  if (intent.closedAs === 'not-placed' && seen.length > 0) {
    const fate = seen.map(({ orderId, live }) => `${orderId} ${live ? 'is live' : 'was'}`).join(', ');
    return context.violated('R1', `Intent ${intent.intentId} was held for never placed: ${fate}.`);
  }
  if (intent.closedAs === 'not-placed' || intent.orderId === null) return;
  const order = context.oracle.orders.get(intent.orderId);
  if (order?.maker.kind !== 'bot' || order.maker.intentId !== origin) {
    return context.violated('R1', `Intent ${intent.intentId} is bound to ${intent.orderId}, which is not its order.`);
  }
  if (isWronglyLive(order))
    context.violated('R1', `Intent ${intent.intentId} was closed as ${intent.closedAs}, and its order is live.`);
  if (!order.filled.eq(intent.filled) && !order.rewritten && taken.acceptedAt < intent.at) {
    const said = intent.filled.toFixed();
    context.violated(
      'R1',
      `Intent ${intent.intentId} was closed as ${intent.closedAs} with ${said} filled: ` +
        `it was ${order.filled.toFixed()}.`,
    );
  }
}

/**
 * A fill does not show its order's quantity. A partial fill may be the owner's or the bot's if the order was canceled
 * when nothing could be written, or, on a shared account, if no whole list has shown it (decision 0015).
 */
function isPartOfNobody(
  context: CheckContext,
  { orderId, filled }: TrueOrder,
  { quantity }: JournalIntent,
  { nameless, listed }: TakenAway,
): boolean {
  const isUnnamed = nameless.has(orderId) || (!isAlone(context.settings) && !listed.has(orderId));
  return isUnnamed && filled.lt(quantity);
}

function isTakenAway({ symbol, side }: JournalIntent, order: TrueOrder, taken: TakenAway): boolean {
  const { orderId, endedAt, endedAfter, rewritten, endedOutside } = order;
  if (rewritten || endedOutside || taken.nameless.has(orderId) || taken.byExchange(order, side)) return true;
  return taken.fences.some(
    (fence) =>
      (fence.symbol === '' || fence.symbol === symbol) &&
      endedAt !== null &&
      endedAt >= fence.at &&
      endedAfter <= fence.at + FENCE_TAKES_MS,
  );
}

/** Longest time between an order's end and the trade of the order it gave way to. */
const GAVE_WAY_MS: DurationMs = SECOND;

/**
 * It ended as another order of the account took from the other side, where the exchange cancels the resting one (Q10).
 * A suspended machine makes no reads: the order may have ended long before it was seen to be gone.
 */
function gaveWay(context: CheckContext, { symbol, endedAt, endedAfter }: TrueOrder, side: string): boolean {
  if (endedAt === null || context.exchange().engine.settings.selfTrade !== 'cancel-resting') return false;
  return [...context.oracle.fills.values()].some(
    (fill) =>
      fill.symbol === symbol &&
      fill.isBuyer === (side === 'sell') &&
      !fill.isMaker &&
      fill.time >= endedAfter - GAVE_WAY_MS &&
      fill.time <= endedAt + GAVE_WAY_MS,
  );
}

/** R1 for closings by the answer alone. */
function judgeAnswer(context: CheckContext, { payload }: Told): void {
  const intent = context.journal.intents.get(String(payload.intentId));
  const outcome = String(payload.outcome);
  context.counters.add(`create ${outcome}`);
  if (intent === undefined) return;
  const orders = context.oracle.ordersOf(intent.intentId);
  if ((outcome === 'rejected' || outcome === 'not-sent') && orders.length > 0) {
    context.violated('R1', `Intent ${intent.intentId} is held for ${outcome}, and is order ${orders[0]?.orderId}.`);
  }
  if (outcome === 'unknown' && orders.some((order) => order.filled.gt(0))) {
    context.counters.add('order filled while its create was unknown');
  }
}

/** R7: a fill counts for the bot exactly when the bot made the order. */
function attribution(context: CheckContext, { payload }: Told): void {
  const fill = payload.fill as Readonly<Record<string, unknown>>;
  const order = context.oracle.orders.get(String(fill.orderId));
  if (payload.intentId === null) context.counters.add('external fill');
  if (fill.liquidity === 'taker') context.counters.add('taker fill');
  // Its original trade was never seen: the present one does not show whose order it is.
  if (order === undefined || order.rewritten) return;
  const maker = order.maker.kind === 'bot' ? order.maker.intentId : null;
  if (maker === payload.intentId || (maker !== null && context.oracle.deliveriesOf(maker) > 1)) return;
  const intent = context.journal.intents.get(maker ?? '');
  // While its create is unknown, the order's owner need not be known: at its end it must be booked for it (R1).
  const isUnknown = intent?.state === 'unknown' || intent?.state === 'soft-rejected';
  if (payload.intentId === null && isUnknown) return;
  context.violated(
    'R7',
    `A fill of order ${order.orderId} (${maker ?? "the owner's"}) was booked for ${String(payload.intentId)}.`,
  );
}

/** A difference not yet confirmed counts as well. */
function isUnexplained(context: CheckContext): boolean {
  if (!context.isUp() || context.journal.differences.size > 0) return true;
  // No record shows since when it has known: M10 checks that it learns of moves in time.
  return context.trader()?.reconciliation.differsSince !== null;
}

/** The start of a bound, in addition to calm itself. */
interface Since {
  readonly heardSince: EpochMs;
  /** When a lane slowed by faults is near its pace again. */
  readonly fastFrom: EpochMs;
  readonly unexplainedAt: EpochMs;
  readonly cutAt: ReadonlyMap<string, EpochMs>;
}

/** R2: in calm every unknown ends in time, or a person is called. */
function pending(context: CheckContext, { heardSince, fastFrom, unexplainedAt, cutAt }: Since): void {
  if (context.phase() !== 'calm' || !context.isUp()) return;
  const { readLagBoundMs, resolutionDeadlineMs } = context.settings.assumptions;
  const { openOrdersMs, tradesMs, walletMs } = context.settings.polling;
  // Two lists a bound apart. With minutes between reads (a sparse pace) the result comes that much later.
  const lagMs = 2 * readLagBoundMs + Math.max(0, openOrdersMs + tradesMs + walletMs - MINUTE);
  for (const intent of context.journal.live.values()) {
    if (context.journal.halts.has(intent.symbol)) continue;
    const mayCount = intent.state === 'closing' ? unexplainedAt : 0;
    const begun = Math.max(heardSince, fastFrom, context.calmSince(), intent.since);
    const from = Math.max(begun, mayCount, cutAt.get(intent.symbol) ?? 0, intent.horizon - context.clockError());
    const late = context.now() - from > boundOf(intent, { lagMs, resolutionDeadlineMs });
    if (late)
      context.violated(
        'R2',
        `Intent ${intent.intentId} has been ${intent.state} for ${((context.now() - from) / SECOND).toFixed(0)} s.`,
      );
  }
}

interface Bounds {
  readonly lagMs: DurationMs;
  readonly resolutionDeadlineMs: DurationMs;
}

function boundOf({ state }: JournalIntent, { lagMs, resolutionDeadlineMs }: Bounds): DurationMs {
  switch (state) {
    case 'sent':
      return MINUTE;
    case 'unknown':
    case 'soft-rejected':
      return lagMs + resolutionDeadlineMs + MINUTE;
    case 'closing':
      return lagMs + 2 * MINUTE;
    default:
      return Number.POSITIVE_INFINITY;
  }
}

/** R4: the journal's fold equals the state in which the bot ended. */
export function sameState(folded: Durable, ended: Durable): boolean {
  return isDeepStrictEqual(folded, ended);
}
