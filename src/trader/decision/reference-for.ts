// What quotes centre on, by the source that the run is configured with.
import type { Decimal } from '../../domain/decimal.ts';
import { type OrderBook, touchOf } from '../../domain/order-book.ts';
import { referencePrice } from '../../quoting/reference-price.ts';
import type { OwnFill, TradesSeen } from '../../quoting/strategy.ts';
import type { ExternalAt } from '../state/external.ts';
import type { RunSettings } from '../state/settings.ts';

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
