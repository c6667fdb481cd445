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
        /^latch The watchdog: .* no progress for .* It says why: The exchange refuses the bot: -2015/,
      ),
    );
  });

  test('is latched, ended and seen gone, its orders are canceled, twice, and proved gone: in this order', () => {
    const world = silentBot();
    world.run(300_000);
    expect(world.ended).toBe(true);
    expect(ops(world).filter((op) => !op.startsWith('gather') && !op.startsWith('look'))).toEqual([
      'bot-lives',
      'lease-expired',
      expect.stringContaining('latch The watchdog: The bot has shown no progress for'),
      'latched',
      'signal SIGTERM',
      'watching',
      'clearing',
      'forget-orders',
      'flat',
      'end true',
    ]);
    expect(world.canceled).toEqual(['1-1-1', '1-2-1']);
    // S10: nothing is canceled before the bot is gone.
    expect(world.when('send cancel')).toBeGreaterThanOrEqual(world.when('watching'));
    expect(world.latch).toContain('The watchdog');
  });

  test('is noticed after its time to live and not before', () => {
    const world = silentBot();
    world.run(40_000);
    expect(world.has('lease-expired')).toBe(false);
    world.run(11_000);
    expect(world.has('lease-expired')).toBe(true);
  });

  test('that does not end by SIGTERM gets SIGKILL after the grace', () => {
    const world = silentBot();
    world.diesOf = ['SIGKILL'];
    world.run(300_000);
    expect(world.ended).toBe(true);
    expect(world.when('signal SIGKILL') - world.when('signal SIGTERM')).toBeGreaterThanOrEqual(2_000);
    expect(world.when('send cancel')).toBeGreaterThan(world.when('signal SIGKILL'));
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

  test('with a disk that takes no latch is ended all the same, and flat only when the latch is written', () => {
    const world = silentBot();
    world.latchFails = true;
    world.run(120_000);
    expect(world.book.size).toBe(0);
    expect({ ended: world.ended, told: world.has('latch-failed') }).toEqual({ ended: null, told: true });
    world.latchFails = false;
    world.run(10_000);
    expect({ ended: world.ended, latch: world.latch }).toEqual({
      ended: true,
      latch: expect.stringContaining('watchdog'),
    });
  });

  test('is flat within the bound that is computed from the settings', () => {
    const world = silentBot();
    const silentFrom = 15_000;
    world.run(300_000);
    const bound = killBound({
      ...SETTINGS,
      whose: 'own',
      mostOrders: 2,
      symbols: 2,
      requestsPerSecond: 4,
      deadlineMs: 1_000,
      readLagBoundMs: SETTINGS.sweep.readLagBoundMs,
    });
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

  test('a bot that was killed while nothing was open', () => {
    const world = new WatchWorld();
    world.lives();
    world.run(20_000);
    world.bot = { process: 'gone', folderHeld: false };
    world.run(600_000);
    expect({ acted: world.has('lease-expired'), told: world.has('bot-gone') }).toEqual({ acted: false, told: true });
  });

  test('a machine that stood still: both begin anew', () => {
    const world = new WatchWorld();
    world.rests('1-1-1');
    world.lives();
    world.run(20_000);
    world.suspend(600_000);
    world.run(120_000);
    expect({ acted: world.has('lease-expired'), told: world.has('watching') }).toEqual({
      acted: false,
      told: true,
    });
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

  test('goes on at once where one before it latched and did not finish', () => {
    const world = new WatchWorld();
    world.rests('1-1-1');
    world.latch = 'The watchdog: silence.';
    world.run(5_000);
    expect(world.canceled).toEqual(['1-1-1']);
    expect(world.latch).toBe('The watchdog: silence.');
  });

  test('ends with nothing to do where the latch is set and nothing is open', () => {
    const world = new WatchWorld();
    world.latch = 'cancel-all was called.';
    world.run(1_000);
    expect(world.ended).toBe(true);
    expect(world.has('send')).toBe(false);
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

describe('an exchange that does not answer a bot that lives', () => {
  test('is told once, after half the time to live, and again when it answers; nothing is done about it', () => {
    const world = new WatchWorld();
    const bot = world.lives();
    world.run(10_000);
    world.contact = { usedAt: world.wall, silentSince: world.wall, because: 'The connection was reset.' };
    world.run(20_000);
    expect(world.has('exchange-silent')).toBe(false);
    world.run(600_000);
    const told = world.done.filter((line) => line.includes('tell exchange-silent'));
    expect(told).toEqual([expect.stringContaining('The connection was reset.')]);
    expect(world.state.silentSince).not.toBeNull();
    world.contact = { usedAt: world.wall, silentSince: null, because: null };
    world.run(10_000);
    expect(world.has('exchange-answers')).toBe(true);
    expect(world.has('lease-expired')).toBe(false);
    expect(world.done.filter((line) => line.includes(' send '))).toEqual([]);
    // One that falls silent itself is ended as ever.
    world.contact = { usedAt: world.wall, silentSince: world.wall, because: null };
    world.rests('1-1-1');
    bot.freeze();
    world.run(300_000);
    expect(world.ended).toBe(true);
  });
});
