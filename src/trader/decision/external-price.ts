// The price that other exchanges make, as the trader keeps it: what the sources said last, and what that comes to as
// time passes.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { type ExternalPrice, NO_KNOWLEDGE } from '../../quoting/strategy.ts';
import { combine, type ExternalReading } from '../../reference/combine.ts';
import type { ExternalAt } from '../state/external.ts';
import { marketOf, type TraderState, touch } from '../state/state.ts';

/** Takes what the sources said over. A reading for a symbol that is not quoted is a bug of whoever tells it. */
export function observeExternal(
  state: TraderState,
  { symbol, reading }: { readonly symbol: InstrumentSymbol; readonly reading: ExternalReading },
  now: EpochMs,
): void {
  marketOf(state, symbol).externalReading = reading;
  renewExternal(state, symbol, now);
}

/**
 * Works the price out anew, and has the decision made anew where it is another one. The object stays the same while
 * only its age has grown: whatever is cached by it stays valid.
 */
export function renewExternal(state: TraderState, symbol: InstrumentSymbol, now: EpochMs): void {
  const market = marketOf(state, symbol);
  const { external, externalReading: reading } = market;
  if (reading === null) return;
  const price = combine(reading, now);
  const isSame = external !== null && isSamePrice(external.price, price);
  if (isSame && !isYounger(price, externalPriceAt(external, now))) return;
  market.external = { price, at: now };
  if (!isSame) touch(state, symbol);
}

/** Sources that say the same again say it of now. */
const isYounger = (price: ExternalPrice, kept: ExternalPrice): boolean =>
  price.kind === 'known' && kept.kind === 'known' && price.ageMs < kept.ageMs;

function isSamePrice(a: ExternalPrice, b: ExternalPrice): boolean {
  if (a.kind === 'unknown') return b.kind === 'unknown' && a.why === b.why;
  if (b.kind === 'unknown') return false;
  return a.price.eq(b.price) && a.sources === b.sources && a.spreadBps === b.spreadBps && a.widenBps === b.widenBps;
}

/** As it is in a view at `now`. */
export function externalPriceAt(external: ExternalAt | null, now: EpochMs): ExternalPrice {
  if (external === null) return NO_KNOWLEDGE.externalPrice;
  const { price, at } = external;
  return price.kind === 'unknown' ? price : { ...price, ageMs: price.ageMs + Math.max(0, now - at) };
}
