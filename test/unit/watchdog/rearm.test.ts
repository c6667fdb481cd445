// With `rearm: after-proof` the watchdog takes its own latch off once it has proved, and goes on watching.
import { describe, expect, test } from '@jest/globals';
import { orderId } from '../../../src/domain/ids.ts';
import { order, silentBot, WatchWorld } from './watch-world.ts';

const AFTER_PROOF = { rearm: 'after-proof' } as const;

describe('after the proof', () => {
  test('the latch goes, and the next bot is watched from its first sign of life on', () => {
    const world = silentBot(AFTER_PROOF);
    world.run(300_000);
    expect(world.when('rearm')).toBeGreaterThanOrEqual(world.when('tell flat'));
    expect(world.when('forget-orders')).toBeLessThanOrEqual(world.when('rearm'));
    expect(world.latch).toBeNull();
    expect(world.ended).toBeNull();
    expect(world.state).toMatchObject({ phase: 'watching', lived: false, kill: null });
    // Nobody is there, nothing is open: waited for.
    world.run(600_000);
    expect(world.ended).toBeNull();
    expect(world.latch).toBeNull();
    const bot = world.lives(200);
    world.rests('9-9-9');
    world.run(100_000);
    expect(world.latch).toBeNull();
    bot.freeze();
    world.run(300_000);
    expect(world.canceled).toContain('9-9-9');
    expect(world.done.filter((line) => line.endsWith(' rearm'))).toHaveLength(2);
  });

  test('a person decides where the file of own orders is damaged, or an order may be somebody else’s', () => {
    const damaged = silentBot({ ...AFTER_PROOF, sweep: { whose: 'account' } });
    damaged.damaged = 'The file of own orders is damaged.';
    damaged.run(300_000);
    expect(damaged.ended).toBe(true);
    expect(damaged.done.filter((line) => line.endsWith(' rearm'))).toEqual([]);
    const questioned = silentBot(AFTER_PROOF);
    questioned.orders.questioned.add(orderId('7-7-7'));
    questioned.run(300_000);
    expect(questioned.done.filter((line) => line.endsWith(' rearm'))).toEqual([]);
    for (const world of [damaged, questioned])
      expect(world.when('leave-to-person')).toBeLessThanOrEqual(world.when('forget-orders'));
  });

  test('F11: a person decides beside a second order of a named create, and the file still names that', () => {
    const world = silentBot(AFTER_PROOF);
    // A proxy delivered the create of 1-1-1 once more, within its window: alike in everything.
    world.lands(order('1-1-2', { venueTime: world.wall - 20_000 }));
    world.run(300_000);
    expect(world.done.at(-2)).toContain('1-1-2 may be of a second copy of a create');
    expect([world.ended, world.book.has('1-1-2'), world.has('forget-orders')]).toEqual([true, true, false]);
    expect(world.has('leave-to-person')).toBe(true);
  });

  test("an order like the bot's that came when no copy could be taken any more is the owner's", () => {
    const world = silentBot(AFTER_PROOF);
    world.lands(order('9-9-9', { venueTime: world.wall }));
    world.run(300_000);
    expect([world.has('tell rearmed'), world.book.has('9-9-9')]).toEqual([true, true]);
  });

  test('a person decides where the watchdog gives up', () => {
    const world = silentBot({ ...AFTER_PROOF, giveUpMs: 100_000 });
    world.shown = (rows) => ({ rows, complete: false });
    world.run(300_000);
    expect([world.ended, world.has('leave-to-person It could not be proved')]).toEqual([false, true]);
  });
});

describe('a watchdog that begins under a latch of one before it', () => {
  test('proves first, also where no order is known, and then re-arms', () => {
    const world = new WatchWorld(AFTER_PROOF);
    world.latch = 'The watchdog: silence.';
    world.mayRearm = true;
    world.run(300_000);
    expect(world.when('send open-orders')).toBeLessThan(world.when('rearm'));
    expect(world.latch).toBeNull();
    expect(world.ended).toBeNull();
  });

  test('leaves one that is a person’s', () => {
    const world = new WatchWorld(AFTER_PROOF);
    world.latch = 'cancel-all was called.';
    world.run(300_000);
    expect(world.ended).toBe(true);
    expect(world.latch).not.toBeNull();
  });
});
