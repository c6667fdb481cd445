// The parameters that select rows of a list, each with the documented code of its refusal.
import type { Asset } from '../../domain/instrument.ts';
import { fail, ok } from '../../domain/result.ts';
import { type DurationMs, type EpochMs, HOUR } from '../../domain/time.ts';
import { isAssetText } from '../state/asset-record.ts';
import type { ExchangeState } from '../state/state.ts';
import { isBeyond } from '../wire/numbers.ts';
import { parameter, type Query } from '../wire/query.ts';
import { EPOCH_MS_MAX } from '../wire/recv-window.ts';
import { refuse } from '../wire/reply.ts';
import type { Parsed } from './parameters.ts';

/** Both ends included; `null` where an end is not given. */
export interface Times {
  readonly startTime: EpochMs | null;
  readonly endTime: EpochMs | null;
}

/**
 * -1107 for what is no moment, for a start after the end, and for more than `longestMs` between them, where that is a
 * rule.
 */
export function listTimes(query: Query, longestMs: DurationMs | null): Parsed<Times> {
  const startTime = momentIn(query, 'startTime');
  const endTime = momentIn(query, 'endTime');
  if (startTime === 'too-large' || endTime === 'too-large') {
    return fail(refuse(-1107, 'A start or end time is too large: it is not in milliseconds since epoch.'));
  }
  if (startTime === 'malformed' || endTime === 'malformed') {
    return fail(refuse(-1107, 'Start and end time must be whole numbers of milliseconds since epoch.'));
  }
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

/** `null` when it is not given. */
function momentIn(query: Query, name: string): EpochMs | null | 'malformed' | 'too-large' {
  const given = parameter(query, name);
  if (given === undefined) return null;
  if (isBeyond(given, EPOCH_MS_MAX)) return 'too-large';
  return /^\d{1,15}$/.test(given) ? Number(given) : 'malformed';
}

const NUMBER = /^\d{1,40}$/;
const DIGITS = /^\d+$/;

/** Digits without leading zeros, `null` when it is not given. No code is documented for one that is no number. */
export function fromIdIn(query: Query): Parsed<string | null> {
  const given = parameter(query, 'fromId');
  if (given === undefined) return ok(null);
  if (!DIGITS.test(given)) return fail(refuse(-1009, 'fromId must be a whole number.'));
  return NUMBER.test(given) ? ok(plainDigits(given)) : fail(refuse(-1009, 'fromId is too large: at most 40 digits.'));
}

/** The number of an SBS order, else -1124. */
export function sbsOrderIdIn(query: Query): Parsed<string | null> {
  const given = parameter(query, 'orderId');
  if (given === undefined) return ok(null);
  if (!DIGITS.test(given)) return fail(refuse(-1124, 'The order id must be a whole number.'));
  return NUMBER.test(given)
    ? ok(plainDigits(given))
    : fail(refuse(-1124, 'The order id is too large: at most 40 digits.'));
}

function plainDigits(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}

/** Below zero where `a` is the smaller number; both without leading zeros. */
export function compareDigits(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** One of the words of the list, else -1108; an empty one is no word. */
export function statusIn(query: Query, words: readonly string[]): Parsed<string | null> {
  const given = parameter(query, 'status');
  if (given === undefined) return ok(null);
  return words.includes(given) ? ok(given) : fail(refuse(-1108, `The status must be one of ${words.join(', ')}.`));
}

/** -1111 for what has not the form of a ticker, -1122 for one that the exchange doesn't know. */
export function assetIn(state: ExchangeState, query: Query): Parsed<Asset | null> {
  const given = parameter(query, 'asset');
  if (given === undefined) return ok(null);
  if (!isAssetText(given)) return fail(refuse(-1111, 'The asset must be a ticker in capital letters and digits.'));
  return state.backOffice.assets.has(given) ? ok(given) : fail(refuse(-1122, `The asset ${given} is not known here.`));
}
