// One price of one side: the orders that rest there, first come first served, as a doubly linked list.
import { invariant } from '../../domain/invariant.ts';
import type { Side } from '../../domain/order.ts';

/**
 * An order of a book: the incoming one while it matches, a resting one afterwards. `Info` is whatever the owner of the
 * book wants to find at the order; the book never reads it.
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
  /** Sum of what remains of its orders, in lots. */
  quantity: number;
  first: BookOrder<Info> | null;
  last: BookOrder<Info> | null;
}

export interface NewBookOrder<Info> {
  readonly id: number;
  readonly side: Side;
  readonly price: number;
  readonly quantity: number;
  readonly info: Info;
}

/** An order that rests nowhere yet. */
export function bookOrder<Info>(given: NewBookOrder<Info>): BookOrder<Info> {
  const { id, side, price, quantity, info } = given;
  return { id, side, price, remaining: quantity, info, level: null, previous: null, next: null };
}

/** Puts the order behind all others of the level. */
export function appendToLevel<Info>(level: PriceLevel<Info>, order: BookOrder<Info>): void {
  order.level = level;
  order.previous = level.last;
  if (level.last === null) level.first = order;
  else level.last.next = order;
  level.last = order;
  level.quantity += order.remaining;
}

/** Takes the order out of the level, with whatever remains of it. */
export function unlinkFromLevel<Info>(level: PriceLevel<Info>, order: BookOrder<Info>): void {
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
