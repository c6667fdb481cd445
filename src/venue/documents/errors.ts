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
    LEGACY,
    markdownTable(['HTTP', 'meaning', 'the program'], LEGACY_STATUSES.map(legacyCells)),
  ].join('\n');
}

const HEAD = `# Errors

This file is made from \`src/venue/error-codes.ts\` by \`npm run generate\`; change that. The current interface answers
an error with an HTTP status and \`{"code": <negative integer>, "msg": <text>}\`; a code that comes as text counts as
well. The program goes by status and code, never by the text. Which endpoint can answer with which code is in
[openapi.json](openapi.json).

## What the program does
`;

const REMEDIES: Readonly<Record<Remedy, string>> = {
  retry:
    'Nothing was wrong with the request. A read is asked again, later each time it fails; a cancel is sent again; ' +
    'an order is never sent twice.',
  'sync-clock':
    "Forgets its estimate of the exchange's clock and makes a new one. Signed requests rest, 1 s at first and " +
    'twice as long each time, up to a minute; the third refusal in a row calls a person.',
  'fix-request':
    'Repeating it as it is would be refused again. After three orders of a symbol refused for ' +
    'one reason the symbol rests for five minutes, and a person is called.',
  'stop-symbol':
    "An order that is refused so halts its symbol: the symbol's orders are canceled and nothing is placed until a " +
    'person starts the program with `--resume`.',
  'stop-all':
    'Something is wrong with every request. Signed ones rest as after *sync-clock*, no order is placed, the third ' +
    'refusal in a row calls a person. At the start it ends the program with exit code 78.',
};

const CODES = `Whatever the code: after 429, 503 and 504 the lane waits for \`Retry-After\`, else with exponential
backoff. After the third row of 429s it goes at the pace that the exchange took meanwhile (decision
[0030](decisions/0030-lane-pace.md)).

## The codes

**No order** says what the answer proves when it answers a create. *proved*: no order came to be, its place is free at
once. *open*: the order may exist; it counts as exposure and is looked for until it is found or its absence is proved.
`;

const EXCEPTIONS = `## Success that is none, failure that is none
`;

/** An answer, what it means, and what the program does. */
const EXCEPTIONAL_ANSWERS: readonly (readonly string[])[] = [
  [
    'create: 200 with `{data:{order_id}}`',
    'the order is accepted; it may be filled already',
    'looks for it in the lists',
  ],
  [
    'create: 200 with `{msg}` alone',
    'turned down by downstream risk checks',
    'is not believed at once: the order is looked for until it could no longer be accepted and would show, then its ' +
      'place is free',
  ],
  [
    'create: 429 with -1003',
    'too many requests, said before the order is looked at',
    'looks for it until it could no longer be accepted, and once after that; then its place is free. The symbol does ' +
      'not rest for it: the lane does',
  ],
  ['create: 429 without that code', 'a gateway may have said it', 'as 200 with `{msg}` alone'],
  [
    'create: 500 with -5013',
    'the documented failure; proves nothing',
    'unknown: looked for until found or proved absent',
  ],
  [
    'cancel, cancel-symbol, cancel-all: 200 with `{msg}`',
    'acknowledged',
    'reads lists and trades: the answer does not say how much had filled',
  ],
  [
    'cancel, cancel-symbol, cancel-all: 500 with -5014',
    'failed, or there was nothing to cancel',
    'unknown: looks again, cancels what is still listed',
  ],
  [
    'of all: a code that is not in the table, no JSON, no answer',
    'nothing',
    'a read failed; a create or cancel is unknown',
  ],
];

const LEGACY = `## The legacy interface

It has statuses only; the format of its error bodies is not documented. It is public: none of these concerns an order.
`;

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

function legacyCells({ status, meaning, retry }: (typeof LEGACY_STATUSES)[number]): readonly string[] {
  return [String(status), meaning, retry ? 'asks again, later each time' : 'counts it as a failed read'];
}
