// The risk checks see a bot that does not keep to its limits. Seeds of the tight profile show that they blame no bot
// that does.
import { describe, expect, test } from '@jest/globals';
import { riskChecks } from '../../../simulation/checks/check-risk.ts';
import type { Answered, CheckContext } from '../../../simulation/checks/context.ts';
import { simulate } from '../../../simulation/machine/simulate.ts';
import { drawPlan } from '../../../simulation/plan/plan.ts';
import { decimal } from '../../../src/domain/decimal.ts';
import type { Limits } from '../../../src/quoting/risk/risk-limits.ts';
import type { TraderSettings } from '../../../src/trader/state/settings.ts';
import { BTC, deskSettings } from '../trader/desk-settings.ts';

const LONG_MS = 300_000;
const BUSY = { takersPerSecond: 0.5, readLagBoundMs: 20_000 };

type Narrow = Partial<Limits>;

const narrowed = (
  settings: TraderSettings,
  { limits, only }: { limits: Narrow; only: string | undefined },
): TraderSettings => ({
  ...settings,
  runs: settings.runs.map((run) =>
    only === undefined || run.instrument.base === only ? { ...run, limits: { ...run.limits, ...limits } } : run,
  ),
});

describe.each<[string, string, Narrow, string?]>([
  ['K1', 'maxOrderNotional', { maxOrderNotional: decimal(60_000) }],
  ['K2', 'maxInventoryBase', { maxInventoryBase: decimal('0.505') }, 'BTC'],
  ['K2', 'minInventoryBase', { minInventoryBase: decimal('0.495') }, 'BTC'],
  ['K3', 'maxOpenNotional', { maxOpenNotional: decimal(150_000) }],
  ['K3', 'maxOpenOrders', { maxOpenOrders: 2 }],
  ['K3', 'maxOpenOrdersOverAll', { maxOpenOrdersOverAll: 3 }],
  ['K3', 'maxOpenNotionalOverAll', { maxOpenNotionalOverAll: decimal(200_000) }],
  ['K8', 'reserveQuote', { reserveQuote: decimal(4_900_000) }],
  ['K8', 'reserveBase', { reserveBase: decimal('0.49') }, 'BTC'],
])('%s by a narrow %s', (invariant, _limit, limits, only) => {
  test(
    'is broken by one that forgets it when it starts again',
    async () => {
      const plan = drawPlan('31', { hours: 0.5, faults: ['F90'] });
      const { violations } = await simulate(
        { ...plan, ...BUSY },
        { stopAtFirst: true, trader: (settings, nth) => (nth === 1 ? narrowed(settings, { limits, only }) : settings) },
      );
      expect(violations.map((violation) => violation.invariant)).toEqual([invariant]);
    },
    LONG_MS,
  );
});

test(
  'an order that meets the book that was shown, and not the one that the bot took it for, breaks K5',
  async () => {
    const { violations } = await simulate(drawPlan('7', { hours: 0.2, faults: [] }), {
      transport: (network) => ({
        ...network,
        send: async (request) => {
          const result = await network.send(request);
          if (result.kind !== 'response' || !request.url.includes('/orderbook')) return result;
          return {
            ...result,
            body: result.body.replaceAll(
              /\["(\d+)",/g,
              (_row, price: string) => `["${Math.round(Number(price) * 1.02)}",`,
            ),
          };
        },
      }),
    });
    expect(violations.map(({ invariant }) => invariant)).toContain('K5');
  },
  LONG_MS,
);

describe('creates that are refused one after the other', () => {
  const answers = {
    filter: [400, '{"code":-1013,"msg":"Filter."}'],
    other: [400, '{"code":-1014,"msg":"Other."}'],
    taken: [200, '{"order_id":"1"}'],
    /** An order was placed all the same. */
    placed: [400, '{"code":-9998,"msg":"Something new."}'],
    unknown: [400, '{"code":-9998,"msg":"Something new."}'],
  } as const;
  const judged = (said: readonly (keyof typeof answers)[], isSlow = false): string[] => {
    const broken: string[] = [];
    let now = 0;
    const context = {
      now: () => now,
      clockError: () => 0,
      excused: () => false,
      oracle: { ordersOf: (intentId: string) => (intentId === 'placed' ? [{}] : []) },
      settings: deskSettings({ maxConsecutiveRejects: 3, requestsPerSecond: { public: 0.4, private: 0.4 } }),
      violated: (invariant: string) => broken.push(invariant),
    } as unknown as CheckContext;
    const checks = riskChecks();
    for (const name of said) {
      const [status, text] = answers[name];
      now += 1_000;
      const sentAt = isSlow ? 0 : now - 100;
      const about = { endpoint: 'create', body: { symbol: BTC }, intent: { intentId: name } };
      const message = { ...about, headers: {}, status, text, sentAt };
      checks.answered?.(context, message as unknown as Answered);
    }
    return broken;
  };

  test.each<[string, readonly (keyof typeof answers)[], readonly string[]]>([
    ['a fourth time for the same breaks K9', ['filter', 'filter', 'filter', 'filter'], ['K9']],
    ['three times do not', ['filter', 'filter', 'filter'], []],
    ['nor for another reason', ['filter', 'filter', 'filter', 'other'], []],
    ['a code that nobody knows is a refusal', ['unknown', 'unknown', 'unknown', 'unknown'], ['K9']],
    ['but beside an order that was placed', ['placed', 'placed', 'placed', 'placed'], []],
    ['nor after one that was taken', ['filter', 'filter', 'filter', 'taken', 'filter'], []],
  ])('%s', (_words, said, expected) => {
    expect(judged(said)).toEqual(expected);
  });

  test('nor a fourth that was on its way when the third came back', () => {
    expect(judged(['filter', 'filter', 'filter', 'filter'], true)).toEqual([]);
  });
});
