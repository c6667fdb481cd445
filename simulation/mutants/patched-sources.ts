// Puts a mutant into the sources of the program.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Mutant } from './mutant.ts';

/** The text of each file, by its path from the root of the tree. */
export type Sources = ReadonlyMap<string, string>;

export function programSources(root: string): Sources {
  const files = ['src', 'strategies'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name.split(path.sep).join('/')}`),
  );
  return new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
}

/** The files changed by the mutant. Throws if one of its texts does not occur exactly once in the program. */
export function patchedSources(sources: Sources, { id, patches }: Pick<Mutant, 'id' | 'patches'>): Sources {
  const changed = new Map<string, string>();
  for (const { find, put } of patches) {
    const places = [...sources].flatMap(([file, text]) => {
      const parts = (changed.get(file) ?? text).split(find);
      return parts.length === 1 ? [] : [{ file, parts }];
    });
    const [first] = places;
    if (first === undefined || places.length > 1 || first.parts.length > 2)
      throw new Error(`${id}: its text does not stand exactly once in the program: ${find}`);
    changed.set(first.file, first.parts.join(put));
  }
  return changed;
}
