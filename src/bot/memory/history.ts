// A chart's query to the history, and its answer.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import { type EpochMs, HOUR } from '../../domain/time.ts';
import { type Level, SAMPLE_FIELDS, type Sample } from './rows.ts';

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
  /** Two points farther apart than this have a gap between them: nothing was watching. */
  readonly gapMs: number;
  /** Beginning of the recorded prices; null before the first. */
  readonly knownFrom: EpochMs | null;
  readonly times: readonly EpochMs[];
  /** The bot's own, oldest first; the newest if there are too many. */
  readonly fills: readonly FillMark[];
  /** Number of older ones in the span that were left out. */
  readonly fillsLeftOut: number;
}

export interface FillMark {
  readonly at: EpochMs;
  readonly side: Side;
  readonly price: number;
  readonly quantity: number;
  readonly tradeId: string;
}

/** The page's interface to the history. */
export interface HistorySource {
  /** Symbols with a history. */
  readonly symbols: () => readonly InstrumentSymbol[];
  /** Null while nothing is recorded. */
  readonly history: (query: HistoryQuery) => History | null;
}

const FEWEST_POINTS = 2;
const MOST_POINTS = 5_000;
const USUAL_POINTS = 600;
/** Most marks in one answer. */
export const MOST_MARKS = 1_000;

type Asked = Readonly<Record<string, unknown>>;
const WHOLE = /^\d{1,15}$/;

/**
 * Parses the query string of a URL. Fails with a sentence that names the parameter, its value and what was expected.
 * `symbols`: the known ones.
 */
export function historyQuery(
  asked: Asked,
  { symbols, now }: { readonly symbols: readonly InstrumentSymbol[]; readonly now: EpochMs },
): Result<HistoryQuery> {
  const unknown = Object.keys(asked).find((name) => !['symbol', 'from', 'to', 'points'].includes(name));
  if (unknown !== undefined) return fail(`There is no parameter ${shown(unknown)}: symbol, from, to and points are.`);
  const symbol = symbols.find((each) => each === asked.symbol);
  if (symbol === undefined) return fail(`symbol is ${shown(asked.symbol)}: one of ${symbols.join(', ')} was expected.`);
  const numbers = new Map<string, number>();
  for (const [name, usual] of [['to', now] as const, ['from', null] as const, ['points', USUAL_POINTS] as const]) {
    const text = asked[name];
    if (text === undefined) numbers.set(name, usual ?? Math.max(0, (numbers.get('to') ?? now) - HOUR));
    else if (typeof text === 'string' && WHOLE.test(text)) numbers.set(name, Number(text));
    else return fail(`${name} is ${shown(text)}: ${EXPECTED[name]} was expected.`);
  }
  const { from = 0, to = 0, points = 0 } = Object.fromEntries(numbers);
  if (from >= to) return fail(`from is ${from} and to is ${to}: from must be before to.`);
  if (points < FEWEST_POINTS || points > MOST_POINTS)
    return fail(`points is ${points}: a number from ${FEWEST_POINTS} to ${MOST_POINTS} was expected.`);
  return ok({ symbol, from, to, points, now });
}

const EXPECTED = {
  from: 'milliseconds since 1970',
  to: 'milliseconds since 1970',
  points: `a number from ${FEWEST_POINTS} to ${MOST_POINTS}`,
} as const;

const shown = (value: unknown): string =>
  value === undefined ? 'missing' : `'${(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 60)}'`;

export type PointAt = Sample & { readonly at: EpochMs };

/** Rows as columns. */
export function columnsOf(rows: readonly PointAt[]): Pick<History, 'times' | keyof Sample> {
  const column = (field: keyof Sample): readonly (number | null)[] => rows.map((row) => row[field]);
  const columns = SAMPLE_FIELDS.map((field) => [field, column(field)] as const);
  return {
    times: rows.map(({ at }) => at),
    ...(Object.fromEntries(columns) as Record<keyof Sample, readonly (number | null)[]>),
  };
}

/** A count over a span; `symbol` is empty for the whole account. */
export interface CountSum {
  readonly symbol: string;
  readonly kind: string;
  readonly a: string;
  readonly b: string;
  readonly c: string;
  readonly n: number;
}
