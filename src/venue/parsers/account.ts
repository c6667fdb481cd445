// The wallet and the open orders of the account.
import type { Balance } from '../../domain/balance.ts';
import { type Decimal, ZERO } from '../../domain/decimal.ts';
import { type OrderId, orderId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { OpenOrder } from '../../domain/order.ts';
import { allOf, fail, mapped, ok, type Result } from '../../domain/result.ts';
import {
  alsoIncomplete,
  amountField,
  answering,
  idField,
  optionalAmount,
  type Parsed,
  parseRows,
  positiveField,
  type RawObject,
  readDecimal,
  sideField,
  symbolField,
  textField,
  tickerField,
  timeField,
} from './fields.ts';

/** `free` and `locked` are required; other locks are zero if the venue states none. An asset may appear once. */
export function parseWallet(body: unknown): Result<Parsed<readonly Balance[]>> {
  const seen = new Set<string>();
  return parseRows(body, (row) => {
    const balance = balanceOf(row);
    if (!balance.ok) return balance;
    const { asset } = balance.value;
    if (seen.has(asset)) return fail(`asset ${asset} came before`);
    seen.add(asset);
    return balance;
  });
}

function balanceOf(row: RawObject): Result<Balance> {
  return allOf({
    asset: tickerField(row, 'asset'),
    free: amountField(row, 'free'),
    locked: amountField(row, 'locked'),
    lockedFd: lockOf(row, 'lockedFd'),
    lockedStaking: lockOf(row, 'lockedStaking'),
    lockedOtc: lockOf(row, 'lockedOtc'),
  });
}

function lockOf(row: RawObject, field: string): Result<Decimal> {
  return mapped(optionalAmount(row, field), (amount) => amount ?? ZERO);
}

// Open orders (specification 2.12): unknown → orders, and whether the page may be cut (order-truth §4).

interface OpenOrdersPage {
  /** The requested symbol, if any. */
  readonly symbol?: InstrumentSymbol | undefined;
  /** Page sizes at which the list may be cut. */
  readonly caps: readonly number[];
}

/** The statuses of an open order (specification 3), and those of a closed one; letters only. */
const OPEN: readonly string[] = ['NEW', 'PARTIALLYFILLED'];
const OVER = /^(?:(?:PARTIALLY)?CANCELL?ED|KILLED|DELETED|REJECTED|EXPIRED|FAILED|CLOSED|DONE)$/;

/** A row understood only as a closed order; null if it does not name the order. */
interface Over {
  readonly over: OrderId | null;
}

/**
 * Rows in the order of the answer, each order once (F35). A closed order is left out, as if it were not listed. A list
 * whose rows contradict each other does not prove absence. Unknown kinds of orders are `other`; the status stays the
 * venue's word.
 */
export function parseOpenOrders(body: unknown, page: OpenOrdersPage): Result<Parsed<readonly OpenOrder[]>> {
  const parsed = parseRows<OpenOrder | Over>(body, (row) => (isOver(row) ? ok(overOf(row)) : openOrderOf(row)));
  if (!parsed.ok) return parsed;
  const open = parsed.value.rows.filter((row) => 'orderId' in row);
  const over = parsed.value.rows.filter((row) => 'over' in row);
  const { rows, differing } = eachOnce(open, over);
  const answer = answering({ ...parsed.value, rows }, page.symbol, ({ symbol }) => symbol);
  // The cut may have been made before repeated rows were added, or after. A closed order takes a place too.
  const counts = [Array.isArray(body) ? body.length : 0, rows.length + over.length];
  const cutAt = counts.find((count) => page.caps.includes(count));
  const reasons = [
    ...(differing.length === 0 ? [] : [differSentence(differing)]),
    ...(cutAt === undefined ? [] : [cutSentence(cutAt, page.symbol)]),
  ];
  return ok(reasons.reduce(alsoIncomplete, answer));
}

/**
 * Other words alone don't prove an end: with something left to fill the order may still trade, without it can't
 * (decision 0061).
 */
function isOver({ status, remainingQty }: RawObject): boolean {
  const word = typeof status === 'string' ? status.toUpperCase().replaceAll(/[^A-Z]/g, '') : '';
  if (word === '' || OPEN.includes(word)) return false;
  return OVER.test(word) || readDecimal(remainingQty)?.isZero() === true;
}

/** Of rows that differ, the one with more filled is later. */
function eachOnce(open: readonly OpenOrder[], over: readonly Over[]) {
  const latest = new Map<OrderId, OpenOrder>();
  const differing = new Set<OrderId>();
  for (const row of open) {
    const before = latest.get(row.orderId) ?? row;
    if (JSON.stringify(before) !== JSON.stringify(row)) differing.add(row.orderId);
    latest.set(row.orderId, row.executedQuantity.gt(before.executedQuantity) ? row : before);
  }
  for (const { over: id } of over) if (id !== null && latest.has(id)) differing.add(id);
  return { rows: [...latest.values()], differing: [...differing] };
}

function differSentence([first, ...more]: readonly OrderId[]): string {
  return `Rows of one order differ: ${first}${more.length === 0 ? '' : `; and ${more.length} more`}.`;
}

function cutSentence(count: number, symbol: InstrumentSymbol | undefined): string {
  const scope = symbol === undefined ? 'of all symbols: ask by symbol' : `of ${symbol}`;
  return `The page has exactly ${count} rows and may be cut (open orders ${scope}).`;
}

function overOf(row: RawObject): Over {
  const id = idField(row, 'orderId');
  return { over: id.ok ? orderId(id.value) : null };
}

function openOrderOf(row: RawObject): Result<OpenOrder> {
  const type = typeOf(row);
  const priced = type === 'limit' || type === 'stop-limit';
  return allOf({
    symbol: symbolField(row, 'symbol'),
    orderId: mapped(idField(row, 'orderId'), orderId),
    side: sideField(row, 'side'),
    type: ok(type),
    price: priced ? positiveField(row, 'price') : row.price === null ? ok(ZERO) : amountField(row, 'price'),
    originalQuantity: positiveField(row, 'origQty'),
    executedQuantity: amountField(row, 'executedQty'),
    remainingQuantity: amountField(row, 'remainingQty'),
    status: textField(row, 'status'),
    venueTime: timeField(row, 'time'),
  });
}

const TYPES: ReadonlyMap<string, OpenOrder['type']> = new Map([
  ['LIMIT', 'limit'],
  ['MARKET', 'market'],
  ['STOP_LIMIT', 'stop-limit'],
  ['STOP_MARKET', 'stop-market'],
]);

const typeOf = ({ type }: RawObject): OpenOrder['type'] =>
  TYPES.get(typeof type === 'string' ? type.toUpperCase() : '') ?? 'other';
