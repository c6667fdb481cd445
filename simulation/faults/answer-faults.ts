// Faults in the content of an answer in transit: missing, repeated or garbled rows, wrong books, odd headers.
import { type DurationMs, type EpochMs, HOUR, MINUTE, SECOND } from '../../src/domain/time.ts';
import { httpDate } from '../../src/paper/wire/messages.ts';
import type { HttpResult } from '../../src/ports/transport.ts';
import type { EndpointName } from '../../src/venue/requests.ts';
import { oddlyWritten } from '../outside/odd-notation.ts';
import type { AnswerFault } from './fault-kinds.ts';
import { corruptedBook, corruptedWallet, type Draws, garbled, oddRates, type Row } from './odd-answers.ts';

export type Response = Extract<HttpResult, { kind: 'response' }>;

export interface AnswerFaultParts {
  /** The part of the bot's assumed lag that the lags leave: no list is wrong for longer. */
  readonly spareLagMs: DurationMs;
  readonly now: () => EpochMs;
}

/** The answered request. */
export interface Asked {
  readonly endpoint: EndpointName;
  readonly symbol: string | null;
  /** The rest of the query, part of a cache's key: a page from an id on does not answer a query for a day. */
  readonly filter: string;
}

export interface AnswerFaults {
  /** The answer after this fault; null if there is nothing to corrupt. */
  corrupt(fault: AnswerFault, answer: Response, asked: Asked, draws: Draws): Response | null;
  /** Called for every answer, even without a fault: rows still missing stay missing for a while. */
  pass(answer: Response, asked: Asked): Response;
}

interface Kept {
  readonly body: string;
  /** Its original content type. */
  readonly type: string | undefined;
  readonly at: EpochMs;
}

const FULL_PAGES: readonly number[] = [20, 50];
const DATE_ERROR_MS = 20 * SECOND;
const LONGEST_FREEZE_MS = 30 * MINUTE;
const FROZEN_SHARE = 1 / 4;
/** One in this many wrong dates is from a cache that is hours off, for every answer of a while. */
const HOURS_SHARE = 1 / 8;
const HOURS_OFF_MS = 2 * HOUR;
const LONGEST_HOURS_OFF_MS = MINUTE;
/** Least number of lag bounds between two episodes of empty lists. */
const EPISODES_APART = 3;

/** The state of faults that last over several answers. */
interface Faults extends AnswerFaultParts {
  /** Orders missing from the list for a while, each at most once. */
  readonly holes: Map<string, EpochMs>;
  readonly cache: Map<string, { readonly asked: Asked; readonly kept: Kept[] }>;
  emptyFrom: EpochMs;
  lastOrderId: string | null;
  /** The frozen cache's date. */
  frozen: { readonly date: string; readonly at: EpochMs } | null;
  /** A cache that is hours off. */
  offUntil: EpochMs;
  offByMs: DurationMs;
  /** Wallets since the last wrong one, the present one included. */
  rightWallets: number;
}

export function createAnswerFaults(parts: AnswerFaultParts): AnswerFaults {
  const faults: Faults = {
    ...parts,
    holes: new Map(),
    cache: new Map(),
    emptyFrom: Number.NEGATIVE_INFINITY,
    lastOrderId: null,
    frozen: null,
    offUntil: Number.NEGATIVE_INFINITY,
    offByMs: 0,
    rightWallets: 0,
  };
  return {
    corrupt: (fault, answer, asked, draws) =>
      CORRUPTIONS[fault](faults, { answer, asked, draws, rows: rowsOf(answer) }),
    pass(answer, asked) {
      if (asked.endpoint === 'wallet' && rowsOf(answer) !== null) faults.rightWallets += 1;
      keep(faults, answer, asked);
      return pass(faults, faults.now() < faults.offUntil ? dated(answer, faults.offByMs) : answer, asked);
    },
  };
}

/** An answer to corrupt. */
interface Corruptible {
  readonly answer: Response;
  readonly asked: Asked;
  readonly draws: Draws;
  /** Null if it is not a list. */
  readonly rows: readonly Row[] | null;
}

type Corruption = (faults: Faults, corrupted: Corruptible) => Response | null;

const withRows = (answer: Response, rows: readonly unknown[]): Response => ({ ...answer, body: textOf(rows) });
const drawnOf = (rows: readonly Row[], draws: Draws): number => Math.floor(draws.next() * rows.length);

/** Applies a fault to the rows of a list; null for an answer without rows. */
const ofRows =
  (made: (rows: readonly Row[], draws: Draws, faults: Faults) => readonly unknown[]): Corruption =>
  (faults, { answer, draws, rows }) =>
    rows === null || rows.length === 0 ? null : withRows(answer, made(rows, draws, faults));

const ofBook =
  (fault: Parameters<typeof corruptedBook>[0]): Corruption =>
  (_faults, { answer, draws }) =>
    corruptedBook(fault, answer, draws);

const CORRUPTIONS: Readonly<Record<AnswerFault, Corruption>> = {
  'reused-id': reuseId,
  hole: makeHole,
  'no-rows': emptyList,
  shuffled: ofRows((rows, draws) => [...rows, ...rows.slice(0, 2)].toSorted(() => draws.next() - 1 / 2)),
  'garbled-row': ofRows((rows, draws) => {
    const at = drawnOf(rows, draws);
    return rows.with(at, garbled(rows[at] ?? {}, draws.later));
  }),
  'repeated-row': repeatRow,
  'odd-wallet': ofRows((rows, draws, faults) => oddWallet(faults, rows, draws)),
  'empty-side': ofBook('empty-side'),
  crossed: ofBook('crossed'),
  'shifted-decimal': ofBook('shifted-decimal'),
  'odd-number': ofBook('odd-number'),
  'other-symbol': (faults, { answer, asked }) =>
    fromCache(faults, answer, (kept) => kept.endpoint === asked.endpoint && kept.symbol !== asked.symbol),
  cached: (faults, { answer, asked }) => fromCache(faults, answer, (kept) => keyOf(kept) === keyOf(asked)),
  'no-date': (faults, { answer, draws }) => oddDate(faults, answer, draws),
  'odd-notation': ofRows((rows, draws) => rows.map((row) => oddlyWritten(row, draws))),
  'odd-rate-headers': (_faults, { answer, draws }) => ({
    ...answer,
    headers: { ...answer.headers, ...oddRates(answer.headers, draws) },
  }),
};

function reuseId({ lastOrderId }: Faults, { answer }: Corruptible): Response | null {
  if (lastOrderId === null || !answer.body.includes('order_id')) return null;
  return { ...answer, body: JSON.stringify({ data: { order_id: lastOrderId } }) };
}

function makeHole(faults: Faults, { answer, asked, draws, rows }: Corruptible): Response | null {
  const row = rows?.[drawnOf(rows, draws)];
  const orderId = row === undefined ? null : String(row.orderId);
  if (orderId === null || faults.holes.has(orderId)) return null;
  faults.holes.set(orderId, faults.now() + draws.next() * 0.9 * faults.spareLagMs);
  return pass(faults, answer, asked);
}

function repeatRow(_faults: Faults, { answer, draws, rows }: Corruptible): Response | null {
  const row = rows?.[drawnOf(rows, draws)];
  return rows && row ? withRows(answer, [...rows, row]) : null;
}

function emptyList(faults: Faults, { answer, rows }: Corruptible): Response | null {
  const { spareLagMs, emptyFrom } = faults;
  const now = faults.now();
  if (rows === null || rows.length === 0 || spareLagMs === 0 || now < emptyFrom + EPISODES_APART * spareLagMs)
    return null;
  faults.emptyFrom = now;
  return withRows(answer, []);
}

function fromCache(faults: Faults, answer: Response, fits: (asked: Asked) => boolean): Response | null {
  for (const { asked, kept } of faults.cache.values()) {
    const other = fits(asked)
      ? kept.find(({ at, body }) => faults.now() - at < faults.spareLagMs && body !== answer.body)
      : undefined;
    if (other === undefined) continue;
    const { 'content-type': _own, ...headers } = answer.headers;
    const typed = other.type === undefined ? headers : { ...headers, 'content-type': other.type };
    return { ...answer, headers: typed, body: other.body };
  }
  return null;
}

/** A false wallet comes only after a true one: two false ones in a row would rightly be trusted. */
function oddWallet(faults: Faults, rows: readonly Row[], draws: Draws): readonly Row[] {
  const corrupted = corruptedWallet(rows, draws, faults.rightWallets > 1);
  faults.rightWallets = corrupted.lies ? 0 : faults.rightWallets - 1;
  return corrupted.rows;
}

function oddDate(faults: Faults, answer: Response, draws: Draws): Response {
  const { date = '', ...others } = answer.headers;
  const which = Math.floor(draws.next() * 3);
  if (draws.later.next() < FROZEN_SHARE) {
    if (faults.frozen === null || faults.now() - faults.frozen.at > LONGEST_FREEZE_MS)
      faults.frozen = { date, at: faults.now() };
    return { ...answer, headers: { ...others, date: faults.frozen.date } };
  }
  if (draws.later.next() < HOURS_SHARE) {
    faults.offUntil = faults.now() + draws.later.next() * LONGEST_HOURS_OFF_MS;
    faults.offByMs = which === 1 ? HOURS_OFF_MS : -HOURS_OFF_MS;
    return dated(answer, faults.offByMs);
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

/** Answers to writes are not cached. */
function keep(faults: Faults, { body, headers }: Response, asked: Asked): void {
  if (asked.endpoint === 'create' || asked.endpoint.startsWith('cancel')) return;
  const kept: Kept[] = faults.cache.get(keyOf(asked))?.kept ?? [];
  kept.push({ body, type: headers['content-type'], at: faults.now() });
  if (kept.length > 3) kept.shift();
  faults.cache.set(keyOf(asked), { asked, kept });
}

function pass(faults: Faults, answer: Response, asked: Asked): Response {
  // The bot bound no id from an unreadable answer.
  if (asked.endpoint === 'create') faults.lastOrderId = orderIdIn(answer.body) ?? faults.lastOrderId;
  if (faults.holes.size === 0 || asked.endpoint !== 'open-orders') return answer;
  const rows = rowsOf(answer);
  // A cut page stays full: a missing row makes room for one that was cut off.
  if (rows === null || FULL_PAGES.includes(rows.length)) return answer;
  const left = rows.filter((row) => (faults.holes.get(String(row.orderId)) ?? 0) <= faults.now());
  return { ...answer, body: textOf(left) };
}

const keyOf = ({ endpoint, symbol, filter }: Asked): string => `${endpoint} ${symbol ?? ''} ${filter}`;

function rowsOf({ status, body }: Response): readonly Row[] | null {
  if (status !== 200 || !body.startsWith('[')) return null;
  return JSON.parse(body, exactly) as readonly Row[];
}

/** A number that a float can't hold (F15) keeps its digits: a fault that corrupts rows must not change their ids. */
function exactly(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && String(value) !== source ? `number:${source}` : value;
}

const textOf = (rows: readonly unknown[]): string => JSON.stringify(rows).replace(/"number:([^"]*)"/g, '$1');

/** The order named in a whole answer to a create; null for any other. */
const orderIdIn = (body: string): string | null => /^\{"data":\{"order_id":"([^"]+)"\}\}$/.exec(body)?.[1] ?? null;
