// What a refusal for the rate teaches, and how it is unlearned.
import { describe, expect, test } from '@jest/globals';
import { type LearnedRate, refused, relieved, startRate, taken } from '../../../../src/client/pace/learned-rate.ts';

const SECOND = 1_000;
const MINUTE = 60_000;

/** Good answers, ten a second, to requests that left just before. */
function good(rate: LearnedRate, from: number, to: number): LearnedRate {
  let after = rate;
  for (let now = from; now < to; now += 100) after = taken(after, now, now);
  return after;
}

test('what is configured is believed, and never passed', () => {
  expect(good(startRate(0), 0, 20 * MINUTE).share).toBe(1);
});

describe('a refusal that an answer follows', () => {
  const cut = good(refused(startRate(0), 10 * MINUTE), 10 * MINUTE + SECOND, 10 * MINUTE + 59 * SECOND);

  test('leaves a little less than half, for a minute', () => {
    expect(cut.share).toBe(0.48);
  });

  test('then goes half of the way each time, and to the whole', () => {
    const shares = [62, 67, 72, 77, 82, 90].map(
      (second) => good(cut, 11 * MINUTE, 10 * MINUTE + second * SECOND).share,
    );
    expect(shares.map((share) => share.toFixed(2))).toEqual(['0.74', '0.87', '0.94', '1.00', '1.00', '1.00']);
  });

  test('or back to what was proven, where that is refused as well, and is tried later and later', () => {
    let rate = cut;
    const probes: number[] = [];
    for (let now = 11 * MINUTE; now < 60 * MINUTE; now += 100) {
      const isProbe = rate.share > rate.proven && rate.refusals === 0;
      if (isProbe) probes.push(Math.round(now / MINUTE));
      rate = isProbe ? refused(rate, now) : taken(rate, now, now);
      expect(rate.share).toBeGreaterThanOrEqual(0.48);
    }
    expect(probes.slice(0, 4)).toEqual([11, 15, 23, 31]);
  });

  test('is forgotten when the exchange says that it allows more', () => {
    const now = 10 * MINUTE + 59 * SECOND;
    expect(good(relieved(cut, now), now, now + 25 * SECOND).share).toBe(1);
  });
});

describe('refusals that follow each other', () => {
  const storm = [0, 1, 3, 6].reduce((rate, second) => refused(rate, 10 * MINUTE + second * SECOND), startRate(0));

  test('cost the share once', () => {
    expect(storm.share).toBe(0.48);
  });

  test('say nothing of the rate that was proven: it is back after a few answers', () => {
    const from = 10 * MINUTE + 9 * SECOND;
    expect(good(storm, from, from + 4 * SECOND).share).toBe(1);
    let slow = taken(storm, from, from);
    for (let n = 1; n <= 3; n += 1) slow = taken(slow, from + n * 5 * SECOND, from + n * 5 * SECOND);
    expect(slow.share).toBe(1);
  });

  test('that return within a minute and a half are a limit: a minute at half; on the way up one try fails', () => {
    const again = (at: number): LearnedRate => {
      const back = good(storm, 10 * MINUTE + 9 * SECOND, at);
      return good(refused(refused(back, at), at + 2 * SECOND), at + 5 * SECOND, at + 30 * SECOND);
    };
    expect(again(11 * MINUTE)).toMatchObject({ share: 0.48, proven: 0.48, failed: 1 });
    expect(again(12 * MINUTE)).toMatchObject({ share: 1, proven: 1, failed: null });
    const trying = good(again(11 * MINUTE), 11 * MINUTE + 30 * SECOND, 12 * MINUTE + 8 * SECOND);
    expect(trying.share).toBeCloseTo(0.74);
    const at = 12 * MINUTE + 9 * SECOND;
    const failed = good(refused(refused(trying, at), at + 2 * SECOND), at + 5 * SECOND, at + 3 * MINUTE);
    expect(failed).toMatchObject({ share: 0.48, failed: trying.share, probeAfterMs: 4 * MINUTE });
  });

  test('an answer to what left before them says nothing', () => {
    const late = taken(storm, 10 * MINUTE + 5 * SECOND, 10 * MINUTE + 7 * SECOND);
    expect(late).toBe(storm);
  });
});

describe('a share that was proven in some seconds and is refused within a minute and a half', () => {
  const halved = good(refused(startRate(0), 10 * MINUTE), 10 * MINUTE + SECOND, 10 * MINUTE + 59 * SECOND);
  const climbed = good(halved, 11 * MINUTE, 12 * MINUTE);
  const fallen = good(refused(climbed, 12 * MINUTE), 12 * MINUTE + SECOND, 12 * MINUTE + 2 * SECOND);

  test('falls back to where the climb began, for four minutes', () => {
    expect(climbed).toMatchObject({ share: 1, proven: 1, proofMs: 5 * SECOND });
    expect(fallen).toMatchObject({ share: 0.48, proven: 0.48, failed: 1, probeAfterMs: 4 * MINUTE });
  });

  test('makes each proof four times as long, and the next climb begin with a quarter of the way', () => {
    const from = 12 * MINUTE + 2 * SECOND;
    const first = good(fallen, from, from + 4 * MINUTE);
    expect(first.share).toBeCloseTo(0.61);
    expect(good(first, from + 4 * MINUTE, from + 4 * MINUTE + 18 * SECOND).share).toBe(first.share);
    expect(good(first, from + 4 * MINUTE, from + 4 * MINUTE + 21 * SECOND).share).toBeCloseTo(0.805);
  });

  test('is forgotten when the whole pace held for a minute and a half', () => {
    const whole = good(fallen, 12 * MINUTE + 2 * SECOND, 25 * MINUTE);
    expect(whole).toMatchObject({ share: 1, failed: null, proofMs: 5 * SECOND, probeAfterMs: MINUTE });
  });
});

describe('what is refused every two to three minutes, whatever the pace', () => {
  const intervalMs = 1_000;
  /** What was taken of the whole pace in the last two hours of four, and the lowest share in them. */
  function lastHours(minutes: number, refusals: number) {
    let rate = startRate(0);
    let requests = 0;
    let lowest = 1;
    let next = minutes * MINUTE;
    for (let now = 0; now < 240 * MINUTE; now += intervalMs / rate.share) {
      if (now < next) {
        rate = taken(rate, now - 80, now);
        if (now > 120 * MINUTE) requests += 1;
      } else {
        next += minutes * MINUTE;
        for (let n = 0; n < refusals; n += 1, now += 1_500) rate = refused(rate, now);
      }
      if (now > 120 * MINUTE) lowest = Math.min(lowest, rate.share);
    }
    return { used: (requests * intervalMs) / (120 * MINUTE), lowest };
  }

  test.each([2, 2.25, 2.5, 2.75, 3])(
    'each %f minutes: once costs half at the most, some in a row next to nothing',
    (each) => {
      const once = lastHours(each, 1);
      expect(once.lowest).toBe(0.48);
      expect(once.used).toBeGreaterThan(0.68);
      for (const refusals of [2, 4]) expect(lastHours(each, refusals).used).toBeGreaterThan(0.92);
    },
  );

  test('and once the exchange allows less than a share that held: the second refusal lowers it', () => {
    const held = good(refused(startRate(0), 0), SECOND, 59 * SECOND);
    let rate = { ...held, probeAt: Number.POSITIVE_INFINITY };
    for (const at of [5 * MINUTE, 5 * MINUTE + 2 * SECOND]) {
      rate = good(refused(rate, at), at + SECOND, at + 2 * SECOND) as typeof rate;
    }
    expect(rate).toMatchObject({ proven: 0.48 * 0.48, failed: 0.48 });
  });
});

test('refused again and again, with answers between, ends at a sixteenth, and is forgiven in half a minute', () => {
  let rate = startRate(0);
  for (let n = 0; n < 8; n += 1) rate = taken(refused(rate, n * SECOND), n * SECOND + 500, n * SECOND + 500);
  expect(rate.share).toBe(1 / 16);
  expect(good(rate, 8 * SECOND, 48 * SECOND).share).toBe(1);
});
