import { expect, test } from '@jest/globals';
import { differenceWords } from '../../../../src/trader/difference-words.ts';
import { lagFigures } from '../../../../src/trader/lags/figures.ts';
import { LAG_KINDS, type LagSample } from '../../../../src/trader/lags/lags.ts';

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
