import { describe, expect, test } from '@jest/globals';
import type { Side } from '../../../src/domain/order.ts';
import { Book, type BookOrder, bookOrder } from '../../../src/matching/book.ts';

/** A book and what has filled in it: `maker×quantity`. */
class Desk {
  readonly book = new Book<string>();
  readonly fills: string[] = [];
  private next = 1;

  place(side: Side, price: number, quantity: number): BookOrder<string> {
    const order = bookOrder({ id: this.next, side, price, quantity, info: `order ${this.next}` });
    this.next += 1;
    this.book.place(order, (maker, filled) => this.fills.push(`${maker.id}×${filled}`));
    this.book.validate();
    return order;
  }

  prices(side: Side): number[] {
    return this.book.levels(side, 99).map(({ price }) => price);
  }
}

describe('levels', () => {
  const shuffled = [105, 101, 109, 103, 107, 101, 109];

  test('stand from the best outwards on either side, however they came', () => {
    const desk = new Desk();
    for (const price of shuffled) desk.place('sell', price, 2);
    for (const price of shuffled) desk.place('buy', price - 10, 3);
    expect(desk.prices('sell')).toEqual([101, 103, 105, 107, 109]);
    expect(desk.prices('buy')).toEqual([99, 97, 95, 93, 91]);
    expect(desk.book.best('sell')).toMatchObject({ price: 101, quantity: 4 });
    expect(desk.book.best('buy')).toMatchObject({ price: 99, quantity: 6 });
  });

  test('go when their last order goes, wherever they stand', () => {
    const desk = new Desk();
    const orders = [101, 102, 103, 104, 105].map((price) => desk.place('sell', price, 1));
    for (const [index, left] of [
      [2, [101, 102, 104, 105]],
      [0, [102, 104, 105]],
      [4, [102, 104]],
      [3, [102]],
      [1, []],
    ] as const) {
      const order = orders[index];
      if (order !== undefined) desk.book.cancel(order);
      expect(desk.prices('sell')).toEqual(left);
    }
    expect(desk.book.best('sell')).toBeUndefined();
    expect(desk.book.orders.size).toBe(0);
  });

  test('are cut at the depth asked for', () => {
    const desk = new Desk();
    for (const price of [101, 102, 103]) desk.place('sell', price, 1);
    expect([0, 1, 2, 9].map((depth) => desk.book.levels('sell', depth).length)).toEqual([0, 1, 2, 3]);
    expect(desk.book.levels('sell', 2).map(({ price }) => price)).toEqual([101, 102]);
  });
});

describe('matching', () => {
  test('takes the best price first, the oldest at a price, and rests what is left', () => {
    const desk = new Desk();
    desk.place('sell', 102, 5);
    desk.place('sell', 101, 2);
    desk.place('sell', 101, 3);
    const taker = desk.place('buy', 102, 12);
    expect(desk.fills).toEqual(['2×2', '3×3', '1×5']);
    expect(taker.remaining).toBe(2);
    expect(desk.book.queue('buy', 102)).toEqual([taker]);
    expect(desk.book.best('sell')).toBeUndefined();
  });

  test('leaves a partly filled maker at the head of its queue', () => {
    const desk = new Desk();
    const first = desk.place('buy', 100, 5);
    const second = desk.place('buy', 100, 5);
    desk.place('sell', 100, 3);
    expect(desk.book.queue('buy', 100)).toEqual([first, second]);
    expect([first.remaining, desk.book.best('buy')?.quantity]).toEqual([2, 7]);
  });

  test('never rests what filled completely', () => {
    const desk = new Desk();
    desk.place('buy', 100, 5);
    const taker = desk.place('sell', 100, 5);
    expect([taker.remaining, taker.level, desk.book.orders.size]).toEqual([0, null, 0]);
  });
});

describe('orders', () => {
  test('reduce keeps the place; with the last lot the order goes', () => {
    const desk = new Desk();
    const [first, second] = [desk.place('buy', 100, 5), desk.place('buy', 100, 5)];
    desk.book.reduce(first, 4);
    expect(desk.book.queue('buy', 100).map(({ id, remaining }) => [id, remaining])).toEqual([
      [1, 1],
      [2, 5],
    ]);
    desk.book.reduce(first, 1);
    expect(desk.book.queue('buy', 100)).toEqual([second]);
    expect([first.remaining, desk.book.orders.has(first.id)]).toEqual([0, false]);
  });

  test('leave the middle and both ends of a queue', () => {
    const desk = new Desk();
    const queue = [1, 2, 3, 4].map(() => desk.place('sell', 100, 1));
    const left = () => desk.book.queue('sell', 100).map(({ id }) => id);
    const cancel = (index: number) => {
      const order = queue[index];
      if (order !== undefined) desk.book.cancel(order);
      desk.book.validate();
      return left();
    };
    expect([cancel(1), cancel(3), cancel(0), cancel(2)]).toEqual([[1, 3, 4], [1, 3], [3], []]);
  });

  test('follow one another in priority across levels', () => {
    const desk = new Desk();
    for (const price of [100, 99, 100, 97]) desk.place('buy', price, 1);
    const seen: number[] = [];
    let order = desk.book.opposing({ side: 'sell', price: 1 });
    for (; order !== undefined; order = desk.book.after(order)) seen.push(order.id);
    expect(seen).toEqual([1, 3, 2, 4]);
  });
});

describe('misuse is a bug', () => {
  test('canceling twice, resting twice, taking more than there is', () => {
    const desk = new Desk();
    const order = desk.place('buy', 100, 5);
    expect(() => desk.book.reduce(order, 6)).toThrow('Order 1 has 5 lots left, not 6.');
    expect(() => desk.book.rest(order)).toThrow("Order 1 can't rest");
    desk.book.cancel(order);
    expect(() => desk.book.cancel(order)).toThrow('Order 1 does not rest in the book.');
  });

  test.each<[string, (order: BookOrder<string>, book: Book<string>) => void]>([
    ['a wrong sum', (order) => Object.assign(order, { remaining: 4 })],
    ['an order off its level', (order) => Object.assign(order, { price: 101 })],
    ['an order unknown to the index', (order, book) => book.orders.delete(order.id)],
    [
      'an empty order',
      (order) => Object.assign(order.level ?? {}, { quantity: 0 }) && Object.assign(order, { remaining: 0 }),
    ],
    ['a crossed book', (_, book) => book.rest(bookOrder({ id: 9, side: 'sell', price: 100, quantity: 1, info: '' }))],
    [
      'a queue out of age',
      (_, book) => book.rest(bookOrder({ id: 0, side: 'buy', price: 100, quantity: 1, info: '' })),
    ],
    ['an empty level', (order) => Object.assign(order.level ?? {}, { first: null, last: null })],
  ])('validate finds %s', (_, damage) => {
    const desk = new Desk();
    const order = desk.place('buy', 100, 5);
    expect(desk.book.validate()).toBe(1);
    damage(order, desk.book);
    expect(() => desk.book.validate()).toThrow();
  });
});
