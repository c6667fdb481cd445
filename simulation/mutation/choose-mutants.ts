// Which mutants of the list are played: a sample that its seed gives again, or those of a list of before.
import { pick, randomStream } from '../../src/crowd/random.ts';
import { findHandAgain } from './hand-list.ts';
import type { RandomMutant } from './random-mutant.ts';

/** So many, each at most once; all where there are no more. In the order drawn: the first of them are a sample too. */
export function drawSample(mutants: readonly RandomMutant[], count: number, seed: string): RandomMutant[] {
  const stream = randomStream(seed, 'mutants');
  const left = [...mutants];
  const drawn: RandomMutant[] = [];
  while (drawn.length < count) {
    const place = pick(stream, left.length);
    const last = left.pop();
    if (last === undefined) break;
    // The last one fills the gap.
    drawn.push(...(place === left.length ? [last] : left.splice(place, 1, last)));
  }
  return drawn;
}

const sameChange = (a: RandomMutant, b: RandomMutant): boolean =>
  a.file === b.file && a.mutator === b.mutator && a.original === b.original && a.replacement === b.replacement;

/** The same change in the present source, nearest to where it was; null where its text is gone. */
export function findAgain(mutants: readonly RandomMutant[], before: RandomMutant): RandomMutant | null {
  const far = ({ start }: RandomMutant): number => Math.abs(start - before.start);
  const [nearest] = mutants.filter((each) => sameChange(each, before)).toSorted((a, b) => far(a) - far(b));
  return nearest ?? null;
}

/** Each that is still there; `say` names the others. */
export function findAllAgain(
  mutants: readonly RandomMutant[],
  before: readonly RandomMutant[],
  { root, say }: { readonly root: string; readonly say: (words: string) => void },
): RandomMutant[] {
  return before.flatMap((each) => {
    const mutant = each.hand === undefined ? findAgain(mutants, each) : findHandAgain(each, root);
    if (mutant === null) say(`– ${each.file}:${each.line} ${each.mutator}: its text is gone.`);
    return mutant === null ? [] : [mutant];
  });
}
