// The start of the pipeline: what the strategy wants, checked for shape and brought into order.
import type { Decimal } from '../domain/decimal.ts';
import { touchOf } from '../domain/order-book.ts';
import { type Quote, type Slot, slotOf } from '../domain/quote.ts';
import type { Draft, NoQuote } from './draft.ts';
import { innermostOf } from './outward.ts';
import { NO_QUOTE, QuoteLine, shown } from './quote-line.ts';
import type { QuotingInput } from './quoting-input.ts';
import type { Step } from './strategy.ts';
import { isAboveZero } from './usable.ts';

/** Why nothing may be quoted on this view at all, or `null`. Missing or old data has no substitute. */
export function whyNotQuotable({ view, settings }: QuotingInput): string | null {
  const age = view.now - view.bookSentAt;
  const limit = settings.guard.bookMaxAgeMs;
  if (age > limit) return `The book of ${view.symbol} is ${age} ms old and may be ${limit} ms old at most.`;
  if (touchOf(view.book) === null) return `The book of ${view.symbol} is empty on a side, or crossed.`;
  const { referencePrice } = view;
  if (!isAboveZero(referencePrice)) {
    return `The reference price of ${view.symbol} is ${referencePrice.toFixed()}.`;
  }
  return null;
}

export function wantedByStrategy({ strategy, params, view, settings, live }: QuotingInput): Draft {
  const wanted = strategy.quote(view, params);
  const seen = new Set<Slot>();
  const kept: Quote[] = [];
  const lines: Step[] = [];
  const before = shown(view.referencePrice, view.instrument.tickSize);
  for (const quote of wanted.quotes) {
    const slot = slotOf(quote);
    const flaw = flawOf(quote, seen);
    seen.add(slot);
    if (flaw === null) kept.push(quote);
    const after = flaw === null ? quote : null;
    const why = flaw ?? 'Wanted by the strategy.';
    lines.push(new QuoteLine({ name: strategy.name, quote, before, after, why }, view.instrument));
  }
  if (lines.length === 0)
    lines.push({ name: strategy.name, before, after: NO_QUOTE, why: 'The strategy wanted none.' });
  const quotes = inOrder(kept);
  return {
    view,
    settings,
    live,
    strategy,
    reservationPrice: reservationPriceOf(quotes) ?? view.referencePrice,
    quotes,
    explain: [...wanted.explain, ...lines],
    noQuote: unwanted(quotes, lines, strategy.name),
  };
}

/** A strategy may be anybody's: what it returns is checked like other input. */
function flawOf(quote: Quote, seen: ReadonlySet<Slot>): string | null {
  const { level, price, quantity } = quote;
  if (!Number.isInteger(level) || level < 0) return `Its level is ${level}, which is not a whole number from 0.`;
  if (seen.has(slotOf(quote))) return `The strategy wanted ${slotOf(quote)} twice.`;
  if (!isAboveZero(price)) return `The strategy wanted a price of ${price.toString()}.`;
  if (!isAboveZero(quantity)) return `The strategy wanted a quantity of ${quantity.toString()}.`;
  return null;
}

/** Bids, then asks, innermost first. */
function inOrder(quotes: readonly Quote[]): Quote[] {
  return quotes.toSorted((a, b) => (a.side === b.side ? a.level - b.level : a.side === 'buy' ? -1 : 1));
}

function reservationPriceOf(quotes: readonly Quote[]): Decimal | null {
  const bid = innermostOf('buy', quotes);
  const ask = innermostOf('sell', quotes);
  return bid && ask && bid.add(ask).div(2);
}

function unwanted(quotes: readonly Quote[], lines: readonly Step[], name: string): NoQuote {
  const reason = (side: 'buy' | 'sell'): string | null => {
    if (quotes.some((quote) => quote.side === side)) return null;
    return (
      lines.find((line) => line.slot?.startsWith(side))?.why ?? `${name} wants no ${side === 'buy' ? 'bid' : 'ask'}.`
    );
  };
  return { buy: reason('buy'), sell: reason('sell') };
}
