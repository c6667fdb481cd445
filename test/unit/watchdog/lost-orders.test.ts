// Orders that only the file of own orders names, on a journal that was put back (decision 0023): what the notes of the
// bot make of them, and what a sweep does.
import { describe, expect, test } from '@jest/globals';
import { intentId } from '../../../src/domain/ids.ts';
import { MINUTE } from '../../../src/domain/time.ts';
import { type Durable, emptyDurable } from '../../../src/trader/durable/durable.ts';
import type { Intent } from '../../../src/trader/durable/intent.ts';
import {
  differences,
  type KnownOrders,
  noOrders,
  notesOf,
  type OwnOrders,
  ordersAtStart,
  take,
} from '../../../src/watchdog/own-orders.ts';
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

const known = (durable: Durable): KnownOrders => ({ durable });

describe('an order with a name', () => {
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
    for (const note of differences(orders, known(durable), clock)) take(orders, note);
    for (const left of [orders, ordersAtStart(named(), durable, null)]) {
      expect([left.questioned.size, left.closed.size, left.open.size]).toEqual([0, 0, 0]);
      expect(notesOf(left, START)).toHaveLength(1);
    }
    expect(differences(orders, known(durable), clock)).toEqual([]);
  });
});

describe('a create that the journal has never heard of', () => {
  function lost(): OwnOrders {
    const found = noOrders(null);
    take(found, { kind: 'sent', intentId: 'x', create: create({ symbol: 'DOGE/INR', horizon: START }) });
    return found;
  }
  const later = { now: () => START + MINUTE, monotonic: () => 0 };

  test('is looked for on the list of its symbol, which may be configured no more, once it has a name', () => {
    const found = lost();
    take(found, { kind: 'named', intentId: 'x', orderId: ID });
    const orders = ordersAtStart(ordersAtStart(found, emptyDurable(), null), emptyDurable(), null);
    expect([...orders.open.keys()]).toEqual([`lost ${ID}`]);
    const { symbols, targets } = beginSweep(SETTINGS.sweep, orders, 0);
    expect([[...symbols], [...targets.keys()]]).toEqual([['BTC/INR', 'ETH/INR', 'DOGE/INR'], [ID]]);
    expect(differences(orders, known(emptyDurable()), later)).toEqual([]);
  });

  test('is looked for without a name, too, over several starts and until it would have been seen', () => {
    const orders = ordersAtStart(ordersAtStart(lost(), emptyDurable(), null), emptyDurable(), null);
    expect([...orders.open.keys()]).toEqual(['lost x']);
    expect(orders.horizon).toBe(START);
    expect(beginSweep(SETTINGS.sweep, orders, 0).unnamed).toHaveLength(1);
    expect(differences(orders, known(emptyDurable()), { ...later, now: () => START + MINUTE - 1 })).toEqual([]);
    expect(differences(orders, known(emptyDurable()), later)).toEqual([
      { kind: 'closed', intentId: 'lost x', at: START + MINUTE },
    ]);
  });

  test('is remembered for as long as the journal is known to be old', () => {
    const durable = emptyDurable();
    durable.journal.staleFrom = START;
    expect(differences(ordersAtStart(lost(), durable, null), known(durable), later)).toEqual([]);
  });

  test('that the journal has closed since is none of them', () => {
    const durable = emptyDurable();
    durable.orders.closed.set(intentId('x'), {} as Intent);
    expect(ordersAtStart(lost(), durable, null).open.size).toBe(0);
  });
});
