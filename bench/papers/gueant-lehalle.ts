// Guéant, Lehalle & Fernandez-Tapia: the numbers that are passed on with the closed form, and two properties of a
// market maker who quotes by it: profit per fill is c1 whatever σ and A, and sd(q) = 1/√(2·k·skew).
import { exponential, normal, randomStream, uniform } from '../../src/crowd/random.ts';
import { type GlftInput, glftClosedForm } from '../../src/models/gueant-lehalle.ts';
import { type Line, meanOf } from './verdict.ts';

const MARKET = { sigma: 10.69, a: 2.986162360812285, k: 0.04235741115084049 };

/** Where inventory changes slowly, so that the closed form holds; σ and A are varied. */
const CALM = { gamma: 1e-4, xi: 1e-4, k: 0.3, size: 1 };

export function gueantLehalleLines({ seed, fills }: { readonly seed: string; readonly fills: number }): Line[] {
  const { halfSpread, skew } = glftClosedForm({ ...MARKET, gamma: 0.05, xi: 0.05, size: 1 });
  const exact = (name: string, published: number, measured: number): Line => ({
    ...{ name, digits: 9, published: { value: published, error: 0 }, measured: { value: measured, error: 0 } },
  });
  return [
    exact('half-spread, γ = ξ = 0.05', 20.47208533844371, halfSpread),
    exact('skew, γ = ξ = 0.05', 9.76326865029227, skew),
    ...[
      { sigma: 1, a: 2 },
      { sigma: 2, a: 2 },
      { sigma: 1, a: 8 },
    ].flatMap((market) => invariantLines({ ...CALM, ...market }, { seed, fills })),
  ];
}

/** Of blocks that are long beside the time that inventory takes to turn. */
const BLOCKS = 200;

function invariantLines(input: GlftInput, { seed, fills }: { readonly seed: string; readonly fills: number }): Line[] {
  const { c1, halfSpread, skew } = glftClosedForm(input);
  const { sigma, a, k } = input;
  const stream = randomStream(seed, `glft ${sigma} ${a}`);
  const perBlock = Math.ceil(fills / BLOCKS);
  const profits: number[] = [];
  const variances: number[] = [];
  let inventory = 0;
  for (let block = 0; block < BLOCKS; block += 1) {
    let [profit, seconds, squares] = [0, 0, 0];
    for (let fill = 0; fill < perBlock; fill += 1) {
      const bid = halfSpread + skew * inventory;
      const ask = halfSpread - skew * inventory;
      const [buys, sells] = [a * Math.exp(-k * bid), a * Math.exp(-k * ask)];
      const wait = exponential(stream, 1 / (buys + sells));
      profit += inventory * sigma * Math.sqrt(wait) * normal(stream);
      seconds += wait;
      squares += inventory ** 2 * wait;
      const isBuy = uniform(stream) < buys / (buys + sells);
      profit += isBuy ? bid : ask;
      inventory += isBuy ? 1 : -1;
    }
    profits.push(profit / perBlock);
    variances.push(squares / seconds);
  }
  const variance = meanOf(variances);
  const sd = Math.sqrt(variance.value);
  const market = `σ = ${sigma}, A = ${a}`;
  return [
    { name: `profit per fill, ${market}`, published: { value: c1, error: 0 }, measured: meanOf(profits), digits: 3 },
    {
      name: `sd of inventory, ${market}`,
      published: { value: 1 / Math.sqrt(2 * k * skew), error: 0 },
      measured: { value: sd, error: variance.error / (2 * sd) },
      digits: 3,
    },
  ];
}
