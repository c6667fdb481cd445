// Numbers that the snapshot brings for graphs: the others' best prices, how much of the limits is used.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { SECOND } from '../../../../src/domain/time.ts';
import { takeSnapshot } from '../../../../src/trader/status/snapshot.ts';
import { BTC, deskSettings } from '../desk-settings.ts';
import { type Desk, fillNow, inSlot, quotingDesk } from '../trader-kit.ts';

const snapshot = (desk: Desk) => takeSnapshot(desk.state(), desk.now());
const viewOf = (desk: Desk) => snapshot(desk).symbols.find(({ symbol }) => symbol === BTC);
const usedOf = (desk: Desk) => viewOf(desk)?.risk.limitsUsed;

test("the others' best prices are those of the book without us, and absent without one", () => {
  const desk = quotingDesk();
  expect(viewOf(desk)?.market).toEqual({ bid: '99000', ask: '101000' });
  desk.shows.books[BTC] = null;
  desk.run(10 * SECOND);
  expect(viewOf(desk)).toMatchObject({ market: null, marketSpreadBps: null });
});

test('what is open counts against its limit, with its number and its worth', () => {
  const desk = quotingDesk(deskSettings({ limits: { maxOpenOrders: 10, maxOpenNotional: '20000' } }));
  const orders = viewOf(desk)?.orders ?? [];
  const worth = orders.reduce((sum, { price, quantity }) => sum.add(decimal(price).mul(quantity)), decimal('0'));
  expect(usedOf(desk)).toMatchObject({
    maxOpenOrders: orders.length / 10,
    maxOpenNotional: worth.div(20_000).toNumber(),
  });
});

test('fills of one side count until the other side fills as much, or the window has passed', () => {
  const desk = quotingDesk(deskSettings({ limits: { maxOrderNotional: '1250', repeatedFills: 0.8 } }));
  const fill = (slot: string) => {
    const made = fillNow(desk, inSlot(desk, slot), { quantity: decimal('0.001') });
    desk.run(3 * SECOND);
    return made.price.mul(made.quantity).div(1_000).toNumber();
  };
  const bought = fill('buy:0');
  expect(usedOf(desk)?.repeatedFills).toBeCloseTo(bought, 6);
  const sold = fill('sell:0');
  expect(usedOf(desk)?.repeatedFills).toBeCloseTo(Math.abs(bought - sold), 6);
  desk.run(301 * SECOND);
  expect(usedOf(desk)?.repeatedFills).toBe(0);
});
