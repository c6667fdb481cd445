// Answers as rows, and whether they are complete: a page that may be cut, or has an unreadable row, proves nothing
// (order-truth §4).
import type { Balance } from '../../src/domain/balance.ts';
import { type Decimal, ZERO } from '../../src/domain/decimal.ts';
import type { Fill } from '../../src/domain/fill.ts';
import type { OpenOrder } from '../../src/domain/order.ts';
import type { Result } from '../../src/domain/result.ts';
import { parseOpenOrders, parseWallet } from '../../src/venue/parsers/account.ts';
import type { Parsed } from '../../src/venue/parsers/fields.ts';
import { parseSpotTrades } from '../../src/venue/parsers/trades.ts';

export interface Shown<Row> {
  readonly rows: readonly Row[];
  /** Delivered rows, including repeated and unreadable ones. */
  readonly count: number;
  /** Every row is readable, and none is left out for a cap. */
  readonly whole: boolean;
}

/** The numbers of rows at which a list may be cut, for any query. */
const CAPS: readonly number[] = [20, 50];
const FULL_PAGE = 50;

export function ordersIn(text: string, symbol: string | null): Shown<OpenOrder> | null {
  const shown = shownIn(text, (body) => parseOpenOrders(body, { caps: [], ...(symbol === null ? {} : { symbol }) }));
  if (shown === null) return null;
  const distinct = new Set(shown.rows.map(({ orderId }) => orderId)).size;
  return { ...shown, whole: shown.whole && !CAPS.includes(shown.count) && !CAPS.includes(distinct) };
}

export const tradesIn = (text: string, symbol: string): Shown<Fill> | null =>
  shownIn(text, (body) => parseSpotTrades(body, { symbol }));

export const balancesIn = (text: string): Shown<Balance> | null => shownIn(text, parseWallet);

/** An account's total of an asset, by `assumptions.lockedIncludesStakingAndOtc`; zero without a row. */
export function totalIn(row: Balance | undefined, isIncluded: boolean): Decimal {
  if (row === undefined) return ZERO;
  const total = row.free.add(row.locked).add(row.lockedFd);
  return isIncluded ? total : total.add(row.lockedStaking).add(row.lockedOtc);
}

/** Whether a page of own trades can't have been cut: it has `distinct` rows, and no page had more than `longest`. */
export function isUncut(count: number, distinct: number, longest: number): boolean {
  if (count >= FULL_PAGE || CAPS.includes(count) || CAPS.includes(distinct)) return false;
  return count <= Math.min(...CAPS) || count < longest;
}

/** Null if it is not a list. */
function shownIn<Row>(text: string, parse: (body: unknown) => Result<Parsed<readonly Row[]>>): Shown<Row> | null {
  let body: unknown;
  try {
    body = JSON.parse(text, asWritten);
  } catch {
    return null;
  }
  if (!Array.isArray(body)) return null;
  const parsed = parse(body);
  if (!parsed.ok) return null;
  const { rows, incompleteBecause } = parsed.value;
  return { rows, count: body.length, whole: incompleteBecause === undefined };
}

/** A number as its own digits: ids may be longer than a float holds (F15). */
function asWritten(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? (context?.source ?? String(value)) : value;
}
