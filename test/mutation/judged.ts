// Survivors that a person has judged (`survivors.json`), found again by their text, not by their place.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { RandomMutant } from '../../simulation/mutation/random-mutant.ts';
import { ROOT } from './places.ts';

const JUDGED = path.join(import.meta.dirname, 'survivors.json');

/**
 * `equivalent`: no test can fail. `words`: text for people that no interface promises. `owed`: a test is to be written.
 */
const verdictSchema = z.enum(['equivalent', 'words', 'owed']);
export type Verdict = z.infer<typeof verdictSchema>;

const judgedSchema = z.strictObject({
  file: z.string(),
  /** The beginning of the line that the mutant stands in, unindented: tells apart equal texts of a file. */
  context: z.string(),
  mutator: z.string(),
  original: z.string(),
  replacement: z.string(),
  verdict: verdictSchema,
  /** One sentence. */
  why: z.string().regex(/^\S.*\.$/),
});
export type Judged = z.infer<typeof judgedSchema>;

export const readJudged = (): readonly Judged[] =>
  z.array(judgedSchema).parse(JSON.parse(readFileSync(JUDGED, 'utf8')));

const CONTEXT_LENGTH = 90;

/** Of its first line where there are several. */
export function contextOf({ file, start }: RandomMutant): string {
  const source = readFileSync(path.join(ROOT, file), 'utf8');
  const end = source.indexOf('\n', start);
  return source
    .slice(source.lastIndexOf('\n', start - 1) + 1, end === -1 ? undefined : end)
    .trim()
    .slice(0, CONTEXT_LENGTH);
}

export function verdictOn(mutant: RandomMutant, judged: readonly Judged[]): Verdict | null {
  const same = judged.find(
    ({ file, mutator, original, replacement, context }) =>
      file === mutant.file &&
      mutator === mutant.mutator &&
      original === mutant.original &&
      replacement === mutant.replacement &&
      context === contextOf(mutant),
  );
  return same?.verdict ?? null;
}
