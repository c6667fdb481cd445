import { expect, test } from '@jest/globals';
import { Decimal } from '../../../src/domain/decimal.ts';
import { bookable } from '../../../src/ledger/fill-entries.ts';
import { fillOf } from './fills.ts';

test.each([
  [{ ...fillOf({}), symbol: 'BTCINR' }, "Trade 1: 'BTCINR' is not a symbol."],
  [fillOf({ price: '-1' }), 'Trade 1 of BTC/INR, price: -1 is negative.'],
  [
    fillOf({ tds: '1e-19' }),
    'Trade 1 of BTC/INR, tds: 0.0000000000000000001 has 19 decimals, an amount holds at most 18.',
  ],
  [
    { ...fillOf({}), commission: new Decimal(Number.NaN) },
    'Trade 1 of BTC/INR, commission: NaN is not an amount: it is not finite.',
  ],
])('a fill that can’t be booked exactly is refused (%#)', (fill, error) => {
  expect(bookable(fill)).toEqual({ ok: false, error });
});
