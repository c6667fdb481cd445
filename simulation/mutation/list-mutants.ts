// Every mutant that StrykerJS knows of our sources. Only its list is used: its own output has all of them in it at
// once, which costs run time at each place, while one that is spliced into the source as we wrote it costs none.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { MUTATED_FOLDERS } from './mutated-folders.ts';
import type { RandomMutant } from './random-mutant.ts';

interface Position {
  readonly line: number;
  readonly column: number;
}

const silence = (): void => {};
const isOff = (): boolean => false;
const SILENT = {
  ...{ isTraceEnabled: isOff, isDebugEnabled: isOff, isInfoEnabled: isOff },
  ...{ isWarnEnabled: isOff, isErrorEnabled: isOff, isFatalEnabled: isOff },
  ...{ trace: silence, debug: silence, info: silence, warn: silence, error: silence, fatal: silence },
};

/** All mutants of these files or folders, in the order of their places. */
export async function listMutants(root: string, within: readonly string[] = MUTATED_FOLDERS): Promise<RandomMutant[]> {
  const listed: RandomMutant[] = [];
  for (const file of within.flatMap((place) => sourcesOf(root, place))) {
    listed.push(...(await mutantsOf(file, readFileSync(path.join(root, file), 'utf8'))));
  }
  return listed;
}

function sourcesOf(root: string, place: string): string[] {
  if (place.endsWith('.ts')) return [place];
  return readdirSync(path.join(root, place), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${place}/${name.split(path.sep).join('/')}`)
    .toSorted();
}

export async function mutantsOf(file: string, source: string): Promise<RandomMutant[]> {
  const { mutants } = await new Instrumenter(SILENT).instrument([{ name: file, mutate: true, content: source }], {
    plugins: null,
    ignorers: [],
    excludedMutations: [],
  });
  const lines = lineStarts(source);
  const at = ({ line, column }: Position): number => (lines[line] ?? source.length) + column;
  return mutants
    .map(({ location, mutatorName, replacement }) => {
      const [start, end] = [at(location.start), at(location.end)];
      return {
        file,
        line: location.start.line + 1,
        column: location.start.column + 1,
        start,
        end,
        mutator: mutatorName,
        original: source.slice(start, end),
        replacement: replacement ?? '',
      };
    })
    .toSorted((a, b) => a.start - b.start || a.end - b.end || (a.replacement < b.replacement ? -1 : 1));
}

const lineStarts = (source: string): number[] => [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
