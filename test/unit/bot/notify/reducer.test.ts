// What is notified and when: one message per lasting problem, reminders, all-clears, and the choice of channels.
import { describe, expect, test } from '@jest/globals';
import { channel, DOWN, rulesOf, World } from './notify-world.ts';

const BTC = 'BTC/INR';
const MINUTE = 60;
const ALL = rulesOf([channel('night'), channel('day', 'warn'), channel('book', 'info')]);
const NIGHT = rulesOf([channel('night')]);

test('goes to the channels that take its severity', () => {
  const world = new World(ALL);
  world.happens('page', 'symbol-halted', { symbol: BTC });
  world.happens('warn', 'paused');
  world.happens('info', 'fill', { symbol: BTC });
  expect(world.said).toEqual([
    '0:00 night PAGE live: symbol-halted BTC/INR',
    '0:00 day PAGE live: symbol-halted BTC/INR',
    '0:00 book PAGE live: symbol-halted BTC/INR',
    '0:00 day WARN live: paused',
    '0:00 book WARN live: paused',
    '0:00 book INFO live: fill BTC/INR',
  ]);
});

test('a channel may accept only some ops, or all but some', () => {
  const world = new World(
    rulesOf([channel('halts', 'info', { only: ['symbol-halted'] }), channel('rest', 'info', { except: ['fill'] })]),
  );
  world.happens('page', 'symbol-halted');
  world.happens('info', 'fill');
  world.happens('info', 'ready');
  expect(world.said.map((line) => line.slice(5))).toEqual([
    'halts PAGE live: symbol-halted',
    'rest PAGE live: symbol-halted',
    'rest INFO live: ready',
  ]);
});

describe('a lasting problem', () => {
  test('is one message, a reminder each half hour with the number of occurrences, and an all-clear', () => {
    const world = new World(NIGHT);
    world.happens('page', 'symbol-halted', { symbol: BTC, lasts: true, text: 'BTC/INR is halted: the price jumped.' });
    for (let minute = 0; minute < 40; minute += 1) {
      world.pass(MINUTE);
      if (minute % 10 === 0) world.happens('page', 'symbol-halted', { symbol: BTC, lasts: true, text: 'Halted.' });
    }
    world.pass(1, ['symbol-halted BTC/INR']);
    world.pass(60 * MINUTE);
    expect(world.said).toEqual([
      '0:00 night PAGE live: symbol-halted BTC/INR',
      '30:00 night AGAIN live: symbol-halted BTC/INR',
      '40:01 night OVER live: symbol-halted BTC/INR',
    ]);
    expect(world.texts).toEqual([
      'BTC/INR is halted: the price jumped.',
      'Still so, after 30 min. 3 more of it since. The last: Halted.',
      'Over, after 40 min 1 s: Halted.',
    ]);
  });

  test('of another symbol is another problem', () => {
    const world = new World(NIGHT);
    for (const symbol of [BTC, 'ETH/INR', BTC]) world.happens('page', 'symbol-halted', { symbol, lasts: true });
    expect(world.said).toHaveLength(2);
    world.pass(1, ['symbol-halted ETH/INR']);
    expect(world.said.at(-1)).toBe('0:01 night OVER live: symbol-halted ETH/INR');
  });

  test('that comes back after its end is notified again', () => {
    const world = new World(NIGHT);
    world.happens('page', 'maintenance', { lasts: true });
    world.pass(1, ['maintenance']);
    world.happens('page', 'maintenance', { lasts: true });
    expect(world.said.map((line) => line.slice(11))).toEqual([
      'PAGE live: maintenance',
      'OVER live: maintenance',
      'PAGE live: maintenance',
    ]);
  });

  test('becomes a page from a warning after its time, and its end goes to those who were paged', () => {
    const world = new World(NIGHT);
    world.happens('warn', 'not-responding', { lasts: true, pageAfterMs: 20_000, text: 'Nothing comes back.' });
    world.pass(30);
    world.pass(1, ['not-responding']);
    expect(world.said).toEqual(['0:20 night PAGE live: not-responding', '0:31 night OVER live: not-responding']);
    expect(world.texts[0]).toBe('For 20 s now: Nothing comes back.');
  });

  test('becomes a page as soon where it happens again and again', () => {
    const world = new World(NIGHT);
    for (let times = 0; times < 6; times += 1) {
      world.happens('warn', 'not-responding', { lasts: true, pageAfterMs: 20_000 });
      world.pass(5);
    }
    expect(world.said).toEqual(['0:20 night PAGE live: not-responding']);
  });

  test('that ends as a warning wakes nobody', () => {
    const world = new World(NIGHT);
    world.happens('warn', 'not-responding', { lasts: true, pageAfterMs: 20_000 });
    world.pass(10);
    world.pass(1, ['not-responding']);
    world.pass(60);
    expect(world.said).toEqual([]);
  });
});

test('that no channel accepts leaves no trace', () => {
  const world = new World(NIGHT);
  world.happens('warn', 'cancel-ineffective');
  world.happens('info', 'fill');
  expect([world.state.problems.size, world.state.next]).toEqual([0, 1]);
});

test('that gets worse is notified at once, one that gets better is not', () => {
  const world = new World(rulesOf([channel('day', 'warn')]));
  world.happens('warn', 'refused', { lasts: true });
  world.happens('warn', 'refused', { lasts: true });
  world.happens('page', 'refused', { lasts: true });
  world.happens('warn', 'refused', { lasts: true });
  expect(world.said.map((line) => line.slice(9))).toEqual(['WARN live: refused', 'PAGE live: refused']);
});

test('that does not last is collected for five minutes, and notified again only if it recurred', () => {
  const world = new World(NIGHT);
  world.happens('page', 'late-fill', { symbol: BTC, text: 'Order 1.' });
  world.happens('page', 'late-fill', { symbol: BTC, text: 'Order 2.' });
  world.happens('page', 'late-fill', { symbol: BTC, text: 'Order 3.' });
  world.pass(60 * MINUTE);
  world.happens('page', 'late-fill', { symbol: BTC, text: 'Order 4.' });
  expect(world.said).toEqual([
    '0:00 night PAGE live: late-fill BTC/INR',
    '5:00 night AGAIN live: late-fill BTC/INR',
    '60:00 night PAGE live: late-fill BTC/INR',
  ]);
  expect(world.texts[1]).toBe('2 more of it since. The last: Order 3.');
});

test('is not repeated after a restart, and still known', () => {
  const before = new World(NIGHT);
  before.happens('page', 'symbol-halted', { symbol: BTC, lasts: true });
  const after = new World(NIGHT, before.state);
  after.now = before.now + 60_000;
  after.happens('page', 'symbol-halted', { symbol: BTC, lasts: true });
  after.pass(1, ['symbol-halted BTC/INR']);
  expect(after.said).toEqual(['1:01 night OVER live: symbol-halted BTC/INR']);
});

test('that was a warning when the last process ended wakes nobody before it has lasted in this one', () => {
  const before = new World(NIGHT);
  before.happens('warn', 'not-responding', { lasts: true, pageAfterMs: 20_000 });
  before.pass(10);
  const night = [...before.state.problems].map(([key, each]) => {
    const at = (moment: number | null) => (moment ?? 0) - 9 * 3_600_000;
    const { since, lastAt, toldAt, pageAt } = each;
    return [key, { ...each, since: at(since), lastAt: at(lastAt), toldAt: at(toldAt), pageAt: at(pageAt) }] as const;
  });
  const after = new World(NIGHT, { ...before.state, problems: new Map(night) });
  after.pass(5);
  expect(after.said).toEqual([]);
  after.pass(20);
  expect(after.said).toEqual(['0:20 night PAGE live: not-responding']);
});

test('every message has a unique id, even after a restart', () => {
  const before = new World(NIGHT);
  before.answers.set('night', DOWN);
  before.happens('page', 'latched');
  const after = new World(NIGHT, before.state);
  after.answers.set('night', DOWN);
  after.happens('page', 'fatal');
  expect([...after.state.waiting.keys()]).toEqual(['night a1-1', 'night a1-2']);
});

describe('a clock that is set back between two processes', () => {
  const DAY_MS = 86_400_000;

  test('delays nothing', () => {
    const before = new World(NIGHT);
    before.happens('page', 'latched', { lasts: true });
    before.now += DAY_MS;
    before.happens('page', 'latched', { lasts: true });
    const after = new World(NIGHT, before.state);
    after.pass(31 * MINUTE);
    expect(after.said).toEqual(['30:00 night AGAIN live: latched']);
  });
});
