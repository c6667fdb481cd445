// What must not leave before a person has said whose the orders are that an old journal does not know.
import { expect, test } from '@jest/globals';
import type { Outgoing } from '../../../../simulation/checks/context.ts';
import { sentAfterwards, sentWhileWaiting } from '../../../../simulation/restored/restored-checks.ts';
import type { RestoredLife } from '../../../../simulation/restored/restored-life.ts';
import type { Scene } from '../../../../simulation/restored/scene.ts';

/** A copy that knows order 1-1-1, of an account whose owner has order 1-7-1. */
function scene(): Scene {
  const orders = new Map([['1-7-1', { live: true }]]);
  return {
    broken: [],
    traced: () => {},
    copied: { orders: new Set(['1-1-1']), fills: new Set() },
    owners: new Set(['1-7-1']),
    world: { context: { oracle: { orders } } },
  } as unknown as Scene;
}

const life = () => ({ journal: { byOrder: new Map([['1-2-1', {}]]) } }) as unknown as RestoredLife;
const message = (endpoint: Outgoing['endpoint'], body: Outgoing['body'] = {}): Outgoing =>
  ({ endpoint, body, query: new URLSearchParams() }) as Outgoing;

test.each([
  ['create', { symbol: 'BTC/INR' }, /^A create left before a person had answered/],
  ['cancel-all', {}, /^All orders were canceled/],
  ['cancel-symbol', { symbol: 'BTC/INR' }, /^All of BTC\/INR was canceled/],
  ['cancel', { order_id: '1-9-1' }, /^Order 1-9-1, which the journal does not know, was canceled/],
] as const)('%s of %j before he has answered', (endpoint, body, sentence) => {
  const waiting = scene();
  sentWhileWaiting(waiting, life, message(endpoint, body));
  expect(waiting.broken).toEqual([expect.stringMatching(sentence)]);
});

test.each(['1-1-1', '1-2-1'])('order %s, which the journal knows, may be canceled', (order_id) => {
  const waiting = scene();
  sentWhileWaiting(waiting, life, message('cancel', { order_id }));
  sentWhileWaiting(waiting, life, message('open-orders'));
  expect(waiting.broken).toEqual([]);
});

test('the owner’s order is never canceled by the bot', () => {
  const answered = scene();
  sentAfterwards(answered, message('cancel', { order_id: '1-9-1' }));
  expect(answered.broken).toEqual([]);
  sentAfterwards(answered, message('cancel', { order_id: '1-7-1' }));
  expect(answered.broken).toEqual(["Order 1-7-1 is the owner's, and the bot cancels it."]);
});
