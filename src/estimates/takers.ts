// Takers from public trades: how far from the mid price each went, and how long they were observed.
import type { PublicTrade } from '../domain/fill.ts';
import type { Side } from '../domain/order.ts';
import type { DurationMs, EpochMs } from '../domain/time.ts';
import { type IntensitySettings, keptSeconds } from './estimate.ts';
import type { Coverage } from './trade-pages.ts';
import type { MidSeen } from './volatility.ts';

/** A mid price, and how far from it a taker meets the first order. */
export interface BookMid extends MidSeen {
  readonly halfSpreadBps: number;
}

/** All trades of one millisecond and side: one taker that filled several orders. */
export interface Taker {
  /** By our clock, like the times of mid prices. */
  readonly at: EpochMs;
  /**
   * Distance of the outermost price from the last mid price before it, outward positive: a stale mid may make it
   * negative.
   */
  readonly distanceBps: number;
  /** Half the spread of the book with that mid price. */
  readonly halfSpreadBps: number;
  /** How old that book was at the time of the trade. */
  readonly midAgeMs: DurationMs;
}

interface Span {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

/** The newest takers by our side that they would fill, and the observed time. */
export interface TakerSample {
  readonly takers: Readonly<Record<Side, readonly Taker[]>>;
  /** In order of time. Within these every taker is known, and the mid price before it. */
  readonly spans: readonly Span[];
  /** Time before this does not count for the side: its takers were dropped. */
  readonly since: Readonly<Record<Side, EpochMs>>;
  /** When the last page that covered anything was requested; null before the first. */
  readonly lastAt: EpochMs | null;
}

const EVER = Number.NEGATIVE_INFINITY;

export const NO_TAKERS: TakerSample = {
  takers: { buy: [], sell: [] },
  spans: [],
  since: { buy: EVER, sell: EVER },
  lastAt: null,
};

/** Per side. */
const MOST_TAKERS = 400;
const MOST_SPANS = 200;
/** Anything older than this many half-lives counts under a thousandth. */
const HALF_LIVES_KEPT = 10;

interface Page {
  readonly coverage: Coverage;
  /** By our clock. */
  readonly sentAt: EpochMs;
  /** The last mid prices, oldest first. */
  readonly mids: readonly BookMid[];
}

/** Adds a page's coverage while a recent enough mid price was known. */
export function withTakers(sample: TakerSample, page: Page, settings: IntensitySettings): TakerSample {
  const { coverage, sentAt, mids } = page;
  const oldest = sentAt - HALF_LIVES_KEPT * settings.halfLifeMs;
  const found = takersOf(coverage.trades, mids, settings);
  const spans = joinedSpans([...sample.spans, ...spansWithMid(coverage, mids, settings)]);
  const keptSpans = spans.filter(({ to }) => to > oldest).slice(-MOST_SPANS);
  const dropped = spans.at(-keptSpans.length - 1)?.to ?? EVER;
  const sideOf = (side: Side): { kept: readonly Taker[]; since: EpochMs } => {
    const all = [...sample.takers[side], ...found[side]].sort((a, b) => a.at - b.at);
    const overflowing = all.at(-MOST_TAKERS - 1)?.at ?? EVER;
    const since = Math.max(sample.since[side], spans.length > keptSpans.length ? dropped : EVER, overflowing, oldest);
    return { kept: all.filter(({ at }) => at > since), since };
  };
  const [buy, sell] = [sideOf('buy'), sideOf('sell')];
  return {
    takers: { buy: buy.kept, sell: sell.kept },
    spans: keptSpans,
    since: { buy: buy.since, sell: sell.since },
    lastAt: Math.max(sentAt, sample.lastAt ?? sentAt),
  };
}

/** Seconds in which takers of this side were observed; older ones count less. */
export function lookedSeconds(
  { spans, since }: TakerSample,
  side: Side,
  at: { now: EpochMs; halfLifeMs: DurationMs },
): number {
  const begin = since[side];
  return spans.reduce(
    (sum, { from, to }) => sum + keptSeconds(to - Math.max(from, begin), at.now - to, at.halfLifeMs),
    0,
  );
}

/**
 * The time in which this book's mid price is the last one before a trade: until the next one, or until it is too old.
 */
function reignOf(mids: readonly BookMid[], index: number, settings: IntensitySettings): Span {
  const { longestMidAgeMs, clockMarginMs } = settings;
  const at = mids[index]?.at ?? EVER;
  const next = mids[index + 1]?.at ?? Number.POSITIVE_INFINITY;
  return { from: at + clockMarginMs, to: Math.min(next + clockMarginMs, at + longestMidAgeMs) };
}

function spansWithMid({ from, to }: Coverage, mids: readonly BookMid[], settings: IntensitySettings): readonly Span[] {
  return mids
    .map((_, index) => reignOf(mids, index, settings))
    .map((reign) => ({ from: Math.max(from, reign.from), to: Math.min(to, reign.to) }))
    .filter((span) => span.to > span.from);
}

/** Overlapping or touching spans are merged, so that their sum counts no moment twice. */
function joinedSpans(spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last !== undefined && span.from <= last.to)
      joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    else joined.push(span);
  }
  return joined;
}

function takersOf(
  trades: readonly PublicTrade[],
  mids: readonly BookMid[],
  settings: IntensitySettings,
): Record<Side, readonly Taker[]> {
  const found: Record<Side, Taker[]> = { buy: [], sell: [] };
  let index = 0;
  for (const trade of trades) {
    while (index < mids.length - 1 && trade.venueTime >= reignOf(mids, index + 1, settings).from) index += 1;
    const reign = reignOf(mids, index, settings);
    const mid = mids[index];
    if (mid === undefined || trade.venueTime < reign.from || trade.venueTime >= reign.to) continue;
    const side = trade.takerSide === 'sell' ? 'buy' : 'sell';
    const taker = takerOf(trade, mid);
    const list = found[side];
    const last = list.at(-1);
    if (last?.at !== taker.at) list.push(taker);
    else if (taker.distanceBps > last.distanceBps) list[list.length - 1] = taker;
  }
  return found;
}

function takerOf({ price, takerSide, venueTime }: PublicTrade, mid: BookMid): Taker {
  const outward = takerSide === 'sell' ? -1 : 1;
  return {
    at: venueTime,
    distanceBps: outward * (price.toNumber() / mid.price - 1) * 10_000,
    halfSpreadBps: mid.halfSpreadBps,
    midAgeMs: venueTime - mid.at,
  };
}
