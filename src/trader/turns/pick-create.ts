// The order that is placed next. Room is scarce where orders leave, and turns where the lane is slow: both go to sides
// that stand empty first, then to sides that the price has left behind, to other empty levels, and to levels that move.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { decisionOf } from '../decision/decide.ts';
import { assessCreate } from '../decision/proposal.ts';
import { notReady } from '../decision/readiness.ts';
import { riskContext } from '../decision/view.ts';
import { liveIntents } from '../durable/durable.ts';
import { isNear } from '../presence/near-price.ts';
import type { Decision, WantedCreate } from '../state/decision.ts';
import { marketOf, symbolsOf, type TraderState } from '../state/state.ts';
import type { Candidate } from './candidate.ts';

/** What the order is for; those earlier in the list come first. */
const NEEDS = ['empty-side', 'far-side', 'empty-level', 'move'] as const;
type Need = (typeof NEEDS)[number];

interface Wish {
  readonly symbol: InstrumentSymbol;
  readonly decision: Decision;
  readonly wanted: WantedCreate;
  readonly need: Need;
}

/**
 * The first create that the risk gate lets through; levels that move on a side that is quoted are among `all-slots`
 * only.
 */
export function pickCreate(state: TraderState, now: EpochMs, among: 'missing-quotes' | 'all-slots'): Candidate | null {
  const wishes = byLastCreate(state).flatMap((symbol) => wishesOf(state, symbol, now));
  const needs = among === 'all-slots' ? NEEDS : NEEDS.filter((need) => need !== 'move');
  for (const need of needs) {
    // What others take of the room that an empty side waits for keeps it waiting.
    const isFree = (wish: Wish): boolean => need === 'empty-side' || !wishes.some((each) => needsRoomOf(each, wish));
    for (const wish of wishes) {
      const create = wish.need === need && isFree(wish) ? judge(state, wish, now) : null;
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
 * The symbol whose last create is the longest ago comes first: on a slow lane one that moves a lot would take every
 * turn.
 */
function byLastCreate(state: TraderState): readonly InstrumentSymbol[] {
  const last = (symbol: InstrumentSymbol): EpochMs => marketOf(state, symbol).lastHorizon;
  return symbolsOf(state).toSorted((a, b) => last(a) - last(b));
}

function wishesOf(state: TraderState, symbol: InstrumentSymbol, now: EpochMs): Wish[] {
  const decision = decisionOf(state, symbol, now);
  // The decision may be a second old, and a create is never sent on what was ready then (S12).
  if (decision.creates.length === 0 || notReady(state, symbol, now).length > 0) return [];
  const standing = liveIntents(state.durable, symbol).filter((each) => each.state === 'open' || each.state === 'sent');
  const ranges = state.markets.get(symbol)?.presence?.ranges;
  const needOf = ({ replaces, quote: { side } }: WantedCreate): Need => {
    const own = standing.filter((each) => each.side === side);
    if (replaces === null) return own.length === 0 ? 'empty-side' : 'empty-level';
    const range = ranges?.[side] ?? null;
    return range === null || own.some(({ price }) => isNear(price, range)) ? 'move' : 'far-side';
  };
  return decision.creates.map((wanted) => ({ symbol, decision, wanted, need: needOf(wanted) }));
}

function judge(state: TraderState, { symbol, decision, wanted }: Wish, now: EpochMs): Candidate | null {
  const { slot, replaces } = wanted;
  const { view, denied, waiting } = decision;
  if (view === null || denied.has(slot) || waiting.has(slot)) return null;
  const verdict = assessCreate(state, symbol, wanted, riskContext(state, symbol, now));
  if (verdict.kind === 'denied') return null;
  const { order } = verdict;
  return { kind: 'create', slot, order, replaces, bookSentAt: view.bookSentAt, reference: view.referencePrice };
}
