// Mutants that a person wrote down: `[{ "id": "h1", "file": "src/…", "from": "…", "to": "…", "sentence": "…" }]`. Each
// names a text that stands in its file exactly once, so that nothing else is changed and a later edit shows.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { fail, ok, type Result } from '../../src/domain/result.ts';
import { BY_HAND, type RandomMutant } from './random-mutant.ts';

const text = z.string().min(1);
const rowSchema = z.strictObject({
  id: z.string().regex(/^\S+$/, 'a name without spaces was expected'),
  file: z
    .string()
    .regex(/^src\/(?!sim\/)\S+\.ts$/, 'a source of the program was expected: src/….ts, not the simulator'),
  from: text,
  to: z.string(),
  sentence: text,
});
const listSchema = z.array(rowSchema).min(1);
type Row = z.output<typeof rowSchema>;

/** All of the file, or a sentence that says which of them can't be read, and where. */
export function readHandList(file: string, root: string): Result<readonly RandomMutant[], string> {
  const refused = (words: string): Result<never, string> => fail(`--list ${file}: ${words}`);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    return refused(`a list of mutants was expected; ${String(error)}`);
  }
  const read = listSchema.safeParse(content);
  if (!read.success) {
    const [issue] = read.error.issues;
    return refused(`${issue?.path.join('.')}: ${issue?.message}; {id, file, from, to, sentence} was expected.`);
  }
  const mutants: RandomMutant[] = [];
  for (const [place, row] of read.data.entries()) {
    if (mutants.some(({ hand }) => hand?.id === row.id)) return refused(`${place}.id: ${row.id} stands there twice.`);
    const mutant = inSource(row, root);
    if (!mutant.ok) return refused(`${place}.${mutant.error}`);
    mutants.push(mutant.value);
  }
  return ok(mutants);
}

function inSource({ file, from, to, id, sentence }: Row, root: string): Result<RandomMutant, string> {
  if (!existsSync(path.join(root, file))) return fail(`file: there is no ${file} (${id}).`);
  const source = readFileSync(path.join(root, file), 'utf8');
  const starts = startsOf(source, from);
  const [start] = starts;
  if (start === undefined) return fail(`from: its text does not stand in ${file} (${id}).`);
  if (starts.length > 1) {
    const lines = starts.map((each) => lineOf(source, each)).join(', ');
    return fail(`from: its text stands ${starts.length} times in ${file}, in lines ${lines} (${id}).`);
  }
  if (from === to) return fail(`to: it changes nothing in ${file} (${id}).`);
  const place = { line: lineOf(source, start), column: start - source.lastIndexOf('\n', start - 1) };
  const change = { mutator: BY_HAND, original: from, replacement: to, hand: { id, sentence } };
  return ok({ file, ...place, start, end: start + from.length, ...change });
}

function startsOf(source: string, from: string): number[] {
  const starts: number[] = [];
  for (let at = source.indexOf(from); at >= 0; at = source.indexOf(from, at + 1)) starts.push(at);
  return starts;
}

const lineOf = (source: string, at: number): number => source.slice(0, at).split('\n').length;

/** One of a list of before; null where its text is gone, or stands more than once. */
export function findHandAgain({ file, original, replacement, hand }: RandomMutant, root: string): RandomMutant | null {
  const row = { file, from: original, to: replacement, id: hand?.id ?? '', sentence: hand?.sentence ?? '' };
  const found = inSource(row, root);
  return found.ok ? found.value : null;
}
