// A bot of which something is changed some minutes after its start shows it, or quotes by it: B2 and K11 notice.
import { describe, expect, test } from '@jest/globals';
import type { InvariantId } from '../../../../simulation/checks/invariants.ts';
import { START_AT } from '../../../../simulation/machine/run.ts';
import { simulate } from '../../../../simulation/machine/simulate.ts';
import { drawPlan } from '../../../../simulation/plan/plan.ts';
import { decimal } from '../../../../src/domain/decimal.ts';
import { MINUTE } from '../../../../src/domain/time.ts';
import type { TraderState } from '../../../../src/trader/state/state.ts';

const PLAN = { ...drawPlan('7', { hours: 0.25, faults: [] }), learned: false };
const OTHERS: readonly InvariantId[] = ['B1', 'M1', 'M5', 'L7', 'L8', 'R4'];

/** Bases of decisions that were changed: each once. */
const corrupted = new WeakSet<object>();

const CORRUPTIONS: readonly (readonly [string, InvariantId, (state: TraderState) => void])[] = [
  [
    'the buys',
    'B2',
    ({ durable }) => {
      for (const { tally } of durable.markets.values()) tally.buys += 1;
    },
  ],
  [
    'the tax withheld',
    'B2',
    ({ durable }) => {
      for (const market of durable.markets.values())
        market.pnl = { ...market.pnl, tax: (market.pnl.tax + 10n ** 36n) as never };
    },
  ],
  ['how often', 'B2', ({ markets }) => void markets.get('BTC/INR')?.haltCounts.set('unexplained', 1)],
  ['the requests of wallet', 'B2', ({ requests }) => void requests.counts.set('wallet read', 900)],
  ['the kill latch', 'B2', (state) => void Object.assign(state.holds, { latched: 'Set by nobody.' })],
  [
    'The bot measures',
    'B2',
    ({ lags }) => {
      lags.samples.trades.push({ at: START_AT + 13 * MINUTE, atLeastMs: 50_000, atMostMs: 60_000 });
      lags.version += 1;
    },
  ],
  [
    'is the reference price of',
    'K11',
    ({ markets }) => {
      for (const { inputs } of markets.values())
        if (inputs?.referencePrice != null && !corrupted.has(inputs)) {
          Object.assign(inputs, { referencePrice: decimal(inputs.referencePrice.mul('1.001').toFixed()) });
          corrupted.add(inputs);
        }
    },
  ],
];

describe('a bot that is wrong about', () => {
  test.each(CORRUPTIONS)('%s: %s', async (words, invariant, corrupt) => {
    let isCorrupted = false;
    const { violations } = await simulate(PLAN, {
      stopAtFirst: true,
      unasked: OTHERS,
      watch(context) {
        const trader = context.trader();
        // What is worked out anew is changed anew.
        if (trader === null || (isCorrupted && invariant === 'B2') || context.now() < START_AT + 9.8 * MINUTE) return;
        corrupt(trader);
        isCorrupted = true;
      },
    });
    const [first] = violations;
    expect(first?.sentence).toContain(words);
    expect(first?.invariant).toBe(invariant);
  });
});

test('a bot that is left alone is right, and is asked', async () => {
  const { violations, counters } = await simulate(PLAN);
  expect(violations).toEqual([]);
  for (const counted of ['quotes worked out anew', 'asked of the gate', 'lags compared'])
    expect(counters.get(counted)).toBeGreaterThan(50);
});
