// Prices a symbol through two others of the same exchange (BTC/INR from BTC/USDT and USDT/INR), and quotes around that
// price like fixed-spread, wider by the half-spreads of the two.
//
// With mid prices m of the legs, each inverted where the chain needs it, the price is m₁·m₂. Crossing both spreads
// costs (a₁·a₂ − b₁·b₂)/2 with their best asks a and bids b, which is added to each half-spread. BTC/USDT at 64,000 /
// 64,064 and USDT/INR at 86.00 / 86.10: 64,032·86.05 = 5,509,953.6, and the legs add 10.8 bps.
import { z } from 'zod';
import { BPS, type Decimal, ONE } from '../src/domain/decimal.ts';
import type { Asset, Instrument } from '../src/domain/instrument.ts';
import { touchOf } from '../src/domain/order-book.ts';
import { above0, FINE_PLACES } from '../src/quoting/amount.ts';
import { defineStrategy, type MarketView, type QuoteSet, type Step } from '../src/quoting/strategy.ts';
import { strategy as fixedSpread, fixedSpreadParams } from './fixed-spread.ts';

const symbol = z.string().regex(/^[A-Z0-9]+\/[A-Z0-9]+$/, 'a symbol like USDT/INR was expected');

const params = fixedSpreadParams.safeExtend({
  legs: z
    .tuple([symbol, symbol])
    .describe('The two symbols that lead from the base to the quote, in this order: [BTC/USDT, USDT/INR].'),
  maxLegAgeMs: z
    .number()
    .int()
    .positive()
    .meta({ unit: 'ms' })
    .default(30_000)
    .describe('Nothing is quoted while the book of a leg is older than this, in ms.'),
  maxDeviationBps: above0(9_999, 'bps')
    .default(500)
    .describe('Nothing is quoted while the price from the legs is further from the reference price, in bps of it.'),
});

type Params = z.output<typeof params>;

export const strategy = defineStrategy<Params>({
  name: 'cross-rate',
  params: params.describe('Like fixed-spread, around the product of two other symbols.'),
  needs: ({ legs }) => ({ books: legs }),
  whyUnfit: ({ legs }, instrument) => whyNoChain(legs, instrument),
  quote(view, settings) {
    const through = throughLegs(view, settings);
    if (typeof through === 'string') return noQuotes(view, through);
    const { price, halfSpreadBps } = through;
    const tooFar = whyTooFar(view, price, settings);
    if (tooFar !== null) return noQuotes(view, tooFar);
    const around = fixedSpread.quote({ ...view, referencePrice: price }, wider(settings, halfSpreadBps), undefined);
    return { ...around, explain: [crossStep(view, through, settings), ...around.explain] };
  },
});

/** A price in quote per base, and the cost of crossing both spreads, in basis points of it. */
interface CrossRate {
  readonly price: Decimal;
  readonly halfSpreadBps: number;
}

/** One leg in the direction of the chain. */
interface Leg {
  readonly bid: Decimal;
  readonly ask: Decimal;
}

/** The price, or why there is none now. */
function throughLegs(view: MarketView, { legs, maxLegAgeMs }: Params): CrossRate | string {
  const sides: Leg[] = [];
  let from: Asset = view.instrument.base;
  for (const name of legs) {
    const [base = '', quote = ''] = name.split('/');
    const seen = view.books.get(name);
    if (seen !== undefined) {
      const ageMs = view.now - seen.sentAt;
      if (ageMs > maxLegAgeMs)
        return `The book of ${name} is ${ageMs} ms old and may be ${maxLegAgeMs} ms old at most.`;
      const touch = touchOf(seen.book);
      if (touch === null) return `The book of ${name} is empty on a side, or crossed.`;
      const leg = { bid: touch.bid.price, ask: touch.ask.price };
      sides.push(from === base ? leg : { bid: inverse(leg.ask), ask: inverse(leg.bid) });
    }
    from = from === base ? quote : base;
  }
  const [first, second] = sides;
  if (first === undefined || second === undefined) {
    const unread = legs.filter((name) => !view.books.has(name)).join(' and ');
    return `The book of ${unread} is not read yet, or its price is not trusted.`;
  }
  const bid = first.bid.mul(second.bid);
  const ask = first.ask.mul(second.ask);
  const price = middle(first).mul(middle(second)).toDecimalPlaces(FINE_PLACES);
  return { price, halfSpreadBps: ask.sub(bid).div(price).mul(5_000).toNumber() };
}

/**
 * A wrong book of one leg makes a wrong price, which the post-only guard would turn into an order at the worst price
 * that does not trade yet.
 */
function whyTooFar(
  { referencePrice, instrument }: MarketView,
  price: Decimal,
  { maxDeviationBps }: Params,
): string | null {
  const bps = price.div(referencePrice).sub(ONE).abs().mul(BPS);
  if (bps.lte(maxDeviationBps)) return null;
  const shown = price.toDecimalPlaces(instrument.tickSize.decimalPlaces() + 2).toFixed();
  return (
    `The legs make a price of ${shown}, ${bps.toFixed(0)} bps from the reference price; ` +
    `${maxDeviationBps} bps are the most.`
  );
}

const middle = ({ bid, ask }: Leg): Decimal => bid.add(ask).div(2);

const inverse = (price: Decimal): Decimal => ONE.div(price).toDecimalPlaces(FINE_PLACES);

function whyNoChain(legs: readonly string[], { symbol: own, base, quote }: Instrument): string | null {
  if (legs.includes(own)) return `${own} can't be priced through itself (legs).`;
  let from: Asset | null = base;
  for (const name of legs) {
    const [one = '', other = '']: string[] = name.split('/');
    from = from === one ? other : from === other ? one : null;
  }
  return from === quote ? null : `${legs.join(' and ')} do not lead from ${base} to ${quote} (legs).`;
}

/** Each distance widened by the cost of crossing the legs. */
function wider(settings: Params, addedBps: number): Params {
  const { bidHalfSpreadsBps, askHalfSpreadsBps } = settings;
  const add = (bps: number): number => bps + addedBps;
  return {
    ...settings,
    halfSpreadBps: add(settings.halfSpreadBps),
    ...(bidHalfSpreadsBps && { bidHalfSpreadsBps: bidHalfSpreadsBps.map(add) }),
    ...(askHalfSpreadsBps && { askHalfSpreadsBps: askHalfSpreadsBps.map(add) }),
  };
}

function noQuotes(view: MarketView, why: string): QuoteSet {
  const step: Step = { name: 'cross rate', before: view.referencePrice.toFixed(), after: 'no quote', why };
  return { quotes: [], explain: [step], noQuote: { buy: why, sell: why } };
}

function crossStep(view: MarketView, { price, halfSpreadBps }: CrossRate, { legs }: Params): Step {
  const places = view.instrument.tickSize.decimalPlaces() + 2;
  return {
    name: 'cross rate',
    before: view.referencePrice.toDecimalPlaces(places).toFixed(),
    after: price.toDecimalPlaces(places).toFixed(),
    why: `${legs.join(' and ')} make this price; crossing both adds ${halfSpreadBps.toFixed(1)} bps to each side.`,
  };
}
