// The price that other exchanges make, as the trader keeps it: what the sources said last, and what that comes to as
// time passes.
import type { Decimal } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { type OrderBook, touchOf } from '../../domain/order-book.ts';
import type { EpochMs } from '../../domain/time.ts';
import { type ExternalPrice, NO_KNOWLEDGE } from '../../quoting/knowledge.ts';
import { type ReferenceSource, referencePrice } from '../../quoting/reference-price.ts';
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
  if (external !== null && isSamePrice(external.price, price)) return;
  market.external = { price, at: now };
  touch(state, symbol);
}

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

/** What quotes centre on: of the book, or of other exchanges. A book without two sides gives none either way. */
export function referenceFor(book: OrderBook, source: ReferenceSource, external: ExternalAt | null): Decimal | null {
  if (source !== 'external') return referencePrice(book, source);
  return touchOf(book) !== null && external?.price.kind === 'known' ? external.price.price : null;
}

/** Why there is no reference price, one sentence or more. */
export function whyNoReference(source: ReferenceSource, external: ExternalAt | null): string {
  if (source === 'external' && external === null)
    return 'There is no external price: other exchanges are not asked here.';
  if (source === 'external' && external?.price.kind === 'unknown')
    return `There is no external price: ${external.price.why}`;
  return 'The order book has an empty side or is crossed: there is no reference price.';
}
