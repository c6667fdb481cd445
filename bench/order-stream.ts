// The stream of P1 and P2: what a busy book sees, drawn once from a seed and replayed to every contestant.
import type { Side } from '../src/domain/order.ts';
import { Book, type BookOrder, bookOrder } from '../src/matching/book.ts';

/** One operation: an order (numbered from 0 in order of creation) or the cancel of an earlier one. */
export interface Operation {
  readonly kind: 'passive' | 'marketable' | 'cancel';
  readonly order: number;
  readonly side: Side;
  readonly price: number;
  readonly quantity: number;
}

export interface OrderStream {
  /** Orders that fill the book; not timed. */
  readonly opening: readonly Operation[];
  readonly operations: readonly Operation[];
  readonly fills: number;
}

const START_MID = 50_000;
const FARTHEST_TICKS = 200;
const REACH_TICKS = 3;
const MOST_LOTS = 100;

/**
 * 50 % passive limit orders 1 to 200 ticks from a random-walk mid, skewed to the touch; 40 % cancels of a random live
 * order; 10 % orders that fill at once and completely. Passive orders and cancels stand in for each other where the
 * book strays by more than a twentieth from `resting` orders.
 */
export function orderStream(resting: number, count: number, seed: number): OrderStream {
  const draft = new Draft(seed);
  const opening = Array.from({ length: resting }, () => draft.passive());
  draft.fills = 0;
  const operations = Array.from({ length: count }, () => draft.next(resting));
  return { opening, operations, fills: draft.fills };
}

/** The stream while it is drawn: it must know what is live, so it keeps a book of its own. */
class Draft {
  fills = 0;
  private readonly book = new Book<{ slot: number }>();
  private readonly live: BookOrder<{ slot: number }>[] = [];
  private readonly random: () => number;
  private mid = START_MID;
  private created = 0;

  constructor(seed: number) {
    this.random = mulberry32(seed);
  }

  next(resting: number): Operation {
    this.walk();
    const chance = this.random();
    const live = this.live.length;
    if (chance < 0.1) return this.marketable() ?? this.passive();
    if (live < resting * 0.95) return this.passive();
    if (live > resting * 1.05) return this.cancel();
    return chance < 0.6 ? this.passive() : this.cancel();
  }

  passive(): Operation {
    const side: Side = this.random() < 0.5 ? 'buy' : 'sell';
    const distance = 1 + Math.floor(FARTHEST_TICKS * this.random() ** 3);
    const [bid, ask] = [this.book.best('buy')?.price ?? 0, this.book.best('sell')?.price ?? Number.MAX_SAFE_INTEGER];
    const price = side === 'buy' ? Math.min(this.mid - distance, ask - 1) : Math.max(this.mid + distance, bid + 1);
    return this.place('passive', { side, price, quantity: this.lots() });
  }

  private marketable(): Operation | undefined {
    const side: Side = this.random() < 0.5 ? 'buy' : 'sell';
    const best = this.book.best(side === 'buy' ? 'sell' : 'buy');
    if (best === undefined) return undefined;
    const price = side === 'buy' ? best.price + REACH_TICKS : best.price - REACH_TICKS;
    return this.place('marketable', { side, price, quantity: Math.min(this.lots(), best.quantity) });
  }

  private place(kind: Operation['kind'], wanted: { side: Side; price: number; quantity: number }): Operation {
    const id = this.created;
    this.created += 1;
    const order = bookOrder({ id, ...wanted, info: { slot: this.live.length } });
    this.book.place(order, (maker) => {
      this.fills += 1;
      if (maker.remaining === 0) this.forget(maker);
    });
    if (order.remaining > 0) this.live.push(order);
    return { kind, order: id, ...wanted };
  }

  private cancel(): Operation {
    const order = this.live[Math.floor(this.random() * this.live.length)];
    if (order === undefined) return this.passive();
    this.book.cancel(order);
    this.forget(order);
    return { kind: 'cancel', order: order.id, side: order.side, price: order.price, quantity: order.remaining };
  }

  private forget(order: BookOrder<{ slot: number }>): void {
    const last = this.live.pop();
    if (last === undefined || last === order) return;
    last.info.slot = order.info.slot;
    this.live[order.info.slot] = last;
  }

  private walk(): void {
    const chance = this.random();
    if (chance < 0.05) this.mid -= 1;
    else if (chance < 0.1) this.mid += 1;
  }

  private lots(): number {
    return 1 + Math.floor(MOST_LOTS * this.random());
  }
}

/** A seeded generator of 32-bit state, uniform in [0, 1). */
function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A number that differs where any fill, its order, or its quantity does. */
export class FillChecksum {
  private sum = 0;

  add(taker: number, maker: number, quantity: number): void {
    this.sum = (Math.imul(this.sum, 31) + Math.imul(taker, 7) + Math.imul(maker, 3) + quantity) | 0;
  }

  value(): number {
    return this.sum;
  }
}
