// Three implementations of the signature agree: the client's, the paper exchange's, and the bash functions of
// docs/curl-session.md, which were written from the specification alone.
import { createSecretKey } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bodyText, queryText } from '../../src/client/wire/request-message.ts';
import { Secret } from '../../src/client/wire/secret.ts';
import { signatureOf } from '../../src/client/wire/signed-request.ts';
import { canonicalString, isSignatureOf, NO_QUERY, parseQuery } from '../../src/paper/wire/query.ts';
import { hasTools, runBlocks, sessionBlocks } from './curl-session-blocks.ts';

type Pairs = readonly (readonly [name: string, value: string])[];

interface Case {
  readonly query: Pairs;
  readonly body: Pairs;
}

const SECRET = 'a-secret-of-the-test';
const STAMP: Pairs = [
  ['timestamp', '1700000000000'],
  ['recvWindow', '5000'],
];
const BY_HAND: readonly Case[] = [
  { query: STAMP, body: [] },
  { query: [...STAMP, ['symbol', 'BTC/INR']], body: [] },
  { query: [['symbol', 'BTC/INR'], ['startTime', '1'], ['endTime', '2'], ['limit', '50'], ...STAMP], body: [] },
  { query: STAMP, body: [['order_id', '1-9007199254740993-1']] },
  // One name begins with another: sorted by whole lines, `a1=` would come before `a=`.
  {
    query: [
      ['a1', 'x'],
      ['a', 'y'],
      ['a.', 'z'],
      ['A', 'w'],
    ],
    body: [
      ['b1', '1'],
      ['b', '2'],
    ],
  },
  {
    query: [...STAMP, ['asset', "it's a+b & c%2Fd = €"]],
    body: [
      ['price', '0.10'],
      ['msg', '"q" \\ $HOME `x`'],
    ],
  },
];

/** Names as parameters have them, each once; values of all that a line can hold, but not empty (Q1). */
const pairs = fc.uniqueArray(
  fc.tuple(
    fc.stringMatching(/^[A-Za-z][A-Za-z0-9_.]{0,6}$/).filter((name) => name.toLowerCase() !== 'signature'),
    fc.stringMatching(/^[ -~]{1,20}$/),
  ),
  { selector: ([name]) => name, maxLength: 6 },
);
const BY_CHANCE: readonly Case[] = fc.sample(fc.record({ query: pairs, body: pairs }), { seed: 7, numRuns: 60 });

(hasTools() ? describe : describe.skip)('the functions of docs/curl-session.md', () => {
  const cases = [...BY_HAND, ...BY_CHANCE];
  let signatures: readonly string[] = [];

  beforeAll(async () => {
    const functions = sessionBlocks().filter(({ commands }) => commands.includes('canonical() {'));
    const calls = cases.map(({ query, body }) => `sign "${canonicalCall(query)}" "${canonicalCall(body)}"`);
    const script = [`SECRET=${SECRET}`, ...functions.map(({ commands }) => commands), ...calls].join('\n');
    const { printed, errors } = await runBlocks([script], {});
    expect(errors).toBe('');
    signatures = printed[0] ?? [];
  });

  test('sign every case', () => {
    expect(signatures).toHaveLength(cases.length);
    expect(new Set(signatures.filter((each) => /^[0-9a-f]{64}$/.test(each))).size).toBeGreaterThan(
      BY_CHANCE.length - 3,
    );
  });

  test('sign as the client does', () => {
    const rules = { emptyValues: 'skip', percentEncoding: 'raw' } as const;
    const texts = cases.map(
      ({ query, body }) => `${queryText(query, rules).canonical}${bodyText(Object.fromEntries(body), rules)}`,
    );
    expect(texts.map((text) => signatureOf(text, new Secret(SECRET)))).toEqual(signatures);
  });

  test('sign what the paper exchange takes, and nothing else is taken', () => {
    const key = createSecretKey(Buffer.from(SECRET, 'utf8'));
    const taken = cases.map(({ query, body }, index) => {
      const wire = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
      const text = canonicalString(parseQuery(wire) ?? NO_QUERY, Object.fromEntries(body), {
        emptyValues: 'skipped',
        signedValues: 'raw',
      });
      const signature = signatures[index] ?? '';
      return [isSignatureOf(text, signature, key), isSignatureOf(`${text}x`, signature, key)];
    });
    expect(taken).toEqual(cases.map(() => [true, false]));
  });
});

/** The call that makes the canonical text of these pairs, each quoted as one word of the shell. */
function canonicalCall(list: Pairs): string {
  const words = list.map(([name, value]) => `'${`${name}=${value}`.replaceAll("'", "'\\''")}'`);
  return words.length === 0 ? '' : `$(canonical ${words.join(' ')})`;
}
