// Moves the crowd's resting orders to a recorded book; orders of others keep their place in each queue.

import type { InstrumentSymbol } from '../domain/instrument.ts';
import { opposite, type Side } from '../domain/order.ts';
import type { EngineCommand, EngineOrder, Lots, MarketReader, Ticks } from '../matching/types.ts';
import type { TapeBook, TapeLevel, TapeTrade } from '../tape/types.ts';
import { CROWD_ACCOUNT, CROWD_TAKER_ACCOUNT } from './types.ts';

interface Mirrored {
  readonly symbol: InstrumentSymbol;
  readonly book: TapeBook;
  /** The recorded book before it. */
  readonly before: TapeBook | null;
  /** See TapeCrowdSettings. */
  readonly cancelAheadRatio: number;
}

/** More orders than this in a row at one price become one again. */
const MOST_ORDERS_IN_A_ROW = 8;
type CreateCommand = Extract<EngineCommand, { kind: 'create' }>;
const ALL = Number.MAX_SAFE_INTEGER;

/**
 * The commands that bring the crowd's quantity at each recorded price to the recorded one: the excess is removed first,
 * on both sides, then the missing quantity is placed behind everyone. Beyond the last recorded price the crowd's orders
 * stay as last seen, for as many more prices as the side records; those further out are canceled.
 *
 * Where another account's order is in the way (the recorded market moved through it), the missing orders take it, and
 * their rest is placed with the next book, so that a market that refuses crossing orders plays the same. A recorded
 * order does so once: only the quantity that a price gained since the last book is sent against it.
 */
export function mirrorBook(market: MarketReader, mirrored: Mirrored): readonly EngineCommand[] {
  const bids = surveySide(market, mirrored, 'buy');
  const asks = surveySide(market, mirrored, 'sell');
  return [
    ...removals(bids, mirrored.cancelAheadRatio),
    ...removals(asks, mirrored.cancelAheadRatio),
    ...additions(bids, mirrored, asks.bestOfOthers),
    ...additions(asks, mirrored, bids.bestOfOthers),
  ];
}

/** One price's orders in the engine, and the quantity the crowd should have there. */
interface StandingLevel {
  readonly price: Ticks;
  readonly queue: readonly EngineOrder[];
  readonly crowdQuantity: number;
  readonly wanted: number;
}

interface SideSurvey {
  readonly side: Side;
  readonly recorded: readonly TapeLevel[];
  readonly standing: ReadonlyMap<number, StandingLevel>;
  /** The best price of another account's resting order. */
  readonly bestOfOthers: number | null;
}

function surveySide(market: MarketReader, { symbol, book }: Mirrored, side: Side): SideSurvey {
  const recorded = recordedSide(book, side);
  const wantedAt = quantities(recorded);
  const last = recorded[recorded.length - 1]?.priceTicks ?? null;
  const standing = new Map<number, StandingLevel>();
  let bestOfOthers: number | null = null;
  let beyond = 0;
  for (const { price } of market.levels(symbol, side, ALL)) {
    const queue = market.queue(symbol, side, price);
    const crowdQuantity = quantityOf(queue.filter(isCrowds));
    if (bestOfOthers === null && queue.some((order) => !isCrowds(order))) bestOfOthers = price;
    const isBeyond = last !== null && isBetter(side, last, price);
    if (isBeyond && crowdQuantity > 0) beyond += 1;
    const stays = isBeyond && beyond <= recorded.length;
    standing.set(price, { price, queue, crowdQuantity, wanted: stays ? crowdQuantity : (wantedAt.get(price) ?? 0) });
  }
  return { side, recorded, standing, bestOfOthers };
}

function* removals({ standing }: SideSurvey, cancelAheadRatio: number): Generator<EngineCommand> {
  for (const { queue, crowdQuantity, wanted } of standing.values()) {
    if (crowdQuantity > wanted) yield* shrinkQueue(queue, crowdQuantity - wanted, cancelAheadRatio);
  }
}

/** Removes `excess` lots of the crowd from a queue: a share ahead of the first order of others, the rest behind it. */
function* shrinkQueue(
  queue: readonly EngineOrder[],
  excess: number,
  cancelAheadRatio: number,
): Generator<EngineCommand> {
  const firstOther = queue.findIndex((order) => !isCrowds(order));
  const ahead = firstOther < 0 ? [] : queue.slice(0, firstOther);
  const behind = firstOther < 0 ? queue : queue.slice(firstOther).filter(isCrowds);
  const behindQuantity = quantityOf(behind);
  const fromAhead = Math.min(
    quantityOf(ahead),
    Math.max(Math.floor(excess * cancelAheadRatio), excess - behindQuantity),
  );
  yield* takeFromBack(ahead, fromAhead);
  yield* takeFromBack(behind, excess - fromAhead);
}

function* takeFromBack(orders: readonly EngineOrder[], quantity: number): Generator<EngineCommand> {
  let left = quantity;
  for (let index = orders.length - 1; index >= 0 && left > 0; index -= 1) {
    const order = orders[index];
    if (order === undefined) return;
    const by = Math.min(left, order.remaining);
    left -= by;
    if (by === order.remaining) yield cancelOf(order);
    else yield { kind: 'reduce', account: CROWD_ACCOUNT, orderId: order.orderId, by: by as Lots };
  }
}

function* additions(survey: SideSurvey, mirrored: Mirrored, bestOpposing: number | null): Generator<EngineCommand> {
  const { side, recorded, standing } = survey;
  const { symbol, before } = mirrored;
  const quantitiesBefore = bestOpposing === null || before === null ? null : quantities(recordedSide(before, side));
  for (const { priceTicks, quantityLots } of recorded) {
    const level = standing.get(priceTicks);
    const missing = quantityLots - (level?.crowdQuantity ?? 0);
    if (missing <= 0) continue;
    if (bestOpposing !== null && !isBetter(side, bestOpposing, priceTicks)) {
      const gained = quantityLots - (quantitiesBefore?.get(priceTicks) ?? 0);
      if (gained > 0) yield takerOf(createOf(symbol, side, { price: priceTicks, quantity: Math.min(gained, missing) }));
      continue;
    }
    const merged = lastInARow(level?.queue ?? []);
    const merges = merged.length >= MOST_ORDERS_IN_A_ROW;
    if (merges) for (const order of merged) yield cancelOf(order);
    yield createOf(symbol, side, { price: priceTicks, quantity: missing + (merges ? quantityOf(merged) : 0) });
  }
}

/** The crowd's orders behind all others: these may lose their place. */
function lastInARow(queue: readonly EngineOrder[]): readonly EngineOrder[] {
  return queue.slice(queue.findLastIndex((order) => !isCrowds(order)) + 1);
}

function createOf(
  symbol: InstrumentSymbol,
  side: Side,
  { price, quantity }: { price: number; quantity: number },
): CreateCommand {
  return { kind: 'create', account: CROWD_ACCOUNT, symbol, side, price: price as Ticks, quantity: quantity as Lots };
}

function takerOf(create: CreateCommand): EngineCommand {
  return { ...create, account: CROWD_TAKER_ACCOUNT, immediateOrCancel: true };
}

function cancelOf({ orderId }: EngineOrder): EngineCommand {
  return { kind: 'cancel', account: CROWD_ACCOUNT, orderId };
}

function recordedSide(book: TapeBook, side: Side): readonly TapeLevel[] {
  return side === 'buy' ? book.bids : book.asks;
}

function quantities(levels: readonly TapeLevel[]): Map<number, number> {
  return new Map(levels.map((level) => [level.priceTicks, level.quantityLots]));
}

function quantityOf(orders: readonly EngineOrder[]): number {
  return orders.reduce((sum, order) => sum + order.remaining, 0);
}

function isCrowds(order: EngineOrder): boolean {
  return order.account === CROWD_ACCOUNT;
}

/** Nearer to the other side of the book. */
function isBetter(side: Side, one: number, other: number): boolean {
  return side === 'buy' ? one > other : one < other;
}

// Quantity ahead of others' orders that came to a price beyond the recorded levels: a recording of 25 levels does not
// show the 26th, and an order there is not the first of its queue.

/** Lots by side and price; plain data. The crowd's own orders are behind these: a trade meets these first. */
export interface Unseen {
  readonly buy: Readonly<Record<string, number>>;
  readonly sell: Readonly<Record<string, number>>;
}

export const NOTHING_UNSEEN: Unseen = { buy: {}, sell: {} };

interface Shown {
  readonly symbol: InstrumentSymbol;
  readonly book: TapeBook;
  /** The recorded book before it. */
  readonly before: TapeBook | null;
  /** The share of newly visible quantity that came after our orders. */
  readonly cancelAheadRatio: number;
}

/** From a recorded book; call it before the crowd acts on that book. */
export function unseenAt(market: MarketReader, shown: Shown, unseen: Unseen): Unseen {
  return {
    buy: unseenOn(market, shown, { side: 'buy', unseen }),
    sell: unseenOn(market, shown, { side: 'sell', unseen }),
  };
}

function unseenOn(
  market: MarketReader,
  { symbol, book, before, cancelAheadRatio }: Shown,
  { side, unseen }: { readonly side: Side; readonly unseen: Unseen },
): Record<string, number> {
  const recorded = levelsOf(book, side);
  const wasOutOfView = outOfView(before, side, recorded.length);
  const next: Record<string, number> = {};
  for (const { priceTicks, quantityLots } of recorded) {
    const known = unseen[side][priceTicks];
    if (known === undefined && !wasOutOfView(priceTicks)) continue;
    const queue = market.queue(symbol, side, priceTicks as Ticks);
    if (!isFirst(queue)) continue;
    if (known !== undefined) next[priceTicks] = Math.min(known, quantityLots);
    else if (queue.every(isOthers)) next[priceTicks] = quantityLots - Math.floor(quantityLots * cancelAheadRatio);
  }
  const last = recorded.at(-1)?.priceTicks;
  for (const [price, lots] of Object.entries(unseen[side])) {
    if (last !== undefined && isBetter(side, last, Number(price))) next[price] = lots;
  }
  return next;
}

/** A side that had fewer levels than now was shown completely: there was nothing beyond. */
function outOfView(before: TapeBook | null, side: Side, count: number): (price: number) => boolean {
  if (before === null) return () => true;
  const levels = levelsOf(before, side);
  const last = levels.at(-1)?.priceTicks;
  return (price) => last !== undefined && levels.length >= count && isBetter(side, last, price);
}

/** Lots of a trade that the unseen quantity takes, and its rest: the trade shows that no better price is left. */
export function meetUnseen(
  market: MarketReader,
  { symbol, trade }: { readonly symbol: InstrumentSymbol; readonly trade: TapeTrade },
  unseen: Unseen,
): { readonly ahead: number; readonly unseen: Unseen } {
  const side = opposite(trade.takerSide);
  const { priceTicks: price, quantityLots } = trade;
  if (Object.keys(unseen[side]).length === 0) return { ahead: 0, unseen };
  const left = Object.fromEntries(Object.entries(unseen[side]).filter(([at]) => !isBetter(side, Number(at), price)));
  const known = isFirst(market.queue(symbol, side, price as Ticks)) ? (left[price] ?? 0) : 0;
  const ahead = Math.min(known, Math.max(0, quantityLots - betterOfOthers(market, { symbol, side, price })));
  // Where the crowd is first, the engine knows everyone ahead.
  if (left[price] !== undefined) left[price] = known - ahead;
  return { ahead, unseen: { ...unseen, [side]: left } };
}

interface Place {
  readonly symbol: InstrumentSymbol;
  readonly side: Side;
  readonly price: number;
}

/** Lots of others at better prices, which a trade meets first. */
function betterOfOthers(market: MarketReader, { symbol, side, price }: Place): number {
  let lots = 0;
  for (const level of market.levels(symbol, side, Number.MAX_SAFE_INTEGER)) {
    if (!isBetter(side, level.price, price)) break;
    for (const order of market.queue(symbol, side, level.price)) if (isOthers(order)) lots += order.remaining;
  }
  return lots;
}

/** Behind the crowd's orders the engine itself knows the place. */
const isFirst = ([front]: readonly EngineOrder[]): boolean => front !== undefined && isOthers(front);

const isOthers = ({ account }: EngineOrder): boolean => account !== CROWD_ACCOUNT;

const levelsOf = (book: TapeBook, side: Side): readonly TapeLevel[] => (side === 'buy' ? book.bids : book.asks);
