// The two profiles differ in what was seen.
import { describe, expect, test } from '@jest/globals';
import { PROFILES, profileWith } from '../../../src/paper/state/settings.ts';
import { FIELD_QUIRKS, SPEC_QUIRKS } from '../../../src/paper/wire/quirks.ts';
import { orderBody, SmallExchange, START, smallSettings, verdict } from './small-exchange.ts';

describe('profiles', () => {
  test('field differs from spec in what was seen, and in nothing else', () => {
    const different = Object.entries(FIELD_QUIRKS).filter(([name, value]) => !isSame(SPEC_QUIRKS, name, value));
    expect(Object.fromEntries(different)).toEqual({
      codeAs: 'string', // N2
      orderBookCap: 20, // N3
      tickerTimeUnit: 's', // N4
      publicTradeOffsetMs: 5.5 * 3_600_000, // N5
    });
    const { public: seen, ...others } = PROFILES.field.rateLimits;
    expect(seen).toEqual([{ requests: 1, perMs: 2_500 }]); // N1
    expect(PROFILES.spec.rateLimits).toMatchObject(others);
  });

  test('a configuration replaces single quirks and single limits', () => {
    const changed = profileWith('field', { quirks: { codeAs: 'number' }, rateLimits: { private: [] } });
    expect(changed.quirks).toEqual({ ...FIELD_QUIRKS, codeAs: 'number' });
    expect(changed.rateLimits).toEqual({ ...PROFILES.field.rateLimits, private: [] });
    expect(profileWith('spec', {})).toEqual(PROFILES.spec);
  });

  test('field: N1, one public request in 2.5 seconds, and it says so', () => {
    const exchange = fieldExchange();
    expect(exchange.ask('symbols').headers).toMatchObject(seenHeaders(3));
    exchange.now = START + 2_499;
    expect(verdict(exchange.ask('symbols'))).toBe('429 -1003');
    exchange.now = START + 2_500;
    const { status, headers } = exchange.ask('symbols');
    expect([status, headers]).toEqual([200, expect.objectContaining(seenHeaders(5))]);
  });

  test('field: N2 and N7, an unknown path has its code as text', () => {
    const { status, body } = fieldExchange().send({ ...ASKED, path: '/api/v1/nothing' });
    expect([status, JSON.parse(body)]).toEqual([404, { code: '-1404', msg: 'Endpoint not found.' }]);
  });
});

describe('rows', () => {
  test('N3 of any list: the cap is stronger than the limit', () => {
    const exchange = new SmallExchange(smallSettings({ quirks: { listCap: 2 } }));
    for (const price of [1, 2, 3]) exchange.place(`SELL 1.000 @ ${5_000 + price}`);
    exchange.ask('create', { body: orderBody('BUY 3.000 @ 5003') });
    const rows = exchange.read('public-trades', { query: { symbol: 'BTC/INR', limit: '50' } });
    expect(rows).toMatchObject([{ price: '5003' }, { price: '5002' }]);
  });

  test('Q8: the times of public trades may be text', () => {
    const exchange = new SmallExchange(smallSettings({ quirks: { timeAs: 'string' } }));
    exchange.place('SELL 1.000 @ 5000');
    exchange.place('BUY 1.000 @ 5000');
    const rows = exchange.read('public-trades', { query: { symbol: 'BTC/INR' } });
    expect(rows).toMatchObject([{ time: String(START) }]);
  });
});

const ASKED = { method: 'GET', path: '', query: '', headers: {}, body: null, ip: '127.0.0.1' };

function isSame(quirks: object, name: string, value: unknown): boolean {
  return Object.entries(quirks).some(([other, given]) => other === name && given === value);
}

function fieldExchange(): SmallExchange {
  return new SmallExchange(smallSettings({ quirks: FIELD_QUIRKS, rateLimits: PROFILES.field.rateLimits }));
}

/** START is a whole second. */
function seenHeaders(resetInSeconds: number): object {
  return {
    'x-ratelimit-limit': '1',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(START / 1000 + resetInSeconds),
  };
}
