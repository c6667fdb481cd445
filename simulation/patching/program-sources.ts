// Reads what mutants are put into.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Sources } from './declarations.ts';

const FOLDERS = ['src', 'strategies'];

/** Every file of the program in a tree. */
export function programSources(root: string): Sources {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name.split(path.sep).join('/')}`),
  ).toSorted();
  return new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
}
