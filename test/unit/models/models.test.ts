// Exact numbers of the papers, and each solution beside another way to the same number.
import { describe, expect, test } from '@jest/globals';
import { avellanedaStoikov, monopolyDistance, stationaryQuotes } from '../../../src/models/avellaneda-stoikov.ts';
import { carteaJaimungal } from '../../../src/models/cartea-jaimungal.ts';
import { expTimesVector, glftClosedForm, glftExact, type Tridiagonal } from '../../../src/models/gueant-lehalle.ts';

const DIGITS = 9;

type Glft = Parameters<typeof glftExact>[0];

/** Far from the end, with a trend and market impact: 2013, sections 4.2 and 5. */
function farFromEnd(
  { gamma, sigma, a, k, drift = 0, impact = 0 }: Omit<Glft, 'timeLeft' | 'mostInventory'>,
  q: number,
) {
  const { c1, skew } = glftClosedForm({ gamma, xi: gamma, sigma, a, k, size: 1 });
  const [beyond, trend] = [c1 + impact / 2, drift / (gamma * sigma ** 2)];
  const lean = (off: number): number => beyond + off * skew * Math.exp((k * impact) / 4);
  return { bid: lean(q + 0.5 - trend), ask: lean(0.5 - q + trend) };
}

describe('Avellaneda and Stoikov', () => {
  test.each([
    [0, 1, 100, 1.6907704228, 99.1546147886, 100.8453852114],
    [3, 0.5, 99.4, 1.4907704228, 98.6546147886, 100.1453852114],
    [-5, 1, 102, 1.6907704228, 101.1546147886, 102.8453852114],
  ])('q = %d, T − t = %d', (inventory, timeLeft, reservation, spread, bid, ask) => {
    const quotes = avellanedaStoikov({ mid: 100, inventory, gamma: 0.1, sigma: 2, k: 1.5, timeLeft });
    expect(quotes.reservation).toBeCloseTo(reservation, DIGITS);
    expect(quotes.spread).toBeCloseTo(spread, DIGITS);
    expect(quotes.bid).toBeCloseTo(bid, DIGITS);
    expect(quotes.ask).toBeCloseTo(ask, DIGITS);
  });

  test('who fears no inventory quotes 1/k away on each side', () => {
    expect(monopolyDistance(1e-9, 1.5)).toBeCloseTo(1 / 1.5, DIGITS);
    const { spread } = avellanedaStoikov({ mid: 0, inventory: 9, gamma: 1e-9, sigma: 2, k: 1.5, timeLeft: 1 });
    expect(spread).toBeCloseTo(2 / 1.5, 7);
  });

  test('without an end: leans against inventory, and stops at the bound', () => {
    const at = (inventory: number) => stationaryQuotes({ mid: 100, inventory, gamma: 0.1, k: 1.5, mostInventory: 4 });
    const [long, flat, short] = [at(2), at(0), at(-2)];
    // q = 0: both are 10·ln(25/24) away.
    expect(flat.ask).toBeCloseTo(100 - 10 * Math.log(24 / 25) + monopolyDistance(0.1, 1.5), DIGITS);
    expect(flat.bid).toBeCloseTo(100 + 10 * Math.log(24 / 25) - monopolyDistance(0.1, 1.5), DIGITS);
    expect(Number(long.bid)).toBeLessThan(Number(flat.bid));
    expect(Number(long.ask)).toBeLessThan(Number(flat.ask));
    expect([at(4).bid, at(-4).ask]).toEqual([null, null]);
    // What one side does long the other does short.
    expect(Number(long.bid) - 100).toBeCloseTo(100 - Number(short.ask), DIGITS);
    expect([at(4).ask, at(-4).bid].every((price) => price !== null)).toBe(true);
  });
});

describe('Guéant, Lehalle and Fernandez-Tapia', () => {
  const market = { sigma: 10.69, a: 2.986162360812285, k: 0.04235741115084049 };

  test('the closed form with an order of 1', () => {
    const { halfSpread, skew } = glftClosedForm({ ...market, gamma: 0.05, xi: 0.05, size: 1 });
    expect(halfSpread).toBeCloseTo(20.47208533844371, DIGITS);
    expect(skew).toBeCloseTo(9.76326865029227, DIGITS);
  });

  test('ξ to 0 has a limit', () => {
    const at = (xi: number) => glftClosedForm({ ...market, gamma: 0.05, xi, size: 2 });
    expect(at(1e-10).c1).toBeCloseTo(at(0).c1, 6);
    expect(at(1e-10).c2).toBeCloseTo(at(0).c2, 6);
    expect(at(0).c1).toBeCloseTo(1 / market.k, DIGITS);
  });

  // Slow to change with inventory, so that the closed form holds well.
  const calm = { gamma: 0.01, sigma: 0.3, a: 0.9, k: 0.3 };

  test.each([
    ['plain', {}],
    ['with a trend', { drift: 0.0005 }],
    ['with market impact', { impact: 0.6 }],
  ])('far from the end the exact solution is near the closed form: %s', (_case, more) => {
    const exact = glftExact({ ...calm, ...more, timeLeft: 3_000, mostInventory: 30 });
    for (const q of [-3, 0, 1, 3]) {
      const { bid, ask } = farFromEnd({ ...calm, ...more }, q);
      expect(Math.abs(Number(exact.bidDistance(q)) - bid)).toBeLessThan(0.004);
      expect(Math.abs(Number(exact.askDistance(q)) - ask)).toBeLessThan(0.004);
    }
  });

  test('at the end, each fill costs the impact on all that is held then', () => {
    const { bidDistance, askDistance } = glftExact({ ...calm, impact: 0.6, timeLeft: 0, mostInventory: 5 });
    const beyond = monopolyDistance(calm.gamma, calm.k);
    expect(bidDistance(2)).toBeCloseTo(beyond + 0.6 * 3, DIGITS);
    expect(askDistance(2)).toBeCloseTo(beyond - 0.6, DIGITS);
  });

  test('the exact solution solves its differential equation', () => {
    // v' = M·v with v(T) = 1, by the Runge-Kutta method from the end.
    const [most, timeLeft, steps] = [3, 2, 4_000];
    const { gamma, sigma, a, k } = { gamma: 0.1, sigma: 2, a: 5, k: 1.5 };
    const eta = a * (1 + gamma / k) ** -(1 + k / gamma);
    const slope = (v: readonly number[]): number[] =>
      v.map((x, i) => {
        const q = i - most;
        return -(k / 2) * gamma * sigma ** 2 * q ** 2 * x + eta * ((v[i - 1] ?? 0) + (v[i + 1] ?? 0));
      });
    const plus = (v: readonly number[], by: readonly number[], h: number) => v.map((x, i) => x + h * (by[i] ?? 0));
    let v: number[] = new Array<number>(2 * most + 1).fill(1);
    const h = timeLeft / steps;
    for (let n = 0; n < steps; n += 1) {
      const k1 = slope(v);
      const k2 = slope(plus(v, k1, h / 2));
      const k3 = slope(plus(v, k2, h / 2));
      const k4 = slope(plus(v, k3, h));
      v = v.map((x, i) => x + (h / 6) * ((k1[i] ?? 0) + 2 * (k2[i] ?? 0) + 2 * (k3[i] ?? 0) + (k4[i] ?? 0)));
    }
    const exact = glftExact({ gamma, sigma, a, k, timeLeft, mostInventory: most });
    const at = (q: number): number => v[q + most] ?? Number.NaN;
    for (let q = -most; q < most; q += 1)
      expect(exact.bidDistance(q)).toBeCloseTo(Math.log(at(q) / at(q + 1)) / k + monopolyDistance(gamma, k), DIGITS);
    expect([exact.bidDistance(most), exact.askDistance(-most)]).toEqual([null, null]);
    expect(exact.askDistance(1)).toBeCloseTo(Number(exact.bidDistance(-1)), DIGITS);
  });
});

describe('Cartea and Jaimungal', () => {
  const even = { kappa: 100, runningPenalty: 1e-4, terminalPenalty: 1e-3, buysPerTime: 50, sellsPerTime: 50 };

  test('without penalties everybody quotes 1/κ away', () => {
    const none = { ...even, runningPenalty: 0, terminalPenalty: 0 };
    // Far from the bounds: within 0.1 of time nobody gets there.
    const { bidDistance, askDistance } = carteaJaimungal({ ...none, timeLeft: 0.1, mostInventory: 40 });
    expect(bidDistance(0)).toBeCloseTo(0.01, DIGITS);
    expect(askDistance(5)).toBeCloseTo(0.01, DIGITS);
  });

  test('at the end only the last penalty counts: α(2q+1) more for a bid', () => {
    const { bidDistance, askDistance } = carteaJaimungal({ ...even, timeLeft: 0, mostInventory: 5 });
    expect(bidDistance(2)).toBeCloseTo(0.01 + 1e-3 * 5, DIGITS);
    expect(askDistance(2)).toBeCloseTo(0.01 - 1e-3 * 3, DIGITS);
  });

  test('is the model of Guéant where inventory is punished as much, and both sides are alike', () => {
    // φ = ½γσ² and λ/e = A(1+γ/k)^(−(1+k/γ)) as γ goes to 0.
    const [gamma, sigma, a, k] = [1e-7, 500, 5, 1.5];
    const glft = glftExact({ gamma, sigma, a, k, timeLeft: 3, mostInventory: 6 });
    const model = carteaJaimungal({
      ...{ kappa: k, runningPenalty: (gamma * sigma ** 2) / 2, terminalPenalty: 0 },
      ...{ buysPerTime: a, sellsPerTime: a, timeLeft: 3, mostInventory: 6 },
    });
    for (const q of [-3, 0, 2]) expect(model.bidDistance(q)).toBeCloseTo(Number(glft.bidDistance(q)), 5);
  });

  test('more buyers than sellers: it waits with the ask, and buys for less of a discount', () => {
    const { bidDistance, askDistance } = carteaJaimungal({ ...even, buysPerTime: 100, timeLeft: 10, mostInventory: 5 });
    expect(Number(askDistance(0))).toBeGreaterThan(0.01);
    expect(Number(bidDistance(0))).toBeLessThan(Number(askDistance(0)));
  });

  test('at the end each side costs the impact of its own takers: δ±(0) = 1/κ + ε± + α', () => {
    const [kappa, terminalPenalty, buyImpact, sellImpact] = [100, 0.003, 0.005, 0.001];
    const model = carteaJaimungal({
      ...{ kappa, runningPenalty: 0.1, terminalPenalty, buysPerTime: 2, sellsPerTime: 3 },
      ...{ buyImpact, sellImpact, timeLeft: 0, mostInventory: 5 },
    });
    expect(model.askDistance(0)).toBeCloseTo(1 / kappa + buyImpact + terminalPenalty, 12);
    expect(model.bidDistance(0)).toBeCloseTo(1 / kappa + sellImpact + terminalPenalty, 12);
  });

  test('takers that know more cost their impact at least', () => {
    const impact = { buyImpact: 0.005, sellImpact: 0.005 };
    const plain = carteaJaimungal({ ...even, timeLeft: 10, mostInventory: 5 });
    const adverse = carteaJaimungal({ ...even, ...impact, timeLeft: 10, mostInventory: 5 });
    expect(Number(adverse.askDistance(0))).toBeGreaterThanOrEqual(Number(plain.askDistance(0)) + 0.005);
  });
});

test('a long time neither vanishes nor overflows: it is the direction of the largest eigenvalue', () => {
  const matrix: Tridiagonal = { lower: [0, 1], diagonal: [-2, -2], upper: [1, 0] };
  expect(expTimesVector(matrix, 500, [1, 0.2])).toEqual([expect.closeTo(1, 12), expect.closeTo(1, 12)]);
  // exp([[0, 1], [0, 0]])·(0, 1) = (1, 1).
  expect(expTimesVector({ lower: [0, 0], diagonal: [0, 0], upper: [1, 0] }, 1, [0, 1])).toEqual([1, 1]);
});
