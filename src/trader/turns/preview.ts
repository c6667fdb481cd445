// Previews quotes by the trader's own reads and decisions, without a single order.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import type { EpochMs } from '../../domain/time.ts';
import { decisionOf } from '../decision/decide.ts';
import { assessCreate, leavesPlaces, placesForMoves } from '../decision/moves.ts';
import { haltOf } from '../decision/readiness.ts';
import { riskContext } from '../decision/view.ts';
import { type Durable, liveIntents } from '../durable/durable.ts';
import type { Intent } from '../durable/intent.ts';
import { isInformed } from '../knowledge/knowledge-of.ts';
import type { Market } from '../state/market.ts';
import type { Chosen } from '../state/session.ts';
import { marketOf, symbolsOf, type TraderState } from '../state/state.ts';
import { beginTurn, emit } from '../state/turn.ts';
import { catchUp, commit, next } from './next.ts';
import { pickCreate } from './pick.ts';

/** Whether a request that the trader chose only reads. */
export function isRead(kind: string): boolean {
  return kind !== 'create' && !kind.startsWith('cancel');
}

/**
 * The trader's next read on a lane, as sent; `null` if it wants to wait, or to send an order: then it has seen enough.
 */
export function takeRead(state: TraderState, lane: 'public' | 'private', now: EpochMs): Chosen | null {
  catchUp(state, now);
  if (hasDecided(state, now)) return null;
  const choice = next(state, lane, now);
  return choice.kind === 'send' && isRead(choice.candidate.kind) ? commit(state, choice.candidate, now).chosen : null;
}

/** Whether every symbol has quotes or a reason that no read will change. */
export function hasDecided(state: TraderState, now: EpochMs): boolean {
  return state.phase === 'running' && [...state.markets.values()].every((market) => isDecided(state, market, now));
}

function isDecided(state: TraderState, market: Market, now: EpochMs): boolean {
  if (haltOf(state, market) !== null) return true;
  // Before a second book confirms the first, the risk gate refuses every order.
  if (market.lastGoodReference === null) return false;
  return decisionOf(state, market, now).result !== null && isInformed(state, market);
}

/** More than the orders of any configuration: a strategy that always wants another order is stopped here. */
const MOST_PLACED = 1_000;

/**
 * Places, in this state alone and using it up, the orders that `run` would place by now: the same decisions and the
 * same risk gate, each order in addition to those before it. Denials stay in the decisions afterward.
 */
export function placeInThought(state: TraderState, now: EpochMs): void {
  for (let placed = 0; placed < MOST_PLACED; placed += 1) {
    catchUp(state, now);
    const create = pickCreate(state, now, 'all-slots');
    if (create === null) return;
    commit(state, create, now);
  }
}

/** How many moves of a symbol's orders have room before the first canceled order is proved closed. */
export interface RoomToMove {
  readonly moves: number;
  /** Why the next one waits: a sentence. */
  readonly limit: string;
}

/**
 * Moves the resting orders, in this state alone and using it up, until one of each symbol would wait: by the same risk
 * gate, and with every order that was canceled for a move still counted. The largest goes first, and symbols take
 * turns.
 */
export function moveInThought(state: TraderState, now: EpochMs): ReadonlyMap<InstrumentSymbol, RoomToMove> {
  const room = new Map<InstrumentSymbol, RoomToMove>();
  const moves = new Map<InstrumentSymbol, number>();
  const ranked = symbolsOf(state).flatMap((symbol) => [...restingByNotional(state.durable, symbol).entries()]);
  const orders = ranked.toSorted(([a], [b]) => a - b).map(([, order]) => order);
  // The list grows during the loop: a moved order takes its turn again.
  for (const order of orders) {
    const { symbol } = order;
    if (room.has(symbol)) continue;
    const made = moves.get(symbol) ?? 0;
    const moved = moveOne(state, order, now);
    if (typeof moved === 'string') room.set(symbol, { moves: made, limit: moved });
    else orders.push(moved);
    moves.set(symbol, made + 1);
  }
  return room;
}

const restingByNotional = (durable: Durable, symbol: InstrumentSymbol): readonly Intent[] =>
  liveIntents(durable, symbol)
    .filter((each) => each.state === 'open' || each.state === 'sent')
    .toSorted((a, b) => b.price.mul(b.quantity).cmp(a.price.mul(a.quantity)));

/** The order that takes its place, or why there is no room for it. */
function moveOne(state: TraderState, order: Intent, now: EpochMs): Intent | string {
  const { symbol, slot, intentId } = order;
  const market = marketOf(state, symbol);
  const context = riskContext(state, market, now);
  const { limits, bookSentAt, referencePrice: reference } = context;
  if (!leavesPlaces(context.orders, limits))
    return (
      `At most ${limits.maxLeaving} canceled orders may be unproved, and moves may take ` +
      `${placesForMoves(limits)} of them.`
    );
  const verdict = assessCreate(state, market, { slot, quote: order, replaces: intentId }, context);
  if (verdict.kind === 'denied') return verdict.message;
  invariant(bookSentAt !== null && reference !== null, 'A create was approved without a book.');
  const create = { kind: 'create', slot, order: verdict.order, replaces: intentId, bookSentAt, reference } as const;
  const { chosen } = commit(state, create, now);
  const turn = beginTurn(state, now);
  emit(turn, { type: 'cancel-sent', payload: { intentId, why: 'moved', at: now } });
  emit(turn, { type: 'cancel-outcome', payload: { intentId, outcome: 'acknowledged', detail: '', at: now } });
  const moved = liveIntents(state.durable, symbol).find((each) => each.intentId === chosen.intentId);
  invariant(moved !== undefined, 'An order that was placed is not there.');
  return moved;
}
