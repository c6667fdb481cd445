// Order book (specification 2.7): unknown → OrderBook. The hot path of the market data: one pass, few allocations.
import type { Decimal } from '../../domain/decimal.ts';
import type { Level, OrderBook } from '../../domain/order-book.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import { isObject, type Parsed, readDecimal, shown } from './fields.ts';
import { withProblems } from './rows.ts';

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
  const problems: string[] = [];
  const bids = readSide(rawBids, -1, problems);
  const asks = readSide(rawAsks, 1, problems);
  return ok(withProblems({ bids, asks }, problems));
}

function readSide(raw: readonly unknown[], direction: Direction, problems: string[]): readonly Level[] {
  const levels: Level[] = [];
  let sorted = true;
  let last = 0;
  for (let index = 0; index < raw.length; index++) {
    const read = readLevel(raw[index]);
    if (read === null) {
      problems.push(
        `${sideName(direction)} ${index + 1} of ${raw.length} is ${shown(raw[index])}, not [price, quantity]`,
      );
      continue;
    }
    // Compared as floats: a third of the cost of a Decimal. Where two prices differ by less than a float can tell, sort
    // decides.
    const [price, quantity] = read;
    if (levels.length > 0 && (price.float - last) * direction <= 0) sorted = false;
    last = price.float;
    levels.push({ price: price.value, quantity: quantity.value });
  }
  return sorted ? levels : sortedSide(levels, direction, problems);
}

/** A number above zero, and its nearest float. */
interface LevelNumber {
  readonly value: Decimal;
  readonly float: number;
}

function readLevel(raw: unknown): readonly [price: LevelNumber, quantity: LevelNumber] | null {
  if (!Array.isArray(raw)) return null;
  const price = levelNumber(raw[0]);
  const quantity = levelNumber(raw[1]);
  return price && quantity ? [price, quantity] : null;
}

/** Most texts that are remembered, and as many before them: some pages of the largest book that a venue shows. */
const REMEMBERED_MAX = 4_000;
let recent = new Map<string, LevelNumber>();
let older = new Map<string, LevelNumber>();

/**
 * Remembers what the last texts mean, because most levels of a book are those of the book before: to look one up costs
 * a tenth of reading it. Decimals never change, so that books may share them.
 */
function levelNumber(raw: unknown): LevelNumber | null {
  if (typeof raw !== 'string') return readLevelNumber(raw);
  const known = recent.get(raw);
  if (known !== undefined) return known;
  const number = older.get(raw) ?? readLevelNumber(raw);
  if (number === null) return null;
  if (recent.size >= REMEMBERED_MAX) [older, recent] = [recent, new Map()];
  recent.set(raw, number);
  return number;
}

function readLevelNumber(raw: unknown): LevelNumber | null {
  const value = readDecimal(raw);
  return value?.isPositive() && !value.isZero() ? { value, float: value.toNumber() } : null;
}

function sortedSide(levels: readonly Level[], direction: Direction, problems: string[]): readonly Level[] {
  const sorted = levels.toSorted((a, b) => a.price.cmp(b.price) * direction);
  return sorted.filter((level, index) => {
    const repeats = index > 0 && sorted[index - 1]?.price.eq(level.price) === true;
    if (repeats) problems.push(`${sideName(direction)} price ${level.price.toFixed()} repeats`);
    return !repeats;
  });
}

const sideName = (direction: Direction): string => (direction === 1 ? 'Ask' : 'Bid');
