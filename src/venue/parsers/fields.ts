// Reads single fields of an answer: text or number, exponents, seconds or milliseconds. Returns a reason instead of a
// guess.
import { Decimal, parseDecimal, ZERO } from '../../domain/decimal.ts';
import { type Asset, parseSymbol } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';
import { fail, mapped, ok, type Result } from '../../domain/result.ts';
import type { EpochMs } from '../../domain/time.ts';

/** A raw row or another JSON object. */
export type RawObject = Readonly<Record<string, unknown>>;

/** The readable rows, and why they may not be complete: an unreadable row, or a page that may be cut. */
export interface Parsed<T> {
  readonly rows: T;
  readonly incompleteBecause?: string;
}

/** Times under this are seconds, not milliseconds (field notes N4). As milliseconds it is a day in 1973. */
const MILLISECONDS_FROM = 100_000_000_000;
/** In 2286. A larger value is in another unit, or not a time. */
const LATEST_TIME: EpochMs = 9_999_999_999_999;
const LONGEST_SHOWN = 40;
/** Printable, no spaces; zero means no id. */
const ID = /^(?!0+$)[\x21-\x7e]{1,64}$/;
const DIGITS = /^\d{1,64}$/;
const VENUE_DECIMALS = 8;
/** Two steps of a double, relative to the number. */
const FLOAT_NOISE = new Decimal(2).pow(-51);
/** From here on a double can't hold eight decimals. */
const FLOATS_TELL_BELOW = new Decimal(2).pow(53).div(100_000_000);
/** The source text of a JSON number such as 1e5 or −7 matches this. It is not an id. */
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export function isObject(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value of the answer for a sentence, shortened for the log. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'missing' : (JSON.stringify(value) ?? typeof value);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

/** Why a field is invalid: its name, its value, and what was expected. */
export const wrong = (row: RawObject, field: string, wanted: string): Result<never> =>
  fail(`field "${field}" is ${shown(row[field])}, not ${wanted}`);

/** Absent, null or empty: the venue states nothing (specification 1.7). */
export const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

/** A decimal from text or number; `null` for anything else. */
export function readDecimal(value: unknown): Decimal | null {
  if (typeof value === 'string') return parseDecimal(value);
  return typeof value === 'number' ? parseDecimal(String(value)) : null;
}

/**
 * The same without float noise (0.30000000000000004): the exchange counts in eight decimals, and a number with more
 * decimals that is within float precision of such a value is that value. Any other stays as it is.
 */
export function readAmount(value: unknown): Decimal | null {
  const read = readDecimal(value);
  if (read === null || read.decimalPlaces() <= VENUE_DECIMALS) return read;
  const counted = read.toDecimalPlaces(VENUE_DECIMALS);
  const isTold = counted.abs().lt(FLOATS_TELL_BELOW);
  return isTold && read.sub(counted).abs().lte(counted.abs().mul(FLOAT_NOISE)) ? counted : read;
}

type FieldReader<T> = (row: RawObject, field: string) => Result<T>;

/** Reads a field by its value's reader, which gives `null` for anything but `wanted`. */
const fieldOf =
  <T>(read: (value: unknown) => T | null, wanted: string): FieldReader<T> =>
  (row, field) => {
    const value = read(row[field]);
    return value === null ? wrong(row, field, wanted) : ok(value);
  };

const amountThat = (fits: (amount: Decimal) => boolean, wanted: string): FieldReader<Decimal> =>
  fieldOf((value) => {
    const amount = readAmount(value);
    return amount !== null && fits(amount) ? amount : null;
  }, wanted);

export const decimalField = fieldOf(readAmount, 'a decimal number');
export const positiveField = amountThat((amount) => amount.gt(0), 'a number above zero');
export const amountField = amountThat((amount) => !amount.lt(0), 'a number of at least zero');

/** The same, or `null` if the venue states none. */
function optional<T>(read: FieldReader<T>): FieldReader<T | null> {
  return (row, field) => (isAbsent(row[field]) ? ok(null) : read(row, field));
}

export const optionalAmount = optional(amountField);
export const optionalDecimal = optional(decimalField);

/** A price above zero. `null` if the venue states none, or zero: nothing trades at zero. */
export const optionalPrice: FieldReader<Decimal | null> = (row, field) =>
  mapped(optionalAmount(row, field), (price) => (price?.isZero() ? null : price));

/** The amount charged. Signs differ between venues (Q11): the result is positive, and zero where none is stated. */
export function chargeField(row: RawObject, field: string): Result<Decimal> {
  if (isAbsent(row[field])) return ok(ZERO);
  return mapped(decimalField(row, field), (charge) => charge.abs());
}

/** An identifier as written: 1–64 characters without white space. Numbers must have been read by `readJsonExact`. */
export function readId(value: unknown): string | null {
  if (typeof value !== 'string' || !ID.test(value)) return null;
  return NUMBER.test(value) && !DIGITS.test(value) ? null : value;
}

export const idField = fieldOf(readId, 'an identifier');

const textThat = (fits: (text: string) => boolean, wanted: string): FieldReader<string> =>
  fieldOf((value) => (typeof value === 'string' && fits(value) ? value : null), wanted);

/** Plain digits as text, of any length. */
export const digitsField = textThat((text) => DIGITS.test(text), 'a number of plain digits');

export const textField = textThat((text) => text !== '', 'a text');

/** An asset in upper case; the answer may have any case. */
export function tickerField(row: RawObject, field: string): Result<Asset> {
  return mapped(textField(row, field), (asset) => asset.toUpperCase());
}

export const optionalText = optional(textField);

/** Buy or sell, in any case. */
export const sideField = fieldOf((value): Side | null => {
  const word = typeof value === 'string' ? value.toUpperCase() : '';
  return word === 'BUY' ? 'buy' : word === 'SELL' ? 'sell' : null;
}, 'BUY or SELL');

/** `true` and `false`, also as text. */
export const booleanField = fieldOf((value) => {
  const word = typeof value === 'boolean' ? String(value) : typeof value === 'string' ? value.toLowerCase() : '';
  return word === 'true' || word === 'false' ? word === 'true' : null;
}, 'true or false');

/** Epoch milliseconds from milliseconds or seconds, distinguished by magnitude; text or number. */
export const timeField = fieldOf((value): EpochMs | null => {
  const time = readDecimal(value);
  if (!time?.gt(0)) return null;
  const number = time.toNumber();
  const at = Math.trunc(number < MILLISECONDS_FROM ? number * 1_000 : number);
  return at <= LATEST_TIME ? at : null;
}, 'a time');

/** `BASE/QUOTE` in upper case; the answer may have any case. */
export function readSymbol(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const symbol = value.toUpperCase();
  return parseSymbol(symbol) === null ? null : symbol;
}

export const symbolField = fieldOf(readSymbol, 'a symbol BASE/QUOTE');

// Reads a list row by row: unreadable rows are reported, never dropped silently.

type RowParser<T> = (row: RawObject) => Result<T>;

/** Every row that `parse` can read. The reason names the first unreadable row and counts the others. */
export function parseRows<T>(body: unknown, parse: RowParser<T>): Result<Parsed<readonly T[]>> {
  return parseList(body, (value) => ofObject(value, parse));
}

/** The same for a list of any values. */
export function parseList<T>(body: unknown, parse: (value: unknown) => Result<T>): Result<Parsed<readonly T[]>> {
  if (!Array.isArray(body)) return fail(`The answer is ${shown(body)}, not a list.`);
  return ok(readEach(body, parse, (index) => `Row ${index + 1} of ${body.length}`));
}

export const ofObject = <T>(value: unknown, parse: RowParser<T>): Result<T> =>
  isObject(value) ? parse(value) : fail(`it is ${shown(value)}, not an object`);

/** What can be read of these values; a problem begins with the place of its value. */
export function readEach<Value, T>(
  values: readonly Value[],
  parse: (value: Value) => Result<T>,
  placeOf: (index: number) => string,
): Parsed<readonly T[]> {
  const rows: T[] = [];
  const problems = new Problems();
  for (const [index, value] of values.entries()) {
    const row = parse(value);
    if (row.ok) rows.push(row.value);
    else problems.add(`${placeOf(index)}: ${row.error}`);
  }
  return problems.of(rows);
}

/** Problems in the rows of an answer: the first is named, the others are counted. */
export class Problems {
  #first: string | null = null;
  #more = 0;

  add(problem: string): void {
    if (this.#first === null) this.#first = problem;
    else this.#more += 1;
  }

  /** The rows, with their problems as one sentence. */
  of<T>(rows: T): Parsed<T> {
    if (this.#first === null) return { rows };
    return { rows, incompleteBecause: `${this.#first}${this.#more === 0 ? '' : `; and ${this.#more} more`}.` };
  }
}

/** Adds one more reason to a page. */
export function alsoIncomplete<T>(page: Parsed<T>, reason: string): Parsed<T> {
  const before = page.incompleteBecause;
  return { rows: page.rows, incompleteBecause: before === undefined ? reason : `${before} ${reason}` };
}

/** The page, marked incomplete if a row is about something else: it answers another request. Absent: no check. */
export function answering<T>(
  page: Parsed<readonly T[]>,
  asked: string | undefined,
  about: (row: T) => string,
): Parsed<readonly T[]> {
  const other = asked === undefined ? undefined : page.rows.find((row) => about(row) !== asked);
  if (other === undefined) return page;
  return alsoIncomplete(page, `Asked for ${asked}, the answer holds ${about(other)}.`);
}

// The error body `{code, msg}` (specification §7): the code as number or text, the message sanitized for a log.

export interface ErrorBody {
  readonly code: number;
  readonly msg: string;
}

const CODE = /^-?\d{1,9}$/;
const LONGEST_MESSAGE = 300;

/** The well-formed error in a JSON value, or `null`. Zero is not an error code. */
export function readErrorBody(json: unknown): ErrorBody | null {
  if (!isObject(json)) return null;
  const code = readCode(json.code);
  return code === null || typeof json.msg !== 'string' ? null : { code, msg: plainMessage(json.msg) };
}

/** One line of at most 300 characters, without control characters. */
export function plainMessage(text: string): string {
  const line = text.replace(/\p{C}+/gu, ' ').trim();
  return line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE)}…` : line;
}

function readCode(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
  return CODE.test(text) && Number(text) !== 0 ? Number(text) : null;
}
