import { describe, expect, test } from '@jest/globals';
import { HOUR } from '../../../../src/domain/time.ts';
import { brokenSentence, noteAtLeast } from '../../../../src/trader/lags/lags.ts';
import type { LagKind } from '../../../../src/trader/state/lags.ts';
import { beginTurn, type Notice } from '../../../../src/trader/state/turn.ts';
import { readyDesk } from '../trader-kit.ts';

test.each<[LagKind, string]>([
  ['listed', 'Open orders lacked an order that rested 7.3 s later'],
  ['gone', 'Open orders showed an order whose cancel was acknowledged, or that was filled, 7.3 s later'],
  ['trades', 'Own trades lacked a fill 7.3 s later'],
  ['wallet', 'The wallet lacked a fill 7.3 s later'],
])('what is wrong with %s is said with both times', (kind, words) => {
  expect(brokenSentence({ kind, at: 0, atLeastMs: 7_300 }, 5_000)).toBe(
    `${words}, and 5.0 s at most are assumed (assumptions.readLagBoundMs): what was proved by that may be wrong.`,
  );
});

describe('a list that trailed by more than the five seconds that are assumed', () => {
  /** The moments, in ms, and how far it trailed then; what was said, and what is kept. */
  function noted(...seen: readonly (readonly [at: number, atLeastMs: number])[]) {
    const state = readyDesk().state();
    const said: [number, Notice['level'], string][] = [];
    for (const [now, atLeastMs] of seen) {
      const turn = beginTurn(state, now);
      noteAtLeast(turn, 'trades', atLeastMs);
      for (const { level, op } of turn.notices) said.push([now, level, op]);
    }
    return { said: said.map(([at]) => at), words: said, kept: state.lags.broken };
  }

  test('is one for a person, and is kept', () => {
    const { words, kept } = noted([1_000, 5_001]);
    expect(words).toEqual([[1_000, 'page', 'lag-bound-broken']]);
    expect(kept).toEqual({ kind: 'trades', at: 1_000, atLeastMs: 5_001 });
  });

  test('is none up to those five', () => {
    expect(noted([1_000, 5_000])).toMatchObject({ said: [], kept: null });
  });

  test('is not said again within the hour, unless it is worse by half', () => {
    expect(noted([0, 6_000], [HOUR, 6_000], [HOUR + 1, 6_000]).said).toEqual([0, HOUR + 1]);
    expect(noted([0, 6_000], [1, 9_000], [2, 9_001], [3, 9_001]).said).toEqual([0, 2]);
    expect(noted([0, 6_000], [1, 9_000]).kept).toMatchObject({ at: 0, atLeastMs: 6_000 });
  });
});
