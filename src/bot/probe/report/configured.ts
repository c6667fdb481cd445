// What the configuration says about the things that a probe asks.
import type { Settings } from '../../settings/settings.ts';
import type { Configured } from '../findings/infer.ts';

/** Of symbols that no run quotes only the name is known. */
export function configuredOf(
  { trader, venue, lanes, runSections, costs }: Settings,
  symbols: readonly string[],
): Configured {
  return {
    symbols: symbols.map((symbol) => {
      const index = trader.runs.findIndex(({ instrument }) => instrument.symbol === symbol);
      const [run, section] = [trader.runs[index], runSections[index]];
      if (run === undefined || section === undefined) return { symbol, run: null };
      const { makerFeeRatio, takerFeeRatio, tdsRatio } = run.costs;
      const { feeTaxRatio } = section.costs ?? costs;
      return {
        symbol,
        run: {
          instrument: run.instrument,
          makerFeeRatio,
          takerFeeRatio,
          tdsRatio,
          feeTaxRatio,
          hasOwnCosts: section.costs !== undefined,
        },
      };
    }),
    requestsPerSecond: { public: lanes.public.requestsPerSecond, private: lanes.private.requestsPerSecond },
    percentEncoding: venue.signature.percentEncoding,
    legacyPaths: venue.legacyPaths,
    apiKeyHeader: venue.apiKeyHeader,
    timeOffsetMinutes: venue.timeOffsetMinutes,
  };
}
