// How many mutants came to what, by folder and by mutator, as tables that can be put into a document.
import type { RandomMutant } from './random-mutant.ts';

export interface Counted {
  readonly mutant: RandomMutant;
  /** The title of the column that it counts in. */
  readonly column: string;
}

const folderOf = (file: string): string => file.split('/').slice(0, 2).join('/');

export function countTables(columns: readonly string[], counted: readonly Counted[]): string[] {
  const named = (nameOf: (mutant: RandomMutant) => string): Named[] =>
    counted.map(({ mutant, column }) => ({ name: nameOf(mutant), column }));
  return [
    ...countTable(
      ['folder', ...columns],
      named(({ file }) => folderOf(file)),
    ),
    '',
    ...countTable(
      ['mutator', ...columns],
      named(({ mutator }) => mutator),
    ),
  ];
}

/** One that counts, in which row and column. */
export interface Named {
  readonly name: string;
  readonly column: string;
}

/** The first title is that of the rows. */
export function countTable([title = '', ...columns]: readonly string[], counted: readonly Named[]): string[] {
  const names = [...new Set(counted.map(({ name }) => name))].toSorted();
  const rowOf = (name: string, of: readonly Named[]): string => {
    const counts = columns.map((column) => of.filter((each) => each.column === column).length);
    return `| ${[name, of.length, ...counts].join(' | ')} |`;
  };
  return [
    `| ${[title, 'mutants', ...columns].join(' | ')} |`,
    `|${'---|'.repeat(columns.length + 2)}`,
    ...names.map((name) =>
      rowOf(
        name,
        counted.filter((each) => each.name === name),
      ),
    ),
    rowOf('all', counted),
  ];
}

export const shareOf = (count: number, all: number): string =>
  `${count} of ${all} (${((100 * count) / Math.max(1, all)).toFixed(0)} %)`;
