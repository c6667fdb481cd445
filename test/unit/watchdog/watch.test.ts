// The watchdog as a machine: when it acts, when it does not, and in which order (order-truth §5; S9, S10, F27–F29, F99,
// F104).
import { describe, expect, test } from '@jest/globals';
import { killBound } from '../../../src/watchdog/kill-bound.ts';
import { take } from '../../../src/watchdog/own-orders.ts';
import { create, SETTINGS, silentBot, WatchWorld } from './watch-world.ts';

const ops = (world: WatchWorld): string[] =>
  world.done.flatMap((line) => {
    const [, what, op] = line.split(' ');
    return what === 'tell' ? [`${op}`.replace(':', '')] : what === 'send' ? [] : [line.slice(line.indexOf(' ') + 1)];
  });

describe('a bot that falls silent', () => {
  test('and says why it withholds its sign of life is latched for just that', () => {
    const world = silentBot();
    const why = 'The exchange refuses the bot: -2015 Invalid API key.';
    world.at(1_000, () => {
      if (world.lease !== null) world.lease = { ...world.lease, withheld: why };
    });
    world.run(60_000);
    expect(ops(world)).toContainEqual(
      expect.stringMatching(
        /^latch The watchdog: .* no progress for .* Its reason: The exchange refuses the bot: -2015/,
      ),
    );
  });

  test('that cannot be ended loses its orders all the same, but nothing is called flat until it is gone', () => {
    const world = silentBot();
    world.diesOf = [];
    world.run(200_000);
    expect(world.canceled).toEqual(['1-1-1', '1-2-1']);
    expect(world.ended).toBe(null);
    expect(world.done.filter((line) => line.includes('signal SIGKILL')).length).toBeGreaterThan(3);
    // What it sent last lands now, and is caught: the horizon counts from its end.
    take(world.orders, { kind: 'sent', intentId: 'late', create: create({ timestamp: world.wall }) });
    world.bot = { process: 'gone', folderHeld: false };
    world.run(200_000);
    expect(world.ended).toBe(true);
    expect(world.when(' flat:') - world.when('gone at last')).toBeGreaterThanOrEqual(14_000);
  });

  test('is flat within the bound that is computed from the settings', () => {
    const world = silentBot();
    const silentFrom = 15_000;
    world.run(300_000);
    const bound = killBound({ ...SETTINGS, mostOrders: 2, deadlineMs: 1_000, latchMs: 0 });
    expect(world.when(' flat:') - silentFrom).toBeLessThanOrEqual(bound.provedMs);
    expect(world.when('watching') - silentFrom).toBeLessThanOrEqual(bound.endedMs);
  });
});

describe('what is no reason to act', () => {
  test('a bot that shows life within its time, however slowly', () => {
    const world = new WatchWorld();
    world.rests('1-1-1');
    world.lives();
    for (let stall = 0; stall < 20; stall += 1) {
      const { lease } = world;
      world.run(1_000);
      // The disk stalls: what was there stays there for 40 s.
      world.lease = lease;
      world.run(39_000);
      world.lives();
    }
    expect(world.has('lease-expired')).toBe(false);
  });

  test('a stale lease of a bot that does not run, with nothing open', () => {
    const world = new WatchWorld();
    const bot = world.lives();
    bot.freeze();
    world.bot = { process: 'gone', folderHeld: false };
    world.run(600_000);
    expect(world.done.filter((line) => line.includes('tell'))).toEqual([]);
  });

  test('a bot that ended well', () => {
    const world = new WatchWorld();
    const bot = world.lives();
    world.run(20_000);
    bot.release();
    world.run(600_000);
    expect(ops(world).filter((op) => op.startsWith('bot') || op.startsWith('lease'))).toEqual([
      'bot-lives',
      'bot-ended',
    ]);
  });

  test('only begun, a new bot does not stop the clock of the one that died with open orders', () => {
    const world = new WatchWorld();
    world.rests('1-1-1');
    world.lives(100);
    world.run(20_000);
    world.bot = { process: 'gone', folderHeld: false };
    world.run(30_000);
    world.bot = { process: 'running', folderHeld: true };
    const process = { pid: 101, startedAt: '101', bootId: 'boot' };
    world.lease = { seq: 1_000, cycles: 0, at: world.wall, process, ended: false };
    world.run(30_000);
    expect(world.has('lease-expired')).toBe(true);
  });

  test('a new bot that takes over in time from one that died', () => {
    const world = new WatchWorld();
    world.rests('1-1-1');
    world.lives(100);
    world.run(20_000);
    world.bot = { process: 'gone', folderHeld: false };
    world.run(30_000);
    world.lives(101);
    world.run(120_000);
    expect(world.has('lease-expired')).toBe(false);
  });
});

describe('a start of the watchdog', () => {
  test('acts on orders that a dead bot left, once a new bot has had the time to come', () => {
    const world = new WatchWorld();
    world.rests('1-1-1');
    world.run(44_000);
    expect(world.has('lease-expired')).toBe(false);
    world.run(300_000);
    expect({ ended: world.ended, canceled: world.canceled }).toEqual({ ended: true, canceled: ['1-1-1'] });
  });

  test('leaves a latched bot that still stops by itself alone', () => {
    const world = new WatchWorld();
    world.rests('1-1-1');
    world.latch = 'cancel-all was called.';
    const bot = world.lives();
    world.run(60_000);
    bot.release();
    world.orders.open.clear();
    world.run(120_000);
    expect(world.has('signal')).toBe(false);
  });

  test('a file of own orders that is damaged is a reason to act, and no proof', () => {
    const world = new WatchWorld();
    world.rests('1-1-1');
    world.damaged = 'Line 3 is damaged.';
    world.run(300_000);
    expect({ ended: world.ended, canceled: world.canceled }).toEqual({ ended: false, canceled: ['1-1-1'] });
    expect(world.has('Line 3 is damaged.')).toBe(true);
  });
});
