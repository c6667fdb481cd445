// Books are read often, and show a fill before own trades are read again.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { showBook } from '../book-kit.ts';
import { deskSettings } from '../desk-settings.ts';
import { type Desk, fillNow, inSlot, quotingDesk } from '../trader-kit.ts';

const MINUTE = 60_000;

/** Own trades, orders and wallet are read once a minute, books once a second; others bid 97000 and ask 103000. */
function deskThatLooksSeldom(): Desk {
  const settings = deskSettings();
  const { polling } = settings;
  const desk = quotingDesk({
    ...settings,
    polling: { ...polling, openOrdersMs: MINUTE, tradesMs: MINUTE, walletMs: MINUTE },
    ageLimits: { ...settings.ageLimits, openOrdersMs: 5 * MINUTE, reconciledMs: 5 * MINUTE },
  });
  desk.run(1_000);
  showBook(desk, [[97_000, '1']], [[103_000, '1']]);
  desk.run(20_000);
  return desk;
}

const tradesRead = (desk: Desk): number =>
  desk.sent.filter(({ chosen }) => chosen.request.kind === 'spot-trades').length;

describe('an own order that is no longer in the book', () => {
  test.each([
    ['in part', '0.004', '0.006'],
    ['wholly', '0.01', '0'],
  ])('and has filled %s is known within two books', (_, filled, left) => {
    const desk = deskThatLooksSeldom();
    const bid = inSlot(desk, 'buy:0');
    const before = tradesRead(desk);
    fillNow(desk, bid, { quantity: decimal(filled) });
    desk.run(2_500);
    expect(tradesRead(desk)).toBeGreaterThan(before);
    const known =
      desk.state().durable.orders.intents.get(bid.intentId) ?? desk.state().durable.orders.closed.get(bid.intentId);
    expect(known?.quantity.sub(known.filled).toFixed()).toBe(left);
  });

  test('causes one read of trades, not one per book', () => {
    const desk = deskThatLooksSeldom();
    const before = tradesRead(desk);
    // Books lack it, and neither trades nor lists say that anything happened.
    desk.reply = (request) =>
      request.kind === 'order-book'
        ? {
            kind: 'read',
            read: {
              rows: {
                bids: [{ price: decimal(97_000), quantity: decimal(1) }],
                asks: [{ price: decimal(103_000), quantity: decimal(1) }],
              },
              complete: true,
              sentAt: desk.now(),
              receivedAt: desk.now(),
            },
          }
        : undefined;
    desk.run(10_000);
    expect(tradesRead(desk)).toBe(before + 1);
  });
});
