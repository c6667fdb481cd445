// A person has looked at a halted symbol and resumes it: at a start, or while the bot runs.
import { type Decimal, plain } from '../../domain/decimal.ts';
import type { EpochMs } from '../../domain/time.ts';
import { timeText } from '../../domain/time-text.ts';
import { ENDS_WHILE_RUNNING, type HaltCode } from '../../quoting/block.ts';
import { haltOf, isAboutOrders } from '../decision/readiness.ts';
import { isNear, isSlipped } from '../decision/reference.ts';
import { decisionInputsOf } from '../decision/view.ts';
import { marketIn } from '../durable/market.ts';
import { beginKnowledge } from '../knowledge/record-reads.ts';
import type { TrustedPrice } from '../money/trusted-price.ts';
import { isQuestionOver } from '../orders/in-question.ts';
import { type Market, noRejects } from '../state/market.ts';
import { marketOf, symbolsOf, type TraderState, touch, type With } from '../state/state.ts';
import { emit, notice, type Step, type Turn } from '../state/turn.ts';
import { type Answer, notOursIn } from './take-over.ts';

/** A halted symbol that a person resumes. */
export interface Resumed {
  readonly symbol: string;
  /**
   * The price that the person believes is correct, in quote. The market is compared with it, and nothing is valued at
   * it. Null: the program's own last good price.
   */
  readonly price: Decimal | null;
}

/** Whether a running bot can resume from a halt of this code. `isQuestionOver`: no order in question is open. */
export const needsNoStart = (code: HaltCode, isQuestionOver: boolean): boolean =>
  ENDS_WHILE_RUNNING[code] || (isQuestionOver && isAboutOrders(code));

/**
 * One sentence why a person can't resume the symbol like that; null if he can. `withPrice` is how he would state a
 * price. Resuming a symbol that is not halted is no mistake: nothing happens.
 */
export function whyNotResumable(
  state: With<'durable' | 'markets'>,
  { symbol, price }: Resumed,
  withPrice = `--resume ${symbol}@PRICE`,
): string | null {
  const symbols = symbolsOf(state);
  if (!symbols.includes(symbol)) return `${symbol} can't be resumed: configured are ${symbols.join(', ')}.`;
  if (price !== null || marketIn(state.durable, symbol).halt?.code !== 'price') return null;
  // Without a price, two books with the same slipped decimal would pass for the market (F61).
  return (
    `${symbol} was halted because its price jumped. Look at the market, and say the price you believe is correct: ` +
    `${withPrice}.`
  );
}

/** Identifies a halt among others of its symbol; `since` is null if the journal does not know it. */
export interface HaltShown {
  readonly code: HaltCode;
  readonly since: EpochMs | null;
}

/**
 * The symbol's current halt, in a sentence, if the person who resumes it was shown another halt, or none: he would lift
 * a halt that he has not seen. Null if he saw it, or if there is no halt any more.
 */
export function unseenHalt(state: With<'durable'>, market: Market, shown: HaltShown | null): string | null {
  const halt = haltOf(state, market);
  if (halt === null) return null;
  const { code, reason, since } = halt;
  if (shown !== null && shown.code === code && shown.since === since) return null;
  return `${market.symbol} is halted as ${code} since ${timeText(since)}: ${reason}`;
}

/** Halts whose question a start settles by an answer about the orders' owner. */
const ASKS_WHOSE: ReadonlySet<HaltCode> = new Set(['journal-stale']);

/** The same for a running bot. */
export function whyNotWithoutStart(state: TraderState, resumed: Resumed, now: EpochMs): string | null {
  const { symbol } = resumed;
  const why = whyNotResumable(state, resumed, `resume ${symbol} --at PRICE`);
  if (why !== null) return why;
  const code = marketIn(state.durable, symbol).halt?.code;
  const market = marketOf(state, symbol);
  if (code === undefined || needsNoStart(code, isQuestionOver(state, market)))
    return whyNotAt(state, market, resumed, now);
  const how = ASKS_WHOSE.has(code) ? 'start it with --adopt-orders or --not-mine' : `run --resume ${symbol}`;
  return `${symbol} is halted as ${code}, which only a start can look into: stop the bot, then ${how}.`;
}

/**
 * Why the stated price is not accepted: the newest book shows another one. If none shows a price now, the first book
 * that does is compared with the stated one, and nothing is quoted if they are far apart.
 */
function whyNotAt(state: TraderState, market: Market, { price }: Resumed, now: EpochMs): string | null {
  const shown = shownPrice(state, market, now);
  const { jumpBps } = market.run.limits;
  if (price === null || shown === null) return null;
  if (!isSlipped(shown.price, price) && isNear(shown.price, price, jumpBps)) return null;
  return (
    `${market.symbol} is not resumed at ${plain(price)}: the exchange shows ${plain(shown.price)}, further from it ` +
    `than ${jumpBps} bps. State a price near that one, or wait until the exchange shows yours.`
  );
}

/** The reference price of the newest book; null if the book is too old, or has none. */
function shownPrice(state: TraderState, market: Market, now: EpochMs): TrustedPrice | null {
  const { referencePrice: price, source } = decisionInputsOf(state, market);
  const { bookSentAt: at } = source;
  return price === null || at === null || now - at > state.settings.ageLimits.bookMs ? null : { price, at };
}

interface Resuming {
  /** Who resumes it while the bot runs; absent for a start. */
  readonly by?: string;
  /** The person's answer about the orders in question. */
  readonly answer?: Answer | null;
}

/** A stated price is compared with the first book that has one. */
export function resumeSymbol(turn: Step, { symbol, price }: Resumed, { by, answer = null }: Resuming = {}): void {
  const notOurs = notOursIn(turn.state.durable, symbol, answer);
  const stated = price === null ? {} : { price: price.toFixed() };
  const named = by === undefined ? {} : { by };
  emit(turn, { type: 'symbol-resumed', payload: { symbol, ...stated, ...notOurs, ...named, at: turn.now } });
  const words = price === null ? '' : ` at ${plain(price)}`;
  const who = by === undefined ? 'a person' : by;
  notice(turn, { level: 'info', op: 'symbol-resumed', symbol, message: `${symbol} is resumed by ${who}${words}.` });
}

/**
 * Whether a stated price would settle anything now: a doubt that has not halted the symbol yet, as after a start with a
 * wrong one, or a stated price that waits for a book.
 */
export function isPriceOpen({ jump, statedReference }: Market): boolean {
  return jump !== null || statedReference !== null;
}

/** Does nothing if `whyNotWithoutStart` returns a reason. The session's counts toward the halt restart, too. */
export function resumeRunning(turn: Turn, resumed: Resumed, by: string): void {
  const { state, now } = turn;
  const { symbol, price } = resumed;
  if (whyNotWithoutStart(state, resumed, now) !== null) return;
  const market = marketOf(state, symbol);
  const { halt } = marketIn(state.durable, symbol);
  if (halt === null && (price === null || !isPriceOpen(market))) return;
  // A price doubt of its own is no halt: the protections go on counting.
  if (halt !== null || market.statedReference !== null) resumeSymbol(turn, resumed, { by });
  market.jump = null;
  market.rejects = noRejects();
  if (price !== null) beginAt(state, market, price, now);
  touch(market);
}

/**
 * From here on the exchange's price counts, which the stated one confirms. Without one, the first book is compared with
 * the stated price. Earlier prices from before the jump block nothing.
 */
function beginAt(state: TraderState, market: Market, stated: Decimal, now: EpochMs): void {
  const before = market.lastGoodReference ?? market.oldReference;
  const shown = shownPrice(state, market, now);
  if (before !== null && isSlipped(stated, before)) beginKnowledge(market);
  market.lastGoodReference = shown?.price ?? null;
  market.lastGoodAt = shown?.at ?? null;
  market.statedReference = shown === null ? stated : null;
  market.oldReference = null;
  market.firstReference = null;
  market.references.splice(0);
  market.travel = null;
}

/** Why a price that was just stated values nothing yet, one sentence; empty if a book confirms it. */
export function statedNow(state: TraderState, { symbol, price }: Resumed, now: EpochMs): string {
  if (price === null || shownPrice(state, marketOf(state, symbol), now) !== null) return '';
  return ` No book shows a price of ${symbol} now: the first one that does is compared with ${plain(price)}.`;
}
