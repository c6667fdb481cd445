// A transfer of before an opening may have been on its way: it is booked once the wallet has differed by it for as long
// as lists may trail.
import { describe, expect, test } from '@jest/globals';
import { account, add, expectCalm, move, openings } from './added-market-kit.ts';
import { crypto, fiat } from './money-kit.ts';
import { type Desk, deskWith, makeReady, quotingDesk, readNow, walletRow } from './trader-kit.ts';

/** Wallets trail by so much from now on. */
function trail(desk: Desk, byMs: number): { run: (ms: number) => void } {
  const snaps: { at: number; balances: Desk['shows']['balances'] }[] = [];
  desk.reply = ({ kind }) => {
    if (kind !== 'wallet') return undefined;
    const then = snaps.findLast(({ at }) => at <= desk.now() - byMs)?.balances ?? desk.shows.balances;
    return readNow(
      desk,
      Object.entries(then).map(([asset, total]) => walletRow(asset, total, desk.shows.orders)),
    );
  };
  const run = (ms: number): void => {
    for (const end = desk.now() + ms; desk.now() < end; ) {
      snaps.push({ at: desk.now(), balances: { ...desk.shows.balances } });
      desk.run(100);
    }
  };
  return { run };
}

describe('a deposit in flight at an opening', () => {
  const pending = (desk: Desk): void =>
    fiat(desk, { status: 'pending', statusText: 'PENDING', venueTime: desk.now() - 60_000 });
  const arrives = (desk: Desk): void => {
    desk.shows.fiat = desk.shows.fiat.map((row) => ({ ...row, status: 'success', statusText: 'SUCCESS' }));
    move(desk, 'INR', '5000');
  };

  test('explains the difference after a restart, once it has arrived', () => {
    const desk = deskWith();
    pending(desk);
    makeReady(desk);
    desk.run(60_000);
    desk.restart();
    desk.look('book', 'orders');
    desk.run(60_000);
    arrives(desk);
    desk.run(90_000);
    expect(account(desk, 'INR', 'external:deposit')).toBe('-5000');
    expectCalm(desk);
  });
});

test('a deposit in the moments of an opening, missing in the trailing second wallet, is no difference', () => {
  const desk = quotingDesk();
  desk.run(5_000);
  add(desk);
  const trailing = trail(desk, 3_000);
  trailing.run(3_500);
  expect(openings(desk)).toEqual([]);
  crypto(desk);
  move(desk, 'ETH', '3');
  trailing.run(120_000);
  expect(openings(desk)).toEqual([{ ETH: '10' }]);
  expectCalm(desk);
});
