// A small market for tests: everything has a plain value, and a test names only what it is about.
import { z } from 'zod';
import { decimal, ZERO } from '../../../src/domain/decimal.ts';
import { intentId } from '../../../src/domain/ids.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import type { Quote, Slot } from '../../../src/domain/order.ts';
import type { OrderBook } from '../../../src/domain/order-book.ts';
import type { LiveOrder } from '../../../src/quoting/live-order.ts';
import type { QuotingInput } from '../../../src/quoting/pipeline/draft.ts';
import { computeQuotes, type QuotingResult } from '../../../src/quoting/pipeline/pipeline.ts';
import { type QuotingSettings, quotingSettingsSchema } from '../../../src/quoting/quoting-settings.ts';
import { type Holding, type MarketView, NO_KNOWLEDGE, type Strategy } from '../../../src/quoting/strategy.ts';

export const NOW = 1_000_000;

export const instrument: Instrument = {
  symbol: 'BTC/INR',
  base: 'BTC',
  quote: 'INR',
  tickSize: decimal('0.1'),
  lotSize: decimal('0.001'),
  minNotional: decimal('1'),
};

export function holding(asset: string, total: string, free: string = total): Holding {
  return { asset, total: decimal(total), free: decimal(free) };
}

/** Levels as `price x quantity`, best first. */
export function book(bids: readonly string[], asks: readonly string[]): OrderBook {
  const levels = (texts: readonly string[]) =>
    texts.map((text) => {
      const [price = '', quantity = ''] = text.split(' x ');
      return { price: decimal(price), quantity: decimal(quantity) };
    });
  return { bids: levels(bids), asks: levels(asks) };
}

/** 100 in the middle of a spread of 0.2, no costs, 10 BTC and 1000 INR of which half is wanted in BTC. */
export function view(changes: Partial<MarketView> = {}): MarketView {
  return {
    ...NO_KNOWLEDGE,
    symbol: 'BTC/INR',
    instrument,
    now: NOW,
    book: book(['99.9 x 1', '99.8 x 2'], ['100.1 x 1', '100.2 x 2']),
    bookSentAt: NOW - 1_000,
    referencePrice: decimal('100'),
    base: holding('BTC', '10'),
    quote: holding('INR', '1000'),
    inventoryTarget: decimal('10'),
    costs: { makerFeeRatio: ZERO, takerFeeRatio: ZERO, tdsRatio: ZERO, effectiveTaxRatio: ZERO },
    ...changes,
  };
}

/** The defaults with changes in some groups. */
export function settings(changes: Record<string, object> = {}): QuotingSettings {
  return { timeZone: 'Asia/Kolkata', ...quotingSettingsSchema.parse(changes) };
}

/** `buy:0 1.5 @ 99.5` */
export function quote(text: string): Quote {
  const [slot = '', quantity = '', , price = ''] = text.split(' ');
  const [side, level] = slot.split(':');
  return {
    side: side === 'buy' ? 'buy' : 'sell',
    level: Number(level),
    price: decimal(price),
    quantity: decimal(quantity),
  };
}

export function quoteText({ side, level, price, quantity }: Quote): string {
  return `${side}:${level} ${quantity.toFixed()} @ ${price.toFixed()}`;
}

/** What becomes of these wanted quotes. */
export const becomes = (texts: readonly string[], situation: Situation): string[] =>
  quotesFrom(texts, situation).quotes.map(quoteText);

/** What the lines of the step of this name say of them. */
export const wordsOf = (name: string, texts: readonly string[], situation: Situation): string[] =>
  quotesFrom(texts, situation)
    .explain.filter((line) => line.name === name)
    .map(({ why }) => why);

/** An own order in the slot of the text, sent a minute ago. */
export function liveOrder(text: string, changes: Partial<LiveOrder> = {}): LiveOrder {
  const { side, level, price, quantity } = quote(text);
  const slot: Slot = `${side}:${level}`;
  const plain = { intentId: intentId(`i-${slot}`), slot, side, price, quantity, remaining: quantity };
  return { ...plain, sentAt: NOW - 60_000, status: 'open', ...changes };
}

/** A strategy that wants these quotes whatever the market does. */
export function wanting(texts: readonly string[], changes: Partial<Strategy> = {}): Strategy {
  return {
    name: 'wanting',
    params: z.unknown(),
    quote: () => ({ quotes: texts.map(quote), explain: [] }),
    ...changes,
  };
}

export interface Situation {
  readonly view?: Partial<MarketView>;
  readonly settings?: Record<string, object>;
  readonly limits?: QuotingInput['limits'];
  readonly live?: readonly LiveOrder[];
}

/** What becomes of quotes that a strategy wants. */
export function quotesFrom(texts: readonly string[], situation: Situation = {}): QuotingResult {
  return computeQuotes({
    strategy: wanting(texts),
    params: undefined,
    view: view(situation.view),
    settings: settings(situation.settings),
    ...(situation.limits && { limits: situation.limits }),
    live: situation.live ?? [],
  });
}
