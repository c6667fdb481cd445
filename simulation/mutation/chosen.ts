// Which mutants a command is asked for: a sample, those of an earlier file that nothing noticed, or a list by hand.
import { fail, ok, type Result } from '../../src/domain/result.ts';
import { drawSample, findAllAgain } from './choose-mutants.ts';
import { readHandList } from './hand-list.ts';
import type { RandomMutant } from './random-mutant.ts';
import { readSample } from './sample-file.ts';

export type Chosen =
  | { readonly kind: 'sample'; readonly count: number; readonly seed: string }
  | { readonly kind: 'again'; readonly file: string; readonly mutants: readonly RandomMutant[] }
  | { readonly kind: 'list'; readonly file: string; readonly mutants: readonly RandomMutant[] };

export const CHOSEN_USAGE = '(--sample N [--seed S] | --again FILE | --list FILE)';

export interface Choice {
  readonly sample?: string | undefined;
  readonly seed: string;
  readonly again?: string | undefined;
  readonly list?: string | undefined;
}

export interface Sources {
  /** The root of the tree. */
  readonly root: string;
  /** Kinds of outcome that `--again` takes up. */
  readonly unnoticed: ReadonlySet<string>;
}

export function readChosen({ sample, again, list, seed }: Choice, { root, unnoticed }: Sources): Result<Chosen> {
  const named = Object.entries({ sample, again, list }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`],
  );
  if (named.length > 1) return fail(`${named.join(' and ')}: one of them.`);
  if (again !== undefined) {
    const mutants = readSample(again, unnoticed);
    return mutants.ok ? ok({ kind: 'again', file: again, mutants: mutants.value }) : mutants;
  }
  if (list !== undefined) {
    const mutants = readHandList(list, root);
    return mutants.ok ? ok({ kind: 'list', file: list, mutants: mutants.value }) : mutants;
  }
  const count = Number(sample);
  return Number.isInteger(count) && count > 0
    ? ok({ kind: 'sample', count, seed })
    : fail(`--sample ${sample ?? ''}: a whole number above 0.`);
}

/** `say` is told of each mutant of before whose text is gone. */
export function choose(
  chosen: Chosen,
  listed: readonly RandomMutant[],
  { root, say }: { readonly root: string; readonly say: (words: string) => void },
): readonly RandomMutant[] {
  switch (chosen.kind) {
    case 'sample':
      return drawSample(listed, chosen.count, chosen.seed);
    case 'again':
      return findAllAgain(listed, chosen.mutants, { root, say });
    case 'list':
      return chosen.mutants;
  }
}

/** What a file of outcomes says was asked for. */
export const askedFor = (chosen: Chosen): string =>
  chosen.kind === 'sample' ? `sample ${chosen.count} by seed ${chosen.seed}` : `${chosen.kind} ${chosen.file}`;
