// What the exchange makes of a trade: whole lots, never none, and never more than it was.
import { expect, test } from '@jest/globals';
import type { FillRow } from '../../../../src/paper/account-record.ts';
import { TRADED } from '../../../../src/sim/configuration.ts';
import { rewritten } from '../../../../src/sim/outside/rewritten-trade.ts';

const [instrument] = TRADED;
const symbol = instrument?.symbol ?? '';
const row = { id: '7', symbol, price: '5000000', qty: '0.00123' } as FillRow;

const quantityAt = (share: number): string => {
  const action = rewritten(row, { how: 'quantity', share });
  return action.kind === 'correct-trade' ? `${action.quantity.toFixed()} @ ${action.price.toFixed()}` : action.kind;
};

test('a corrected quantity is in whole lots, of one at the least', () => {
  expect(instrument?.lotSize.toFixed()).toBe('0.00001');
  expect(quantityAt(0)).toBe('0.00001 @ 5000000');
  expect(quantityAt(0.5)).toBe('0.00061 @ 5000000');
  expect(quantityAt(0.999)).toBe('0.00122 @ 5000000');
});

test('a corrected price leaves the quantity, and a trade that never was has neither', () => {
  expect(rewritten(row, { how: 'correct', share: 0 })).toMatchObject({ kind: 'correct-trade', tradeId: '7' });
  expect(rewritten(row, { how: 'bust', share: 0 })).toEqual({ kind: 'bust-trade', tradeId: '7' });
});
