// What one answer tells a sweep: how long it leaves the exchange alone, and whether a cancel did its work.
import { describe, expect, test } from '@jest/globals';
import type { AnswerFacts, CancelOutcome } from '../../../../src/venue/outcomes.ts';
import { nextStep } from '../../../../src/watchdog/sweep.ts';
import { recordSweepAnswer } from '../../../../src/watchdog/sweep-answers.ts';
import { beginSlowed, intervalOf, type SweepSettings } from '../../../../src/watchdog/sweep-state.ts';
import { refused } from '../../refused.ts';
import { ACKNOWLEDGED, cancel, ID, list, lost, STAMP, sweepOf, target, WALL, whole } from './sweep-kit.ts';

describe('how long the exchange is left alone', () => {
  const pause = (outcome: CancelOutcome, facts: Partial<AnswerFacts>, settings: Partial<SweepSettings> = {}) => {
    const sweep = sweepOf(settings);
    cancel(sweep, outcome, { now: 1_000, facts });
    return { ms: sweep.paceAt - 1_000, trouble: sweep.trouble, lists: whole(sweep)?.notBefore };
  };
  const throttled: CancelOutcome = { kind: 'throttled', status: 429, retryAt: 0 };

  test('429: for what it says, and at least a second', () => {
    const trouble = 'The exchange wants fewer requests (429).';
    expect(pause(throttled, { status: 429, rateLimit: { retryAfter: 7_000 } })).toMatchObject({ ms: 7_000, trouble });
    expect(pause(throttled, { status: 429 })).toMatchObject({ ms: 1_000, trouble });
    expect(pause(throttled, { status: 429, rateLimit: { retryAfter: 3_600_000 } })).toMatchObject({ ms: 60_000 });
  });

  test('429: twice as long each time in a row, half a minute at most', () => {
    const sweep = sweepOf();
    const pauses: number[] = [];
    for (let now = 0; pauses.length < 7; now = sweep.paceAt) {
      cancel(sweep, throttled, { now, facts: { status: 429 } });
      pauses.push(sweep.paceAt - now);
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    const now = sweep.paceAt;
    cancel(sweep, ACKNOWLEDGED, { now });
    cancel(sweep, throttled, { now, facts: { status: 429 } });
    expect(sweep.paceAt - now).toBe(1_000);
  });

  test.each([
    ['no answer', lost(), undefined],
    ['a failure of the exchange', lost(undefined, 500), 500],
    ['maintenance', lost(-1125, 503), 503],
  ])('429: a failure of another kind in between begins no new row: %s', (_, outcome, status) => {
    const sweep = sweepOf();
    for (const each of [throttled, throttled, outcome])
      cancel(sweep, each, { now: 1_000, facts: { status: each === throttled ? 429 : (status as never) } });
    const now = sweep.paceAt;
    cancel(sweep, throttled, { now, facts: { status: 429 } });
    expect(sweep.paceAt - now).toBe(4_000);
  });

  test.each<[string, CancelOutcome, Partial<AnswerFacts>, number]>([
    ['429', throttled, { status: 429, rateLimit: { retryAfter: 30_000 } }, 30_000],
    ['maintenance', lost(-1125, 503), { status: 503, rateLimit: { retryAfter: 45_000 } }, 45_000],
    ['a used-up budget', ACKNOWLEDGED, { rateLimit: { remaining: 0, resetAt: WALL + 26_000 } }, 25_900],
  ])('from when the answer arrived, though it is handled 20 s later: %s', (_, outcome, facts, restMs) => {
    const sweep = sweepOf();
    cancel(sweep, outcome, { now: 21_000, leftAt: 900, facts: { receivedAt: WALL + 100, ...facts } });
    expect(sweep.paceAt).toBe(1_000 + restMs);
  });

  test('a list that left before a cancel was taken counts from when that answer arrived, too', () => {
    const sweep = sweepOf();
    cancel(sweep, ACKNOWLEDGED, { now: 21_000, leftAt: 900, facts: { receivedAt: WALL + 100 } });
    expect(target(sweep).acknowledgedAt).toBe(1_000);
    cancel(sweep, lost(), {
      now: 41_000,
      leftAt: 21_900,
      facts: { receivedAt: WALL + 100, status: undefined as never },
    });
    expect(target(sweep).notBefore).toBe(22_000 + 1_000);
  });

  test('429: slower where it comes a third time, and back as requests are taken', () => {
    const sweep = sweepOf();
    for (const now of [1_000, 3_000, 5_000]) {
      expect(intervalOf(sweep)).toBe(250);
      cancel(sweep, throttled, { now, facts: { status: 429 } });
      cancel(sweep, ACKNOWLEDGED, { now: now + 1_500, leftAt: now + 1_000 });
    }
    expect(intervalOf(sweep)).toBeCloseTo(250 / 0.48);
    cancel(sweep, ACKNOWLEDGED, { now: 67_000, leftAt: 66_500 });
    expect(intervalOf(sweep)).toBeLessThan(250 / 0.7);
  });

  test.each([
    ['one that could not be done', lost(-5014, 500), 500, true],
    ['one that nobody answered', lost(), undefined, false],
    ['a failure of the exchange', lost(undefined, 500), 500, false],
    ['an exchange that is not available', lost(undefined, 503), 503, false],
  ])('a slow pace that another one had learned is left by what was looked at: %s', (_, outcome, status, isLeft) => {
    const sweep = sweepOf();
    beginSlowed(sweep, 4_000);
    expect(intervalOf(sweep)).toBe(4_000);
    const facts = { sentAt: WALL, receivedAt: WALL, ...(status !== undefined && { status }) };
    sweep.inFlight.set(`cancel ${ID}`, 5_000);
    const request = { orderId: ID, stamp: STAMP } as const;
    const completed = { kind: 'cancel', request: { kind: 'cancel', ...request }, outcome, facts } as const;
    recordSweepAnswer(sweep, { completed, leftAt: 5_000 }, 6_000);
    expect(intervalOf(sweep) < 500).toBe(isLeft);
  });

  test('a budget that is used up: until it is filled again', () => {
    const resetAt = WALL + 3_000;
    expect(pause(ACKNOWLEDGED, { rateLimit: { remaining: 0, resetAt } })).toMatchObject({ ms: 3_000, trouble: null });
    expect(pause(ACKNOWLEDGED, { rateLimit: { remaining: 1, resetAt } }).ms).toBe(-1_000);
    expect(pause(ACKNOWLEDGED, { rateLimit: { remaining: 0 } }).ms).toBe(-1_000);
  });

  test.each([503, 504])('%d: a cancel every five seconds; only lists wait for what a gateway names', (status) => {
    const facts = { status, rateLimit: { retryAfter: 300_000 } };
    const trouble = `The exchange is not available (${status}).`;
    expect(pause(lost(undefined, status), facts)).toEqual({ ms: 5_000, trouble, lists: 61_000 });
    expect(pause(lost(undefined, status), { status }, { gentleMs: 2_000 })).toEqual({
      ms: 2_000,
      trouble,
      lists: 1_000,
    });
  });

  test('a key that is refused: at the gentle pace', () => {
    const trouble = 'The exchange refuses the key or the request: -2015.';
    expect(pause(refused(-2015, { status: 401 }), { status: 401 })).toMatchObject({
      ms: 10_000,
      trouble,
    });
  });

  test('a refusal of one order, and a silence, hold back nothing else; a silence is said', () => {
    expect(pause(refused(-1102), { status: 400 })).toMatchObject({
      ms: -1_000,
      trouble: null,
    });
    expect(pause(lost(), {})).toMatchObject({ ms: -1_000, trouble: 'Nothing came back.' });
  });

  test('what was in the way is over with an answer, and not with a refusal', () => {
    const sweep = sweepOf();
    cancel(sweep, lost(), { now: 0 });
    cancel(sweep, refused(-1102), { now: 1 });
    expect(sweep.trouble).toBe('Nothing came back.');
    list(sweep, [], 2);
    expect(sweep.trouble).toBeNull();
    cancel(sweep, lost(), { now: 3 });
    cancel(sweep, ACKNOWLEDGED, { now: 4 });
    expect(sweep.trouble).toBeNull();
  });
});

describe('a cancel', () => {
  test('that is acknowledged has done its work', () => {
    const sweep = sweepOf();
    target(sweep).attempts = 4;
    cancel(sweep, ACKNOWLEDGED, { now: 700 });
    expect(target(sweep)).toEqual({
      ...{ passes: 1, attempts: 0, notBefore: 0, acknowledgedAt: 700, isDoubtful: false },
    });
    expect(sweep.canceled).toBe(1);
  });

  test('that was not asked for tells nothing', () => {
    const sweep = sweepOf();
    const request = { kind: 'cancel', orderId: ID, stamp: STAMP } as const;
    const facts = { sentAt: WALL, receivedAt: WALL, status: 429 };
    recordSweepAnswer(sweep, { completed: { kind: 'cancel', request, outcome: ACKNOWLEDGED, facts }, leftAt: 0 }, 10);
    expect(target(sweep).passes).toBe(0);
    expect(sweep.paceAt).toBe(0);
  });

  test('that left before the horizon of the last create counts for the first pass, whenever it is answered', () => {
    const sweep = sweepOf({}, { secondFrom: 9_000 });
    const send = (now: number): void => {
      const next = nextStep(sweep, now);
      expect(next).toMatchObject({ kind: 'send', request: { kind: 'cancel' }, leftAt: now });
    };
    send(0);
    send(5_000);
    cancel(sweep, ACKNOWLEDGED, { now: 5_100, leftAt: 5_000 });
    send(9_000);
    // The first one is answered now, that of the second pass not yet.
    cancel(sweep, ACKNOWLEDGED, { now: 9_500, leftAt: 0 });
    expect(target(sweep).passes).toBe(1);
    expect(sweep.inFlight.get(`cancel ${ID}`)).toBe(9_000);
    cancel(sweep, ACKNOWLEDGED, { now: 9_600, leftAt: 9_000 });
    expect(target(sweep).passes).toBe(2);
    // A late one takes nothing back.
    cancel(sweep, lost(), { now: 9_700, leftAt: 5_000 });
    expect(target(sweep).passes).toBe(2);
  });

  test('that is refused as a request is not asked again: lists decide, and nothing counts as canceled', () => {
    const sweep = sweepOf();
    cancel(sweep, refused(-1102), { now: 100 });
    expect({ passes: target(sweep).passes, canceled: sweep.canceled }).toEqual({ passes: 1, canceled: 0 });
  });

  test('that is refused for the key has not', () => {
    const sweep = sweepOf();
    cancel(sweep, refused(-2015, { status: 401 }), { now: 100 });
    expect(target(sweep)).toMatchObject({ passes: 0, attempts: 1, notBefore: 1_100 });
  });

  test('that says nothing is tried again after 1, 2 and 4 s, and every five', () => {
    const sweep = sweepOf();
    const waits = [1, 2, 3, 4, 5].map(() => {
      cancel(sweep, lost(), { now: 0 });
      return target(sweep).notBefore;
    });
    expect(waits).toEqual([1_000, 2_000, 4_000, 5_000, 5_000]);
  });

  test('that was put off waits for the lane only', () => {
    const sweep = sweepOf();
    cancel(sweep, { kind: 'throttled', status: 429, retryAt: 0 }, { now: 500 });
    expect(target(sweep)).toMatchObject({ passes: 0, attempts: 1, notBefore: 0 });
  });

  test('that failed three times leaves it to the lists, in doubt', () => {
    const sweep = sweepOf();
    for (const now of [1, 2]) cancel(sweep, lost(-5014), { now });
    expect(target(sweep).passes).toBe(0);
    cancel(sweep, lost(-5014), { now: 3 });
    expect(target(sweep)).toMatchObject({ passes: 1, attempts: 0, isDoubtful: true });
    for (const now of [4, 5, 6, 7]) cancel(sweep, lost(), { now });
    expect(target(sweep).attempts).toBe(4);
  });
});
