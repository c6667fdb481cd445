// Checks the client's arguments value by value: JavaScript callers have no types.
import { types } from 'node:util';
import { z } from 'zod';
import { Decimal, parseDecimal, plain } from '../../domain/decimal.ts';
import { type OrderId, orderId, type TradeId, tradeId } from '../../domain/ids.ts';
import { parseSymbol } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import type { Side } from '../../domain/order.ts';
import type { Result } from '../../domain/result.ts';
import { parsedUrl } from '../../domain/text.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { TransferDirection } from '../../domain/transfer.ts';
import {
  LIST_LIMIT_MAX,
  type ListLimit,
  listLimit,
  type TimeRange,
  type TradeWindow,
  timeRange,
  tradeWindow,
} from '../../venue/bounds.ts';
import { RECV_WINDOW_MAX_MS } from '../../venue/endpoints.ts';
import { isObject, plainMessage } from '../../venue/parsers/fields.ts';
import { isTimeOffset, TIMED_KINDS } from '../times/answer-times.ts';
import { isPrivate } from '../transport/got-transport.ts';
import { maskOf } from '../wire/secret.ts';

/** Later moments exceed JavaScript's calendar. */
const LATEST_MS = 8_640_000_000_000_000;
const LONGEST_DECIMAL = 64;
/** The longest delay that a timer supports. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** An object with these fields only. */
function fields<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const names = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? `only ${names}` : `an object with ${names}`),
  });
}

const text = (form: RegExp, error: string) => z.string({ error }).regex(form, { error });

/** Converts the given value, or refuses it and names what was expected. */
function made<T, Given>(make: (value: unknown) => T | null, expected: string): z.ZodType<T, Given> {
  return z.custom<Given>().transform((value, context): T => {
    const result = make(value);
    if (result !== null) return result;
    context.addIssue({ code: 'custom', message: expected });
    return z.NEVER;
  });
}

/** A price or a quantity: text, or a `Decimal` of any copy of decimal.js. A number of JavaScript may not be exact. */
export type Amount = string | Pick<Decimal, 'toExponential'>;

/** A decimal with our own settings. */
function amountOf(value: unknown): Decimal | null {
  // Not in plain notation: 1e-9000000 would have nine million digits.
  const text = Decimal.isDecimal(value) ? value.toExponential() : value;
  const own = typeof text === 'string' ? parseDecimal(text) : null;
  return own?.gt(0) && plain(own).length <= LONGEST_DECIMAL ? own : null;
}

/** Epoch milliseconds, a `Date`, or ISO 8601: a day, which begins at midnight UTC, or a time with its zone. */
export type Moment = number | string | Date;

const ISO_TEXT = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

function momentOf(value: unknown): EpochMs | null {
  const at = typeof value === 'string' ? parsedTime(value) : types.isDate(value) ? value.getTime() : value;
  return typeof at === 'number' && Number.isSafeInteger(at) && at >= 0 && at <= LATEST_MS ? at : null;
}

function parsedTime(text: string): EpochMs | null {
  const [, day] = ISO_TEXT.exec(text) ?? [];
  const at = Date.parse(text);
  // The engine takes 30 February for 2 March.
  return day !== undefined && at >= 0 && new Date(Date.parse(day)).toISOString().startsWith(day) ? at : null;
}

const SYMBOL_WORDS = 'BASE/QUOTE in upper case';
const symbol = z.string({ error: SYMBOL_WORDS }).refine((given) => parseSymbol(given) !== null, SYMBOL_WORDS);
const coinInr = text(/^[A-Z0-9]{1,20}\/INR$/, 'COIN/INR in upper case');
const asset = text(/^[A-Z0-9]{1,20}$/, 'an asset in upper case');
const order: z.ZodType<OrderId, string> = text(
  /^[\x21-\x7e]{1,64}$/,
  'a text of 1 to 64 characters without white space',
).transform(orderId);
const trade: z.ZodType<TradeId, string> = text(/^\d{1,64}$/, 'a text of plain digits').transform(tradeId);
const side: z.ZodType<Side> = z.enum(['buy', 'sell'], { error: '"buy" or "sell"' });
const amount = made<Decimal, Amount>(
  amountOf,
  `a Decimal or decimal text above zero of at most ${LONGEST_DECIMAL} characters`,
);
const flag = z.boolean({ error: 'true or false' });
const moment = made<EpochMs, Moment>(
  momentOf,
  'whole milliseconds since epoch, a Date, or text such as 2026-11-01 or 2026-11-01T09:30:00+05:30',
);
const limit = made<ListLimit, number>((rows) => {
  const limit = typeof rows === 'number' ? listLimit(rows) : null;
  return limit?.ok ? limit.value : null;
}, `a whole number from 1 to ${LIST_LIMIT_MAX}`);

const bounds = fields({ startTime: moment, endTime: moment });
type Bounds = z.input<typeof bounds>;
const ordered = <T>(
  make: (startTime: EpochMs, endTime: EpochMs) => Result<T>,
  expected: string,
): z.ZodType<T, Bounds> =>
  bounds.transform(({ startTime, endTime }, context) => {
    const result = make(startTime, endTime);
    if (result.ok) return result.value;
    context.addIssue({ code: 'custom', path: ['endTime'], message: `startTime (${startTime}) or ${expected}` });
    return z.NEVER;
  });
const range = ordered<TimeRange>(timeRange, 'later');
const window = ordered<TradeWindow>(tradeWindow, 'at most 72 hours later');

const start = fields({ by: z.literal('start'), startTime: moment });
const end = fields({ by: z.literal('end'), endTime: moment });
const timesOf = <Range>(between: z.ZodType<Range, Bounds>) =>
  z.discriminatedUnion(
    'by',
    [fields({ by: z.literal('all') }), start, end, fields({ by: z.literal('range'), range: between })],
    { error: '"all", "start", "end" or "range"' },
  );

/** The six combinations that the exchange allows. */
const spotFilter = z.discriminatedUnion(
  'by',
  [
    fields({ by: z.literal('symbol') }),
    fields({ by: z.literal('order'), orderId: order }),
    fields({ by: z.literal('from-id'), fromId: trade }),
    start,
    end,
    fields({ by: z.literal('window'), window }),
  ],
  { error: '"symbol", "order", "start", "end", "from-id" or "window"' },
);

const CRYPTO_STATUS = { error: '"success", "pending" or "failed"' };
const FIAT_STATUS = { error: '"success", "pending", "failed" or "rejected"' };
const listed = { limit: limit.exactOptional() };

/** The argument of each method of the client. */
export const ARGUMENTS = {
  nothing: z.undefined({ error: 'nothing: this method takes no argument' }),
  symbol: fields({ symbol }),
  optionalSymbol: fields({ symbol: symbol.exactOptional() }).optional(),
  page: fields({ symbol, ...listed }),
  asset: fields({ asset: asset.exactOptional() }).optional(),
  wallet: fields({ omitZeroBalances: flag.exactOptional() }).optional(),
  crypto: fields({
    asset: asset.exactOptional(),
    status: z.enum(['success', 'pending', 'failed'], CRYPTO_STATUS).exactOptional(),
    time: timesOf(range).exactOptional(),
    ...listed,
  }).optional(),
  fiat: fields({
    status: z.enum(['success', 'pending', 'failed', 'rejected'], FIAT_STATUS).exactOptional(),
    time: timesOf(range).exactOptional(),
    ...listed,
  }).optional(),
  spotTrades: fields({ symbol, filter: spotFilter.exactOptional(), ...listed }),
  sbsTrades: fields({
    symbol: coinInr,
    time: timesOf(window).exactOptional(),
    orderId: trade.exactOptional(),
    fromId: trade.exactOptional(),
    ...listed,
  }),
  order: fields({ symbol, side, price: amount, quantity: amount }),
  orderId: fields({ orderId: order }),
} as const;

const direction: z.ZodType<TransferDirection> = z.enum(['deposit', 'withdrawal'], {
  error: '"deposit" or "withdrawal"',
});
const settled = made<EpochMs, { readonly settledUntil: EpochMs }>(
  (ended) => (isObject(ended) ? momentOf(ended.settledUntil) : null),
  'the outcome with which an earlier reading ended',
);
const span = { from: moment.exactOptional(), after: settled.exactOptional(), to: moment.exactOptional() };

/** Where a reading begins: at `from`, or behind what an earlier one has settled. */
function beginning<T extends { readonly from?: EpochMs; readonly after?: EpochMs; readonly to?: EpochMs }>(
  of: z.ZodType<T>,
) {
  return of.transform(({ from: given, after, ...asked }, context) => {
    const from = after === undefined ? given : after + 1;
    const refused = (field: string, message: string): never => {
      context.addIssue({ code: 'custom', path: [field], message });
      return z.NEVER;
    };
    if (from === undefined) return refused('from', 'a moment, or `after` with the outcome of an earlier reading');
    if (given !== undefined && after !== undefined) return refused('after', 'nothing beside `from`');
    if (asked.to !== undefined && asked.to < from) return refused('to', 'where the reading begins, or later');
    return { ...asked, from };
  });
}

/** The argument of each history. */
export const HISTORIES = {
  spotTrades: beginning(fields({ symbol, ...span })),
  sbsTrades: beginning(fields({ symbol: coinInr, ...span })),
  cryptoTransfers: beginning(fields({ direction, asset: asset.exactOptional(), ...span })),
  fiatTransfers: beginning(fields({ direction, ...span })),
} as const;

const number = (least: number, most: number, what: string) =>
  z.number({ error: what }).min(least, { error: what }).max(most, { error: what });
const milliseconds = number(1, LONGEST_TIMER_MS, `milliseconds from 1 to ${LONGEST_TIMER_MS}`);
const perSecond = number(0.001, 1_000, 'a number from 0.001 to 1000');
const URL_WORDS =
  'the URL of the exchange as URLs are written (https://host/path, or http on this machine), without query, fragment ' +
  'and name';
const baseUrl = z.string({ error: URL_WORDS }).refine((given) => {
  const url = parsedUrl(given);
  // A URL that the parser rewrites would not be the one that is signed; a bare "?" or "#" makes everything after it
  // vanish.
  const isAsWritten = url !== null && [given, `${given}/`].includes(url.href);
  return isAsWritten && isPrivate(url) && !/[?#]/.test(given) && url.username === '' && url.password === '';
}, URL_WORDS);

/** Names with a meaning for HTTP, or for the client itself. */
const TAKEN_HEADER = new RegExp(
  '^(?:accept|access-control|content|cookie|if|proxy|sec|x-forwarded)(?:-|$)|' +
    '^(?:cache-control|connection|constructor|date|expect|forwarded|from|host|http2-settings|keep-alive)$|' +
    '^(?:max-forwards|origin|pragma|range|referer|set-cookie|te|trailer|transfer-encoding|upgrade|user-agent|via)$',
  'i',
);
const HEADER_WORDS = "the header of the key: letters, digits and '-', and no name that HTTP gives a meaning";
const headerName = text(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, HEADER_WORDS).refine(
  (name) => !TAKEN_HEADER.test(name),
  HEADER_WORDS,
);

const OFFSET_WORDS = 'whole quarter hours from -12 h to 14 h, in milliseconds';
const MOST_RETRIES = 100;
const ends = {
  signal: z.instanceof(AbortSignal, { error: 'an AbortSignal' }).exactOptional(),
  timeoutMs: milliseconds.exactOptional(),
};

/** The options of any call or history, and of a call that only reads. */
export const OPTIONS = {
  read: fields({
    ...ends,
    retry: number(0, MOST_RETRIES, `a whole number from 0 to ${MOST_RETRIES}`)
      .int({ error: `a whole number from 0 to ${MOST_RETRIES}` })
      .exactOptional(),
  }).optional(),
  call: fields(ends).optional(),
} as const;

/** The argument of `openExchange`. */
export const SETTINGS = fields({
  baseUrl,
  legacyBaseUrl: baseUrl.exactOptional(),
  legacyPaths: z.enum(['versioned', 'sample'], { error: '"versioned" or "sample"' }).exactOptional(),
  apiKey: text(/^[\x21-\x7e]{8,}$/, 'a text of 8 characters or more without white space'),
  secret: text(/^\S.{6,}\S$/, 'a text of 8 characters or more that begins and ends with no white space'),
  apiKeyHeader: headerName.exactOptional(),
  requestsPerSecond: fields({ public: perSecond, private: perSecond }).exactOptional(),
  recvWindowMs: number(1, RECV_WINDOW_MAX_MS, `whole milliseconds from 1 to ${RECV_WINDOW_MAX_MS}`)
    .int({ error: `whole milliseconds from 1 to ${RECV_WINDOW_MAX_MS}` })
    .exactOptional(),
  deadlineMs: milliseconds.exactOptional(),
  timeOffsetsMs: z
    .partialRecord(z.enum(TIMED_KINDS), z.number({ error: OFFSET_WORDS }).refine(isTimeOffset, OFFSET_WORDS), {
      error: 'milliseconds by kind of answer',
    })
    .exactOptional(),
  openOrdersUncapped: flag.exactOptional(),
});

// Checks a value that a program passes to the client: returns a copy, or one sentence that names place, value and what
// was expected.

interface Place {
  readonly name: string;
  /** Texts that the sentence must not show, in whichever field they were typed. */
  readonly secrets: readonly string[];
}

const LONGEST_SHOWN = 60;
const HIDDEN: readonly unknown[] = ['apiKey', 'secret'];

/** Replaces, in the copy, an object that is neither plain nor a number. */
const NOT_PLAIN = Symbol('not plain');

/** The client was called in another way than documented: nothing was sent. */
export class ArgumentError extends TypeError {
  override readonly name = 'ArgumentError';
}

/**
 * A field that is `undefined` counts as absent. The value is read once, so that later changes by the caller have no
 * effect. Throws before anything is sent.
 */
export function checked<T>(schema: z.ZodType<T>, value: unknown, { name, secrets }: Place): T {
  const copy = copied(value);
  const result = schema.safeParse(copy);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  invariant(issue !== undefined, `${name}: zod refused a value without a reason.`);
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const path = [...issue.path, ...unknown];
  const names = [...issue.path.map(String), ...unknown.map((key) => maskOf(secrets)(key))];
  const field = names.length === 0 ? 'the argument' : names.join('.');
  const found = path.some((part) => HIDDEN.includes(part)) ? '[secret]' : shown(valueAt(copy, path), secrets);
  const sentence = `${name}: ${field} is ${found}; expected ${issue.message}.`;
  throw new ArgumentError(plainMessage(sentence));
}

/** Copies plain objects without fields that are `undefined`; a list becomes an empty one. */
export function copied(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Decimal.isDecimal(value)) return value;
  if (Array.isArray(value)) return [];
  if (types.isDate(value)) return new Date(value);
  if (value instanceof AbortSignal) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return NOT_PLAIN;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, copied(field)]));
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const part of path) at = typeof at === 'object' && at !== null ? Reflect.get(at, part) : undefined;
  return at;
}

function shown(value: unknown, secrets: readonly string[]): string {
  const text = maskOf(secrets)(textOf(value));
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

function textOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'string') return JSON.stringify(value);
  if (Decimal.isDecimal(value)) return Math.abs(value.e) < LONGEST_SHOWN ? value.toFixed() : value.toExponential();
  if (types.isDate(value)) return 'a Date';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  if (value === NOT_PLAIN) return 'an object that is not plain';
  return typeof value === 'function' || typeof value === 'symbol' ? `a ${typeof value}` : String(value);
}
