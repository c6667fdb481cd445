// What can befall a request and its answer on their way: the kinds of fault, their parameters, and what each stands
// for.
import { z } from 'zod';

const HOUR_MS = 3_600_000;
/** Most bytes of one answer that a fault makes up. */
const BODY_MAX_BYTES = 200_000_000;

const ms = () => z.int().min(0).max(HOUR_MS);
const byte = () => z.int().min(0).max(1_000_000_000);
const framing = () =>
  z
    .enum(['content-length', 'chunked', 'until-close'])
    .describe('How the answer says where it ends; with `until-close` only the end of the connection does.');

/** Every fault can hold the request back before the exchange gets it, and the answer after. */
const held = {
  beforeMs: ms().default(0).describe('Hold the request back for so long; it arrives even if its sender gives up.'),
  afterMs: ms().default(0).describe('Hold the answer back for so long.'),
};
/** Names of what every fault takes. */
export const COMMON_FAULT_FIELDS: readonly string[] = Object.keys(held);
const processed = (standard: boolean) =>
  z.boolean().default(standard).describe('Whether the exchange gets the request.');
/** Names and values that HTTP can carry; `null` takes away a header that the exchange would send. */
const headers = () =>
  z
    .record(
      z
        .string()
        .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, { error: 'the name of a header' })
        .refine((name) => name.toLowerCase() !== 'transfer-encoding', { error: 'one of those: `framing` sets it' }),
      z
        .string()
        .regex(/^[\t\x20-\x7e\x80-\xff]{0,4000}$/, { error: 'the value of a header' })
        .nullable(),
    )
    .default({})
    .describe('Headers beside those of the exchange; `null` takes one away.');
const text = () => z.string().max(100_000);

const drop = z.strictObject({
  kind: z.literal('drop'),
  processed: processed(true),
  ...held,
});
const reset = z
  .strictObject({
    kind: z.literal('reset'),
    processed: processed(true),
    atByte: byte()
      .nullable()
      .default(null)
      .describe('Reset after so many bytes of the body; `null` resets before any byte of the answer.'),
    ...held,
  })
  .refine((fault) => fault.processed || fault.atByte === null, {
    path: ['atByte'],
    error: 'must be null where the request is not processed: there is no body then',
  });
const delay = z.strictObject({ kind: z.literal('delay'), ...held });
const duplicate = z.strictObject({
  kind: z.literal('duplicate'),
  gapMs: ms().default(0).describe('How much later the second copy arrives.'),
  ...held,
});
const status = z.strictObject({
  kind: z.literal('status'),
  status: z.int().min(200).max(599).describe('The HTTP status of the answer.'),
  body: text().default('').describe('The body of the answer.'),
  headers: headers(),
  processed: processed(false),
  ...held,
});
const body = z
  .strictObject({
    kind: z.literal('body'),
    body: text().describe('Text instead of the body that the exchange gave; status and headers stay.'),
    repeat: z.int().min(1).max(BODY_MAX_BYTES).default(1).describe('The text so many times over, 200 MB at most.'),
    headers: headers(),
    processed: processed(true),
    framing: framing().default('content-length'),
    ...held,
  })
  .refine((fault) => fault.body.length * fault.repeat <= BODY_MAX_BYTES, {
    path: ['repeat'],
    error: `must leave the body under ${BODY_MAX_BYTES} characters`,
  });
const truncate = z.strictObject({
  kind: z.literal('truncate'),
  atByte: byte().describe('So many bytes of the body are sent.'),
  framing: framing().default('content-length'),
  ending: z
    .enum(['close', 'hold'])
    .default('close')
    .describe('Then the connection is closed, or nothing more comes while it stays open.'),
  ...held,
});
const drip = z.strictObject({
  kind: z.literal('drip'),
  bytes: z.int().min(1).max(1_000_000).default(1).describe('So many bytes of the body at a time …'),
  everyMs: z.int().min(1).max(HOUR_MS).default(200).describe('… and so long between two times.'),
  ...held,
});

export const deliveryFaultSchema = z.discriminatedUnion('kind', [
  drop,
  reset,
  delay,
  duplicate,
  status,
  body,
  truncate,
  drip,
]);

/** All parameters written out. */
export type DeliveryFault = z.output<typeof deliveryFaultSchema>;
type DeliveryFaultKind = DeliveryFault['kind'];

/** One line of the documentation's table of faults. */
interface FaultSentence {
  readonly does: string;
  /** The faults of the catalogue (F01–F111) that it stands for. */
  readonly standsFor: string;
}

export const FAULT_SENTENCES: Readonly<Record<DeliveryFaultKind, FaultSentence>> = {
  drop: {
    does: 'The connection is closed without an answer, with the request done (`processed`) or not.',
    standsFor: 'F01, F23; F78 with `"processed": false`',
  },
  reset: {
    does: 'The connection is reset (RST) before any byte of the answer, or after `atByte` bytes of its body.',
    standsFor: 'F01, F23, F73; F08 with `"processed": false`, as far as a server can',
  },
  delay: {
    does: 'The request arrives `beforeMs` late, its answer comes another `afterMs` late.',
    standsFor: 'F09; F10 with `beforeMs` beyond the recvWindow',
  },
  duplicate: {
    does: 'The same bytes arrive twice, `gapMs` apart; the answer is that to the first.',
    standsFor: 'F11',
  },
  status: {
    does: 'An answer of your own: `status`, `headers`, `body`; the request is done only with `"processed": true`.',
    standsFor: 'F02 (504 with HTML), F03 (503 with Retry-After), F18, F75 (403, 418), F77 (301 with `location`), F82',
  },
  body: {
    does: 'The answer of the exchange with another `body`, `headers` added or taken away.',
    standsFor: 'F05, F07, F19, F75 (`content-type: text/html`), F76 (`content-length`, `content-encoding`, `repeat`)',
  },
  truncate: {
    does:
      'Only the first `atByte` bytes of the body come, ' +
      'then the end of the connection, or nothing (`"ending": "hold"`).',
    standsFor: 'F04 with any `framing`; F74 with `"ending": "hold"`',
  },
  drip: {
    does: 'The body comes slowly: `bytes` at a time, `everyMs` apart.',
    standsFor: 'F74',
  },
};
