import { describe, expect, test } from '@jest/globals';
import {
  type ClockObservation,
  estimate,
  observe,
  reset,
  SERVER_CLOCK_DEFAULTS,
  type ServerClock,
  startServerClock,
} from '../../../src/client/server-clock.ts';

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
      const { state, restarted } = observe(clock, seen);
      if (restarted !== null) throw new Error(`Host ${seed} restarted: ${restarted}.`);
      clock = state;
      const error = Math.abs((estimate(clock, seen.mono)?.offsetMs ?? Number.NaN) - offsetAt(host, seen.mono));
      if (!(error <= (estimate(clock, seen.mono)?.uncertaintyMs ?? 0)))
        throw new Error(`Host ${seed} is out of its bound.`);
      mono = seen.mono + 2_000 + 1_000 * random();
    }
    errors.push(Math.abs((estimate(clock, mono)?.offsetMs ?? Number.NaN) - offsetAt(host, mono)));
  }
  return errors.sort((a, b) => a - b);
}

const quantile = (sorted: readonly number[], q: number): number => sorted[Math.floor(sorted.length * q)] ?? Number.NaN;

describe('2,000 simulated hosts: the truth is always within the bound', () => {
  test.each([
    { samples: 20, p50: 30, p99: 125 },
    { samples: 80, p50: 20, p99: 65 },
  ])(
    'after $samples answers the middle is off by less than $p50 ms (median) and $p99 ms (99 %)',
    ({ samples, p50, p99 }) => {
      const errors = errorsAfter(samples, 2_000, 0);
      expect(quantile(errors, 0.5)).toBeLessThan(p50);
      expect(quantile(errors, 0.99)).toBeLessThan(p99);
    },
  );

  test.each([200, -200])('a drift of %i ppm over four hours is followed', (driftPpm) => {
    const errors = errorsAfter(5_000, 10, driftPpm);
    expect(quantile(errors, 0.99)).toBeLessThan(150);
  });
});

const seenAt = (mono: number, wallOffset: number, venueOffset: number): ClockObservation => {
  const wall = WALL_START + mono + wallOffset;
  const venue = WALL_START + mono + venueOffset;
  return { sentAt: wall - 100, receivedAt: wall, venueDate: Math.floor((venue - 50) / 1_000) * 1_000, mono };
};

function learned(venueOffset: number): ServerClock {
  let clock = startServerClock();
  for (let mono = 10_000; mono < 60_000; mono += 2_730) clock = observe(clock, seenAt(mono, 0, venueOffset)).state;
  return clock;
}

describe('a clock that steps', () => {
  test('the venue by −10 s: no offset fits, the estimate starts again from the new answer, and it is told', () => {
    const { state, restarted } = observe(learned(500), seenAt(61_000, 0, -9_500));
    expect(restarted).toBe('empty-intersection');
    expect(estimate(state, 61_000)).toMatchObject({ samples: 1 });
    const { offsetMs, uncertaintyMs } = estimate(state, 61_000) ?? { offsetMs: 0, uncertaintyMs: 0 };
    expect(Math.abs(offsetMs + 9_500)).toBeLessThanOrEqual(uncertaintyMs);
    expect(state.restarts).toBe(1);
  });

  test.each([10_000, -10_000, -3_600_000, 100])(
    'ours by %i ms: what was learned is gone, and the answer across it too',
    (step) => {
      const { state, restarted } = observe(learned(500), seenAt(61_000, step, 500));
      expect(restarted).toBe('wall-clock-step');
      expect(estimate(state, 61_000)).toBeNull();
      const next = observe(state, seenAt(63_000, step, 500));
      expect(next.restarted).toBeNull();
      const { offsetMs, uncertaintyMs } = estimate(next.state, 63_000) ?? { offsetMs: 0, uncertaintyMs: 0 };
      expect(Math.abs(offsetMs - (500 - step))).toBeLessThanOrEqual(uncertaintyMs);
    },
  );

  test('an answer received before it was sent proves a step', () => {
    const seen = { ...seenAt(10_000, 0, 0), sentAt: WALL_START + 20_000 };
    expect(observe(startServerClock(), seen).restarted).toBe('wall-clock-step');
  });

  test('a frozen Date runs out of offsets that fit', () => {
    let clock = learned(0);
    const frozen = seenAt(60_000, 0, 0).venueDate;
    const told: unknown[] = [];
    for (let mono = 62_000; mono < 70_000; mono += 1_000) {
      const { state, restarted } = observe(clock, { ...seenAt(mono, 0, 0), venueDate: frozen });
      clock = state;
      told.push(restarted);
    }
    expect(told).toContain('empty-intersection');
  });
});

test('without answers there is no estimate; after a reset neither', () => {
  expect(estimate(startServerClock(), 0)).toBeNull();
  expect(estimate(reset(learned(0)), 70_000)).toBeNull();
});

test('an old estimate widens by the drift', () => {
  const clock = learned(0);
  const now = estimate(clock, 60_000)?.uncertaintyMs ?? 0;
  const later = estimate(clock, 60_000 + 3_600_000)?.uncertaintyMs ?? 0;
  expect(later - now).toBeCloseTo((3_600_000 * SERVER_CLOCK_DEFAULTS.driftPpm) / 1e6, 6);
});
