// A made-up year of trades, and its tax by a computation that shares nothing with the program: exact fractions over all
// pairs of a purchase and a sale.
import type { TraderEvent } from '../../../../src/trader/durable/events.ts';
import { corrected, type FillGiven, fill, moment } from './books-kit.ts';

type Trade = Required<Pick<FillGiven, 'on' | 'symbol' | 'side' | 'price' | 'quantity' | 'fee' | 'feeAsset' | 'tds'>>;

/** The same numbers each time: a linear congruential generator (Numerical Recipes). */
function numbers(): (below: number) => number {
  let state = 7n;
  return (below) => {
    state = (state * 1_664_525n + 1_013_904_223n) % 2n ** 32n;
    return Number((state * BigInt(below)) / 2n ** 32n);
  };
}

const YEAR_MS = 360 * 86_400_000;
const places = (units: number, decimals: number): string => (units / 10 ** decimals).toFixed(decimals);

/** Sales never exceed what is held. One in twenty trades is booked wrong at first, and corrected. */
export function fillsOfYear(count: number): { fills: readonly Trade[]; events: readonly TraderEvent[] } {
  const draw = numbers();
  const held = new Map<string, number>();
  const fills: Trade[] = [];
  const events: TraderEvent[] = [];
  for (let index = 0; index < count; index += 1) {
    const base = draw(3) === 0 ? 'ETH' : 'BTC';
    const have = held.get(base) ?? 0;
    const isBuy = have < 5_000 || draw(100) < 50;
    const size = 1 + draw(isBuy ? 90_000 : Math.min(90_000, have - 100));
    const feeInCoin = draw(4) === 0 ? draw(20) : 0;
    held.set(base, have + (isBuy ? size : -size) - feeInCoin);
    const [level, width] = base === 'BTC' ? [500_000_000, 60_000_000] : [25_000_000, 3_000_000];
    // Prices rise by half within the year.
    const paise = level + draw(width) + Math.floor((level * index) / (2 * count));
    const value = (BigInt(paise) * BigInt(size)) / 10n ** 7n;
    const trade: Trade = {
      on: new Date(moment('2026-04-02') + Math.floor((YEAR_MS * index) / count)).toISOString(),
      symbol: `${base}/INR`,
      ...{ side: isBuy ? 'buy' : 'sell', price: places(paise, 2), quantity: places(size, 7) },
      ...(feeInCoin > 0
        ? { fee: places(feeInCoin, 7), feeAsset: base }
        : { fee: places(Number(value / 250n), 2), feeAsset: 'INR' }),
      tds: isBuy ? '0' : places(Number(value / 100n), 2),
    };
    fills.push(trade);
    const id = String(1 + index);
    const wrong = index % 20 === 7;
    events.push(fill({ ...trade, id, ...(wrong ? { price: '1', quantity: '0.0000001' } : {}) }));
    if (wrong) events.push(corrected({ ...trade, id }));
  }
  return { fills, events };
}

// Fractions: numerator and denominator, the latter positive.

type Fraction = readonly [bigint, bigint];
const fraction = (text: string): Fraction => {
  const [whole = '0', digits = ''] = text.split('.');
  return [BigInt(whole + digits), 10n ** BigInt(digits.length)];
};
const plus = ([a, b]: Fraction, [c, d]: Fraction): Fraction => (b === d ? [a + c, b] : reduced([a * d + c * b, b * d]));
const minus = (a: Fraction, [c, d]: Fraction): Fraction => plus(a, [-c, d]);
const product = ([a, b]: Fraction, [c, d]: Fraction): Fraction => reduced([a * c, b * d]);
const least = (a: Fraction, b: Fraction): Fraction => (minus(a, b)[0] < 0n ? a : b);
function reduced([a, b]: Fraction): Fraction {
  let [x, y] = [a < 0n ? -a : a, b];
  while (y > 0n) [x, y] = [y, x % y];
  return x === 0n ? [0n, 1n] : [a / x, b / x];
}
const NONE: Fraction = [0n, 1n];

/** Two decimals, half to even. */
function shown([a, b]: Fraction): string {
  const [size, sign] = [(a < 0n ? -a : a) * 100n, a < 0n ? '-' : ''];
  const [paise, rest] = [size / b, 2n * (size % b)];
  const whole = rest > b || (rest === b && paise % 2n === 1n) ? paise + 1n : paise;
  return `${whole === 0n ? '' : sign}${whole / 100n}.${String(whole % 100n).padStart(2, '0')}`;
}
export const rupees = (text: string): string => shown(fraction(text));

interface Side {
  readonly unit: Fraction;
  left: Fraction;
}

/** Which of the purchases before a sale is sold first, by its place and its unit price. */
const FIRST = {
  fifo: () => 1,
  lifo: () => -1,
  hifo: (a: Side, b: Side) => Number(minus(b.unit, a.unit)[0] > 0n) - Number(minus(b.unit, a.unit)[0] < 0n) || 1,
};

/** The figures of the section `tax`, by name, and the parts of `export lots`. */
export function computed(trades: readonly Trade[], method: string) {
  const order = FIRST[method as keyof typeof FIRST];
  const sums = { consideration: NONE, cost: NONE, income: NONE, losses: NONE, fees: NONE, tax_withheld: NONE };
  const add = (name: keyof typeof sums, by: Fraction): void => {
    sums[name] = plus(sums[name], by);
  };
  const parts: string[] = [];
  const bought = new Map<string, Side[]>();
  for (const { symbol, side, price, quantity, fee, feeAsset, tds } of trades) {
    const [unit, amount] = [fraction(price), fraction(quantity)];
    const inCoin = feeAsset === 'INR' ? NONE : fraction(fee);
    add('fees', feeAsset === 'INR' ? fraction(fee) : product(inCoin, unit));
    add('tax_withheld', fraction(tds));
    const lots = bought.get(symbol) ?? [];
    bought.set(symbol, lots);
    if (side === 'buy') {
      lots.push({ unit, left: minus(amount, inCoin) });
      continue;
    }
    let rest = plus(amount, inCoin);
    const turns = method === 'lifo' ? lots.toReversed() : method === 'hifo' ? lots.toSorted(order) : lots;
    for (const lot of turns) {
      const part = least(lot.left, rest);
      if (part[0] === 0n) continue;
      [lot.left, rest] = [minus(lot.left, part), minus(rest, part)];
      const [cost, consideration] = [product(part, lot.unit), product(part, unit)];
      const gain = minus(consideration, cost);
      const [income, loss] = gain[0] > 0n ? [gain, NONE] : [NONE, minus(NONE, gain)];
      for (const [name, by] of Object.entries({ consideration, cost, income, losses: loss }))
        add(name as keyof typeof sums, by);
      const coins = product(part, [10n ** 7n, 1n]);
      const text = (Number(coins[0] / coins[1]) / 1e7).toFixed(7).replace(/\.?0+$/, '');
      parts.push([text, ...[cost, consideration, income, loss].map(shown)].join(' '));
    }
  }
  const tax = product(sums.income, [3n, 10n]);
  const cess = product(tax, [4n, 100n]);
  const due = plus(tax, cess);
  const all = {
    ...sums,
    taxable_income: sums.income,
    tax,
    cess,
    tax_and_cess: due,
    balance: minus(due, sums.tax_withheld),
  };
  const shownSums: Record<string, string> = Object.fromEntries(
    Object.entries(all).map(([name, each]) => [name, shown(each)]),
  );
  return { parts, sums: shownSums };
}
