// What the model strategies quote: the numbers of their comments, what they take from estimates, and where they stop.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import type { Estimate } from '../../../src/estimates/estimate.ts';
import { type MarketView, NO_KNOWLEDGE, type Strategy } from '../../../src/quoting/strategy.ts';
import { strategy as avellanedaStoikov } from '../../../strategies/avellaneda-stoikov.ts';
import { strategy as carteaJaimungal } from '../../../strategies/cartea-jaimungal.ts';
import { strategy as glft } from '../../../strategies/glft.ts';
import { book, view } from '../quoting/market.ts';

const MODELS = { avellanedaStoikov, carteaJaimungal, glft } as unknown as Readonly<Record<string, Strategy>>;

/** The market is at 100, the target at 10 base, an order is of 1. */
function distances(strategy: Strategy, params: object = {}, changes: Partial<MarketView> = {}) {
  const seen = view({ book: book(['99.9 x 1'], ['100.1 x 1']), ...changes });
  const parsed = strategy.params.parse({ orderSize: '1', sizeUnit: 'base', ...params });
  const { quotes, noQuote, explain } = strategy.quote(seen, parsed, undefined);
  const bps = (side: 'buy' | 'sell', level = 0): number | null => {
    const quote = quotes.find((each) => each.side === side && each.level === level);
    return quote === undefined ? null : Math.abs(quote.price.toNumber() / 100 - 1) * 10_000;
  };
  return { buy: bps('buy'), sell: bps('sell'), second: bps('buy', 1), noQuote: noQuote ?? {}, quotes, explain };
}

const holding = (total: string): Partial<MarketView> => ({
  base: { asset: 'BTC', total: decimal(total), free: decimal(total) },
});

describe('the examples of their comments', () => {
  test('avellaneda-stoikov with one order too much', () => {
    const { buy, sell } = distances(MODELS.avellanedaStoikov as Strategy, {}, holding('11'));
    expect(buy).toBeCloseTo(14.4 + 7.2 + 1_000 * Math.log(1.05), 6);
    expect(sell).toBeCloseTo(-14.4 + 7.2 + 1_000 * Math.log(1.05), 6);
    expect([buy?.toFixed(2), sell?.toFixed(2)]).toEqual(['70.39', '41.59']);
  });

  test('glft on target, and with one order too much', () => {
    const c2 = Math.sqrt((0.001 / (2 * 0.02 * 0.02)) * 1.05 ** 21);
    const onTarget = distances(MODELS.glft as Strategy);
    expect(onTarget.buy).toBeCloseTo(1_000 * Math.log(1.05) + c2, 6);
    const more = distances(MODELS.glft as Strategy, {}, holding('11'));
    expect(Number(more.buy) - Number(onTarget.buy)).toBeCloseTo(2 * c2, 6);
    expect([onTarget.buy?.toFixed(2), onTarget.sell?.toFixed(2), (2 * c2).toFixed(2)]).toEqual([
      '50.66',
      '50.66',
      '3.73',
    ]);
  });

  test('cartea-jaimungal on target', () => {
    const { buy, sell } = distances(MODELS.carteaJaimungal as Strategy);
    expect([buy?.toFixed(2), sell?.toFixed(2)]).toEqual(['51.35', '51.35']);
  });
});

describe.each(Object.entries(MODELS))('%s', (_name, strategy) => {
  test('leans against inventory, both ways alike', () => {
    const [flat, long, short] = ['10', '12', '8'].map((held) => distances(strategy, {}, holding(held)));
    expect(Number(long?.buy)).toBeGreaterThan(Number(flat?.buy));
    expect(Number(long?.sell)).toBeLessThan(Number(flat?.sell));
    expect(long?.buy).toBeCloseTo(Number(short?.sell), 6);
    expect(long?.sell).toBeCloseTo(Number(short?.buy), 6);
  });

  test('further levels lie a step further out, and are larger by the step', () => {
    const { buy, second, quotes } = distances(strategy, { levels: 2, halfSpreadStepBps: 25, orderSizeStep: '0.5' });
    expect(Number(second) - Number(buy)).toBeCloseTo(25, 6);
    expect(quotes.map(({ side, level, quantity }) => `${side}:${level} ${quantity.toFixed()}`)).toEqual([
      ...['buy:0 1', 'buy:1 1.5', 'sell:0 1', 'sell:1 1.5'],
    ]);
  });

  test('sizes in quote are converted at the reference price', () => {
    const { quotes } = distances(strategy, { orderSize: '50', sizeUnit: 'quote' });
    expect(quotes.map(({ quantity }) => quantity.toFixed())).toEqual(['0.5', '0.5']);
  });

  test('takes what is set where the price was seen not to move at all, and says so', () => {
    const volatility: Estimate = { kind: 'known', value: 0, samples: 80, ageMs: 4_000 };
    const estimates = { ...NO_KNOWLEDGE.estimates, volatilityBpsPerSqrtSecond: volatility };
    const still = distances(strategy, { volatilityFrom: 'estimate' }, { estimates });
    expect([still.buy, still.sell]).toEqual([distances(strategy).buy, distances(strategy).sell]);
    const words = still.explain.map(({ why }) => why).join(' ');
    if (strategy.name !== 'cartea-jaimungal') expect(words).toContain('the price has not moved at all');
    expect(words).not.toContain('Estimated');
  });

  test('takes what is estimated, and what is set while that is unknown; it says which', () => {
    const known = (value: { perSecond: number; decayPerBps: number }): Estimate<typeof value> => ({
      ...{ kind: 'known', value, samples: 80, ageMs: 4_000 },
    });
    const takers = known({ perSecond: 0.1, decayPerBps: 0.05 });
    const params = { takersFrom: 'estimate' };
    const unknown = distances(strategy, params, {});
    expect(unknown.buy).toBeCloseTo(Number(distances(strategy).buy), 9);
    const estimates = { ...NO_KNOWLEDGE.estimates, intensity: { buy: takers, sell: takers } };
    const seen = distances(strategy, params, { estimates });
    const set = distances(strategy, { takersPerSecond: 0.1, decayPerBps: 0.05 });
    expect(seen.buy).toBeCloseTo(Number(set.buy), 9);
    const words = (changes: Partial<MarketView>): string =>
      strategy
        .quote(view(changes), strategy.params.parse({ orderSize: '1', sizeUnit: 'base', ...params }), undefined)
        .explain.map(({ why }) => why)
        .join(' ');
    expect(words({})).toContain('as the estimate is unknown');
    expect(words({ estimates })).toContain('Estimated from 80 samples, the last 4 s ago.');
    expect(strategy.needs?.(strategy.params.parse({ orderSize: '1', ...params }))).toEqual({ trades: true });
    expect(strategy.needs?.(strategy.params.parse({ orderSize: '1' }))).toEqual({ trades: false });
  });

  test.each([
    { orderSize: '0' },
    { levels: 0 },
    { levels: 2.5 },
    { decayPerBps: 0 },
    { horizonSeconds: 0 },
    { orderSize: '-1' },
    { mostInventoryOrders: 0 },
  ])('refuses %j', (bad) => {
    expect(strategy.params.safeParse({ orderSize: '1', ...bad }).success).toBe(false);
  });
});

test.each([
  ['γ', avellanedaStoikov, { riskAversionPerBps: 0 }],
  ['γ', glft, { riskAversionPerBps: -1 }],
  ['σ', glft, { volatilityBpsPerSqrtSecond: 0 }],
  ['φ', carteaJaimungal, { runningPenaltyBpsPerSecond: -1 }],
])('%s out of its domain is refused', (_name, strategy, bad) => {
  expect(strategy.params.safeParse({ orderSize: '1', ...bad }).success).toBe(false);
});

describe('bounds of inventory', () => {
  test.each([
    ['avellaneda-stoikov', avellanedaStoikov as unknown as Strategy, { horizon: 'infinite', mostInventoryOrders: 3 }],
    ['glft', glft as unknown as Strategy, { form: 'exact', mostInventoryOrders: 3 }],
    ['cartea-jaimungal', carteaJaimungal as unknown as Strategy, { mostInventoryOrders: 3 }],
  ])('%s: with so many orders too much it buys nothing, and says why', (_name, strategy, params) => {
    const long = distances(strategy, params, holding('13'));
    expect([long.buy, long.noQuote]).toEqual([null, { buy: '3 orders too much: mostInventoryOrders is reached.' }]);
    expect(long.sell).not.toBe(null);
    const short = distances(strategy, params, holding('7'));
    expect([short.sell, short.noQuote]).toEqual([null, { sell: '3 orders too few: mostInventoryOrders is reached.' }]);
    // Beyond the bound, too, as after a deposit: it goes on to sell what is too much, at the price of the bound.
    for (const held of ['13.9', '14', '15', '400']) {
      const beyond = distances(strategy, params, holding(held));
      expect([beyond.buy, beyond.sell]).toEqual([null, long.sell]);
      expect(beyond.noQuote).toEqual(long.noQuote);
    }
    expect(distances(strategy, params, holding('1'))).toMatchObject({ buy: short.buy, sell: null });
    // Between whole orders the distance grows steadily.
    const steps = ['10', '10.25', '10.5', '10.75', '11'].map((held) =>
      Number(distances(strategy, params, holding(held)).buy),
    );
    expect(steps.toSorted((a, b) => a - b)).toEqual(steps);
  });
});

test.each([
  ['avellaneda-stoikov', avellanedaStoikov as unknown as Strategy, { horizon: 'infinite', mostInventoryOrders: 3 }],
  ['glft', glft as unknown as Strategy, { form: 'exact', mostInventoryOrders: 3 }],
])('%s: a bound is a bound, whatever the lean is multiplied with', (_name, strategy, params) => {
  for (const skewMultiplier of [0, 0.5, 1, 2]) {
    const of = (held: string) => distances(strategy, { ...params, skewMultiplier }, holding(held));
    expect([of('13').buy, of('7').sell]).toEqual([null, null]);
    expect([of('13').sell, of('7').buy]).not.toContain(null);
    // And nothing short of it is one: the lean stops an order before.
    for (const held of ['12.9', '12', '11.9', '8.1', '7.1']) expect([of(held).buy, of(held).sell]).not.toContain(null);
  }
});

test.each(['rolling', 'infinite'])(
  'avellaneda-stoikov, %s: the lean grows with what it is multiplied with',
  (horizon) => {
    const leans = [0, 1, 2].map((skewMultiplier) => {
      const params = { horizon, skewMultiplier };
      const { buy, sell } = distances(avellanedaStoikov as unknown as Strategy, params, holding('11'));
      return Number(buy) - Number(sell);
    });
    const [none, once, twice] = leans;
    expect(none).toBeCloseTo(0, 6);
    expect(once).toBeGreaterThan(1);
    expect(twice).toBeGreaterThan(1.5 * Number(once));
  },
);

describe('glft', () => {
  test('with a trend it buys sooner, and sells later', () => {
    const [still, rising] = [{}, { driftBpsPerSecond: 0.001 }].map((params) =>
      distances(glft as unknown as Strategy, params),
    );
    expect(Number(rising?.buy)).toBeLessThan(Number(still?.buy));
    expect(Number(rising?.sell)).toBeGreaterThan(Number(still?.sell));
  });

  test('the exact form far from the end is the closed one', () => {
    const long = { horizonSeconds: 864_000, mostInventoryOrders: 30, takersPerSecond: 0.2 };
    const [closed, exact] = ['closed', 'exact'].map((form) =>
      distances(glft as unknown as Strategy, { ...long, form }),
    );
    expect(Math.abs(Number(closed?.buy) - Number(exact?.buy))).toBeLessThan(0.05);
  });

  test('what is no price is no quote', () => {
    const { quotes, noQuote } = distances(glft as unknown as Strategy, { decayPerBps: 1e-9, takersPerSecond: 1e-9 });
    expect(quotes).toEqual([]);
    expect(noQuote.buy).toMatch(/^The model gives a distance of .* bps, which is no price\.$/);
  });
});
