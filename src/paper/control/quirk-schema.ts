// The quirks as a schema: what each may be and what it means, for the control interface, the configuration and the
// documents.
import { z } from 'zod';
import { DAY, HOUR } from '../../domain/time.ts';
import type { CreateRejection, ListOrder, NumberForm, PagePart, Quirks } from '../wire/quirks.ts';

const LIST_ORDERS: readonly ListOrder[] = ['newest-first', 'oldest-first', 'unordered'];
const PAGE_PARTS: readonly PagePart[] = ['oldest', 'newest'];
const NUMBER_FORMS: readonly NumberForm[] = ['number', 'string'];
const REJECTIONS: readonly CreateRejection[] = ['code', 'msg', 'failure'];

const lag = () => z.int().min(0).max(HOUR);
const cap = () => z.int().min(1).max(1_000).nullable();

/** What each quirk may be, where it is given. */
const QUIRKS = {
  emptyValues: z.enum(['skipped', 'included']).exactOptional().describe('Is an empty value signed, as `key=`?'),
  signedValues: z
    .enum(['raw', 'percent-encoded'])
    .exactOptional()
    .describe('The form in which query values are signed.'),
  signatureHeader: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, { error: 'the name of a header' })
    .nullable()
    .exactOptional()
    .describe('A header that may carry the signature instead of the query.'),
  cancelAllContentType: z
    .enum(['either', 'required', 'refused'])
    .exactOptional()
    .describe('Must cancel-all say `Content-Type: application/json`?'),
  recvWindowChecked: z
    .enum(['gate', 'both'])
    .exactOptional()
    .describe('Checks the timestamp of a create on arrival, or also at the book.'),
  matchingLagMs: lag().exactOptional().describe('Delay of a create, and of its answer, before it reaches the book.'),
  cancelLagMs: lag().exactOptional().describe('Delay of a cancel after its acknowledgment.'),
  creationsDuringCancel: z
    .enum(['land-after', 'canceled'])
    .exactOptional()
    .describe('Fate of delayed creates when a cancel by symbol or cancel-all reaches the book.'),
  openOrdersLagMs: lag().exactOptional().describe('How far open orders trail.'),
  tradesLagMs: lag().exactOptional().describe('How far own trades trail.'),
  walletLagMs: lag().exactOptional().describe('How far balances trail.'),
  transfersLagMs: lag().exactOptional().describe('How far deposits and withdrawals trail.'),
  cancelOfClosed: z
    .enum(['acknowledged', 'rejected'])
    .exactOptional()
    .describe(
      'A cancel of a closed order gets 200 `{msg}`, or 500 with -5014. ' +
        'The last 1,800 closed orders of an account are remembered.',
    ),
  insufficientFunds: z
    .enum(REJECTIONS)
    .exactOptional()
    .describe('A create without funds gets -1115, 200 `{msg}`, or 500 with -5013.'),
  offStep: z
    .enum(REJECTIONS)
    .exactOptional()
    .describe('The same off the tick (-1114), off the lot or below the minimum (-1115).'),
  tradeListOrder: z.enum(LIST_ORDERS).exactOptional().describe('Row order of trade lists.'),
  transferListOrder: z.enum(LIST_ORDERS).exactOptional().describe('Row order of deposits and withdrawals.'),
  fromIdPage: z.enum(PAGE_PARTS).exactOptional().describe('Rows that a page from `fromId` holds when more qualify.'),
  tradePage: z.enum(PAGE_PARTS).exactOptional().describe('The same without `fromId`.'),
  transferPage: z.enum(PAGE_PARTS).exactOptional().describe('The same for deposits and withdrawals.'),
  openOrdersCap: cap().exactOptional().describe('Most open orders shown, the oldest first.'),
  listCap: cap().exactOptional().describe('Most rows of any list, whatever `limit` says.'),
  lockedIncludes: z
    .enum(['all', 'trading'])
    .exactOptional()
    .describe('Does `locked` include `lockedStaking` and `lockedOtc`?'),
  historyWindowMs: z
    .int()
    .min(1)
    .max(366 * DAY)
    .exactOptional()
    .describe('How far back lists reach that are not historical.'),
  archiveHolds: z
    .enum(['older', 'everything'])
    .exactOptional()
    .describe('Do historical lists begin where the others end, or hold everything?'),
  codeAs: z.enum(NUMBER_FORMS).exactOptional().describe("Type of an error's `code`."),
  tradeIdAs: z.enum(NUMBER_FORMS).exactOptional().describe("Type of a trade's `id`."),
  timeAs: z.enum(NUMBER_FORMS).exactOptional().describe('Type of times that the specification writes as numbers.'),
  rateHeaders: z
    .enum(['always', 'when-throttled', 'never'])
    .exactOptional()
    .describe('When rate-limit headers are sent.'),
  retryAfter: z.enum(['seconds', 'date', 'missing']).exactOptional().describe('Form of `Retry-After` with 429.'),
  orderBookCap: cap().exactOptional().describe('Most levels on a side of a book, whatever `limit` says.'),
  tickerTimeUnit: z.enum(['ms', 's']).exactOptional().describe("Unit of a ticker's time."),
  publicTradeOffsetMs: z
    .int()
    .min(-DAY)
    .max(DAY)
    .exactOptional()
    .describe('Added to the time of a public trade; 19800000 is Indian time written as UTC.'),
  legacyPaths: z
    .enum(['versioned', 'sample', 'both'])
    .exactOptional()
    .describe('Legacy depth and trades at `/api/v2/…`, `/api/…`, or both.'),
  legacyTradeZone: z.enum(['+05:30', 'UTC']).exactOptional().describe("Zone of a legacy trade's `created_at`."),
  legacyRateLimit: z
    .enum(['shared', 'separate'])
    .exactOptional()
    .describe('Do legacy requests count against the public limit?'),
  legacyErrorBody: z.enum(['json', 'text', 'empty']).exactOptional().describe('Body of a legacy error.'),
} satisfies { readonly [Name in keyof Quirks]: z.ZodExactOptional<z.ZodType<Quirks[Name]>> };

type QuirkName = keyof Quirks;

/** In the order of the table above. */
export const QUIRK_NAMES = Object.keys(QUIRKS) as readonly QuirkName[];

export function isQuirkName(name: string): name is QuirkName {
  return Object.hasOwn(QUIRKS, name);
}

/** Any of the quirks; what is left out stays as it is. */
export const quirkChangesSchema = z.strictObject(QUIRKS);

/** What a quirk means. */
export function quirkSentence(name: QuirkName): string {
  return QUIRKS[name].description ?? '';
}

/** What it may be, as a person reads it: `number`, `string`; `0 to 3600000`. */
export function quirkChoices(name: QuirkName): string {
  return choicesOf(z.toJSONSchema(QUIRKS[name].unwrap()));
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

/** A quirk as a command line gives it: `name=value`, the value as it would stand in JSON, or as it is. */
export function quirkOfText(text: string): unknown {
  return text === 'null' || /^-?\d+$/.test(text) ? JSON.parse(text) : text;
}
