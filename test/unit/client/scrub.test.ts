// A secret that an answer echoes, in whatever way JSON writes it: none is left in what is read of the body.
import { describe, expect, test } from '@jest/globals';
import { createExchangeClient } from '../../../src/client/exchange-client.ts';
import { scrubbed } from '../../../src/client/wire/scrub.ts';
import { Secret } from '../../../src/client/wire/secret.ts';

const WALL = 1_800_000_000_000;
const KEY = 'AbC/dEf+123==';
const timing = { sentAt: WALL, receivedAt: WALL + 100 };
const answer = (body: string) =>
  ({ kind: 'response', status: 403, headers: { 'content-type': 'application/json' }, body, ...timing }) as const;

const code = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
const WAYS: readonly (readonly [name: string, written: (text: string) => string])[] = [
  ['as it is', (text) => text],
  ['with its slashes escaped, as PHP and others write JSON', (text) => text.replaceAll('/', '\\/')],
  ['with some characters as code points', (text) => text.replaceAll('+', '\\u002B').replaceAll('=', '\\u003d')],
  ['with every character as a code point', (text) => [...text].map(code).join('')],
];

describe.each(WAYS)('a secret that is written %s', (_name, written) => {
  test('is masked, and nothing else', () => {
    const bodyOf = (secret: string) => `{"msg":"a \\"quote\\", \\u00e9, x${secret}y and ${secret}"}`;
    const { body } = scrubbed(answer(bodyOf(written(KEY))), ['another', KEY]) as { readonly body: string };
    expect(body).toBe(bodyOf('[secret]'));
  });

  test('comes out of no outcome', async () => {
    const client = createExchangeClient({
      settings: {
        baseUrl: 'https://exchange.test',
        apiKeyHeader: 'X-EXCHANGE-APIKEY',
        key: new Secret(KEY),
        secret: new Secret('s3cr3t/with/slashes=='),
        signatureIn: 'query',
        emptyValues: 'skip',
        percentEncoding: 'raw',
        userAgent: 'test',
        openOrdersUncapped: false,
        deadlineMs: { read: 1_000, create: 1_000, cancel: 1_000 },
      },
      transport: {
        send: async () => answer(`{"code":-2015,"msg":"Invalid API key ${written(KEY)}"}`),
        close: () => {},
      },
      clock: { now: () => WALL, monotonic: () => 0 },
      random: { next: () => 0 },
    });
    const { outcome } = await client.perform({ kind: 'wallet', stamp: { timestamp: WALL, recvWindow: 2_500 } });
    expect(outcome).toMatchObject({ kind: 'rejected', msg: 'Invalid API key [secret]' });
  });
});

test.each(['', '\\"quote\\" '])('every echo is masked, in a text that begins with %j', (begin) => {
  const bodyOf = (key: string, other: string) => `${begin}${key}, ${other} ${key}${key} ${other}${key}`;
  const { body } = scrubbed(answer(bodyOf(KEY, 'hush/hush')), ['hush/hush', KEY]) as { readonly body: string };
  expect(body).toBe(bodyOf('[secret]', '[secret]'));
});

test('echoes that are written in different ways are masked in one text', () => {
  const written = WAYS.map(([, way]) => way(KEY)).join(' ');
  const masks = WAYS.map(() => '[secret]').join(' ');
  expect(scrubbed(answer(`${written} ${written}`), [KEY])).toMatchObject({ body: `${masks} ${masks}` });
});

test('a secret with what JSON must escape is masked', () => {
  const secret = 'a\\b"c';
  const body = JSON.stringify({ msg: `The key ${secret}.` });
  expect(scrubbed(answer(body), [secret])).toMatchObject({ body: '{"msg":"The key [secret]."}' });
});

test('a result without any is the same', () => {
  const result = answer('{"msg":"a\\/b"}');
  expect(scrubbed(result, [KEY])).toBe(result);
});
