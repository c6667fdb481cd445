// From prices as other exchanges quote them to prices in quote per base of our own symbol.
import type { Decimal } from '../domain/decimal.ts';
import { type InstrumentSymbol, parseSymbol } from '../domain/instrument.ts';
import type { EpochMs } from '../domain/time.ts';
import type { ExternalLeg, ExternalReading } from './combine.ts';
import { type ExternalRead, type ExternalSource, nameOfRead, type Rate, type SymbolPlan, turnOf } from './plan.ts';

/** A price, or why there is none. */
export type Seen =
  | {
      readonly kind: 'seen';
      readonly price: Decimal;
      /** When the request for it left, by our clock. */
      readonly asOf: EpochMs;
    }
  /** One sentence. */
  | { readonly kind: 'unseen'; readonly why: string };

/** Where prices are looked up. */
export interface Prices {
  ofExchange(read: ExternalRead): Seen;
  /** The middle of the book of a symbol that this bot quotes. */
  ofMarket(symbol: InstrumentSymbol): Seen;
}

/** All sources of the symbol in its own unit. */
export function readingOf(plan: SymbolPlan, prices: Prices): ExternalReading {
  const legs: ExternalLeg[] = [];
  const missing: string[] = [];
  for (const source of plan.sources) {
    const converted = convert(source, prices);
    if (converted.kind === 'unseen') missing.push(converted.why);
    else legs.push({ source: nameOfRead(source), price: converted.price, asOf: converted.asOf });
  }
  return { legs, missing, guards: plan.guards };
}

/** As old as the oldest price in it. */
function convert(source: ExternalSource, prices: Prices): Seen {
  const first = prices.ofExchange(source);
  let asset = parseSymbol(source.symbol)?.quote ?? '';
  return source.rates.reduce<Seen>((sum, rate) => {
    if (sum.kind === 'unseen') return sum;
    const turn = turnOf(asset, rate.symbol);
    if (turn.kind === 'does-not-hold') return { kind: 'unseen', why: `${rate.symbol} does not convert ${asset}.` };
    asset = turn.to;
    const seen = rateOf(rate, prices, sum.asOf);
    if (seen.kind === 'unseen') return seen;
    const price = turn.inverted ? sum.price.div(seen.price) : sum.price.mul(seen.price);
    return { kind: 'seen', price, asOf: Math.min(sum.asOf, seen.asOf) };
  }, first);
}

/** A fixed rate is as old as what it converts. */
function rateOf(rate: Rate, prices: Prices, asOf: EpochMs): Seen {
  switch (rate.kind) {
    case 'exchange':
      return prices.ofExchange(rate);
    case 'market':
      return prices.ofMarket(rate.symbol);
    case 'fixed':
      return { kind: 'seen', price: rate.price, asOf };
  }
}
