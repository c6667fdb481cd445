// The file of `--json` and `--again`: every mutant that was tried, and what became of it.
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { fail, ok, type Result } from '../../src/domain/result.ts';
import type { RandomMutant } from './random-mutant.ts';

export interface SampleFile {
  /** Of which program. */
  readonly commit: string;
  /** What was asked for: a sample of so many by a seed, or a file whose mutants were tried again. */
  readonly asked: string;
  readonly played: readonly { readonly mutant: RandomMutant; readonly outcome: { readonly kind: string } }[];
}

const place = z.int().nonnegative();
const mutantSchema = z.object({
  ...{ file: z.string(), line: place, column: place, start: place, end: place },
  ...{ mutator: z.string(), original: z.string(), replacement: z.string() },
  hand: z.object({ id: z.string(), sentence: z.string() }).optional(),
});
const fileSchema = z.object({
  played: z.array(z.object({ mutant: mutantSchema, outcome: z.object({ kind: z.string() }) })),
});

export function writeSample<T extends SampleFile>(file: string, sample: T): void {
  writeFileSync(file, `${JSON.stringify(sample, null, 1)}\n`);
}

/** The mutants of a file of before that came to one of these kinds. */
export function readSample(file: string, kinds: ReadonlySet<string>): Result<readonly RandomMutant[], string> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    return fail(`--again ${file}: a file that --json wrote was expected; ${String(error)}`);
  }
  const read = fileSchema.safeParse(content);
  if (!read.success) {
    const [issue] = read.error.issues;
    return fail(`--again ${file}: ${issue?.path.join('.')}: ${issue?.message}; a file that --json wrote was expected.`);
  }
  return ok(read.data.played.filter(({ outcome }) => kinds.has(outcome.kind)).map(({ mutant }) => mutant));
}
