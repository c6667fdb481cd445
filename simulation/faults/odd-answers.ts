// Odd rows, wallets, books and rate headers, one kind of oddity at a time.
import { decimal, plain } from '../../src/domain/decimal.ts';
import { assertNever } from '../../src/domain/invariant.ts';
import type { Random } from '../../src/ports/random.ts';
import type { HttpResult } from '../../src/ports/transport.ts';
import type { AnswerFault } from './fault-kinds.ts';

type Response = Extract<HttpResult, { kind: 'response' }>;
export type Row = Readonly<Record<string, unknown>>;

/** A fault's random draws. */
export interface Draws extends Random {
  /** For kinds added later, so that the fault's moments stay the same. At 1 none of them comes. */
  readonly later: Random;
}

const LATER_SHARE = 1 / 2;

function oneOf<T>(list: readonly [T, ...T[]], random: Random): T {
  const at = Math.floor(random.next() * list.length);
  return at < list.length ? (list[at] as T) : list[0];
}

/** A row that can't be read contains `ODD` for the checks; the others are true. */
const GARBLED: readonly [(row: Row) => Row, ...((row: Row) => Row)[]] = [
  () => ({ symbol: 'BTC/INR', status: 'ODD', price: null }),
  (row) => ({ ...row, status: 'HALF_OPEN' }),
  (row) => ({ ...row, strategy: { id: 7 } }),
  ({ side: _missing, ...row }) => ({ ...row, status: 'ODD' }),
  (row) => ({ ...row, status: 'ODD', executedQty: [row.executedQty] }),
  (row) => ({ ...row, status: 'ODD', origQty: null }),
];

/**
 * A row of the open orders that is not as specified (F37): another status or field, a missing one, another type, no
 * quantity.
 */
export const garbled = (row: Row, random: Random): Row => oneOf(GARBLED, random)(row);

const ODD_AMOUNTS: readonly [string, ...(string | null)[]] = ['-0.5', '1,234.5', 'NaN', '', '1e400', null];
const NOISE = decimal('0.00000001');

interface CorruptedWallet {
  readonly rows: readonly Row[];
  /** It can be read, and is not what the account has. */
  readonly lies: boolean;
}

/**
 * One asset of a wallet is odd (F57): an invalid amount, or an exponent; where it may be false, also a missing row, or
 * a slightly wrong amount.
 */
export function corruptedWallet(rows: readonly Row[], draws: Draws, mayLie: boolean): CorruptedWallet {
  const at = Math.floor(draws.next() * rows.length);
  const row = rows[at] ?? {};
  const amount = oneOf(ODD_AMOUNTS, draws);
  const withFree = (free: string | null): readonly Row[] => rows.with(at, { ...row, free });
  if (draws.later.next() >= LATER_SHARE) return { rows: withFree(amount), lies: false };
  const free = decimal(String(row.free));
  switch (oneOf(mayLie ? ['exponent', 'missing', 'more', 'less'] : ['exponent'], draws.later)) {
    case 'exponent':
      return { rows: withFree(free.toExponential()), lies: false };
    case 'missing':
      return { rows: rows.toSpliced(at, 1), lies: true };
    case 'more':
      return { rows: withFree(plain(free.add(NOISE))), lies: true };
    default:
      return { rows: withFree(plain(free.gt(NOISE) ? free.sub(NOISE) : free.add(NOISE))), lies: true };
  }
}

const ODD_RATES: readonly [Headers, ...Headers[]] = [
  { 'x-ratelimit-limit': '', 'x-ratelimit-remaining': '', 'x-ratelimit-reset': '' },
  { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '0' },
  { 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': '-5' },
  { 'x-ratelimit-limit': 'many', 'x-ratelimit-remaining': 'NaN', 'x-ratelimit-reset': 'soon' },
];
const MILLISECONDS_SHARE = 1 / 4;

type Headers = Readonly<Record<string, string>>;

/** Nonsensical rate headers, or the end of the window in milliseconds if there is one (F105). */
export function oddRates(headers: Headers, draws: Draws): Headers {
  const odd = oneOf(ODD_RATES, draws);
  const seconds = headers['x-ratelimit-reset'];
  const inMilliseconds = draws.later.next() < MILLISECONDS_SHARE && seconds !== undefined;
  return inMilliseconds ? { 'x-ratelimit-reset': `${seconds}000` } : odd;
}

type BookFault = Extract<AnswerFault, 'empty-side' | 'crossed' | 'shifted-decimal' | 'odd-number'>;
type Level = readonly [unknown, unknown];
interface Book {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

const ODD_LEVELS: readonly [string, ...(string | null)[]] = ['-1', '1,234.5', 'NaN', '0', '', null];
/** Readable: a price far below all others. */
const TINY_LEVEL = '1e-7';
const TINY_SHARE = 1 / 7;
const DECIMAL_SHIFTS: readonly [number, ...number[]] = [10, 0.1, 100];

/** A book with this fault; null if the answer is not a book. */
export function corruptedBook(fault: BookFault, answer: Response, draws: Draws): Response | null {
  if (answer.status !== 200 || !answer.body.startsWith('{"')) return null;
  const book = JSON.parse(answer.body) as Book;
  if (!Array.isArray(book.bids) || !Array.isArray(book.asks)) return null;
  const changed = (parts: Partial<Book>): Response => ({ ...answer, body: JSON.stringify({ ...book, ...parts }) });
  switch (fault) {
    case 'empty-side':
      return changed(oneOf<Partial<Book>>([{ bids: [] }, { asks: [] }, { bids: [], asks: [] }], draws));
    case 'crossed': {
      const [bid, ask] = [book.bids[0], book.asks[0]];
      const isLocked = draws.later.next() < LATER_SHARE;
      if (isLocked && bid && ask) return changed({ bids: [[ask[0], bid[1]], ...book.bids] });
      return changed({ bids: book.asks.toReversed(), asks: book.bids.toReversed() });
    }
    case 'shifted-decimal':
      return { ...answer, body: shiftedBook(answer.body, oneOf(DECIMAL_SHIFTS, draws)) };
    case 'odd-number': {
      const [first, ...rest] = book.bids;
      if (!first) return null;
      const odd = oneOf(ODD_LEVELS, draws);
      return changed({ bids: [[draws.later.next() < TINY_SHARE ? TINY_LEVEL : odd, first[1]], ...rest] });
    }
    default:
      return assertNever(fault);
  }
}

/** Every price of a book times a factor, with the same number of decimals. */
export function shiftedBook(body: string, factor: number): string {
  const book = JSON.parse(body) as Book;
  const placesOf = ([price]: Level): number => String(price).split('.')[1]?.length ?? 0;
  const scale = 10 ** Math.max(0, ...[...book.bids, ...book.asks].map(placesOf));
  const shifted = (levels: readonly Level[]): Level[] =>
    levels.map(([price, quantity]) => [
      String(Math.max(1, Math.round(Number(price) * factor * scale)) / scale),
      quantity,
    ]);
  return JSON.stringify({ ...book, bids: shifted(book.bids), asks: shifted(book.asks) });
}
