// What the watchdog does and says, line by line with the millisecond, from the first look to the end.
import { describe, expect, test } from '@jest/globals';
import { order, silentBot, WatchWorld } from '../watch-world.ts';

const LIVES = '5000 tell bot-lives: The bot lives (process 100); from now on it must show progress every 45.0 s.';
const SILENT = 'The bot has shown no progress for 45.5 s (at most 45.0 s). 2 of its orders may be open.';
const LATCHES = [
  '0 gather',
  LIVES,
  '65500 gather',
  `65500 tell lease-expired: ${SILENT}`,
  `65500 latch The watchdog: ${SILENT}`,
];
const ENDS_IT = [
  ...LATCHES,
  '65500 tell latched: The kill latch is set: nothing is created any more.',
  '65500 signal SIGTERM',
  '65500 look-at-bot',
  '65550 look-at-bot',
  '65550 tell watching: The bot is gone, and the state folder is free.',
];
const AGAIN = "again in 14.0 s, after the last create's horizon; then two complete lists. Giving up after 3600.0 s.";
const CLEARS = [
  ...ENDS_IT,
  `65550 tell clearing: Canceling 2 orders by name; ${AGAIN}`,
  '65550 gather',
  '65800 send cancel 1-1-1',
  '66050 send cancel 1-2-1',
  '66300 send open-orders',
  '79550 send cancel 1-1-1',
  '79800 send cancel 1-2-1',
  '80050 send open-orders',
  '80300 send open-orders',
  '80400 forget-orders',
];
const proved = (took: string): string =>
  `No order of the bot is open: proved by two complete lists, ${took} after the lease was over.`;
const LATCHED = 'While the kill latch is set no bot starts; `quotekeeper rearm` takes it off';
/** The bot is looked at every 50 ms while it is being ended. */
const withoutLooks = (done: readonly string[]): string[] => done.filter((line) => !line.endsWith(' look-at-bot'));

describe('a bot that falls silent with two orders', () => {
  test('is latched, ended, canceled, canceled again after the horizon, and that is proved', () => {
    const world = silentBot();
    world.run(200_000);
    expect(world.done).toEqual([...CLEARS, `80400 tell flat: ${proved('14.9 s')} ${LATCHED}.`, '80400 end true']);
    // That it acted is an error, that all is gone is none.
    expect(world.levels).toContain('error lease-expired');
    expect(world.levels.at(-1)).toBe('info flat');
  });

  test('and an account of its own has all canceled at once, by a key of the watchdog’s own', () => {
    const world = silentBot({ sharesKey: false, sweep: { whose: 'account' } });
    world.lands(order('9-9-9'));
    world.run(200_000);
    expect(world.done).toEqual([
      ...ENDS_IT,
      `65550 tell clearing: Canceling everything on the account; ${AGAIN}`,
      '65550 gather',
      '65550 send cancel-all',
      '65800 send open-orders',
      '79550 send cancel-all',
      '79800 send open-orders',
      '80050 send open-orders',
      '80150 forget-orders',
      `80150 tell flat: ${proved('14.7 s')} ${LATCHED}.`,
      '80150 end true',
    ]);
  });

  test('may start again where a proof is enough', () => {
    const world = silentBot({ rearm: 'after-proof' });
    world.run(100_000);
    expect(world.done).toEqual([
      ...CLEARS,
      `80400 tell flat: ${proved('14.9 s')}`,
      '80400 rearm',
      '80400 tell rearmed: Re-armed, 1 of at most 3 times today: the kill latch is off, the bot may start.',
    ]);
    expect([world.ended, world.latch]).toEqual([null, null]);
  });

  test('may not where that was done too often', () => {
    const world = silentBot({ rearm: 'after-proof' });
    world.rearmed = { kind: 'kept', why: 'It was done three times today.' };
    world.run(100_000);
    expect(world.done.slice(-4)).toEqual([
      '80400 rearm',
      '80400 leave-to-person It was done three times today.',
      `80400 tell not-rearmed: The kill latch is left to \`quotekeeper rearm\`: It was done three times today.`,
      '80400 end true',
    ]);
  });

  test('and can neither be latched nor ended for a while is killed again and again, and canceled meanwhile', () => {
    const world = silentBot();
    world.latchFails = true;
    world.diesOf = [];
    world.run(56_000);
    world.latchFails = false;
    world.diesOf = ['SIGKILL'];
    world.run(100_000);
    const latch = `latch The watchdog: ${SILENT}`;
    expect(withoutLooks(world.done)).toEqual([
      ...LATCHES,
      '65500 tell latch-failed: The disk is full. Going on without: the bot is ended.',
      '65500 signal SIGTERM',
      '67500 tell watching: SIGTERM did not end the bot within 2.0 s: SIGKILL.',
      '67500 signal SIGKILL',
      '70500 tell bot-stays: The bot cannot be seen to be gone. It is latched, so its orders are canceled all the ' +
        'same; it is flat only when it is gone.',
      `70500 tell clearing: Canceling 2 orders by name; ${AGAIN}`,
      '70500 gather',
      ...[`70750 ${latch}`, '70750 signal SIGKILL', '70750 send cancel 1-1-1'],
      ...['71000 send cancel 1-2-1', '71250 send open-orders'],
      ...[`73000 ${latch}`, '73000 signal SIGKILL', `75000 ${latch}`, '75000 signal SIGKILL'],
      ...[`77000 ${latch}`, '77000 gather', '77000 signal SIGKILL'],
      ...['77500 tell watching: The bot is gone at last.', '77500 gather', '84500 send open-orders'],
      ...['91500 send cancel 1-1-1', '91750 send cancel 1-2-1', '92000 send open-orders', '92250 send open-orders'],
      ...['92350 forget-orders', `92350 tell flat: ${proved('26.9 s')} ${LATCHED}.`, '92350 end true'],
    ]);
  });
});

describe('a bot that lives', () => {
  test('and that the exchange does not answer is left to go on, and a person is told', () => {
    const world = new WatchWorld();
    const bot = world.lives();
    world.rests('1-1-1');
    world.run(12_000);
    world.contact = { usedAt: world.wall - 2_000, silentSince: world.wall - 1_000, because: 'No answer within 10 s.' };
    world.run(60_000);
    world.contact = null;
    world.run(20_000);
    bot.release();
    world.run(10_000);
    expect(world.done).toEqual([
      '0 gather',
      LIVES,
      '35000 tell exchange-silent: The bot lives and goes on trying; the exchange has not answered it for 24.0 s. No ' +
        'answer within 10 s. Its orders may rest at prices that cannot be moved.',
      '75000 tell exchange-answers: The exchange answers the bot again, after 64.0 s.',
      '92500 tell bot-ended: The bot has ended, and none of its orders is open.',
    ]);
  });

  test('gets its time anew where the watchdog itself stood still', () => {
    const world = silentBot();
    world.suspend(30_000);
    world.run(1_000);
    expect(world.done.slice(2)).toEqual([
      "50000 tell watching: The watchdog itself did not look for 30.0 s: the bot's time starts over.",
    ]);
    world.run(44_000);
    expect(world.done).toHaveLength(3);
    world.run(1_000);
    expect(world.done[3]).toBe('95500 gather');
  });

  test('does not where the watchdog stood still for less than half of that time', () => {
    const world = silentBot();
    world.suspend(22_000);
    world.run(1_000);
    expect(world.done.slice(2)).toEqual([]);
  });

  test('and dies without an order is waited for', () => {
    const world = new WatchWorld();
    const bot = world.lives();
    world.run(10_000);
    world.dies();
    bot.freeze();
    world.run(200_000);
    expect(world.done.slice(2)).toEqual([
      '55500 gather',
      '55500 tell bot-gone: The bot is gone without notice, but none of its orders is open: waiting for it.',
      ...['101000 gather', '146500 gather', '192000 gather'],
    ]);
  });
});

describe('a watchdog that comes after a latch', () => {
  test('has nothing to do where nothing is open', () => {
    const world = new WatchWorld();
    world.latch = 'by hand';
    world.run(10_000);
    expect(world.done).toEqual([
      '0 gather',
      '0 tell watching: The kill latch is set (by hand) and no order of the bot is open: there is nothing to do.',
      '0 end true',
    ]);
  });

  test('goes on with what is open', () => {
    const world = new WatchWorld();
    world.latch = 'by hand';
    world.rests('1-1-1');
    world.run(100_000);
    const why = 'The kill latch is set (by hand) and no bot is running. 1 of its orders may be open.';
    expect(withoutLooks(world.done)).toEqual([
      ...['0 gather', `0 tell lease-expired: ${why}`, `0 latch The watchdog: ${why}`],
      '0 tell latched: The kill latch is set: nothing is created any more.',
      ...['0 signal SIGTERM', '0 tell watching: The bot is gone, and the state folder is free.'],
      `0 tell clearing: Canceling 1 orders by name; ${AGAIN}`,
      '0 gather',
      ...['250 send cancel 1-1-1', '500 send open-orders'],
      ...['14000 send cancel 1-1-1', '14250 send open-orders', '14500 send open-orders', '14600 forget-orders'],
      ...[`14600 tell flat: ${proved('14.6 s')} ${LATCHED}.`, '14600 end true'],
    ]);
  });
});
