// Windows per address and per key, and the headers that tell of them.
import { describe, expect, test } from '@jest/globals';
import { control } from '../../../src/paper/exchange.ts';
import { SPEC_QUIRKS } from '../../../src/paper/wire/quirks.ts';
import { CALLERS_MAX, countRequest, createRateCounts } from '../../../src/paper/wire/rate-limit.ts';
import { ALICE, BOB, SmallExchange, START, smallSettings, verdict } from './small-exchange.ts';

const limited = (quirks: Parameters<typeof smallSettings>[0] = {}) =>
  new SmallExchange(
    smallSettings({
      rateLimits: {
        public: [{ requests: 1, perMs: 2_500 }],
        private: [
          { requests: 2, perMs: 1_000 },
          { requests: 3, perMs: 10_000 },
        ],
        legacy: [],
      },
      ...quirks,
    }),
  );

describe('a public window', () => {
  test('is opened by the first request and closed for the rest of it', () => {
    const exchange = limited();
    const at = (ms: number) => {
      exchange.now = START + ms;
      return verdict(exchange.ask('symbols'));
    };
    expect([100, 101, 2_599, 2_600, 2_601].map(at)).toEqual(['200', '429 -1003', '429 -1003', '200', '429 -1003']);
  });

  test('is each address’s own', () => {
    const exchange = limited();
    expect(['10.0.0.1', '10.0.0.2', '10.0.0.1'].map((ip) => verdict(exchange.ask('symbols', { ip })))).toEqual([
      '200',
      '200',
      '429 -1003',
    ]);
  });

  test('says when it opens again, in whole seconds, rounded up', () => {
    const exchange = limited();
    const rate = {
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(START / 1_000 + 3),
    };
    expect(exchange.ask('symbols').headers).toMatchObject(rate);
    expect(exchange.ask('symbols').headers).toMatchObject({ ...rate, 'retry-after': '3' });
  });

  test('runs on where the clock is set back: that locks nobody out', () => {
    const exchange = limited();
    exchange.ask('symbols');
    exchange.now -= 3_600_000;
    expect(exchange.ask('symbols').headers).toMatchObject({ 'retry-after': '3' });
    exchange.now += 2_500;
    expect(verdict(exchange.ask('symbols'))).toBe('200');
  });
});

describe('private windows', () => {
  test('count per key, and all of them must have room', () => {
    const exchange = limited();
    const at = (ms: number) => {
      exchange.now = START + ms;
      return verdict(exchange.ask('wallet'));
    };
    expect([0, 1, 2, 1_000, 1_001, 2_000, 10_000].map(at)).toEqual([
      '200',
      '200',
      '429 -1003',
      '200',
      '429 -1003',
      '429 -1003',
      '200',
    ]);
    expect(verdict(exchange.ask('wallet', { key: BOB }))).toBe('200');
  });

  test('show the tightest of them', () => {
    const exchange = limited();
    const reading = () => {
      const { headers } = exchange.ask('wallet', { key: ALICE });
      return [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']];
    };
    expect([reading(), reading(), reading()]).toEqual([
      ['2', '1'],
      ['2', '0'],
      ['2', '0'],
    ]);
    exchange.now += 1_000;
    expect(reading()).toEqual(['3', '0']);
  });

  test('made-up keys share the budget of their address', () => {
    const exchange = limited();
    const made = (apiKey: string) => verdict(exchange.ask('wallet', { key: { apiKey, secret: 'x' } }));
    expect(['a', 'b', 'c'].map(made)).toEqual(['403 -2015', '403 -2015', '429 -1003']);
  });
});

describe('Q14 and Q15', () => {
  test.each([
    ['always', true, true],
    ['when-throttled', false, true],
    ['never', false, false],
  ] as const)('rate headers %s', (rateHeaders, before, after) => {
    const exchange = limited();
    control(exchange.state, { quirks: { ...SPEC_QUIRKS, rateHeaders } });
    const shown = () => 'x-ratelimit-limit' in exchange.ask('symbols').headers;
    expect([shown(), shown()]).toEqual([before, after]);
  });

  test.each([
    ['seconds', '3'],
    ['date', 'Thu, 01 Jan 2026 00:00:03 GMT'],
    ['missing', undefined],
  ] as const)('Retry-After as %s', (retryAfter, expected) => {
    const exchange = limited();
    control(exchange.state, { quirks: { ...SPEC_QUIRKS, retryAfter } });
    exchange.ask('symbols');
    expect(exchange.ask('symbols').headers['retry-after']).toBe(expected);
  });

  test('without a limit there is nothing to tell', () => {
    expect(Object.keys(new SmallExchange().ask('symbols').headers)).not.toContain('x-ratelimit-limit');
  });
});

describe('many callers', () => {
  const windows = [{ requests: 1, perMs: 60_000 }];

  test('a million addresses are not all remembered, and none of them makes a key forgotten', () => {
    const counts = createRateCounts();
    const ofKey = { by: 'key', name: 'alice-key', windows } as const;
    expect(countRequest(counts, ofKey, START)?.allowed).toBe(true);
    for (let index = 0; index < 1_000_000; index += 1) {
      countRequest(counts, { by: 'address', name: `public ${index}`, windows }, START);
    }
    expect(counts.address.size).toBeLessThanOrEqual(CALLERS_MAX);
    expect(countRequest(counts, ofKey, START)?.allowed).toBe(false);
    const last = { by: 'address', name: 'public 999999', windows } as const;
    expect(countRequest(counts, last, START)?.allowed).toBe(false);
  });

  test('an address that keeps calling is not forgotten for others that call once', () => {
    const counts = createRateCounts();
    const busy = { by: 'address', name: 'public busy', windows } as const;
    countRequest(counts, busy, START);
    for (let index = 0; index < 100_000; index += 1) {
      countRequest(counts, { by: 'address', name: `public ${index}`, windows }, START);
      if (index % 1_000 === 0) expect(countRequest(counts, busy, START)?.allowed).toBe(false);
    }
  });

  test('a key is no address, whatever it is called', () => {
    const key = { apiKey: 'public 127.0.0.1', secret: 'x' };
    const full = { ...key, permissions: ['wallet'] as const, ipWhitelist: null };
    const accounts = [{ name: 'carol', keys: [full], balances: {} }];
    const rateLimits = { public: windows, private: windows, legacy: windows };
    const exchange = new SmallExchange(smallSettings({ accounts, rateLimits }));
    expect(verdict(exchange.ask('symbols'))).toBe('200');
    expect(verdict(exchange.ask('wallet', { key }))).toBe('200');
  });
});

test('limits may be changed while the exchange runs, and count what went before', () => {
  const exchange = limited();
  const asked = () => verdict(exchange.ask('wallet'));
  expect([asked(), asked(), asked()]).toEqual(['200', '200', '429 -1003']);
  const rateLimits = { public: [], private: [{ requests: 3, perMs: 1_000 }], legacy: [] };
  control(exchange.state, { rateLimits });
  expect([asked(), asked()]).toEqual(['200', '429 -1003']);
  control(exchange.state, { rateLimits: { ...rateLimits, private: [] } });
  expect([asked(), asked()]).toEqual(['200', '200']);
});
