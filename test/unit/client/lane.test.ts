import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Clock as FakeClock, install } from '@sinonjs/fake-timers';
import { createLane, type Lane, type LaneSettings } from '../../../src/client/pace/lane.ts';
import type { Clock } from '../../../src/ports/clock.ts';

const START = 1_700_000_000_000;
let fake: FakeClock;
/** How far the wall clock has been moved against the monotonic one. */
let wallStep = 0;
const clock: Clock = { now: () => Date.now(), monotonic: () => fake.now - START - wallStep };
const highest = { next: () => 1 };

beforeEach(() => {
  wallStep = 0;
  fake = install({ now: START, toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});
afterEach(() => {
  fake.uninstall();
});

const laneOf = (settings: Partial<LaneSettings> = {}): Lane =>
  createLane({ requestsPerSecond: 1, maxInFlight: 8, ...settings }, { clock, random: highest });

/** Notes the monotonic second at which each ticket ran. */
function recorder() {
  const at: number[] = [];
  const run = async (): Promise<void> => {
    at.push(Math.round(clock.monotonic() / 100) / 10);
  };
  return { at, run };
}

const facts = (status: number, rateLimit = {}) => ({ sentAt: clock.now(), receivedAt: clock.now(), status, rateLimit });

describe('tickets', () => {
  test('run one an interval, in order, each chosen when it runs', async () => {
    const lane = laneOf();
    const { at, run } = recorder();
    const ends = Promise.all([1, 2, 3, 4].map(() => lane.ticket(run)));
    await fake.tickAsync(4_000);
    expect(await ends).toEqual(['ran', 'ran', 'ran', 'ran']);
    expect(at).toEqual([0, 1, 2, 3]);
    await lane.stop();
  });

  test('wait while too many are in flight', async () => {
    const lane = laneOf({ maxInFlight: 2 });
    const release: (() => void)[] = [];
    const hang = () => new Promise<void>((resolve) => release.push(resolve));
    const { at, run } = recorder();
    void lane.ticket(hang);
    void lane.ticket(hang);
    const third = lane.ticket(run);
    await fake.tickAsync(4_000);
    expect(lane.figures()).toMatchObject({ inFlight: 2, waiting: 1 });
    expect(at).toEqual([]);
    release[0]?.();
    await fake.tickAsync(1_000);
    expect(await third).toBe('ran');
    expect(lane.figures()).toMatchObject({ inFlight: 1, waiting: 0 });
    release[1]?.();
    await lane.stop();
  });

  test('pass on what a run throws', async () => {
    const lane = laneOf();
    const broken = lane.ticket(async () => {
      throw new Error('A bug.');
    });
    const caught = expect(broken).rejects.toThrow('A bug.');
    await fake.tickAsync(100);
    await caught;
    const { at, run } = recorder();
    void lane.ticket(run);
    await fake.tickAsync(2_000);
    expect(at).toEqual([1]);
    await lane.stop();
  });
});

describe('answers', () => {
  test('counts from when the answer arrived, however late it is handled', async () => {
    const lane = laneOf();
    const answer = facts(429, { retryAfter: 30_000 });
    await fake.tickAsync(20_000);
    lane.learn(answer, true);
    expect(lane.pausedUntil()).toBe(START + 33_000);
    await lane.stop();
  });

  test('429 with Retry-After closes the lane for that long, and says nothing of the rate yet', async () => {
    const lane = laneOf();
    const { at, run } = recorder();
    void lane.ticket(run);
    await fake.tickAsync(100);
    lane.learn(facts(429, { retryAfter: 10_000 }), true);
    expect(lane.pausedUntil()).toBe(clock.now() + 11_000);
    for (let n = 0; n < 2; n++) void lane.ticket(run);
    await fake.tickAsync(20_000);
    expect(at).toEqual([0, 11.1, 12.1]);
    expect(lane.pausedUntil()).toBeNull();
    expect(lane.figures()).toMatchObject({ intervalMs: 1_000, throttledTotal: 1 });
    await lane.stop();
  });

  test('that come while a ticket waits delay it', async () => {
    const lane = laneOf();
    const { at, run } = recorder();
    void lane.ticket(run);
    void lane.ticket(run);
    await fake.tickAsync(500);
    lane.learn(facts(200, { limit: 1, remaining: 0, resetAt: clock.now() + 2_500 }), false);
    await fake.tickAsync(5_000);
    expect(at).toEqual([0, 3]);
    expect(lane.figures()).toMatchObject({ limit: 1, remaining: 0 });
    await lane.stop();
  });
});

test('a turn that waits for what is on its way comes an interval after that is back', async () => {
  const lane = laneOf({ requestsPerSecond: 10, maxInFlight: 2 });
  lane.learn(facts(200, { limit: 1, remaining: 1 }), false);
  let leftAt = 0;
  void lane.ticket(() => new Promise<void>((resolve) => setTimeout(resolve, 150)));
  void lane.ticket(async () => {
    leftAt = clock.monotonic();
  });
  await fake.tickAsync(1_000);
  expect(leftAt).toBeGreaterThanOrEqual(250);
  expect(leftAt).toBeLessThan(260);
  await lane.stop();
});

test('one request a second is not made one in two by a reset that is told in whole seconds', async () => {
  const lane = laneOf({ maxInFlight: 1 });
  const taken: number[] = [];
  let refused = 0;
  const ask = async (): Promise<void> => {
    const sentAt = clock.now();
    await new Promise<void>((resolve) => setTimeout(resolve, 20));
    const allowed = sentAt >= (taken.at(-1) ?? 0) + 1_000;
    if (allowed) taken.push(sentAt);
    else refused += 1;
    const resetAt = Math.ceil(((taken.at(-1) ?? 0) + 1_000) / 1_000) * 1_000;
    const rateLimit = { limit: 1, remaining: 0, resetAt, resetFrom: resetAt - 1_000 };
    const status = allowed ? 200 : 429;
    lane.learn({ sentAt, receivedAt: clock.now(), status, rateLimit }, !allowed);
  };
  for (let n = 0; n < 80; n++) void lane.ticket(ask);
  await fake.tickAsync(60_000);
  expect(refused).toBe(0);
  expect(taken.length).toBeGreaterThanOrEqual(57);
  await lane.stop();
});

describe('behind a line that is cut', () => {
  test('what was not answered for five seconds holds up no other, and is still waited for', async () => {
    const lane = laneOf({ maxInFlight: 1 });
    const release: (() => void)[] = [];
    const at: number[] = [];
    const hang = () => {
      at.push(Math.round(clock.monotonic() / 100) / 10);
      return new Promise<void>((resolve) => release.push(resolve));
    };
    const ends = [1, 2, 3].map(() => lane.ticket(hang));
    await fake.tickAsync(11_000);
    expect(at).toEqual([0, 5, 10]);
    expect(lane.figures()).toMatchObject({ inFlight: 3, waiting: 0 });
    const stop = lane.stop();
    for (const each of release) each();
    await fake.tickAsync(100);
    await stop;
    expect(await Promise.all(ends)).toEqual(['ran', 'ran', 'ran']);
    expect(fake.countTimers()).toBe(0);
  });

  test('one that fails after that fails its own ticket', async () => {
    const lane = laneOf({ maxInFlight: 1 });
    const late = lane.ticket(async () => {
      await new Promise<void>((resolve) => setTimeout(resolve, 9_000));
      throw new Error('Late.');
    });
    const failed = expect(late).rejects.toThrow('Late.');
    await fake.tickAsync(10_000);
    await failed;
    await lane.stop();
  });
});

test('clear drops what waits, lets run what runs, and gives the next turn to the next ticket', async () => {
  const lane = laneOf({ maxInFlight: 3 });
  let release = (): void => undefined;
  const hanging = lane.ticket(() => new Promise<void>((resolve) => (release = resolve)));
  const { at, run } = recorder();
  const waiting = [1, 2, 3, 4, 5].map(() => lane.ticket(run));
  await fake.tickAsync(500);
  lane.clear();
  expect(await Promise.all(waiting)).toEqual(['dropped', 'dropped', 'dropped', 'dropped', 'dropped']);
  const urgent = lane.ticket(run);
  await fake.tickAsync(1_000);
  expect(await urgent).toBe('ran');
  // The one that hangs may have arrived a quarter of a second late.
  expect(at).toEqual([1.3]);
  release();
  expect(await hanging).toBe('ran');
  await lane.stop();
});

describe('stop', () => {
  test('drops what waits, takes no more, waits for what runs, and leaves no timer', async () => {
    const lane = laneOf();
    let release = (): void => undefined;
    const hanging = lane.ticket(() => new Promise<void>((resolve) => (release = resolve)));
    await fake.tickAsync(100);
    const waiting = lane.ticket(async () => undefined);
    await fake.tickAsync(10);
    let stopped = false;
    const stop = lane.stop().then(() => {
      stopped = true;
    });
    expect(await waiting).toBe('dropped');
    await fake.tickAsync(5_000);
    expect(stopped).toBe(false);
    expect(await lane.ticket(async () => undefined)).toBe('dropped');
    release();
    await fake.tickAsync(100);
    await stop;
    expect(await hanging).toBe('ran');
    expect(fake.countTimers()).toBe(0);
    await lane.stop();
  });

  test('a lane that is paused stops at once', async () => {
    const lane = laneOf();
    lane.learn(facts(429, { retryAfter: 300_000 }), true);
    const waiting = lane.ticket(async () => undefined);
    await fake.tickAsync(1_000);
    const stop = lane.stop();
    await fake.tickAsync(100);
    await stop;
    expect(await waiting).toBe('dropped');
    expect(fake.countTimers()).toBe(0);
  });
});

describe('a wall clock that steps', () => {
  test.each([-3_600_000, 3_600_000])('by %i ms neither stops the lane nor makes it faster', async (step) => {
    const lane = laneOf();
    const { at, run } = recorder();
    void lane.ticket(run);
    await fake.tickAsync(500);
    fake.setSystemTime(fake.now + step);
    wallStep += step;
    for (let n = 0; n < 3; n++) void lane.ticket(run);
    await fake.tickAsync(10_000);
    expect(at).toHaveLength(4);
    const gaps = at.slice(1).map((second, index) => second - (at[index] ?? 0));
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(0.9);
    await lane.stop();
  });
});

test.each([
  [{ requestsPerSecond: 0 }, 'A lane of 0 requests per second never moves.'],
  [{ maxInFlight: 1.5 }, '1.5 requests in flight is not a whole number from 1.'],
])('settings %j are refused', (settings, sentence) => {
  expect(() => laneOf(settings)).toThrow(sentence);
});
