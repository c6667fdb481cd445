// A limit order book with price-time priority on whole ticks and lots, without accounts, money or time.
import { invariant } from '../domain/invariant.ts';
import { opposite, type Side } from '../domain/order.ts';

/** Called for each execution, after the book has changed: `maker.remaining` is the rest after the fill. */
type OnFill<Info> = (maker: BookOrder<Info>, quantity: number) => void;

/** The side of an order and the worst price it accepts. */
interface Limit {
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
 * `orders` finds a resting order by its number, oldest first if numbers rise. Several books may share one such index:
 * then a number is unique among all of them.
 */
export class Book<Info> {
  readonly orders: Map<number, BookOrder<Info>>;
  private readonly bids = new BookSide<Info>('buy');
  private readonly asks = new BookSide<Info>('sell');

  constructor(orders: Map<number, BookOrder<Info>> = new Map()) {
    this.orders = orders;
  }

  /** Matches a limit order at the prices of the resting ones; its rest stays in the book. */
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

  /** Puts an order that crosses nothing behind all others at its price. */
  rest(order: BookOrder<Info>): void {
    invariant(order.level === null && order.remaining > 0, () => `Order ${order.id} can't rest: it does, or is empty.`);
    appendToLevel(this.sideOf(order.side).findOrInsert(order.price), order);
    this.orders.set(order.id, order);
  }

  /** Removes `by` lots from a resting order, which keeps its place; with its last lot it leaves the book. */
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

  /** At most `depth` levels from the best outward. */
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

  /** Throws if the book contradicts itself; returns the number of resting orders. Numbers must have risen. */
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

// One side of a book: its price levels in a sorted array with the best at the end, where most orders come and go, so
// that few levels move on an insertion or removal.

class BookSide<Info> {
  private readonly sign: 1 | -1;
  /** From worst to best, by increasing rank. */
  private readonly sorted: PriceLevel<Info>[] = [];

  constructor(side: Side) {
    this.sign = side === 'buy' ? 1 : -1;
  }

  best(): PriceLevel<Info> | undefined {
    // Reading index -1 of an empty array would cost far more than this check.
    return this.sorted.length === 0 ? undefined : this.sorted[this.sorted.length - 1];
  }

  /** The levels from the best outward, at most `depth`. */
  levels(depth: number): PriceLevel<Info>[] {
    return depth > 0 ? this.sorted.slice(-depth).reverse() : [];
  }

  find(price: number): PriceLevel<Info> | undefined {
    const level = this.sorted[this.position(price * this.sign)];
    return level !== undefined && level.price === price ? level : undefined;
  }

  findOrInsert(price: number): PriceLevel<Info> {
    const rank = price * this.sign;
    const position = this.position(rank);
    const found = this.sorted[position];
    if (found !== undefined && found.rank === rank) return found;
    const level: PriceLevel<Info> = { price, rank, quantity: 0, first: null, last: null };
    this.insert(position, level);
    return level;
  }

  /** The level next worse than `level`, which must be one of this side. */
  worse(level: PriceLevel<Info>): PriceLevel<Info> | undefined {
    const position = this.position(level.rank);
    return position === 0 ? undefined : this.sorted[position - 1];
  }

  remove(level: PriceLevel<Info>): void {
    const position = this.position(level.rank);
    invariant(this.sorted[position] === level, () => `Price ${level.price} has no level of its own to remove.`);
    // Moves the better levels by hand: there are few, and `splice` would allocate an array for the removed ones.
    let carried = this.sorted.pop();
    for (let index = this.sorted.length - 1; index >= position && carried !== undefined; index -= 1) {
      const next = this.sorted[index];
      this.sorted[index] = carried;
      carried = next;
    }
  }

  private insert(position: number, level: PriceLevel<Info>): void {
    const { sorted } = this;
    sorted.push(level);
    for (let index = sorted.length - 1; index > position; index -= 1) {
      const better = sorted[index - 1];
      if (better !== undefined) sorted[index] = better;
    }
    sorted[position] = level;
  }

  /** Index of the first level whose rank is at least `rank`; the length if there is none. */
  private position(rank: number): number {
    const { sorted } = this;
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const level = sorted[middle];
      if (level !== undefined && level.rank < rank) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

// One price of one side: its resting orders, first come first served, as a doubly linked list.

/**
 * An order of a book: the incoming one while it matches, a resting one afterward. `Info` is data that the book's owner
 * attaches; the book never reads it.
 */
export interface BookOrder<Info> {
  readonly id: number;
  readonly side: Side;
  /** In ticks. */
  readonly price: number;
  /** In lots. */
  remaining: number;
  readonly info: Info;
  /** Where it rests; `null` while it doesn't. */
  level: PriceLevel<Info> | null;
  previous: BookOrder<Info> | null;
  next: BookOrder<Info> | null;
}

export interface PriceLevel<Info> {
  readonly price: number;
  /** Higher is better: the price of a bid, minus the price of an ask. */
  readonly rank: number;
  /** Sum of its orders' remaining lots. */
  quantity: number;
  first: BookOrder<Info> | null;
  last: BookOrder<Info> | null;
}

interface NewBookOrder<Info> {
  readonly id: number;
  readonly side: Side;
  readonly price: number;
  readonly quantity: number;
  readonly info: Info;
}

/** An order that does not rest yet. */
export function bookOrder<Info>(given: NewBookOrder<Info>): BookOrder<Info> {
  const { id, side, price, quantity, info } = given;
  return { id, side, price, remaining: quantity, info, level: null, previous: null, next: null };
}

/** Puts the order behind all others of the level. */
function appendToLevel<Info>(level: PriceLevel<Info>, order: BookOrder<Info>): void {
  order.level = level;
  order.previous = level.last;
  if (level.last === null) level.first = order;
  else level.last.next = order;
  level.last = order;
  level.quantity += order.remaining;
}

/** Takes the order out of the level, with its remaining quantity. */
function unlinkFromLevel<Info>(level: PriceLevel<Info>, order: BookOrder<Info>): void {
  invariant(order.level === level, () => `Order ${order.id} does not rest at price ${level.price}.`);
  if (order.previous === null) level.first = order.next;
  else order.previous.next = order.next;
  if (order.next === null) level.last = order.previous;
  else order.next.previous = order.previous;
  order.level = null;
  order.previous = null;
  order.next = null;
  level.quantity -= order.remaining;
}
