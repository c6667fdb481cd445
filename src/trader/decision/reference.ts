// The price that a market is quoted around: its source, whether it is trusted, and how far it travels.
import { Decimal, plain } from '../../domain/decimal.ts';
import { type OrderBook, touchOf } from '../../domain/order-book.ts';
import { type DurationMs, type EpochMs, HOUR, MINUTE, SECOND } from '../../domain/time.ts';
import { clockText, timeText } from '../../domain/time-text.ts';
import { referencePrice } from '../../quoting/reference-price.ts';
import { type ExternalPrice, NO_KNOWLEDGE, type OwnFill, type TradesSeen } from '../../quoting/strategy.ts';
import { combine, type ExternalReading } from '../../reference/combine.ts';
import { marketIn } from '../durable/market.ts';
import { OF_OTHERS } from '../knowledge/knowledge-of.ts';
import { trustedPrice } from '../money/trusted-price.ts';
import type { ExternalAt, Market, PriceTravel } from '../state/market.ts';
import type { RunSettings } from '../state/settings.ts';
import { stretch, touch, type With } from '../state/state.ts';
import { notice, type Step } from '../state/turn.ts';

/** Sources of a reference price besides the book. */
export interface ReferenceFrom {
  readonly external: ExternalAt | null;
  readonly trades: TradesSeen | null;
  readonly ownFills: readonly OwnFill[];
}

type Source = Pick<RunSettings, 'referenceSource' | 'fixedReference'>;

/** Null if there is none: a one-sided book gives none, whatever the source. */
export function referenceFor(
  book: OrderBook,
  { referenceSource, fixedReference }: Source,
  from: ReferenceFrom,
): Decimal | null {
  if (touchOf(book) === null) return null;
  switch (referenceSource) {
    case 'external':
      return from.external?.price.kind === 'known' ? from.external.price.price : null;
    case 'lastTrade':
      return from.trades?.trades.at(-1)?.price ?? null;
    case 'ownLastFill':
      return from.ownFills.at(-1)?.price ?? referencePrice(book, 'mid');
    case 'fixed':
      return fixedReference ?? null;
    default:
      return referencePrice(book, referenceSource);
  }
}

/** Why there is no reference price, one sentence or more. */
export function whyNoReference({ referenceSource: source }: Source, external: ExternalAt | null): string {
  if (source === 'external' && external === null)
    return 'There is no external price: other exchanges are not asked here.';
  if (source === 'external' && external?.price.kind === 'unknown')
    return `There is no external price: ${external.price.why}`;
  if (source === 'lastTrade')
    return 'There is no reference price: no public trade is known, or the book has no two sides.';
  return 'The order book has an empty side or is crossed: there is no reference price.';
}

// The price from other exchanges as the trader keeps it: the last readings, and the resulting price as time passes.

/** Stores a new reading. */
export function observeExternal(market: Market, reading: ExternalReading, now: EpochMs): void {
  market.externalReading = reading;
  renewExternal(market, now);
}

/**
 * Recomputes the price, and renews the decision if it changed. The object stays the same while only its age has grown,
 * so that caches keyed by it stay valid.
 */
export function renewExternal(market: Market, now: EpochMs): void {
  const { external, externalReading: reading } = market;
  if (reading === null) return;
  const price = combine(reading, now);
  const isSame = external !== null && isSamePrice(external.price, price);
  if (isSame && !isYounger(price, externalPriceAt(external, now))) return;
  market.external = { price, at: now };
  if (!isSame) touch(market);
}

/** The same price read again is younger. */
const isYounger = (price: ExternalPrice, kept: ExternalPrice): boolean =>
  price.kind === 'known' && kept.kind === 'known' && price.ageMs < kept.ageMs;

function isSamePrice(a: ExternalPrice, b: ExternalPrice): boolean {
  if (a.kind === 'unknown') return b.kind === 'unknown' && a.why === b.why;
  if (b.kind === 'unknown') return false;
  return a.price.eq(b.price) && a.sources === b.sources && a.spreadBps === b.spreadBps && a.widenBps === b.widenBps;
}

/** The price as a view at `now` has it. */
export function externalPriceAt(external: ExternalAt | null, now: EpochMs): ExternalPrice {
  if (external === null) return NO_KNOWLEDGE.externalPrice;
  const { price, at } = external;
  return price.kind === 'unknown' ? price : { ...price, ageMs: price.ageMs + Math.max(0, now - at) };
}

// A reference price far from the last trusted one: a notice when that begins, and a halt of the symbol if it stays.

/** A reference price this long away from the last good one is a new regime: a person must confirm it (F62). */
const JUMP_LASTS_MS: DurationMs = MINUTE;

/** The market is compared with the last good reference price for this long, across restarts too. */
const REFERENCE_HOLDS_MS: DurationMs = HOUR;

/** Whether a price that was good at `at` is too old to compare with: it reveals a slipped decimal, but no jump. */
export const isOldReference = (at: EpochMs, now: EpochMs): boolean => now - at > REFERENCE_HOLDS_MS;

/**
 * After an outage as after a start: a jump from before the price grew old is judged by it, as long as books still show
 * the jump. If the last book of the jump is old itself, the run of books is broken.
 */
export function ageReference(market: Market, bookSentAt: EpochMs): void {
  if (market.jump !== null && isOldReference(market.jump.to, bookSentAt)) market.jump = null;
  const { lastGoodReference, lastGoodAt, jump } = market;
  if (lastGoodAt === null || jump !== null || !isOldReference(lastGoodAt, bookSentAt)) return;
  Object.assign(market, { lastGoodReference: null, lastGoodAt: null, oldReference: lastGoodReference });
}

/** Not a market move of days, but a slipped decimal (F61). */
export const isSlipped = (price: Decimal, old: Decimal): boolean => price.gt(old.mul(2)) || price.mul(2).lt(old);

/** Whether the price is within `limits.jumpBps` of the last one. */
export function isNear(price: Decimal, last: Decimal, jumpBps: number): boolean {
  // The reference of a book that has been checked before.
  if (price === last) return true;
  return price
    .sub(last)
    .abs()
    .mul(10_000)
    .lte(last.mul(new Decimal(jumpBps)));
}

/**
 * Why a market's first price is not trusted; null if it is, or another price is known. Two books with the same slipped
 * decimal confirm each other: if another market is known to have one, this one likely has it too (F62).
 */
export function firstPriceDoubt(
  state: With<'settings' | 'durable' | 'markets'>,
  market: Market,
  now: EpochMs,
): string | null {
  const { symbol, lastGoodReference, statedReference, oldReference, run } = market;
  if ((lastGoodReference ?? statedReference ?? oldReference) !== null || OF_OTHERS.has(run.referenceSource))
    return null;
  const { bookMs } = state.settings.ageLimits;
  for (const [other, each] of state.markets) {
    const isHalted = marketIn(state.durable, other).halt?.code === 'price' && !isBack(each, now - bookMs);
    if (OF_OTHERS.has(each.run.referenceSource) || !(isHalted || hasSlipped(each, now - bookMs))) continue;
    const until = isHalted ? ', or a person has resumed it' : '';
    return (
      `The price of ${other} jumped, and no price of ${symbol} is known from before: none is believed until the ` +
      `books of ${other} show the price of before${until}.`
    );
  }
  return null;
}

/** Whether its books have returned to the earlier price: then only the halt waits for a person. */
const isBack = ({ jump, lastGoodAt }: Market, since: EpochMs): boolean =>
  jump === null && lastGoodAt !== null && lastGoodAt >= since;

/** Only by books fresh enough for a price: otherwise nobody could end a doubt that lasts until the next book. */
function hasSlipped({ jump, lastGoodReference, statedReference, oldReference }: Market, since: EpochMs): boolean {
  const known = lastGoodReference ?? statedReference ?? oldReference;
  return jump !== null && known !== null && jump.to >= since && isSlipped(jump.price, known);
}

/** A price that has slipped from that of the book before has not stayed: the jump begins anew. */
export function extendJump(market: Market, price: Decimal, bookSentAt: EpochMs): void {
  const { jump } = market;
  const from = jump === null || isSlipped(price, jump.price) ? bookSentAt : jump.from;
  market.jump = { from, to: bookSentAt, price, isNotified: jump?.isNotified ?? false };
}

/** Whether the reference price jumped and stayed, for long enough and in more than one book. */
export function hasJumped({ jump }: Market): boolean {
  return jump !== null && jump.to - jump.from >= JUMP_LASTS_MS;
}

/** One sentence while the jump lasts; null without one. */
export function jumpWatched(state: With<'durable'>, market: Market): string | null {
  const words = jumpWords(state, market);
  const { jump, statedReference } = market;
  if (words === null || jump === null) return null;
  const haltsAt = clockText(jump.from + JUMP_LASTS_MS);
  const next =
    statedReference === null
      ? 'until then there is nothing to do'
      : `to correct the stated price: \`resume ${market.symbol} --at PRICE\``;
  const until = `Where it stays there, the symbol halts at ${haltsAt}; ${next}.`;
  return `${words.replace(/,$/, '')}. It is not trusted: no order is placed. ${until}`;
}

/** The sentence of a halt for a jump; null without one. */
export function jumpHalt(state: With<'durable'>, market: Market): string | null {
  const words = jumpWords(state, market);
  return words === null
    ? null
    : `${words} and stayed: look at the market, then resume the symbol at the price you believe is correct.`;
}

function jumpWords(state: With<'durable'>, market: Market): string | null {
  const { jump, statedReference } = market;
  if (jump === null) return null;
  if (statedReference !== null)
    return (
      `The reference price was ${plain(jump.price)} at ${timeText(jump.from)}, far from the stated ` +
      `${plain(statedReference)},`
    );
  const last = trustedPrice(state, market)?.price ?? null;
  const from = last === null ? '' : ` from ${plain(last)}`;
  return `The reference price jumped${from} to ${plain(jump.price)} at ${timeText(jump.from)}`;
}

/** One sentence while a stated price waits for a book; null if none does. */
export function statedWaits({ statedReference, jump }: Market): string | null {
  if (statedReference === null || jump !== null) return null;
  return `The next reference price is compared with the stated ${plain(statedReference)}.`;
}

/** Notifies once that a jump has begun. */
export function notifyJump(turn: Step, market: Market): void {
  const message = jumpWatched(turn.state, market);
  if (market.jump === null || market.jump.isNotified || message === null) return;
  market.jump = { ...market.jump, isNotified: true };
  notice(turn, { level: 'warn', op: 'reference-jumped', symbol: market.symbol, message });
}

// How far the reference price usually goes in the time that a move takes to reach the book.

type References = Market['references'];

const BPS_PER_ONE = 10_000;

/** Fewer changes are not enough; the configured value applies then. */
const LEAST_CHANGES = 12;

/** Ignores changes that span an outage. */
const LONGEST_CHANGE_MS: DurationMs = MINUTE;

/** Takes prices oldest first. Each change spans at least `overMs`, and little more. Null if there are too few. */
export function travelIn(references: References, overMs: DurationMs): PriceTravel | null {
  const mostMs = Math.max(LONGEST_CHANGE_MS, 2 * overMs);
  let squares = 0;
  let elapsed = 0;
  let changes = 0;
  let start = 0;
  for (const { at, float } of references) {
    while (at - (references[start]?.at ?? at) > mostMs) start += 1;
    const first = references[start];
    if (first === undefined || at - first.at < overMs || at === first.at) continue;
    squares += ((float / first.float - 1) * BPS_PER_ONE) ** 2;
    elapsed += at - first.at;
    changes += 1;
    start += 1;
  }
  return changes < LEAST_CHANGES ? null : { bps: Math.sqrt(squares / changes), overMs: elapsed / changes };
}

/** Computes the travel once for each reference price that is kept. */
export function measureTravel(state: With<'settings' | 'markets' | 'otherBooks' | 'requests'>, market: Market): void {
  market.travel ??= travelIn(market.references, moveTakesMs(state, market.run.quoting.guard.expectedDelayMs));
}

/**
 * In basis points of the reference price: as measured in the last minutes, or by the guard's configured volatility
 * until there is enough data. A price is assumed to travel with the square root of time.
 */
export function travelBpsOf(
  state: With<'settings' | 'markets' | 'otherBooks' | 'requests'>,
  { run, travel }: Market,
): number {
  const { guard } = run.quoting;
  const takesMs = moveTakesMs(state, guard.expectedDelayMs);
  const { bps, overMs } = travel ?? { bps: guard.volatilityBpsPerSqrtSecond, overMs: SECOND };
  return bps * Math.sqrt(takesMs / overMs);
}

/** A book may be one interval old, the lane must give two turns, and the order must reach the book. */
function moveTakesMs(
  state: With<'settings' | 'markets' | 'otherBooks' | 'requests'>,
  expectedDelayMs: DurationMs,
): DurationMs {
  const bookMs = state.settings.polling.bookMs * stretch(state, 'public');
  return bookMs + (2 * SECOND) / state.requests.pace.private + expectedDelayMs;
}
