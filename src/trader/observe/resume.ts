// A person has looked at a halted symbol and wants it to trade again: at a start, or while the bot runs.
import { type Decimal, plain } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { type EpochMs, utcText } from '../../domain/time.ts';
import type { HaltCode } from '../../quoting/risk/risk-context.ts';
import { isSlipped } from '../decision/price-jump.ts';
import { haltOf, isAboutOrders } from '../decision/readiness.ts';
import { marketIn } from '../durable/market.ts';
import { beginKnowledge } from '../knowledge/note-reads.ts';
import { isJumpHalt } from '../knowledge/price-doubt.ts';
import { isQuestionOver } from '../orders/question-over.ts';
import { noRejects } from '../state/market.ts';
import { marketOf, symbolsOf, type TraderState, touch } from '../state/state.ts';
import { emit, notice, type Turn } from '../state/turn.ts';
import { type Answer, notOursIn } from './take-over.ts';

/** A halted symbol that a person wants to trade again. */
export interface Resumed {
  readonly symbol: string;
  /**
   * The price that he takes for right, in quote; the market is compared with it. Null: with the last good price of the
   * program's own.
   */
  readonly price: Decimal | null;
}

/**
 * What a process may go on from: what halted it is counted in the journal, and begins anew there. Everything else a
 * start finds out: whose orders are whose, what became of a create, whether trades lack.
 */
const WITHOUT_A_START: ReadonlySet<string> = new Set<HaltCode>([
  ...(['repeated-fills', 'loss-session', 'loss-day', 'loss-drawdown', 'message-rate'] as const),
  ...(['create-refused', 'answers-untrue', 'price-jump', 'trade-changed'] as const),
]);

/**
 * Whether a bot that runs can go on from a halt of this code. `isQuestionOver`: no order that it asks about is open.
 */
export const needsNoStart = (code: string, isQuestionOver: boolean): boolean =>
  WITHOUT_A_START.has(code) || (isQuestionOver && isAboutOrders(code));

/**
 * A sentence why a person can't resume the symbol like that; null when he can. `withPrice` is how he would state one. A
 * symbol that is not halted is no mistake: nothing happens.
 */
export function whyNotResumable(
  state: TraderState,
  { symbol, price }: Resumed,
  withPrice = `--resume ${symbol}@PRICE`,
): string | null {
  const symbols = symbolsOf(state);
  if (!symbols.includes(symbol)) return `${symbol} can't be resumed: configured are ${symbols.join(', ')}.`;
  if (price !== null || !isJumpHalt(marketIn(state.durable, symbol).halt?.reason ?? '')) return null;
  // Without a price two books with the same slipped decimal would pass for the market (F61).
  return (
    `${symbol} was halted because its price jumped. Look at the market, and say the price that you take for right: ` +
    `${withPrice}.`
  );
}

/** What tells a halt from any other of its symbol; `since` is null where the journal does not know it. */
export interface HaltShown {
  readonly code: HaltCode;
  readonly since: EpochMs | null;
}

/**
 * What halts the symbol now, in a sentence, where a person who resumes it was shown something else, or no halt at all:
 * he would lift what he has not looked at. Null where he saw it, and where nothing halts it any more.
 */
export function unseenHalt(state: TraderState, symbol: InstrumentSymbol, shown: HaltShown | null): string | null {
  const halt = haltOf(state, symbol);
  if (halt === null) return null;
  const { code, reason, since = null } = halt;
  if (shown !== null && shown.code === code && shown.since === since) return null;
  return `${symbol} is halted as ${code}${since === null ? '' : ` since ${utcText(since)}`}: ${reason}`;
}

/** Halts that a start answers by whose the orders are. */
const ASKS_WHOSE: ReadonlySet<HaltCode> = new Set(['journal-stale']);

/** The same of a bot that goes on running. */
export function whyNotWithoutStart(state: TraderState, resumed: Resumed): string | null {
  const { symbol } = resumed;
  const why = whyNotResumable(state, resumed, `resume ${symbol} --at PRICE`);
  if (why !== null) return why;
  const code = marketIn(state.durable, symbol).halt?.code;
  if (code === undefined || needsNoStart(code, isQuestionOver(state, symbol))) return null;
  const how = ASKS_WHOSE.has(code) ? 'start it with --adopt-orders or --not-mine' : `run --resume ${symbol}`;
  return `${symbol} is halted as ${code}, which only a start can look into: stop the bot, then ${how}.`;
}

interface Resuming {
  /** Who resumes it while the bot runs; absent at a start. */
  readonly by?: string;
  /** What he says of the orders in question. */
  readonly answer?: Answer | null;
}

export function resumeSymbol(turn: Turn, { symbol, price }: Resumed, { by, answer = null }: Resuming = {}): void {
  if (marketIn(turn.state.durable, symbol).halt === null) return;
  const notOurs = notOursIn(turn.state.durable, symbol, answer);
  const stated = price === null ? {} : { price: price.toFixed() };
  const named = by === undefined ? {} : { by };
  emit(turn, { type: 'symbol-resumed', payload: { symbol, ...stated, ...notOurs, ...named, at: turn.now } });
  const words = price === null ? '' : ` at ${plain(price)}`;
  const who = by === undefined ? 'a person' : by;
  notice(turn, { level: 'info', op: 'symbol-resumed', symbol, message: `${symbol} is resumed by ${who}${words}.` });
}

/** Does nothing where `whyNotWithoutStart` says why. What the session noted on the way to the halt begins anew, too. */
export function resumeRunning(turn: Turn, resumed: Resumed, by: string): void {
  const { symbol, price } = resumed;
  if (whyNotWithoutStart(turn.state, resumed) !== null || marketIn(turn.state.durable, symbol).halt === null) return;
  resumeSymbol(turn, resumed, { by });
  const market = marketOf(turn.state, symbol);
  market.jump = null;
  market.rejects = noRejects();
  if (price !== null) noteStated(turn, symbol, price);
  touch(turn.state, symbol);
}

/** From here on books are compared with the price that the person stated; those of before the jump hold nothing up. */
function noteStated({ state, now }: Turn, symbol: InstrumentSymbol, price: Decimal): void {
  const market = marketOf(state, symbol);
  const before = market.lastGoodReference ?? market.oldReference;
  if (before !== null && isSlipped(price, before)) beginKnowledge(state, symbol);
  market.lastGoodReference = price;
  market.lastGoodAt = now;
  market.oldReference = null;
  market.firstReference = null;
  market.references.splice(0);
  market.travel = null;
}
