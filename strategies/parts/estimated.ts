// Model numbers that are either set, or estimated with the setting as the fallback.
import { z } from 'zod';
import type { Side } from '../../src/domain/order.ts';
import type { Estimate, Intensity } from '../../src/estimates/estimate.ts';
import { above0 } from '../../src/quoting/amount.ts';
import type { MarketView, Step } from '../../src/quoting/strategy.ts';

const from = z.enum(['parameter', 'estimate']).default('parameter');

/** To be spread into the parameters of a strategy. */
export const volatilityParams = {
  volatilityBpsPerSqrtSecond: above0(10_000, 'bps/√s')
    .default(2)
    .describe('σ: one standard deviation of the price, in basis points per square root of a second.'),
  volatilityFrom: from.describe(
    'Whether σ is the value set, or estimated from the books read; the value set then counts while the estimate is ' +
      'unknown.',
  ),
};

export const takersParams = {
  takersPerSecond: above0(10_000, '1/s')
    .default(0.02)
    .describe('A: takers of each side per second that would reach a quote at the mid price.'),
  decayPerBps: above0(10, '1/bps')
    .default(0.02)
    .describe('k: how fast they decline with distance, per basis point: at 1/k 37 % are left.'),
  takersFrom: from.describe(
    'Whether A and k are the values set, or estimated from public trades, which are then read; the values set count ' +
      'while an estimate is unknown.',
  ),
};

interface VolatilityParams {
  readonly volatilityBpsPerSqrtSecond: number;
  readonly volatilityFrom: 'parameter' | 'estimate';
}

interface TakersParams {
  readonly takersPerSecond: number;
  readonly decayPerBps: number;
  readonly takersFrom: 'parameter' | 'estimate';
}

/** A number, and the line with its source. */
export interface Known<T> {
  readonly value: T;
  readonly step: Step;
}

/** A price that never moved shows that nothing happened, not that nothing will. */
const STOOD_STILL = 'The setting, as the price has not moved at all while it was observed.';

export function volatilityOf(view: MarketView, params: VolatilityParams): Known<number> {
  const { volatilityBpsPerSqrtSecond: set, volatilityFrom } = params;
  const estimate = view.estimates.volatilityBpsPerSqrtSecond;
  const isUsable = estimate.kind === 'known' && estimate.value > 0;
  const value = volatilityFrom === 'estimate' && isUsable ? estimate.value : set;
  const stoodStill = volatilityFrom === 'estimate' && estimate.kind === 'known' && !isUsable;
  const why = stoodStill ? STOOD_STILL : whyThis(volatilityFrom, estimate);
  return { value, step: { name: 'volatility', before: `${set} bps/√s`, after: `${value.toFixed(3)} bps/√s`, why } };
}

/** Takers that would fill our quote of this side. */
export function takersOf(view: MarketView, side: Side, params: TakersParams): Known<Intensity> {
  const { takersPerSecond, decayPerBps, takersFrom } = params;
  const set = { perSecond: takersPerSecond, decayPerBps };
  const estimate = view.estimates.intensity[side];
  const value = takersFrom === 'estimate' && estimate.kind === 'known' ? estimate.value : set;
  const words = ({ perSecond, decayPerBps: k }: Intensity): string =>
    `${perSecond.toPrecision(3)}/s·e^(−${k.toPrecision(3)}·bps)`;
  const name = side === 'buy' ? 'takers that sell' : 'takers that buy';
  return { value, step: { name, before: words(set), after: words(value), why: whyThis(takersFrom, estimate) } };
}

function whyThis(source: 'parameter' | 'estimate', estimate: Estimate<unknown>): string {
  if (source === 'parameter') return 'As set.';
  if (estimate.kind === 'unknown') return `What is set, as the estimate is unknown: ${estimate.why}`;
  return `Estimated from ${estimate.samples} samples, the last ${(estimate.ageMs / 1_000).toFixed(0)} s ago.`;
}
