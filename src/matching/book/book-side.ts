// One side of a book: its price levels in a sorted array with the best at the end, where most orders come and go, so
// that inserting and removing a level moves few others.
import { invariant } from '../../domain/invariant.ts';
import type { Side } from '../../domain/order.ts';
import type { PriceLevel } from './price-level.ts';

export class BookSide<Info> {
  private readonly sign: 1 | -1;
  /** From worst to best, by rising rank. */
  private readonly sorted: PriceLevel<Info>[] = [];

  constructor(side: Side) {
    this.sign = side === 'buy' ? 1 : -1;
  }

  best(): PriceLevel<Info> | undefined {
    // Reading index -1 of an empty array would cost far more than this question.
    return this.sorted.length === 0 ? undefined : this.sorted[this.sorted.length - 1];
  }

  /** From the best outwards, at most `depth` of them. */
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
    // Moves the better levels by hand: there are few, and `splice` would allocate what it removes.
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

  /** Index of the first level whose rank is at least `rank`; the length where there is none. */
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
