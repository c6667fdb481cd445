// Risk checks on the order alone: steps, quantity, notional.
import { Decimal } from '../../domain/decimal.ts';
import { isOnLot, isOnTick } from '../../domain/instrument.ts';
import { type OrderBook, touchOf } from '../../domain/order-book.ts';
import { isAmount, isPositive } from '../amount.ts';
import { type Check, deny, type RiskContext } from './risk-context.ts';
import type { Limits } from './risk-limits.ts';

/** Check 11: rounded before, checked again here. */
export const checkSteps: Check = ({ request: { symbol, price, quantity } }, { instrument }) => {
  const { tickSize, lotSize, minNotional } = instrument;
  if (!isPositive(tickSize) || !isPositive(lotSize) || !isAmount(minNotional)) {
    return deny(
      'steps',
      `The steps of ${symbol} are not usable: tick ${tickSize}, lot ${lotSize}, notional ${minNotional}.`,
    );
  }
  if (!isPositive(price)) return deny('steps', `Price ${price} is not a positive number (${symbol}).`);
  if (!isPositive(quantity)) return deny('steps', `Quantity ${quantity} is not a positive number (${symbol}).`);
  if (!isOnTick(price, instrument)) {
    return deny('steps', `Price ${price.toFixed()} is not a multiple of tick size ${tickSize.toFixed()} (${symbol}).`);
  }
  if (!isOnLot(quantity, instrument)) {
    return deny(
      'steps',
      `Quantity ${quantity.toFixed()} is not a multiple of lot size ${lotSize.toFixed()} (${symbol}).`,
    );
  }
  const notional = price.mul(quantity);
  if (notional.gte(minNotional)) return null;
  return deny('steps', `Notional ${notional.toFixed()} is under the minimum of ${minNotional.toFixed()} (${symbol}).`);
};

/** Check 1. */
export const checkOrderQuantity: Check = ({ request: { quantity } }, { limits: { maxOrderQuantity }, instrument }) =>
  quantity.lte(maxOrderQuantity)
    ? null
    : deny(
        'order-quantity',
        `Quantity ${quantity.toFixed()} ${instrument.base} is over the limit of ${maxOrderQuantity.toFixed()}.`,
      );

/** Check 2. */
export const checkOrderNotional: Check = ({ request: { price, quantity } }, { limits, instrument }) => {
  const limit = limits.maxOrderNotional;
  const notional = price.mul(quantity);
  if (notional.lte(limit)) return null;
  const text = `Notional ${notional.toFixed()} ${instrument.quote} is over the limit of ${limit.toFixed()}.`;
  return deny('order-notional', text);
};

// Risk checks of the order against the market: whether our data is good, and the price sane.

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
    // Not a first price that a second book could confirm.
    if (bookDenies !== null) return bookDenies;
    return deny('reference', `Only one order book of ${symbol} has been read: a second must confirm its price.`);
  }
  if (!isPositive(lastGoodReference)) {
    return deny('reference', `The last good reference price of ${symbol} is ${lastGoodReference}.`);
  }
  const far = tooFar(referencePrice, lastGoodReference, limits.jumpBps);
  if (far !== null) return deny('reference', `The reference price ${far}, the last good one (${symbol}).`);
  return bookDenies;
};

/**
 * The middle of a sentence, as in `tooFar`. A reference from the book lies within it. A price from elsewhere (other
 * exchanges, a trade, a fixed one) may lie anywhere.
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

/** Check 3: against the reference, and against the price some minutes ago. */
export const checkCollar: Check = ({ request: { symbol, price } }, { referencePrice, recentReference, limits }) => {
  if (!isPositive(referencePrice)) return deny('collar', `The reference price of ${symbol} is ${referencePrice}.`);
  if (!isPositive(recentReference)) {
    return deny('collar', `The recent reference price of ${symbol} is ${recentReference}.`);
  }
  const far = tooFar(price, referencePrice, limits.collarBps);
  if (far !== null) return deny('collar', `Price ${far}, the reference price (${symbol}).`);
  const farBefore = tooFar(price, recentReference, limits.jumpBps);
  return farBefore === null ? null : deny('collar', `Price ${farBefore}, the recent reference price (${symbol}).`);
};

/** Check 13: an order meant to rest never crosses the freshest book. Only a halted market that unwinds may take. */
export const checkMarketable: Check = ({ request: { side, price } }, { book, unwinding }) => {
  if (unwinding?.takes === true && side === unwinding.side) return null;
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

// Risk check on the message rate: creates and cancels together, over the whole account.

const WINDOWS = [
  ['inSecond', 'maxPerSecond', 'within a second'],
  ['inMinute', 'maxPerMinute', 'within a minute'],
  ['today', 'maxPerDay', 'today'],
] as const;

/** Check 7. Creates wait; cancels count and never wait: reducing risk must not be delayed. */
export const checkMessageRate: Check = (_proposal, { messages, messageLimits }) => {
  for (const [count, limit, words] of WINDOWS) {
    if (messages[count] < messageLimits[limit]) continue;
    const text = `${messages[count]} creates and cancels have left ${words}; ${limit} is ${messageLimits[limit]}.`;
    return deny('message-rate', text);
  }
  return null;
};

// Risk checks on whether anything may be sent at all, and whether the limits themselves are usable.

export const checkKillLatch: Check = (_proposal, { killLatched }) =>
  killLatched === false ? null : deny('latched', 'The kill latch is set: no order leaves until a person re-arms.');

/**
 * Checks 8 and 14, and every other halt: latched until a person resumes the symbol. At a loss limit it may go back to
 * its target; check 5 bounds how far.
 */
export const checkHalt: Check = ({ request }, { halt, unwinding }) =>
  halt === null || unwinding?.side === request.side
    ? null
    : deny(halt.code, `${request.symbol} is halted: ${halt.reason}`);

/** Check 15. */
export const checkState: Check = ({ request }, { isRunning }) =>
  isRunning === true ? null : deny('state', `Nothing is placed in ${request.symbol}: the bot starts, rests or stops.`);

/** Check 16. */
export const checkSymbol: Check = ({ request: { symbol } }, { configuredSymbols, instrument }) => {
  if (!configuredSymbols.includes(symbol)) {
    return deny('symbol', `${symbol} is not configured; configured: ${configuredSymbols.join(', ') || 'none'}.`);
  }
  return symbol === instrument.symbol
    ? null
    : deny('symbol', `${symbol} was judged with the steps of ${instrument.symbol}.`);
};

const POSITIVE = ['maxOrderQuantity', 'maxOrderNotional', 'maxInventoryBase', 'maxOpenNotional'] as const;
const POSITIVE_IF_SET = ['maxOpenNotionalOverAll', 'maxSessionLoss', 'maxDayLoss', 'maxDrawdown'] as const;
const NOT_NEGATIVE = ['minInventoryBase', 'reserveQuote', 'reserveBase'] as const;
const NUMBERS = ['collarBps', 'jumpBps', 'maxOpenOrders', 'maxOpenOrdersOverAll', 'repeatedFills'] as const;
const NUMBERS_OR_ZERO = ['maxLeavingPerSlot', 'maxLeaving'] as const;

/** A missing limit would limit nothing, so the order is denied instead. */
export const checkLimits: Check = (_proposal, { limits }) => {
  const name = firstUnusable(limits);
  return name === null ? null : deny('limits', `The limit ${name} is ${limits[name]}: missing, zero or not finite.`);
};

const isCount = (value: number | undefined): boolean => value !== undefined && Number.isFinite(value) && value > 0;

function firstUnusable(limits: Limits): keyof Limits | null {
  const unusable =
    POSITIVE.find((name) => !isPositive(limits[name])) ??
    POSITIVE_IF_SET.find((name) => limits[name] !== undefined && !isPositive(limits[name])) ??
    NOT_NEGATIVE.find((name) => !isAmount(limits[name])) ??
    NUMBERS.find((name) => !isCount(limits[name])) ??
    NUMBERS_OR_ZERO.find((name) => !isCount(limits[name]) && limits[name] !== 0);
  return unusable ?? null;
}
