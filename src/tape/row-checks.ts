// Finds rows of a recording that show no market, go back in time, and counts steps.
import { type Decimal, parseDecimal } from '../domain/decimal.ts';
import { type DurationMs, SECOND } from '../domain/time.ts';
import { cellError, type TableRow } from './table-file.ts';
import type { EpochUs, TapeGap, TapeSource } from './types.ts';

const US_PER_MS = 1_000;

// Converts a number's text to a whole count of steps (ticks or lots), exactly and quickly.

export interface StepCount {
  /** Whole steps in the number, rounded down. */
  readonly whole: number;
  /** Whether rounding lost nothing. */
  readonly exact: boolean;
}

/** `null` if the text is not a number, is negative, or has more steps than a number counts exactly. */
export type StepCounter = (text: string) => StepCount | null;

const ZERO_CODE = 48;
const POINT_CODE = 46;
const MOST_DIGITS = 15;

/**
 * A counter for one step size. Plain digits take the fast path, anything longer or with an exponent goes through
 * Decimal.
 */
export function stepCounter(step: Decimal): StepCounter {
  const stepDecimals = step.decimalPlaces();
  const stepUnits = step.mul(10 ** stepDecimals).toNumber();
  return (text) => {
    const digits = plainDigits(text);
    if (digits === null) return countWithDecimal(text, step);
    const numerator = digits.mantissa * 10 ** Math.max(0, stepDecimals - digits.decimals);
    const divisor = stepUnits * 10 ** Math.max(0, digits.decimals - stepDecimals);
    if (numerator > Number.MAX_SAFE_INTEGER || divisor > Number.MAX_SAFE_INTEGER) return countWithDecimal(text, step);
    const rest = numerator % divisor;
    return { whole: (numerator - rest) / divisor, exact: rest === 0 };
  };
}

function plainDigits(text: string): { mantissa: number; decimals: number } | null {
  let mantissa = 0;
  let point = -1;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === POINT_CODE && point < 0) {
      point = i;
      continue;
    }
    const digit = code - ZERO_CODE;
    if (digit < 0 || digit > 9) return null;
    mantissa = mantissa * 10 + digit;
  }
  const digitCount = point < 0 ? text.length : text.length - 1;
  if (digitCount === 0 || digitCount > MOST_DIGITS) return null;
  return { mantissa, decimals: point < 0 ? 0 : text.length - 1 - point };
}

function countWithDecimal(text: string, step: Decimal): StepCount | null {
  const value = parseDecimal(text);
  if (value === null || value.isNegative()) return null;
  const steps = value.div(step);
  const whole = steps.floor();
  if (whole.gt(Number.MAX_SAFE_INTEGER)) return null;
  return { whole: whole.toNumber(), exact: whole.eq(steps) };
}

// Checks the exchange's times of one reading: they must not go back, and a long time without a row that shows the
// market is a gap.

/** Accumulated by `advance` and `trackGaps`. */
export interface TimeLine {
  firstAt: EpochUs | null;
  lastAt: EpochUs | null;
  rows: number;
  backwardTimes: number;
  /** The last row that showed the market; before the first one, the first row. */
  wholeAt: EpochUs | null;
  gapCount: number;
  longestGap: TapeGap | null;
  /** The last row where it did not show the market. */
  broken: TableRow | null;
}

export function newTimeLine(): TimeLine {
  return {
    ...{ firstAt: null, lastAt: null, rows: 0, backwardTimes: 0 },
    ...{ wholeAt: null, gapCount: 0, longestGap: null, broken: null },
  };
}

/** The time for a row stamped `at`. Throws TapeError if it is further back than tolerated. */
export function advance(
  line: TimeLine,
  at: EpochUs,
  found: { row: TableRow; column: number; source: TapeSource },
): EpochUs {
  const { row, column, source } = found;
  const before = line.lastAt ?? at;
  if (at < before - source.maxBackwardMs * US_PER_MS) {
    const seconds = (before - at) / US_PER_MS / SECOND;
    const sentence = `The time ${at} is ${seconds} s before that of the row before (${before})`;
    throw cellError(row, column, `${sentence}; at most ${source.maxBackwardMs / SECOND} s were expected.`);
  }
  if (at < before) line.backwardTimes += 1;
  const kept = Math.max(before, at);
  line.firstAt ??= kept;
  line.lastAt = kept;
  line.rows += 1;
  return kept;
}

/** Call it after `advance` with the same row. */
export function trackGaps(line: TimeLine, row: TableRow, { isWhole, maxSilenceMs }: GapRule): void {
  const at = line.lastAt ?? 0;
  line.wholeAt ??= at;
  line.broken = isWhole ? null : row;
  if (!isWhole) return;
  endGap(line, row, maxSilenceMs);
  line.wholeAt = at;
}

interface GapRule {
  readonly isWhole: boolean;
  readonly maxSilenceMs: DurationMs;
}

/** Records the time since the market was last shown, if it was long, as a gap that ends with this row. */
export function endGap(line: Omit<TimeLine, 'broken'>, row: TableRow, maxSilenceMs: DurationMs): void {
  const toAt = line.lastAt ?? 0;
  const fromAt = line.wholeAt ?? toAt;
  if (toAt - fromAt <= maxSilenceMs * US_PER_MS) return;
  line.gapCount += 1;
  const longest = line.longestGap;
  if (longest !== null && longest.toAt - longest.fromAt >= toAt - fromAt) return;
  line.longestGap = { fromAt, toAt, file: row.header.file, line: row.line };
}
