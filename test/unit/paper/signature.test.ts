// The canonical string by the words of specification 5.4, and signatures against openssl as a third opinion.
import { spawnSync } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { canonicalString, type Fields, isSignatureOf, parseQuery, type Query } from '../../../src/paper/wire/query.ts';
import { findTool } from '../../process/tools.ts';

const queryOf = (raw: string): Query => {
  const query = parseQuery(raw);
  if (query === null) throw new Error(`${raw} can't be read.`);
  return query;
};
const SPEC = { emptyValues: 'skipped', signedValues: 'raw' } as const;

describe('the canonical string', () => {
  test.each<[string, string, Fields | null, string]>([
    ['sorts by name', 'b=2&a=1', null, 'a=1&b=2'],
    ['leaves the signature out, whatever its case', 'a=1&SigNature=xy', { signature: 'q', b: '2' }, 'a=1b=2'],
    [
      'joins query and body without a separator',
      'timestamp=5',
      { symbol: 'BTC/INR', action: 'BUY' },
      'timestamp=5action=BUY&symbol=BTC/INR',
    ],
    ['repeats a name for each of its values, sorted', 'a=2&a=1', null, 'a=1&a=2'],
    ['signs decoded values', 'symbol=BTC%2FINR&note=a+b%2B', null, 'note=a b+&symbol=BTC/INR'],
    ['skips nulls', '', { a: null, b: 'x' }, 'b=x'],
    [
      'writes objects and lists as compact JSON',
      '',
      { a: { y: 1, x: [1, 2] }, b: ['p', 'q'] },
      'a={"y":1,"x":[1,2]}&b=["p","q"]',
    ],
    ['writes numbers and booleans as they read', '', { a: 1.5, b: true }, 'a=1.5&b=true'],
    ['sorts capitals before small letters', 'a=1&B=2', null, 'B=2&a=1'],
    ['is empty for nothing', '', null, ''],
  ])('%s', (_what, query, body, expected) => {
    expect(canonicalString(queryOf(query), body, SPEC)).toBe(expected);
  });

  test('Q1: empty values are skipped or signed', () => {
    const empty = ['a=&b=1', { c: '' }] as const;
    expect(canonicalString(queryOf(empty[0]), empty[1], SPEC)).toBe('b=1');
    expect(canonicalString(queryOf(empty[0]), empty[1], { ...SPEC, emptyValues: 'included' })).toBe('a=&b=1c=');
  });

  test('Q22: query values are signed raw or encoded, body values never encoded', () => {
    const text = canonicalString(
      queryOf('symbol=BTC/INR'),
      { symbol: 'BTC/INR' },
      { ...SPEC, signedValues: 'percent-encoded' },
    );
    expect(text).toBe('symbol=BTC%2FINRsymbol=BTC/INR');
  });
});

const openssl = (text: string, secret: string): string | null => {
  const run = spawnSync('openssl', ['dgst', '-sha256', '-hmac', secret], { input: text, encoding: 'utf8' });
  return run.status === 0 ? (/([0-9a-f]{64})\s*$/.exec(run.stdout)?.[1] ?? null) : null;
};
const hasOpenssl = findTool('openssl', "the comparison with openssl's signatures") !== null;

(hasOpenssl ? describe : describe.skip)('signatures that openssl made', () => {
  test.each([
    ['', 'secret'],
    ['timestamp=1767225600000', 's3cr3t-with-äöü'],
    ['recvWindow=5000&timestamp=1767225600000action=BUY&price=5000.5&quantity=0.010&symbol=BTC/INR&type=LIMIT', 'k'],
    ['note=नमस्ते&timestamp=1', 'a'.repeat(200)],
  ])('fit %p, and nothing near it', (text, secret) => {
    const signature = openssl(text, secret) ?? '';
    const key = createSecretKey(Buffer.from(secret, 'utf8'));
    expect(isSignatureOf(text, signature, key)).toBe(true);
    expect(isSignatureOf(`${text} `, signature, key)).toBe(false);
    expect(isSignatureOf(text, signature.toUpperCase(), key)).toBe(false);
    expect(isSignatureOf(text, signature.slice(1), key)).toBe(false);
    expect(isSignatureOf(text, signature, createSecretKey(Buffer.from(`${secret}x`, 'utf8')))).toBe(false);
  });
});
