// One step of the trader: its journal events and notices, collected while the state changes.
import type { IntentId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Halt, HaltCode } from '../../quoting/block.ts';
import { isSameLock, type Lock, lockEnd } from '../../quoting/protection-settings.ts';
import type { Durable } from '../durable/durable.ts';
import type { PayloadOf, TraderEvent } from '../durable/events.ts';
import { applyEvent } from '../durable/fold/apply-event.ts';
import { BY_TIME } from '../durable/fold/apply-risk.ts';
import type { AnsweredRead } from '../durable/hold-events.ts';
import type { Intent } from '../durable/intent.ts';
import { marketIn } from '../durable/market.ts';
import type { Market } from './market.ts';
import { count, type TraderState, touch, type With } from './state.ts';

/** A message for people. `page` wakes somebody. */
export interface Notice {
  readonly level: 'debug' | 'info' | 'warn' | 'page';
  readonly op: string;
  readonly message: string;
  readonly symbol?: InstrumentSymbol;
  readonly intentId?: IntentId;
  readonly orderId?: string;
}

export interface Effects {
  /** To be durable before anything else leaves this machine. */
  readonly events: readonly TraderEvent[];
  readonly notices: readonly Notice[];
}

/** A step that reads and changes markets, the journal's state, and these fields of the trader's state. */
export interface Step<Field extends keyof TraderState = never> {
  readonly state: With<Field | 'durable' | 'markets'>;
  readonly now: EpochMs;
  readonly events: TraderEvent[];
  readonly notices: Notice[];
  /** When the processed answer arrived, which may be long before `now`; `now` if there is none. */
  arrivedAt: EpochMs;
  /** The read whose answer is being processed; null if there is none. */
  answered: AnsweredRead | null;
}

/** A step with the whole state. */
export type Turn = Step<keyof TraderState>;

export function beginTurn(state: TraderState, now: EpochMs): Turn {
  return { state, now, events: [], notices: [], arrivedAt: now, answered: null };
}

/** Folds an event into the state and keeps it for the journal. */
export function emit(turn: Step, event: TraderEvent): void {
  applyEvent(turn.state.durable, event);
  turn.events.push(event);
}

export function notice(turn: Step, entry: Notice): void {
  turn.notices.push(entry);
}

export function intentNotice(turn: Step, intent: Intent, entry: Pick<Notice, 'level' | 'op' | 'message'>): void {
  turn.notices.push({
    ...entry,
    symbol: intent.symbol,
    intentId: intent.intentId,
    ...(intent.orderId === null ? {} : { orderId: intent.orderId }),
  });
}

/**
 * Stops a symbol until a person resumes it: its orders are canceled and nothing new is placed. An existing halt keeps
 * its reason, unless the new one is about whose orders are whose: the person who resumes it must know that; or unless
 * the market still trades during the halt, which the new one ends.
 */
export function haltSymbol(
  turn: Step<'session'>,
  market: Market,
  reason: string,
  code: HaltCode,
  more: Pick<PayloadOf<'symbol-halted'>, 'intents' | 'unwind'> = {},
): void {
  const { symbol } = market;
  const { halt } = marketIn(turn.state.durable, symbol);
  if (halt !== null && gravityOf(code) <= gravityOf(halt.code) && !endsUnwind(halt, code)) return;
  const end = code === 'journal-stale' ? { journalEnd: turn.state.session.journalAge.endedAt } : {};
  emit(turn, { type: 'symbol-halted', payload: { symbol, reason, code, ...more, ...end, at: turn.now } });
  count(market.haltCounts, code);
  notice(turn, { level: 'page', op: 'symbol-halted', symbol, message: `${symbol} is halted: ${reason}` });
  touch(market);
}

const GRAVE: readonly HaltCode[] = ['not-alone', 'journal-stale'];
const endsUnwind = ({ unwind }: Halt, code: HaltCode): boolean => unwind !== undefined && code !== 'loss';
const gravityOf = (code: HaltCode): number => GRAVE.indexOf(code);

// Setting and removing locks within a turn.

/** `buy side of BTC/INR`, or the symbol alone. */
const whatIsLocked = (symbol: InstrumentSymbol, { side }: Pick<Lock, 'side'>): string =>
  side === null ? symbol : `The ${side} side of ${symbol}`;

/**
 * Its orders are canceled, and nothing new is placed there, until the lock ends. Setting the same lock again moves its
 * end.
 */
export function lockSymbol(turn: Step, market: Market, lock: Omit<Lock, 'since'>, by: string): void {
  const { symbol } = market;
  const { code, side, reason, until } = lock;
  emit(turn, { type: 'lock', payload: { symbol, code, side, lock: { reason, until }, by, at: turn.now } });
  const message = `${whatIsLocked(symbol, lock)} is locked ${lockEnd(lock)}: ${reason}`;
  notice(turn, { level: 'warn', op: 'locked', symbol, message });
  touch(market);
}

export function unlockSymbol(turn: Step, market: Market, lock: Lock, by: string): void {
  const { symbol } = market;
  const { code, side } = lock;
  emit(turn, { type: 'lock', payload: { symbol, code, side, lock: null, by, at: turn.now } });
  const why = by === BY_TIME ? 'its time is over' : `removed by ${by}`;
  notice(turn, {
    level: 'info',
    op: 'unlocked',
    symbol,
    message: `${whatIsLocked(symbol, lock)} is no longer locked, ${why}: ${lock.reason}`,
  });
  touch(market);
}

/** `side`: only its locks; null: all of them. */
export function removeLocks(turn: Step, market: Market, side: Side | null, by: string): void {
  for (const lock of marketIn(turn.state.durable, market.symbol).locks)
    if (side === null || lock.side === side) unlockSymbol(turn, market, lock, by);
}

export const hasLock = (durable: Durable, symbol: InstrumentSymbol, lock: Pick<Lock, 'code' | 'side'>): boolean =>
  marketIn(durable, symbol).locks.some((each) => isSameLock(each, lock));
