// What befalls the content of an answer on its way: rows that are missing, repeated or garbled, books that are wrong, odd headers.
import { assertNever } from '../domain/invariant.ts';
import { type DurationMs, type EpochMs, SECOND } from '../domain/time.ts';
import { httpDate } from '../paper/headers.ts';
import type { Random } from '../ports/random.ts';
import type { HttpResult } from '../ports/transport.ts';
import type { EndpointName } from '../venue/requests.ts';
import type { AnswerFault } from './fault-kinds.ts';

export type Response = Extract<HttpResult, { kind: 'response' }>;

export interface AnswerFaultParts {
  /** No list is wrong for longer than the bot assumes that it may be: this is what the lags leave of that. */
  readonly spareLagMs: DurationMs;
  readonly now: () => EpochMs;
}

/** The question that was answered. */
export interface Asked {
  readonly endpoint: EndpointName;
  readonly symbol: string | null;
}

export interface AnswerFaults {
  /** The answer as this fault leaves it; null where there is nothing that it could spoil. */
  spoil(fault: AnswerFault, answer: Response, asked: Asked, random: Random): Response | null;
  /** Lets every answer pass by, also those that nothing befalls: what is still missing stays missing for a while. */
  pass(answer: Response, asked: Asked): Response;
}

interface Kept {
  readonly body: string;
  readonly at: EpochMs;
}

type Row = Readonly<Record<string, unknown>>;
const ODD_AMOUNTS = ['-0.5', '1,234.5', 'NaN', '', '1e400', null];
const ODD_LEVELS = ['-1', '1,234.5', 'NaN', '0', '', null];
const FULL_PAGES: readonly number[] = [20, 50];
const DECIMAL_SHIFTS = [10, 0.1, 100];
const DATE_ERROR_MS = 20 * SECOND;
/** Between two episodes of empty lists at least so many lag bounds pass. */
const EPISODES_APART = 3;

export function createAnswerFaults({ spareLagMs, now }: AnswerFaultParts): AnswerFaults {
  /** Orders that the list leaves out for a while, each at most once. */
  const holes = new Map<string, EpochMs>();
  const cache = new Map<string, Kept[]>();
  let emptyFrom = Number.NEGATIVE_INFINITY;
  let lastOrderId: string | null = null;

  function spoil(fault: AnswerFault, answer: Response, asked: Asked, random: Random): Response | null {
    const rows = rowsOf(answer);
    const withRows = (changed: readonly unknown[]): Response => ({ ...answer, body: textOf(changed) });
    const index = (length: number): number => Math.floor(random.next() * length);
    switch (fault) {
      case 'reused-id':
        return answer.body.includes('order_id') && lastOrderId !== null
          ? { ...answer, body: JSON.stringify({ data: { order_id: lastOrderId } }) }
          : null;
      case 'hole': {
        const row = rows?.[index(rows.length)];
        const orderId = row === undefined ? null : String(row.orderId);
        if (orderId === null || holes.has(orderId)) return null;
        holes.set(orderId, now() + random.next() * 0.9 * spareLagMs);
        return pass(answer, asked);
      }
      case 'no-rows':
        if (rows === null || rows.length === 0 || spareLagMs === 0 || now() < emptyFrom + EPISODES_APART * spareLagMs)
          return null;
        emptyFrom = now();
        return withRows([]);
      case 'shuffled':
        return rows && rows.length > 0
          ? withRows([...rows, ...rows.slice(0, 2)].toSorted(() => random.next() - 1 / 2))
          : null;
      case 'garbled-row':
        return rows && rows.length > 0
          ? withRows(rows.with(index(rows.length), { symbol: 'BTC/INR', status: 'ODD', price: null }))
          : null;
      case 'repeated-row': {
        const row = rows?.[index(rows.length)];
        return rows && row ? withRows([...rows, row]) : null;
      }
      case 'odd-wallet': {
        const at = index(rows?.length ?? 0);
        const row = rows?.[at];
        return rows && row ? withRows(rows.with(at, { ...row, free: ODD_AMOUNTS[index(ODD_AMOUNTS.length)] })) : null;
      }
      case 'empty-side':
      case 'crossed':
      case 'shifted-decimal':
      case 'odd-number':
        return spoiledBook(fault, answer, index);
      case 'other-symbol':
        return fromCache(answer, asked, (key) => key.startsWith(`${asked.endpoint} `) && key !== keyOf(asked));
      case 'cached':
        return fromCache(answer, asked, (key) => key === keyOf(asked));
      case 'no-date':
        return oddDate(answer, index(3));
      case 'odd-rate-headers':
        return { ...answer, headers: { ...answer.headers, ...ODD_RATES[index(ODD_RATES.length)] } };
      default:
        return assertNever(fault);
    }
  }

  function fromCache(answer: Response, _asked: Asked, fits: (key: string) => boolean): Response | null {
    for (const [key, kept] of cache) {
      const other = fits(key)
        ? kept.find(({ at, body }) => now() - at < spareLagMs && body !== answer.body)
        : undefined;
      if (other) return { ...answer, body: other.body };
    }
    return null;
  }

  function oddDate(answer: Response, which: number): Response {
    const { date = '', ...others } = answer.headers;
    if (which === 0) return { ...answer, headers: others };
    const shifted = Date.parse(date) + (which === 1 ? DATE_ERROR_MS : -DATE_ERROR_MS);
    return { ...answer, headers: { ...others, date: httpDate(shifted) } };
  }

  function pass(answer: Response, asked: Asked): Response {
    if (asked.endpoint === 'create') lastOrderId = /"order_id":"([^"]+)"/.exec(answer.body)?.[1] ?? lastOrderId;
    if (holes.size === 0 || asked.endpoint !== 'open-orders') return answer;
    const rows = rowsOf(answer);
    // A page that is cut stays full: what is missing makes room for what was cut off.
    if (rows === null || FULL_PAGES.includes(rows.length)) return answer;
    const left = rows.filter((row) => (holes.get(String(row.orderId)) ?? 0) <= now());
    return { ...answer, body: textOf(left) };
  }

  return {
    spoil,
    pass(answer, asked) {
      const kept = cache.get(keyOf(asked)) ?? [];
      kept.push({ body: answer.body, at: now() });
      if (kept.length > 3) kept.shift();
      cache.set(keyOf(asked), kept);
      return pass(answer, asked);
    },
  };
}

const keyOf = ({ endpoint, symbol }: Asked): string => `${endpoint} ${symbol ?? ''}`;

const ODD_RATES: readonly Readonly<Record<string, string>>[] = [
  { 'x-ratelimit-limit': '', 'x-ratelimit-remaining': '', 'x-ratelimit-reset': '' },
  { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '0' },
  { 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': '-5' },
  { 'x-ratelimit-limit': 'many', 'x-ratelimit-remaining': 'NaN', 'x-ratelimit-reset': 'soon' },
];

function rowsOf({ status, body }: Response): readonly Row[] | null {
  if (status !== 200 || !body.startsWith('[')) return null;
  return JSON.parse(body, exactly) as readonly Row[];
}

/** A number that a float can't hold (F15) is written again as it was read: a fault that spoils rows must not change their ids. */
function exactly(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && String(value) !== source ? `number:${source}` : value;
}

const textOf = (rows: readonly unknown[]): string => JSON.stringify(rows).replace(/"number:([^"]*)"/g, '$1');

type BookFault = Extract<AnswerFault, 'empty-side' | 'crossed' | 'shifted-decimal' | 'odd-number'>;
type Level = readonly [unknown, unknown];
interface Book {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

function spoiledBook(fault: BookFault, answer: Response, index: (length: number) => number): Response | null {
  if (answer.status !== 200 || !answer.body.startsWith('{"')) return null;
  const book = JSON.parse(answer.body) as Book;
  if (!Array.isArray(book.bids) || !Array.isArray(book.asks)) return null;
  const changed = (parts: Partial<Book>): Response => ({ ...answer, body: JSON.stringify({ ...book, ...parts }) });
  switch (fault) {
    case 'empty-side':
      return changed([{ bids: [] }, { asks: [] }, { bids: [], asks: [] }][index(3)] ?? {});
    case 'crossed':
      return changed({ bids: book.asks.toReversed(), asks: book.bids.toReversed() });
    case 'shifted-decimal':
      return { ...answer, body: shiftedBook(answer.body, DECIMAL_SHIFTS[index(DECIMAL_SHIFTS.length)] ?? 1) };
    case 'odd-number': {
      const [first, ...rest] = book.bids;
      return first ? changed({ bids: [[ODD_LEVELS[index(ODD_LEVELS.length)], first[1]], ...rest] }) : null;
    }
    default:
      return assertNever(fault);
  }
}

/** Every price of a book times a factor. */
export function shiftedBook(body: string, factor: number): string {
  const book = JSON.parse(body) as Book;
  const shifted = (levels: readonly Level[]): Level[] =>
    levels.map(([price, quantity]) => [String(Math.max(1, Math.round(Number(price) * factor))), quantity]);
  return JSON.stringify({ ...book, bids: shifted(book.bids), asks: shifted(book.asks) });
}
