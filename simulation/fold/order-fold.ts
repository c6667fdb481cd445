// What the journal's records make of each order, by the specification alone (order-truth §1 to §3, M4, M5). No part of
// the bot's own fold is used here: the two are to be compared, so a bug in one of them shows.
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import type { TraderSettings } from '../../src/trader/state/settings.ts';
import { fillKey, type Told } from '../checks/journal-model.ts';

export type FoldedState = 'sent' | 'unknown' | 'soft-rejected' | 'open' | 'cancel-sent' | 'closing' | 'closed';

export interface FoldedOrder {
  readonly intentId: string;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  price: Decimal;
  quantity: Decimal;
  /** T, by the exchange's clock as the bot estimated it; null where the create is not known. */
  readonly timestamp: number | null;
  /** By the bot's clock; null where the create is not known, or left by a clock that nobody knows any more. */
  sentAt: number | null;
  /** When a record last told the state, by the bot's clock, and in which session that was noted. */
  since: number;
  /** It may be taken for so late, where the clock was set (see `clockMoved`). */
  sinceAtMost: number;
  notedIn: number;
  /** T + W + ε + Lm by the bot's clock, to the fraction of a millisecond; null where the create is not known. */
  horizon: number | null;
  /** The session that noted these two. */
  readonly sentIn: number;
  state: FoldedState;
  cancel: 'none' | 'sent' | 'acknowledged';
  orderId: string | null;
  closedAs: string | null;
  filled: Decimal;
}

export interface OrderFold {
  readonly orders: ReadonlyMap<string, FoldedOrder>;
  /** Those that are not closed. */
  readonly live: ReadonlyMap<string, FoldedOrder>;
  /** Takes in a record; the orders that it may have changed. */
  take(told: Told): readonly FoldedOrder[];
}

/** M4: the original quantity less what is booked; nothing where more than that is. */
export const remainingOf = ({ quantity, filled }: Pick<FoldedOrder, 'quantity' | 'filled'>): Decimal =>
  Decimal.max(ZERO, quantity.sub(filled));

interface Booked {
  readonly intentId: string | null;
  readonly orderId: string;
  readonly quantity: string;
}

const AFTER_CREATE: Readonly<Record<string, FoldedState>> = {
  accepted: 'open',
  unknown: 'unknown',
  'soft-rejected': 'soft-rejected',
};

type Payload = Told['payload'];
const text = (value: unknown): string => String(value);
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

interface Fold {
  readonly assumptions: TraderSettings['assumptions'];
  readonly orders: Map<string, FoldedOrder>;
  readonly live: Map<string, FoldedOrder>;
  /** By the key of the trade. */
  readonly booked: Map<string, Booked>;
}

export function createOrderFold({ assumptions }: Pick<TraderSettings, 'assumptions'>): OrderFold {
  const fold: Fold = { assumptions, orders: new Map(), live: new Map(), booked: new Map() };
  return {
    orders: fold.orders,
    live: fold.live,
    take(told) {
      const { type, payload } = told;
      if (type === 'intent') return intent(fold, told);
      if (type === 'duplicate-found' || type === 'order-taken-over') return found(fold, told);
      if (type === 'fill' || type === 'fill-corrected') return fill(fold, payload, type === 'fill-corrected');
      if (type === 'fill-reversed') return reverse(fold, keyOf(payload));
      if (type === 'clock-moved') return clockMoved(fold, told);
      const order = fold.orders.get(text(payload.intentId));
      return order === undefined ? [] : changed(fold, order, told);
    },
  };
}

function begun(fold: Fold, order: FoldedOrder): readonly FoldedOrder[] {
  fold.orders.set(order.intentId, order);
  fold.live.set(order.intentId, order);
  return [order];
}

function intent(fold: Fold, { payload, epoch }: Told): readonly FoldedOrder[] {
  const sentAt = Number(payload.sentAt);
  const { recvWindowMs, venueInternalLagMs } = fold.assumptions;
  return begun(fold, {
    ...termsOf(payload),
    timestamp: Number(payload.timestamp),
    sentAt,
    since: sentAt,
    sinceAtMost: sentAt,
    notedIn: epoch,
    sentIn: epoch,
    horizon: sentAt + recvWindowMs + Number(payload.uncertaintyMs) + venueInternalLagMs,
    state: 'sent',
    orderId: null,
  });
}

/** The second order of one create has all of its terms; one that a person named has those that the list showed. */
function found(fold: Fold, { payload, epoch }: Told): readonly FoldedOrder[] {
  const first = fold.orders.get(text(payload.of));
  const terms = first === undefined ? payload : { ...payload, ...plain(first) };
  return begun(fold, {
    ...termsOf(terms),
    timestamp: first?.timestamp ?? null,
    sentAt: first?.sentAt ?? null,
    since: Number(payload.at),
    sinceAtMost: Number(payload.at),
    notedIn: epoch,
    sentIn: first?.sentIn ?? epoch,
    horizon: first?.horizon ?? null,
    state: 'open',
    orderId: text(payload.orderId),
  });
}

function changed(fold: Fold, order: FoldedOrder, { type, payload, epoch }: Told): readonly FoldedOrder[] {
  const orderId = textOrNull(payload.orderId);
  switch (type) {
    case 'create-outcome':
      order.state = AFTER_CREATE[text(payload.outcome)] ?? 'closed';
      if (order.state === 'closed') order.closedAs = payload.outcome === 'not-sent' ? 'not-placed' : 'rejected';
      break;
    case 'adopted':
      order.state = 'open';
      order.closedAs = null;
      break;
    case 'order-differs':
      order.price = new Decimal(text(payload.price));
      order.quantity = new Decimal(text(payload.quantity));
      break;
    case 'cancel-sent':
      // One that is sent again beside the first takes nothing back of what was said of that.
      if (order.state !== 'cancel-sent' || order.cancel === 'none') order.cancel = 'sent';
      if (order.state !== 'closed') order.state = 'cancel-sent';
      break;
    case 'cancel-outcome':
      if (payload.outcome === 'acknowledged') order.cancel = 'acknowledged';
      break;
    case 'closing':
      order.state = 'closing';
      break;
    case 'reopened':
      order.state = 'open';
      // It is listed, so what was acknowledged has not taken it off.
      if (order.cancel === 'acknowledged') order.cancel = 'none';
      break;
    case 'closed':
      order.state = 'closed';
      order.closedAs = text(payload.as);
      break;
    default:
      return [];
  }
  if (type === 'create-outcome' || type === 'adopted') order.orderId = orderId ?? order.orderId;
  // A cancel that is sent again is on its way since then.
  if (type !== 'order-differs' && type !== 'cancel-outcome') {
    const at = Number(payload.at);
    Object.assign(order, { since: at, sinceAtMost: at, notedIn: epoch });
  }
  if (order.state === 'closed') fold.live.delete(order.intentId);
  else fold.live.set(order.intentId, order);
  return [order];
}

/** Each trade counts once, whatever it was booked as before: both sides of a trade with oneself are two. */
function fill(fold: Fold, payload: Payload, isCorrection: boolean): readonly FoldedOrder[] {
  const row = payload.fill as Payload;
  const key = keyOf(row);
  const before = fold.booked.get(key);
  const orderId = text(row.orderId);
  const told = textOrNull(payload.intentId);
  // Whose a trade was it stays, though its order may be forgotten.
  const intentId = told ?? (isCorrection && before?.orderId === orderId ? before.intentId : null);
  const moved = reverse(fold, key);
  fold.booked.set(key, { intentId, orderId, quantity: text(row.quantity) });
  const order = fold.orders.get(intentId ?? '');
  if (order === undefined) return moved;
  order.filled = order.filled.add(text(row.quantity));
  return [...moved, order];
}

function reverse(fold: Fold, key: string): readonly FoldedOrder[] {
  const before = fold.booked.get(key);
  fold.booked.delete(key);
  const order = fold.orders.get(before?.intentId ?? '');
  if (before === undefined || order === undefined) return [];
  order.filled = order.filled.sub(before.quantity);
  return [order];
}

/**
 * What a session before this one noted is so much later by the clock that this one has; T is the exchange's. A moment
 * of before that could be one of this session may be taken for it (decision 0016): it is only waited longer for.
 */
function clockMoved(fold: Fold, { payload, epoch }: Told): readonly FoldedOrder[] {
  const [by, startedAt, at] = [Number(payload.byMs), Number(payload.startedAt), Number(payload.at)];
  const moved = (moment: number): number => Math.min(moment + by, at);
  const isAmbiguous = (moment: number): boolean => moment >= startedAt && moment <= at;
  // What was noted after the create that tells of the step may have the new clock: E1 asks that it is not made older.
  const latest = (moment: number): number =>
    by < 0 ? Math.min(moment, at) : isAmbiguous(moment) ? moment : moved(moment);
  // Each create tells by its stamp which clock it left by: of those that are named, open or not, the newest has the
  // old one.
  const stampOf = ({ timestamp }: FoldedOrder): number => timestamp ?? 0;
  const all = [...fold.orders.values()];
  const byStamp = all.filter(({ sentIn }) => sentIn < epoch).toSorted((a, b) => stampOf(b) - stampOf(a));
  const isLive = ({ state }: FoldedOrder): boolean => state !== 'closed';
  const newest = byStamp.find(({ orderId }) => orderId !== null) ?? byStamp.find(isLive);
  const ahead = newest === undefined ? 0 : stampOf(newest) - (newest.sentAt ?? 0) - by;
  const offBy = (order: FoldedOrder, moment: number): number => Math.abs(stampOf(order) - ahead - moment);
  const leftByNew = (order: FoldedOrder): boolean =>
    order.sentAt !== null && offBy(order, order.sentAt) < offBy(order, order.sentAt + by);
  const already = new Set(byStamp.filter(leftByNew));
  // A machine that slept between the two had a third clock for a while: its moments are those of neither.
  const leftByNeither = (order: FoldedOrder, sentAt: number): boolean =>
    order.timestamp !== null && Math.min(offBy(order, sentAt), offBy(order, sentAt + by)) > Math.abs(by) / 2;
  for (const order of all) {
    const { sinceAtMost } = order;
    if (order.notedIn < epoch) {
      order.since = moved(order.since);
      // A moment that an earlier clock move left ambiguous is moved from its latest reading.
      order.sinceAtMost = Math.max(order.since, latest(sinceAtMost));
    }
    if (order.sentIn === epoch || order.sentAt === null || order.horizon === null) continue;
    if (leftByNeither(order, order.sentAt)) {
      order.sentAt = order.horizon = null;
      continue;
    }
    if (already.has(order)) continue;
    order.sentAt += by;
    order.horizon += by;
  }
  return [...fold.live.values()];
}

const keyOf = ({ symbol, tradeId, side }: Payload): string => fillKey(text(symbol), text(tradeId), text(side));

const plain = ({ symbol, side, price, quantity }: FoldedOrder): Payload => ({ symbol, side, price, quantity });

type Terms = Pick<
  FoldedOrder,
  'intentId' | 'symbol' | 'side' | 'price' | 'quantity' | 'cancel' | 'closedAs' | 'filled'
>;

const termsOf = ({ intentId, symbol, side, price, quantity }: Payload): Terms => ({
  intentId: text(intentId),
  symbol: text(symbol),
  side: side === 'buy' ? 'buy' : 'sell',
  price: new Decimal(text(price)),
  quantity: new Decimal(text(quantity)),
  cancel: 'none',
  closedAs: null,
  filled: ZERO,
});
