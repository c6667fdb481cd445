// A lane that is throttled is told once, and once when it is over: at the edge of a limit that would be a line for
// each answer.
import { expect, test } from '@jest/globals';
import { afterAnswer, type LaneNow, type Throttling } from '../../../src/loop/throttling.ts';

const START = Date.UTC(2026, 2, 17, 9, 0, 0);

/** What is said of answers at these seconds: [second, status that throttles or 0, ms between two requests]. */
function said(answers: readonly (readonly [number, number, number])[]): string[] {
  let state: Throttling | null = null;
  return answers.flatMap(([second, status, intervalMs]) => {
    const now = START + second * 1_000;
    const lane: LaneNow = {
      lane: 'private',
      throttledBy: status === 0 ? null : status,
      intervalMs,
      usualMs: 500,
      pausedUntil: status === 0 ? null : now + 5_000,
      now,
    };
    const { after, notice } = afterAnswer(state, lane);
    state = after;
    return notice === null ? [] : [`${second} ${notice.level} ${notice.message}`];
  });
}

test('two lines for a slow quarter of an hour', () => {
  const edge = Array.from({ length: 400 }, (_, n) => [n, n % 20 === 0 ? 429 : 0, 500] as const);
  const well = Array.from({ length: 200 }, (_, n) => [400 + n, 0, 500] as const);
  expect(said([...edge, ...well])).toEqual([
    '0 warn The private lane is told to wait after HTTP 429, none before 09:00:05 UTC. ' +
      'Usual: one every 0.50 s. Cancels go first.',
    '440 info The private lane is back to one request every 0.50 s, after 20 throttled answers in 380 s.',
  ]);
});

test('the first slower pace is logged', () => {
  expect(
    said([
      [0, 429, 500],
      [5, 0, 1_050],
      [10, 0, 2_200],
      [64, 0, 2_200],
      [65, 0, 2_200],
      [70, 0, 2_200],
      [200, 0, 800],
      [300, 0, 500],
    ]),
  ).toEqual([
    expect.stringContaining('told to wait after HTTP 429'),
    '5 warn The private lane is slowed to one request every 1.05 s. Usual: one every 0.50 s. Cancels go first.',
    '300 info The private lane is back to one request every 0.50 s, after 1 throttled answer.',
  ]);
});

test('names the pace if it is slower', () => {
  expect(said([[0, 429, 1_000]])).toEqual([
    '0 warn The private lane is slowed to one request every 1.00 s after HTTP 429, none before 09:00:05 UTC. ' +
      'Usual: one every 0.50 s. Cancels go first.',
  ]);
});

test('mentions no pause if there is none', () => {
  const lane: LaneNow = {
    ...{ lane: 'public', throttledBy: 503, intervalMs: 500, usualMs: 500, pausedUntil: null, now: START },
  };
  expect(afterAnswer(null, lane).notice?.message).toBe(
    'The public lane is told to wait after HTTP 503. Usual: one every 0.50 s. Cancels go first.',
  );
});

test('is not over while the lane is still slower than configured', () => {
  expect(
    said([
      [0, 503, 1_000],
      [100, 0, 600],
      [200, 0, 500],
    ]),
  ).toEqual([
    expect.stringContaining('after HTTP 503'),
    '200 info The private lane is back to one request every 0.50 s, after 1 throttled answer.',
  ]);
});
