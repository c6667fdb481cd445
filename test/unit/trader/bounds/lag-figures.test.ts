import { describe, expect, test } from '@jest/globals';
import { MINUTE } from '../../../../src/domain/time.ts';
import { differenceWords } from '../../../../src/trader/durable/differences.ts';
import { lagFigures } from '../../../../src/trader/lags/lags.ts';
import {
  addSample,
  keepNewest,
  LAG_KINDS,
  type LagSample,
  SAMPLES_KEPT,
  startLags,
} from '../../../../src/trader/state/lags.ts';

const none = Object.fromEntries(LAG_KINDS.map((kind) => [kind, []])) as unknown as Parameters<
  typeof lagFigures
>[0]['samples'];
const [KIND] = LAG_KINDS;

test('figures of measured lags are by nearest rank, each bound by itself, and say of when they are', () => {
  // Not in order: the longest came first.
  const samples = Array.from({ length: 200 }, (_, n) => ({ at: 1_000 + n, atLeastMs: 199 - n, atMostMs: 10 * n + 5 }));
  const [figures] = lagFigures({ samples: { ...none, [KIND]: samples as LagSample[] } });
  expect(figures).toEqual({
    ...{ kind: KIND, samples: 200, oldestAt: 1_000, newestAt: 1_199 },
    atLeastMs: { p50: 99, p90: 179, p99: 197, max: 199 },
    atMostMs: { p50: 995, p90: 1_795, p99: 1_975, max: 1_995 },
  });
});

test('one event is each of its ranks, and without any there are no figures', () => {
  const one = lagFigures({ samples: { ...none, [KIND]: [{ at: 7, atLeastMs: 3, atMostMs: 4 }] as LagSample[] } });
  expect(one[0]).toMatchObject({ samples: 1, oldestAt: 7, newestAt: 7, atLeastMs: { p50: 3, p90: 3, p99: 3, max: 3 } });
  expect(one).toHaveLength(LAG_KINDS.length);
  expect(one[1]).toEqual({
    ...{ kind: LAG_KINDS[1], samples: 0, oldestAt: null, newestAt: null, atLeastMs: null, atMostMs: null },
  });
});

test('a difference is told with both sides of it', () => {
  expect(differenceWords({ asset: 'BTC', expected: '1.5', actual: '1.4' })).toBe(
    'The wallet holds 1.4 BTC and the ledger expects 1.5: -0.1.',
  );
});

describe('what an event proves is kept', () => {
  const sample = (atLeastMs: number, atMostMs: number): LagSample => ({ at: 1_000, atLeastMs, atMostMs });
  const kept = (each: LagSample) => {
    const lags = startLags();
    addSample(lags, KIND, each);
    return lags.samples[KIND];
  };

  test.each<[string, LagSample, LagSample | null]>([
    ['in whole milliseconds, the bounds apart', sample(100.9, 200.1), sample(100, 201)],
    ['where both bounds are one', sample(100, 100), sample(100, 100)],
    ['not where it is no interval', sample(101, 100), null],
    ['where the first look was right, up to five minutes later', sample(0, 5 * MINUTE), sample(0, 5 * MINUTE)],
    ['not where nobody looked for longer', sample(0, 5 * MINUTE + 1), null],
    ['where a look was wrong before, however long it took', sample(1, 9 * MINUTE), sample(1, 9 * MINUTE)],
  ])('%s', (_, each, expected) => {
    expect(kept(each)).toEqual(expected === null ? [] : [expected]);
  });

  test('the last of them, as many as are kept', () => {
    const lags = startLags();
    for (let n = 0; n <= SAMPLES_KEPT; n += 1) addSample(lags, KIND, { at: n, atLeastMs: n, atMostMs: n });
    expect([lags.samples[KIND].length, lags.samples[KIND][0]?.at]).toEqual([SAMPLES_KEPT, 1]);
  });

  test('the newest of a map, too', () => {
    const map = new Map([1, 2, 3, 4].map((key) => [key, key]));
    keepNewest(map, 4);
    expect(map.size).toBe(4);
    keepNewest(map, 2);
    expect([...map.keys()]).toEqual([3, 4]);
  });
});
