// The price that a market is quoted around: where it comes from, whether it is trusted, and how far it travels.
import { Decimal, plain } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { type OrderBook, touchOf } from '../../domain/order-book.ts';
import { type DurationMs, type EpochMs, HOUR, MINUTE, SECOND, utcText } from '../../domain/time.ts';
import { referencePrice } from '../../quoting/reference-price.ts';
import { type ExternalPrice, NO_KNOWLEDGE, type OwnFill, type TradesSeen } from '../../quoting/strategy.ts';
import { combine, type ExternalReading } from '../../reference/combine.ts';
import { marketIn } from '../durable/market.ts';
import { OF_OTHERS } from '../knowledge/knowledge-of.ts';
import { trustedPrice } from '../money/trusted-price.ts';
import type { ExternalAt, Market, PriceTravel } from '../state/market.ts';
import type { RunSettings } from '../state/settings.ts';
import { marketOf, stretch, type TraderState, touch } from '../state/state.ts';
import { notice, type Turn } from '../state/turn.ts';

/** Sources of a reference price beside the book. */
export interface ReferenceFrom {
  readonly external: ExternalAt | null;
  readonly trades: TradesSeen | null;
  readonly ownFills: readonly OwnFill[];
}

type Source = Pick<RunSettings, 'referenceSource' | 'fixedReference'>;

/** Null where there is none: a book without two sides gives none whatever the source. */
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

// The price that other exchanges make, as the trader keeps it: what the sources said last, and what that comes to as
// time passes.

/** Takes what the sources said over. A reading for a symbol that is not quoted is a bug of whoever tells it. */
export function observeExternal(
  state: Pick<TraderState, 'markets'>,
  { symbol, reading }: { readonly symbol: InstrumentSymbol; readonly reading: ExternalReading },
  now: EpochMs,
): void {
  marketOf(state, symbol).externalReading = reading;
  renewExternal(state, symbol, now);
}

/**
 * Works the price out anew, and has the decision made anew where it is another one. The object stays the same while
 * only its age has grown: whatever is cached by it stays valid.
 */
export function renewExternal(state: Pick<TraderState, 'markets'>, symbol: InstrumentSymbol, now: EpochMs): void {
  const market = marketOf(state, symbol);
  const { external, externalReading: reading } = market;
  if (reading === null) return;
  const price = combine(reading, now);
  const isSame = external !== null && isSamePrice(external.price, price);
  if (isSame && !isYounger(price, externalPriceAt(external, now))) return;
  market.external = { price, at: now };
  if (!isSame) touch(state, symbol);
}

/** Sources that say the same again say it of now. */
const isYounger = (price: ExternalPrice, kept: ExternalPrice): boolean =>
  price.kind === 'known' && kept.kind === 'known' && price.ageMs < kept.ageMs;

function isSamePrice(a: ExternalPrice, b: ExternalPrice): boolean {
  if (a.kind === 'unknown') return b.kind === 'unknown' && a.why === b.why;
  if (b.kind === 'unknown') return false;
  return a.price.eq(b.price) && a.sources === b.sources && a.spreadBps === b.spreadBps && a.widenBps === b.widenBps;
}

/** As it is in a view at `now`. */
export function externalPriceAt(external: ExternalAt | null, now: EpochMs): ExternalPrice {
  if (external === null) return NO_KNOWLEDGE.externalPrice;
  const { price, at } = external;
  return price.kind === 'unknown' ? price : { ...price, ageMs: price.ageMs + Math.max(0, now - at) };
}

// A reference price that is far from the last one that was trusted: the notice when that begins, and the halt of the
// symbol when it stays.

/** A reference price this long away from the last good one is a new regime: a person must say so (F62). */
const JUMP_LASTS_MS: DurationMs = MINUTE;

/** So long the last good reference price is what the market is compared with, over a start as well. */
const REFERENCE_HOLDS_MS: DurationMs = HOUR;

/** Whether a price that was good then is too old to compare with at `now`: it tells a slipped decimal, and no jump. */
export const isOldReference = (at: EpochMs, now: EpochMs): boolean => now - at > REFERENCE_HOLDS_MS;

/**
 * After an outage as after a start: what jumped before the price was old is judged by it, while books go on to show the
 * jump. One whose last book is old itself is no unbroken row of books.
 */
export function ageReference(market: Market, bookSentAt: EpochMs): void {
  if (market.jump !== null && isOldReference(market.jump.to, bookSentAt)) market.jump = null;
  const { lastGoodReference, lastGoodAt, jump } = market;
  if (lastGoodAt === null || jump !== null || !isOldReference(lastGoodAt, bookSentAt)) return;
  Object.assign(market, { lastGoodReference: null, lastGoodAt: null, oldReference: lastGoodReference });
}

/** Not what markets do in days, but what a decimal does (F61). */
export const isSlipped = (price: Decimal, old: Decimal): boolean => price.gt(old.mul(2)) || price.mul(2).lt(old);

/** Whether a price is no jump from the last one, by `limits.jumpBps`. */
export function isNear(price: Decimal, last: Decimal, jumpBps: number): boolean {
  // The reference of a book that has been looked at before.
  if (price === last) return true;
  return price
    .sub(last)
    .abs()
    .mul(10_000)
    .lte(last.mul(new Decimal(jumpBps)));
}

/**
 * Why no first price of a market is believed; null where it may be, or another one is known. Two books with the same
 * slipped decimal confirm each other: where that is told of another market, it is likely of this one too (F62).
 */
export function firstPriceDoubt(state: TraderState, symbol: InstrumentSymbol, now: EpochMs): string | null {
  const { lastGoodReference, statedReference, oldReference, run } = marketOf(state, symbol);
  if ((lastGoodReference ?? statedReference ?? oldReference) !== null || OF_OTHERS.has(run.referenceSource))
    return null;
  const { bookMs } = state.settings.ageLimits;
  for (const [other, market] of state.markets) {
    const isHalted = marketIn(state.durable, other).halt?.code === 'price' && !isBack(market, now - bookMs);
    if (OF_OTHERS.has(market.run.referenceSource) || !(isHalted || hasSlipped(market, now - bookMs))) continue;
    const until = isHalted ? ', or a person has resumed it' : '';
    return (
      `The price of ${other} jumped, and no price of ${symbol} is known from before: none is believed until the ` +
      `books of ${other} show the price of before${until}.`
    );
  }
  return null;
}

/** Whether its books are back at the price of before: the halt alone waits for a person then. */
const isBack = ({ jump, lastGoodAt }: Market, since: EpochMs): boolean =>
  jump === null && lastGoodAt !== null && lastGoodAt >= since;

/** By books as young as a price is made of: nobody could end what holds for as long as no other one comes. */
function hasSlipped({ jump, lastGoodReference, statedReference, oldReference }: Market, since: EpochMs): boolean {
  const known = lastGoodReference ?? statedReference ?? oldReference;
  return jump !== null && known !== null && jump.to >= since && isSlipped(jump.price, known);
}

export function extendJump(market: Market, price: Decimal, bookSentAt: EpochMs): void {
  const { from, isNotified } = market.jump ?? { from: bookSentAt, isNotified: false };
  market.jump = { from, to: bookSentAt, price, isNotified };
}

/** Whether the reference price jumped and stayed, so long and in more books than one. */
export function hasJumped({ jump }: Market): boolean {
  return jump !== null && jump.to - jump.from >= JUMP_LASTS_MS;
}

/** While the jump lasts, one sentence; null without one. */
export function jumpWatched(state: Pick<TraderState, 'durable' | 'markets'>, symbol: InstrumentSymbol): string | null {
  const words = jumpWords(state, symbol);
  const { jump, statedReference } = marketOf(state, symbol);
  if (words === null || jump === null) return null;
  const haltsAt = clockTime(jump.from + JUMP_LASTS_MS);
  const next =
    statedReference === null
      ? 'until then there is nothing to do'
      : `to correct the stated price: \`resume ${symbol} --at PRICE\``;
  const until = `Where it stays there, the symbol halts at ${haltsAt}; ${next}.`;
  return `${words.replace(/,$/, '')}. It is not trusted: no order is placed. ${until}`;
}

/** The sentence of a halt for a jump; null without one. */
export function jumpHalt(state: Pick<TraderState, 'durable' | 'markets'>, symbol: InstrumentSymbol): string | null {
  const words = jumpWords(state, symbol);
  return words === null
    ? null
    : `${words} and stayed: look at the market, then resume the symbol at the price you believe is correct.`;
}

function jumpWords(state: Pick<TraderState, 'durable' | 'markets'>, symbol: InstrumentSymbol): string | null {
  const { jump, statedReference } = marketOf(state, symbol);
  if (jump === null) return null;
  if (statedReference !== null)
    return (
      `The reference price was ${plain(jump.price)} at ${utcText(jump.from)}, far from the stated ` +
      `${plain(statedReference)},`
    );
  const last = trustedPrice(state, symbol)?.price ?? null;
  const from = last === null ? '' : ` from ${plain(last)}`;
  return `The reference price jumped${from} to ${plain(jump.price)} at ${utcText(jump.from)}`;
}

/** While a stated price waits for a book, one sentence; null where none does. */
export function statedWaits({ statedReference, jump }: Market): string | null {
  if (statedReference === null || jump !== null) return null;
  return `The next reference price is compared with the stated ${plain(statedReference)}.`;
}

const clockTime = (moment: EpochMs): string => utcText(moment).slice(11);

/** Says once that it began. */
export function notifyJump(turn: Turn, symbol: InstrumentSymbol): void {
  const market = marketOf(turn.state, symbol);
  const message = jumpWatched(turn.state, symbol);
  if (market.jump === null || market.jump.isNotified || message === null) return;
  market.jump = { ...market.jump, isNotified: true };
  notice(turn, { level: 'warn', op: 'reference-jumped', symbol, message });
}

// How far the reference price goes anyway, in the time that a move takes to reach the book.

type References = Market['references'];

const BPS_PER_ONE = 10_000;

/** Fewer changes than these say nothing; what is configured does then. */
const LEAST_CHANGES = 12;

/** Ignores changes that span an outage. */
const LONGEST_CHANGE_MS: DurationMs = MINUTE;

/**
 * Takes prices oldest first. Each change spans `overMs` at the least, and little more. Null where there are too few.
 */
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

/** Works out what was seen, once for each reference price that is kept. */
export function measureTravel(state: TraderState, { instrument, quoting }: RunSettings): void {
  const market = marketOf(state, instrument.symbol);
  market.travel ??= travelIn(market.references, moveTakesMs(state, quoting.guard.expectedDelayMs));
}

/**
 * In basis points of the reference price. What was seen in the last minutes; before there is enough of it, the
 * volatility that the guard is configured with. A price is taken to go with the square root of the time.
 */
export function travelBpsOf(state: TraderState, { instrument, quoting }: RunSettings): number {
  const { guard } = quoting;
  const takesMs = moveTakesMs(state, guard.expectedDelayMs);
  const { travel } = marketOf(state, instrument.symbol);
  const { bps, overMs } = travel ?? { bps: guard.volatilityBpsPerSqrtSecond, overMs: SECOND };
  return bps * Math.sqrt(takesMs / overMs);
}

/** A book may be one interval old, the lane must give two turns, and the order must reach the book. */
function moveTakesMs(state: TraderState, expectedDelayMs: DurationMs): DurationMs {
  const bookMs = state.settings.polling.bookMs * stretch(state, 'public');
  return bookMs + (2 * SECOND) / state.requests.pace.private + expectedDelayMs;
}
