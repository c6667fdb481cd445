// What refusals for the rate teach, episode by episode.
import { describe, expect, test } from '@jest/globals';
import { type LearnedRate, refused, relieved, startRate, taken } from '../../../../src/client/pace/learned-rate.ts';

const SECOND = 1_000;
const MINUTE = 60_000;

/** Good answers, ten a second, to requests that left just before. */
function good(rate: LearnedRate, from: number, to: number): LearnedRate {
  let after = rate;
  for (let now = from; now < to; now += 100) after = taken(after, { leftAt: now, now });
  return after;
}

/** Cycles one after the other, from a minute on: for how long all is taken, then for how long all is refused. */
function lived(cycles: readonly (readonly [takenMs: number, lostMs: number])[], before = startRate(0), from = MINUTE) {
  return cycles.reduce(
    ({ rate, now }, [takenMs, lostMs]) => {
      const calm = good(rate, now, now + takenMs);
      const refusals = refused(refused(calm, now + takenMs), now + takenMs + lostMs / 2);
      const over = now + takenMs + lostMs;
      return { rate: taken(refusals, { leftAt: over, now: over }), now: over };
    },
    { rate: before, now: from },
  );
}

const share = (rate: LearnedRate): number => Math.round(rate.share * 1_000) / 1_000;

test('what is configured is believed, and never passed', () => {
  expect(good(startRate(0), 0, 20 * MINUTE).share).toBe(1);
});

describe('an episode', () => {
  test.each([
    ['one refusal', [[30_000, 1_000]]],
    ['many refusals', [[30_000, 20_000]]],
    [
      'the second one, however soon',
      [
        [30_000, 2_000],
        [1_000, 2_000],
      ],
    ],
  ] as const)('%s leaves the share', (_name, cycles) => {
    expect(lived(cycles).rate.share).toBe(1);
  });

  test('an answer to what left before the last refusal does not end it', () => {
    const stormy = refused(startRate(0), 10_000);
    expect(taken(stormy, { leftAt: 9_999, now: 10_100 })).toBe(stormy);
  });
});

describe('two cycles lower the share to the part of the time in which requests were taken', () => {
  const first = [30_000, 2_000] as const;
  test.each<[string, number, number, number]>([
    ['a tenth was refused', 9_000, 1_000, 0.9],
    ['a third', 4_000, 2_000, 0.667],
    ['more than half: to a little less than half', 1_000, 3_000, 0.48],
  ])('%s', (_name, takenMs, lostMs, expected) => {
    expect(share(lived([first, [takenMs, lostMs], [takenMs, lostMs]]).rate)).toBe(expected);
  });

  test('what headers held the lane for was not taken', () => {
    const held = (rate: LearnedRate, at: number) => taken(rate, { leftAt: at, now: at, heldMs: 1_500 });
    let { rate, now } = lived([first]);
    for (let n = 0; n < 2; n += 1) {
      rate = held(rate, now + 100);
      ({ rate, now } = lived([[4_000, 1_000]], rate, now + 200));
    }
    expect(share(rate)).toBeCloseTo(2.7 / 5.2);
  });

  test('cycles of hours between single refusals lower nothing', () => {
    expect(lived(Array.from({ length: 20 }, () => [60 * MINUTE, 1_500] as const)).rate.share).toBeGreaterThan(0.99);
  });
});

describe('a lower share', () => {
  const lowered = lived([
    [30_000, 3_000],
    [27_000, 3_000],
    [27_000, 3_000],
  ]);

  test('that yields less than the higher one is given up: refusals do not depend on the pace', () => {
    expect(share(lowered.rate)).toBe(0.9);
    const after = lived(
      [
        [27_000, 3_000],
        [27_000, 3_000],
      ],
      lowered.rate,
      lowered.now,
    );
    expect(after.rate.share).toBe(1);
    expect(lived(Array(8).fill([27_000, 3_000]), after.rate, after.now).rate.share).toBe(1);
  });

  test('is kept, and lowered further, where it yields as much', () => {
    const after = lived(
      [
        [27_000, 1_000],
        [27_000, 1_000],
      ],
      lowered.rate,
      lowered.now,
    );
    expect(share(after.rate)).toBe(0.868);
  });

  test('in storms is looked for again where less is taken than before: something else changed', () => {
    const stormy = lived(
      [
        [27_000, 3_000],
        [27_000, 3_000],
      ],
      lowered.rate,
      lowered.now,
    );
    const halved = lived(
      [
        [1_000, 1_200],
        [1_000, 1_200],
        [1_000, 1_200],
      ],
      stormy.rate,
      stormy.now,
    );
    expect(halved.rate.share).toBe(0.48);
  });

  test('never is less than a sixteenth, and more is tried from there', () => {
    let { rate, now } = lived([[30_000, 2_000]]);
    const shares: number[] = [];
    for (let n = 0; n < 40; n += 1) {
      // Three hundredths of what is configured are allowed: in each ten seconds, the first of them.
      const over = now + 10_000;
      for (let left = 300; left > 0; left -= 100 * rate.share) {
        rate = taken(rate, { leftAt: now, now });
        shares.push(rate.share);
        now += 100;
      }
      rate = taken(refused(refused(rate, now), over - 1_000), { leftAt: over, now: over });
      now = over;
    }
    expect(Math.min(...shares)).toBe(1 / 16);
    expect(shares.filter((each) => each === 1 / 16).length).toBeGreaterThan(shares.length / 2);
    expect(good(rate, now, now + 11 * MINUTE).share).toBe(1);
  });
});

describe('more is tried', () => {
  const half = lived([
    [30_000, 2_000],
    [1_000, 2_000],
    [1_000, 2_000],
  ]);

  test('after a minute, half of the way; what holds for a minute and a half is followed by the whole', () => {
    const at = (ms: number) => share(good(half.rate, half.now, half.now + ms));
    expect([59, 61, 149, 152].map((seconds) => at(seconds * SECOND))).toEqual([0.48, 0.74, 0.74, 1]);
  });

  test('and given up at the first refusal; the next goes half as far, after two, four, then each eight minutes', () => {
    let rate = half.rate;
    const tries: [number, number][] = [];
    for (let now = half.now; now < half.now + 30 * MINUTE; now += 100) {
      rate = taken(rate, { leftAt: now, now });
      if (rate.firm === null) continue;
      tries.push([Math.round((now - half.now) / MINUTE), share(rate)]);
      rate = taken(refused(rate, now), { leftAt: now, now });
      expect(share(rate)).toBe(0.48);
    }
    expect(tries).toEqual([
      [1, 0.74],
      [3, 0.61],
      [7, 0.74],
      [15, 0.61],
      [23, 0.74],
    ]);
  });

  test('at once where the exchange says that it allows more', () => {
    const now = half.now + SECOND;
    expect(good(relieved(half.rate, now), now, now + SECOND).share).toBe(1);
  });

  test('after a minute again once the whole rate held', () => {
    const whole = good(half.rate, half.now, half.now + 10 * MINUTE);
    expect(whole).toMatchObject({ share: 1, firm: null, tryAfterMs: half.rate.tryAfterMs });
  });
});
