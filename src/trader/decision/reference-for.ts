// The price that a market is quoted around: the book's, or one from elsewhere.
import type { Decimal } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { type OrderBook, touchOf } from '../../domain/order-book.ts';
import type { EpochMs } from '../../domain/time.ts';
import { referencePrice } from '../../quoting/reference-price.ts';
import { type ExternalPrice, NO_KNOWLEDGE, type OwnFill, type TradesSeen } from '../../quoting/strategy.ts';
import { combine, type ExternalReading } from '../../reference/combine.ts';
import type { ExternalAt } from '../state/decision.ts';
import type { RunSettings } from '../state/settings.ts';
import { marketOf, type TraderState, touch } from '../state/state.ts';

/** What a reference price may be taken from beside the book. */
export interface ReferenceFrom {
  readonly external: ExternalAt | null;
  readonly trades: TradesSeen | null;
  readonly ownFills: readonly OwnFill[];
}

type Source = Pick<RunSettings, 'referenceSource' | 'fixedReference'>;

/** Null where there is none: a book without two sides gives none whatever the source. */
export function referenceFor(
  book: OrderBook,
  { referenceSource, fixedReference }: Source,
  from: ReferenceFrom,
): Decimal | null {
  if (touchOf(book) === null) return null;
  switch (referenceSource) {
    case 'external':
      return from.external?.price.kind === 'known' ? from.external.price.price : null;
    case 'lastTrade':
      return from.trades?.trades.at(-1)?.price ?? null;
    case 'ownLastFill':
      return from.ownFills.at(-1)?.price ?? referencePrice(book, 'mid');
    case 'fixed':
      return fixedReference ?? null;
    default:
      return referencePrice(book, referenceSource);
  }
}

/** Why there is no reference price, one sentence or more. */
export function whyNoReference({ referenceSource: source }: Source, external: ExternalAt | null): string {
  if (source === 'external' && external === null)
    return 'There is no external price: other exchanges are not asked here.';
  if (source === 'external' && external?.price.kind === 'unknown')
    return `There is no external price: ${external.price.why}`;
  if (source === 'lastTrade')
    return 'There is no reference price: no public trade is known, or the book has no two sides.';
  return 'The order book has an empty side or is crossed: there is no reference price.';
}

// The price that other exchanges make, as the trader keeps it: what the sources said last, and what that comes to as
// time passes.

/** Takes what the sources said over. A reading for a symbol that is not quoted is a bug of whoever tells it. */
export function observeExternal(
  state: Pick<TraderState, 'markets'>,
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
export function renewExternal(state: Pick<TraderState, 'markets'>, symbol: InstrumentSymbol, now: EpochMs): void {
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
