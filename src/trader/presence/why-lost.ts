// Why a side has no fresh order, by what the trader says of itself already. Asks, and changes nothing.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';
import { BUDGET, INVENTORY_BOUNDS } from '../../quoting/pipeline/inventory-steps.ts';
import { LOCKS } from '../../quoting/pipeline/sessions.ts';
import { type DenyCode, HALT_CODES, type HaltCode } from '../../quoting/risk/risk-context.ts';
import { notResponding } from '../contact/responsive.ts';
import { type NotReadyCode, notReady } from '../decision/readiness.ts';
import { liveIntents } from '../durable/durable.ts';
import { type Intent, isLeaving } from '../durable/intent.ts';
import type { Decision } from '../state/decision.ts';
import { gravest, type LostReason } from '../state/presence/lost-reason.ts';
import { hasVanished, type SeenInBook } from '../state/presence/seen-in-book.ts';
import { marketOf, type TraderState } from '../state/state.ts';

const HALTED = Object.fromEntries(HALT_CODES.map((code) => [code, 'halted'])) as Readonly<Record<HaltCode, 'halted'>>;

const BLOCKED: Readonly<Record<NotReadyCode, LostReason>> = {
  'kill-latch': 'latched',
  stopping: 'stopping',
  paused: 'paused',
  refused: 'refused',
  reconcile: 'account',
  'clock-unknown': 'clock',
  'clock-uncertain': 'clock',
  difference: 'account',
  suspense: 'account',
  'wallet-unread': 'account',
  'wallet-age': 'account',
  outside: 'outside',
  ...HALTED,
  'book-unread': 'book-age',
  'book-age': 'book-age',
  'portfolio-unvalued': 'book-age',
  'book-frozen': 'book-age',
  'public-trades-age': 'no-price',
  'price-in-doubt': 'no-price',
  'orders-unread': 'orders-age',
  'orders-age': 'orders-age',
  'trades-unread': 'account',
  'market-unopened': 'starting',
  'market-unlisted': 'unlisted',
  'listing-unread': 'account',
  resting: 'resting',
};

/** What a silent exchange brings about, and a start as well. */
const FOR_WANT_OF_ANSWERS: ReadonlySet<LostReason> = new Set([
  'starting',
  'account',
  'clock',
  'book-age',
  'orders-age',
]);

/** What keeps the whole symbol from being quoted; null where nothing does. */
export function whyBlocked(state: TraderState, symbol: InstrumentSymbol, at: EpochMs): LostReason | null {
  const reason = gravest(notReady(state, symbol, at).map(({ code }) => BLOCKED[code]));
  if (reason === null || !FOR_WANT_OF_ANSWERS.has(reason)) return reason;
  if (notResponding(state, at)) return 'exchange-silent';
  return state.phase === 'starting' ? 'starting' : reason;
}

interface SideNow {
  readonly side: Side;
  readonly seen: SeenInBook;
}

/** Where nothing keeps the symbol from being quoted. */
export function whySideLost(state: TraderState, symbol: InstrumentSymbol, { side, seen }: SideNow): LostReason {
  const { decision } = marketOf(state, symbol);
  const own = liveIntents(state.durable, symbol).filter((intent) => intent.side === side);
  return (
    underWay(own) ??
    undecided(state, decision) ??
    refused(decision, side) ??
    // Whether another level of the side is counted or not, one that limits refuse would stand in the market.
    counted(own, seen) ??
    unwanted(state, decision, side) ??
    takingTurns(own)
  );
}

function underWay(own: readonly Intent[]): LostReason | null {
  const has = (...states: readonly Intent['state'][]): boolean => own.some(({ state }) => states.includes(state));
  if (has('sent')) return 'placing';
  return has('unknown', 'soft-rejected') ? 'unknown' : null;
}

const counted = (own: readonly Intent[], seen: SeenInBook): LostReason | null =>
  own.some((intent) => isFilling(intent, seen)) ? 'counting' : null;

const isFilling = (intent: Intent, seen: SeenInBook): boolean =>
  intent.state === 'open' ? hasVanished(seen, intent) : intent.state === 'closing' && !isLeaving(intent);

function undecided({ phase }: TraderState, decision: Decision | null): LostReason | null {
  if (decision === null) return phase === 'starting' ? 'starting' : 'lane';
  return decision.view === null ? 'no-price' : null;
}

/** Of the risk gate's codes those that have a word of their own. */
const DENIED: Readonly<Partial<Record<DenyCode | 'strategy-quote', LostReason>>> = {
  budget: 'funds',
  funds: 'funds',
  inventory: 'inventory',
  'message-rate': 'message-rate',
  reference: 'no-price',
};

/** What the risk gate says of the creates of a side. */
function refused(decision: Decision | null, side: Side): LostReason | null {
  if (decision === null) return null;
  const isOfSide = (slot: string): boolean => slot.startsWith(`${side}:`);
  if ([...decision.waiting.keys()].some(isOfSide)) return 'leaving';
  const [, denied] = [...decision.denied].find(([slot]) => isOfSide(slot)) ?? [];
  return denied === undefined ? null : (DENIED[denied.code] ?? 'limits');
}

function unwanted(state: TraderState, decision: Decision | null, side: Side): LostReason | null {
  const why = decision === null ? null : whyNoQuote(decision, side);
  if (why !== 'funds' && why !== 'inventory') return why;
  return [...state.durable.orders.intents.values()].some(isLeaving) ? 'leaving' : why;
}

/** By the step that changed or dropped quotes of a side that has none; null where it has one. */
function whyNoQuote({ result }: Decision, side: Side): LostReason | null {
  if (result === null || result.noQuote[side] === null) return null;
  const steps = new Set(result.explain.filter(({ slot }) => slot?.startsWith(side)).map(({ name }) => name));
  if (steps.has(LOCKS)) return 'locked';
  if (steps.has(BUDGET)) return 'funds';
  return steps.has(INVENTORY_BOUNDS) ? 'inventory' : 'not-wanted';
}

function takingTurns(own: readonly Intent[]): LostReason {
  if (own.some(({ state }) => state === 'open')) return 'off-price';
  return own.some((intent) => intent.state === 'cancel-sent' && !isLeaving(intent)) ? 'leaving' : 'lane';
}
