// The price that two other markets make of a base, from the books of both that came last.
import { Decimal } from '../../src/domain/decimal.ts';
import { parseSymbol } from '../../src/domain/instrument.ts';
import type { RunSettings } from '../../src/trader/state/settings.ts';
import type { CheckContext } from '../checks/context.ts';
import { DECISION_SLACK_MS } from '../execution/last-reads.ts';
import type { Books } from '../shown/shown-book.ts';
import { type Recent, touchesOf } from './touches.ts';
import type { Chain, Touch } from './wanted.ts';

/** One that has come may not be used yet, and one that came late is used no more. */
const LAST_BOOKS = 3;
const BPS = 10_000;

interface CrossRate {
  readonly legs?: readonly [string, string];
  readonly maxLegAgeMs?: number;
  readonly maxDeviationBps?: number;
}

interface Known {
  readonly recent: Recent;
  readonly books: Books;
  /** What the price must not be too far from. */
  readonly reference: Decimal;
}

/**
 * Every price that it may go by; `[null]` for a strategy that goes by its own market. Null where the last book of a leg
 * can't be read by the judge.
 */
export function chainsOf(context: CheckContext, run: RunSettings, known: Known): readonly (Chain | null)[] | null {
  const { legs, maxLegAgeMs = 0, maxDeviationBps = 0 } = run.params as CrossRate;
  if (legs === undefined) return [null];
  if (legs.some((symbol) => known.books.isLastUnsound(symbol))) return null;
  const oldest = context.now() + context.clockError() - maxLegAgeMs - DECISION_SLACK_MS;
  const [first, second] = legs.map((symbol) => touchesOfLeg(context, { symbol, oldest }, known));
  const begins = isBase(legs[0], run.instrument.base);
  const ends = isQuote(legs[1], run.instrument.quote);
  const all = (first ?? []).flatMap((one) =>
    (second ?? []).map((other) => chainOf(turned(one, begins), turned(other, ends))),
  );
  const most = known.reference.mul(maxDeviationBps).div(BPS);
  return all.filter(({ price }) => price.sub(known.reference).abs().lte(most));
}

interface LegAsked {
  readonly symbol: string;
  /** By the bot's clock. */
  readonly oldest: number;
}

function touchesOfLeg(context: CheckContext, { symbol, oldest }: LegAsked, { recent, books }: Known): Touch[] {
  return books
    .last(symbol, LAST_BOOKS)
    .filter(({ sentAt }) => sentAt >= oldest)
    .flatMap((book) => touchesOf(recent, context, { symbol, book, withSizes: false }));
}

const isBase = (symbol: string, asset: string): boolean => parseSymbol(symbol)?.base === asset;
const isQuote = (symbol: string, asset: string): boolean => parseSymbol(symbol)?.quote === asset;

/** In quote of the chain per base of it. */
interface Leg {
  readonly bid: Decimal;
  readonly ask: Decimal;
}

function turned({ buy, sell }: Touch, isAlong: boolean): Leg {
  if (isAlong) return { bid: buy.price, ask: sell.price };
  const one = new Decimal(1);
  return { bid: one.div(sell.price), ask: one.div(buy.price) };
}

/** The middles are multiplied; crossing both costs half of what lies between selling and buying through them. */
function chainOf(one: Leg, other: Leg): Chain {
  const price = one.bid.add(one.ask).div(2).mul(other.bid.add(other.ask).div(2));
  const cost = one.ask.mul(other.ask).sub(one.bid.mul(other.bid));
  return { price, addedBps: cost.div(2).mul(BPS).div(price) };
}
