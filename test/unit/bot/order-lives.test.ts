// History kept of each order for the page: the latest events of the latest orders, whatever the journal writes.
import { expect, test } from '@jest/globals';
import { orderLives } from '../../../src/bot/web/order-lives.ts';

const record = (type: string, payload: object, wall = 5) => ({
  ...{ seq: 1, epoch: 1, wall, mono: 0, prevHash: '', hash: '' },
  ...{ type, payload: JSON.stringify(payload) },
});

test('the events of an order in order, with the values that a person reads', () => {
  const lives = orderLives();
  const fill = { tradeId: '7', price: '100', commission: '0.1' };
  lives.take([
    record('intent', { at: 1, intentId: '1-1', side: 'buy', price: '100', reserve: { asset: 'INR', amount: '1' } }),
    record('intent', { at: 2, intentId: '1-2', side: 'sell', price: '101' }),
    record('reconciled', { at: 3 }),
  ]);
  lives.take([
    record('create-outcome', { at: 3, intentId: '1-1', outcome: 'accepted', detail: '', orderId: null }),
    record('fill', { at: 4, intentId: '1-1', fill, mid: '100.5' }),
    record('order-differs', { intentId: '1-1', price: '99', quantity: '1' }),
  ]);
  expect(lives.of('1-1')).toEqual({
    intentId: '1-1',
    dropped: 0,
    events: [
      { at: 1, what: 'intent', values: { side: 'buy', price: '100' } },
      { at: 3, what: 'create-outcome', values: { outcome: 'accepted' } },
      { at: 4, what: 'fill', values: { tradeId: '7', price: '100', commission: '0.1', mid: '100.5' } },
      { at: 5, what: 'order-differs', values: { price: '99', quantity: '1' } },
    ],
  });
  expect(lives.of('1-3')).toBeNull();
});

test('at most forty per order, and five hundred orders', () => {
  const lives = orderLives();
  for (let at = 0; at < 50; at += 1) lives.take([record('cancel-sent', { at, intentId: '1-1', why: 'x' })]);
  const life = lives.of('1-1');
  expect([life?.events.length, life?.dropped, life?.events[0]?.at]).toEqual([40, 10, 10]);
  for (let each = 2; each <= 501; each += 1) lives.take([record('intent', { at: 0, intentId: `1-${each}` })]);
  expect([lives.of('1-1'), lives.of('1-2')?.events.length]).toEqual([null, 1]);
});
