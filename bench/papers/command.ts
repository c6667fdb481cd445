// The command line of `npm run papers`.
import { readArguments } from '../../simulation/plan/arguments.ts';

const PAPERS = ['avellaneda-stoikov', 'gueant-lehalle'] as const;
export type Paper = (typeof PAPERS)[number];

const NUMBERS = {
  gamma: '0.1',
  sigma: '2',
  k: '1.5',
  a: '140',
  dt: '0.005',
  mid: '100',
  runs: '1000',
  fills: '400000',
} as const;
type Name = keyof typeof NUMBERS;

/** From how many of each a mean and its error can be told. */
const FEWEST: Readonly<Record<string, number>> = { runs: 2, fills: 2 };

/** How far rounding may take 1/dt from a whole number. */
const WHOLE = 1e-6;

export const USAGE = `npm run papers -- [--only ${PAPERS.join('|')}]… [--seed TEXT] ${Object.entries(NUMBERS)
  .map(([name, value]) => `[--${name} ${value}]`)
  .join(' ')}`;

export interface Command {
  readonly papers: readonly Paper[];
  readonly seed: string;
  readonly numbers: Readonly<Record<Name, number>>;
  /** Whether γ was given: else the other two of the paper are played as well. */
  readonly isOneGamma: boolean;
}

/** The command, or one sentence about what can't be read. */
export function readCommand(args: readonly string[]): Command | string {
  const options = Object.fromEntries(Object.keys(NUMBERS).map((name) => [name, { type: 'string' as const }]));
  const read = readArguments({
    args: [...args],
    options: {
      ...options,
      only: { type: 'string', multiple: true, default: [] },
      seed: { type: 'string', default: 'papers' },
    },
  });
  if (!read.ok) return read.error;
  const { only, seed, ...rest } = read.value.values;
  const values: Readonly<Record<string, string | undefined>> = rest;
  const unknown = only.find((name) => !PAPERS.some((paper) => paper === name));
  if (unknown !== undefined) return `--only ${unknown}: one of ${PAPERS.join(', ')}.`;
  const numbers = Object.fromEntries(
    Object.entries(NUMBERS).map(([name, value]) => [name, Number(values[name] ?? value)]),
  ) as Record<Name, number>;
  for (const [name, value] of Object.entries(numbers)) {
    const what = whatItMustBe(name, value);
    if (what !== null) return `--${name} ${values[name] ?? ''}: ${what}.`;
  }
  const papers = PAPERS.filter((paper) => only.length === 0 || only.includes(paper));
  return { papers, seed, numbers, isOneGamma: values.gamma !== undefined };
}

/** Null where it is. */
function whatItMustBe(name: string, value: number): string | null {
  const fewest = FEWEST[name];
  if (fewest !== undefined)
    return Number.isInteger(value) && value >= fewest ? null : `a whole number, at least ${fewest}`;
  if (!(Number.isFinite(value) && value > 0)) return 'a number above 0';
  const steps = 1 / value;
  const isShare = steps > 1 - WHOLE && Math.abs(steps - Math.round(steps)) < WHOLE;
  return name !== 'dt' || isShare ? null : 'a day is 1, and a whole number of steps';
}
