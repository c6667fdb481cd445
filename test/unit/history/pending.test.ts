// What a reading says of transfers that were not final when they were handed out.
import { expect, test } from '@jest/globals';
import { decimal, ZERO } from '../../../src/domain/decimal.ts';
import type { FiatTransfer } from '../../../src/domain/transfer.ts';
import { next, observe, startHistory, takeRows } from '../../../src/history/history.ts';
import { fiatTransfers } from '../../../src/history/lists.ts';
import { SETTINGS } from './play-trades.ts';

function transfer(venueTime: number, status: 'pending' | 'success'): FiatTransfer {
  const [amount, referenceId] = [decimal(1), `R${venueTime}`];
  return { direction: 'deposit', status, statusText: status, venueTime, fee: ZERO, amount, referenceId };
}

test('one that was handed out as pending is told, though a later page has shown it final', () => {
  const settings = { ...SETTINGS, smallestPageRows: 3 };
  let state = startHistory(fiatTransfers('deposit'), { by: 'between', from: 10, to: null }, settings);
  const pages = [
    [transfer(10, 'success'), transfer(20, 'pending'), transfer(30, 'success')],
    [transfer(10, 'success'), transfer(20, 'pending')],
    [transfer(20, 'success'), transfer(30, 'success')],
  ];
  const handedOut: string[] = [];
  for (const rows of pages) {
    state = observe(state, { kind: 'page', page: { rows, complete: true, askedAt: 1_000_000 } });
    handedOut.push(...takeRows(state).map(({ venueTime, status }) => `${venueTime} ${status}`));
  }
  expect(handedOut).toEqual(['10 success', '20 pending', '30 success']);
  expect(next(state)).toMatchObject({ kind: 'done', outcome: { pendingSince: 20, rows: 3 } });
});
