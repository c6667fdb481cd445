// Cancels and creates that may leave now.
import type { Decimal } from '../../domain/decimal.ts';
import type { IntentId, OrderId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { OrderRequest, Slot } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { HistoryQuestion } from '../../history/lists.ts';
import type { Approved } from '../../quoting/risk/risk.ts';
import type { TradeWindow } from '../../venue/bounds.ts';
import { PROBE_EVERY_MS } from '../../venue/refusals.ts';
import type { SpotTradesFilter } from '../../venue/requests.ts';
import { repeatsGoFirst } from '../contact/refusal.ts';
import { isCut, repeatsInSilence } from '../contact/responsive.ts';
import { decisionOf } from '../decision/decide.ts';
import { liveIntents } from '../durable/durable.ts';
import type { DurableOrders, Intent } from '../durable/intent.ts';
import { cancelAgainAt, wantsFence } from '../orders/fence.ts';
import { isNear } from '../presence/presence.ts';
import type { Decision, Market, WantedCreate } from '../state/market.ts';
import { seenOf } from '../state/seen.ts';
import type { Requests } from '../state/session.ts';
import { marketOf, type TraderState, type With } from '../state/state.ts';

export type Candidate =
  | { readonly kind: 'cancel'; readonly orderId: OrderId; readonly intentId: IntentId | null; readonly why: string }
  | { readonly kind: 'cancel-symbol'; readonly symbol: InstrumentSymbol; readonly why: string }
  | {
      readonly kind: 'create';
      readonly slot: Slot;
      readonly order: Approved<OrderRequest>;
      /** The order in the slot that is canceled once this one is on the book. */
      readonly replaces: IntentId | null;
      readonly bookSentAt: EpochMs;
      readonly reference: Decimal;
    }
  | { readonly kind: 'order-book'; readonly symbol: InstrumentSymbol }
  | { readonly kind: 'public-trades'; readonly symbol: InstrumentSymbol }
  | { readonly kind: 'open-orders'; readonly symbol: InstrumentSymbol | null; readonly why: string }
  | {
      readonly kind: 'spot-trades';
      readonly symbol: InstrumentSymbol;
      readonly filter: SpotTradesFilter;
      readonly why: string;
    }
  | { readonly kind: 'late-scan'; readonly symbol: InstrumentSymbol; readonly window: TradeWindow }
  | {
      readonly kind: 'history';
      /** Key of the list to read: one read of it at a time. */
      readonly key: string;
      readonly question: HistoryQuestion;
      readonly why: string;
    }
  | { readonly kind: 'wallet'; readonly why: string };

export const keyOf = (candidate: Candidate): string => {
  switch (candidate.kind) {
    case 'cancel':
      return `cancel ${candidate.orderId}`;
    case 'create':
      return `create ${candidate.order.symbol} ${candidate.slot}`;
    case 'open-orders':
      return `open-orders ${candidate.symbol ?? '*'}`;
    case 'history':
      return candidate.key;
    case 'wallet':
      return 'wallet';
    case 'late-scan':
      return `spot-trades ${candidate.symbol}`;
    case 'order-book':
    case 'public-trades':
    case 'cancel-symbol':
    case 'spot-trades':
      return `${candidate.kind} ${candidate.symbol}`;
  }
};

/**
 * Requests that may be repeated although an answer may still come: a second cancel does no harm, and the newer of two
 * books counts.
 */
const REPEATABLE: ReadonlySet<Candidate['kind']> = new Set(['cancel', 'cancel-symbol', 'order-book']);

/** Whether no such request is in flight, or none that is still awaited. */
export function isFree(requests: Requests, candidate: Candidate, now: EpochMs): boolean {
  const before = requests.inFlight.size === 0 ? undefined : requests.inFlight.get(keyOf(candidate));
  if (before === undefined) return true;
  return REPEATABLE.has(candidate.kind) && now >= before.leftAt + PROBE_EVERY_MS;
}

// The most valuable cancel now: of an order that should not be on the book, or a repeat of one that had no effect.

/** Cancels of orders that should not be on the book, and repeats of those without effect. */
export function pickCancel(state: TraderState, now: EpochMs): Candidate | null {
  const free = (candidate: Candidate): boolean => isFree(state.requests, candidate, now);
  for (const second of duplicatesToCancel(state.durable.orders)) {
    const candidate = { kind: 'cancel', ...second, why: 'It is a second order of one create.' } as const;
    if (free(candidate)) return candidate;
  }
  const repeated = (): Candidate | null => pickRepeatedCancel(state, now);
  const first = (): Candidate | null => pickFirstCancel(state, now);
  // In a silence repeats are always due: a first cancel must not wait for them.
  const cancel = isCut(state, 'private', now) ? (first() ?? repeated()) : (repeated() ?? first());
  return cancel ?? pickFence(state, now);
}

/** Second orders that are still to be canceled. */
function* duplicatesToCancel(orders: DurableOrders): Generator<{ intentId: IntentId; orderId: OrderId }> {
  for (const { intentId, orderId, state, duplicateOf } of orders.intents.values())
    if (duplicateOf !== null && state === 'open' && orderId !== null) yield { intentId, orderId };
}

/** The oldest cancel that was not acknowledged, or had no effect. */
function pickRepeatedCancel(state: TraderState, now: EpochMs): Candidate | null {
  let oldest: { readonly candidate: Candidate; readonly sentAt: EpochMs } | null = null;
  for (const intent of state.durable.orders.intents.values()) {
    const { intentId, orderId } = intent;
    if (intent.state !== 'cancel-sent' || orderId === null || !mayRetryCancel(state, intent, now)) continue;
    const { cancel } = seenOf(state.orders, intentId);
    const sentAt = cancel?.sentAt ?? 0;
    if (cancel?.acknowledged || (oldest !== null && oldest.sentAt <= sentAt)) continue;
    const candidate = { kind: 'cancel', orderId, intentId, why: 'The previous cancel had no effect.' } as const;
    if ((cancel === null || cancelAgainAt(state, cancel, now) <= now) && isFree(state.requests, candidate, now))
      oldest = { candidate, sentAt };
  }
  return oldest?.candidate ?? null;
}

/** The first cancel of an order that should not be on the book. */
function pickFirstCancel(state: TraderState, now: EpochMs): Candidate | null {
  for (const market of state.markets.values()) {
    for (const { intentId, why } of decisionOf(state, market, now).cancels) {
      const orderId = state.durable.orders.intents.get(intentId)?.orderId ?? null;
      if (orderId === null || state.durable.orders.intents.get(intentId)?.state !== 'open') continue;
      const candidate = { kind: 'cancel', orderId, intentId, why } as const;
      if (isFree(state.requests, candidate, now)) return candidate;
    }
  }
  return null;
}

function pickFence(state: TraderState, now: EpochMs): Candidate | null {
  for (const market of state.markets.values()) {
    const candidate = {
      kind: 'cancel-symbol',
      symbol: market.symbol,
      why: 'No order without an id may stay on the book.',
    } as const;
    if (wantsFence(state, market, now) && isFree(state.requests, candidate, now)) return candidate;
  }
  return null;
}

/**
 * Between two attempts the list of own orders is read, and no two repeats follow each other: if cancels are refused
 * because the orders are gone, repeats alone would take a slow lane, and nothing would ever reveal it.
 */
function mayRetryCancel(state: TraderState, { intentId, symbol }: Intent, now: EpochMs): boolean {
  const answeredAt = seenOf(state.orders, intentId).cancel?.answeredAt ?? null;
  if (answeredAt === null || repeatsGoFirst(state, answeredAt, now)) return true;
  if (repeatsInSilence(state, answeredAt, now)) return true;
  const { attemptedAt } = marketOf(state, symbol).openOrders;
  return state.requests.cancelsRepeated === 0 && attemptedAt !== null && attemptedAt >= answeredAt;
}

// The order to place next. Room is scarce during cancels, and turns are scarce on a slow lane: both go to empty sides
// first, then to sides that the price has left behind, to other empty levels, and to levels that move.

/** Why an order is placed, most urgent first. */
const NEEDS = ['empty-side', 'far-side', 'empty-level', 'move'] as const;
type Need = (typeof NEEDS)[number];

interface Wish {
  readonly symbol: InstrumentSymbol;
  readonly decision: Decision;
  readonly wanted: WantedCreate;
  readonly need: Need;
}

/** The first create that the risk gate approves; levels that move on a quoted side are only among `all-slots`. */
export function pickCreate(state: TraderState, now: EpochMs, among: 'missing-quotes' | 'all-slots'): Candidate | null {
  const wishes = byLastCreate(state).flatMap((market) => wishesOf(state, market, now));
  const needs = among === 'all-slots' ? NEEDS : NEEDS.filter((need) => need !== 'move');
  for (const need of needs) {
    // Room that an empty side waits for is not given to others.
    const isFree = (wish: Wish): boolean => need === 'empty-side' || !wishes.some((each) => needsRoomOf(each, wish));
    for (const wish of wishes) {
      const create = wish.need === need && isFree(wish) ? createFor(wish) : null;
      if (create !== null) return create;
    }
  }
  return null;
}

/** Whether one is for an empty side and waits for room that the other one would take. */
function needsRoomOf({ need, symbol, decision, wanted }: Wish, other: Wish): boolean {
  const { side } = wanted.quote;
  const isOfSide = side === other.wanted.quote.side;
  switch (need === 'empty-side' ? decision.waiting.get(wanted.slot)?.sharedBy : undefined) {
    case 'all':
      return true;
    case 'side':
      return isOfSide && symbol === other.symbol;
    case 'asset':
      return isOfSide && (symbol === other.symbol || side === 'buy');
    default:
      return false;
  }
}

/**
 * The market with the oldest last create comes first: on a slow lane one that moves a lot would take every turn.
 */
const byLastCreate = ({ markets }: With<'markets'>): readonly Market[] =>
  [...markets.values()].sort((a, b) => a.lastHorizon - b.lastHorizon);

function wishesOf(state: TraderState, market: Market, now: EpochMs): Wish[] {
  const { symbol } = market;
  const decision = decisionOf(state, market, now);
  if (decision.creates.length === 0) return [];
  const standing = liveIntents(state.durable, symbol).filter((each) => each.state === 'open' || each.state === 'sent');
  const ranges = market.presence.ranges;
  const needOf = ({ replaces, quote: { side } }: WantedCreate): Need => {
    const own = standing.filter((each) => each.side === side);
    if (replaces === null) return own.length === 0 ? 'empty-side' : 'empty-level';
    const range = ranges[side];
    return range === null || own.some(({ price }) => isNear(price, range)) ? 'move' : 'far-side';
  };
  return decision.creates.map((wanted) => ({ symbol, decision, wanted, need: needOf(wanted) }));
}

function createFor({ decision, wanted: { slot, replaces } }: Wish): Candidate | null {
  const { view, approved } = decision;
  const order = approved.get(slot);
  if (order === undefined || view === null) return null;
  return { kind: 'create', slot, order, replaces, bookSentAt: view.bookSentAt, reference: view.referencePrice };
}
