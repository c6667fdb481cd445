// An order that ended while a difference was seen and not confirmed yet: it is closed once the wallet confirms what is
// booked of it, unless the difference may be a fill of it that was missed.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { BTC, deskSettings, ETH, LAG_MS } from '../desk-settings.ts';
import { differs, move } from '../money-kit.ts';
import { type Desk, endOf, fillNow, inSlot, ops, quotingDesk } from '../trader-kit.ts';

const ended = (desk: Desk) => desk.events.findLast(({ type }) => type === 'session-ended')?.payload;

const pagesOf = (desk: Desk) => desk.notices.filter(({ op, level }) => op === 'difference' && level === 'page').length;

/** 500 INR leave the wallet, the bid fills in part and is canceled for its size, all before they are missed. */
function partlyFilledBesideLoss(desk: Desk): string {
  desk.run(1_000);
  const bid = inSlot(desk, 'buy:0');
  move(desk, 'INR', '-500');
  fillNow(desk, bid, { quantity: decimal('0.006') });
  desk.run(2_500);
  expect(desk.intents().find(({ intentId }) => intentId === bid.intentId)?.state).toBe('closing');
  expect(ops(desk)).not.toContain('difference');
  return bid.intentId;
}

/** Of an account that is the bot's alone. */
const dedicatedDesk = (): Desk => quotingDesk(deskSettings({ foreignOrders: 'refuse' }));

test('a difference that can’t be its fill does not keep it from being closed', () => {
  const desk = dedicatedDesk();
  const id = partlyFilledBesideLoss(desk);
  desk.run(4 * LAG_MS);
  expect(ops(desk)).toContain('difference');
  expect(endOf(desk, id)).toBe('canceled 0.006 of 0.01');
  expect(desk.intents()).toEqual([]);
});

test('a stop during the difference ends flat, within a few lags', () => {
  const desk = dedicatedDesk();
  const id = partlyFilledBesideLoss(desk);
  desk.tell({ kind: 'stop' });
  desk.run(4 * LAG_MS);
  expect(endOf(desk, id)).toBe('canceled 0.006 of 0.01');
  expect(ended(desk)).toMatchObject({ flat: true });
});

test('after a restart it is closed as well', () => {
  const desk = dedicatedDesk();
  const id = partlyFilledBesideLoss(desk);
  desk.shows.ordersCut = true;
  desk.run(60_000);
  expect(differs(desk, 'INR')).toBe('-500');
  expect(endOf(desk, id)).toBe('not closed');
  desk.shows.ordersCut = false;
  desk.restart();
  desk.run(60_000);
  expect(endOf(desk, id)).toBe('canceled 0.006 of 0.01');
});

test('on an account that the owner trades on, too, it is closed: no trade with himself costs so much', () => {
  const desk = quotingDesk();
  const id = partlyFilledBesideLoss(desk);
  desk.run(60_000);
  expect(endOf(desk, id)).toBe('canceled 0.006 of 0.01');
});

test('a fill of it whose trade no list shows keeps it from being closed', () => {
  const desk = quotingDesk();
  desk.run(1_000);
  const bid = inSlot(desk, 'buy:0');
  fillNow(desk, bid, { quantity: decimal('0.006') });
  desk.run(500);
  fillNow(desk, { ...bid, filled: decimal('0.006') }, { quantity: decimal('0.003') });
  desk.shows.fills.pop();
  desk.shows.orders = desk.shows.orders.filter(({ orderId }) => orderId !== bid.orderId);
  desk.run(60_000);
  expect(ops(desk)).toContain('difference');
  expect(endOf(desk, bid.intentId)).toBe('not closed');
});

test("a missing fill in one market does not keep another market's order from being closed", () => {
  const desk = quotingDesk(deskSettings({ symbols: [BTC, ETH], foreignOrders: 'refuse' }));
  desk.run(1_000);
  const [bid, other] = [inSlot(desk, 'buy:0'), inSlot(desk, 'buy:0', ETH)];
  fillNow(desk, other, { quantity: decimal('0.03') });
  desk.shows.fills.pop();
  fillNow(desk, bid, { quantity: decimal('0.006') });
  desk.shows.orders = desk.shows.orders.filter(({ orderId }) => orderId !== other.orderId);
  desk.run(60_000);
  expect(endOf(desk, bid.intentId)).toBe('canceled 0.006 of 0.01');
  expect(endOf(desk, other.intentId)).toBe('not closed');
});

test('a fill that wallet and ledger know makes no new difference: the deadline stays, nobody is called again', () => {
  const desk = quotingDesk();
  desk.run(1_000);
  const bid = inSlot(desk, 'buy:0');
  desk.reply = ({ kind }) => (kind === 'cancel' ? null : undefined);
  move(desk, 'INR', '-500');
  desk.run(3 * LAG_MS);
  const { unexplainedSince } = desk.state().durable.differences;
  fillNow(desk, bid, { quantity: decimal('0.006') });
  desk.run(3 * LAG_MS);
  const { byAsset, unexplainedSince: still } = desk.state().durable.differences;
  expect(byAsset.get('INR')).toMatchObject({ expected: '999406.12', actual: '998906.12' });
  expect({ still, pages: pagesOf(desk) }).toEqual({ still: unexplainedSince, pages: 1 });
  move(desk, 'INR', '-1');
  desk.run(3 * LAG_MS);
  expect(desk.state().durable.differences.unexplainedSince).toBeGreaterThan(unexplainedSince ?? 0);
  expect(pagesOf(desk)).toBe(2);
});
