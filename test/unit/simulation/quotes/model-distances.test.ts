// The models as the judge works them out: by the numbers of the papers, and by the program's own, which come from other
// arithmetic.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isGiven, modelDistances } from '../../../../simulation/quotes/model-distances.ts';
import type { Strategy } from '../../../../src/quoting/strategy.ts';
import { strategy as avellanedaStoikov } from '../../../../strategies/avellaneda-stoikov.ts';
import { strategy as carteaJaimungal } from '../../../../strategies/cartea-jaimungal.ts';
import { strategy as glft } from '../../../../strategies/glft.ts';
import { view } from '../../quoting/market.ts';

type Loose = Strategy<never, never>;
const SIDES = ['buy', 'sell'] as const;

function run(strategy: object, params: object) {
  const { params: schema } = strategy as Strategy;
  return { strategy: strategy as Strategy, params: schema.parse({ orderSize: '1', sizeUnit: 'base', ...params }) };
}

const judged = (strategy: object, params: object, q: number) => modelDistances(run(strategy, params), q);

/** What the strategy quotes with so many orders too many, as distances. */
function quoted(strategy: object, params: object, q: number) {
  const of = run(strategy, params);
  const held = { asset: 'BTC', total: view().inventoryTarget.add(q), free: view().inventoryTarget.add(q) };
  const { quotes } = (of.strategy as Loose).quote(view({ base: held }), of.params as never, undefined as never);
  const { referencePrice } = view();
  const distance = (side: 'buy' | 'sell'): number | null => {
    const price = quotes.find((quote) => quote.side === side)?.price;
    if (price === undefined) return null;
    return price
      .div(referencePrice)
      .sub(1)
      .mul(side === 'buy' ? -10_000 : 10_000)
      .toNumber();
  };
  return { buy: distance('buy'), sell: distance('sell') };
}

describe('numbers of papers and documents', () => {
  // γ 0.1, σ 2, k 1.5 at a price of 100: half-spread 0.845…, and a lean of γσ²T for each order.
  const paper = { riskAversionPerBps: 0.1, volatilityBpsPerSqrtSecond: 2, decayPerBps: 1.5 };
  test.each([
    [0, 1, 0.8453852114, 0.8453852114],
    [3, 0.5, 1.3453852114, 0.1453852114],
    [-5, 1, -1.1546147886, 2.8453852114],
  ])('Avellaneda and Stoikov: %d orders, %d to go', (q, horizonSeconds, buy, sell) => {
    const distances = judged(avellanedaStoikov, { ...paper, horizonSeconds }, q);
    expect(distances.buy).toBeCloseTo(buy, 9);
    expect(distances.sell).toBeCloseTo(sell, 9);
  });

  test('the closed form of Guéant', () => {
    const [a, k] = [2.986162360812285, 0.04235741115084049];
    const params = { takersPerSecond: a, decayPerBps: k, volatilityBpsPerSqrtSecond: 10.69, riskAversionPerBps: 0.05 };
    const { buy } = judged(glft, params, 0);
    expect(buy).toBeCloseTo(20.47208533844371, 9);
    expect((judged(glft, params, 1).buy ?? 0) - (buy ?? 0)).toBeCloseTo(9.76326865029227, 9);
  });

  test('what docs/strategies.md says of the defaults', () => {
    expect(judged(avellanedaStoikov, {}, 1).buy).toBeCloseTo(70.39, 2);
    expect(judged(avellanedaStoikov, {}, 1).sell).toBeCloseTo(41.59, 2);
    expect(judged(glft, {}, 0).sell).toBeCloseTo(50.66, 2);
    expect(judged(carteaJaimungal, {}, 0)).toEqual({ buy: expect.closeTo(51.35, 2), sell: expect.closeTo(51.35, 2) });
  });
});

describe('the program says the same', () => {
  const decayPerBps = fc.double({ min: 0.005, max: 0.05, noNaN: true });
  const riskAversionPerBps = fc.double({ min: 0.0003, max: 0.003, noNaN: true });
  const volatilityBpsPerSqrtSecond = fc.double({ min: 0.5, max: 4, noNaN: true });
  const takersPerSecond = fc.double({ min: 0.005, max: 0.05, noNaN: true });
  const horizonSeconds = fc.double({ min: 60, max: 900, noNaN: true });
  const mostInventoryOrders = fc.integer({ min: 1, max: 8 });
  const skewMultiplier = fc.constantFrom(0, 0.5, 1, 1.5);
  const risk = { decayPerBps, riskAversionPerBps, volatilityBpsPerSqrtSecond, skewMultiplier };
  const CASES: readonly (readonly [string, object, fc.Arbitrary<object>])[] = [
    [
      'Avellaneda and Stoikov',
      avellanedaStoikov,
      fc.record({ ...risk, horizonSeconds, mostInventoryOrders, horizon: fc.constantFrom('rolling', 'infinite') }),
    ],
    [
      'Guéant, Lehalle and Fernandez-Tapia',
      glft,
      fc.record(
        {
          ...{ ...risk, horizonSeconds, mostInventoryOrders, takersPerSecond },
          form: fc.constantFrom('closed', 'exact'),
          executionAversionPerBps: fc.constantFrom(0, 0.0005),
          sizeInRiskUnits: fc.constantFrom(0.5, 1, 3),
          driftBpsPerSecond: fc.constantFrom(0, -0.001, 0.002),
          impactBps: fc.constantFrom(0, 7),
        },
        { requiredKeys: ['form'] },
      ),
    ],
    [
      'Cartea, Jaimungal and Penalva',
      carteaJaimungal,
      fc.record(
        {
          ...{ decayPerBps, takersPerSecond, horizonSeconds, mostInventoryOrders },
          buyersPerSecond: takersPerSecond,
          sellersPerSecond: takersPerSecond,
          runningPenaltyBpsPerSecond: fc.double({ min: 0, max: 0.01, noNaN: true }),
          terminalPenaltyBps: fc.double({ min: 0, max: 2, noNaN: true }),
          buyImpactBps: fc.constantFrom(0, 5),
          sellImpactBps: fc.constantFrom(0, 9),
        },
        { requiredKeys: [] },
      ),
    ],
  ];
  test.each(CASES)('%s', (_name, strategy, params) => {
    const orders = fc.oneof(fc.double({ min: -12, max: 12, noNaN: true }), fc.integer({ min: -10, max: 10 }));
    fc.assert(
      fc.property(params, orders, (given, q) => {
        const [mine, own] = [judged(strategy, given, q), quoted(strategy, given, q)];
        for (const side of SIDES) {
          const [wanted, found] = [mine[side], own[side]];
          // As far as the whole price there is none.
          if (wanted === null || Math.abs(wanted) >= 9_999)
            expect(found === null || Math.abs(found) >= 9_998).toBe(true);
          // A billionth of the price is a hundred-thousandth of a basis point.
          else expect(found ?? Number.NaN).toBeCloseTo(wanted, 5);
        }
      }),
      { numRuns: 40 },
    );
  });
});

test('a model that estimates is not worked out', () => {
  expect(isGiven(run(glft, {}))).toBe(true);
  expect(isGiven(run(glft, { volatilityFrom: 'estimate' }))).toBe(false);
  expect(isGiven(run(carteaJaimungal, { takersFrom: 'estimate' }))).toBe(false);
});
