// Protections: conditions that lock a symbol, or one side of it, for a while. Each is off if absent.
import { z } from 'zod';
import type { Side } from '../domain/order.ts';
import { DAY, type DurationMs, type EpochMs, HOUR, MINUTE } from '../domain/time.ts';
import { timeText } from '../domain/time-text.ts';
import { amount, whole } from './amount.ts';

/** Most moments remembered of each kind. */
export const MOST_COUNTED = 50;
/** None older than this before the newest is remembered. */
export const LONGEST_PROTECTION_MS = DAY;

const count = (what: string) => whole(1, MOST_COUNTED).describe(what);

const losingSales = z
  .strictObject({
    count: count(
      'After this many own sales within an hour below the cost of the base, fees included: for half an hour.',
    ),
  })
  .describe('Rests after sales that lost money.');

const drawdown = z
  .strictObject({
    quote: amount('positive', 'quote').describe(
      'This far below the highest profit of 24 hours, in quote: for an hour.',
    ),
  })
  .describe('Rests when profit has fallen. `limits.maxDrawdown` halts until a person resumes.');

const turnover = z
  .strictObject({
    quotePerDay: amount('positive', 'quote').describe('Value of all own fills of a UTC day, both sides, in quote.'),
  })
  .describe('Stops for the day: each sale has tax withheld, which takes cash out of the account for months.');

export const protectionsSchema = z.strictObject({
  losingSales: losingSales.optional(),
  drawdown: drawdown.optional(),
  turnover: turnover.optional(),
});

interface Times {
  /** The period it looks back over. */
  readonly withinMs: DurationMs;
  /** How long its lock lasts. */
  readonly lockMs: DurationMs;
}
export type ProtectionTimes = Readonly<Record<'losingSales' | 'drawdown', Times>>;

const TIMES: ProtectionTimes = {
  losingSales: { withinMs: HOUR, lockMs: 30 * MINUTE },
  drawdown: { withinMs: DAY, lockMs: HOUR },
};

type WrittenProtections = z.output<typeof protectionsSchema>;
export type Protections = {
  readonly [K in keyof WrittenProtections]: WrittenProtections[K] & (K extends keyof ProtectionTimes ? Times : unknown);
};

/** The configured protections, with the fixed times filled in. */
export const protectionsOf = (written: WrittenProtections, times = TIMES): Protections => ({
  ...(written.losingSales && { losingSales: { ...times.losingSales, ...written.losingSales } }),
  ...(written.drawdown && { drawdown: { ...times.drawdown, ...written.drawdown } }),
  ...(written.turnover && { turnover: written.turnover }),
});

// A lock stops quoting on one side of a symbol, or both, for a while. Protections and repeated fills set one for a
// time, a person until its removal.

/** Causes of a lock; each has at most one per side, and one for both. */
export const LOCK_CODES = ['operator', 'losing-sales', 'drawdown', 'turnover', 'repeated-fills'] as const;
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
  until === null ? 'until it is removed' : `until ${timeText(until)}`;
