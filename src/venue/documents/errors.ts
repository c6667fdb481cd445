// docs/errors.md: each error's meaning, the program's reaction, and hints for people.
import { ERROR_CODES, type ErrorCode, LEGACY_STATUSES, provesNotCreated } from '../dialect.ts';
import { type Remedy, remedyOf } from '../refusals.ts';
import { markdownTable } from './interface.ts';

/** The whole document, ending in a line feed. */
export function errorsDocument(): string {
  return [
    HEAD,
    markdownTable(
      ['called', 'what the program does'],
      Object.entries(REMEDIES).map(([name, words]) => [`*${name}*`, words]),
    ),
    CODES,
    markdownTable(['code', 'HTTP', 'meaning', 'the program', 'no order', 'look at'], ERROR_CODES.map(cellsOf)),
    EXCEPTIONS,
    markdownTable(['answer', 'what it means', 'the program'], EXCEPTIONAL_ANSWERS),
    `${LEGACY}\n`,
  ].join('\n');
}

const HEAD = `# Errors

Made from \`src/venue/dialect.ts\` by \`npm run generate\`. The current interface answers an error with an HTTP
status and \`{"code": <negative integer>, "msg": <text>}\`. The program goes by status and code, never by the text.
[openapi.json](openapi.json) says which endpoint answers with which code.

## What the program does
`;

const REMEDIES: Readonly<Record<Remedy, string>> = {
  retry: 'Asks again: a read later each time, a cancel again. It never sends an order twice.',
  'sync-clock':
    "Estimates the exchange's clock anew. Signed requests pause, 1 s at first, doubled up to a minute; the third " +
    'refusal in a row calls you.',
  'fix-request': 'Rests the symbol for five minutes after three orders refused for one reason, and calls you.',
  'stop-symbol': 'Halts the symbol of a refused order: cancels its orders and places none until you resume it.',
  'stop-all':
    'Pauses signed requests as after *sync-clock* and places no order; the third refusal in a row calls you. A start ' +
    'ends with exit code 78.',
};

const CODES = `After 429, 503 and 504 the lane waits for \`Retry-After\`, or by exponential backoff; after a third row
of 429s it slows down ([0030](decisions/0030-lane-pace.md)).

## The codes

**No order** says what the answer to a create proves. *proved*: no order exists, its place is free at once. *open*: the
order may exist; it counts as exposure until it is found or proved absent.

**Look at:** "Their side" is the exchange's status page, if it lasts; quotes that need the answer are pulled meanwhile.
"Our bug": the bot builds no such request; report it with the log.
`;

const EXCEPTIONS = `## Success that is none, failure that is none
`;

/** An answer, its meaning, and what the program does. */
const EXCEPTIONAL_ANSWERS: readonly (readonly string[])[] = [
  ['create: 200 with `{data:{order_id}}`', 'accepted, perhaps filled already', 'looks for it in the lists'],
  [
    'create: 200 with `{msg}` alone',
    'refused by downstream risk checks',
    'does not believe it: looks for the order until it could no longer be accepted and would show',
  ],
  [
    'create: 429 with -1003',
    'too many requests, before the order was looked at',
    'looks for it until it could no longer be accepted, and once more; the lane waits, not the symbol',
  ],
  ['create: 429 without that code', 'perhaps from a gateway', 'as 200 with `{msg}` alone'],
  ['create: 500 with -5013', 'failed; proves nothing', 'unknown: looks until it is found or proved absent'],
  [
    'cancel, cancel-symbol, cancel-all: 200 with `{msg}`',
    'acknowledged',
    'reads lists and trades: the answer does not say how much had filled',
  ],
  [
    'cancel, cancel-symbol, cancel-all: 500 with -5014',
    'failed, or nothing to cancel',
    'unknown: looks again, cancels orders that are still listed',
  ],
  ['any: an unknown code, no JSON, no answer', 'nothing', 'a read failed; a create or cancel is unknown'],
];

/** Legacy statuses that the program retries after, or those that it doesn't. */
const legacyStatuses = (isRetried: boolean): string =>
  LEGACY_STATUSES.filter(({ retry }) => retry === isRetried)
    .map(({ status, meaning }) => `${status} (${meaning.replace(/\.$/, '')})`)
    .join(', ');

const LEGACY = `## The legacy interface

It is public, and answers with statuses only; the format of its error bodies is not documented. The program asks again
after ${legacyStatuses(true)}.
It counts ${legacyStatuses(false)} as
a failed read.`;

function cellsOf(entry: ErrorCode): readonly string[] {
  const { code, status, meaning, kind } = entry;
  return [
    `\`${code}\``,
    String(status),
    meaning,
    `*${remedyOf(kind)}*`,
    provesNotCreated(entry) ? 'proved' : 'open',
    adviceOf(entry),
  ];
}

// Where a person should look after an error code, for docs/errors.md, which explains the first two.

const KEY_PAGE = "The key on the exchange's page";

/** One or two sentences for a code. */
export function adviceOf({ code, kind }: ErrorCode): string {
  return ADVICE[code] ?? (remedyOf(kind) === 'retry' ? 'Their side.' : 'Our bug.');
}

const ADVICE: Readonly<Record<number, string>> = {
  [-1125]: "The exchange's announcements. Own orders rest at old prices; cancels get the same answer.",
  [-1404]: "`venue.baseUrl`, then the exchange's announcements: the route may have moved.",
  [-1001]: '`venue.apiKeyHeader` and `venue.signature`: where the exchange looks for key and signature.',
  [-1003]: 'Does another program use the key or the address? Else lower `requestsPerSecond` of the lane.',
  [-1009]: '`venue.baseUrl`, a proxy that changes requests, a change of the interface.',
  [-1015]: `${KEY_PAGE}: its IP whitelist, against the address of this machine.`,
  [-1021]: "This machine's clock (`timedatectl`), slow requests, then `assumptions.recvWindowMs`.",
  [-1022]: 'The secret first; then `venue.signature`: empty values, percent-encoding.',
  [-1023]: '`assumptions.recvWindowMs`: the exchange takes 1 to 60,000.',
  [-1106]: "This machine's clock.",
  [-1107]: "This machine's clock, then the log: a window too long, or reversed.",
  [-1111]: 'How the configuration spells the asset.',
  [-1113]: 'Does the exchange still take LIMIT orders in this symbol?',
  [-1114]: "`tickSize`, and the exchange's price limits: `./quotekeeper check` compares with the book.",
  [-1115]: '`lotSize`, `minNotional`, and whether the wallet holds enough.',
  [-1121]: 'Is the symbol still traded? The list of symbols, the status of its assets.',
  [-1122]: 'Is the asset still listed, and spelled right in the configuration?',
  [-1123]: 'How the configuration spells the symbol: `BASE/QUOTE`, upper case.',
  [-1124]: "The order id in the log: it should be the exchange's, `1-<number>-1`.",
  [-2003]: `${KEY_PAGE}: its permissions. The bot needs wallet, orders and trades.`,
  [-2004]: 'The account: is it closed, locked or not yet verified?',
  [-2015]: `${KEY_PAGE}: does it exist, has it expired, is it for this address and these actions?`,
  [-3000]: `${KEY_PAGE}, then the exchange's status page.`,
  [-5004]: 'A change of the interface: no documented endpoint answers with it.',
  [-5013]: '*Unknown* orders on the page. If every order ends so: funds, `tickSize`, `lotSize`.',
  [-5014]: "Open orders on the exchange's page; perhaps the order had closed before.",
};
