// docs/errors.md: what each error means, what the program does about it, and what a person should look at.

import { ERROR_CODES, type ErrorCode, LEGACY_STATUSES, type Remedy } from '../error-codes.ts';
import { ADVICE } from './error-advice.ts';
import { markdownTable } from './table.ts';

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

Made from \`src/venue/error-codes.ts\` by \`npm run generate\`. The current interface answers an error with an HTTP
status and \`{"code": <negative integer>, "msg": <text>}\`. The program goes by status and code, never by the text.
[openapi.json](openapi.json) says which endpoint answers with which code.

## What the program does
`;

const REMEDIES: Readonly<Record<Remedy, string>> = {
  retry: 'Asks again: a read later each time, a cancel again. It never sends an order twice.',
  'sync-clock':
    "Estimates the exchange's clock anew. Signed requests pause, 1 s at first, doubled up to a minute; the third " +
    'refusal in a row calls you.',
  'fix-request':
    'Rests the symbol for `rejects.pauseMs` after `rejects.maxConsecutive` orders refused for one reason, and calls ' +
    'you.',
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

/** An answer, what it means, and what the program does. */
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

/** Statuses of the legacy interface that the program asks again after, or not. */
const legacyStatuses = (isRetried: boolean): string =>
  LEGACY_STATUSES.filter(({ retry }) => retry === isRetried)
    .map(({ status, meaning }) => `${status} (${meaning.replace(/\.$/, '')})`)
    .join(', ');

const LEGACY = `## The legacy interface

It is public, and answers with statuses only; the format of its error bodies is not documented. The program asks again
after ${legacyStatuses(true)}.
It counts ${legacyStatuses(false)} as
a failed read.`;

function cellsOf({ code, status, meaning, remedy, provesNotCreated }: ErrorCode): readonly string[] {
  return [
    `\`${code}\``,
    String(status),
    meaning,
    `*${remedy}*`,
    provesNotCreated ? 'proved' : 'open',
    ADVICE[code] ?? '',
  ];
}
