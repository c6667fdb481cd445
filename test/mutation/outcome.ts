// What became of a mutant that was shown to the tests, and how that is told.
import { nameOf, shortened } from '../../simulation/mutation/outcome.ts';
import type { RandomMutant } from '../../simulation/mutation/random-mutant.ts';
import type { Verdict } from './judged.ts';

export type Outcome =
  | { readonly kind: 'killed'; readonly test: string; readonly words: string }
  /** A test file took many times as long as it does without it, and was ended. */
  | { readonly kind: 'hang'; readonly test: string | null }
  /** `of` files run its place; where the time is bounded not all of them were run. */
  | { readonly kind: 'survived'; readonly tests: number; readonly of: number }
  /** No test runs its place. */
  | { readonly kind: 'not-run' }
  /** No test loads its file. */
  | { readonly kind: 'not-loaded' };

export interface TestedMutant {
  readonly mutant: RandomMutant;
  readonly outcome: Outcome;
  /** Of a person; null where nobody judged it. */
  readonly verdict: Verdict | null;
}

const LONGEST_CODE = 60;
const LONGEST_WORDS = 120;

export const isNoticed = ({ kind }: Outcome): boolean => kind === 'killed' || kind === 'hang';

export function lineOf({ mutant, outcome, verdict }: TestedMutant): string {
  const { file, line, column, original, replacement } = mutant;
  const change = `${shortened(original, LONGEST_CODE)} → ${shortened(replacement, LONGEST_CODE)}`;
  const judged = verdict === null || isNoticed(outcome) ? '' : `; ${verdict}`;
  const sign = isNoticed(outcome) ? '✓' : judged === '' ? '✗' : '–';
  return `${sign} ${file}:${line}:${column} ${nameOf(mutant)}: ${change} — ${wordsOf(outcome)}${judged}`;
}

function wordsOf(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'killed':
      return `${outcome.test}: ${shortened(outcome.words, LONGEST_WORDS)}`;
    case 'hang':
      return `hang in ${outcome.test ?? 'no test'}`;
    case 'survived':
      return `survived ${outcome.tests} of ${outcome.of} test files`;
    case 'not-run':
      return 'no test runs it';
    case 'not-loaded':
      return 'no test loads its file';
  }
}
