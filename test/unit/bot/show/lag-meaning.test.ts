// What `check`, `plan` and the start say of the lists' lags: assumed, measured, and what the assumption costs.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { meaningOfLags } from '../../../../src/bot/status/lag-meaning.ts';
import { addSample, LAG_KINDS, type LagKind, type MeasuredLags, startLags } from '../../../../src/trader/state/lags.ts';
import { enterProject, LIVE, leaveProject, load } from '../settings-project.ts';

const NOW = 1_700_000_000_000;

beforeEach(() => void enterProject());
afterEach(leaveProject);

function measured(
  each: Partial<Record<LagKind, readonly [atLeastMs: number, atMostMs: number]>>,
  times = 1,
): MeasuredLags {
  const lags = startLags();
  for (const kind of LAG_KINDS) {
    const [atLeastMs, atMostMs] = each[kind] ?? [];
    if (atLeastMs === undefined || atMostMs === undefined) continue;
    for (let time = 0; time < times; time += 1) addSample(lags, kind, { at: NOW - 5_000, atLeastMs, atMostMs });
  }
  return lags;
}

const ALL = { listed: [100, 1_900], gone: [0, 2_100], trades: [800, 1_200], wallet: [0, 700] } as const;

async function said(lags: MeasuredLags | null): Promise<readonly string[]> {
  return meaningOfLags(await load(LIVE), lags, NOW).sentences;
}

test('before the first run: what is assumed, what that costs, and how to measure it', async () => {
  expect(await said(null)).toEqual([
    'Lists are assumed to trail by 120 s at most (assumptions.readLagBoundMs); nothing was measured yet.',
    'A canceled order counts in funds and limits for 120 s and a round of reads (150 s), a create without an answer ' +
      'for 134 s or longer. Moves with room in 150 s: at most 4 in BTC/INR, fewer where amounts ' +
      'are the limit, which `plan` shows; beyond that a level waits.',
    'The bot measures this from its own orders; check `status` again after a day.',
  ]);
});

test('with what was measured: the figures, how many, how old, and what would be cautious', async () => {
  const [found, , advice] = await said(measured(ALL, 100));
  expect(found).toMatch(/at most \(assumptions\.readLagBoundMs\); measured: at most 2\.1 s, at least 0\.8 s, /);
  expect(found).toMatch(/, over 400 own events, the last 5 s ago\.$/);
  expect(advice).toBe(
    'Three times what was measured is 6.3 s: whether to lower it is yours to choose (docs/operations.md, ' +
      '"How far lists trail").',
  );
});

describe('and where that is not enough', () => {
  test('few events are said to be few, and what is missing is named', async () => {
    const [found, , advice] = await said(measured({ listed: [0, 900], gone: [0, 400] }));
    expect(found).toMatch(/Not measured yet: fills in own trades, fills in the wallet\.$/);
    expect(advice).toMatch(/^Three times .* There are few events yet, and no bad hour may be among them\.$/);
  });

  test('a slow lane proves little: then nothing is to be lowered', async () => {
    const [, , advice] = await said(measured({ ...ALL, wallet: [0, 41_000] }));
    expect(advice).toBe('That is no more than three times what was measured: leave it.');
  });

  test('what breaks the assumption is said first of all', async () => {
    const [, , advice] = await said(measured({ ...ALL, gone: [130_000, 140_000] }));
    expect(advice).toBe('The assumption is broken: raise assumptions.readLagBoundMs to 390 s or more.');
  });
});
