// Jest transform: types are stripped as in every other run, after the mutant of this one was spliced in.
import { createHash } from 'node:crypto';
import { stripTypeScriptTypes } from 'node:module';
import { spliced } from '../../simulation/mutation/random-mutant.ts';
import { fromRoot, readErrand } from './places.ts';

const { mutant } = readErrand();

function mutated(source: string, file: string): string {
  if (mutant === null || fromRoot(file) !== mutant.file) return source;
  const text = spliced(source, mutant);
  if (text === null) throw new Error(`${file} is no longer what the mutant was made of: was it edited?`);
  return text;
}

const transformed = (source: string, file: string): { code: string } => ({
  code: stripTypeScriptTypes(mutated(source, file), { mode: 'strip' }),
});

export default {
  process: transformed,
  processAsync: async (source: string, file: string) => transformed(source, file),
  // Jest keeps what was transformed: each mutant by itself.
  getCacheKey: (source: string, file: string): string =>
    createHash('sha256')
      .update(`${process.version}\n${file}\n${mutated(source, file)}`)
      .digest('hex'),
};
