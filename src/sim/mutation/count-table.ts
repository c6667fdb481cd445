// How many mutants came to what, by folder and by mutator, as tables that can be put into a document.
import type { RandomMutant } from './random-mutant.ts';

export interface Counted {
  readonly mutant: RandomMutant;
  /** The title of the column that it counts in. */
  readonly column: string;
}

const folderOf = (file: string): string => file.split('/').slice(0, 2).join('/');

export function countTables(columns: readonly string[], counted: readonly Counted[]): string[] {
  return [
    ...tableOf(['folder', ...columns], counted, ({ mutant }) => folderOf(mutant.file)),
    '',
    ...tableOf(['mutator', ...columns], counted, ({ mutant }) => mutant.mutator),
  ];
}

function tableOf(
  [title = '', ...columns]: readonly string[],
  counted: readonly Counted[],
  nameOf: (each: Counted) => string,
): string[] {
  const names = [...new Set(counted.map(nameOf))].toSorted();
  const rowOf = (name: string, of: readonly Counted[]): string => {
    const counts = columns.map((column) => of.filter((each) => each.column === column).length);
    return `| ${[name, of.length, ...counts].join(' | ')} |`;
  };
  return [
    `| ${[title, 'mutants', ...columns].join(' | ')} |`,
    `|${'---|'.repeat(columns.length + 2)}`,
    ...names.map((name) =>
      rowOf(
        name,
        counted.filter((each) => nameOf(each) === name),
      ),
    ),
    rowOf('all', counted),
  ];
}

export const shareOf = (count: number, all: number): string =>
  `${count} of ${all} (${((100 * count) / Math.max(1, all)).toFixed(0)} %)`;
