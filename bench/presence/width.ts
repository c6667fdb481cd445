// How far from the market a run may quote by its own parameters.
import type { RunSettings } from '../../src/trader/state/settings.ts';
import type { FixedSpreadParams } from '../../strategies/fixed-spread.ts';

/** Half spread of the outermost level, the lean of prices, and what an order may be off before it is moved. */
export function widthBpsOf({
  strategy,
  params,
  refresh,
}: Pick<RunSettings, 'params' | 'refresh' | 'strategy'>): number {
  if (strategy.name !== 'fixed-spread') throw new Error(`How far ${strategy.name} quotes is not known here.`);
  const { levels, halfSpreadBps, halfSpreadStepBps, bidHalfSpreadsBps, askHalfSpreadsBps, skewBps } =
    params as FixedSpreadParams;
  const outermost = halfSpreadBps + (levels - 1) * halfSpreadStepBps;
  const listed = [...(bidHalfSpreadsBps ?? [outermost]), ...(askHalfSpreadsBps ?? [outermost])];
  return Math.max(...listed) + skewBps + refresh.priceToleranceBps;
}
