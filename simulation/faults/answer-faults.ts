// What befalls the content of an answer on its way: rows that are missing, repeated or garbled, books that are wrong,
// odd headers.
import { assertNever } from '../../src/domain/invariant.ts';
import { type DurationMs, type EpochMs, HOUR, MINUTE, SECOND } from '../../src/domain/time.ts';
import { httpDate } from '../../src/paper/wire/headers.ts';
import type { HttpResult } from '../../src/ports/transport.ts';
import type { EndpointName } from '../../src/venue/requests.ts';
import { oddlyWritten } from '../outside/odd-notation.ts';
import type { AnswerFault } from './fault-kinds.ts';
import { type Draws, garbled, oddRates, type Row, spoiledBook, spoiledWallet } from './odd-answers.ts';

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
  /** What else it asked for, which a cache goes by: a page from an id on is no answer to one of a day. */
  readonly filter: string;
}

export interface AnswerFaults {
  /** The answer as this fault leaves it; null where there is nothing that it could spoil. */
  spoil(fault: AnswerFault, answer: Response, asked: Asked, draws: Draws): Response | null;
  /** Lets every answer pass by, also those that nothing befalls: what is still missing stays missing for a while. */
  pass(answer: Response, asked: Asked): Response;
}

interface Kept {
  readonly body: string;
  /** The content type that it came with. */
  readonly type: string | undefined;
  readonly at: EpochMs;
}

const FULL_PAGES: readonly number[] = [20, 50];
const DATE_ERROR_MS = 20 * SECOND;
const LONGEST_FREEZE_MS = 30 * MINUTE;
const FROZEN_SHARE = 1 / 4;
/** One in so many wrong dates is a cache's that is hours off, for every answer of a while. */
const HOURS_SHARE = 1 / 8;
const HOURS_OFF_MS = 2 * HOUR;
const LONGEST_HOURS_OFF_MS = MINUTE;
/** Between two episodes of empty lists at least so many lag bounds pass. */
const EPISODES_APART = 3;

export function createAnswerFaults({ spareLagMs, now }: AnswerFaultParts): AnswerFaults {
  /** Orders that the list leaves out for a while, each at most once. */
  const holes = new Map<string, EpochMs>();
  const cache = new Map<string, { readonly asked: Asked; readonly kept: Kept[] }>();
  let emptyFrom = Number.NEGATIVE_INFINITY;
  let lastOrderId: string | null = null;
  /** Of the cache that froze. */
  let frozen: { readonly date: string; readonly at: EpochMs } | null = null;
  /** Of a cache that is hours off. */
  let offUntil = Number.NEGATIVE_INFINITY;
  let offByMs = 0;
  /** Wallets that passed since the last one that was wrong, the present one counted. */
  let rightWallets = 0;

  function spoil(fault: AnswerFault, answer: Response, asked: Asked, draws: Draws): Response | null {
    const rows = rowsOf(answer);
    const withRows = (changed: readonly unknown[]): Response => ({ ...answer, body: textOf(changed) });
    const index = (length: number): number => Math.floor(draws.next() * length);
    switch (fault) {
      case 'reused-id':
        return answer.body.includes('order_id') && lastOrderId !== null
          ? { ...answer, body: JSON.stringify({ data: { order_id: lastOrderId } }) }
          : null;
      case 'hole': {
        const row = rows?.[index(rows.length)];
        const orderId = row === undefined ? null : String(row.orderId);
        if (orderId === null || holes.has(orderId)) return null;
        holes.set(orderId, now() + draws.next() * 0.9 * spareLagMs);
        return pass(answer, asked);
      }
      case 'no-rows':
        if (rows === null || rows.length === 0 || spareLagMs === 0 || now() < emptyFrom + EPISODES_APART * spareLagMs)
          return null;
        emptyFrom = now();
        return withRows([]);
      case 'shuffled':
        return rows && rows.length > 0
          ? withRows([...rows, ...rows.slice(0, 2)].toSorted(() => draws.next() - 1 / 2))
          : null;
      case 'garbled-row': {
        if (!rows || rows.length === 0) return null;
        const at = index(rows.length);
        return withRows(rows.with(at, garbled(rows[at] ?? {}, draws.later)));
      }
      case 'repeated-row': {
        const row = rows?.[index(rows.length)];
        return rows && row ? withRows([...rows, row]) : null;
      }
      case 'odd-wallet':
        return rows && rows.length > 0 ? withRows(oddWallet(rows, draws)) : null;
      case 'empty-side':
      case 'crossed':
      case 'shifted-decimal':
      case 'odd-number':
        return spoiledBook(fault, answer, draws);
      case 'other-symbol':
        return fromCache(answer, (kept) => kept.endpoint === asked.endpoint && kept.symbol !== asked.symbol);
      case 'cached':
        return fromCache(answer, (kept) => keyOf(kept) === keyOf(asked));
      case 'no-date':
        return oddDate(answer, draws);
      case 'odd-notation':
        return rows && rows.length > 0 ? withRows(rows.map((row) => oddlyWritten(row, draws))) : null;
      case 'odd-rate-headers':
        return { ...answer, headers: { ...answer.headers, ...oddRates(answer.headers, draws) } };
      default:
        return assertNever(fault);
    }
  }

  function fromCache(answer: Response, fits: (asked: Asked) => boolean): Response | null {
    for (const { asked, kept } of cache.values()) {
      const other = fits(asked)
        ? kept.find(({ at, body }) => now() - at < spareLagMs && body !== answer.body)
        : undefined;
      if (other === undefined) continue;
      const { 'content-type': _own, ...headers } = answer.headers;
      const typed = other.type === undefined ? headers : { ...headers, 'content-type': other.type };
      return { ...answer, headers: typed, body: other.body };
    }
    return null;
  }

  /**
   * One that tells no truth comes only where another one was right since the last: two in a row would be believed, and
   * rightly.
   */
  function oddWallet(rows: readonly Row[], draws: Draws): readonly Row[] {
    const spoilt = spoiledWallet(rows, draws, rightWallets > 1);
    rightWallets = spoilt.lies ? 0 : rightWallets - 1;
    return spoilt.rows;
  }

  function oddDate(answer: Response, draws: Draws): Response {
    const { date = '', ...others } = answer.headers;
    const which = Math.floor(draws.next() * 3);
    if (draws.later.next() < FROZEN_SHARE) {
      if (frozen === null || now() - frozen.at > LONGEST_FREEZE_MS) frozen = { date, at: now() };
      return { ...answer, headers: { ...others, date: frozen.date } };
    }
    if (draws.later.next() < HOURS_SHARE) {
      offUntil = now() + draws.later.next() * LONGEST_HOURS_OFF_MS;
      offByMs = which === 1 ? HOURS_OFF_MS : -HOURS_OFF_MS;
      return dated(answer, offByMs);
    }
    if (which === 0) return { ...answer, headers: others };
    return dated(answer, which === 1 ? DATE_ERROR_MS : -DATE_ERROR_MS);
  }

  function dated(answer: Response, byMs: DurationMs): Response {
    const { date } = answer.headers;
    return date === undefined
      ? answer
      : { ...answer, headers: { ...answer.headers, date: httpDate(Date.parse(date) + byMs) } };
  }

  /** Answers to writes are in no cache. */
  function keep({ body, headers }: Response, asked: Asked): void {
    if (asked.endpoint === 'create' || asked.endpoint.startsWith('cancel')) return;
    const kept: Kept[] = cache.get(keyOf(asked))?.kept ?? [];
    kept.push({ body, type: headers['content-type'], at: now() });
    if (kept.length > 3) kept.shift();
    cache.set(keyOf(asked), { asked, kept });
  }

  function pass(answer: Response, asked: Asked): Response {
    // Of an answer that can't be read the bot has bound none (seed 105).
    if (asked.endpoint === 'create') lastOrderId = orderIdIn(answer.body) ?? lastOrderId;
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
      if (asked.endpoint === 'wallet' && rowsOf(answer) !== null) rightWallets += 1;
      keep(answer, asked);
      return pass(now() < offUntil ? dated(answer, offByMs) : answer, asked);
    },
  };
}

const keyOf = ({ endpoint, symbol, filter }: Asked): string => `${endpoint} ${symbol ?? ''} ${filter}`;

function rowsOf({ status, body }: Response): readonly Row[] | null {
  if (status !== 200 || !body.startsWith('[')) return null;
  return JSON.parse(body, exactly) as readonly Row[];
}

/**
 * A number that a float can't hold (F15) is written again as it was read: a fault that spoils rows must not change
 * their ids.
 */
function exactly(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && String(value) !== source ? `number:${source}` : value;
}

const textOf = (rows: readonly unknown[]): string => JSON.stringify(rows).replace(/"number:([^"]*)"/g, '$1');

/** Which order a whole answer to a create names; null for any other. */
const orderIdIn = (body: string): string | null => /^\{"data":\{"order_id":"([^"]+)"\}\}$/.exec(body)?.[1] ?? null;
