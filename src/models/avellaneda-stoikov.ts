// Avellaneda & Stoikov, "High-frequency trading in a limit order book", Quantitative Finance 8(3), 2008.
//
// Prices and distances are in one unit (u), times in another (t): σ in u/√t, k in 1/u, γ in 1/u. Takers reach a quote
// at distance δ from the mid price at the rate λ(δ) = A·e^(−kδ).

interface AvellanedaStoikovInput {
  /** s. */
  readonly mid: number;
  /** q: inventory off its target, in orders. */
  readonly inventory: number;
  /** γ: risk aversion, above 0. */
  readonly gamma: number;
  /** σ. */
  readonly sigma: number;
  /** k, above 0. */
  readonly k: number;
  /** T − t, not below 0. */
  readonly timeLeft: number;
}

interface ReservationQuotes {
  /** r: the price of indifference to one unit more or less. */
  readonly reservation: number;
  /** Ask − bid. */
  readonly spread: number;
  readonly bid: number;
  readonly ask: number;
}

/** Equations (3.17) and (3.18): r = s − q·γ·σ²·(T−t); spread = γσ²(T−t) + (2/γ)·ln(1 + γ/k). */
export function avellanedaStoikov(input: AvellanedaStoikovInput): ReservationQuotes {
  const { mid, inventory, gamma, sigma, k, timeLeft } = input;
  const risk = gamma * sigma ** 2 * timeLeft;
  const reservation = mid - inventory * risk;
  const spread = risk + 2 * monopolyDistance(gamma, k);
  return { reservation, spread, bid: reservation - spread / 2, ask: reservation + spread / 2 };
}

/** (1/γ)·ln(1 + γ/k): the distance without any concern about inventory. */
export const monopolyDistance = (gamma: number, k: number): number => Math.log1p(gamma / k) / gamma;

interface StationaryInput extends Omit<AvellanedaStoikovInput, 'sigma' | 'timeLeft'> {
  /** q_max: the most inventory held, in orders, either way; at least 1. */
  readonly mostInventory: number;
}

/**
 * The infinite horizon (section 2): with v(q) ∝ −e^(−γqs)/(2ω − γ²q²σ²), the price of indifference to one more is r_b =
 * s + (1/γ)·ln(1 − (1+2q)γ²σ²/(2ω − γ²q²σ²)), and r_a is the same mirrored, s − (1/γ)·ln(1 − (1−2q)…); the paper prints
 * ln(1 + …) there, which is the same to first order and does not follow from v. Each quote lies `monopolyDistance`
 * beyond that. With ω = ½γ²σ²(q_max+1)², as the paper proposes, σ cancels out. At q_max there is no bid, at −q_max no
 * ask: null.
 */
export function stationaryQuotes(input: StationaryInput): { readonly bid: number | null; readonly ask: number | null } {
  const { mid, inventory, gamma, k } = input;
  const [down, up] = [discountToBuy(input, inventory), discountToBuy(input, -inventory)];
  const beyond = monopolyDistance(gamma, k);
  return { bid: down === null ? null : mid - down - beyond, ask: up === null ? null : mid + up + beyond };
}

/** s − r_b at this inventory. */
function discountToBuy({ gamma, mostInventory }: StationaryInput, inventory: number): number | null {
  const room = (mostInventory + 1) ** 2 - inventory ** 2;
  const inside = 1 - (1 + 2 * inventory) / room;
  return room > 0 && inside > SMALLEST ? -Math.log(inside) / gamma : null;
}

/** Below this a logarithm is mostly rounding error. */
const SMALLEST = 1e-12;
