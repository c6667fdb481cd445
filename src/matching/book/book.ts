// A limit order book with price-time priority on whole ticks and lots. It knows nothing of accounts, money or time.
import { invariant } from '../../domain/invariant.ts';
import { opposite, type Side } from '../../domain/order.ts';
import { BookSide } from './book-side.ts';
import { appendToLevel, type BookOrder, type PriceLevel, unlinkFromLevel } from './price-level.ts';

/** Called for each execution, after the book has changed: `maker.remaining` is what the fill left of it. */
export type OnFill<Info> = (maker: BookOrder<Info>, quantity: number) => void;

/** The side of an order and the worst price that it takes. */
export interface Limit {
  readonly side: Side;
  readonly price: number;
}

/** Whether an order may trade at a price of the other side. */
export function crosses(order: Limit, price: number): boolean {
  return order.side === 'buy' ? price <= order.price : price >= order.price;
}

/**
 * Prices and quantities are positive safe integers, and so must be the sum of the quantities at one price.
 *
 * `orders` finds a resting order by its number, oldest first where numbers rise. Several books may share one such
 * index: then a number is unique among all of them.
 */
export class Book<Info> {
  readonly orders: Map<number, BookOrder<Info>>;
  private readonly bids = new BookSide<Info>('buy');
  private readonly asks = new BookSide<Info>('sell');

  constructor(orders: Map<number, BookOrder<Info>> = new Map()) {
    this.orders = orders;
  }

  /** Matches a limit order at the prices of the resting ones; what is left of it rests. */
  place(order: BookOrder<Info>, onFill: OnFill<Info>): void {
    let maker = this.opposing(order);
    while (maker !== undefined) {
      const quantity = Math.min(order.remaining, maker.remaining);
      order.remaining -= quantity;
      this.reduce(maker, quantity);
      onFill(maker, quantity);
      if (order.remaining === 0) return;
      maker = this.opposing(order);
    }
    this.rest(order);
  }

  /** The resting order that an order of this side and limit would trade with next, if any. */
  opposing(order: Limit): BookOrder<Info> | undefined {
    const level = this.sideOf(opposite(order.side)).best();
    return level !== undefined && crosses(order, level.price) ? (level.first ?? undefined) : undefined;
  }

  /** The order next in priority after a resting one, of the same side. */
  after(order: BookOrder<Info>): BookOrder<Info> | undefined {
    if (order.next !== null) return order.next;
    return this.sideOf(order.side).worse(levelOf(order))?.first ?? undefined;
  }

  /** Puts an order that crosses nothing behind all others of its price. */
  rest(order: BookOrder<Info>): void {
    invariant(order.level === null && order.remaining > 0, () => `Order ${order.id} can't rest: it does, or is empty.`);
    appendToLevel(this.sideOf(order.side).findOrInsert(order.price), order);
    this.orders.set(order.id, order);
  }

  /** Takes `by` lots away from a resting order, which keeps its place; with its last lot it leaves the book. */
  reduce(order: BookOrder<Info>, by: number): void {
    invariant(by <= order.remaining, () => `Order ${order.id} has ${order.remaining} lots left, not ${by}.`);
    if (by === order.remaining) this.cancel(order);
    else levelOf(order).quantity -= by;
    order.remaining -= by;
  }

  /** Takes a resting order out of the book; `remaining` stays as it was. */
  cancel(order: BookOrder<Info>): void {
    const level = levelOf(order);
    unlinkFromLevel(level, order);
    if (level.first === null) this.sideOf(order.side).remove(level);
    this.orders.delete(order.id);
  }

  best(side: Side): PriceLevel<Info> | undefined {
    return this.sideOf(side).best();
  }

  level(side: Side, price: number): PriceLevel<Info> | undefined {
    return this.sideOf(side).find(price);
  }

  /** At most `depth` levels from the best outwards. */
  levels(side: Side, depth: number): PriceLevel<Info>[] {
    return this.sideOf(side).levels(depth);
  }

  /** The resting orders at one price in order of priority. */
  queue(side: Side, price: number): BookOrder<Info>[] {
    const orders: BookOrder<Info>[] = [];
    let order = this.level(side, price)?.first ?? null;
    for (; order !== null; order = order.next) orders.push(order);
    return orders;
  }

  /** Throws where the book contradicts itself; returns how many orders rest. Numbers must have risen. */
  validate(): number {
    const [bid, ask] = [this.best('buy'), this.best('sell')];
    const crossed = bid !== undefined && ask !== undefined && bid.price >= ask.price;
    invariant(!crossed, () => `The book is crossed: bid ${bid?.price}, ask ${ask?.price}.`);
    return this.validateSide('buy') + this.validateSide('sell');
  }

  private validateSide(side: Side): number {
    let count = 0;
    let better = Number.POSITIVE_INFINITY;
    for (const level of this.levels(side, Number.MAX_SAFE_INTEGER)) {
      invariant(level.rank < better, () => `The ${side} levels are out of order at price ${level.price}.`);
      better = level.rank;
      count += this.validateLevel(side, level);
    }
    return count;
  }

  private validateLevel(side: Side, level: PriceLevel<Info>): number {
    const queue = this.queue(side, level.price);
    let sum = 0;
    let last: BookOrder<Info> | null = null;
    for (const order of queue) {
      const belongs = order.level === level && order.price === level.price && order.side === side;
      invariant(belongs && this.orders.get(order.id) === order, () => `Order ${order.id} is not where it rests.`);
      invariant(order.previous === last, () => `Order ${order.id} is linked to the wrong order before it.`);
      invariant(last === null || last.id < order.id, () => `Order ${order.id} stands behind a younger one.`);
      invariant(order.remaining > 0, () => `Order ${order.id} rests with ${order.remaining} lots.`);
      sum += order.remaining;
      last = order;
    }
    invariant(
      last !== null && level.last === last && sum === level.quantity,
      () => `The level at price ${level.price} says ${level.quantity} lots; its orders hold ${sum}.`,
    );
    return queue.length;
  }

  private sideOf(side: Side): BookSide<Info> {
    return side === 'buy' ? this.bids : this.asks;
  }
}

function levelOf<Info>(order: BookOrder<Info>): PriceLevel<Info> {
  const { level } = order;
  invariant(level !== null, () => `Order ${order.id} does not rest in the book.`);
  return level;
}
