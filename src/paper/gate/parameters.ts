// Reading the parameters of an endpoint, each with the documented code of its refusal.
import { type Asset, type Instrument, parseSymbol } from '../../domain/instrument.ts';
import { allOf, fail, ok, type Result } from '../../domain/result.ts';
import { type DurationMs, type EpochMs, HOUR } from '../../domain/time.ts';
import { reader } from '../../matching/engine.ts';
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from '../../venue/bounds.ts';
import { isAssetText } from '../state/back-office.ts';
import type { ExchangeState } from '../state/state.ts';
import { type ErrorReply, refuse } from '../wire/messages.ts';
import { isNumeric, parameter, type Query } from '../wire/query.ts';

export type Parsed<T> = Result<T, ErrorReply>;

/** A required symbol: -1103, -1123, -1121. */
export function requiredSymbol(state: ExchangeState, given: unknown): Parsed<Instrument> {
  if (given === undefined || given === null || given === '') return fail(refuse(-1103, 'The symbol is required.'));
  if (typeof given !== 'string' || parseSymbol(given) === null) {
    return fail(refuse(-1123, 'The symbol must have the form BASE/QUOTE.'));
  }
  const instrument = reader(state.engine).instrument(given);
  return instrument ? ok(instrument) : fail(refuse(-1121, `The symbol ${given} is not traded here.`));
}

/** An optional symbol; an empty one counts as given. */
export function optionalSymbol(state: ExchangeState, query: Query): Parsed<Instrument | null> {
  return optional(query, 'symbol', (given) =>
    given === '' ? fail(refuse(-1123, 'The symbol must have the form BASE/QUOTE.')) : requiredSymbol(state, given),
  );
}

/** `null` when absent. */
export function optional<T>(query: Query, name: string, read: (given: string) => Parsed<T>): Parsed<T | null> {
  const given = parameter(query, name);
  return given === undefined ? ok(null) : read(given);
}

/** -1104 if it is not a number, -1105 if it is not a whole number from 1 to 50. */
export function listLimit(query: Query): Parsed<number> {
  const given = parameter(query, 'limit');
  if (given === undefined) return ok(LIST_LIMIT_DEFAULT);
  if (!isNumeric(given)) return fail(refuse(-1104, 'The limit must be numeric.'));
  const limit = Number(given);
  const inRange = /^\+?\d+(?:\.0+)?$/.test(given) && limit >= 1 && limit <= LIST_LIMIT_MAX;
  return inRange ? ok(limit) : fail(refuse(-1105, `The limit must be a whole number from 1 to ${LIST_LIMIT_MAX}.`));
}

const ORDER_ID = /^1-\d{1,40}-1$/;

/** Form `1-<number>-1`, else -1124. */
export function orderIdText(given: unknown): Parsed<string> {
  const isId = typeof given === 'string' && ORDER_ID.test(given);
  return isId ? ok(given) : fail(refuse(-1124, 'The order id must have the form 1-<number>-1, of at most 40 digits.'));
}

// The parameters that select rows of a list, each with the documented code of its refusal.

/** Both ends included; `null` for an end that is absent. */
export interface Times {
  readonly startTime: EpochMs | null;
  readonly endTime: EpochMs | null;
}

/** -1107 for an invalid time, a start after the end, or a span above `longestMs`, where one applies. */
export function listTimes(query: Query, longestMs: DurationMs | null): Parsed<Times> {
  const times = allOf({ startTime: momentIn(query, 'startTime'), endTime: momentIn(query, 'endTime') });
  if (!times.ok) return times;
  const { startTime, endTime } = times.value;
  if (startTime === null || endTime === null) return ok({ startTime, endTime });
  if (startTime > endTime) return fail(refuse(-1107, 'The start time must not be after the end time.'));
  if (longestMs !== null && endTime - startTime > longestMs) {
    return fail(refuse(-1107, `The end time must be within ${longestMs / HOUR} hours of the start time.`));
  }
  return ok({ startTime, endTime });
}

export function isWithin({ startTime, endTime }: Times, moment: EpochMs): boolean {
  return (startTime === null || moment >= startTime) && (endTime === null || moment <= endTime);
}

const momentIn = (query: Query, name: string): Parsed<EpochMs | null> =>
  optional(query, name, (given) =>
    /^\d{1,15}$/.test(given)
      ? ok(Number(given))
      : fail(refuse(-1107, 'Start and end time must be whole numbers of milliseconds since epoch.')),
  );

const NUMBER = /^\d{1,40}$/;

/** Digits without leading zeros; `null` when absent. No code is documented for a value that is not a number. */
export function fromIdIn(query: Query): Parsed<string | null> {
  return numberIn(query, 'fromId', refuse(-1009, 'fromId must be a whole number of at most 40 digits.'));
}

/** The number of an SBS order, else -1124. */
export function sbsOrderIdIn(query: Query): Parsed<string | null> {
  return numberIn(query, 'orderId', refuse(-1124, 'The order id must be a whole number of at most 40 digits.'));
}

const numberIn = (query: Query, name: string, refusal: ErrorReply): Parsed<string | null> =>
  optional(query, name, (given) => (NUMBER.test(given) ? ok(given.replace(/^0+(?=\d)/, '')) : fail(refusal)));

/** Below zero if `a` is the smaller number; both without leading zeros. */
export function compareDigits(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** One of the listed words, else -1108; an empty text is not a word. */
export function statusIn(query: Query, words: readonly string[]): Parsed<string | null> {
  return optional(query, 'status', (given) =>
    words.includes(given) ? ok(given) : fail(refuse(-1108, `The status must be one of ${words.join(', ')}.`)),
  );
}

/** -1111 for a text that is not a ticker, -1122 for an unknown asset. */
export function assetIn(state: ExchangeState, query: Query): Parsed<Asset | null> {
  return optional(query, 'asset', (given) => {
    if (!isAssetText(given)) return fail(refuse(-1111, 'The asset must be a ticker in capital letters and digits.'));
    return state.backOffice.assets.has(given)
      ? ok(given)
      : fail(refuse(-1122, `The asset ${given} is not known here.`));
  });
}
