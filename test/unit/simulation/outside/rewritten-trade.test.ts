// What the exchange makes of a trade: whole ticks and lots, never none, and never more than it was.
import { expect, test } from '@jest/globals';
import { type Rewriting, rewritten } from '../../../../simulation/outside/rewritten-trade.ts';
import { BTC } from '../../../../simulation/profile/default-profile.ts';
import { decimal } from '../../../../src/domain/decimal.ts';
import type { FillRow } from '../../../../src/paper/state/account-record.ts';

const row = { id: '7', symbol: 'BTC/INR', price: '5000000', qty: '0.00123' } as FillRow;

const textOf = (fill: FillRow, rewriting: Rewriting): string => {
  const action = rewritten(fill, rewriting);
  return action.kind === 'correct-trade' ? `${action.quantity.toFixed()} @ ${action.price.toFixed()}` : action.kind;
};
const quantityAt = (share: number): string => textOf(row, { how: 'quantity', share, instrument: BTC });

test('a corrected quantity is in whole lots, of one at the least', () => {
  expect(BTC.lotSize.toFixed()).toBe('0.00001');
  expect(quantityAt(0)).toBe('0.00001 @ 5000000');
  expect(quantityAt(0.5)).toBe('0.00061 @ 5000000');
  expect(quantityAt(0.999)).toBe('0.00122 @ 5000000');
});

test('a corrected price leaves the quantity, and a trade that never was has neither', () => {
  const others = { share: 0, instrument: BTC };
  expect(textOf(row, { how: 'correct', ...others })).toBe('0.00123 @ 4950000');
  expect(rewritten(row, { how: 'bust', ...others })).toEqual({ kind: 'bust-trade', tradeId: '7' });
});

test('steps that are no powers of ten are kept', () => {
  const instrument = { tickSize: decimal('0.0025'), lotSize: decimal('0.75') };
  const fill = { id: '8', symbol: 'XRP/INR', price: '212.4975', qty: '9' } as FillRow;
  expect(textOf(fill, { how: 'correct', share: 0, instrument })).toBe('9 @ 210.3725');
  expect(textOf(fill, { how: 'quantity', share: 0.5, instrument })).toBe('4.5 @ 212.4975');
});
