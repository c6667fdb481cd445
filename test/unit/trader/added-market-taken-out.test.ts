// A market that was opened with nothing of its coin, taken out of the configuration, and added again later.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { account, add, codes, DAY, deposit, differs, openings, told } from './added-market-kit.ts';
import { BTC, deskSettings, ETH } from './desk-settings.ts';
import { type Desk, quotingDesk } from './trader-kit.ts';

/** ETH/INR is added, opened with no ETH, and taken out before anything filled. */
function takenOut(): Desk {
  const desk = quotingDesk();
  desk.shows.balances.ETH = decimal(0);
  desk.shows.books[ETH] = null;
  desk.run(5_000);
  add(desk);
  desk.run(60_000);
  expect(openings(desk)).toEqual([{ ETH: '0' }]);
  stop(desk);
  desk.restart(deskSettings());
  desk.look('book', 'orders');
  desk.run(60_000);
  return desk;
}

function stop(desk: Desk): void {
  desk.tell({ kind: 'stop' });
  desk.run(60_000);
}

describe('a market that was opened with nothing of its coin, and taken out', () => {
  test('has a deposit of that coin booked when it comes, as one that had some of it', () => {
    const desk = takenOut();
    deposit(desk);
    desk.run(5 * 60_000);
    expect(account(desk, 'ETH', 'external:deposit')).toBe('-3');
  });

  test('is quoted again when it comes back, and halts nothing', () => {
    const desk = takenOut();
    deposit(desk);
    desk.run(60_000);
    stop(desk);
    desk.pass(20 * DAY);
    desk.restart(deskSettings());
    desk.look('book', 'orders');
    desk.run(60_000);
    stop(desk);
    desk.pass(60_000);
    add(desk);
    desk.run(5 * 60_000);
    expect([told(desk), differs(desk, 'ETH')]).toEqual([[], '0']);
    expect(desk.state().durable.differences.byAsset.size).toBe(0);
    expect(codes(desk, BTC)).toEqual([]);
  });
});
