// Trades that the exchange takes back before their market, or the ledger, is opened.
import { describe, expect, test } from '@jest/globals';
import {
  booked,
  codes,
  differs,
  expectCalm,
  held,
  INEXACT,
  move,
  openings,
  trade,
  waitingDesk,
} from './added-market-kit.ts';
import { BTC, ETH } from './desk-settings.ts';
import { deskWith, rejected, takeBack } from './trader-kit.ts';

describe('a trade that is taken back while its market waits', () => {
  test('and was the newest keeps nothing from being opened', () => {
    const { desk, own } = waitingDesk();
    desk.run(60_000);
    takeBack(desk.shows, own);
    move(desk, 'ETH', `-${INEXACT}`);
    desk.run(10 * 60_000, 500);
    expect(codes(desk, ETH)).not.toContain('starting');
  });

  test('and was not the newest is not booked', () => {
    const { desk, own } = waitingDesk();
    desk.run(60_000);
    const newer = trade(desk, { quantity: '1' });
    desk.run(10_000);
    takeBack(desk.shows, own);
    desk.run(60_000);
    move(desk, 'ETH', `-${INEXACT}`);
    desk.run(10 * 60_000);
    expect([booked(desk, own), booked(desk, newer)]).toEqual([0, 1]);
    expectCalm(desk);
  });

  test('between its last page and the first of the two wallets is not booked', () => {
    const { desk, own } = waitingDesk();
    desk.run(5_000);
    trade(desk, { quantity: '1' });
    desk.run(10_000);
    takeBack(desk.shows, own);
    move(desk, 'ETH', `-${INEXACT}`);
    // Its trades come three seconds after the first wallet: a throttled lane.
    let firstWalletAt: number | null = null;
    desk.reply = (request) => {
      if (request.kind === 'wallet') firstWalletAt ??= desk.now();
      const isLate = request.kind === 'spot-trades' && request.symbol === ETH;
      return isLate && desk.now() < (firstWalletAt ?? Number.POSITIVE_INFINITY) + 3_000
        ? rejected(-1500, 500)
        : undefined;
    };
    desk.run(5 * 60_000);
    expect(booked(desk, own)).toBe(0);
    expect([differs(desk, 'ETH'), differs(desk, 'INR')]).toEqual(['0', '0']);
    expect([openings(desk), held(desk, 'ETH')]).toEqual([[{ ETH: '10' }], '11']);
    expectCalm(desk);
  });

  test('before the ledger is opened, as the wallet can not be read for a minute, lets the bot start', () => {
    const desk = deskWith();
    const own = trade(desk, { symbol: BTC, quantity: '1' });
    desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 50, confirmed: true });
    desk.look('book', 'orders', 'trades');
    desk.pass(20);
    desk.reply = ({ kind }) => (kind === 'wallet' ? rejected(-1500, 500) : undefined);
    desk.run(60_000);
    takeBack(desk.shows, own);
    desk.reply = () => undefined;
    desk.run(10 * 60_000, 500);
    expect(codes(desk, BTC)).toEqual([]);
  });
});
