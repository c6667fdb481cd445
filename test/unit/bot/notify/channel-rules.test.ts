// Delivery to a channel: its rate, its failures, a full outbox, and waiting messages of a removed channel.
import { describe, expect, test } from '@jest/globals';
import { waitingFor } from '../../../../src/bot/notify/admit.ts';
import type { SendResult } from '../../../../src/bot/notify/state.ts';
import { channel, DOWN, rulesOf, SENT, START, World } from './notify-world.ts';

describe('the rate of a channel', () => {
  test('allows a number of messages; the rest becomes one message as soon as one is allowed', () => {
    const world = new World(rulesOf([channel('book', 'info', { maxPerMinute: 9 })]));
    for (let n = 0; n < 15; n += 1) world.happens('info', n % 2 === 0 ? 'fill' : 'closed');
    // Three of nine are reserved for pages.
    expect(world.said).toHaveLength(6);
    world.pass(7);
    expect(world.said).toHaveLength(7);
    expect(world.said[6]).toBe('0:07 book INFO live: held-back');
    expect(world.texts[6]).toBe('And 9 more since 2026-11-26 09:00:00 UTC, held back: 5 × fill, 4 × closed.');
    expect(world.count('held-back')).toBe(9);
    expect(world.state.channels.get('book')?.held).toBeNull();
  });

  test('reserves a part for pages: a flood of lesser messages holds none back', () => {
    const world = new World(rulesOf([channel('book', 'info', { maxPerMinute: 9 })]));
    for (let n = 0; n < 50; n += 1) world.happens('info', 'fill');
    world.happens('page', 'latched');
    expect(world.said.at(-1)).toBe('0:00 book PAGE live: latched');
  });

  test('holds pages back, too, and then quotes the sentence of each', () => {
    const world = new World(rulesOf([channel('night', 'page', { maxPerMinute: 2 })]));
    for (const symbol of ['A/INR', 'B/INR', 'C/INR', 'D/INR'])
      world.happens('page', 'symbol-halted', { symbol, lasts: true, text: 'It is halted.' });
    expect(world.said).toHaveLength(2);
    world.pass(31);
    expect(world.said).toHaveLength(3);
    expect(world.said[2]).toBe('0:30 night PAGE live: held-back');
    expect(world.texts[2]?.split('\n').slice(1)).toEqual(['C/INR: It is halted.', 'D/INR: It is halted.']);
  });

  test('includes all-clears in the summary of what it held back', () => {
    const world = new World(rulesOf([channel('day', 'warn', { maxPerMinute: 4 })]));
    world.happens('warn', 'paused', { lasts: true });
    for (const symbol of ['BTC/INR', 'ETH/INR', 'SOL/INR']) world.happens('warn', 'late-fill', { symbol });
    world.pass(1, ['paused']);
    world.pass(60);
    expect(world.texts.filter((text) => text.includes('held back'))).toHaveLength(1);
    expect(world.texts.join(' ')).toContain('Over, after 1 s: paused happened.');
  });

  test('loses nothing held back when the process ends', () => {
    const world = new World(rulesOf([channel('night', 'page', { maxPerMinute: 1 })]));
    for (const op of ['latched', 'fatal', 'refused']) world.happens('page', op);
    world.input({ kind: 'ending' });
    expect([...world.state.waiting.values()].map(({ message }) => message.text)).toEqual([
      expect.stringMatching(/^And 2 more since .*: 1 × fatal, 1 × refused\.\nfatal happened\.\nrefused happened\.$/),
    ]);
  });

  test('is never exceeded over time: a minute has the burst plus what is refilled', () => {
    const world = new World(rulesOf([channel('night', 'info', { maxPerMinute: 6 })]));
    for (let second = 0; second < 600; second += 1) {
      world.happens('page', 'late-fill', { symbol: `S${second}/INR` });
      world.pass(1);
    }
    expect(world.said.length).toBeLessThanOrEqual(6 + 60);
    expect(world.said.length).toBeGreaterThan(60);
  });
});

test('a channel that misses a recipient accepts messages, and fails until one reaches all', () => {
  const world = new World(rulesOf([channel('mail', 'info')]));
  const without = 'The mail server refused 1 of 2 recipients: gone@example.com.';
  world.answers.set('mail', { kind: 'sent', without });
  for (const op of ['ready', 'paused', 'closed']) world.happens('info', op);
  expect(world.said).toHaveLength(3);
  world.pass(60);
  expect(world.state.channels.get('mail')).toMatchObject({ failingSince: START, because: without, failures: 0 });
  expect(world.lines.map(({ message }) => message)).toEqual([`The channel mail: ${without}`]);
  world.answers.set('mail', SENT);
  world.happens('info', 'fill');
  expect(world.state.channels.get('mail')).toMatchObject({ failingSince: null, because: null });
  expect(world.lines.slice(1).map(({ message }) => message)).toEqual(['The channel mail works again, after 1 min.']);
});

describe('a channel that is down', () => {
  test('is retried at growing intervals, and gets everything, most severe first, once it has accepted one', () => {
    const world = new World(rulesOf([channel('night', 'info')]));
    world.answers.set('night', DOWN);
    for (let n = 1; n <= 20; n += 1) world.happens(n === 20 ? 'page' : 'info', n === 20 ? 'latched' : `op-${n}`);
    world.pass(600);
    expect(world.said).toEqual([]);
    // 1, 2, 4, 8, 16 s, then each half minute.
    expect(world.count('failed')).toBeGreaterThan(20);
    expect(world.count('failed')).toBeLessThan(27);
    expect(world.state.waiting.size).toBe(20);
    world.answers.set('night', SENT);
    world.pass(31);
    const [probe, ...rest] = world.said.map((line) => line.split('live: ')[1]);
    const infos = Array.from({ length: 19 }, (_, n) => `op-${n + 1}`);
    expect(rest).toEqual(['latched', ...infos.filter((op) => op !== probe)]);
    expect(world.state.waiting.size).toBe(0);
    expect(world.lines.map(({ op }) => op)).toEqual(['notify-failed', 'notify-works']);
    expect(world.lines[1]?.message).toMatch(/^The channel night works again, after 10 min/);
  });

  test('gets the all-clear of a problem after the problem', () => {
    const world = new World(rulesOf([channel('mail', 'warn')]));
    world.answers.set('mail', DOWN);
    world.happens('warn', 'not-responding', { lasts: true, pageAfterMs: 20_000 });
    world.happens('warn', 'paused');
    world.pass(60);
    world.pass(1, ['not-responding']);
    world.answers.set('mail', SENT);
    world.pass(31);
    expect(world.said.map((line) => line.replace(/^\S+ mail /, ''))).toEqual([
      'WARN live: not-responding',
      'PAGE live: not-responding',
      'OVER live: not-responding',
      'WARN live: paused',
    ]);
  });

  test('is not retried before the time that it names, up to ten minutes', () => {
    const world = new World(rulesOf([channel('night')]));
    world.answers.set('night', { kind: 'failed', because: 'HTTP 429.', retryAfterMs: 120_000 });
    world.happens('page', 'latched');
    world.pass(119);
    expect(world.count('failed')).toBe(1);
    world.answers.set('night', { kind: 'failed', because: 'HTTP 429.', retryAfterMs: 86_400_000 });
    world.pass(1);
    world.answers.set('night', SENT);
    world.pass(599);
    expect(world.said).toEqual([]);
    world.pass(1);
    expect(world.said).toHaveLength(1);
  });

  test('is tried at once by the next process', () => {
    const world = new World(rulesOf([channel('night')]));
    world.answers.set('night', DOWN);
    world.happens('page', 'latched');
    world.pass(60);
    expect(world.next('night')).toBeNull();
    expect(new World(world.rules, world.state).next('night')).not.toBeNull();
  });

  test('holds the oldest info back first if the outbox is full, and sums it up once there is room', () => {
    const world = new World(rulesOf([channel('night', 'info', { maxPerMinute: 600 })], { mostWaiting: 4 }));
    world.answers.set('night', DOWN);
    world.happens('page', 'p-1');
    for (const op of ['i-1', 'i-2', 'i-3']) world.happens('info', op);
    world.happens('warn', 'w-1');
    for (const op of ['p-2', 'p-3', 'p-4']) world.happens('page', op);
    expect([...world.state.waiting.values()].map(({ message }) => message.op)).toEqual(['p-1', 'p-2', 'p-3', 'p-4']);
    world.happens('info', 'i-4');
    expect(world.count('held-back')).toBe(5);
    world.answers.set('night', SENT);
    world.pass(31);
    expect(world.said.map((line) => line.split('live: ')[1])).toEqual(['p-1', 'p-2', 'p-3', 'p-4', 'held-back']);
    expect(world.texts.at(-1)).toMatch(
      /^And 5 more since .*, held back: 1 × i-1, 1 × i-2, 1 × i-3, 1 × w-1, 1 × i-4\.$/,
    );
  });
});

describe('a message that the channel refuses', () => {
  const refused: SendResult = { kind: 'refused', because: 'HTTP 400: the chat has moved.' };
  const ops = (world: World): string[] => world.said.map((line) => line.split('live: ')[1] ?? '');

  test('waits with all others while the channel accepts nothing else: it fails, and the others are told', () => {
    const world = new World(rulesOf([channel('night'), channel('day')]));
    world.answers.set('night', refused);
    for (let n = 0; n < 29; n += 1) {
      world.happens('page', `p-${n}`);
      world.pass(20);
    }
    expect(waitingFor(world.state, 'night')).toHaveLength(29);
    expect(world.state.channels.get('night')).toMatchObject({
      failingSince: START,
      because: 'HTTP 400: the chat has moved.',
    });
    expect(world.lines.map(({ op }) => op)).toEqual(['notify-failed']);
    expect(world.texts.filter((text) => text.startsWith('The channel night has not taken messages'))).toHaveLength(1);
    world.answers.set('night', SENT);
    world.pass(31);
    const byNight = world.said.filter((line) => line.includes(' night '));
    expect([byNight.length, new Set(byNight.map((line) => line.split('live: ')[1])).size]).toEqual([29, 29]);
    expect(world.texts.at(-1)).toMatch(/^Over, after 9 min 50 s: the channel night takes messages again\.$/);
  });

  test('delays no other message, and is given up once it was refused three times among others', () => {
    const world = new World(rulesOf([channel('night', 'warn')]));
    world.refusesAlways = (message) => (message.op === 'too-long' ? refused : null);
    world.happens('page', 'too-long');
    world.pass(200);
    expect([world.state.waiting.size, world.said]).toEqual([1, []]);
    for (const op of ['a', 'b', 'c']) {
      // At once, even a lesser one.
      world.happens('warn', op);
      expect(ops(world).at(-1)).toBe(op);
      world.pass(10);
    }
    expect(world.state.waiting.size).toBe(0);
    expect(world.lines.filter(({ op }) => op === 'notify-refused')).toEqual([
      {
        ...{ level: 'error', op: 'notify-refused' },
        message:
          'The channel night refused message a1-1 (too-long) 3 times, and took others: HTTP 400: the chat has moved. ' +
          'It is given up.',
      },
    ]);
    expect(world.state.channels.get('night')).toMatchObject({ failingSince: null, because: null, retryAt: null });
  });

  test('that alone gets an error is at fault once others are accepted: they no longer wait for it', () => {
    const world = new World(rulesOf([channel('night', 'info')]));
    world.refusesAlways = ({ op }) => (op === 'crashes' ? { ...DOWN, because: 'HTTP 500.' } : null);
    world.happens('page', 'crashes');
    for (const op of ['a', 'b', 'c', 'd']) world.happens('page', op);
    world.happens('info', 'e');
    world.pass(12);
    expect(ops(world)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(world.state.channels.get('night')).toMatchObject({ failingSince: null, retryAt: null });
    world.happens('page', 'at-once');
    expect(ops(world).at(-1)).toBe('at-once');
    world.pass(3_600);
    expect(world.lines.filter(({ op }) => op === 'notify-refused').map(({ message }) => message)).toEqual([
      'The channel night refused message a1-1 (crashes) 3 times, and took others: HTTP 500. It is given up.',
    ]);
    expect(world.state.waiting.size).toBe(0);
  });

  test('an all-clear waits for its problem, and blocks nothing else', () => {
    const world = new World(rulesOf([channel('night')]));
    world.answers.set('night', refused);
    for (const op of ['latched', 'fatal']) world.happens('page', op, { lasts: true });
    world.pass(60, ['latched']);
    world.answers.set('night', SENT);
    world.pass(40);
    expect(ops(world).filter((op) => op === 'latched')).toHaveLength(2);
    expect(world.said.findIndex((line) => line.includes('PAGE live: latched'))).toBeLessThan(
      world.said.findIndex((line) => line.includes('OVER live: latched')),
    );
    expect(world.state.waiting.size).toBe(0);
  });
});

describe('messages of another process', () => {
  test('for a channel that no longer exists are given up, and their text is logged', () => {
    const before = new World(rulesOf([channel('night')]));
    before.answers.set('night', DOWN);
    before.happens('page', 'latched', { text: 'The kill latch is set.' });
    const after = new World(rulesOf([channel('mail')]), before.state);
    expect(after.state.waiting.size).toBe(0);
    expect(after.lines).toEqual([
      expect.objectContaining({
        op: 'notify-channel-gone',
        message: expect.stringContaining('The kill latch is set.'),
      }),
    ]);
  });
});
