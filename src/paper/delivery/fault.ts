// Faults of a request and its answer in transit: their kinds, parameters and meanings.
import { z } from 'zod';
import { HOUR } from '../../domain/time.ts';
import { ERROR_CODES } from '../../venue/dialect.ts';

/** Most bytes of one answer that a fault generates. */
const BODY_MAX_BYTES = 200_000_000;

const ms = () => z.int().min(0).max(HOUR);
const byte = () => z.int().min(0).max(1_000_000_000);
const framing = () =>
  z
    .enum(['content-length', 'chunked', 'until-close'])
    .describe('How the answer marks its end; with `until-close` only the end of the connection does.');

/** Every fault can hold the request back before the exchange gets it, and the answer after. */
const held = {
  beforeMs: ms().default(0).describe('Hold the request back this long; it arrives even if its sender gives up.'),
  afterMs: ms().default(0).describe('Hold the answer back this long.'),
};
/** Names of what every fault takes. */
export const COMMON_FAULT_FIELDS: readonly string[] = Object.keys(held);
const processed = (standard: boolean) =>
  z.boolean().default(standard).describe('Whether the exchange gets the request.');
/** Names and values valid in HTTP; `null` removes a header that the exchange would send. */
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
    .describe('Headers in addition to those of the exchange; `null` removes one.');
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
      .describe('Reset after this many bytes of the body; `null` resets before any byte of the answer.'),
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
const code = z.strictObject({
  kind: z.literal('code'),
  code: z.literal(ERROR_CODES.map((row) => row.code)).describe('A documented code.'),
  processed: processed(false),
  ...held,
});
const body = z
  .strictObject({
    kind: z.literal('body'),
    body: text().describe('Text in place of the body from the exchange; status and headers stay.'),
    repeat: z.int().min(1).max(BODY_MAX_BYTES).default(1).describe('How often to repeat the text, 200 MB at most.'),
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
  atByte: byte().describe('Number of bytes of the body that are sent.'),
  framing: framing().default('content-length'),
  ending: z
    .enum(['close', 'hold'])
    .default('close')
    .describe('Then the connection is closed, or nothing more comes while it stays open.'),
  ...held,
});
const drip = z.strictObject({
  kind: z.literal('drip'),
  bytes: z.int().min(1).max(1_000_000).default(1).describe('Bytes of the body sent at a time …'),
  everyMs: z.int().min(1).max(HOUR).default(200).describe('… and the pause between two times.'),
  ...held,
});

export const deliveryFaultSchema = z.discriminatedUnion('kind', [
  drop,
  reset,
  delay,
  duplicate,
  status,
  code,
  body,
  truncate,
  drip,
]);

/** All parameters filled in. */
export type DeliveryFault = z.output<typeof deliveryFaultSchema>;
export type DeliveryFaultKind = DeliveryFault['kind'];

/** Each fault in a sentence, for the documentation. */
export const FAULT_SENTENCES: Readonly<Record<DeliveryFaultKind, string>> = {
  drop: 'Closes the connection without an answer, after the request is done (`processed`) or not.',
  reset: 'Resets the connection (RST) before any byte of the answer, or after `atByte` bytes of its body.',
  delay: 'Delivers the request `beforeMs` late and the answer `afterMs` late.',
  duplicate: 'Delivers the same bytes twice, `gapMs` apart; answers the first.',
  status: 'Answers with `status`, `headers` and `body`, such as a 503 with `Retry-After`.',
  code: 'Answers with a documented code, its status and its sentence.',
  body: "Replaces the answer's `body`, and adds or removes `headers`, such as `content-length`.",
  truncate: 'Sends the first `atByte` bytes of the body, then closes, or keeps the connection open (`hold`).',
  drip: 'Sends the body slowly: `bytes` at a time, `everyMs` apart.',
};
