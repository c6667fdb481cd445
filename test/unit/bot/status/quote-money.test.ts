import { describe, expect, test } from '@jest/globals';
import { quoteInMoney } from '../../../../src/bot/status/quote-money.ts';
import { decimal } from '../../../../src/domain/decimal.ts';
import type { Quote } from '../../../../src/domain/order.ts';

const instrument = {
  ...{ symbol: 'BTC/INR', base: 'BTC', quote: 'INR' },
  ...{ tickSize: decimal(1), lotSize: decimal('0.00001'), minNotional: decimal(100) },
};
const costs = {
  makerFeeRatio: decimal('0.0005'),
  takerFeeRatio: decimal('0.0005'),
  tdsRatio: decimal('0.01'),
  effectiveTaxRatio: decimal('0.01'),
};
const money = (quote: Quote) => quoteInMoney(quote, { reference: decimal(7_050_000), costs, instrument });

describe('a quote in money', () => {
  test('a bid locks its fee, too, and the first ask over the break-even price earns', () => {
    const bid: Quote = { side: 'buy', level: 0, price: decimal(7_000_000), quantity: decimal('0.01') };
    expect(money(bid)).toMatchObject({
      notional: '70000',
      distanceBps: '70.9',
      locks: '70035',
      makerFee: '35',
      taxWithheld: '0',
      // The table of break-even prices: bid 7000000, fee 0.0005, tax 0.01, tick 1.
      earnsFrom: '7077818',
      // 50,000 · 0.01 minus 70,000 · (0.0005 + 0.01 / 2).
      earns: '115',
    });
  });

  test('an ask pays the tax; the first bid under the break-even price earns', () => {
    const ask: Quote = { side: 'sell', level: 0, price: decimal(7_077_818), quantity: decimal('0.01') };
    const figures = money(ask);
    expect(figures).toMatchObject({ notional: '70778.18', locks: '0.01', taxWithheld: '707.78' });
    expect(figures.earnsFrom).toBe('7000000');
    // With one tick more for the bid, the round trip loses.
    expect(decimal(7_000_001).mul('1.0005').gt(decimal(7_077_818).mul('0.9895'))).toBe(true);
    expect(decimal(7_000_000).mul('1.0005').lt(decimal(7_077_818).mul('0.9895'))).toBe(true);
  });

  test('nearer than its costs a fill loses', () => {
    const bid: Quote = { side: 'buy', level: 0, price: decimal(7_049_000), quantity: decimal('0.01') };
    expect(Number(money(bid).earns)).toBeLessThan(0);
  });
});

test('money of a quote asset like BTC has its eight decimals', () => {
  const inBtc = { ...instrument, symbol: 'ETH/BTC', base: 'ETH', quote: 'BTC', tickSize: decimal('0.000001') };
  const quote: Quote = { side: 'buy', level: 2, price: decimal('0.053625'), quantity: decimal('0.038') };
  const place = { reference: decimal('0.054'), costs, instrument: inBtc };
  const { notional, locks, makerFee, earns } = quoteInMoney(quote, place);
  expect([notional, locks, makerFee, earns]).toEqual(['0.00203775', '0.00203877', '0.00000102', '0.00000304']);
  const inRupees = { ...quote, price: decimal(5_362_512), quantity: decimal('0.00038') };
  expect(quoteInMoney(inRupees, { ...place, instrument }).notional).toBe('2037.75');
});
