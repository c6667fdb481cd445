// What became of a create whose answer was lost: adopted on one certain match (order-truth §3); its absence is proved
// in `absent.ts`.
import type { Decimal } from '../../domain/decimal.ts';
import type { Fill } from '../../domain/fill.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { OpenOrder } from '../../domain/order.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { Read } from '../../venue/outcomes.ts';
import { liveIntents } from '../durable/durable.ts';
import type { Intent } from '../durable/intent.ts';
import type { Reads } from '../durable/reads.ts';
import { emit, haltSymbol, intentNotice, type Turn } from '../fold/turn.ts';
import { attributeBooked, bookedBefore } from '../money/booked-before.ts';
import { isDedicated, wasThereBefore } from '../policy/foreign.ts';
import { noteResolution, surfaceOf, type TraderState, touch } from '../state/state.ts';
import { readsOfFills } from './cite.ts';
import { closeFilled } from './closing.ts';
import { tellBreach } from './contract-breach.ts';
import { askAbout, isTwin } from './questions.ts';

/** Whether the intent waits for proof of whether it was ever placed. */
export function isUnresolved(intent: Intent): boolean {
  return intent.state === 'unknown' || intent.state === 'soft-rejected';
}

export function unresolvedOf(state: TraderState, symbol: InstrumentSymbol): Intent[] {
  return liveIntents(state.durable, symbol).filter(isUnresolved);
}

/** A row of a list that could be the order of an unresolved intent. */
interface Trace {
  readonly orderId: OrderId;
  readonly evidence: 'open-order' | 'fill';
  /** Null for one that shows only by its fills. */
  readonly row: OpenOrder | null;
  matches(intent: Intent): boolean;
  /** Whether it would be the order as well, were its time not what it says. */
  mayMatch(intent: Intent): boolean;
}

/**
 * Looks for unresolved intents among rows of open orders that no intent owns. A list that is not complete shows no
 * match to be the only one: what it leaves out may be the order, and what it shows an order of the owner's that is like
 * it (F39), unless the account is the bot's alone. For the same reason an order that was listed lately counts as well
 * where this list lacks it.
 */
export function adoptFromOrders(
  turn: Turn,
  symbol: InstrumentSymbol,
  { rows, complete }: Read<readonly OpenOrder[]>,
): void {
  if (!complete && !isDedicated(turn.state)) return;
  const earliest = earliestOf(turn.state);
  const listed = new Set(rows.map((row) => row.orderId));
  const { strangers } = surfaceOf(turn.state.surfaces.openOrders, symbol);
  const lately = [...strangers.values()].map(({ row }) => row).filter((row) => !listed.has(row.orderId));
  const traces = [...rows, ...lately]
    .filter(
      ({ orderId }) =>
        !turn.state.durable.orders.byOrderId.has(orderId) && !turn.state.durable.orders.thirdParty.has(orderId),
    )
    .map((row): Trace => {
      const { orderId } = row;
      const isLike = (intent: Intent): boolean =>
        isAlike(intent, row) && row.venueTime >= earliest(intent) && !wasThereBefore(turn.state, intent, orderId);
      return {
        orderId,
        evidence: 'open-order',
        row,
        matches: (intent) => isLike(intent) && !cameLater(turn.state, intent, row),
        // A session that has placed nothing yet does not know how the times of the list are shifted.
        mayMatch: (intent) => intent.sentAt < turn.state.startedAt && isLike(intent),
      };
    });
  adopt(turn, symbol, traces);
}

/** Whether a row has the values that were sent. */
export function isAlike(intent: Intent, row: OpenOrder): boolean {
  return (
    row.type === 'limit' &&
    row.side === intent.side &&
    row.price.eq(intent.price) &&
    row.originalQuantity.eq(intent.quantity)
  );
}

/**
 * Looks for unresolved intents among fills of orders that no intent owns. Of an order that was listed, the row says
 * more than its fills: with other values than were sent it is the owner's, at our price by chance; what it may have
 * rounded counts (F16). Otherwise they must be all that was asked for (`unlisted.ts`), and nothing like it listed
 * besides, unless the account is the bot's alone.
 */
export function adoptFromFills(turn: Turn, symbol: InstrumentSymbol, fills: readonly Fill[]): void {
  const { strangers } = surfaceOf(turn.state.surfaces.openOrders, symbol);
  const byOrder = new Map<OrderId, Fill[]>();
  for (const fill of fills) {
    if (turn.state.durable.orders.byOrderId.has(fill.orderId)) continue;
    const others = byOrder.get(fill.orderId) ?? bookedBefore(turn.state, fill, fill.orderId);
    byOrder.set(fill.orderId, [...others, fill]);
  }
  const traces = [...byOrder].map(
    ([id, rows]): Trace => ({
      orderId: id,
      evidence: 'fill',
      row: strangers.get(id)?.row ?? null,
      matches: (intent) => {
        if (!couldBeOf(turn.state, intent, rows)) return false;
        const listed = strangers.get(id);
        if (isDedicated(turn.state)) return listed === undefined || listed.image || isAlike(intent, listed.row);
        if (hasRival(turn.state, intent, id)) return false;
        if (listed !== undefined && cameLater(turn.state, intent, listed.row)) return false;
        if (listed !== undefined && (listed.image || !isAlike(intent, listed.row))) return listed.image;
        return filledBy(intent, rows).eq(intent.quantity);
      },
      mayMatch: () => false,
    }),
  );
  adopt(turn, symbol, traces);
}

/**
 * Whether another order is listed that is like the intent's as well: which of them fills says nothing of whose it is.
 */
function hasRival(state: TraderState, intent: Intent, id: OrderId): boolean {
  const { strangers } = surfaceOf(state.surfaces.openOrders, intent.symbol);
  return [...strangers].some(
    ([other, { row }]) =>
      other !== id &&
      !state.durable.orders.byOrderId.has(other) &&
      isAlike(intent, row) &&
      !cameLater(state, intent, row) &&
      !wasThereBefore(state, intent, other),
  );
}

/**
 * Whether the order was created when the intent's create could no longer be taken: it is the owner's, however alike it
 * is (seed 41256), or its time is not what it says, and a person is asked. Where the account is the bot's alone nobody
 * else creates any.
 */
const cameLater = (state: TraderState, intent: Intent, row: OpenOrder): boolean =>
  !isDedicated(state) && row.venueTime > latestOf(state, intent);

/**
 * An order takes from the book when it comes: one that took after the create could no longer be taken came later, and
 * is the owner's or another one of ours (seeds 8065, 19001 of tight).
 */
const tookLater = (state: TraderState, intent: Intent, fills: readonly Fill[]): boolean =>
  fills.some(({ liquidity, venueTime }) => liquidity === 'taker' && venueTime > latestOf(state, intent));

/** No order of the intent's can have come later, by the exchange's clock. */
const latestOf = (state: TraderState, { timestamp, horizon, sentAt }: Intent): EpochMs =>
  timestamp + (horizon - sentAt) + clockSlack(state);

/** Whether the fills of one order could be of the intent's: price, time, and not more than it was of. */
export function couldBeOf(state: TraderState, intent: Intent, fills: readonly Fill[]): boolean {
  const earliest = earliestOf(state)(intent);
  return (
    couldHaveFilled(intent, fills) &&
    fills.every(({ venueTime }) => venueTime >= earliest) &&
    !fills.some(({ orderId }) => wasThereBefore(state, intent, orderId)) &&
    !tookLater(state, intent, fills) &&
    filledBy(intent, fills).lte(intent.quantity)
  );
}

/** What the intent would have filled with them. */
export const filledBy = (intent: Intent, fills: readonly Fill[]): Decimal =>
  fills.reduce((total, { quantity }) => total.add(quantity), intent.filled);

/**
 * Whether the fills of one order could be of the intent's, by side and price: a taker trades at no worse price than its
 * own, a maker at just that. An order has one price: where its trades as a maker name several, the exchange has
 * corrected some (F50), and any may be the price that it was of.
 */
export function couldHaveFilled({ side, price }: Intent, fills: readonly Fill[]): boolean {
  const isNoWorse = (each: Fill): boolean => (side === 'buy' ? each.price.lte(price) : each.price.gte(price));
  const asMaker = fills.filter(({ liquidity }) => liquidity === 'maker');
  return (
    fills.every((each) => each.side === side && (each.liquidity === 'maker' || isNoWorse(each))) &&
    (asMaker.length === 0 || asMaker.some((each) => each.price.eq(price)))
  );
}

/** T − ε − LsBound: no row of the intent's order can claim an earlier time. */
export function earliestOf(state: TraderState): (intent: Intent) => EpochMs {
  const slack = clockSlack(state) + state.settings.assumptions.readLagBoundMs;
  return (intent) => intent.timestamp - slack;
}

/** So far our idea of the exchange's clock may be off: now, and when the create was stamped. */
const clockSlack = ({ clock, settings }: TraderState): DurationMs =>
  (clock?.uncertaintyMs ?? 0) + settings.assumptions.maxClockUncertaintyMs;

function adopt(turn: Turn, symbol: InstrumentSymbol, traces: readonly Trace[]): void {
  for (const intent of unresolvedOf(turn.state, symbol)) {
    const free = traces.filter(({ orderId }) => !turn.state.durable.orders.byOrderId.has(orderId));
    const matching = free.filter((trace) => trace.matches(intent));
    const [trace, second] = matching;
    if (!trace) continue;
    const late = free.filter((other) => !matching.includes(other) && other.mayMatch(intent));
    const rivals = unresolvedOf(turn.state, symbol).filter(
      (other) => other.intentId !== intent.intentId && trace.matches(other),
    );
    // Where the account is the bot's alone the second one is ours as well: it is found to be a duplicate afterwards.
    if (!isDedicated(turn.state) && (second || late.length > 0 || isTwin(turn.state.durable, trace.orderId)))
      askWhich(turn, intent, [...matching, ...late]);
    else if (rivals.length > 0) {
      const couldBe = [intent, ...rivals].map(({ intentId }) => intentId);
      const message =
        `Order ${trace.orderId} could be intent ${couldBe.join(' or ')}, and which is not certain. ` +
        'Look at the open orders.';
      return haltSymbol(turn, symbol, message, 'order-in-question', couldBe);
    } else adoptOne(turn, intent, trace);
  }
}

/** That one of them is gone afterwards, and the other one is left, says nothing of whose that is (seed 5735). */
function askWhich(turn: Turn, intent: Intent, matching: readonly Trace[]): void {
  const orders = matching.map(({ orderId }) => orderId);
  const message =
    `${orders.length} orders could be intent ${intent.intentId}, and which is not certain: ${orders.join(', ')}. ` +
    'Cancel by hand what is not wanted, then resume the symbol.';
  const rows = matching.flatMap(({ row }) => (row === null ? [] : [row]));
  askAbout(turn, intent.symbol, { orders, as: 'twin', rows, message, intents: [intent.intentId] });
}

/** The list that shows it, or the page with its fill. */
function readsOf(turn: Turn, { symbol }: Intent, { evidence }: Trace): Reads {
  if (evidence === 'fill') return readsOfFills(turn, symbol);
  return turn.heard === null ? {} : { orders: [turn.heard.sentAt] };
}

function adoptOne(turn: Turn, intent: Intent, trace: Trace): void {
  const softly = intent.state === 'soft-rejected';
  turn.state.absences.delete(intent.intentId);
  turn.state.lackedAt.delete(intent.intentId);
  emit(turn, {
    type: 'adopted',
    payload: {
      intentId: intent.intentId,
      orderId: trace.orderId,
      evidence: trace.evidence,
      reads: readsOf(turn, intent, trace),
      at: turn.now,
    },
  });
  attributeBooked(turn, intent, trace.orderId);
  closeFilled(turn, intent.symbol);
  noteResolution(turn.state, { by: 'match', seconds: (turn.now - intent.sentAt) / 1_000 });
  intentNotice(turn, intent, {
    level: 'warn',
    op: 'adopted',
    message: `Intent ${intent.intentId} is order ${trace.orderId}: found by ${trace.evidence}.`,
  });
  touch(turn.state, intent.symbol);
  if (softly) tellBreach(turn, intent, trace.orderId);
}
