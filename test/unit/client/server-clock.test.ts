// What headers and requests that were taken or refused say of the exchange's clock, case by case; at random:
// clock/agreement.test.ts.
import { describe, expect, test } from '@jest/globals';
import {
  type ClockObservation,
  DRIFT_PPM,
  estimate,
  type Observed,
  observe,
  observeOwnClock,
  type ServerClock,
  startServerClock,
} from '../../../src/client/clock/server-clock.ts';
import { stampOf } from '../../../src/client/clock/stamper.ts';
import { ERROR_CODES } from '../../../src/venue/dialect.ts';
import type { Completed } from '../../../src/venue/outcomes.ts';
import { refused } from '../refused.ts';

/** A seeded generator (mulberry32): each simulated host is the same in every run. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Host {
  readonly offsetMs: number;
  readonly driftPpm: number;
  readonly random: () => number;
}

const WALL_START = 1_700_000_000_000;

/** One exchange of messages that begins at monotonic `at`: round trips of 40–200 ms, one in twenty ten times longer. */
function exchangeAt(host: Host, at: number): ClockObservation {
  const trip = (40 + 160 * host.random()) * (host.random() < 0.05 ? 10 : 1);
  const answeredAt = at + trip * host.random();
  const sentAt = Math.floor(WALL_START + at);
  const receivedAt = Math.floor(WALL_START + at + trip);
  return { sentAt, receivedAt, venueDate: dateAt(host, answeredAt), mono: at + trip };
}

const offsetAt = (host: Host, mono: number): number => host.offsetMs + (mono * host.driftPpm) / 1e6;
const dateAt = (host: Host, mono: number): number =>
  Math.floor((WALL_START + mono + offsetAt(host, mono)) / 1_000) * 1_000;

/** Mid-point errors after so many answers; fails where the bound does not hold the truth. */
function errorsAfter(samples: number, hosts: number, driftPpm: number): number[] {
  const errors: number[] = [];
  for (let seed = 1; seed <= hosts; seed++) {
    const random = randomOf(seed);
    const host = { offsetMs: (random() - 0.5) * 120_000, driftPpm, random };
    let clock = startServerClock();
    let mono = random() * 1_000_000;
    for (let sample = 0; sample < samples; sample++) {
      const seen = exchangeAt(host, mono);
      const { state, news } = observe(clock, seen);
      if (news !== null) throw new Error(`Host ${seed} told: ${news}.`);
      clock = state;
      const known = estimate(clock, { now: seen.receivedAt, mono: seen.mono });
      const error = Math.abs((known?.offsetMs ?? Number.NaN) - offsetAt(host, seen.mono));
      // Both of our clocks are read in whole milliseconds.
      if (!(error <= (known?.uncertaintyMs ?? 0) + 2)) throw new Error(`Host ${seed} is out of its bound.`);
      mono = seen.mono + 2_000 + 1_000 * random();
    }
    const known = estimate(clock, { now: WALL_START + mono, mono });
    errors.push(Math.abs((known?.offsetMs ?? Number.NaN) - offsetAt(host, mono)));
  }
  return errors.sort((a, b) => a - b);
}

const quantile = (sorted: readonly number[], q: number): number => sorted[Math.floor(sorted.length * q)] ?? Number.NaN;

describe('2,000 simulated hosts: the truth is always within the bound', () => {
  test.each([
    { samples: 20, p50: 30, p99: 125 },
    { samples: 80, p50: 20, p99: 65 },
  ])('after $samples answers half are off by less than $p50 ms, 99 % by $p99 ms', ({ samples, p50, p99 }) => {
    const errors = errorsAfter(samples, 2_000, 0);
    expect(quantile(errors, 0.5)).toBeLessThan(p50);
    expect(quantile(errors, 0.99)).toBeLessThan(p99);
  });

  test.each([200, -200])('a drift of %i ppm over four hours is followed', (driftPpm) => {
    const errors = errorsAfter(5_000, 10, driftPpm);
    expect(quantile(errors, 0.99)).toBeLessThan(150);
  });
});

const RECV_WINDOW_MS = 2_500;

interface Scene {
  /** True time less what our wall clock, the exchange's clock, and the answer's `Date` beside that show. */
  readonly wall: number;
  readonly venue: number;
  readonly date: number;
}

/** One signed request: stamped by the estimate, judged by the exchange, answered with a `Date`. Round trip 100 ms. */
function ask(clock: ServerClock, mono: number, { wall, venue, date }: Scene): Observed & { readonly taken: boolean } {
  const receivedAt = WALL_START + mono + wall;
  const sentAt = receivedAt - 100;
  const arrivesAt = WALL_START + mono - 50 + venue;
  const looked = observeOwnClock(clock, { now: sentAt, mono: mono - 100 });
  const timestamp = Math.round(sentAt + (estimate(looked.state, { now: sentAt, mono: mono - 100 })?.offsetMs ?? 0));
  const taken = Math.abs(arrivesAt - timestamp) <= RECV_WINDOW_MS;
  const venueDate = Math.floor((arrivesAt + date) / 1_000) * 1_000;
  const stamp = { timestamp, recvWindow: RECV_WINDOW_MS, verdict: taken ? 'taken' : 'refused' } as const;
  const observed = observe(looked.state, { sentAt, receivedAt, mono, venueDate, stamp });
  return { state: observed.state, news: looked.news ?? observed.news, taken };
}

const RIGHT: Scene = { wall: 0, venue: 500, date: 0 };
const offsetOf = (clock: ServerClock, mono: number, wall = 0): number =>
  estimate(clock, { now: WALL_START + mono + wall, mono })?.offsetMs ?? Number.NaN;

function learned(): ServerClock {
  let clock = startServerClock();
  for (let mono = 10_000; mono < 310_000; mono += 2_730) clock = ask(clock, mono, RIGHT).state;
  return clock;
}

/** What becomes of requests every second from the moment at which something goes wrong. */
function from(clock: ServerClock, scene: (nth: number) => Scene, requests = 60) {
  const verdicts: boolean[] = [];
  const news: string[] = [];
  let state = clock;
  for (let nth = 0; nth < requests; nth += 1) {
    const next = ask(state, 311_000 + nth * 1_137, scene(nth));
    state = next.state;
    verdicts.push(next.taken);
    if (next.news !== null) news.push(next.news);
  }
  const lastRefused = verdicts.lastIndexOf(false);
  const { wall } = scene(requests - 1);
  return { refused: lastRefused + 1, news, offsetMs: offsetOf(state, 311_000 + requests * 1_137, wall), state };
}

const HOUR = 3_600_000;

describe('Date headers that are wrong', () => {
  test.each<[string, (nth: number) => number]>([
    ['one by an hour', (nth) => (nth === 0 ? HOUR : 0)],
    ['one by half an hour, behind', (nth) => (nth === 0 ? -HOUR / 2 : 0)],
    ['ten in a row by 20 s', (nth) => (nth < 10 ? -20_000 : 0)],
    ['a minute of a cache that is hours behind', (nth) => (nth < 55 ? -5 * HOUR : 0)],
    ['every second one', (nth) => (nth % 2 === 0 ? HOUR : 0)],
    ['one that stands still', (nth) => -nth * 1_137],
    ['one server of five, by 4 s', (nth) => (nth % 5 === 0 ? 4_000 : 0)],
  ])('%s: no request is refused, and the estimate stays', (_what, date) => {
    const { refused, offsetMs, news } = from(learned(), (nth) => ({ ...RIGHT, date: date(nth) }));
    expect(refused).toBe(0);
    expect(Math.abs(offsetMs - 500)).toBeLessThan(100);
    expect(news.filter((each) => each !== 'outvoted')).toEqual([]);
  });

  test('what is within reach of a taken request is outvoted by most', () => {
    const { refused, offsetMs } = from(learned(), (nth) => ({ ...RIGHT, date: nth % 3 === 0 ? 1_800 : 0 }));
    expect(refused).toBe(0);
    expect(Math.abs(offsetMs - 500)).toBeLessThan(600);
  });

  test.each<[string, number, (nth: number) => number]>([
    ['the first of all', 2, (nth) => (nth === 0 ? HOUR : 0)],
    ['all of the first minute, on a machine whose clock is right', 2, (nth) => (nth < 60 ? -HOUR : 0)],
    ['all of the first minute, each in another way', 3, (nth) => (nth < 60 ? -HOUR * (nth + 1) : 0)],
  ])('%s, before anything was taken: the next candidates are tried', (_what, most, date) => {
    const { refused } = from(startServerClock(), (nth) => ({ ...RIGHT, date: date(nth) }));
    expect(refused).toBeLessThanOrEqual(most);
  });

  test('none at all: stamps are taken by the own clock, and narrow it to what they allow', () => {
    const taken = { timestamp: WALL_START, recvWindow: RECV_WINDOW_MS, verdict: 'taken' } as const;
    const seen = { sentAt: WALL_START, receivedAt: WALL_START + 100, mono: 100, stamp: taken };
    const known = estimate(observe(startServerClock(), seen).state, { now: WALL_START + 100, mono: 100 });
    expect(known).toMatchObject({ offsetMs: -50, confirmed: true, samples: 0 });
    expect(known?.uncertaintyMs).toBeGreaterThan(RECV_WINDOW_MS);
  });
});

describe('a clock that steps', () => {
  test.each([30_000, -30_000, 4_000, HOUR])('the exchange by %i ms: followed after two refusals', (step) => {
    const { refused, offsetMs, news } = from(learned(), () => ({ ...RIGHT, venue: 500 + step }));
    expect(refused).toBe(2);
    expect(Math.abs(offsetMs - 500 - step)).toBeLessThan(100);
    expect(news).toEqual(expect.arrayContaining(['disproved', 'confirmed']));
  });

  test('the exchange by a second: its headers outvote the old ones', () => {
    const { refused, offsetMs } = from(learned(), () => ({ ...RIGHT, venue: 1_500 }), 80);
    expect(refused).toBe(0);
    expect(Math.abs(offsetMs - 1_500)).toBeLessThan(100);
  });

  test.each([10_000, -10_000, -HOUR, 100])('ours by %i ms: no request is refused', (step) => {
    const { refused, offsetMs, news } = from(learned(), () => ({ ...RIGHT, wall: step }));
    expect(refused).toBe(0);
    expect(news).toContain('our-clock');
    expect(Math.abs(offsetMs - (500 - step))).toBeLessThan(100);
  });

  test('ours is told at once, and is not confirmed until a request was taken', () => {
    const before = learned();
    const reading = { now: WALL_START + 311_000 + 10_000, mono: 311_000 };
    const { state, news } = observeOwnClock(before, reading);
    expect(news).toBe('our-clock');
    expect(estimate(before, { ...reading, now: reading.now - 10_000 })?.confirmed).toBe(true);
    expect(estimate(state, reading)).toMatchObject({ confirmed: false });
    const after = ask(state, 312_000, { ...RIGHT, wall: 10_000 });
    expect(estimate(after.state, { now: WALL_START + 322_000, mono: 312_000 })?.confirmed).toBe(true);
  });

  test.each([5_000, 30 * 60_000])('the machine slept %i ms with its monotonic clock: a few tries follow', (ms) => {
    // By the monotonic clock the exchange went ahead, and our wall clock with it.
    const { refused, offsetMs } = from(learned(), () => ({ wall: ms, venue: 500 + ms, date: 0 }));
    expect(refused).toBeLessThanOrEqual(2);
    expect(Math.abs(offsetMs - 500)).toBeLessThan(100);
  });

  test.each([5_000, 30 * 60_000])('everything of ours stood still for %i ms: followed in a few tries', (ms) => {
    const { refused, offsetMs } = from(learned(), () => ({ wall: 0, venue: 500 + ms, date: 0 }));
    expect(refused).toBeLessThanOrEqual(2);
    expect(Math.abs(offsetMs - 500 - ms)).toBeLessThan(100);
  });
});

describe('a refusal', () => {
  test('alone keeps the estimate, which is in doubt: one server of several may be wrong', () => {
    const clock = learned();
    const once = ask(clock, 311_000, { ...RIGHT, venue: HOUR, date: 0 });
    expect(once.taken).toBe(false);
    expect(Math.abs(offsetOf(once.state, 311_000) - 500)).toBeLessThan(100);
    expect(estimate(once.state, { now: WALL_START + 311_000, mono: 311_000 })?.confirmed).toBe(false);
    expect(ask(once.state, 312_000, RIGHT)).toMatchObject({ taken: true, news: null });
  });

  test('of requests that were on their way together counts once', () => {
    const first = ask(learned(), 311_000, { ...RIGHT, venue: HOUR });
    const second = ask(first.state, 311_050, { ...RIGHT, venue: HOUR });
    expect(second.news).toBeNull();
    expect(Math.abs(offsetOf(second.state, 311_100) - 500)).toBeLessThan(100);
  });

  test('of a request that waited for longer than its window says nothing of the clock', () => {
    const clock = learned();
    const stamp = { timestamp: WALL_START + 311_500, recvWindow: RECV_WINDOW_MS, verdict: 'refused' } as const;
    for (const sentAt of [WALL_START + 311_000, WALL_START + 313_800]) {
      const seen = { sentAt, receivedAt: WALL_START + 316_000, mono: 316_000, stamp };
      expect(observe(clock, seen)).toMatchObject({ news: null, state: { doubtedAt: null } });
    }
  });

  test('of every candidate begins the round anew, also where no answer has a Date', () => {
    let clock = startServerClock();
    for (let nth = 0; nth < 12; nth += 1) {
      const sentAt = WALL_START + nth * 1_000;
      const stamp = { timestamp: sentAt, recvWindow: RECV_WINDOW_MS, verdict: 'refused' } as const;
      clock = observe(clock, { sentAt, receivedAt: sentAt + 50, mono: nth * 1_000 + 50, stamp }).state;
    }
    expect(from(clock, () => RIGHT).refused).toBe(0);
  });
});

test('without answers there is no estimate', () => {
  expect(estimate(startServerClock(), { now: WALL_START, mono: 0 })).toBeNull();
});

test('an answer received before it was sent has no vote', () => {
  const seen = { sentAt: WALL_START + 20_000, receivedAt: WALL_START, mono: 0, venueDate: WALL_START };
  expect(estimate(observe(startServerClock(), seen).state, { now: WALL_START, mono: 0 })).toBeNull();
});

test('an old estimate widens by the drift', () => {
  const clock = learned();
  const at = (mono: number): number => estimate(clock, { now: WALL_START + mono, mono })?.uncertaintyMs ?? 0;
  expect(at(400_000 + HOUR) - at(400_000)).toBeCloseTo((HOUR * DRIFT_PPM) / 1e6, 6);
});

// What an answer says of the timestamp that its request was signed with: only what the exchange did with it proves any.

const stamp = { timestamp: 1_700_000_000_000, recvWindow: 2_500 };
const facts = { sentAt: stamp.timestamp, receivedAt: stamp.timestamp + 40 };

type WalletOutcome = Extract<Completed, { kind: 'wallet' }>['outcome'];

const verdictOf = (outcome: WalletOutcome) =>
  stampOf({ kind: 'wallet', request: { kind: 'wallet', stamp }, outcome, facts })?.verdict;
const refusal = (code: number, status: number): WalletOutcome => refused(code, { status });

describe('a timestamp', () => {
  test('was taken where the exchange did what was asked', () => {
    expect(verdictOf({ kind: 'read', read: { ...facts, rows: [], complete: true } })).toBe('taken');
  });

  const aboutTime = ERROR_CODES.filter(({ kind }) => kind === 'clock');
  const others = ERROR_CODES.filter(({ kind }) => kind !== 'clock');

  test.each(aboutTime)('was refused by $code ($meaning)', ({ code, status }) => {
    expect(verdictOf(refusal(code, status))).toBe('refused');
  });

  test.each(others)('may not have been looked at before $code ($meaning)', ({ code, status }) => {
    expect(verdictOf(refusal(code, status))).toBeUndefined();
  });

  test('may not have been looked at before a failure', () => {
    expect(verdictOf({ kind: 'throttled', status: 429, retryAt: facts.receivedAt })).toBeUndefined();
    const fault = { sent: true, reason: 'timeout', detail: 'No complete answer within 10000 ms.' } as const;
    expect(verdictOf({ kind: 'failed', fault })).toBeUndefined();
  });
});
