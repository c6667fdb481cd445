// Choices where the specification is silent or the service was seen to differ: each by name, with its values and its
// meaning. The control interface, the configuration and the documents take them from here.
import { z } from 'zod';
import { DAY, type DurationMs, HOUR, MINUTE } from '../../domain/time.ts';

const lag = () => z.int().min(0).max(HOUR);
const cap = () => z.int().min(1).max(1_000).nullable();
const listOrder = () => z.enum(['newest-first', 'oldest-first', 'unordered']);
const pagePart = () => z.enum(['oldest', 'newest']);
const numberForm = () => z.enum(['number', 'string']);
/** A documented code, 200 `{msg}`, or 500 with -5013. */
const rejectionForm = () => z.enum(['code', 'msg', 'failure']);

const QUIRKS = {
  emptyValues: z.enum(['skipped', 'included']).describe('Is an empty value signed, as `key=`?'),
  signedValues: z.enum(['raw', 'percent-encoded']).describe('The form in which query values are signed.'),
  signatureHeader: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, { error: 'the name of a header' })
    .nullable()
    .describe('A header that may carry the signature instead of the query.'),
  cancelAllContentType: z
    .enum(['either', 'required', 'refused'])
    .describe('Must cancel-all say `Content-Type: application/json`?'),
  recvWindowChecked: z
    .enum(['gate', 'both'])
    .describe('Checks the timestamp of a create on arrival, or also at the book.'),
  matchingLagMs: lag().describe('Delay of a create, and of its answer, before it reaches the book.'),
  cancelLagMs: lag().describe('Delay of a cancel after its acknowledgment.'),
  creationsDuringCancel: z
    .enum(['land-after', 'canceled'])
    .describe('Fate of delayed creates when a cancel by symbol or cancel-all reaches the book.'),
  openOrdersLagMs: lag().describe('How far open orders trail.'),
  tradesLagMs: lag().describe('How far own trades trail.'),
  walletLagMs: lag().describe('How far balances trail.'),
  transfersLagMs: lag().describe('How far deposits and withdrawals trail.'),
  cancelOfClosed: z
    .enum(['acknowledged', 'rejected'])
    .describe(
      'A cancel of a closed order gets 200 `{msg}`, or 500 with -5014. ' +
        'The last 1,800 closed orders of an account are remembered.',
    ),
  insufficientFunds: rejectionForm().describe('A create without funds gets -1115, 200 `{msg}`, or 500 with -5013.'),
  offStep: rejectionForm().describe('The same off the tick (-1114), off the lot or below the minimum (-1115).'),
  tradeListOrder: listOrder().describe('Row order of trade lists.'),
  transferListOrder: listOrder().describe('Row order of deposits and withdrawals.'),
  fromIdPage: pagePart().describe('Rows that a page from `fromId` holds when more qualify.'),
  tradePage: pagePart().describe('The same without `fromId`.'),
  transferPage: pagePart().describe('The same for deposits and withdrawals.'),
  openOrdersCap: cap().describe('Most open orders shown, the oldest first.'),
  listCap: cap().describe('Most rows of any list, even if `limit` is higher.'),
  lockedIncludes: z.enum(['all', 'trading']).describe('Does `locked` include `lockedStaking` and `lockedOtc`?'),
  historyWindowMs: z
    .int()
    .min(1)
    .max(366 * DAY)
    .describe('How far back lists reach, except historical ones.'),
  archiveHolds: z
    .enum(['older', 'everything'])
    .describe('Do historical lists begin where the others end, or hold everything?'),
  codeAs: numberForm().describe("Type of an error's `code`."),
  tradeIdAs: numberForm().describe("Type of a trade's `id`."),
  timeAs: numberForm().describe('Type of times that the specification writes as numbers.'),
  rateHeaders: z.enum(['always', 'when-throttled', 'never']).describe('When rate-limit headers are sent.'),
  retryAfter: z.enum(['seconds', 'date', 'missing']).describe('Form of `Retry-After` with 429.'),
  orderBookCap: cap().describe('Most levels on a side of a book, even if `limit` is higher.'),
  tickerTimeUnit: z.enum(['ms', 's']).describe("Unit of a ticker's time."),
  publicTradeOffsetMs: z
    .int()
    .min(-DAY)
    .max(DAY)
    .describe('Added to the time of a public trade; 19800000 is Indian time written as UTC.'),
  legacyPaths: z
    .enum(['versioned', 'sample', 'both'])
    .describe('Legacy depth and trades at `/api/v2/…`, `/api/…`, or both.'),
  legacyTradeZone: z.enum(['+05:30', 'UTC']).describe("Zone of a legacy trade's `created_at`."),
  legacyRateLimit: z.enum(['shared', 'separate']).describe('Do legacy requests count against the public limit?'),
};

export type QuirkName = keyof typeof QUIRKS;
export type Quirks = { readonly [Name in QuirkName]: z.output<(typeof QUIRKS)[Name]> };
/** The refusal of a create that passed the gate. */
export type CreateRejection = Quirks['offStep'];

/** In the order of the table above. */
export const QUIRK_NAMES = Object.keys(QUIRKS) as readonly QuirkName[];

export function isQuirkName(name: string): name is QuirkName {
  return Object.hasOwn(QUIRKS, name);
}

/** Changes to any of the quirks; absent ones stay as they are. */
export const quirkChangesSchema = z.strictObject(
  Object.fromEntries(QUIRK_NAMES.map((name) => [name, QUIRKS[name].exactOptional()])) as {
    [Name in QuirkName]: z.ZodExactOptional<(typeof QUIRKS)[Name]>;
  },
);

/** A quirk's meaning. */
export function quirkSentence(name: QuirkName): string {
  return QUIRKS[name].description ?? '';
}

/** The allowed values, for people: `number`, `string`; `0 to 3600000`. */
export function quirkChoices(name: QuirkName): string {
  return choicesOf(z.toJSONSchema(QUIRKS[name]));
}

function choicesOf(schema: z.core.JSONSchema._JSONSchema): string {
  if (typeof schema === 'boolean') return 'anything';
  if (schema.anyOf) return schema.anyOf.map(choicesOf).join(' or ');
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  switch (schema.type) {
    case 'integer':
      return `${schema.minimum} to ${schema.maximum}`;
    case 'null':
      return '`null`';
    default:
      return 'text';
  }
}

/** A quirk from a command line: `name=value`, with the value as JSON or as plain text. */
export function quirkOfText(text: string): unknown {
  return text === 'null' || /^-?\d+$/.test(text) ? JSON.parse(text) : text;
}

/** The specification, in its plainest reading where it leaves a choice. */
export const SPEC_QUIRKS: Quirks = {
  emptyValues: 'skipped',
  signedValues: 'raw',
  signatureHeader: null,
  cancelAllContentType: 'either',
  recvWindowChecked: 'gate',
  matchingLagMs: 0,
  cancelLagMs: 0,
  creationsDuringCancel: 'land-after',
  openOrdersLagMs: 0,
  tradesLagMs: 0,
  walletLagMs: 0,
  transfersLagMs: 0,
  cancelOfClosed: 'acknowledged',
  insufficientFunds: 'msg',
  offStep: 'code',
  tradeListOrder: 'newest-first',
  transferListOrder: 'newest-first',
  fromIdPage: 'oldest',
  tradePage: 'newest',
  transferPage: 'newest',
  openOrdersCap: null,
  listCap: null,
  lockedIncludes: 'all',
  historyWindowMs: 7 * DAY,
  archiveHolds: 'older',
  codeAs: 'number',
  tradeIdAs: 'number',
  timeAs: 'number',
  rateHeaders: 'always',
  retryAfter: 'seconds',
  orderBookCap: null,
  tickerTimeUnit: 'ms',
  publicTradeOffsetMs: 0,
  legacyPaths: 'versioned',
  legacyTradeZone: '+05:30',
  legacyRateLimit: 'shared',
};

/** India's wall time against UTC. */
export const INDIA_OFFSET_MS: DurationMs = 330 * MINUTE;

/** As observed on a live service (field notes N2–N5); the rest as specified. */
export const FIELD_QUIRKS: Quirks = {
  ...SPEC_QUIRKS,
  codeAs: 'string',
  orderBookCap: 20,
  tickerTimeUnit: 's',
  publicTradeOffsetMs: INDIA_OFFSET_MS,
};
