// Combines the sources into one price: the median of the fresh ones, unless they disagree too much. Doubt first widens
// quotes, then stops them.
import { BPS, type Decimal, ONE } from '../domain/decimal.ts';
import { type InstrumentSymbol, parseSymbol } from '../domain/instrument.ts';
import { type DurationMs, type EpochMs, SECOND } from '../domain/time.ts';
import type { ExternalPrice } from '../quoting/strategy.ts';
import {
  type ExternalRead,
  type ExternalSource,
  nameOfRead,
  type Rate,
  type ReferenceGuards,
  type SymbolPlan,
  turnOf,
} from './plan.ts';

/** More digits than any exchange uses, and fewer than a quotient has. */
const DIGITS = 16;
const SHOWN_DIGITS = 8;

/** One source's price of a symbol, in the symbol's quote per base. */
export interface ExternalLeg {
  /** `binance BTC/USDT`. */
  readonly source: string;
  readonly price: Decimal;
  /** When the request for its oldest price left, by our clock. */
  readonly asOf: EpochMs;
}

/** The last prices of all sources of a symbol. */
export interface ExternalReading {
  readonly legs: readonly ExternalLeg[];
  /** Why the other sources have no price: one sentence each. */
  readonly missing: readonly string[];
  readonly guards: ReferenceGuards;
}

/**
 * The external price at `now`. While nothing is read its age grows, quotes widen for it, and one source after the other
 * drops out. The order of the sources does not matter; with three or more, a single wrong one never moves the price
 * beyond the others.
 */
export function combine({ legs, missing, guards }: ExternalReading, now: EpochMs): ExternalPrice {
  const fresh = legs.filter(({ asOf }) => now - asOf <= guards.staleMs).sort(byPrice);
  const low = fresh[0];
  const high = fresh.at(-1);
  if (low === undefined || high === undefined || fresh.length < guards.minimumSources)
    return { kind: 'unknown', why: tooFew({ legs, missing, guards }, fresh) };
  const price = median(fresh.map((leg) => leg.price)).toSignificantDigits(DIGITS);
  const spreadBps = high.price.sub(low.price).div(price).mul(BPS).toNumber();
  if (spreadBps > guards.stopBeyondBps) return { kind: 'unknown', why: disagreement(low, high, guards, spreadBps) };
  const ageMs = Math.max(0, now - Math.min(...fresh.map(({ asOf }) => asOf)));
  const widenBps = widenForSpread(spreadBps, guards) + widenForAge(ageMs, guards);
  return { kind: 'known', price, ageMs, sources: fresh.length, spreadBps, widenBps };
}

/** Equal prices are sorted by source name: the text must not depend on the order in which they are listed. */
const byPrice = (a: ExternalLeg, b: ExternalLeg): number =>
  a.price.cmp(b.price) || (a.source < b.source ? -1 : Number(a.source > b.source));

/** The median of sorted prices; for an even number, the mean of the two in the middle. */
function median(sorted: readonly Decimal[]): Decimal {
  const { length } = sorted;
  const [below, above] = [sorted[Math.floor((length - 1) / 2)], sorted[Math.floor(length / 2)]];
  return (below ?? ONE).add(above ?? ONE).div(2);
}

const widenForSpread = (spreadBps: number, { widenBeyondBps }: ReferenceGuards): number =>
  Math.max(0, spreadBps - widenBeyondBps);

/** A basis point per started second: a width that grew every millisecond would force a new decision each time. */
const widenForAge = (ageMs: DurationMs, { widenAfterMs }: ReferenceGuards): number =>
  Math.ceil(Math.max(0, ageMs - widenAfterMs) / SECOND);

/** Without ages, so that the sentence stays the same while nothing changes. */
function tooFew({ legs, missing, guards }: ExternalReading, fresh: readonly ExternalLeg[]): string {
  const stale = legs
    .filter((leg) => !fresh.includes(leg))
    .map(({ source }) => source)
    .sort();
  const old = stale.length === 0 ? [] : [`Older than ${guards.staleMs / SECOND} s: ${stale.join(', ')}.`];
  const all = legs.length + missing.length;
  const head = `${fresh.length} of ${all} external sources are fresh, ${guards.minimumSources} are needed.`;
  return [head, ...old, ...missing].join(' ');
}

function disagreement(low: ExternalLeg, high: ExternalLeg, guards: ReferenceGuards, spreadBps: number): string {
  const at = ({ source, price }: ExternalLeg): string =>
    `${source} says ${price.toSignificantDigits(SHOWN_DIGITS).toFixed()}`;
  const apart = `${spreadBps.toFixed(1)} bps apart, more than ${guards.stopBeyondBps}`;
  return `External sources disagree: ${at(low)}, ${at(high)}; ${apart}.`;
}

// Converts prices of other exchanges to prices in quote per base of our own symbol.

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

/** Sources of prices. */
interface Prices {
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

/** As old as its oldest price. */
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

/** A fixed rate has the age of the price it converts. */
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
