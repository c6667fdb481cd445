// The external price as people see it.
import { plain } from '../../domain/decimal.ts';
import type { EpochMs } from '../../domain/time.ts';
import { externalPriceAt } from '../decision/external-price.ts';
import type { Market } from '../state/market.ts';
import type { ExternalView } from './snapshot.ts';

/** Null where nothing was told. */
export function externalView(
  { external, externalReading: reading }: Pick<Market, 'external' | 'externalReading'>,
  now: EpochMs,
): ExternalView | null {
  if (external === null || reading === null) return null;
  const price = externalPriceAt(external, now);
  const isKnown = price.kind === 'known';
  return {
    price: isKnown ? plain(price.price) : null,
    why: isKnown ? null : price.why,
    asOf: isKnown ? now - price.ageMs : null,
    widenBps: isKnown ? price.widenBps : 0,
    sources: reading.legs.map((leg) => ({
      source: leg.source,
      price: plain(leg.price.toSignificantDigits(SHOWN_DIGITS)),
      asOf: leg.asOf,
    })),
    staleMs: reading.guards.staleMs,
  };
}

const SHOWN_DIGITS = 12;
