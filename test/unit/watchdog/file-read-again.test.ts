// What a bot writes down while it is being ended is in the file of own orders by the time it is gone: it is read again
// then, and once the kill latch is set at last.
import { describe, expect, test } from '@jest/globals';
import { orderId } from '../../../src/domain/ids.ts';
import { noOrders, type OwnOrders, take } from '../../../src/watchdog/own-orders.ts';
import { beginSweep, takeOrders } from '../../../src/watchdog/sweep-state.ts';
import { create, order, SETTINGS, silentBot, type WatchWorld } from './watch-world.ts';

/** What is noted later is not in what was gathered before. */
function fileOf(world: WatchWorld): OwnOrders {
  const file = world.orders;
  const copied = () => ({
    ...file,
    open: new Map(file.open),
    closed: new Map(file.closed),
    questioned: new Set(file.questioned),
  });
  Object.defineProperty(world, 'orders', { get: copied, set: () => {} });
  return file;
}

function places(world: WatchWorld, file: OwnOrders, id: string): void {
  const at = world.wall;
  take(file, { kind: 'sent', intentId: `i-${id}`, create: create({ timestamp: at, horizon: at + 14_000 }) });
  take(file, { kind: 'named', intentId: `i-${id}`, orderId: orderId(id) });
  world.lands(order(id, { venueTime: at }));
}

describe('what the bot writes down while it is being ended', () => {
  test('a create that got its name in the grace is canceled by that name, whoever has an order like it', () => {
    const world = silentBot({ giveUpMs: 600_000 });
    const at = world.wall;
    const file = fileOf(world);
    world.diesOf = ['SIGKILL'];
    take(file, { kind: 'sent', intentId: 'c', create: create({ side: 'sell', timestamp: at, horizon: at + 14_000 }) });
    world.lands(order('1-3-1', { side: 'sell', venueTime: at }));
    // The owner's, alike.
    world.lands(order('9-9-9', { side: 'sell', venueTime: at }));
    world.runUntil('SIGTERM');
    expect(world.has('SIGKILL')).toBe(false);
    take(file, { kind: 'named', intentId: 'c', orderId: orderId('1-3-1') });
    world.run(700_000);
    expect(world.canceled).toContain('1-3-1');
    expect([[...world.book.keys()], world.ended]).toEqual([['9-9-9'], true]);
  });

  test('a bot that began before the latch could be written is ended, and what it placed is canceled', () => {
    const world = silentBot();
    const file = fileOf(world);
    world.latchFails = true;
    world.runUntil('watching');
    world.lives(200);
    places(world, file, '1-3-1');
    world.run(3_000);
    world.latchFails = false;
    world.run(300_000);
    expect([[...world.book.keys()], world.ended]).toEqual([[], true]);
    expect(world.when('gone at last')).toBeGreaterThan(world.when('SIGKILL'));
  });

  test('what the file said before it was damaged is canceled all the same', () => {
    const world = silentBot({ sweep: { whose: 'own' }, giveUpMs: 100_000 });
    world.runUntil('SIGTERM', 10);
    world.orders = noOrders(null);
    world.damaged = 'Line 1 is damaged.';
    world.run(300_000);
    expect([[...world.book.keys()], world.ended]).toEqual([[], false]);
  });
});

describe('a sweep that is told of more orders', () => {
  const sent = (orders: OwnOrders, intentId: string, symbol = 'BTC/INR'): void =>
    take(orders, { kind: 'sent', intentId, create: create({ symbol }) });

  test('searches no list for a create that it has found, nor for one that has its name or is closed by now', () => {
    const orders = noOrders(null);
    for (const intentId of ['found', 'named', 'closed', 'lost']) sent(orders, intentId);
    const sweep = beginSweep(SETTINGS.sweep, orders, 0);
    sweep.unnamed = sweep.unnamed.slice(1);
    take(orders, { kind: 'named', intentId: 'named', orderId: orderId('1-3-1') });
    take(orders, { kind: 'closed', intentId: 'closed', at: 0 });
    takeOrders(sweep, orders);
    expect(sweep.unnamed).toEqual([orders.open.get('lost')?.create]);
    expect([...sweep.targets.keys()]).toEqual(['1-3-1']);
  });

  test('reads the list of a symbol that comes with them, where lists are read one by one', () => {
    const orders = noOrders(null);
    const sweep = beginSweep(SETTINGS.sweep, orders, 0);
    sweep.scopes.clear();
    sent(orders, 'other', 'DOGE/INR');
    takeOrders(sweep, orders);
    expect([...sweep.scopes.keys()]).toEqual(['DOGE/INR']);
  });
});
