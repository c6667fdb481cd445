// Whether the bot's loop makes progress, by what its private lane waits for.
import { describe, expect, test } from '@jest/globals';
import { type LaneWait, progressJudge, refusedWords } from '../../../src/loop/progress.ts';

const DEADLINE_MS = 10_000;
/** Two deadlines and slack. */
const LONGEST_MS = 25_000;
const open: LaneWait = { isPaused: false, inFlight: 0, intervalMs: 500 };
const judge = () => progressJudge({ deadlineMs: DEADLINE_MS });
const pass = (at: number, changes: { ticketSince?: number; underwaySince?: number } = {}) => ({
  at,
  ticketSince: null,
  underwaySince: null,
  ...changes,
});

describe('progress', () => {
  test('is a pass with nothing to wait for', () => {
    expect(judge()(pass(1_000_000), open)).toBeNull();
  });

  test.each([
    [LONGEST_MS, null],
    [LONGEST_MS + 1, 'A request has not ended for 25.0 s; its deadline is 10.0 s.'],
  ])('is not a request that left %d ms ago', (age, expected) => {
    expect(judge()(pass(age, { underwaySince: 0 }), { ...open, inFlight: 1 })).toBe(expected);
  });

  test.each([
    [LONGEST_MS + 1_000, null],
    [LONGEST_MS + 1_001, 'The private lane is open, and no request has left it for 26.0 s.'],
  ])('is not a ticket that an open lane has not given for %d ms', (age, expected) => {
    expect(judge()(pass(age, { ticketSince: 0 }), open)).toBe(expected);
  });

  test('is a ticket that a lane can’t give: the exchange asked for a pause, or every place is taken', () => {
    expect(judge()(pass(3_600_000, { ticketSince: 0 }), { ...open, isPaused: true })).toBeNull();
    const busy = { ...open, inFlight: 1 };
    expect(judge()(pass(3_600_000, { ticketSince: 0, underwaySince: 3_599_000 }), busy)).toBeNull();
  });

  test("the ticket's time restarts after a pause", () => {
    const judged = judge();
    expect(judged(pass(3_600_000, { ticketSince: 0 }), { ...open, isPaused: true })).toBeNull();
    expect(judged(pass(3_601_000, { ticketSince: 0 }), open)).toBeNull();
    expect(judged(pass(3_600_000 + LONGEST_MS + 1_001, { ticketSince: 0 }), open)).not.toBeNull();
  });

  test('a slow lane has more time', () => {
    expect(judge()(pass(60_000, { ticketSince: 0 }), { ...open, intervalMs: 30_000 })).toBeNull();
  });
});

test('a refused key is no progress if the watchdog has its own key, and is progress otherwise', () => {
  const keys = { kind: 'keys', message: '-2015 Invalid API key' } as const;
  expect(refusedWords(keys, { sharesKey: false })).toBe('The exchange refuses the bot: -2015 Invalid API key');
  expect(refusedWords(keys, { sharesKey: true })).toBeNull();
  expect(refusedWords({ kind: 'maintenance', message: '' }, { sharesKey: false })).toBeNull();
  expect(refusedWords(null, { sharesKey: false })).toBeNull();
});
