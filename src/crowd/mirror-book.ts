// Moves the crowd's resting orders to a recorded book; orders of others keep their place in each queue.
import type { InstrumentSymbol } from '../domain/instrument.ts';
import type { Side } from '../domain/order.ts';
import type { CreateCommand, EngineCommand, EngineOrder, Lots, MarketReader, Ticks } from '../matching/types.ts';
import type { TapeBook, TapeLevel } from '../tape/types.ts';
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
const ALL = Number.MAX_SAFE_INTEGER;

/**
 * The commands that bring the crowd's quantity at each recorded price to the recorded one: the excess is removed first,
 * on both sides, then the missing quantity is placed behind everyone, at a price that comes into view part of it ahead.
 * Beyond the last recorded price the crowd's orders stay as last seen, for as many more prices as the side records and
 * beside orders of others; those further out are canceled.
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
    if (bestOfOthers === null && queue.some(isOthers)) bestOfOthers = price;
    const isBeyond = last !== null && isBetter(side, last, price);
    if (isBeyond && crowdQuantity > 0) beyond += 1;
    const stays = isBeyond && (beyond <= recorded.length || queue.some(isOthers));
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
  const firstOther = queue.findIndex(isOthers);
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
  const { symbol, before, cancelAheadRatio } = mirrored;
  const levelsBefore = before === null ? null : recordedSide(before, side);
  const quantitiesBefore = bestOpposing === null || levelsBefore === null ? null : quantities(levelsBefore);
  const wasOutOfView = outOfView(levelsBefore, side, recorded.length);
  for (const { priceTicks, quantityLots } of recorded) {
    const level = standing.get(priceTicks);
    const missing = quantityLots - (level?.crowdQuantity ?? 0);
    if (missing <= 0) continue;
    const create = (quantity: number): CreateCommand => ({
      kind: 'create',
      account: CROWD_ACCOUNT,
      symbol,
      side,
      price: priceTicks as Ticks,
      quantity: quantity as Lots,
    });
    if (bestOpposing !== null && !isBetter(side, bestOpposing, priceTicks)) {
      const gained = quantityLots - (quantitiesBefore?.get(priceTicks) ?? 0);
      if (gained > 0)
        yield { ...create(Math.min(gained, missing)), account: CROWD_TAKER_ACCOUNT, immediateOrCancel: true };
      continue;
    }
    const queue = level?.queue ?? [];
    // The crowd's orders behind all others: these may lose their place.
    const merged = queue.slice(queue.findLastIndex(isOthers) + 1);
    const merges = merged.length >= MOST_ORDERS_IN_A_ROW;
    if (merges) for (const order of merged) yield cancelOf(order);
    const isLate = queue.length > 0 && queue.every(isOthers) && wasOutOfView(priceTicks);
    const behind = isLate ? Math.floor(missing * cancelAheadRatio) : missing;
    if (behind < missing) {
      yield create(missing - behind);
      for (const { account, orderId } of queue) yield { kind: 'requeue', account, orderId };
    }
    if (behind > 0) yield create(behind + (merges ? quantityOf(merged) : 0));
  }
}

/**
 * A recording of 25 levels does not show the 26th: orders of others that came to a price beyond it are not the first of
 * their queue. A side that had fewer levels than now was shown completely: there was nothing beyond.
 */
function outOfView(before: readonly TapeLevel[] | null, side: Side, count: number): (price: number) => boolean {
  if (before === null) return () => true;
  const last = before.at(-1)?.priceTicks;
  return (price) => last !== undefined && before.length >= count && isBetter(side, last, price);
}

export function cancelOf({ orderId }: EngineOrder): EngineCommand {
  return { kind: 'cancel', account: CROWD_ACCOUNT, orderId };
}

function recordedSide(book: TapeBook, side: Side): readonly TapeLevel[] {
  return side === 'buy' ? book.bids : book.asks;
}

function quantities(levels: readonly TapeLevel[]): Map<number, number> {
  return new Map(levels.map((level) => [level.priceTicks, level.quantityLots]));
}

export function quantityOf(orders: readonly EngineOrder[]): number {
  return orders.reduce((sum, order) => sum + order.remaining, 0);
}

export const isCrowds = ({ account }: EngineOrder): boolean => account === CROWD_ACCOUNT;

export const isOthers = (order: EngineOrder): boolean => !isCrowds(order);

/** Nearer to the other side of the book. */
function isBetter(side: Side, one: number, other: number): boolean {
  return side === 'buy' ? one > other : one < other;
}
