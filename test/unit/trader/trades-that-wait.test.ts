// Known trades of a market that waits to be opened: the wallet has what they moved, and they wait to be booked.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import {
  accepted,
  account,
  add,
  BOTH,
  booked,
  codes,
  expectCalm,
  INEXACT,
  move,
  openings,
  told,
  trade,
  waitingDesk,
} from './added-market-kit.ts';
import { BTC } from './desk-settings.ts';
import { differs, fiat } from './money-kit.ts';
import { moveWallet, ops, quotingDesk, readNow, unmoveWallet, walletRow } from './trader-kit.ts';

describe('trades that wait to be booked', () => {
  test('cause no difference next to a listed deposit', () => {
    const { desk } = waitingDesk();
    desk.run(3_000);
    fiat(desk);
    move(desk, 'INR', '5000');
    desk.run(5 * 60_000);
    expect(told(desk)).toEqual([]);
    expect(account(desk, 'INR', 'external:deposit')).toBe('-5000');
  });

  test('keep nothing else from being quoted, and page nobody', () => {
    const { desk } = waitingDesk();
    desk.run(5 * 60_000);
    expect(told(desk)).toEqual([]);
    expect(ops(desk)).not.toContain('difference-unjudged');
    expect(codes(desk, BTC)).toEqual([]);
  });

  test('and that the exchange changes after their market is opened are booked anew (F50)', () => {
    const { desk, own } = waitingDesk();
    desk.run(5 * 60_000);
    move(desk, 'ETH', `-${INEXACT}`);
    desk.run(5 * 60_000);
    expect([openings(desk).length, booked(desk, own)]).toEqual([1, 1]);
    const [quantity, quoteQuantity] = [own.quantity.div(2), own.quoteQuantity.div(2)];
    unmoveWallet(desk.shows, own);
    moveWallet(desk.shows, { ...own, quantity, quoteQuantity });
    desk.shows.fills = [{ ...own, quantity, quoteQuantity }];
    desk.run(5 * 60_000);
    expect(ops(desk)).toContain('trade-changed');
    expect([differs(desk, 'ETH'), differs(desk, 'INR')]).toEqual(['0', '0']);
  });

  test('are in no trailing wallet, which proves as much as one that trails booked trades', () => {
    const { desk } = waitingDesk();
    desk.run(20_000);
    const before = { ...desk.shows.balances };
    trade(desk, { quantity: '1' });
    const until = desk.now() + 4_000;
    desk.reply = ({ kind }) =>
      kind === 'wallet' && desk.now() < until
        ? readNow(
            desk,
            Object.entries(before).map(([asset, amount]) => walletRow(asset, amount, desk.shows.orders)),
          )
        : undefined;
    desk.run(3_500);
    expect(desk.now() - (desk.state().reconciliation.equalSentAt ?? 0)).toBeLessThan(2_500);
    expect(desk.state().reconciliation.differsSince).toBeNull();
    desk.run(60_000);
    expectCalm(desk);
  });

  test('are not accepted with other differences, to be booked again when their market is opened', () => {
    const { desk } = waitingDesk();
    move(desk, 'INR', '-700');
    desk.restart(BOTH, [], 0, { acceptDifferences: true });
    desk.run(2 * 60_000);
    expect(accepted(desk)).toEqual(['-700 INR']);
    move(desk, 'ETH', `-${INEXACT}`);
    desk.run(2 * 60_000);
    expectCalm(desk);
  });

  test('keep no difference that its row explains', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    const at = desk.now();
    move(desk, 'INR', '-500');
    desk.run(2 * 60_000);
    expect(differs(desk, 'INR')).toBe('-500');
    move(desk, 'ETH', INEXACT);
    add(desk);
    desk.run(2_000);
    trade(desk);
    desk.run(60_000);
    fiat(desk, { direction: 'withdrawal', amount: decimal(500), venueTime: at });
    desk.run(30 * 60_000, 500);
    expect(differs(desk, 'INR')).toBe('0');
  });
});
