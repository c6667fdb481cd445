import { describe, expect, test } from '@jest/globals';
import { learn, type Pace, startPace } from '../../../src/client/pace/lane-pace.ts';

const settings = { intervalMs: 1_000 };
const wall = 1_700_000_000_000;
const highest = { next: () => 1 };

function told(pace: Pace, now: number, status?: number): Pace {
  const facts = { sentAt: wall + now - 100, receivedAt: wall + now, ...(status !== undefined && { status }) };
  return learn(pace, settings, { facts, throttled: status === 429, now, arrivedAt: now }, highest);
}

describe('an answer that is not good', () => {
  test.each([
    ['none at all', undefined],
    ['a failure of the exchange', 500],
    ['a ban', 418],
  ])('%s ends neither the episode that a 429 began nor the row of strikes', (_name, status) => {
    let pace = told(startPace(0), 0, 429);
    for (let n = 1; n <= 20; n++) pace = told(pace, n * 10_000, status);
    expect(pace).toMatchObject({ strikes: 1, rate: { refusals: 1 } });
  });
});
