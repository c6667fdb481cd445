// A run's parameters as the journal knows them, and their changes. Each change of one or more is a revision; each order
// names the revision that placed it.

/** One text for each dotted path below the run. */
export type Parameters = Readonly<Record<string, string>>;

/** Null: the path had no value before, or has none now. */
export interface ParameterChange {
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
}

export interface Revision {
  /** From 1, per symbol. */
  readonly number: number;
  readonly parameters: Parameters;
}

/** The revision of orders placed before parameters were recorded. */
export const NO_REVISION = 0;

/** Sorted by path. */
export function changesBetween(before: Parameters, after: Parameters): ParameterChange[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return paths
    .map((path) => ({ path, from: before[path] ?? null, to: after[path] ?? null }))
    .filter(({ from, to }) => from !== to);
}

export function withChanges(before: Parameters, changes: readonly ParameterChange[]): Parameters {
  const after: Record<string, string> = { ...before };
  for (const { path, to } of changes) {
    if (to === null) delete after[path];
    else after[path] = to;
  }
  return after;
}

/** `params.halfSpreadBps 90 → 60`. */
export const changeText = ({ path, from, to }: ParameterChange): string =>
  `${path} ${from ?? 'unset'} → ${to ?? 'unset'}`;
