// Orders that only the file of own orders names, on a journal that was put back (decision 0023): what the notes of the
// bot make of them, and what a sweep does.
import { describe, expect, test } from '@jest/globals';
import { emptyDurable } from '../../../src/trader/durable/durable.ts';
import { differences, ordersAtStart } from '../../../src/watchdog/own-notes.ts';
import { noOrders, notesOf, type OwnOrders, take } from '../../../src/watchdog/own-orders.ts';
import { nextStep } from '../../../src/watchdog/sweep.ts';
import { beginSweep } from '../../../src/watchdog/sweep-state.ts';
import { ID, list } from './turns/sweep-kit.ts';
import { create, order, SETTINGS } from './watch-world.ts';

const START = 1_800_000_000_000;
const clock = { now: () => START, monotonic: () => 0 };
const asked = { symbol: 'BTC/INR', as: 'later', order: null } as const;

function named(): OwnOrders {
  const found = noOrders(null);
  take(found, { kind: 'sent', intentId: 'x', create: create() });
  take(found, { kind: 'named', intentId: 'x', orderId: ID });
  return found;
}

describe('an order with a name', () => {
  test('is canceled while nobody was asked about it', () => {
    const orders = ordersAtStart(named(), emptyDurable(), null);
    expect([...beginSweep(SETTINGS.sweep, orders, 0).targets.keys()]).toEqual([ID]);
  });

  test('is canceled by nobody while a person is asked about it, whatever lists show', () => {
    const durable = emptyDurable();
    durable.orders.questioned.set(ID, asked);
    const orders = ordersAtStart(named(), durable, null);
    take(orders, { kind: 'sent', intentId: 'alike', create: create() });
    orders.closed.set(ID, START);
    const sweep = beginSweep(SETTINGS.sweep, orders, 0);
    nextStep(sweep, 0);
    list(sweep, [order(ID)], 100);
    expect([[...sweep.targets.keys()], sweep.unnamed.length, sweep.ambiguous.size]).toEqual([[], 1, 0]);
  });

  test('is left alone once he has said --not-mine, by the notes of the session and at the next start', () => {
    const durable = emptyDurable();
    durable.orders.questioned.set(ID, asked);
    const orders = ordersAtStart(named(), durable, null);
    orders.closed.set(ID, START);
    durable.orders.questioned.delete(ID);
    durable.orders.thirdParty.add(ID);
    for (const note of differences(orders, durable, clock)) take(orders, note);
    for (const left of [orders, ordersAtStart(named(), durable, null)]) {
      expect([left.questioned.size, left.closed.size, left.open.size]).toEqual([0, 0, 0]);
      expect(notesOf(left, START)).toHaveLength(1);
    }
    expect(differences(orders, durable, clock)).toEqual([]);
  });
});
