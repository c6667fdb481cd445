// Kinds of values that many settings share, each described once.
import { z } from 'zod';
import { type Decimal, parseDecimal } from '../../domain/decimal.ts';
import { AMOUNT_DECIMALS } from '../../ledger/amount.ts';
import { amount, type Unit } from '../../quoting/amount.ts';

/** Text of one form, described by `expects`. */
export const word = (form: RegExp, expects: string) => z.string().regex(form).meta({ expects });

/** A day that every year has. */
export const monthDay = () =>
  word(/^(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/, 'a month and a day such as 04-01, the day from 01 to 28');

/** Text that is not empty. */
export const filled = () => z.string().min(1);

/** A money-exact ratio 0–1: 0.004 for 0.40 %. */
export function exactRatio() {
  return z
    .string()
    .transform((text, context): Decimal => {
      const value = parseDecimal(text);
      const isTooFine = value !== null && value.decimalPlaces() > AMOUNT_DECIMALS;
      if (value?.gte(0) && value.lte(1) && !isTooFine) return value;
      const limit = isTooFine ? `, with at most ${AMOUNT_DECIMALS} decimals` : '';
      context.issues.push({
        code: 'custom',
        message: `"${text}" is not a ratio from 0 to 1, such as 0.004${limit}.`,
        input: text,
      });
      return z.NEVER;
    })
    .meta({ expects: 'a ratio from 0 to 1, such as 0.004' });
}

export const positiveAmount = (unit?: Unit) => amount('positive', unit);
export const amountOrZero = (unit?: Unit) => amount('not negative', unit);

/** The trading rules of a symbol. */
export const tradingRules = {
  tickSize: positiveAmount().describe('Price step, in quote per base.'),
  lotSize: positiveAmount('base').describe('Quantity step, in base.'),
  minNotional: amountOrZero('quote').describe('Least price × quantity of an order, in quote.'),
};

const LONGEST_MS = 366 * 86_400_000;

/** A duration, whole milliseconds. */
export const durationMs = (atLeast = 1, atMost = LONGEST_MS) =>
  z
    .int()
    .min(atLeast)
    .max(atMost)
    .meta({ expects: `a whole number ≥ ${atLeast}${atMost === LONGEST_MS ? '' : ` and ≤ ${atMost}`}` });

/** 0 means chosen by the system, for tests. */
export const port = () => z.int().min(0).max(65_535);

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i;
/** Whether a host name means this machine alone. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

const addressLike = (isAllowed: (url: URL) => boolean, error: string) =>
  z
    .string()
    .refine((text) => isBare(URL.parse(text), isAllowed), { error })
    .overwrite(withoutSlash);

/** An absolute address without path, query or password: HTTPS, or HTTP to this machine. */
export const address = () =>
  addressLike(
    ({ protocol, hostname, pathname }) =>
      pathname === '/' && (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))),
    'This is not an address such as https://api.example.com (HTTPS, or HTTP to this machine; no path, no password).',
  );

/** The same, but only HTTPS, and with or without a path. */
export const pageOrigin = () =>
  addressLike(
    ({ protocol }) => protocol === 'https:',
    'This is not an address such as https://bot.example.com or https://example.com/bot (HTTPS; no password).',
  );

/** An invalid address is left as it is, and refused. */
function withoutSlash(text: string): string {
  const url = URL.parse(text);
  return url === null ? text : `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

const isBare = (url: URL | null, isAllowed: (url: URL) => boolean): boolean =>
  url !== null && url.search + url.hash + url.username + url.password === '' && isAllowed(url);

/** `BASE/QUOTE`. */
export const symbol = () => word(/^[A-Z0-9]{1,20}\/[A-Z0-9]{1,20}$/, 'a symbol such as BTC/INR, in upper case');

export const asset = () => word(/^[A-Z0-9]{1,20}$/, 'an asset such as INR, in upper case');

export function timeZone() {
  return z.string().refine(isTimeZone, {
    error: (issue) => `${JSON.stringify(issue.input)} is not a time zone such as Asia/Kolkata.`,
  });
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The name of an environment variable, never its value. */
export const variableName = () => word(/^[A-Z_][A-Z0-9_]*$/, 'the name of an environment variable, in capitals');

/** The place of a secret; never the secret itself. */
export const secret = () =>
  z
    .union([
      z.strictObject({ environment: variableName().describe('Name of the environment variable that holds it.') }),
      z.strictObject({
        file: filled().describe(
          'A file of this one line, that belongs to you and has mode 0600, relative to the project root.',
        ),
      }),
    ])
    .meta({ expects: 'a secret: `{ file: … }`, `{ environment: … }`' });

export type SecretSection = z.output<ReturnType<typeof secret>>;
