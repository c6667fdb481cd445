// Tick and lot size from observed values: never finer than the true one, and honest about the certainty.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { greatestStep, stepFindings } from '../../../src/bot/probe/step-findings.ts';
import { Decimal, decimal, plain } from '../../../src/domain/decimal.ts';
import { answer, findingOf } from './probe-answers.ts';

const values = (...texts: string[]): Decimal[] => texts.map((text) => decimal(text));

describe('the greatest step that divides all values', () => {
  test.each<[string, string[], string | null]>([
    ['nothing', [], null],
    ['zeros alone', ['0', '0.00'], null],
    ['one value: itself', ['0.5'], '0.5'],
    ['whole numbers', ['100', '101', '103'], '1'],
    ['halves', ['10.5', '11', '12.5'], '0.5'],
    ['zeros at the end mean nothing', ['10.500', '11.000'], '0.5'],
    ['many decimals', ['0.00000001', '123456789.00000002'], '0.00000001'],
    ['more digits than a float holds', ['12345678901234567890.1', '12345678901234567890.3'], '0.1'],
    ['more digits than a decimal multiplies', [`1${'0'.repeat(45)}.00000001`, '0.00000003'], '0.00000001'],
    ['an exponent, as old tickers write', ['1e-7', '3e-7'], '0.0000001'],
    ['large steps', ['1000', '2500', '4000'], '500'],
  ])('%s', (_what, texts, step) => {
    const found = greatestStep(values(...texts));
    expect(found === null ? null : plain(found.step)).toBe(step);
  });

  const tick = fc
    .tuple(fc.constantFrom('1', '2', '5', '25', '3'), fc.integer({ min: -8, max: 3 }))
    .map(([digit, exponent]) => new Decimal(`${digit}e${exponent}`));

  test('is never finer than the true one, and with thirty random multiples it is the true one and says so', () => {
    const multiples = fc.uniqueArray(fc.integer({ min: 1, max: 10_000_000 }), { minLength: 30, maxLength: 60 });
    fc.assert(
      fc.property(tick, multiples, (trueTick, counts) => {
        const found = greatestStep(counts.map((count) => trueTick.mul(count)));
        if (found === null) throw new Error('Nothing was found.');
        // Whatever people do, the true step divides the result.
        expect(found.step.div(trueTick).isInteger()).toBe(true);
        expect(found.step.gte(trueTick)).toBe(true);
        if (found.doubt < 1e-6) expect(plain(found.step)).toBe(plain(trueTick));
      }),
      { numRuns: 300 },
    );
  });

  test('people who quote round numbers nine times out of ten leave a doubt', () => {
    const counts = Array.from({ length: 40 }, (_, index) => (index < 36 ? (index + 1) * 10 : index * 7 + 2));
    const found = greatestStep(counts.map((count) => decimal(count)));
    expect(found).toMatchObject({ distinct: 40 });
    expect(found?.roundShare).toBeGreaterThanOrEqual(0.9);
    expect(found?.doubt).toBeGreaterThan(0.01);
  });
});

describe('the finding about a symbol', () => {
  const symbol = 'BTC/INR';
  const configured = {
    symbol,
    base: 'BTC',
    quote: 'INR',
    tickSize: decimal('0.5'),
    lotSize: decimal('0.001'),
    minNotional: decimal(100),
  };
  const book = (count: number, tickSize: string) => {
    const level = (side: number) => (_: unknown, index: number) => [
      plain(decimal(5_000_000).add(decimal(tickSize).mul(side * (index * index + index + 1)))),
      plain(decimal('0.001').mul(index * 3 + 2)),
    ];
    return {
      bids: Array.from({ length: count }, level(-1)),
      asks: Array.from({ length: count }, level(1)),
    };
  };
  const seen = (count: number, tickSize: string) => [answer('order-book', { symbol, body: book(count, tickSize) })];

  test('as configured: no setting follows', () => {
    const found = findingOf(stepFindings(seen(30, '0.5'), { symbol, configured }), 'tick-size.BTC/INR');
    expect(found).toMatchObject({ finding: '0.5', confidence: 'likely' });
    expect(found.setting).toBeUndefined();
  });

  test('coarser than configured: gives a setting', () => {
    const found = findingOf(stepFindings(seen(30, '1'), { symbol, configured }), 'tick-size.BTC/INR');
    expect(found).toMatchObject({
      finding: '1',
      setting: { symbol, path: ['instrument', 'tickSize'], value: '1' },
    });
    expect(found.evidence).toContain('configured is 0.5');
  });

  test('off the configured step: names the value that proves it', () => {
    const found = findingOf(stepFindings(seen(30, '0.1'), { symbol, configured }), 'tick-size.BTC/INR');
    expect(found).toMatchObject({ finding: '0.1', setting: { value: '0.1' } });
    expect(found.evidence).toMatch(/5\d+\.\d is no multiple of the configured 0\.5|4\d+\.\d is no multiple/);
  });

  test.each([1, 3])('%i levels a side are too few for a conclusion, and change nothing', (count) => {
    const found = findingOf(stepFindings(seen(count, '1'), { symbol, configured }), 'tick-size.BTC/INR');
    expect(found.confidence).toBe('unknown');
    expect(found.finding).toMatch(/^at most /);
    expect(found.evidence).toContain('too few to tell');
    expect(found.setting).toBeUndefined();
  });

  test('public trades and own trades count', () => {
    const row = { symbol, quoteQty: '1', time: 1_772_433_000_000 };
    const theirs = { ...row, price: '5000000.25', qty: '0.0005', isBuyerMaker: true };
    const fee = { commission: '0', commissionAsset: 'INR', tds: '0' };
    const ours = { ...row, ...fee, id: 1, orderId: '1-1-1', isBuyer: true, isMaker: true };
    const trades = answer('public-trades', { symbol, body: [theirs] });
    const own = answer('spot-trades', { symbol, body: [{ ...ours, price: '5000000.05', qty: '0.00001' }] });
    const found = stepFindings([...seen(30, '0.5'), trades, own], { symbol, configured });
    expect(findingOf(found, 'tick-size.BTC/INR').finding).toMatch(/0\.05$/);
    expect(findingOf(found, 'lot-size.BTC/INR').finding).toMatch(/0\.00001$/);
  });
});
