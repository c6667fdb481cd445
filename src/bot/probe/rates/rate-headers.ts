// The rate-limit headers of one answer as numbers, with how far their rounding may mislead.
import { readHttpDate } from '../../../client/outcomes/rate-limit-headers.ts';
import { type DurationMs, type EpochMs, SECOND } from '../../../domain/time.ts';

/** Resets above this are milliseconds since epoch, under the other one seconds from now. */
const MILLISECONDS_FROM = 100_000_000_000;
const EPOCH_FROM = 1_000_000_000;

export interface Reset {
  /** By the exchange's clock. */
  readonly resetAt: EpochMs;
  /** How far it may be off either way. */
  readonly roundingMs: DurationMs;
}

/** Seconds or milliseconds since epoch, or seconds from the answer's `Date` on; `null` for anything else. */
export function resetOf(text = '', date?: string): Reset | null {
  if (!/^\d{1,16}(?:\.\d{1,6})?$/.test(text.trim())) return null;
  const value = Number(text);
  if (value >= MILLISECONDS_FROM) return { resetAt: value, roundingMs: 0 };
  if (value >= EPOCH_FROM) return { resetAt: value * SECOND, roundingMs: SECOND };
  const base = readHttpDate(date);
  return base === undefined ? null : { resetAt: base + value * SECOND, roundingMs: 2 * SECOND };
}

/** A count, or `null` for anything else. */
export function countOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;
}
