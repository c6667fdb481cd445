import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Result } from '../../../src/domain/result.ts';
import { readJson, readJsonExact } from '../../../src/domain/text.ts';
import { DIALECT } from '../../../src/venue/dialect.ts';
import { parseOpenOrders, parseWallet } from '../../../src/venue/parsers/account.ts';
import { type Parsed, readAmount, readErrorBody } from '../../../src/venue/parsers/fields.ts';
import { parseOrderBook, parsePublicTrades, parseSymbols, parseTickers } from '../../../src/venue/parsers/market.ts';
import { parseSpotTrades } from '../../../src/venue/parsers/trades.ts';
import { exact } from './parsed.ts';

describe('the error body', () => {
  test.each([
    [{ code: -1105, msg: 'x' }, -1_105],
    [{ code: '-1105', msg: 'x', more: 1 }, -1_105],
    [{ code: 400, msg: 'x' }, 400],
  ])('%j has the code %d', (body, code) => expect(readErrorBody(body)).toEqual({ code, msg: 'x' }));

  const noNumber = [0, '', -1.5, null].map((code) => ({ code, msg: 'x' }));
  test.each([...noNumber, { code: '-1105' }, [], 'x', null])('%j is none', (body) => {
    expect(readErrorBody(body)).toBeNull();
  });

  test('its message is one line of bearable length', () => {
    const error = readErrorBody({ code: -1, msg: `a\r\nb\u001b[31m${'x'.repeat(500)}` });
    expect(error?.msg).toMatch(/^a b \[31mx+…$/);
    expect(error?.msg).toHaveLength(301);
  });
});

describe('JSON', () => {
  test('read exactly gives numbers as they were written', () => {
    expect(exact('{"a":[1.10,-0,1E+2,9007199254740993],"b":"1","c":true,"d":null}')).toEqual({
      a: ['1.10', '-0', '1E+2', '9007199254740993'],
      b: '1',
      c: true,
      d: null,
    });
  });

  test('that is none is a sentence without the text', () => {
    const text = '{"canary-secret": ';
    for (const result of [readJson(text), readJsonExact(text)]) {
      expect(result).toEqual({ ok: false, error: 'The body of 18 characters is not JSON.' });
    }
  });
});

describe('whatever the venue answers, a parser gives a result', () => {
  const parsers: readonly [string, (body: unknown) => Result<Parsed<unknown>>][] = [
    ['order book', parseOrderBook],
    ['tickers', (body) => parseTickers(body, {})],
    ['symbols', parseSymbols],
    ['public trades', parsePublicTrades],
    ['wallet', parseWallet],
    ['open orders', (body) => parseOpenOrders(body, { caps: DIALECT.openOrdersCaps })],
    ['spot trades', (body) => parseSpotTrades(body, { symbol: 'BTC/INR' })],
  ];
  test.each(parsers)('%s', (_name, parse) => {
    const values = fc.oneof(
      fc.jsonValue(),
      fc.array(fc.dictionary(fc.constantFrom('symbol', 'id', 'price', 'qty', 'time'), fc.jsonValue())),
    );
    fc.assert(fc.property(values, (body) => expect(typeof parse(body).ok).toBe('boolean')));
  });

  test('rows understood and rows named are all the rows', () => {
    const row = fc.oneof(fc.constant({ asset: 'INR', free: '1', locked: '0' }), fc.jsonValue());
    fc.assert(
      fc.property(fc.array(row), (body) => {
        const page = parseSymbols(
          body.map((value) => (value !== null && typeof value === 'object' ? 'BTC/INR' : value)),
        );
        const rows = page.ok ? page.value.rows.length : 0;
        const complete = page.ok && page.value.incompleteBecause === undefined;
        expect(complete).toBe(rows === body.length);
      }),
    );
  });
});

// Numbers that went through floats: what is nearer to one of eight decimals than a float can tell is that one.

const read = (value: unknown): string | undefined => readAmount(value)?.toFixed();

describe('a number that is off by what a float cannot tell', () => {
  test.each([
    ['0.30000000000000004', '0.3'],
    ['5000000.000000001', '5000000'],
    ['0.012620000000000002', '0.01262'],
    ['0.0126200000000000013882', '0.01262'],
    ['8.999999999999998', '9'],
    [0.1 + 0.2, '0.3'],
    ['1.00000000999999999', '1.00000001'],
    ['-0.30000000000000004', '-0.3'],
  ])('%s is %s', (text, is) => expect(read(text)).toBe(is));
});

describe('every other number is read to its last digit', () => {
  test.each([
    '0.00000001',
    '90000000.00000003',
    '12345678.12345678',
    '0.000000000123',
    '1.123456789',
    '0.3000000000000005',
    '123456789.123456781234567812',
    '0',
  ])('%s', (text) => expect(read(text)).toBe(text));

  test('whatever notation it is in', () => {
    expect(read('1.262E-2')).toBe('0.01262');
    expect(read('5000000.00000000')).toBe('5000000');
    expect(read(`0.5${'0'.repeat(36)}`)).toBe('0.5');
  });
});
