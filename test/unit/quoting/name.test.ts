// Quantities that name orders.
import { describe, expect, test } from '@jest/globals';
import { type Decimal, decimal } from '../../../src/domain/decimal.ts';
import { intentId } from '../../../src/domain/ids.ts';
import type { LiveOrder } from '../../../src/quoting/live-order.ts';
import { namedQuantity } from '../../../src/quoting/name.ts';
import { instrument } from './market.ts';

const order = (quantity: string, more: Partial<LiveOrder> = {}): LiveOrder => ({
  intentId: intentId('1-1'),
  slot: 'buy:0',
  side: 'buy',
  price: decimal(100),
  quantity: decimal(quantity),
  remaining: decimal(quantity),
  sentAt: 0,
  status: 'open',
  ...more,
});

interface Create {
  readonly number?: number;
  readonly quantity?: string | Decimal;
  readonly price?: Decimal;
  readonly orders?: readonly LiveOrder[];
}

/** Of a bid at 100 with a lot of 0.001. */
const named = ({ number = 0, quantity = '1', price = decimal(100), orders = [] }: Create): string =>
  namedQuantity({ side: 'buy', price, quantity: decimal(quantity.toString()) }, instrument, {
    orders,
    createNumber: number,
  }).toFixed();

describe('where ten lots are at most 1 % of the size', () => {
  test('ten creates in a row have ten quantities, never more than was wanted', () => {
    const ten = ['1', '0.999', '0.998', '0.997', '0.996', '0.995', '0.994', '0.993', '0.992', '0.991'];
    expect(Array.from({ length: 11 }, (_, number) => named({ number }))).toEqual([...ten, '1']);
  });

  test.each([
    ['of the other side', { side: 'sell' }],
    ['at another price', { price: decimal(90) }],
    ['that leaves', { status: 'leaving' }],
    ['in doubt', { status: 'doubtful' }],
  ] as const)('no order %s has the same', (_, more) => {
    expect(named({ orders: [order('1', more), order('0.999', more)] })).toBe('0.998');
  });

  test('an order of the same side and price has another even where all ten are taken', () => {
    const far = (lots: number): LiveOrder =>
      order(decimal('1').sub(decimal('0.001').mul(lots)).toFixed(), { side: 'sell' });
    const orders = [order('1'), ...Array.from({ length: 10 }, (_, lots) => far(lots))];
    expect(named({ orders })).toBe('0.999');
  });
});

describe('where lots are larger', () => {
  test('the size stays as wanted, whatever other orders have', () => {
    expect(named({ number: 3, quantity: '0.9', orders: [order('0.9', { side: 'sell' })] })).toBe('0.9');
  });

  test('an order is told apart from one of its side and price, and from a lost one of its side', () => {
    expect(named({ quantity: '0.9', orders: [order('0.9')] })).toBe('0.899');
    const lost = order('0.9', { price: decimal(90), status: 'doubtful' });
    expect(named({ quantity: '0.9', orders: [lost] })).toBe('0.899');
  });

  test('the least notional and at least a lot remain', () => {
    const least = instrument.minNotional.div(100);
    expect(named({ quantity: least, orders: [order(least.toFixed())] })).toBe(least.toFixed());
    const lot = { price: decimal('1e12'), quantity: instrument.lotSize };
    expect(named({ ...lot, orders: [order(lot.quantity.toFixed(), { price: lot.price })] })).toBe('0.001');
  });
});
