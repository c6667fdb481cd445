// What is estimated of a market, in words for people.
import type { Estimate, Intensity } from '../../estimates/estimate.ts';
import type { Market } from '../state/market.ts';

/**
 * One sentence each: `Volatility: 2.31 bps per √s, of 45 samples, the last 3 s old.` What is made of
 * public trades is left out where nobody has these read.
 */
export function estimateSentences({ knowledge }: Pick<Market, 'knowledge'>): readonly string[] {
  const { volatilityBpsPerSqrtSecond: volatility, tradesPerSecond, intensity } = knowledge.estimates;
  const sentences = [sentence('Volatility', volatility, (value) => `${value.toFixed(2)} bps per √s`)];
  if (knowledge.needs.trades !== true) return sentences;
  return [
    ...sentences,
    sentence('Public trades', tradesPerSecond, (value) => `${(value * 60).toFixed(1)} a minute`),
    sentence('Takers that sell', intensity.buy, takerWords),
    sentence('Takers that buy', intensity.sell, takerWords),
  ];
}

const takerWords = ({ perSecond, decayPerBps }: Intensity): string =>
  `${(perSecond * 60).toPrecision(3)} a minute at the mid price, 37 % of them at ${(1 / decayPerBps).toFixed(0)} bps`;

function sentence<T>(name: string, estimate: Estimate<T>, words: (value: T) => string): string {
  if (estimate.kind === 'unknown') return `${name}: unknown. ${estimate.why}`;
  const { value, samples, ageMs } = estimate;
  return `${name}: ${words(value)}, of ${Math.round(samples)} samples, the last ${(ageMs / 1_000).toFixed(0)} s old.`;
}
