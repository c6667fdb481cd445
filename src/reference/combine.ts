// One price of several sources: the median of those that are fresh, unless they disagree too much. What is doubtful
// widens first and stops then.
import { BPS, type Decimal, ONE } from '../domain/decimal.ts';
import { type DurationMs, type EpochMs, SECOND } from '../domain/time.ts';
import type { ExternalPrice } from '../quoting/knowledge.ts';
import type { ReferenceGuards } from './plan.ts';

/** More than any exchange writes, and less than what a quotient has. */
const DIGITS = 16;
const SHOWN_DIGITS = 8;

/** What one source says of a symbol, in quote per base of that. */
export interface ExternalLeg {
  /** `binance BTC/USDT`. */
  readonly source: string;
  readonly price: Decimal;
  /** When the request for the oldest price in it left, by our clock. */
  readonly asOf: EpochMs;
}

/** What all sources of a symbol said last. */
export interface ExternalReading {
  readonly legs: readonly ExternalLeg[];
  /** Why the other sources say nothing: one sentence each. */
  readonly missing: readonly string[];
  readonly guards: ReferenceGuards;
}

/**
 * The external price at `now`. While nothing is read its age grows, quotes widen for it, and one source after the other
 * is left out. The order of the sources does not matter; with three or more, a single one that is wrong never moves the
 * price beyond the others.
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

/** Equal prices by the names of their sources: what is said must not depend on the order in which they are listed. */
const byPrice = (a: ExternalLeg, b: ExternalLeg): number =>
  a.price.cmp(b.price) || (a.source < b.source ? -1 : Number(a.source > b.source));

/** Of sorted prices; the middle of the two in the middle where their number is even. */
function median(sorted: readonly Decimal[]): Decimal {
  const { length } = sorted;
  const [below, above] = [sorted[Math.floor((length - 1) / 2)], sorted[Math.floor(length / 2)]];
  return (below ?? ONE).add(above ?? ONE).div(2);
}

const widenForSpread = (spreadBps: number, { widenBeyondBps, widenFactor }: ReferenceGuards): number =>
  Math.max(0, spreadBps - widenBeyondBps) * widenFactor;

/** By begun seconds: a width that grew with every millisecond would have every decision made anew. */
const widenForAge = (ageMs: DurationMs, { widenAfterMs, widenBpsPerSecond }: ReferenceGuards): number =>
  Math.ceil(Math.max(0, ageMs - widenAfterMs) / SECOND) * widenBpsPerSecond;

/** Without ages, so that it stays the same sentence while nothing changes. */
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
