// What each inventory is worth to a market maker who is punished for it: the equation of Hamilton, Jacobi and Bellman
// that both models with bounds come from, followed back in time from their end. The program solves the same by the
// exponential of a matrix, so that a slip in one of them shows.

/** Prices in basis points, times in seconds, inventories in orders. */
export interface Market {
  /** Inventory goes from −most to most. */
  readonly most: number;
  /** How fast takers get fewer, per bps. */
  readonly k: number;
  /** What holding q costs per second. */
  cost(q: number): number;
  /** Takers per second that sell to us, as the equation weighs them, and those that buy from us. */
  readonly sellers: number;
  readonly buyers: number;
  /** What q is worth at the end. */
  atEnd(q: number): number;
  readonly seconds: number;
}

/** Of what changes fastest, this much happens in one step. */
const STEP = 0.02;

/**
 * θ of each inventory, from −most on, up to a common sum: dθ_q/dτ = −cost(q) + (sellers·e^{k(θ_{q+1} − θ_q)} +
 * buyers·e^{k(θ_{q−1} − θ_q)})/k, with τ counted back from the end. Runge and Kutta's fourth order, in steps that are
 * short against the fastest rate.
 */
export function inventoryValues(market: Market): readonly number[] {
  const costs = Array.from({ length: 2 * market.most + 1 }, (_, index) => market.cost(index - market.most));
  let values = costs.map((_, index) => market.atEnd(index - market.most));
  let left = market.seconds;
  while (left > 0) {
    const step = Math.min(left, STEP / fastest(values, costs, market));
    const one = slopes(values, costs, market);
    const two = slopes(moved(values, one, step / 2), costs, market);
    const three = slopes(moved(values, two, step / 2), costs, market);
    const four = slopes(moved(values, three, step), costs, market);
    const mean = one.map((each, i) => (each + 2 * at(two, i) + 2 * at(three, i) + at(four, i)) / 6);
    values = moved(values, mean, step);
    left -= step;
  }
  return values;
}

const at = (values: readonly number[], index: number): number => values[index] ?? 0;

const moved = (values: readonly number[], by: readonly number[], step: number): number[] =>
  values.map((value, i) => value + step * at(by, i));

/** What takers bring in at one inventory; none of the side at whose bound it is. */
function gain(values: readonly number[], i: number, { k, sellers, buyers }: Market): number {
  const [here, more, fewer] = [at(values, i), values[i + 1], values[i - 1]];
  const bought = more === undefined ? 0 : sellers * Math.exp(k * (more - here));
  const sold = fewer === undefined ? 0 : buyers * Math.exp(k * (fewer - here));
  return bought + sold;
}

const slopes = (values: readonly number[], costs: readonly number[], market: Market): number[] =>
  values.map((_, i) => gain(values, i, market) / market.k - at(costs, i));

const fastest = (values: readonly number[], costs: readonly number[], market: Market): number =>
  Math.max(...values.map((_, i) => 2 * gain(values, i, market) + market.k * Math.abs(at(costs, i))));
