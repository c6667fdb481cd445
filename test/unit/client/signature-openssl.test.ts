// The client's signatures against those of openssl. Each canonical string is written by hand from the specification's
// §5.4.
import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  bodyText,
  type Field,
  messageOf,
  queryText,
  type SigningRules,
} from '../../../src/client/wire/request-message.ts';
import { Secret } from '../../../src/client/wire/secret.ts';
import { type SigningSettings, signatureOf, wireRequestOf } from '../../../src/client/wire/signed-request.ts';
import { decimal } from '../../../src/domain/decimal.ts';
import { orderId } from '../../../src/domain/ids.ts';
import { ENDPOINTS } from '../../../src/venue/endpoints.ts';
import type { VenueRequest } from '../../../src/venue/requests.ts';

const SECRET = '3f8a2c6e-secret-for-tests';

/** 64 hexadecimal digits, by `printf '%s' "$TEXT" | openssl dgst -sha256 -hmac "$SECRET" -hex`. */
function opensslOf(text: string): string {
  const command = 'printf "%s" "$TEXT" | openssl dgst -sha256 -hmac "$SECRET" -hex';
  const { stdout } = spawnSync('sh', ['-c', command], { env: { PATH: process.env.PATH, TEXT: text, SECRET } });
  return /[0-9a-f]{64}(?=\s*$)/.exec(stdout.toString())?.[0] ?? 'openssl said nothing';
}

beforeAll(() => {
  if (spawnSync('openssl', ['version']).status === 0) return;
  throw new Error(
    'These tests compare with openssl, which is not on this machine. Install it: `apt-get install openssl` ' +
      '(Debian, Ubuntu), `dnf install openssl` (Fedora), `apk add openssl` (Alpine), `brew install openssl` (macOS).',
  );
});

const SKIP: SigningRules = { emptyValues: 'skip', percentEncoding: 'raw' };
const INCLUDE: SigningRules = { emptyValues: 'include', percentEncoding: 'raw' };
const ENCODED: SigningRules = { emptyValues: 'skip', percentEncoding: 'encoded' };

interface Vector {
  readonly rules: SigningRules;
  readonly query: readonly Field[];
  readonly body?: Readonly<Record<string, unknown>>;
  readonly canonical: string;
}

const VECTORS: Readonly<Record<string, Vector>> = {
  'names in alphabetical order, capitals before small letters': {
    rules: SKIP,
    query: [
      ['timestamp', '1700000000000'],
      ['asset', 'BTC'],
      ['Zebra', '1'],
      ['status', 'PENDING'],
      ['limit', '50'],
    ],
    canonical: 'Zebra=1&asset=BTC&limit=50&status=PENDING&timestamp=1700000000000',
  },
  'a name with several values repeats, values in order': {
    rules: SKIP,
    query: [
      ['status', 'SUCCESS'],
      ['status', 'FAILED'],
      ['id', '10'],
      ['id', '9'],
      ['status', 'PENDING'],
    ],
    canonical: 'id=10&id=9&status=FAILED&status=PENDING&status=SUCCESS',
  },
  'a name with several values, percent-encoded': {
    rules: ENCODED,
    query: [
      ['pair', 'ETH/INR'],
      ['pair', 'BTC/INR'],
    ],
    canonical: 'pair=BTC%2FINR&pair=ETH%2FINR',
  },
  'empty values skipped, of query and body': {
    rules: SKIP,
    query: [
      ['empty', ''],
      ['a', '1'],
    ],
    body: { note: '', b: '2' },
    canonical: 'a=1b=2',
  },
  'empty values included, of query and body': {
    rules: INCLUDE,
    query: [
      ['empty', ''],
      ['a', '1'],
    ],
    body: { note: '', b: '2' },
    canonical: 'a=1&empty=b=2&note=',
  },
  'nothing but empty values': { rules: SKIP, query: [['empty', '']], body: { note: '' }, canonical: '' },
  'null and what is left out': {
    rules: INCLUDE,
    query: [
      ['none', null],
      ['missing', undefined],
      ['text', 'null'],
    ],
    body: { none: null, zero: 0, no: false },
    canonical: 'text=nullno=false&zero=0',
  },
  'unicode as it is': {
    rules: SKIP,
    query: [
      ['名', '値'],
      ['ü', 'é €'],
      ['😀', '😀'],
    ],
    body: { नाम: 'रुपया' },
    canonical: 'ü=é €&名=値&😀=😀नाम=रुपया',
  },
  'unicode percent-encoded in the query, as it is in the body': {
    rules: ENCODED,
    query: [['ü', 'é €']],
    body: { ü: 'é €/' },
    canonical: '%C3%BC=%C3%A9%20%E2%82%ACü=é €/',
  },
  'a slash as it is': { rules: SKIP, query: [['symbol', 'BTC/INR']], canonical: 'symbol=BTC/INR' },
  'a slash percent-encoded': { rules: ENCODED, query: [['symbol', 'BTC/INR']], canonical: 'symbol=BTC%2FINR' },
  'what has a meaning in queries, as it is': {
    rules: SKIP,
    query: [['q', "a b+c&d=e%f#g?h'i"]],
    canonical: "q=a b+c&d=e%f#g?h'i",
  },
  'what has a meaning in queries, percent-encoded': {
    rules: ENCODED,
    query: [['q', "a b+c&d=e%f#g?h'i"]],
    canonical: 'q=a%20b%2Bc%26d%3De%25f%23g%3Fh%27i',
  },
  'a body with objects and lists as compact JSON': {
    rules: SKIP,
    query: [['timestamp', '1700000000000']],
    body: { tags: ['x', 1, null], order: { side: 'BUY', deep: { z: 1, a: [true] } }, symbol: 'BTC/INR' },
    canonical: 'timestamp=1700000000000order={"side":"BUY","deep":{"z":1,"a":[true]}}&symbol=BTC/INR&tags=["x",1,null]',
  },
  'a body without a query': { rules: SKIP, query: [], body: { order_id: '1-7-1' }, canonical: 'order_id=1-7-1' },
  'the signature, however it is written, is not signed': {
    rules: SKIP,
    query: [
      ['Signature', 'x'],
      ['a', '1'],
    ],
    body: { SIGNATURE: 'y', b: '2' },
    canonical: 'a=1b=2',
  },
};

describe('signed as openssl signs it', () => {
  test.each(Object.entries(VECTORS))('%s', (_name, { rules, query, body = null, canonical }) => {
    expect(queryText(query, rules).canonical + bodyText(body, rules)).toBe(canonical);
    expect(signatureOf(canonical, new Secret(SECRET))).toBe(opensslOf(canonical));
  });
});

const stamp = { timestamp: 1_700_000_000_000, recvWindow: 2_500 };
const order = { symbol: 'BTC/INR', side: 'buy', price: decimal('5000000.10'), quantity: decimal('1e-3') } as const;
const SETTINGS: SigningSettings = {
  baseUrl: 'https://venue.example',
  apiKeyHeader: 'X-KEY',
  key: new Secret('key'),
  secret: new Secret(SECRET),
  signatureIn: 'query',
  userAgent: 'test',
  ...SKIP,
};
/** Requests with what of them is signed, raw and percent-encoded. */
const REQUESTS: readonly (readonly [VenueRequest, string, string])[] = [
  [
    { kind: 'open-orders', symbol: 'BTC/INR', stamp },
    'recvWindow=2500&symbol=BTC/INR&timestamp=1700000000000',
    'recvWindow=2500&symbol=BTC%2FINR&timestamp=1700000000000',
  ],
  [
    { kind: 'crypto-deposits', filter: { time: { by: 'end', endTime: 5 }, asset: 'BTC', status: 'failed' }, stamp },
    'asset=BTC&endTime=5&recvWindow=2500&status=FAILED&timestamp=1700000000000',
    'asset=BTC&endTime=5&recvWindow=2500&status=FAILED&timestamp=1700000000000',
  ],
  [
    { kind: 'create', order, stamp },
    'recvWindow=2500&timestamp=1700000000000action=BUY&price=5000000.1&quantity=0.001&symbol=BTC/INR&type=LIMIT',
    'recvWindow=2500&timestamp=1700000000000action=BUY&price=5000000.1&quantity=0.001&symbol=BTC/INR&type=LIMIT',
  ],
  [
    { kind: 'cancel', orderId: orderId('1-9007199254740993-1'), stamp },
    'recvWindow=2500&timestamp=1700000000000order_id=1-9007199254740993-1',
    'recvWindow=2500&timestamp=1700000000000order_id=1-9007199254740993-1',
  ],
  [{ kind: 'cancel-all', stamp }, 'recvWindow=2500&timestamp=1700000000000', 'recvWindow=2500&timestamp=1700000000000'],
];

describe.each(REQUESTS)('%j', (request, raw, encoded) => {
  test('carries the signature at the end of its query', () => {
    for (const [percentEncoding, canonical] of [['raw', raw] as const, ['encoded', encoded] as const]) {
      const { http } = wireRequestOf(messageOf(request), { ...SETTINGS, percentEncoding }, 1_000);
      expect(http.url).toMatch(new RegExp(`&signature=${opensslOf(canonical)}$`));
    }
  });

  test('carries it in a header where the venue wants it there', () => {
    const settings = { ...SETTINGS, signatureIn: { header: 'X-SIGNATURE' } };
    const { http } = wireRequestOf(messageOf(request), settings, 1_000);
    expect(http.headers['X-SIGNATURE']).toBe(opensslOf(raw));
    expect(http.url).not.toContain('signature');
  });
});

test('a public request carries none', () => {
  const { http, signature } = wireRequestOf({ endpoint: ENDPOINTS.symbols, query: [], body: null }, SETTINGS, 1_000);
  expect(signature).toBeNull();
  expect(http).toMatchObject({ url: 'https://venue.example/api/v1/public/exchange/symbols', body: null });
});
