// How own orders stand: live, placing, leaving, or unknown. Page, metrics, log and `status` all count by this.
import { decimal } from '../../domain/decimal.ts';
import type { IntentId } from '../../domain/ids.ts';
import type { Side } from '../../domain/order.ts';
import { type DurationMs, SECOND } from '../../domain/time.ts';
import type { IntentState } from '../durable/intent.ts';
import type { Decision } from '../state/market.ts';

/**
 * - `live`: the exchange named it, and the bot wants it to stay.
 * - `placing`: its create is on its way.
 * - `leaving`: it is being canceled or is to be, or is gone from the list and not settled yet. It may still fill.
 * - `unknown`: whether it was placed is not known.
 */
export type Standing = 'live' | 'placing' | 'leaving' | 'unknown';

/** The state of one side of a symbol: the first that applies. */
export const SIDE_STATES = [
  'halted',
  'quoted',
  'paused',
  'waiting',
  'no-quote',
  'leaving',
  'unknown',
  'denied',
  'placing',
] as const;
export type SideState = (typeof SIDE_STATES)[number];

/** Own orders by their standing. */
export type StandingCounts = Readonly<Record<Standing, number>>;

/** One side of a symbol. */
export interface SideView extends StandingCounts {
  readonly state: SideState;
  /** How long no order has been live on it; zero while one is. */
  readonly missingMs: number;
  /** One sentence if nothing is live on it; null if an order is, or if the symbol's `reason` says it. */
  readonly why: string | null;
}

/** The symbol's state at a glance: a color with its word. */
export interface Verdict {
  readonly tone: 'good' | 'calm' | 'warn' | 'stop';
  readonly word: string;
}

/** `isLeaving`: the present decision cancels it. */
export function standingOf(state: IntentState, isLeaving: boolean): Standing {
  switch (state) {
    case 'open':
      return isLeaving ? 'leaving' : 'live';
    case 'sent':
      return 'placing';
    case 'unknown':
    case 'soft-rejected':
      return 'unknown';
    case 'cancel-sent':
    case 'closing':
    case 'closed':
      return 'leaving';
  }
}

/** Orders that this decision cancels. */
export const leavingBy = ({ cancels }: Decision): ReadonlySet<IntentId> =>
  new Set(cancels.map(({ intentId }) => intentId));

export function countStandings(orders: readonly { readonly standing: Standing }[]): StandingCounts {
  const count = (standing: Standing): number => orders.filter((order) => order.standing === standing).length;
  return { live: count('live'), placing: count('placing'), leaving: count('leaving'), unknown: count('unknown') };
}

/** The best price of a side's live orders; null without one. */
export function bestLive(
  orders: readonly { readonly standing: Standing; readonly side: Side; readonly price: string }[],
  side: Side,
): string | null {
  const live = orders.filter((order) => order.side === side && order.standing === 'live');
  const prices = live.map(({ price }) => decimal(price)).sort((a, b) => a.cmp(b));
  return prices.at(side === 'buy' ? -1 : 0)?.toFixed() ?? null;
}

/** `3 live, 1 leaving`; empty without orders. */
export function standingWords({ live, placing, leaving, unknown }: StandingCounts): string {
  const parts: readonly [number, string][] = [
    [live, 'live'],
    [placing, 'on the way'],
    [leaving, 'leaving'],
    [unknown, 'unknown'],
  ];
  return parts.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`])).join(', ');
}

export type SymbolState = 'quoting' | 'waiting' | 'paused' | 'halted';

export interface SideFacts {
  readonly state: SymbolState;
  /** Why a side has no quote; null if it has one or if the symbol's reason says it all. */
  readonly noQuote: Readonly<Record<Side, string | null>>;
  /** The last denial of the risk gate; null if nothing is denied. */
  readonly denied: object | null;
  readonly orders: readonly { readonly side: Side; readonly standing: Standing }[];
  /** Why a quote of the side waits for pending cancels, one sentence. */
  readonly waitsFor?: Readonly<Record<Side, string | null>>;
  readonly missingMs?: Readonly<Record<Side, DurationMs>>;
}

/** Why the innermost quote of each side without room waits. */
export function waitsFor({ waiting }: Decision): NonNullable<SideFacts['waitsFor']> {
  const first = (side: Side): string | null =>
    [...waiting].find(([slot]) => slot.startsWith(`${side}:`))?.[1].why ?? null;
  return { buy: first('buy'), sell: first('sell') };
}

type Sides = Readonly<Record<Side, SideView>>;

/** Both sides of a symbol. `ordersAreFresh`: the list of own orders is young enough to prove that an order rests. */
export function sidesOf(facts: SideFacts, ordersAreFresh: boolean): Sides {
  return { buy: sideView(facts, 'buy', ordersAreFresh), sell: sideView(facts, 'sell', ordersAreFresh) };
}

function sideView(facts: SideFacts, side: 'buy' | 'sell', ordersAreFresh: boolean): SideView {
  const counts = countStandings(facts.orders.filter((order) => order.side === side));
  const live = ordersAreFresh ? counts.live : 0;
  const state = sideState(facts, side, { ...counts, live });
  const missingMs = state === 'quoted' ? 0 : (facts.missingMs?.[side] ?? 0);
  return { state, ...counts, missingMs, why: whyNotLive(facts, side, { state, ...counts }) };
}

function sideState(facts: SideFacts, side: 'buy' | 'sell', counts: StandingCounts): SideState {
  if (facts.state === 'halted') return 'halted';
  if (counts.live > 0) return 'quoted';
  if (facts.state !== 'quoting') return facts.state;
  if (facts.noQuote[side] !== null) return 'no-quote';
  if (counts.leaving > 0) return 'leaving';
  if (counts.unknown > 0) return 'unknown';
  return facts.denied === null ? 'placing' : 'denied';
}

/** Null if an order is live, if the counts say it, or if the symbol's reason does. */
function whyNotLive(
  { noQuote, waitsFor: room }: SideFacts,
  side: Side,
  view: Omit<SideView, 'why' | 'missingMs'>,
): string | null {
  if (view.state === 'no-quote') return noQuote[side];
  if (view.state === 'leaving') return room?.[side] ?? null;
  if (view.state === 'denied') return 'Refused by the risk gate.';
  return view.state === 'placing' && view.placing === 0 ? 'About to be placed.' : null;
}

// A symbol in one word. It follows the live orders, not the wanted ones: an order that is being canceled is no quote.

const BLOCKED: Readonly<Record<Exclude<SymbolState, 'quoting'>, Verdict>> = {
  waiting: { tone: 'warn', word: 'Waiting' },
  paused: { tone: 'warn', word: 'Paused' },
  halted: { tone: 'stop', word: 'Halted' },
};

export function symbolVerdict({
  state,
  sides: { buy, sell },
}: {
  readonly state: SymbolState;
  readonly sides: Sides;
}): Verdict {
  if (state !== 'quoting') return BLOCKED[state];
  if (isQuoted(buy) && isQuoted(sell)) return { tone: 'good', word: 'Quoting' };
  const missing = [buy, sell].filter((side) => !isQuoted(side));
  // A side that the strategy or a protection withholds is missing on purpose, and no quote is on its way there.
  const tone = missing.some((side) => needsALook(side) || (isMoving(side) && isLate(side))) ? 'warn' : 'calm';
  if (isQuoted(buy)) return { tone, word: 'Quoting, bid only' };
  if (isQuoted(sell)) return { tone, word: 'Quoting, ask only' };
  // A lost quote next to a late one does not improve the verdict.
  return tone === 'calm' && missing.some(isMoving)
    ? { tone: 'calm', word: 'Replacing quotes' }
    : { tone: 'warn', word: 'No quote' };
}

/** Replacing a quote takes some requests; a replacement that takes longer than this counts as missing. */
export const REPLACED_WITHIN_MS = 15 * SECOND;
const isLate = ({ missingMs }: SideView): boolean => missingMs > REPLACED_WITHIN_MS;
const isQuoted = ({ state }: SideView): boolean => state === 'quoted';
const needsALook = ({ state }: SideView): boolean => state === 'unknown' || state === 'denied';
/** The next moments bring an order, or an explanation. */
const isMoving = ({ state }: SideView): boolean => state === 'leaving' || state === 'placing' || state === 'unknown';
