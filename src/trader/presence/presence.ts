// Time in the market: the time since the last step counts toward the state that held since then. No timer: the same
// steps give the same account, live, in a backtest and in the simulation.
import { type Decimal, maxOf, ONE, ZERO } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import { ratioOfBps } from '../../quoting/amount.ts';
import { type Block, gravest } from '../../quoting/block.ts';
import { priceToleranceAwayBps } from '../../quoting/moves/diff.ts';
import { BUDGET, INVENTORY_BOUNDS } from '../../quoting/pipeline/inventory-steps.ts';
import { LOCKS } from '../../quoting/pipeline/sessions.ts';
import type { DenyCode } from '../../quoting/risk/risk-context.ts';
import { askWidthBps } from '../../quoting/strategy-call/ask-strategy.ts';
import { notResponding } from '../contact/responsive.ts';
import { notReady } from '../decision/readiness.ts';
import { type Durable, liveIntents } from '../durable/durable.ts';
import { type DurableOrders, type Intent, isLeaving } from '../durable/intent.ts';
import { marketIn } from '../durable/market.ts';
import type { Decision, Market } from '../state/market.ts';
import type { RunSettings } from '../state/settings.ts';
import type { TraderState, With } from '../state/state.ts';
import {
  addPiece,
  anHourAgo,
  copyOf,
  correctFresh,
  hasVanished,
  lookInBook,
  type Piece,
  type Presence,
  type PriceRange,
  type SeenInBook,
  type SymbolTime,
  type TimeAccount,
  type Track,
} from '../state/time-account.ts';

/** Call it before a step changes anything. */
export function countPresence(state: TraderState, now: EpochMs): void {
  for (const market of state.markets.values()) countTo(state, market, { time: market.presence, now });
}

/** A copy of the account as of now, for displays. */
export function presenceAt(state: TraderState, market: Market, now: EpochMs): SymbolTime {
  const time = copyOf(market.presence);
  countTo(state, market, { time, now });
  return time;
}

interface Counting {
  readonly time: SymbolTime;
  readonly now: EpochMs;
}

/** A clock that was set back counts nothing. */
function countTo(state: TraderState, market: Market, { time, now }: Counting): void {
  const from = time.countedTo;
  const until = Math.floor(now);
  if (until <= from) {
    time.countedTo = until;
    return;
  }
  updateRanges(time, market.decision, market.run);
  recordSeenBook(state, market, time);
  for (const piece of piecesOf(state, market, { time, from, until })) addPiece(time, piece);
  time.countedTo = until;
}

/** An order has vanished from the book since the last one that showed it: it counts as gone halfway between the two. */
function recordSeenBook(state: With<'settings' | 'durable'>, market: Market, time: SymbolTime): void {
  const { symbol, book } = market;
  const before = time.seen;
  time.seen = lookInBook(before, book, liveIntents(state.durable, symbol));
  if (time.seen === before) return;
  const sinceGone = time.countedTo - Math.ceil((before.sentAt + time.seen.sentAt) / 2);
  // No order is fresh for longer than a book may be old.
  const ms = Math.min(sinceGone, state.settings.ageLimits.bookMs);
  for (const side of SIDES) {
    const gone = liveIntents(state.durable, symbol).some(
      (intent) => intent.side === side && hasVanished(time.seen, intent) && !hasVanished(before, intent),
    );
    if (gone && time.last?.[side] === 'fresh' && !hasNear(state.durable, symbol, { side, time }))
      correctFresh(time, side, { ms, reason: 'order-unknown' });
  }
}

const SIDES: readonly Side[] = ['buy', 'sell'];

interface Stretch {
  readonly time: SymbolTime;
  readonly from: EpochMs;
  readonly until: EpochMs;
}

/** Only ages change between two steps: a fresh order may become stale before the next one. */
function piecesOf(state: TraderState, market: Market, { time, from, until }: Stretch): Piece[] {
  const { symbol } = market;
  const stale = Math.min(until, Math.max(from, freshUntil(state, market)));
  const pieces: Piece[] = [];
  if (stale > from) {
    const near = {
      buy: hasNear(state.durable, symbol, { side: 'buy', time }),
      sell: hasNear(state.durable, symbol, { side: 'sell', time }),
    };
    pieces.push({ ms: stale - from, sides: sidesOf(state, market, { time, at: stale, near }) });
  }
  if (until > stale)
    pieces.push({ ms: until - stale, sides: sidesOf(state, market, { time, at: until, near: NEITHER }) });
  return pieces;
}

const NEITHER: Readonly<Record<Side, boolean>> = { buy: false, sell: false };

/** Until when the last book gives the price, and the last list proves that orders rest. */
function freshUntil({ settings }: With<'settings'>, { book, openOrders: orders }: Market): EpochMs {
  if (book.sentAt === null || book.frozen !== null || orders.sentAt === null) return 0;
  const { bookMs, openOrdersMs } = settings.ageLimits;
  return Math.floor(Math.min(book.sentAt + bookMs, orders.sentAt + openOrdersMs));
}

/** Whether an order is known to rest on the side, at a price that is near enough. */
function hasNear(
  durable: Durable,
  symbol: InstrumentSymbol,
  { side, time }: { readonly side: Side; readonly time: SymbolTime },
): boolean {
  const range = time.ranges[side];
  return liveIntents(durable, symbol).some(
    (intent) =>
      intent.side === side && intent.state === 'open' && isNear(intent.price, range) && !hasVanished(time.seen, intent),
  );
}

interface Moment {
  readonly time: SymbolTime;
  readonly at: EpochMs;
  readonly near: Readonly<Record<Side, boolean>>;
}

function sidesOf(state: TraderState, market: Market, { time, at, near }: Moment): Piece['sides'] {
  if (near.buy && near.sell) return { buy: 'fresh', sell: 'fresh' };
  const blocked = whyBlocked(state, market, at);
  const of = (side: Side): Presence =>
    near[side] ? 'fresh' : (blocked ?? whySideLost(state, market, { side, seen: time.seen }));
  return { buy: of('buy'), sell: of('sell') };
}

// Why a side has no fresh order, from the trader's own reasons. Changes nothing.

/** Reasons that follow from a silent exchange, and from a start as well. */
const FOR_WANT_OF_ANSWERS: ReadonlySet<Block> = new Set([
  'starting',
  'difference',
  'account',
  'clock',
  'book',
  'orders',
]);

/** Why the whole symbol is not quoted; null if nothing blocks it. */
function whyBlocked(state: TraderState, market: Market, at: EpochMs): Block | null {
  const codes = notReady(state, market, at).map(({ code }) => code);
  const { halt } = marketIn(state.durable, market.symbol);
  // A halt outweighs every reason that passes by itself.
  if (halt !== null && !codes.includes('latched') && !codes.includes('stopping')) return halt.code;
  const reason = gravest(codes);
  if (reason === null || !FOR_WANT_OF_ANSWERS.has(reason)) return reason;
  if (notResponding(state, at)) return 'exchange';
  return state.phase === 'starting' ? 'starting' : reason;
}

interface SideNow {
  readonly side: Side;
  readonly seen: SeenInBook;
}

/** Call it if nothing blocks the whole symbol. */
function whySideLost(state: With<'durable' | 'phase'>, market: Market, { side, seen }: SideNow): Block {
  const { decision } = market;
  const own = liveIntents(state.durable, market.symbol).filter((intent) => intent.side === side);
  return (
    underWay(own) ??
    undecided(state, decision) ??
    refused(decision, side) ??
    // Other levels of the side aside, an order that limits refuse would be in the market.
    counted(own, seen) ??
    unwanted(state.durable.orders, decision, side) ??
    takingTurns(own)
  );
}

function underWay(own: readonly Intent[]): Block | null {
  const has = (...states: readonly Intent['state'][]): boolean => own.some(({ state }) => states.includes(state));
  if (has('sent')) return 'placing';
  return has('unknown', 'soft-rejected') ? 'order-unknown' : null;
}

const counted = (own: readonly Intent[], seen: SeenInBook): Block | null =>
  own.some((intent) => isFilling(intent, seen)) ? 'order-unknown' : null;

const isFilling = (intent: Intent, seen: SeenInBook): boolean =>
  intent.state === 'open' ? hasVanished(seen, intent) : intent.state === 'closing' && !isLeaving(intent);

function undecided({ phase }: With<'phase'>, decision: Decision | null): Block | null {
  if (decision === null) return phase === 'starting' ? 'starting' : 'lane';
  return decision.view === null ? 'price' : null;
}

/** Denial codes with a block of their own. */
const DENIED: Readonly<Partial<Record<DenyCode | 'strategy-quote', Block>>> = {
  budget: 'funds',
  funds: 'funds',
  inventory: 'inventory',
  'message-rate': 'message-rate',
  reference: 'price',
};

/** Why the risk gate holds back the creates of a side. */
function refused(decision: Decision | null, side: Side): Block | null {
  if (decision === null) return null;
  const isOfSide = (slot: string): boolean => slot.startsWith(`${side}:`);
  if ([...decision.waiting.keys()].some(isOfSide)) return 'leaving';
  const [, denied] = [...decision.denied].find(([slot]) => isOfSide(slot)) ?? [];
  return denied === undefined ? null : (DENIED[denied.code] ?? 'limits');
}

function unwanted(orders: DurableOrders, decision: Decision | null, side: Side): Block | null {
  const why = decision === null ? null : whyNoQuote(decision, side);
  if (why !== 'funds' && why !== 'inventory') return why;
  return [...orders.intents.values()].some(isLeaving) ? 'leaving' : why;
}

/** The reason of the step that changed or dropped the quotes of a side without any; null if it has one. */
function whyNoQuote({ result }: Decision, side: Side): Block | null {
  if (result === null || result.noQuote[side] === null) return null;
  const steps = new Set(result.explain.filter(({ slot }) => slot?.startsWith(side)).map(({ name }) => name));
  if (steps.has(LOCKS)) return 'locked';
  if (steps.has(BUDGET)) return 'funds';
  return steps.has(INVENTORY_BOUNDS) ? 'inventory' : 'strategy';
}

function takingTurns(own: readonly Intent[]): Block {
  if (own.some(({ state }) => state === 'open')) return 'off-price';
  return own.some((intent) => intent.state === 'cancel-sent' && !isLeaving(intent)) ? 'leaving' : 'lane';
}

// Prices near enough for an own order to count as a fresh quote: between the reference price and the strategy's
// farthest quote, with the tolerance at which an order is moved.

/** Takes the ranges from the newest decision. A side that wants no quote at the moment keeps its width. */
export function updateRanges(time: SymbolTime, decision: Decision | null, run: RunSettings): void {
  const basis = decision?.result ?? decision;
  if (decision === null || basis === time.rangesOf) return;
  time.rangesOf = basis;
  const reference = decision.view?.referencePrice ?? null;
  const configuredBps = askWidthBps(run.strategy, run.params);
  for (const side of SIDES) {
    if (reference !== null)
      time.widths[side] = widthOf(decision, side, { reference, run, configuredBps }) ?? time.widths[side];
    const width = time.widths[side];
    time.ranges[side] = reference === null || width === null ? null : rangeOf(side, reference, width);
  }
}

/** As a share of the reference price; null if neither the strategy nor a wanted quote gives it. */
function widthOf(
  { result }: Decision,
  side: Side,
  { reference, run: { refresh }, configuredBps }: WidthFrom,
): Decimal | null {
  const quotes = (result?.quotes ?? []).filter((quote) => quote.side === side);
  if (quotes.length === 0 && configuredBps === null) return null;
  const tolerance = Math.max(refresh.priceToleranceBps, priceToleranceAwayBps(refresh));
  // Costs and guards may move quotes farther out than the strategy wants them.
  const outermost = quotes.reduce((most: Decimal, { price }) => maxOf(most, price.sub(reference).abs()), ZERO);
  const configured = ratioOfBps(configuredBps ?? 0);
  // Multiplication first: a division costs several times as much, and most quotes are where the strategy has them.
  const farthest = outermost.lte(reference.mul(configured)) ? configured : outermost.div(reference);
  return maxOf(farthest, configured).add(ratioOfBps(tolerance));
}

interface WidthFrom {
  readonly reference: Decimal;
  readonly run: RunSettings;
  /** The strategy's own maximum distance; null if it does not state one. */
  readonly configuredBps: number | null;
}

const rangeOf = (side: Side, reference: Decimal, width: Decimal): PriceRange =>
  side === 'buy'
    ? { least: reference.mul(ONE.sub(width)), most: reference }
    : { least: reference, most: reference.mul(ONE.add(width)) };

export const isNear = (price: Decimal, range: PriceRange | null): boolean =>
  range !== null && price.gte(range.least) && price.lte(range.most);

// Time in the market as plain data for people, metrics and reports.

/** Whole milliseconds: the fresh time and all lost times add up to the counted time. */
export interface TimeShare {
  /** A live order rested near enough to the price, by a recent book and a recent list of own orders. */
  readonly freshMs: DurationMs;
  /** The rest, by reason, the longest first. */
  readonly lost: readonly { readonly reason: Block; readonly ms: DurationMs }[];
}

/** `both` is two-sided: fresh on both sides, else lost to the graver reason. */
export type TimeShares = Readonly<Record<Track, TimeShare>>;

export interface PresenceView {
  /** Since the start of the process: a restart begins anew. */
  readonly sinceStart: TimeShares;
  /** To a minute; shorter if the process is younger. */
  readonly lastHour: TimeShares;
}

export function presenceView(state: TraderState, market: Market, now: EpochMs): PresenceView {
  const time = presenceAt(state, market, now);
  const before = anHourAgo(time);
  const sinceStart = sharesOf(time.tracks);
  if (before === null) return { sinceStart, lastHour: sinceStart };
  const since = (track: Track): TimeShare => shareSince(shareOf(before[track]), sinceStart[track]);
  return { sinceStart, lastHour: { buy: since('buy'), sell: since('sell'), both: since('both') } };
}

const sharesOf = ({ buy, sell, both }: Readonly<Record<Track, TimeAccount>>): TimeShares => ({
  buy: shareOf(buy),
  sell: shareOf(sell),
  both: shareOf(both),
});

function shareOf(account: TimeAccount): TimeShare {
  const lost: TimeShare['lost'][number][] = [];
  for (const [reason, ms] of account) if (reason !== 'fresh') lost.push({ reason, ms });
  return { freshMs: account.get('fresh') ?? 0, lost: lost.toSorted((a, b) => b.ms - a.ms) };
}

export const countedMs = ({ freshMs, lost }: TimeShare): DurationMs => lost.reduce((sum, { ms }) => sum + ms, freshMs);

/** The time counted between two readings of the same account. */
export function shareSince(before: TimeShare | null, now: TimeShare): TimeShare {
  if (before === null) return now;
  const lost = now.lost
    .map(({ reason, ms }) => ({ reason, ms: ms - (before.lost.find((each) => each.reason === reason)?.ms ?? 0) }))
    .filter(({ ms }) => ms > 0);
  return { freshMs: now.freshMs - before.freshMs, lost: lost.toSorted((a, b) => b.ms - a.ms) };
}
