// Profit is worked out at prices that the trader trusts, on what it shows and in what it books; and it says of when
// the price is.
import { describe, expect, test } from '@jest/globals';
import { amountText } from '../../../../src/ledger/amount.ts';
import { marketIn } from '../../../../src/trader/durable/market.ts';
import { takeSnapshot } from '../../../../src/trader/status/snapshot.ts';
import { BTC, deskSettings } from '../desk-settings.ts';
import { type Desk, fillNow, inSlot, quotingDesk } from '../trader-kit.ts';

const viewOf = (desk: Desk) => takeSnapshot(desk.state(), desk.now()).symbols.find(({ symbol }) => symbol === BTC);
const pnlOf = (desk: Desk) => viewOf(desk)?.pnl;
const bookedMid = (desk: Desk): string => amountText(marketIn(desk.state().durable, BTC).pnl.mid ?? (0n as never));

/** A bid of 0.01 at 98,000 has filled at a mid of 100,000: 20 of spread less a fee of 9.8. */
function withInventory(): Desk {
  const desk = quotingDesk(deskSettings());
  fillNow(desk, inSlot(desk, 'buy:0'));
  desk.run(3_000);
  return desk;
}

describe('a book with every price times 100', () => {
  const slip = (desk: Desk): void => {
    desk.shows.books[BTC] = [9_900_000, 10_100_000];
    desk.run(1_500);
  };

  test('makes no profit: holdings stay valued at the last trusted price, and its age is shown', () => {
    const desk = withInventory();
    const before = desk.now();
    slip(desk);
    expect(pnlOf(desk)).toMatchObject({ total: '10.2', inventory: '0', price: '100000' });
    expect(pnlOf(desk)?.pricedAt).toBeLessThanOrEqual(before);
    expect(viewOf(desk)).toMatchObject({
      state: 'waiting',
      referencePrice: '10000000',
      referenceTrusted: false,
      reason: expect.stringMatching(
        /^The reference price jumped from 100000 to .* 22:13:25 UTC\. .* the symbol halts at 22:14:25 UTC; /,
      ),
    });
    desk.shows.books[BTC] = [99_000, 101_000];
    desk.run(3_000);
    expect(pnlOf(desk)?.pricedAt).toBeGreaterThan(before);
    expect(viewOf(desk)).toMatchObject({ state: 'quoting', referenceTrusted: true });
  });

  test('does not value the fills that are booked meanwhile', () => {
    const desk = withInventory();
    slip(desk);
    fillNow(desk, inSlot(desk, 'sell:0'), { quantity: inSlot(desk, 'sell:0').quantity.div(2) });
    desk.look('trades');
    expect(marketIn(desk.state().durable, BTC).tally.sells).toBe(1);
    expect(bookedMid(desk)).toBe('100000');
  });

  test('at the very start values nothing, however long it stays alone', () => {
    const desk = withInventory();
    desk.restart();
    desk.pass(2 * 3_600_000);
    desk.restart();
    slip(desk);
    expect(pnlOf(desk)).toMatchObject({ total: '10.2', price: '100000' });
    expect(pnlOf(desk)?.pricedAt).toBeLessThan(desk.now() - 3_600_000);
  });
});

test('a price that moves step by step is followed', () => {
  const desk = withInventory();
  for (const mid of [98_000, 96_000, 95_000]) {
    desk.shows.books[BTC] = [mid - 1_000, mid + 1_000];
    desk.run(2_000);
  }
  expect(pnlOf(desk)).toMatchObject({ inventory: '-50', total: '-39.8', price: '95000' });
});

test('no price is shown before the first', () => {
  const desk = quotingDesk(deskSettings());
  desk.restart();
  expect(pnlOf(desk)).toMatchObject({ total: '0' });
});
