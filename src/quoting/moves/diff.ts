// Compares wanted quotes with live orders: what to keep, cancel and create, level by level.
import { BPS, Decimal } from '../../domain/decimal.ts';
import type { IntentId } from '../../domain/ids.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { type Quote, type Side, type Slot, slotOf } from '../../domain/order.ts';
import { type DurationMs, type EpochMs, HOUR, SECOND } from '../../domain/time.ts';
import { ratioOfBps } from '../amount.ts';
import { type LiveOrder, leavesSlotFree } from '../live-order.ts';
import type { PriceLimits } from '../pipeline/guards.ts';
import type { DiffSettings } from './refresh-settings.ts';

/** Facts at the moment of the decision. */
export interface DiffFacts {
  readonly now: EpochMs;
  readonly instrument: Instrument;
  /** In quote per base. */
  readonly referencePrice: Decimal;
  /** How far the reference price moves while a move is in flight, in basis points. */
  readonly travelBps: number;
  /** From `restingLimits`: an own order beyond its side's limit is canceled at once. Absent without a book. */
  readonly restingLimits?: PriceLimits;
}

export type Action =
  | { readonly kind: 'keep'; readonly intentId: IntentId; readonly slot: Slot }
  | { readonly kind: 'create'; readonly slot: Slot; readonly quote: Quote }
  /** A move without a gap: place the quote first, and cancel the order once the new one is on the book. */
  | {
      readonly kind: 'replace';
      readonly intentId: IntentId;
      readonly slot: Slot;
      readonly quote: Quote;
      readonly why: string;
      /** How far the price moves, in quote per base. */
      readonly moved: Decimal;
    }
  | { readonly kind: 'cancel'; readonly intentId: IntentId; readonly slot: Slot; readonly why: string }
  /** Nothing can be done in the slot now; decide again when more is known. */
  | { readonly kind: 'wait'; readonly slot: Slot; readonly why: string };

interface Judging {
  /** The nearest allowed price to the market by `minHalfSpreadBps`; null if not set. */
  readonly nearest: Readonly<Record<Side, Decimal>> | null;
  readonly tolerances: Tolerances;
  readonly wanted: ReadonlyMap<Slot, Quote>;
  readonly settings: DiffSettings;
  readonly facts: DiffFacts;
}

const RANK: Readonly<Record<Action['kind'], number>> = { cancel: 0, create: 1, replace: 2, wait: 3, keep: 4 };

/**
 * One verdict per live order, and a create for each wanted quote whose slot is free: cancels first, creates innermost
 * first, then moves, the level that is furthest out of place first, then waits and keeps. Each level moves on its own.
 * Its old order stays until the new one is on the book, unless its price has come so near that it must go at once.
 * Orders with a pending cancel take no slot and need no action.
 */
export function diffQuotes(
  wanted: readonly Quote[],
  live: readonly LiveOrder[],
  settings: DiffSettings,
  facts: DiffFacts,
): Action[] {
  const { minHalfSpreadBps: least } = settings;
  const { referencePrice } = facts;
  const distance = least === undefined ? null : referencePrice.mul(ratioOfBps(least));
  const judging: Judging = {
    nearest: distance && { buy: referencePrice.sub(distance), sell: referencePrice.add(distance) },
    tolerances: tolerancesFrom(settings, facts.travelBps),
    wanted: new Map(wanted.map((quote) => [slotOf(quote), quote])),
    settings,
    facts,
  };
  const bySlot = Map.groupBy(
    live.filter(({ status }) => status !== 'leaving'),
    ({ slot }) => slot,
  );
  const actions = [...bySlot.values()].flatMap((orders) => judgeSlot(orders, judging));
  for (const quote of wanted.toSorted((a, b) => a.level - b.level)) {
    const holders = bySlot.get(slotOf(quote)) ?? [];
    if (holders.every(leavesSlotFree)) actions.push(place(quote, judging));
  }
  return actions.toSorted((a, b) => RANK[a.kind] - RANK[b.kind] || furthestFirst(a, b));
}

const furthestFirst = (a: Action, b: Action): number =>
  a.kind === 'replace' && b.kind === 'replace' ? b.moved.cmp(a.moved) : 0;

/** The newest of a slot's open orders holds it: an older one was replaced, or was canceled and is back. */
function judgeSlot(orders: readonly LiveOrder[], judging: Judging): Action[] {
  const pending = orders.filter(({ status }) => status === 'pending');
  const [newest, ...older] = orders.filter(({ status }) => status === 'open').toSorted((a, b) => b.sentAt - a.sentAt);
  const actions = pending.map(({ intentId, slot }): Action => {
    return { kind: 'wait', slot, why: `What became of ${intentId} is not known yet.` };
  });
  // An order that was not found may also be the successor of the one in the market.
  const isMoving = orders.some(({ status }) => status !== 'open');
  if (newest !== undefined) actions.push(judge(newest, isMoving, judging));
  for (const { intentId, slot } of older)
    actions.push({ kind: 'cancel', intentId, slot, why: `${slot} has a newer order.` });
  return actions;
}

function judge(order: LiveOrder, isMoving: boolean, judging: Judging): Action {
  const { intentId, slot } = order;
  if (!order.remaining.gt(0)) return { kind: 'wait', slot, why: `${intentId} is filled and not yet closed.` };
  const quote = judging.wanted.get(slot);
  const urgent = danger(order, judging) ?? (quote === undefined ? `No quote is wanted in ${slot}.` : null);
  if (urgent !== null) return { kind: 'cancel', intentId, slot, why: urgent };
  const why = quote === undefined ? null : whyReplaced(order, quote, judging);
  if (quote === undefined || why === null) return { kind: 'keep', intentId, slot };
  const mustGo = isTooNearToStay(order, quote, judging) || tooNear(quote, judging) !== null;
  if (mustGo) return { kind: 'cancel', intentId, slot, why };
  // Its successor is in flight, or that one's fate is unknown: one at a time.
  if (isMoving) return { kind: 'keep', intentId, slot };
  return { kind: 'replace', intentId, slot, quote, why, moved: quote.price.sub(order.price).abs() };
}

/** At a price no longer wanted, others would pick it off: it does not wait for its successor. */
function isTooNearToStay({ price }: LiveOrder, quote: Quote, { facts }: Judging): boolean {
  const { referencePrice } = facts;
  const distance = (at: Decimal): Decimal => (quote.side === 'buy' ? referencePrice.sub(at) : at.sub(referencePrice));
  return distance(price).lt(distance(quote.price).mul(CANCEL_FIRST));
}

function place(quote: Quote, judging: Judging): Action {
  const why = tooNear(quote, judging);
  return why === null ? { kind: 'create', slot: slotOf(quote), quote } : { kind: 'wait', slot: slotOf(quote), why };
}

/** Reasons that override the refresh time: others would now pick the order off at its price. */
function danger(order: LiveOrder, judging: Judging): string | null {
  const limit = judging.facts.restingLimits?.[order.side] ?? null;
  if (limit !== null && (order.side === 'buy' ? order.price.gt(limit) : order.price.lt(limit))) {
    return `Its price of ${order.price.toFixed()} is beyond ${limit.toFixed()}, where the post-only guard begins.`;
  }
  return tooNear(order, judging);
}

function tooNear({ side, price }: Pick<Quote, 'side' | 'price'>, judging: Judging): string | null {
  const { nearest, settings, facts } = judging;
  if (nearest === null || (side === 'buy' ? price.lte(nearest.buy) : price.gte(nearest.sell))) return null;
  const { referencePrice } = facts;
  const distance = side === 'buy' ? referencePrice.sub(price) : price.sub(referencePrice);
  const bps = distance.div(referencePrice).mul(BPS).toDecimalPlaces(2).toFixed();
  const words = `${bps} bps from the reference price ${referencePrice.toFixed()}`;
  return `Its price of ${price.toFixed()} is ${words} and must be ${settings.minHalfSpreadBps} bps at least.`;
}

function whyReplaced(order: LiveOrder, quote: Quote, judging: Judging): string | null {
  const { settings, facts, tolerances } = judging;
  const age: DurationMs = facts.now - order.sentAt;
  if (age >= settings.maxOrderAgeMs) return `It is ${age} ms old and may be ${settings.maxOrderAgeMs} ms old at most.`;
  if (age < settings.refreshMs) return null;
  return priceDrift(order, quote, tolerances) ?? sizeDrift(order, quote);
}

// How far an order may be from the wanted quote before it moves: tight toward the market, wide away from it.

/** As shares of the order's price. */
interface Tolerances {
  /** For an order nearer to the market than wanted: others may pick it off. */
  readonly nearer: Decimal;
  /** For an order farther away: it fills less often, and loses its place in the queue when it moves. */
  readonly farther: Decimal;
}

/** How much farther from the market an order may be than nearer to it. */
const FARTHER = 2;

/** How far an order may be farther from the market than wanted, in basis points of its price. */
export const priceToleranceAwayBps = ({ priceToleranceBps: nearer }: Pick<DiffSettings, 'priceToleranceBps'>): number =>
  FARTHER * nearer;

/** An order stays with up to this share too much. */
const LARGER = new Decimal('0.1');
/** A partly filled order keeps its place in the queue as long as it lacks at most this share of the wanted size. */
const SMALLER = new Decimal('0.5');

/**
 * An order to be moved that is nearer to the reference price than this share of the wanted distance is canceled before
 * its successor is placed. A farther one stays until the successor is on the book.
 */
const CANCEL_FIRST = new Decimal('0.9');

/**
 * `travelBps`: how far the reference price usually moves while a move is in flight. A smaller move is as likely wrong
 * as right when it arrives, so no price tolerance is smaller.
 */
function tolerancesFrom(settings: DiffSettings, travelBps: number): Tolerances {
  return {
    nearer: ratioOfBps(Math.max(settings.priceToleranceBps, travelBps)),
    farther: ratioOfBps(Math.max(priceToleranceAwayBps(settings), travelBps)),
  };
}

/** Why the order is not at the wanted price, a part of a sentence; null if it is close enough. */
function priceDrift(order: LiveOrder, quote: Quote, tolerances: Tolerances): string | null {
  const toward = order.side === 'buy' ? order.price.sub(quote.price) : quote.price.sub(order.price);
  const isNearer = toward.gt(0);
  const tolerance = isNearer ? tolerances.nearer : tolerances.farther;
  if (toward.abs().lte(order.price.mul(tolerance))) return null;
  const bps = tolerance.mul(BPS).toDecimalPlaces(2).toFixed();
  const way = isNearer ? 'farther from' : 'nearer to';
  return (
    `${quote.price.toFixed()} is wanted, ${way} the market by more than ${bps} bps of its ` +
    `${order.price.toFixed()}.`
  );
}

/** Why its remaining quantity is not the wanted size; null if it is close enough. */
function sizeDrift({ remaining }: LiveOrder, { quantity }: Quote): string | null {
  if (quantity.eq(remaining)) return null;
  const missing = quantity.sub(remaining);
  const tolerated = missing.gt(0) ? quantity.mul(SMALLER) : remaining.mul(LARGER);
  if (missing.abs().lte(tolerated)) return null;
  return `A size of ${quantity.toFixed()} is wanted and ${remaining.toFixed()} of it remains.`;
}

// How often orders move because the market leaves their tolerance, computed before anything is quoted.

export interface ExpectedMoves {
  /** Per order. */
  readonly perHour: number;
  /** For all orders: a create and a cancel for each move. */
  readonly requestsPerHour: number;
  /** Share of the private lane's requests; above 1 the orders move late. */
  readonly laneShare: number;
}

export interface MovingQuotes {
  readonly refresh: DiffSettings;
  /** Basis points per square root of a second. */
  readonly volatility: number;
  readonly orders: number;
  /** The private lane's rate. */
  readonly requestsPerSecond: number;
}

const REQUESTS_OF_A_MOVE = 2;

/**
 * A price without a trend leaves the band from a below to b above it after a·b/σ² on average (mean exit time of a
 * Brownian motion), and no order moves before `refreshMs`. Fills, and price skew by inventory, come on top.
 */
export function expectedMoves({ refresh, volatility, orders, requestsPerSecond }: MovingQuotes): ExpectedMoves {
  const band = refresh.priceToleranceBps * priceToleranceAwayBps(refresh);
  const staysMs: DurationMs = (band / volatility ** 2) * SECOND;
  const perHour = HOUR / Math.max(staysMs, refresh.refreshMs, SECOND);
  const requestsPerHour = perHour * orders * REQUESTS_OF_A_MOVE;
  return { perHour, requestsPerHour, laneShare: requestsPerHour / (requestsPerSecond * (HOUR / SECOND)) };
}
