// What an order takes out of the wallet, before and after a part of it fills: exact, and never too little.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import type { OrderRequest } from '../../../../src/domain/order.ts';
import { amountText } from '../../../../src/ledger/amount.ts';
import { type Intent, reservedIn, reserveFor, reserveLeft, withValues } from '../../../../src/trader/durable/intent.ts';
import { deskSettings } from '../desk-settings.ts';
import { fillNow, inSlot, quotingDesk } from '../trader-kit.ts';

const INSTRUMENT = deskSettings().runs[0]?.instrument ?? { symbol: '' };
const order = (side: 'buy' | 'sell', price: string, quantity: string): OrderRequest =>
  ({ symbol: 'BTC/INR', side, price: decimal(price), quantity: decimal(quantity) }) as OrderRequest;
const reserve = (of: OrderRequest, fee = '0.01') => {
  const { asset, amount } = reserveFor(of, INSTRUMENT as never, decimal(fee));
  return `${amountText(amount)} ${asset}`;
};

/** A live intent of the desk, made to be this order. */
function intentOf(side: 'buy' | 'sell', price: string, quantity: string): Intent {
  const intent = inSlot(quotingDesk(), `${side}:0`);
  const of = order(side, price, quantity);
  const { asset, amount } = reserveFor(of, INSTRUMENT as never, decimal('0.01'));
  return { ...intent, price: of.price, quantity: of.quantity, reserve: { asset, amount: amountText(amount) } };
}

test('a purchase reserves its cost with the fee, a sale its quantity', () => {
  expect(reserve(order('buy', '100', '0.5'))).toBe('50.5 INR');
  expect(reserve(order('buy', '100', '0.5'), '0')).toBe('50 INR');
  expect(reserve(order('sell', '100', '0.5'))).toBe('0.5 BTC');
});

test('an amount that is inexact in 18 decimals is rounded up', () => {
  const third = intentOf('buy', '100', '3');
  expect(amountText(reserveLeft({ ...third, reserve: { asset: 'INR', amount: '1' } }, decimal('1')))).toBe(
    '0.333333333333333334',
  );
});

describe('the remaining reserve', () => {
  const bid = intentOf('buy', '100', '0.5');

  test.each([
    ['0.5', '50.5'],
    ['0.3', '30.3'],
    ['0.0001', '0.0101'],
    ['0', '0'],
    ['-0.1', '0'],
  ])('of a bid of 0.5 with %s left is %s', (remaining, amount) => {
    expect(amountText(reserveLeft(bid, decimal(remaining)))).toBe(amount);
  });
});

test('the ledger reserves the rest of an order after each partial fill, and nothing after the last (M5)', () => {
  const desk = quotingDesk();
  const bid = inSlot(desk, 'buy:0');
  const reserved = () => amountText(reservedIn(desk.state().durable.orders, 'INR'));
  const share = (ratio: string) => decimal(bid.reserve.amount).mul(ratio).toFixed();
  expect(reserved()).toBe(share('1'));
  for (const [part, left] of [
    ['0.004', '0.6'],
    ['0.001', '0.5'],
    ['0.003', '0.2'],
    ['0.002', '0'],
  ] as const) {
    fillNow(desk, bid, { quantity: decimal(part) });
    desk.look('trades');
    expect(reserved()).toBe(share(left));
  }
});

describe('an order that the exchange keeps with other values', () => {
  test('reserves in proportion to its possible cost', () => {
    const bid = withValues(intentOf('buy', '100', '0.5'), { price: decimal('99'), quantity: decimal('0.4') });
    expect([bid.price.toFixed(), bid.quantity.toFixed(), bid.reserve]).toEqual([
      ...['99', '0.4'],
      { asset: 'INR', amount: '39.996' },
    ]);
  });

  test('reserves its quantity, whatever its price', () => {
    const ask = withValues(intentOf('sell', '100', '0.5'), { price: decimal('50'), quantity: decimal('0.4') });
    expect(ask.reserve).toEqual({ asset: 'BTC', amount: '0.4' });
  });
});
