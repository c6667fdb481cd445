import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { type Amount, amountDecimal, amountText, asValue, times, valueText } from '../../../src/ledger/amount.ts';
import type { BookableFill } from '../../../src/ledger/fill-entries.ts';
import { bookPnl, EMPTY_PNL, markPnl, type Pnl, pnlParts } from '../../../src/ledger/pnl.ts';
import { amt, anyFill, bookableOf, decimalText } from './fills.ts';

interface Input {
  readonly kind: 'mid' | 'fill' | 'fill-reversed';
  readonly mid: Amount;
  readonly fill?: BookableFill;
}

const sumsOf = (...inputs: Input[]): Pnl =>
  inputs.reduce(
    (pnl, { kind, mid, fill }) =>
      fill === undefined ? markPnl(pnl, amountDecimal(mid)) : bookPnl(pnl, { fill, mid }, kind === 'fill' ? 1 : -1),
    EMPTY_PNL,
  );
const parts = (pnl: Pnl, treatment: 'cost' | 'credit' | 'ignore'): Record<string, string> =>
  Object.fromEntries(Object.entries(pnlParts(pnl, treatment)).map(([name, sum]) => [name, valueText(sum)]));

describe('profit and loss', () => {
  const buy = bookableOf({ price: '100', quantity: '2', quoteQuantity: '200', commission: '0.5' });
  const sell = bookableOf({
    side: 'sell',
    price: '104',
    quantity: '2',
    quoteQuantity: '208',
    commission: '0.5',
    tds: '2.08',
  });

  test('of a round trip is spread, drift, fees and tax', () => {
    const pnl = sumsOf(
      { kind: 'fill', fill: buy, mid: amt('101') },
      { kind: 'mid', mid: amt('102') },
      { kind: 'fill', fill: sell, mid: amt('103') },
      { kind: 'mid', mid: amt('500') },
    );
    const same = { spread: '4', drift: '4', fees: '1' };
    expect(parts(pnl, 'cost')).toEqual({ ...same, taxCost: '2.08', taxCredit: '0', total: '4.92' });
    expect(parts(pnl, 'credit')).toEqual({ ...same, taxCost: '0', taxCredit: '2.08', total: '7' });
    expect(parts(pnl, 'ignore')).toEqual({ ...same, taxCost: '0', taxCredit: '0', total: '7' });
    expect(amountText(pnl.inventory)).toBe('0');
    expect([amountText(pnl.turnover), pnl.fills]).toEqual(['408', 2]);
  });

  test('values a fee in base at the price of the fill, and does not hold it', () => {
    const fill = bookableOf({
      ...{ price: '100', quantity: '2', quoteQuantity: '200' },
      commission: '0.01',
      commissionAsset: 'BTC',
    });
    const pnl = sumsOf({ kind: 'fill', fill, mid: amt('101') });
    expect(amountText(pnl.inventory)).toBe('1.99');
    expect(parts(pnl, 'cost')).toMatchObject({ spread: '1.99', fees: '1', total: '0.99' });
  });

  test('keeps a fee in a third asset apart', () => {
    const fill = bookableOf({
      price: '100',
      quantity: '2',
      quoteQuantity: '200',
      commission: '3',
      commissionAsset: 'USDT',
    });
    const apart = sumsOf({ kind: 'fill', fill, mid: amt('100') });
    expect([valueText(apart.fees), apart.unvaluedFees]).toEqual(['0', new Map([['USDT', amt('3')]])]);
  });
});

const mids = decimalText(9, 10n ** 18n).map(amt);
const inputs = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('mid' as const), mid: mids }),
    fc.record({
      kind: fc.constant('fill' as const),
      fill: anyFill,
      mid: mids,
    }),
  ),
  { maxLength: 40 },
);

/** What the fill did to the quote that is held, its tax included. */
function cashOf(fill: BookableFill): bigint {
  const unit = 10n ** 18n;
  const paid = fill.commissionAsset === 'INR' ? fill.commission * unit : 0n;
  return (fill.side === 'buy' ? -fill.quoteQuantity : fill.quoteQuantity) * unit - paid - fill.tds * unit;
}

describe('after any fills and mid prices', () => {
  test('the total is cash and inventory at the mid price, to the last digit', () => {
    fc.assert(
      fc.property(inputs, mids, (steps, lastMid) => {
        const pnl = sumsOf(...steps, { kind: 'mid', mid: lastMid });
        let [cash, held] = [0n, 0n];
        for (const one of steps) {
          if (one.kind !== 'fill') continue;
          cash += cashOf(one.fill);
          held += one.fill.side === 'buy' ? one.fill.quantity : -one.fill.quantity;
          if (one.fill.commissionAsset === 'BTC') held -= one.fill.commission;
        }
        expect(pnl.inventory).toBe(held);
        expect(pnlParts(pnl, 'cost').total).toBe(cash + held * lastMid);
        const { total, taxCredit } = pnlParts(pnl, 'credit');
        expect(total - taxCredit).toBe(cash + held * lastMid);
      }),
      { numRuns: 300 },
    );
  });

  test('the spread of fills with exact quote and fees in quote is Σ s·n·(mid − p)', () => {
    const exact = anyFill.map((fill) => ({ ...fill, quoteQuantity: amt('0'), commissionAsset: 'INR' }));
    fc.assert(
      fc.property(fc.array(fc.record({ fill: exact, mid: mids })), (fills) => {
        const whole = fills.map(({ fill, mid }) => {
          const quote = times(fill.quantity, fill.price);
          const rounded = quote - (quote % 10n ** 18n);
          return {
            fill: { ...fill, quoteQuantity: (rounded / 10n ** 18n) as typeof fill.quantity },
            mid,
            dust: quote - rounded,
          };
        });
        const pnl = sumsOf(...whole.map(({ fill, mid }) => ({ kind: 'fill' as const, fill, mid })));
        const expected = whole.reduce((sum, { fill, mid, dust }) => {
          const s = fill.side === 'buy' ? 1n : -1n;
          return sum + s * (fill.quantity * edgeMid(mid, fill) + dust);
        }, 0n);
        expect(pnl.spread).toBe(expected);
      }),
    );
  });

  test('a fill that is taken back leaves the total as if it had never been', () => {
    fc.assert(
      fc.property(inputs, anyFill, mids, mids, (steps, fill, mid, later) => {
        const end = { kind: 'mid', mid: later } as const;
        const without = sumsOf(...steps, { kind: 'mid', mid }, end);
        const taken = sumsOf(...steps, { kind: 'fill', fill, mid }, { kind: 'fill-reversed', fill, mid: later }, end);
        expect(pnlParts(taken, 'cost').total).toBe(pnlParts(without, 'cost').total);
        expect([taken.inventory, taken.fills, taken.fees, taken.tax]).toEqual([
          without.inventory,
          without.fills,
          without.fees,
          without.tax,
        ]);
      }),
    );
  });
});

const edgeMid = (mid: bigint, fill: BookableFill): bigint => mid - fill.price;

test('a value of quote has 36 decimals', () => {
  expect(asValue(amt('1'))).toBe(10n ** 36n);
});
