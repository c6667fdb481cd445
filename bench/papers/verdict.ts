// A published number beside a measured one. Pure.

/** A number with its standard error; 0 where it is exact. */
export interface Figure {
  readonly value: number;
  readonly error: number;
}

export interface Line {
  readonly name: string;
  /** Null where no published figure is at hand: then nothing is judged. */
  readonly published: Figure | null;
  readonly measured: Figure;
  /** Digits that are shown. */
  readonly digits: number;
}

/** Further apart than so many standard errors of the difference is off. */
const STANDARD_ERRORS = 4;
/** Exact numbers may differ by rounding. */
const EXACT = 1e-9;

export type Verdict = 'agrees' | 'OFF' | 'not judged';

export function verdictOf({ published, measured }: Pick<Line, 'published' | 'measured'>): Verdict {
  if (published === null) return 'not judged';
  const error = Math.hypot(published.error, measured.error);
  const limit = error === 0 ? EXACT * Math.max(1, Math.abs(published.value)) : STANDARD_ERRORS * error;
  return Math.abs(published.value - measured.value) <= limit ? 'agrees' : 'OFF';
}

export function linesOf(lines: readonly Line[]): string[] {
  const text = ({ value, error }: Figure, digits: number): string =>
    error === 0 ? value.toFixed(digits) : `${value.toFixed(digits)} ± ${error.toFixed(digits)}`;
  const rows = lines.map(({ name, published, measured, digits }) => [
    ...[name, published === null ? '–' : text(published, digits), text(measured, digits)],
    verdictOf({ published, measured }),
  ]);
  const table = [['', 'published', 'measured', ''], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Mean with its standard error. */
export function meanOf(values: readonly number[]): Figure {
  const { mean, sd } = momentsOf(values);
  return { value: mean, error: sd / Math.sqrt(values.length) };
}

/** Standard deviation with its standard error, by the fourth moment, whatever the distribution. */
export function deviationOf(values: readonly number[]): Figure {
  const { mean, sd } = momentsOf(values);
  const fourth = values.reduce((sum, value) => sum + (value - mean) ** 4, 0) / values.length;
  const variance = sd ** 2;
  const errorOfVariance = Math.sqrt(Math.max(0, fourth - variance ** 2) / values.length);
  return { value: sd, error: sd === 0 ? 0 : errorOfVariance / (2 * sd) };
}

function momentsOf(values: readonly number[]): { readonly mean: number; readonly sd: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, sd: Math.sqrt(squares / (values.length - 1)) };
}

/** A share of trials. Its error is that of one more hit and one more miss: none of few is not certain. */
export const shareOf = (hits: number, trials: number): Figure => {
  const likely = (hits + 1) / (trials + 2);
  return { value: hits / trials, error: Math.sqrt((likely * (1 - likely)) / trials) };
};

/** The quotient of two independent figures, to first order. */
export function ratioOf(above: Figure, below: Figure): Figure {
  const value = above.value / below.value;
  return { value, error: Math.abs(value) * Math.hypot(above.error / above.value, below.error / below.value) };
}
