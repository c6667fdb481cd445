// A lock keeps a side of a symbol, or both, from being quoted for a while. Protections and repeated fills set one for a
// time, a person until he removes it.
import type { Side } from '../domain/order.ts';
import { type EpochMs, utcText } from '../domain/time.ts';

/** What sets a lock; each has at most one per side, and one for both. */
export const LOCK_CODES = ['operator', 'losing-sales', 'drawdown', 'refusals', 'turnover', 'repeated-fills'] as const;
export type LockCode = (typeof LOCK_CODES)[number];

export interface Lock {
  readonly code: LockCode;
  /** Null locks both sides. */
  readonly side: Side | null;
  /** One sentence. */
  readonly reason: string;
  readonly since: EpochMs;
  /** By our clock; null until somebody removes it. */
  readonly until: EpochMs | null;
}

export const locksSide = (lock: Pick<Lock, 'side'>, side: Side): boolean => lock.side === null || lock.side === side;

/** Whether they are the same lock, set at another time or for another reason. */
export const isSameLock = (a: Pick<Lock, 'code' | 'side'>, b: Pick<Lock, 'code' | 'side'>): boolean =>
  a.code === b.code && a.side === b.side;

/** `until 2026-11-26 14:05:00 UTC`, or that it has no end. */
export const lockEnd = ({ until }: Pick<Lock, 'until'>): string =>
  until === null ? 'until it is removed' : `until ${utcText(until)}`;
