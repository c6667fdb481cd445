import { describe, expect, test } from '@jest/globals';
import { intervalOf, learn, type Pace, startPace } from '../../../src/client/pace/lane-pace.ts';

const settings = { intervalMs: 1_000, burst: 1 };
const wall = 1_700_000_000_000;
const highest = { next: () => 1 };

function told(pace: Pace, now: number, status?: number): Pace {
  const facts = { sentAt: wall + now - 100, receivedAt: wall + now, ...(status !== undefined && { status }) };
  return learn(pace, settings, { facts, throttled: status === 429, now }, highest);
}

describe('an answer that is not good', () => {
  test.each([
    ['none at all', undefined],
    ['a failure of the exchange', 500],
    ['a ban', 418],
  ])('%s gives nothing back of what a 429 took, and does not end the row of strikes', (_name, status) => {
    let pace = told(startPace(0), 0, 429);
    for (let n = 1; n <= 20; n++) pace = told(pace, n * 10_000, status);
    expect(intervalOf(pace, settings)).toBeCloseTo(1_000 / 0.48);
    expect(pace.strikes).toBe(1);
  });
});
