// The page made from the status, and that its scripts match the types of what they show.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal } from '../../../src/domain/decimal.ts';
import { btc, order } from '../../browser/status-fixture.ts';
import { externalModule, ladderModule, numbersModule, timesModule, viewModule } from './page-modules.ts';

const { grouped, amount, signed, sum, difference, isZero, placesOf } = await numbersModule();
const { ageText, agoText } = await timesModule();
const { rungsOf } = await ladderModule();
const { externalWords } = await externalModule();
const { candlesOf } = await viewModule();

const decimalText = fc
  .tuple(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.integer({ min: 0, max: 12 }))
  .map(([units, places]) => new Decimal(units.toString()).div(new Decimal(10).pow(places)).toFixed());

describe('numbers', () => {
  test.each([
    ['0', '0'],
    ['999', '999'],
    ['1000', '1,000'],
    ['1234567.125', '1,234,567.125'],
    ['-1000.5', '−1,000.5'],
    ['0.00001', '0.00001'],
  ])('%s is read as %s', (text, shown) => expect(grouped(text)).toBe(shown));

  test.each([
    ['1.005', 2, '1.01'],
    ['-1.005', 2, '−1.01'],
    ['-0.004', 2, '0.00'],
    ['9.995', 2, '10.00'],
    ['5', 3, '5.000'],
    ['0.5', 0, '1'],
    ['9007199254740993.4', 0, '9,007,199,254,740,993'],
  ])('%s to %i places is %s', (text, places, shown) => expect(amount(text, places)).toBe(shown));

  test('round as decimals do, whatever the number', () => {
    fc.assert(
      fc.property(decimalText, fc.integer({ min: 0, max: 8 }), (text, places) => {
        const exact = new Decimal(text).toDecimalPlaces(places, Decimal.ROUND_HALF_UP);
        const shown = amount(text, places).replaceAll(',', '').replace('−', '-');
        expect(shown).toBe(exact.isZero() ? new Decimal(0).toFixed(places) : exact.toFixed(places));
      }),
    );
  });

  test('add up and subtract exactly', () => {
    fc.assert(
      fc.property(decimalText, decimalText, (a, b) => {
        expect(new Decimal(sum(a, b)).eq(new Decimal(a).add(b))).toBe(true);
        expect(new Decimal(difference(a, b)).eq(new Decimal(a).sub(b))).toBe(true);
      }),
    );
  });

  test('have a sign where it matters and none at zero', () => {
    expect(['12', '-12', '0', '0.001', '-0.001'].map((text) => signed(text, 2))).toEqual([
      '+12.00',
      '−12.00',
      '0.00',
      '0.00',
      '0.00',
    ]);
    expect(amount(null, 2)).toBe('–');
  });

  test('know their step and their zero', () => {
    expect(['1', '0.5', '0.00001'].map(placesOf)).toEqual([0, 1, 5]);
    expect(['0', '0.00', '-0', '0.01'].map(isZero)).toEqual([true, true, true, false]);
  });
});

describe('ages', () => {
  test.each([
    [-50, '0.0s'],
    [949, '0.9s'],
    [9_999, '9.9s'],
    [59_999, '59s'],
    [184_000, '3m 04s'],
    [7_500_000, '2h 05m'],
    [273_600_000, '3d 4h'],
  ])('%i ms is %s', (ms, shown) => expect(ageText(ms)).toBe(shown));

  test('a missing time has no age', () => expect(agoText(null, 5_000)).toBe('not yet'));
});

describe('the ladder', () => {
  test('runs from the highest price to the lowest, with own orders in place', () => {
    const rungs = rungsOf(btc(), 'buy');
    const prices = rungs.map(({ price }) => Number(price));
    expect(prices).toEqual(prices.toSorted((a, b) => b - a));
    expect(rungs[0]).toEqual({ price: '5457114', size: '0.01812', own: '0.00694', states: [] });
  });

  test('shows an own order that is not in the book yet, with its state', () => {
    const rung = rungsOf(btc(), 'buy').find(({ size }) => size === null);
    expect(rung).toEqual({ price: '5435080', size: null, own: '0.01379', states: ['sent'] });
  });

  test('adds up two own orders at one price', () => {
    const two = btc({ orders: ['0.1', '0.2'].map((quantity) => order({ side: 'sell', price: '5559806', quantity })) });
    expect(rungsOf(two, 'sell').find(({ own }) => own !== null)?.own).toBe('0.3');
  });
});

test('candles are of the known points, and absent where there is none', () => {
  const points = [5, 7, 3, null, 4, null, null, 8];
  const times = points.map((_, index) => index * 1_000);
  expect(candlesOf(times, points, 3_000)).toEqual([
    { at: 0, open: 5, high: 7, low: 3, close: 3 },
    { at: 3_000, open: 4, high: 4, low: 4, close: 4 },
    { at: 6_000, open: 8, high: 8, low: 8, close: 8 },
  ]);
});

describe('the external price', () => {
  const external = {
    ...{ price: '5520000.55', why: null, asOf: 8_000, widenBps: 0, staleMs: 5_000 },
    sources: [
      { source: 'binance BTC/USDT', price: '5520000.55', asOf: 8_000 },
      { source: 'kraken BTC/USD', price: '5600000', asOf: 1_000 },
    ],
  };
  const words = (change: Partial<typeof external> | null): string =>
    externalWords(btc({ external: change && { ...external, ...change } }), 10_000);
  const said =
    `It is read of binance BTC/USDT 5,520,000.6 (${agoText(8_000, 10_000)}), ` +
    `kraken BTC/USD 5,600,000.0 (${agoText(1_000, 10_000)}, too old).`;

  test.each<[string, Partial<typeof external> | null, string]>([
    ['is not mentioned where none is read', null, ''],
    ['is said with what it is made of', {}, `External price 5,520,000.6 INR. ${said}`],
    [
      'and what it costs in width',
      { widenBps: 4.25 },
      `External price 5,520,000.6 INR. ${said} Quotes should be 4.3 bps wider for its age and spread.`,
    ],
  ])('%s', (_, change, expected) => expect(words(change)).toBe(expected));

  test('that is unknown says why', () => {
    const none = { ...external, price: null, asOf: null, why: 'Sources disagree.' };
    expect(externalWords(btc({ external: none }), 10_000)).toBe(`No external price. Sources disagree. ${said}`);
  });
});

test('the scripts match the types of the status that they show', () => {
  const root = path.resolve(import.meta.dirname, '../../..');
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const args = [tsc, '-p', 'src/bot/web/page', '--pretty', 'false', '--listFiles'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect(stdout).toContain('src/bot/web/page/symbol/symbol-card.js\n');
  // Errors in imported files of other folders are left to the complete check.
  expect(stdout.split('\n').filter((line) => line.startsWith('src/bot/web/'))).toEqual([]);
});
