// Trades that the exchange takes back before their market, or the ledger, is opened.
import { describe, expect, test } from '@jest/globals';
import type { Fill } from '../../../src/domain/fill.ts';
import { add, booked, codes, expectCalm, move, trade } from './added-market-kit.ts';
import { BTC, ETH } from './desk-settings.ts';
import { type Desk, deskWith, moveWallet, quotingDesk, rejected } from './trader-kit.ts';

const INEXACT = '0.0000000000000000000000000000000001';

/** The exchange takes a trade back: no list shows it, and the wallet is what it was. */
function bust(desk: Desk, fill: Fill): void {
  desk.shows.fills = desk.shows.fills.filter((each) => each.tradeId !== fill.tradeId);
  moveWallet(desk.shows, {
    ...fill,
    quantity: fill.quantity.neg(),
    quoteQuantity: fill.quoteQuantity.neg(),
    commission: fill.commission.neg(),
    tds: fill.tds.neg(),
  });
}

/** ETH/INR can't be opened, as an amount is not exact; its owner has traded there. */
function waitingDesk(): { desk: Desk; own: Fill } {
  const desk = quotingDesk();
  desk.run(5_000);
  move(desk, 'ETH', INEXACT);
  add(desk);
  desk.run(2_000);
  return { desk, own: trade(desk) };
}

describe('a trade that is taken back while its market waits', () => {
  test('and was the newest keeps nothing from being opened', () => {
    const { desk, own } = waitingDesk();
    desk.run(60_000);
    bust(desk, own);
    move(desk, 'ETH', `-${INEXACT}`);
    desk.run(10 * 60_000, 500);
    expect(codes(desk, ETH)).not.toContain('market-unopened');
  });

  test('and was not the newest is not booked', () => {
    const { desk, own } = waitingDesk();
    desk.run(60_000);
    const newer = trade(desk, { quantity: '1' });
    desk.run(10_000);
    bust(desk, own);
    desk.run(60_000);
    move(desk, 'ETH', `-${INEXACT}`);
    desk.run(10 * 60_000);
    expect([booked(desk, own), booked(desk, newer)]).toEqual([0, 1]);
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
    bust(desk, own);
    desk.reply = () => undefined;
    desk.run(10 * 60_000, 500);
    expect(codes(desk, BTC)).toEqual([]);
  });
});
