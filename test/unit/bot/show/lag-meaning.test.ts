// `check`, `plan` and `status` about the lists' lags: assumed, measured, and the cost of the assumption.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { lagLines, lagMeaning } from '../../../../src/bot/status/lag-meaning.ts';
import { lagFigures } from '../../../../src/trader/lags/lags.ts';
import { addSample, LAG_KINDS, type LagKind, startLags } from '../../../../src/trader/state/lags.ts';
import { enterProject, LIVE, leaveProject, load } from '../settings-project.ts';

const NOW = 1_700_000_000_000;

beforeEach(() => void enterProject());
afterEach(leaveProject);

test('before a run: the assumption and its cost', async () => {
  expect(lagMeaning(await load(LIVE)).sentences).toEqual([
    'Lists are assumed to trail by 120 s at most (assumptions.readLagBoundMs).',
    'A canceled order counts in funds and limits for 120 s and a round of reads (150 s), a create without an answer ' +
      'for 134 s or longer. Moves with room in 150 s: at most 4 in BTC/INR, fewer where amounts ' +
      'are the limit, which `plan` shows; beyond that a level waits.',
  ]);
});

type Measured = Partial<Record<LagKind, readonly [atLeastMs: number, atMostMs: number]>>;

function lines(each: Measured, times = 1): string[] {
  const lags = startLags();
  for (const kind of LAG_KINDS) {
    const [atLeastMs, atMostMs] = each[kind] ?? [];
    if (atLeastMs === undefined || atMostMs === undefined) continue;
    for (let time = 0; time < times; time += 1) addSample(lags, kind, { at: NOW - 5_000, atLeastMs, atMostMs });
  }
  return lagLines({ assumedMs: 120_000, kinds: lagFigures(lags) }, NOW);
}

const ALL = { listed: [100, 1_900], gone: [0, 2_100], trades: [800, 1_200] } as const;
const LOWER =
  'Three times what was measured is 6.3 s: whether to lower it is yours to choose (docs/operations.md, ' +
  '"How far lists trail").';

test('with measurements: the figures, how many and how old', () => {
  expect(lines({ listed: ALL.listed, gone: ALL.gone })).toEqual([
    'Lists are assumed to trail by 120 s at most (assumptions.readLagBoundMs); proved since the start:',
    '  new orders listed    at most 1.9 s (half 1.9 s, 99 % 1.9 s), at least 0.1 s; of 1, the last 5 s ago',
    '  ended orders gone    at most 2.1 s (half 2.1 s, 99 % 2.1 s), at least 0 s; of 1, the last 5 s ago',
    '  fills in own trades  nothing yet',
    `${LOWER} There are few events yet, and no bad hour may be among them.`,
  ]);
});

test.each<[string, Measured, string]>([
  ['nothing was measured', {}, 'The bot measures this from its own orders; look again after a day.'],
  ['much was measured', ALL, LOWER],
  [
    'a slow lane proves little',
    { ...ALL, trades: [0, 41_000] },
    'That is no more than three times what was measured: leave it.',
  ],
  [
    'the assumption is broken',
    { ...ALL, gone: [130_000, 140_000] },
    'The assumption is broken: raise assumptions.readLagBoundMs to 390 s or more.',
  ],
])('what to do where %s', (_what, each, advice) => {
  expect(lines(each, 150).at(-1)).toBe(advice);
});
