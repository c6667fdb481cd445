// Whole bots whose limits are set so narrow that an ordinary market reaches them: they halt in time, and nothing else
// is wrong.
import { describe, expect, test } from '@jest/globals';
import { limitChecks } from '../../../simulation/checks/check-limits.ts';
import type { CheckContext } from '../../../simulation/checks/context.ts';
import { emptyJournalModel, fold, type Told } from '../../../simulation/checks/journal-model.ts';
import { simulate } from '../../../simulation/machine/simulate.ts';
import { drawPlan } from '../../../simulation/plan/plan.ts';
import { decimal } from '../../../src/domain/decimal.ts';
import { type Limits, type MessageRateLimits, messageRateSchema } from '../../../src/quoting/risk/risk-limits.ts';
import type { TraderSettings } from '../../../src/trader/state/settings.ts';
import { deskSettings } from '../trader/desk-settings.ts';

const LONG_MS = 300_000;

const narrowed =
  (limits: Partial<Limits>, rate: Partial<MessageRateLimits> = {}) =>
  (settings: TraderSettings): TraderSettings => ({
    ...settings,
    runs: settings.runs.map((run) => ({ ...run, limits: { ...run.limits, ...limits } })),
    messageRate: messageRateSchema.parse({ ...settings.messageRate, ...rate }),
  });

describe('a run reaches', () => {
  test.each<[string, string, Partial<Limits>, Partial<MessageRateLimits>]>([
    ['repeated-fills', '21', { maxOrderNotional: decimal(100_000), repeatedFills: 0.14 }, {}],
    ['message-rate', '21', {}, { maxPerSecond: 1, maxPerMinute: 1, haltAfterMinutes: 3 }],
    ['message-rate', '21', {}, { maxPerDay: 20 }],
    ['loss', '22', { maxSessionLoss: decimal(200) }, {}],
    ['loss', '22', { maxDayLoss: decimal(200) }, {}],
    ['loss', '21', { maxDrawdown: decimal(200) }, {}],
  ])(
    '%s (seed %s): it halts, also where it crashes and a person resumes it',
    async (code, seed, limits, rate) => {
      const plan = drawPlan(seed, { hours: 0.5, faults: ['F90'] });
      const { violations, counters } = await simulate(
        { ...plan, takersPerSecond: 0.5, readLagBoundMs: 5_000 },
        { trader: narrowed(limits, rate) },
      );
      expect(counters.get(`halted by ${code}`)).toBeGreaterThan(0);
      // That it halts needlessly is what L4 says, and who does not quote is not up.
      expect(violations.filter(({ invariant }) => !/^L[46]$/.test(invariant))).toEqual([]);
    },
    LONG_MS,
  );
});

/** What the checks say to records that a bot without these limits would write. */
function judged(records: readonly Pick<Told, 'type' | 'payload'>[]): string[] {
  const said: string[] = [];
  const journal = emptyJournalModel();
  const settings = deskSettings({ limits: { maxDayLoss: '100' } });
  const context = {
    journal,
    settings,
    counters: { add: () => undefined, all: new Map() },
    violated: (invariant: string, sentence: string) => said.push(`${invariant}: ${sentence}`),
  } as unknown as CheckContext;
  const checks = limitChecks();
  for (const [index, record] of records.entries()) {
    const told: Told = { ...record, seq: index + 1, epoch: 1 };
    fold(journal, told, 0);
    checks.recorded?.(context, told, { ...told, payload: '' } as never);
  }
  return said;
}

const fill = (intentId: string | null, side = 'buy', quantity = '0.0001') => ({
  type: 'fill',
  payload: {
    intentId,
    fill: { symbol: 'BTC/INR', tradeId: `${intentId}`, side, venueTime: 1_000, price: '100', quantity },
  },
});
const marked = (total: string) => ({ type: 'profit-marked', payload: { symbol: 'BTC/INR', total, at: 1_000 } });
const intent = { type: 'intent', payload: { intentId: '1-9', symbol: 'BTC/INR', side: 'buy' } };
const haltedBy = (code: string) => ({ type: 'symbol-halted', payload: { symbol: 'BTC/INR', reason: '.', code } });
const lock = { symbol: 'BTC/INR', code: 'repeated-fills', side: 'buy' };
const locked = { type: 'locked', payload: { ...lock, by: 'limit', at: 1_000, until: 301_000 } };
const unlocked = { type: 'unlocked', payload: { ...lock, by: 'time', at: 301_000 } };
const resumed = { type: 'symbol-resumed', payload: { symbol: 'BTC/INR' } };

describe('the check notices', () => {
  test.each([
    ['an order after fills that were worth a lock', [fill('1-1', 'buy', '5000'), intent], ['K6']],
    ['none that the lock precedes', [fill('1-1', 'buy', '5000'), locked, unlocked, intent], []],
    ['a lock without such fills', [fill('1-1', 'buy', '4999'), locked], ['L4']],
    ['an order after fills that were worth a halt', [fill('1-1', 'buy', '15000'), locked, unlocked, intent], ['K6']],
    ['a halt without such fills', [fill('1-1', 'buy', '14999'), haltedBy('repeated-fills')], ['L4']],
    ['none where the owner filled', [fill(null, 'buy', '15000'), intent], []],
    ['none after a person resumed', [fill('1-1', 'buy', '15000'), haltedBy('repeated-fills'), resumed, intent], []],
    ['none where the other side filled, too', [fill('1-1', 'buy', '6000'), fill('1-2', 'sell', '1001'), intent], []],
    ['an order after too large a loss', [marked('50'), marked('-50'), intent], ['K7']],
    ['none after a smaller one', [marked('50'), marked('-49'), intent], []],
    [
      'one that only another halt was resumed for',
      [marked('0'), marked('-100'), haltedBy('halted'), resumed, intent],
      ['K7'],
    ],
  ])('%s', (_words, records, expected) => {
    expect(judged(records).map((line) => line.slice(0, 2))).toEqual(expected);
  });
});
