// Two signatures that never saw each other: whatever a client signs, the exchange finds right where both are set alike,
// and wrong as soon as anything of it is another.
import http from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bodyText, type Field, queryText, type SigningRules } from '../../src/client/wire/request-message.ts';
import { Secret } from '../../src/client/wire/secret.ts';
import { signatureOf } from '../../src/client/wire/signed-request.ts';
import type { PaperServer } from '../../src/paper/server/server.ts';
import { SPEC_QUIRKS } from '../../src/paper/wire/quirks.ts';
import { realClock } from '../../src/ports/clock.ts';
import { RECV_WINDOW_MAX_MS } from '../../src/venue/endpoints.ts';
import { ALICE } from '../unit/paper/small-exchange.ts';
import { send } from './paper-connection.ts';
import { startSmall } from './paper-servers.ts';

const SEED = 20_260_321;
const RUNS = 150;
const CREATE = '/api/v1/spot/order/create';

const COMBINATIONS = [
  ['skipped', 'raw'],
  ['skipped', 'percent-encoded'],
  ['included', 'raw'],
  ['included', 'percent-encoded'],
] as const;

let server: PaperServer;
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });

beforeAll(async () => {
  server = await startSmall();
});
afterAll(async () => {
  agent.destroy();
  await server.close();
});

type Fields = Readonly<Record<string, unknown>>;

interface Message {
  readonly query: readonly Field[];
  readonly body: Fields;
}

/** As the client does it: one text is signed, one is sent. */
function wireOf({ query, body }: Message, rules: SigningRules): { query: string; body: string; signed: string } {
  const { canonical, wire } = queryText(query, rules);
  return { query: wire, body: JSON.stringify(body), signed: canonical + bodyText(body, rules) };
}

const signOf = (text: string) => signatureOf(text, new Secret(ALICE.secret));

/** The code that the exchange answers, or 200. */
async function answerTo(query: string, body: string, signature: string): Promise<number> {
  const answer = await send(server.url, {
    method: 'POST',
    target: `${CREATE}?${query}&signature=${signature}`,
    headers: { 'x-exchange-apikey': ALICE.apiKey, 'content-type': 'application/json' },
    body,
    agent,
  });
  return answer.status === 200 ? 200 : Number(JSON.parse(answer.body).code);
}

/** What a create gets whose signature is right: its first field is wrong. */
const READ_ON: readonly number[] = [200, -1103, -1112, -1113, -1114, -1115, -1121, -1123];

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('', ' ', '+', '%', '%2F', '/', '&', '=', "a'b", 'ß₿😀', '\ud800', '\u0000', 'BTC/INR', '#?'),
);
/** Not those that the request has of its own, and none that a sender would spell with half a character. */
const name = text.map((value) => `x${value.toWellFormed()}`);
const field = fc.tuple(name, fc.oneof(text, fc.constant(null), fc.integer(), fc.boolean()));
/** Some names come more than once, each time with another value. */
const fields = fc
  .tuple(fc.array(field, { maxLength: 5 }), fc.array(text, { maxLength: 3 }))
  .map(([single, more]): Field[] => [...single, ...more.map((value): Field => [single[0]?.[0] ?? 'x', value])]);
const strangers: Field[] = [
  ['Signature', 'not this'],
  ['SIGNATURE', ''],
];
const json = fc.oneof(
  text,
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.jsonValue({ maxDepth: 3 }),
);
const body = fc.dictionary(name, json, { maxKeys: 6 });
const message = fc.record({ query: fields, body });

const stamped = ({ query, body: given }: Message): Message => ({
  query: [...query, ...strangers, ['timestamp', realClock.now()], ['recvWindow', RECV_WINDOW_MAX_MS]],
  body: given,
});

describe.each(COMBINATIONS)('Q1: empty values %s, Q22: values signed %s', (emptyValues, signedValues) => {
  const rules: SigningRules = {
    emptyValues: emptyValues === 'skipped' ? 'skip' : 'include',
    percentEncoding: signedValues === 'raw' ? 'raw' : 'encoded',
  };
  const alike = () => server.control({ quirks: { ...SPEC_QUIRKS, emptyValues, signedValues } });

  test('create: what the client signs is right', async () => {
    alike();
    const property = fc.asyncProperty(message, async (given) => {
      const wire = wireOf(stamped(given), rules);
      expect(READ_ON).toContain(await answerTo(wire.query, wire.body, signOf(wire.signed)));
    });
    await fc.assert(property, { numRuns: RUNS, seed: SEED });
  });

  test('-1022 where a value is another than the one that was signed', async () => {
    alike();
    const property = fc.asyncProperty(message, name, text, fc.boolean(), async (given, extra, value, inQuery) => {
      const signed = stamped(given);
      const more = `${value.toWellFormed()}!`;
      const sent: Message = inQuery
        ? { ...signed, query: [...signed.query, [extra, more]] }
        : { ...signed, body: { ...signed.body, [extra]: [more, signed.body[extra]] } };
      const wire = wireOf(sent, rules);
      expect(await answerTo(wire.query, wire.body, signOf(wireOf(signed, rules).signed))).toBe(-1022);
    });
    await fc.assert(property, { numRuns: RUNS, seed: SEED });
  });
});
