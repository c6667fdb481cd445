// A chart's query to the history, and its answer.
import { z } from 'zod';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import { type EpochMs, HOUR } from '../../domain/time.ts';
import type { MarkedFill } from '../metrics/markouts.ts';
import { type CountRow, type Level, SAMPLE_FIELDS, type Sample } from './rows.ts';

export interface HistoryQuery {
  readonly symbol: InstrumentSymbol;
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** About how many points to return; at most twice as many come. */
  readonly points: number;
  readonly now: EpochMs;
}

/** Columns of equal length, oldest first. Null: unknown, or none. */
export interface History extends Readonly<Record<keyof Sample, readonly (number | null)[]>> {
  readonly symbol: InstrumentSymbol;
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly level: Level;
  /** Beginning of the recorded prices; null before the first. */
  readonly knownFrom: EpochMs | null;
  readonly times: readonly EpochMs[];
  /** The bot's own, oldest first; the newest if there are too many. */
  readonly fills: readonly MarkedFill[];
  /** Number of older ones in the span that were left out. */
  readonly fillsLeftOut: number;
}

/** The page's interface to the history. */
export interface HistorySource {
  /** Symbols with a history. */
  readonly symbols: () => readonly InstrumentSymbol[];
  /** Null while nothing is recorded. */
  readonly history: (query: HistoryQuery) => History | null;
  /** The symbol's last sample before a time; null if there is none. */
  readonly profitBefore: (symbol: InstrumentSymbol, time: EpochMs) => Pick<PointAt, 'at' | 'profit'> | null;
}

const FEWEST_POINTS = 2;
const MOST_POINTS = 5_000;
const USUAL_POINTS = 600;
/** Most marks in one answer. */
export const MOST_MARKS = 1_000;

const TIME = 'milliseconds since 1970';
const COUNT = `a number from ${FEWEST_POINTS} to ${MOST_POINTS}`;

const whole = (error: string) =>
  z
    .string({ error })
    .regex(/^\d{1,15}$/, { error })
    .transform(Number);

/** `symbols`: the known ones. */
const querySchema = (symbols: readonly InstrumentSymbol[], now: EpochMs) =>
  z.strictObject({
    symbol: z.enum(symbols, { error: `one of ${symbols.join(', ')}` }),
    from: whole(TIME).optional(),
    to: whole(TIME).default(now),
    points: whole(COUNT)
      .refine((points) => points >= FEWEST_POINTS && points <= MOST_POINTS, { error: COUNT })
      .default(USUAL_POINTS),
  });

/**
 * Parses the query string of a URL. Fails with a sentence that names the parameter, its value and what was expected.
 */
export function historyQuery(
  asked: Readonly<Record<string, unknown>>,
  { symbols, now }: { readonly symbols: readonly InstrumentSymbol[]; readonly now: EpochMs },
): Result<HistoryQuery> {
  const read = querySchema(symbols, now).safeParse(asked);
  if (!read.success) return fail(whyRefused(read.error, asked, 'symbol, from, to and points'));
  const { symbol, to, points, from = Math.max(0, to - HOUR) } = read.data;
  if (from >= to) return fail(`from is ${from} and to is ${to}: from must be before to.`);
  return ok({ symbol, from, to, points, now });
}

/** What is wrong with a query, in one sentence. `names`: of the parameters that there are. */
export function whyRefused({ issues: [issue] }: z.ZodError, asked: Readonly<Record<string, unknown>>, names: string) {
  if (issue?.code === 'unrecognized_keys') return `There is no parameter ${shown(issue.keys[0])}, only ${names}.`;
  const name = String(issue?.path[0]);
  return `${name} is ${shown(asked[name])}: ${issue?.message} was expected.`;
}

const shown = (value: unknown): string =>
  value === undefined ? 'missing' : `'${(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 60)}'`;

export type PointAt = Sample & { readonly at: EpochMs };

/** Rows as columns. Two points farther apart than `gapMs` get one without values between them: nothing was watching. */
export function columnsOf(rows: readonly PointAt[], gapMs: number): Pick<History, 'times' | keyof Sample> {
  const all = rows.flatMap((row, index): readonly (Partial<Sample> & Pick<PointAt, 'at'>)[] => {
    const before = rows[index - 1]?.at ?? row.at;
    return row.at - before > gapMs ? [{ at: before + 1 }, row] : [row];
  });
  const column = (field: keyof Sample): readonly (number | null)[] => all.map((row) => row[field] ?? null);
  const columns = SAMPLE_FIELDS.map((field) => [field, column(field)] as const);
  return {
    times: all.map(({ at }) => at),
    ...(Object.fromEntries(columns) as Record<keyof Sample, readonly (number | null)[]>),
  };
}

/** A count over a span; `symbol` is empty for the whole account. */
export type CountSum = Omit<CountRow, 'at'>;
