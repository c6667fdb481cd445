// Guéant, Lehalle & Fernandez-Tapia, "Dealing with the inventory risk", Mathematics and Financial Economics 7(4), 2013,
// and Guéant, "Optimal market making", Applied Mathematical Finance 24(2), 2017.
//
// Prices and distances are in one unit (u), times in another (t): σ in u/√t, k in 1/u, γ and ξ in 1/u, A in 1/t, drift
// in u/t. Inventory q is counted in units of base; an order is of Δ of them.
import { monopolyDistance } from './avellaneda-stoikov.ts';

export interface GlftInput {
  /** γ: aversion to the risk of the inventory's price. */
  readonly gamma: number;
  /** ξ: aversion to the risk of not trading. γ gives the model of 2013, 0 the limit without it. */
  readonly xi: number;
  readonly sigma: number;
  /** A: takers per time at the mid price. */
  readonly a: number;
  readonly k: number;
  /** Δ: size of an order. */
  readonly size: number;
}

interface GlftConstants {
  readonly c1: number;
  readonly c2: number;
  /** At zero inventory, on each side: c1 + Δσc2/2. */
  readonly halfSpread: number;
  /** How far both quotes move against each unit of inventory: σc2. */
  readonly skew: number;
}

/**
 * Closed form far from the end (Guéant 2017, section 4): c1 = ln(1+ξΔ/k)/(ξΔ),
 * c2 = √(γ/(2AΔk)·(1+ξΔ/k)^(k/(ξΔ)+1)); bid = s − (half-spread + skew·q), ask = s + (half-spread − skew·q).
 */
export function glftClosedForm({ gamma, xi, sigma, a, k, size }: GlftInput): GlftConstants {
  const perOrder = xi * size;
  const c1 = perOrder === 0 ? 1 / k : Math.log1p(perOrder / k) / perOrder;
  // (1 + x/k)^(k/x + 1) by its logarithm, with the limit e as x goes to 0.
  const growth = perOrder === 0 ? Math.E : Math.exp((k / perOrder + 1) * Math.log1p(perOrder / k));
  const c2 = Math.sqrt((gamma / (2 * a * size * k)) * growth);
  return { c1, c2, halfSpread: c1 + (size * sigma * c2) / 2, skew: sigma * c2 };
}

export interface Distances {
  /** The bid's distance from the mid price, at this inventory; null where buying must stop. */
  bidDistance(inventory: number): number | null;
  askDistance(inventory: number): number | null;
}

interface GlftExactInput extends Omit<GlftInput, 'xi' | 'size'> {
  readonly timeLeft: number;
  /** Q: inventory ranges from −Q to Q, in orders. */
  readonly mostInventory: number;
  /** μ of the mid price; 0 without a trend. */
  readonly drift?: number;
  /** How far the mid price moves against us with each fill (adverse selection); 0 for none. */
  readonly impact?: number;
}

/**
 * Finite horizon, orders of one unit (2013, theorem 1; with a trend and with market impact: section 5). With v(t) =
 * exp(−M(T−t))·v(T), v_q(T) = e^(−k·impact·q²/2), M tridiagonal with (k/2)γσ²q² − kμq on its diagonal and
 * −A(1+γ/k)^(−(1+k/γ))·e^(−k·impact/2) next to it, δ_b = (1/k)·ln(v_q/v_{q+1}) + (1/γ)·ln(1+γ/k) + impact/2, and δ_a
 * with v_{q−1}.
 */
export function glftExact(input: GlftExactInput): Distances {
  const { gamma, sigma, a, k, timeLeft, mostInventory: most, drift = 0, impact = 0 } = input;
  const eta = a * Math.exp(-(1 + k / gamma) * Math.log1p(gamma / k) - (k * impact) / 2);
  const inventories = Array.from({ length: 2 * most + 1 }, (_, index) => index - most);
  const negated: Tridiagonal = {
    lower: inventories.map(() => eta),
    diagonal: inventories.map((q) => k * drift * q - (k / 2) * gamma * sigma ** 2 * q ** 2),
    upper: inventories.map(() => eta),
  };
  // The final inventory has moved the price against itself by ξq²/2 in total.
  const atEnd = inventories.map((q) => Math.exp((-k * impact * q ** 2) / 2));
  const values = expTimesVector(negated, timeLeft, atEnd);
  const beyond = monopolyDistance(gamma, k) + impact / 2;
  const distance = (from: number, to: number): number | null => {
    const [v, next] = [values[from + most], values[to + most]];
    return v === undefined || next === undefined ? null : Math.log(v / next) / k + beyond;
  };
  return { bidDistance: (q) => distance(q, q + 1), askDistance: (q) => distance(q, q - 1) };
}

// The exponential of a tridiagonal matrix times a vector, up to a factor: the models use only ratios of its entries.

/** Row i is `lower[i]`, `diagonal[i]`, `upper[i]`; the first of `lower` and the last of `upper` are ignored. */
export interface Tridiagonal {
  /** Not below 0, like those of `upper`. */
  readonly lower: readonly number[];
  readonly diagonal: readonly number[];
  readonly upper: readonly number[];
}

type Dense = Float64Array[];

const MOST_TERMS = 40;

/**
 * exp(matrix·time)·vector, up to a common factor: the largest entry is 1. Scaling and squaring: the diagonal is shifted
 * until no entry is below 0, which changes only the factor and avoids cancellation; Taylor series on a short step, then
 * squared repeatedly, so that a year costs some thirty multiplications. Rescaled on the way, so that long times neither
 * vanish nor overflow.
 */
export function expTimesVector(matrix: Tridiagonal, time: number, vector: readonly number[]): readonly number[] {
  const lowest = Math.min(...matrix.diagonal);
  const shifted: Tridiagonal = { ...matrix, diagonal: matrix.diagonal.map((value) => value - lowest) };
  const squarings = Math.max(0, Math.ceil(Math.log2(Math.max(norm(shifted) * time, 1))));
  let power = exponential(shifted, time / 2 ** squarings);
  for (let n = 0; n < squarings; n += 1) power = squared(power);
  const product = power.map((row) => row.reduce((sum, value, j) => sum + value * at(vector, j), 0));
  const largest = Math.max(...product);
  return product.map((value) => value / largest);
}

/** By its series, for a norm of at most 1. */
function exponential(matrix: Tridiagonal, time: number): Dense {
  const size = matrix.diagonal.length;
  const sum = identity(size);
  let term = identity(size);
  for (let n = 1; n <= MOST_TERMS; n += 1) {
    term = times(matrix, term, time / n);
    let largest = 0;
    for (const [i, row] of term.entries())
      for (const [j, value] of row.entries()) {
        (sum[i] as Float64Array)[j] = at(sum[i], j) + value;
        largest = Math.max(largest, value);
      }
    if (largest < Number.EPSILON / 16) break;
  }
  return sum;
}

const identity = (size: number): Dense =>
  Array.from({ length: size }, (_, i) => {
    const row = new Float64Array(size);
    row[i] = 1;
    return row;
  });

const at = (values: ArrayLike<number> | undefined, index: number): number => values?.[index] ?? 0;

function times({ lower, diagonal, upper }: Tridiagonal, right: Dense, factor: number): Dense {
  return right.map((own, i) =>
    own.map(
      (value, j) =>
        factor *
        (at(diagonal, i) * value +
          (i === 0 ? 0 : at(lower, i) * at(right[i - 1], j)) +
          (i === right.length - 1 ? 0 : at(upper, i) * at(right[i + 1], j))),
    ),
  );
}

/** Scaled to a largest entry of 1. */
function squared(matrix: Dense): Dense {
  const size = matrix.length;
  let largest = 0;
  const product = matrix.map((row) => {
    const result = new Float64Array(size);
    for (let k = 0; k < size; k += 1) {
      const factor = at(row, k);
      if (factor === 0) continue;
      const other = matrix[k] as Float64Array;
      for (let j = 0; j < size; j += 1) result[j] = at(result, j) + factor * at(other, j);
    }
    for (const value of result) largest = Math.max(largest, value);
    return result;
  });
  return product.map((row) => row.map((value) => value / largest));
}

/** The largest row sum. */
const norm = ({ lower, diagonal, upper }: Tridiagonal): number =>
  Math.max(...diagonal.map((value, i) => value + at(lower, i) + at(upper, i)));
