// docs/errors.md: what each error means, what the program does about it, and what a person should look at.

import { ERROR_CODES, type ErrorCode, LEGACY_STATUSES, type Remedy } from '../error-codes.ts';
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
    'Repeating it as it is would be refused again. After `rejects.maxConsecutive` orders of a symbol refused for ' +
    'one reason the symbol rests for `rejects.pauseMs`, and a person is called.',
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

// What a person should look at after an error code, for docs/errors.md: the part that no program can do.

const THEIRS =
  "Their failure. If it lasts: the exchange's status page. Quotes that need the answer are pulled meanwhile.";
const OUR_BUG = 'The bot builds no such request: report it with the log.';
const KEY_PAGE = "The key on the exchange's page";

/** One sentence or two for each documented code. */
export const ADVICE: Readonly<Record<number, string>> = {
  [-1125]: "The exchange's announcements. Orders rest meanwhile at old prices, and cancels are answered the same.",
  [-1404]: "`venue.baseUrl`, then the exchange's announcements: the route may be switched off or have moved.",
  [-1000]: THEIRS,
  [-1001]: '`venue.apiKeyHeader` and `venue.signature.in`: the exchange did not find key or signature where it looks.',
  [-1003]: '`lanes`: lower `requestsPerSecond`. Does another program use the same key or the same address?',
  [-1009]: '`venue.baseUrl`, a proxy in between that changes requests, a change of the interface.',
  [-1015]: `${KEY_PAGE}: its IP whitelist, and the address this machine now goes out from.`,
  [-1021]: 'The clock of this machine (`timedatectl`), and how long requests take; last `assumptions.recvWindowMs`.',
  [-1022]: 'The secret first; then `venue.signature`: empty values, percent-encoding.',
  [-1023]: '`assumptions.recvWindowMs`: the exchange takes 1 to 60,000.',
  [-1102]: OUR_BUG,
  [-1103]: OUR_BUG,
  [-1104]: OUR_BUG,
  [-1105]: OUR_BUG,
  [-1106]: 'The clock of this machine: it may stand far from the present.',
  [-1107]: 'The clock of this machine, then the log: a window that ends before it begins, or is too long.',
  [-1108]: OUR_BUG,
  [-1109]: OUR_BUG,
  [-1111]: 'How the asset is written in the configuration.',
  [-1112]: OUR_BUG,
  [-1113]: 'Whether the exchange still takes LIMIT orders in this symbol.',
  [-1114]: "`tickSize` of the run, and the exchange's price limits: `./quotekeeper check` compares with the book.",
  [-1115]: '`lotSize` and `minNotional` of the run, and whether the wallet holds enough.',
  [-1121]: 'Whether the symbol is still traded: the list of symbols, the status of its assets.',
  [-1122]: 'Whether the asset is still listed, and how the configuration writes it.',
  [-1123]: 'How the symbol is written in the configuration: `BASE/QUOTE`, upper case.',
  [-1124]: "The order id in the log: it should be the exchange's own, `1-<number>-1`.",
  [-2003]: `${KEY_PAGE}: its permissions. The bot needs wallet, orders and trades.`,
  [-2004]: 'The account: is it closed, locked or not yet verified?',
  [-2015]: `${KEY_PAGE}: does it exist, has it expired, is it for this address and these actions?`,
  [-3000]: `${KEY_PAGE}, then the exchange's status page: it could not find out whose request it was.`,
  [-4001]: THEIRS,
  [-5001]: THEIRS,
  [-5002]: THEIRS,
  [-5003]: THEIRS,
  [-5004]: 'No documented endpoint answers with it: the interface may have changed.',
  [-5005]: THEIRS,
  [-5006]: THEIRS,
  [-5007]: THEIRS,
  [-5008]: THEIRS,
  [-5009]: THEIRS,
  [-5010]: THEIRS,
  [-5011]: THEIRS,
  [-5012]: THEIRS,
  [-5013]:
    'Orders that are *unknown* on the page. If every order ends so: funds, `tickSize`, `lotSize`; some exchanges ' +
    'answer a bad order with it.',
  [-5014]: "The open orders on the exchange's own page. It may only mean that the order had closed before.",
  [-5015]: THEIRS,
};
