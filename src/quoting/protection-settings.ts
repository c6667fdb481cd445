// The protection: a condition that locks a symbol for a while. Off if absent.
import { z } from 'zod';
import type { Side } from '../domain/order.ts';
import { type EpochMs, utcText } from '../domain/time.ts';
import { amount } from './amount.ts';

const turnover = z
  .strictObject({
    quotePerDay: amount('positive').describe('Value of all own fills of a UTC day, both sides, in quote.'),
  })
  .describe('Stops for the day: each sale has tax withheld, which takes cash out of the account for months.');

export const protectionsSchema = z.strictObject({ turnover: turnover.optional() });
export type Protections = z.output<typeof protectionsSchema>;

// A lock stops quoting on one side of a symbol, or both, for a while. A day's turnover and repeated fills set one for a
// time, a person until its removal.

/** Causes of a lock; each has at most one per side, and one for both. */
export const LOCK_CODES = ['operator', 'turnover', 'repeated-fills'] as const;
export type LockCode = (typeof LOCK_CODES)[number];

export interface Lock {
  readonly code: LockCode;
  /** Null locks both sides. */
  readonly side: Side | null;
  /** One sentence. */
  readonly reason: string;
  readonly since: EpochMs;
  /** By our clock; null until a person removes it. */
  readonly until: EpochMs | null;
}

export const locksSide = (lock: Pick<Lock, 'side'>, side: Side): boolean => lock.side === null || lock.side === side;

/** Whether they are the same lock, possibly set at another time or for another reason. */
export const isSameLock = (a: Pick<Lock, 'code' | 'side'>, b: Pick<Lock, 'code' | 'side'>): boolean =>
  a.code === b.code && a.side === b.side;

/** `until 2026-11-26 14:05:00 UTC`, or that it has no end. */
export const lockEnd = ({ until }: Pick<Lock, 'until'>): string =>
  until === null ? 'until it is removed' : `until ${utcText(until)}`;
