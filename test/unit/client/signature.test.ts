import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bodyText, type Field, queryText, type SigningRules } from '../../../src/client/wire/request-message.ts';
import { Secret } from '../../../src/client/wire/secret.ts';
import { signatureOf } from '../../../src/client/wire/signed-request.ts';

const RAW: SigningRules = { emptyValues: 'skip', percentEncoding: 'raw' };
const ENCODED: SigningRules = { emptyValues: 'skip', percentEncoding: 'encoded' };
const INCLUDE: SigningRules = { emptyValues: 'include', percentEncoding: 'raw' };
const SECRET = '3f8a2c6e-secret-for-tests';

/**
 * Made in a shell, outside this code base, one by one:
 * printf '%s' "$TEXT" | openssl dgst -sha256 -hmac '3f8a2c6e-secret-for-tests' -hex
 */
const VECTORS = [
  {
    name: 'a read of one symbol',
    query: { timestamp: '1700000000000', symbol: 'BTC/INR', recvWindow: '2500' },
    body: null,
    rules: RAW,
    text: 'recvWindow=2500&symbol=BTC/INR&timestamp=1700000000000',
    signature: '8c21fcf110b5f0fd08f4ed7dd7e63837e3081cabfe6bc8f2323d970e5220529e',
  },
  {
    name: 'the same where the venue signs percent-encoded values',
    query: { timestamp: '1700000000000', symbol: 'BTC/INR', recvWindow: '2500' },
    body: null,
    rules: ENCODED,
    text: 'recvWindow=2500&symbol=BTC%2FINR&timestamp=1700000000000',
    signature: 'd97445425cfc4c0a6cffbee55aed302f41861b1c9e969ee4e90badbd47947b1e',
  },
  {
    name: 'a create: query and body with nothing between them',
    query: { timestamp: '1700000000000', recvWindow: '2500' },
    body: { symbol: 'BTC/INR', action: 'BUY', type: 'LIMIT', price: '5000000.1', quantity: '0.001' },
    rules: RAW,
    text: 'recvWindow=2500&timestamp=1700000000000action=BUY&price=5000000.1&quantity=0.001&symbol=BTC/INR&type=LIMIT',
    signature: 'eb11a2e8f8aec213ba3c86f3546ac65ca8c19f16c23530394b7c3b485cac2a16',
  },
  {
    name: 'cancel-all: only the query',
    query: { timestamp: '1700000000000' },
    body: null,
    rules: RAW,
    text: 'timestamp=1700000000000',
    signature: '4ac4f972e7403145be4b3588f443a8c380fcc45437332caec8d591d23a3ac1a8',
  },
  {
    name: 'unicode, plus, space, and an empty value included',
    query: { ü: '€😀', note: 'a b+c', empty: '' },
    body: null,
    rules: INCLUDE,
    text: 'empty=&note=a b+c&ü=€😀',
    signature: '397dcfb1e49c85c332bb6668cbb0739f63688c570bb596a14d28d4f943f1f9f7',
  },
  {
    name: 'the same with the empty value skipped',
    query: { ü: '€😀', note: 'a b+c', empty: '' },
    body: null,
    rules: RAW,
    text: 'note=a b+c&ü=€😀',
    signature: 'b34d1cd622dc3e7d35e6ec974d7eea84acc384e4db0d6d4d86fc240d0c462be3',
  },
];

const canonicalOf = ({ query, body, rules }: (typeof VECTORS)[number]): string =>
  queryText(Object.entries(query), rules).canonical + bodyText(body, rules);

describe('the canonical string and its signature', () => {
  test.each(VECTORS)('$name', (vector) => {
    expect(canonicalOf(vector)).toBe(vector.text);
    expect(signatureOf(vector.text, new Secret(SECRET))).toBe(vector.signature);
  });

  test('the signature itself is never signed, in whatever case it is written', () => {
    const fields: Field[] = [
      ['a', '1'],
      ['Signature', 'x'],
      ['SIGNATURE', 'y'],
    ];
    expect(queryText(fields, RAW)).toEqual({ canonical: 'a=1', wire: 'a=1' });
    expect(bodyText({ signature: 'x', b: '2' }, RAW)).toBe('b=2');
  });

  test('a name with several values repeats, values in order; null and undefined are left out', () => {
    const fields: Field[] = [
      ['b', '2'],
      ['a', '9'],
      ['b', '10'],
      ['c', null],
      ['d', undefined],
    ];
    expect(queryText(fields, RAW).canonical).toBe('a=9&b=10&b=2');
  });

  test('objects and arrays of a body are compact JSON', () => {
    expect(bodyText({ list: [1, 'two'], nested: { z: 1, a: null }, n: 5, yes: true, none: null }, RAW)).toBe(
      'list=[1,"two"]&n=5&nested={"z":1,"a":null}&yes=true',
    );
  });

  test('empty values of a body follow the same rule', () => {
    expect(bodyText({ a: '', b: '1' }, RAW)).toBe('b=1');
    expect(bodyText({ a: '', b: '1' }, INCLUDE)).toBe('a=&b=1');
  });
});

describe('for any fields', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '',
      '+',
      ' ',
      '&',
      '=',
      '%',
      '%2F',
      'BTC/INR',
      "it's",
      'a&b=c',
      '#',
      '?',
      '😀',
      '\ud800',
      '\r\n',
      '..',
    ),
  );
  const fields = fc.array(fc.tuple(text, text).map(([name, value]): Field => [name, value]));
  const rules: fc.Arbitrary<SigningRules> = fc.record({
    emptyValues: fc.constantFrom('skip' as const, 'include' as const),
    percentEncoding: fc.constantFrom('raw' as const, 'encoded' as const),
  });

  test('the order in which they are given changes nothing', () => {
    const shuffledTwice = fields.chain((list) =>
      fc.tuple(
        fc.shuffledSubarray(list, { minLength: list.length }),
        fc.shuffledSubarray(list, { minLength: list.length }),
      ),
    );
    fc.assert(
      fc.property(shuffledTwice, rules, ([a, b], rule) => expect(queryText(a, rule)).toEqual(queryText(b, rule))),
    );
  });

  test('the wire form passes a URL parser unchanged', () => {
    fc.assert(
      fc.property(fields, rules, (list, rule) => {
        const { wire } = queryText(list, rule);
        const url = `https://venue.example/path${wire === '' ? '' : `?${wire}`}`;
        expect(new URL(url).href).toBe(url);
      }),
    );
  });

  test('encoded: what is signed is what is sent, byte by byte', () => {
    fc.assert(
      fc.property(fields, (list) => {
        const { canonical, wire } = queryText(list, ENCODED);
        expect(canonical).toBe(wire);
      }),
    );
  });

  test('raw: what is signed is what a receiver decodes from what is sent', () => {
    fc.assert(
      fc.property(fields, rules, (list, rule) => {
        const { canonical, wire } = queryText(list, { ...rule, percentEncoding: 'raw' });
        const decode = (pair: string): string => pair.split('=').map(decodeURIComponent).join('=');
        expect(wire.split('&').map(decode).join('&')).toBe(canonical);
      }),
    );
  });

  test('symbols, ids, numbers and words need no decoding: signed and sent are the same bytes', () => {
    const plainText = fc.stringMatching(/^[A-Za-z0-9/._-]+$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(plainText, plainText)), (list) => {
        const { canonical, wire } = queryText(list, RAW);
        expect(wire).toBe(canonical);
      }),
    );
  });
});
