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

/** A quirk's value by the specification in its plainest reading, its values, and its meaning. */
const quirk = <Schema extends z.ZodType>(spec: z.output<Schema>, schema: Schema, meaning: string) => ({
  spec,
  schema: schema.describe(meaning),
});

const QUIRKS = {
  emptyValues: quirk('skipped', z.enum(['skipped', 'included']), 'Is an empty value signed, as `key=`?'),
  signedValues: quirk('raw', z.enum(['raw', 'percent-encoded']), 'The form in which query values are signed.'),
  signatureHeader: quirk(
    null,
    z
      .string()
      .regex(/^[A-Za-z0-9-]{1,64}$/, { error: 'the name of a header' })
      .nullable(),
    'A header that may carry the signature instead of the query.',
  ),
  cancelAllContentType: quirk(
    'either',
    z.enum(['either', 'required', 'refused']),
    'Must cancel-all say `Content-Type: application/json`?',
  ),
  recvWindowChecked: quirk(
    'gate',
    z.enum(['gate', 'both']),
    'Checks the timestamp of a create on arrival, or also at the book.',
  ),
  matchingLagMs: quirk(0, lag(), 'Delay of a create, and of its answer, before it reaches the book.'),
  cancelLagMs: quirk(0, lag(), 'Delay of a cancel after its acknowledgment.'),
  creationsDuringCancel: quirk(
    'land-after',
    z.enum(['land-after', 'canceled']),
    'Fate of delayed creates when a cancel by symbol or cancel-all reaches the book.',
  ),
  openOrdersLagMs: quirk(0, lag(), 'How far open orders trail.'),
  tradesLagMs: quirk(0, lag(), 'How far own trades trail.'),
  walletLagMs: quirk(0, lag(), 'How far balances trail.'),
  transfersLagMs: quirk(0, lag(), 'How far deposits and withdrawals trail.'),
  cancelOfClosed: quirk(
    'acknowledged',
    z.enum(['acknowledged', 'rejected']),
    'A cancel of a closed order gets 200 `{msg}`, or 500 with -5014. ' +
      'The last 1,800 closed orders of an account are remembered.',
  ),
  insufficientFunds: quirk(
    'msg',
    rejectionForm(),
    'A create without funds gets -1115, 200 `{msg}`, or 500 with -5013.',
  ),
  offStep: quirk('code', rejectionForm(), 'The same off the tick (-1114), off the lot or below the minimum (-1115).'),
  tradeListOrder: quirk('newest-first', listOrder(), 'Row order of trade lists.'),
  transferListOrder: quirk('newest-first', listOrder(), 'Row order of deposits and withdrawals.'),
  fromIdPage: quirk('oldest', pagePart(), 'Rows that a page from `fromId` holds when more qualify.'),
  tradePage: quirk('newest', pagePart(), 'The same without `fromId`.'),
  transferPage: quirk('newest', pagePart(), 'The same for deposits and withdrawals.'),
  openOrdersCap: quirk(null, cap(), 'Most open orders shown, the oldest first.'),
  listCap: quirk(null, cap(), 'Most rows of any list, even if `limit` is higher.'),
  lockedIncludes: quirk('all', z.enum(['all', 'trading']), 'Does `locked` include `lockedStaking` and `lockedOtc`?'),
  historyWindowMs: quirk(
    7 * DAY,
    z
      .int()
      .min(1)
      .max(366 * DAY),
    'How far back lists reach, except historical ones.',
  ),
  archiveHolds: quirk(
    'older',
    z.enum(['older', 'everything']),
    'Do historical lists begin where the others end, or hold everything?',
  ),
  codeAs: quirk('number', numberForm(), "Type of an error's `code`."),
  tradeIdAs: quirk('number', numberForm(), "Type of a trade's `id`."),
  timeAs: quirk('number', numberForm(), 'Type of times that the specification writes as numbers.'),
  rateHeaders: quirk('always', z.enum(['always', 'when-throttled', 'never']), 'When rate-limit headers are sent.'),
  retryAfter: quirk('seconds', z.enum(['seconds', 'date', 'missing']), 'Form of `Retry-After` with 429.'),
  orderBookCap: quirk(null, cap(), 'Most levels on a side of a book, even if `limit` is higher.'),
  tickerTimeUnit: quirk('ms', z.enum(['ms', 's']), "Unit of a ticker's time."),
  publicTradeOffsetMs: quirk(
    0,
    z.int().min(-DAY).max(DAY),
    'Added to the time of a public trade; 19800000 is Indian time written as UTC.',
  ),
  legacyPaths: quirk(
    'versioned',
    z.enum(['versioned', 'sample', 'both']),
    'Legacy depth and trades at `/api/v2/…`, `/api/…`, or both.',
  ),
  legacyTradeZone: quirk('+05:30', z.enum(['+05:30', 'UTC']), "Zone of a legacy trade's `created_at`."),
  legacyRateLimit: quirk(
    'shared',
    z.enum(['shared', 'separate']),
    'Do legacy requests count against the public limit?',
  ),
};

export type QuirkName = keyof typeof QUIRKS;
export type Quirks = { readonly [Name in QuirkName]: z.output<(typeof QUIRKS)[Name]['schema']> };
/** The refusal of a create that passed the gate. */
export type CreateRejection = Quirks['offStep'];

/** In the order of the table above. */
export const QUIRK_NAMES = Object.keys(QUIRKS) as readonly QuirkName[];

export function isQuirkName(name: string): name is QuirkName {
  return Object.hasOwn(QUIRKS, name);
}

/** Changes to any of the quirks; absent ones stay as they are. */
export const quirkChangesSchema = z.strictObject(
  Object.fromEntries(QUIRK_NAMES.map((name) => [name, QUIRKS[name].schema.exactOptional()])) as {
    [Name in QuirkName]: z.ZodExactOptional<(typeof QUIRKS)[Name]['schema']>;
  },
);

/** A quirk's meaning. */
export function quirkSentence(name: QuirkName): string {
  return QUIRKS[name].schema.description ?? '';
}

/** The allowed values, for people: `number`, `string`; `0 to 3600000`. */
export function quirkChoices(name: QuirkName): string {
  return choicesOf(z.toJSONSchema(QUIRKS[name].schema));
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
export const SPEC_QUIRKS = Object.fromEntries(QUIRK_NAMES.map((name) => [name, QUIRKS[name].spec])) as Quirks;

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
