import { format, inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { createExchangeClient } from '../../../src/client/exchange-client.ts';
import { hasWordOf, maskOf, Secret, scrubbed } from '../../../src/client/wire/secret.ts';
import { DIALECT } from '../../../src/venue/dialect.ts';

const CANARY = 'canary-7f3e';
const secret = new Secret(CANARY);

test.each([
  ['a template', `${secret}`],
  ['String()', String(secret)],
  ['concatenation', `x${String(secret)}`],
  ['JSON', JSON.stringify({ secret, list: [secret] })],
  ['inspect', inspect({ secret }, { depth: 9, showHidden: true, getters: true })],
  ['inspect without own forms', inspect(secret, { customInspect: false, showHidden: true })],
  ['format', format('%s %o %O %j', secret, secret, secret, secret)],
  ['a spread', inspect({ ...secret })],
  ['its keys and values', inspect([Object.entries(secret), Object.getOwnPropertyNames(secret)])],
  ['a clone', inspect(structuredClone({ ...secret }))],
  ['an error', new Error(`bad ${secret}`).stack],
])('%s does not show it', (_name, text) => {
  expect(text).not.toContain(CANARY);
});

test('only reveal shows it', () => expect(secret.reveal()).toBe(CANARY));

test('an empty one is a mistake', () => expect(() => new Secret('')).toThrow('A secret is empty.'));

// A secret that an answer echoes, however it is written: none is left in what is read of the body.

const WALL = 1_800_000_000_000;
const KEY = 'AbC/dEf+123==';
const timing = { sentAt: WALL, receivedAt: WALL + 100 };
const answer = (body: string) =>
  ({ kind: 'response', status: 403, headers: { 'content-type': 'application/json' }, body, ...timing }) as const;

const hexOf = (unit: string): string => unit.charCodeAt(0).toString(16);
const code = (unit: string): string => `\\u${hexOf(unit).padStart(4, '0')}`;
const each = (way: (unit: string) => string) => (text: string) => [...text].map(way).join('');
const WAYS: readonly (readonly [name: string, written: (text: string) => string])[] = [
  ['as it is', (text) => text],
  ['with its slashes escaped, as PHP and others write JSON', (text) => text.replaceAll('/', '\\/')],
  ['with some characters as code points', (text) => text.replaceAll('+', '\\u002B').replaceAll('=', '\\u003d')],
  ['with every character as a code point', each(code)],
  ['as an address writes it', encodeURIComponent],
  [
    'as an address writes it, in small letters',
    (text) => encodeURIComponent(text).toLowerCase().replaceAll('abc', 'AbC').replaceAll('def', 'dEf'),
  ],
  ['with every byte percent-encoded', each((unit) => `%${hexOf(unit)}`)],
  [
    'as an address in an address in an address',
    (text) => encodeURIComponent(encodeURIComponent(encodeURIComponent(text))),
  ],
  ['as HTML, in decimal', each((unit) => `&#${unit.charCodeAt(0)};`)],
  ['as HTML, in hexadecimal', each((unit) => `&#x${hexOf(unit).toUpperCase()};`)],
  ['as HTML inside HTML', each((unit) => `&amp;#00${unit.charCodeAt(0)};`)],
  ['as an address inside HTML', (text) => encodeURIComponent(text).replaceAll('%', '&#37;')],
  ['as HTML inside an address', (text) => encodeURIComponent(text.replaceAll('/', '&#x2F;'))],
  ['as bytes of a program', each((unit) => `\\\\x${hexOf(unit)}`)],
  ['in hexadecimal', (text) => Buffer.from(text).toString('hex')],
  ['in capital hexadecimal', (text) => Buffer.from(text).toString('hex').toUpperCase()],
];

describe.each(WAYS)('a secret that is written %s', (_name, written) => {
  test('is masked, and nothing else', () => {
    const bodyOf = (secret: string) => `{"msg":"a \\"quote\\", \\u00e9, x${secret}y and ${secret}"}`;
    const { body } = scrubbed(answer(bodyOf(written(KEY))), maskOf(['another', KEY])) as { readonly body: string };
    expect(body).toBe(bodyOf('[secret]'));
  });

  test('and a signature is looked for', () => {
    const signature = '0123456789abcdef'.repeat(4);
    expect(hasWordOf(signature.length, `{"msg":"Bad signature ${written(signature)}.","code":"-1022"}`)).toBe(true);
  });

  test('comes out of no outcome', async () => {
    const client = createExchangeClient({
      settings: {
        baseUrl: 'https://exchange.test',
        dialect: DIALECT,
        key: new Secret(KEY),
        secret: new Secret('s3cr3t/with/slashes=='),
        userAgent: 'test',
        deadlineMs: 1_000,
      },
      transport: {
        send: async () => answer(`{"code":-2015,"msg":"Invalid API key ${written(KEY)}"}`),
        close: () => {},
      },
      clock: { now: () => WALL, monotonic: () => 0 },
    });
    const { outcome } = await client.perform({ kind: 'wallet', stamp: { timestamp: WALL, recvWindow: 2_500 } });
    expect(outcome).toMatchObject({ kind: 'rejected', msg: 'Invalid API key [secret]' });
  });
});

test.each(['', '\\"quote\\" '])('every echo is masked, in a text that begins with %j', (begin) => {
  const bodyOf = (key: string, other: string) => `${begin}${key}, ${other} ${key}${key} ${other}${key}`;
  const { body } = scrubbed(answer(bodyOf(KEY, 'hush/hush')), maskOf(['hush/hush', KEY])) as { readonly body: string };
  expect(body).toBe(bodyOf('[secret]', '[secret]'));
});

test('echoes that are written in different ways are masked in one text', () => {
  const written = WAYS.map(([, way]) => way(KEY)).join(' ');
  const masks = WAYS.map(() => '[secret]').join(' ');
  expect(scrubbed(answer(`${written} ${written}`), maskOf([KEY]))).toMatchObject({ body: `${masks} ${masks}` });
});

test('a secret with what JSON must escape is masked', () => {
  const secret = 'a\\b"c';
  const body = JSON.stringify({ msg: `The key ${secret}.` });
  expect(scrubbed(answer(body), maskOf([secret]))).toMatchObject({ body: '{"msg":"The key [secret]."}' });
});

test.each([
  ['', 0, true],
  ['', 1, false],
  ['abcd', 4, true],
  ['abc', 4, false],
  ['{"id":"abcde"}', 5, true],
  ['{"id":"abcde"}', 6, false],
])('%j has %i characters in a row without a quote: %s', (text, length, expected) => {
  expect(hasWordOf(length, text)).toBe(expected);
});

test('a result without any is the same', () => {
  const result = answer('{"msg":"a\\/b"}');
  expect(scrubbed(result, maskOf([KEY]))).toBe(result);
});

describe.each(['base64', 'base64url'] as const)('a secret inside %s', (encoding) => {
  const secret = 'kT0-zq_X?Wn4>r8c~d2m';
  const encoded = (text: string): string => Buffer.from(text).toString(encoding);

  test.each(['', 'u:', 'me:', 'you:', 'user:'])('behind %j is masked, whatever follows it', (before) => {
    for (const after of ['', '!', '\n\n', ' etc']) {
      const left = maskOf([secret])(`Authorization: Basic ${encoded(before + secret + after)}`);
      expect(left).toMatch(/^Authorization: Basic .{0,8}\[secret\].{0,8}$/);
    }
  });

  test('and in an address is masked', () => {
    const left = maskOf([secret])(`?basic=${encodeURIComponent(encoded(`${secret}??`))}`);
    expect(left).toMatch(/^\?basic=\[secret\].{0,12}$/);
  });
});

test.each(['p%41ss\\w"rd', '100%&amp;more', 'a%2541\\\\b%and-more', '&#x41;&#65;\\u0041-and-more'])(
  'a secret %j that looks like an escape itself is masked, however it is written',
  (secret) => {
    const json = JSON.stringify(secret).slice(1, -1);
    for (const written of [secret, json, JSON.stringify(json).slice(1, -1), encodeURIComponent(secret)])
      expect(maskOf([secret])(`<${written}>`)).toBe('<[secret]>');
  },
);

test.each(['100 % of %zz', 'a\\\\b &c; &#x110000; &#9999999;', 'C:\\users\\x9', '%e2%28%a1 %ff', '{"a":"\\\\"}'])(
  'a text %j without the secret stays as it is',
  (text) => expect(maskOf([KEY])(text)).toBe(text),
);

test('a secret that is an escape of a short word does not mask the word', () => {
  expect(maskOf(['%41%42%43'])('ABC, %41%42%43')).toBe('ABC, [secret]');
});

test('escapes of escapes cost no more than their length', () => {
  const long = ['\\', '%25', '&amp;', '%', '&#x26;'].map((sign) => sign.repeat(400_000));
  const startedAt = performance.now();
  for (const text of long) expect(maskOf([KEY])(text)).toBe(text);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
