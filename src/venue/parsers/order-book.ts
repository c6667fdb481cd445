// Order book (specification 2.7): unknown → OrderBook. The hot path of the market data: one pass, few allocations.
import type { Decimal } from '../../domain/decimal.ts';
import type { Level, OrderBook } from '../../domain/order-book.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import { isObject, type Parsed, readDecimal, shown } from './fields.ts';
import { Problems } from './rows.ts';

/** 1 where a lower price comes first (asks), −1 where a higher one does (bids). */
type Direction = 1 | -1;

/**
 * Sides are sorted where the venue did not; a level that is not two numbers above zero, or a price that repeats, is
 * left out and said. A short side proves nothing about the market (N3), and a book has no symbol to check (order-truth
 * §4).
 */
export function parseOrderBook(body: unknown): Result<Parsed<OrderBook>> {
  if (!isObject(body)) return fail(`The answer is ${shown(body)}, not an order book.`);
  const { bids: rawBids, asks: rawAsks } = body;
  if (!Array.isArray(rawBids)) return fail(`The order book's bids are ${shown(rawBids)}, not a list.`);
  if (!Array.isArray(rawAsks)) return fail(`The order book's asks are ${shown(rawAsks)}, not a list.`);
  const problems = new Problems();
  const bids = readSide(rawBids, -1, problems);
  const asks = readSide(rawAsks, 1, problems);
  return ok(problems.of({ bids, asks }));
}

function readSide(raw: readonly unknown[], direction: Direction, problems: Problems): readonly Level[] {
  const levels: Level[] = [];
  let sorted = true;
  let last = 0;
  for (let index = 0; index < raw.length; index++) {
    const row = raw[index];
    const level = readLevel(row);
    if (level === null) {
      problems.add(`${sideName(direction)} ${index + 1} of ${raw.length} is ${shown(row)}, not [price, quantity]`);
      continue;
    }
    // Compared as floats: a third of the cost of a Decimal. Where two prices differ by less than a float can tell, sort
    // decides.
    const price = Number((row as readonly unknown[])[0]);
    if (levels.length > 0 && (price - last) * direction <= 0) sorted = false;
    last = price;
    levels.push(level);
  }
  return sorted ? levels : sortedSide(levels, direction, problems);
}

function readLevel(raw: unknown): Level | null {
  if (!Array.isArray(raw)) return null;
  const price = readPositive(raw[0]);
  const quantity = readPositive(raw[1]);
  return price && quantity && { price, quantity };
}

function readPositive(raw: unknown): Decimal | null {
  const value = readDecimal(raw);
  return value?.isPositive() && !value.isZero() ? value : null;
}

function sortedSide(levels: readonly Level[], direction: Direction, problems: Problems): readonly Level[] {
  const sorted = levels.toSorted((a, b) => a.price.cmp(b.price) * direction);
  return sorted.filter((level, index) => {
    const repeats = index > 0 && sorted[index - 1]?.price.eq(level.price) === true;
    if (repeats) problems.add(`${sideName(direction)} price ${level.price.toFixed()} repeats`);
    return !repeats;
  });
}

const sideName = (direction: Direction): string => (direction === 1 ? 'Ask' : 'Bid');
