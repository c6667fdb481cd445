// Setting and removing locks within a turn.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { isSameLock, type Lock, lockEnd } from '../../quoting/protection-settings.ts';
import { BY_TIME } from '../durable/fold/locks.ts';
import { marketIn } from '../durable/market.ts';
import { touch } from './state.ts';
import { emit, notice, type Turn } from './turn.ts';

/** `buy side of BTC/INR`, or the symbol alone. */
const whatIsLocked = (symbol: InstrumentSymbol, { side }: Pick<Lock, 'side'>): string =>
  side === null ? symbol : `The ${side} side of ${symbol}`;

/** Its orders are canceled, and nothing new is placed there, until the lock ends. The same lock takes the new end. */
export function lockSymbol(turn: Turn, symbol: InstrumentSymbol, lock: Omit<Lock, 'since'>, by: string): void {
  const { code, side, reason, until } = lock;
  emit(turn, { type: 'locked', payload: { symbol, code, side, reason, until, by, at: turn.now } });
  const message = `${whatIsLocked(symbol, lock)} is locked ${lockEnd(lock)}: ${reason}`;
  notice(turn, { level: 'warn', op: 'locked', symbol, message });
  touch(turn.state, symbol);
}

export function unlockSymbol(turn: Turn, symbol: InstrumentSymbol, lock: Lock, by: string): void {
  const { code, side } = lock;
  emit(turn, { type: 'unlocked', payload: { symbol, code, side, by, at: turn.now } });
  const why = by === BY_TIME ? 'its time is over' : `removed by ${by}`;
  notice(turn, {
    level: 'info',
    op: 'unlocked',
    symbol,
    message: `${whatIsLocked(symbol, lock)} is locked no longer, ${why}: ${lock.reason}`,
  });
  touch(turn.state, symbol);
}

export const hasLock = ({ state }: Turn, symbol: InstrumentSymbol, lock: Pick<Lock, 'code' | 'side'>): boolean =>
  marketIn(state.durable, symbol).locks.some((each) => isSameLock(each, lock));
