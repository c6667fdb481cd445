// Cartea, Jaimungal & Penalva, "Algorithmic and High-Frequency Trading", Cambridge 2015, chapter 10: a market maker
// with inventory penalties, running (φ) and terminal (α), in a market whose two sides differ.
//
// Prices and distances are in one unit (u), times in another (t): κ in 1/u, φ in u/t, α in u, ε in u, λ in 1/t.
import { type Distances, expTimesVector, type Tridiagonal } from './gueant-lehalle.ts';

interface CarteaJaimungalInput {
  /** κ: how fast takers decline with distance; the same on both sides. */
  readonly kappa: number;
  /** φ: penalty on q² per time. */
  readonly runningPenalty: number;
  /** α: penalty on q² at the end. */
  readonly terminalPenalty: number;
  /** λ⁺: buying takers per time that would reach an ask at the mid price. */
  readonly buysPerTime: number;
  /** λ⁻: selling takers per time. */
  readonly sellsPerTime: number;
  /** ε⁺: how much the mid price rises with each buying taker; 0 without adverse selection (section 10.4). */
  readonly buyImpact?: number;
  /** ε⁻: how much it falls with each selling taker. */
  readonly sellImpact?: number;
  readonly timeLeft: number;
  /** Inventory ranges from −Q to Q, in orders. */
  readonly mostInventory: number;
}

/**
 * δ± = 1/κ + ε± − h(q∓1) + h(q) with h = ln(ω)/κ, ω(t) = exp(A(T−t))·e^(−ακq²). Row q of A: −φκq² + qκ(ε⁺λ⁺ − ε⁻λ⁻) on
 * the diagonal, λ⁺·e^(−1−κε⁺) in the column of q−1, λ⁻·e^(−1−κε⁻) in that of q+1. The ask is δ⁺, the bid δ⁻.
 */
export function carteaJaimungal(input: CarteaJaimungalInput): Distances {
  const { kappa, runningPenalty, terminalPenalty, buysPerTime, sellsPerTime } = input;
  const { buyImpact = 0, sellImpact = 0, timeLeft, mostInventory: most } = input;
  const inventories = Array.from({ length: 2 * most + 1 }, (_, index) => index - most);
  const driftOfTakers = buyImpact * buysPerTime - sellImpact * sellsPerTime;
  const matrix: Tridiagonal = {
    lower: inventories.map(() => buysPerTime * Math.exp(-1 - kappa * buyImpact)),
    diagonal: inventories.map((q) => -runningPenalty * kappa * q ** 2 + q * kappa * driftOfTakers),
    upper: inventories.map(() => sellsPerTime * Math.exp(-1 - kappa * sellImpact)),
  };
  const atEnd = inventories.map((q) => Math.exp(-terminalPenalty * kappa * q ** 2));
  const omega = expTimesVector(matrix, timeLeft, atEnd);
  const distance = (from: number, to: number, impact: number): number | null => {
    const [here, there] = [omega[from + most], omega[to + most]];
    if (here === undefined || there === undefined) return null;
    return 1 / kappa + impact + Math.log(here / there) / kappa;
  };
  return {
    bidDistance: (q) => distance(q, q + 1, sellImpact),
    askDistance: (q) => distance(q, q - 1, buyImpact),
  };
}
