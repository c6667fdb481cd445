// Risk checks of the order against the market: is what we know of it good, and is the price sane.
import { Decimal } from '../../domain/decimal.ts';
import { type OrderBook, touchOf } from '../../domain/order-book.ts';
import { isPositive } from '../usable.ts';
import { type Check, deny, type RiskContext } from './risk-context.ts';

/** Check 4: a fresh, two-sided, uncrossed book, and a reference near it and near the last good one. */
export const checkReference: Check = ({ request: { symbol } }, context) => {
  const { referencePrice, lastGoodReference, limits } = context;
  const flaw = flawOfBook(context);
  if (flaw !== null) return deny('reference', `The book of ${symbol} ${flaw}.`);
  if (!isPositive(referencePrice)) return deny('reference', `The reference price of ${symbol} is ${referencePrice}.`);
  const astray = farFromBook(context.book, referencePrice, limits.collarBps);
  const bookDenies =
    astray === null ? null : deny('reference', `The reference price ${astray}, the best price (${symbol}).`);
  if (lastGoodReference === null) {
    // It is no first price that a second book could confirm.
    if (bookDenies !== null) return bookDenies;
    return deny('reference', `Only one order book of ${symbol} has been read: a second must confirm its price.`);
  }
  if (!isPositive(lastGoodReference)) {
    return deny('reference', `The last good reference price of ${symbol} is ${lastGoodReference}.`);
  }
  const far = tooFar(referencePrice, lastGoodReference, limits.referenceJumpBps);
  if (far !== null) return deny('reference', `The reference price ${far}, the last good one (${symbol}).`);
  return bookDenies;
};

/**
 * The middle of a sentence, as of `tooFar`. What the book gives lies in it. A price from elsewhere (other exchanges, a
 * trade, a fixed one) may lie anywhere.
 */
export function farFromBook(book: OrderBook | null, reference: Decimal, limitBps: number): string | null {
  const touch = book && touchOf(book);
  if (!touch) return null;
  return tooFar(reference, Decimal.max(touch.bid.price, Decimal.min(touch.ask.price, reference)), limitBps);
}

function flawOfBook({ book, bookSentAt, bookMaxAgeMs, now }: RiskContext): string | null {
  if (book === null || bookSentAt === null) return 'is not known';
  const age = now - bookSentAt;
  if (!(age >= 0 && age <= bookMaxAgeMs)) return `is ${age} ms old; 0 to ${bookMaxAgeMs} ms are allowed`;
  const touch = touchOf(book);
  if (touch === null) return 'is empty on a side, crossed or locked';
  const sound = [touch.bid.price, touch.ask.price, touch.bid.quantity, touch.ask.quantity].every(isPositive);
  return sound ? null : 'has a best level that is not a positive price and quantity';
}

/** Check 3: against the reference, and against the price of some minutes ago. */
export const checkCollar: Check = ({ request: { symbol, price } }, { referencePrice, recentReference, limits }) => {
  if (!isPositive(referencePrice)) return deny('collar', `The reference price of ${symbol} is ${referencePrice}.`);
  if (!isPositive(recentReference)) {
    return deny('collar', `The recent reference price of ${symbol} is ${recentReference}.`);
  }
  const far = tooFar(price, referencePrice, limits.collarBps);
  if (far !== null) return deny('collar', `Price ${far}, the reference price (${symbol}).`);
  const farBefore = tooFar(price, recentReference, limits.collarWindowBps);
  return farBefore === null ? null : deny('collar', `Price ${farBefore}, the recent reference price (${symbol}).`);
};

/** Check 13: an order meant to rest never crosses the freshest book. */
export const checkMarketable: Check = ({ request: { side, price } }, { book }) => {
  const touch = book && touchOf(book);
  if (!touch) return deny('marketable', 'There is no book to see whether the order would rest.');
  const opposite = side === 'buy' ? touch.ask.price : touch.bid.price;
  if (side === 'buy' ? price.lt(opposite) : price.gt(opposite)) return null;
  const name = side === 'buy' ? 'ask' : 'bid';
  return deny('marketable', `A ${side} at ${price.toFixed()} would meet the best ${name} of ${opposite.toFixed()}.`);
};

/** `null` within the limit; else the middle of a sentence: `105 is 500 bps, more than 300 bps, from 100`. */
function tooFar(price: Decimal, from: Decimal, limitBps: number): string | null {
  const distance = price.sub(from).abs().mul(10_000);
  if (distance.lte(from.mul(new Decimal(limitBps)))) return null;
  const bps = distance.div(from).toDecimalPlaces(1).toFixed();
  return `${price.toFixed()} is ${bps} bps, more than ${limitBps} bps, from ${from.toFixed()}`;
}
