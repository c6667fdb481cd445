// How far from the reference price the models must quote, from what docs/strategies.md and the papers that it names
// say: plain numbers, and nothing of what the program computes with.
import type { RunSettings } from '../../src/trader/state/settings.ts';
import { inventoryValues } from './inventory-values.ts';

/** In basis points outwards; null where the side is at its bound. */
export interface Distances {
  readonly buy: number | null;
  readonly sell: number | null;
}

/** Parameters as the configuration names them, with their defaults in. */
interface Params {
  readonly riskAversionPerBps: number;
  readonly volatilityBpsPerSqrtSecond: number;
  readonly takersPerSecond: number;
  readonly decayPerBps: number;
  readonly horizonSeconds: number;
  readonly mostInventoryOrders: number;
  readonly skewMultiplier: number;
  readonly volatilityFrom: Source;
  readonly takersFrom: Source;
  readonly horizon: 'rolling' | 'infinite';
  readonly form: 'closed' | 'exact';
  readonly executionAversionPerBps?: number;
  readonly sizeInRiskUnits: number;
  readonly driftBpsPerSecond: number;
  readonly impactBps: number;
  readonly buyersPerSecond?: number;
  readonly sellersPerSecond?: number;
  readonly runningPenaltyBpsPerSecond: number;
  readonly terminalPenaltyBps: number;
  readonly buyImpactBps: number;
  readonly sellImpactBps: number;
}

type Source = 'parameter' | 'estimate';
/** `q`: orders too many. */
type Model = (q: number, params: Params) => Distances;

const MODELS: Readonly<Record<string, Model>> = {
  'avellaneda-stoikov': (q, params) => (params.horizon === 'rolling' ? rolling : stationary)(q, params),
  glft: (q, params) => (params.form === 'closed' ? closed : exact)(q, params),
  'cartea-jaimungal': punished,
};

type Quoting = Pick<RunSettings, 'strategy' | 'params'>;

const paramsOf = ({ params }: Quoting): Params => params as Params;

export const isModel = ({ strategy }: Quoting): boolean => Object.hasOwn(MODELS, strategy.name);

/** Whether every number that the model goes by is in the configuration: what is estimated is not worked out here. */
export function isGiven(run: Quoting): boolean {
  const { volatilityFrom, takersFrom } = paramsOf(run);
  return takersFrom === 'parameter' && volatilityFrom !== 'estimate';
}

export function modelDistances(run: Quoting, q: number): Distances {
  const model = MODELS[run.strategy.name];
  return model === undefined ? { buy: null, sell: null } : model(q, paramsOf(run));
}

/** Avellaneda & Stoikov 2008: r = −qγσ²T, and γσ²T + (2/γ)·ln(1 + γ/k) from bid to ask. */
function rolling(q: number, params: Params): Distances {
  const { riskAversionPerBps: gamma, volatilityBpsPerSqrtSecond: sigma, horizonSeconds: time } = params;
  const lean = -q * params.skewMultiplier * gamma * sigma * sigma * time;
  const spread = gamma * sigma * sigma * time + (2 / gamma) * Math.log(1 + gamma / params.decayPerBps);
  return { buy: spread / 2 - lean, sell: spread / 2 + lean };
}

/**
 * Their infinite horizon: with ω = ½γ²σ²(q_max + 1)² one more is worth (1/γ)·ln(1 − (1 + 2q)γ²σ²/(2ω − γ²q²σ²)) to him,
 * and one less the same of −q with the other sign.
 */
function stationary(q: number, params: Params): Distances {
  const { riskAversionPerBps: gamma, volatilityBpsPerSqrtSecond: sigma, mostInventoryOrders: most } = params;
  const variance = gamma * gamma * sigma * sigma;
  const omega = (variance * (most + 1) * (most + 1)) / 2;
  const alone = Math.log(1 + gamma / params.decayPerBps) / gamma;
  const toBuy = (held: number): number | null => {
    const room = 2 * omega - variance * held * held;
    const inside = 1 - ((1 + 2 * held) * variance) / room;
    return room > 0 && inside > NOTHING ? alone - Math.log(inside) / gamma : null;
  };
  const leaning = Math.max(-most, Math.min(most, leaned(q, params)));
  return bounded(q, params, { buy: toBuy(leaning), sell: toBuy(-leaning) });
}

/** A lean that is multiplied stops one order short of the bound; what is held beyond that counts as it is. */
function leaned(q: number, { mostInventoryOrders: most, skewMultiplier }: Params): number {
  const wanted = Math.abs(q) * skewMultiplier;
  const stopsAt = Math.abs(q) > most - 1 ? Math.abs(q) : most - 1;
  return Math.sign(q) * (wanted > stopsAt ? stopsAt : wanted);
}

/** With so many orders too much nothing is bought, and with so many too few nothing sold, whatever the lean. */
const bounded = (q: number, { mostInventoryOrders: most }: Params, { buy, sell }: Distances): Distances => ({
  buy: q >= most ? null : buy,
  sell: q <= -most ? null : sell,
});

/** What is left of 1 here is a rounding error. */
const NOTHING = 1e-12;

/** Guéant 2017, far from the end, with the trend and the impact of section 5 of the paper of 2013. */
function closed(q: number, params: Params): Distances {
  const { riskAversionPerBps: gamma, volatilityBpsPerSqrtSecond: sigma, decayPerBps: k, takersPerSecond: a } = params;
  const { executionAversionPerBps: xi = gamma, sizeInRiskUnits: size, impactBps: impact } = params;
  const x = (xi * size) / k;
  const c1 = x === 0 ? 1 / k : Math.log(1 + x) / (xi * size);
  const c2 = Math.sqrt((gamma / (2 * a * size * k)) * (x === 0 ? Math.E : (1 + x) ** (1 / x + 1)));
  const slope = sigma * c2 * size * Math.exp((k * impact) / 4);
  const trend = params.driftBpsPerSecond / (gamma * sigma * sigma);
  const at = (held: number): number => c1 + impact / 2 + (held + 1 / 2) * slope;
  const leaning = q * params.skewMultiplier - trend;
  return { buy: at(leaning), sell: at(-leaning) };
}

/** Guéant, Lehalle & Fernandez-Tapia 2013, with an end and with bounds. */
function exact(q: number, params: Params): Distances {
  const { riskAversionPerBps: gamma, volatilityBpsPerSqrtSecond: sigma, decayPerBps: k, impactBps: impact } = params;
  const { takersPerSecond, driftBpsPerSecond: drift } = params;
  const weighed = takersPerSecond * (1 + gamma / k) ** (-1 - k / gamma) * Math.exp((-k * impact) / 2);
  const values = solvedOnce(params, () => ({
    ...{ k, sellers: weighed, buyers: weighed },
    cost: (held) => (gamma * sigma * sigma * held * held) / 2 - drift * held,
    atEnd: (held) => (-impact * held * held) / 2,
  }));
  const alone = Math.log(1 + gamma / k) / gamma + impact / 2;
  return bounded(q, params, between(leaned(q, params), params, { values, buy: alone, sell: alone }));
}

/** Cartea, Jaimungal & Penalva 2015, chapter 10. */
function punished(q: number, params: Params): Distances {
  const { decayPerBps: k, takersPerSecond, buyImpactBps, sellImpactBps } = params;
  const { buyersPerSecond: buyers = takersPerSecond, sellersPerSecond: sellers = takersPerSecond } = params;
  const weighed = (takers: number, impact: number): number => takers * Math.exp(-1 - k * impact);
  const values = solvedOnce(params, () => ({
    k,
    sellers: weighed(sellers, sellImpactBps),
    buyers: weighed(buyers, buyImpactBps),
    cost: (held) =>
      params.runningPenaltyBpsPerSecond * held * held - held * (buyImpactBps * buyers - sellImpactBps * sellers),
    atEnd: (held) => -params.terminalPenaltyBps * held * held,
  }));
  return between(q, params, { values, buy: 1 / k + sellImpactBps, sell: 1 / k + buyImpactBps });
}

/** By parameters, which a run keeps. */
const solved = new WeakMap<Params, readonly number[]>();

function solvedOnce(
  params: Params,
  market: () => Omit<Parameters<typeof inventoryValues>[0], 'most' | 'seconds'>,
): readonly number[] {
  const { mostInventoryOrders: most, horizonSeconds: seconds } = params;
  const values = solved.get(params) ?? inventoryValues({ ...market(), most, seconds });
  solved.set(params, values);
  return values;
}

interface Solution {
  /** Of whole orders, from the bound below on. */
  readonly values: readonly number[];
  /** What each side asks for beside what the step costs. */
  readonly buy: number;
  readonly sell: number;
}

/** The model knows whole orders; between them it is taken to be straight, and beyond a bound as at the bound. */
function between(q: number, { mostInventoryOrders: most }: Params, { values, buy, sell }: Solution): Distances {
  const valueAt = (held: number): number => values[held + most] ?? Number.NaN;
  const bid = (held: number): number => buy + valueAt(held) - valueAt(held + 1);
  const ask = (held: number): number => sell + valueAt(held) - valueAt(held - 1);
  const straight = (from: number, to: number, share: number): number =>
    Number.isFinite(to) ? from + share * (to - from) : from;
  const held = Math.max(-most, Math.min(most, q));
  const [low, high] = [Math.floor(held), Math.ceil(held)];
  return {
    buy: q >= most ? null : straight(bid(low), bid(low + 1), held - low),
    sell: q <= -most ? null : straight(ask(high), ask(high - 1), high - held),
  };
}
