// What all mutants of a sample came to, as tables that can be put into a document.
import type { OutcomeKind, PlayedMutant } from './outcome.ts';

const COLUMNS: Readonly<Record<OutcomeKind, string>> = {
  noticed: 'noticed',
  hang: 'hang',
  threw: 'threw',
  'does-not-load': 'does not load',
  'not-noticed': 'not noticed',
  'file-not-loaded': 'file not loaded',
};
const KINDS = Object.keys(COLUMNS) as readonly OutcomeKind[];

const folderOf = (file: string): string => file.split('/').slice(0, 2).join('/');

export function outcomeTables(played: readonly PlayedMutant[]): string[] {
  return [
    ...tableOf('folder', played, ({ mutant }) => folderOf(mutant.file)),
    '',
    ...tableOf('mutator', played, ({ mutant }) => mutant.mutator),
    '',
    lastLine(played),
  ];
}

function tableOf(title: string, played: readonly PlayedMutant[], nameOf: (each: PlayedMutant) => string): string[] {
  const names = [...new Set(played.map(nameOf))].toSorted();
  return [
    `| ${[title, 'mutants', ...Object.values(COLUMNS)].join(' | ')} |`,
    `|${'---|'.repeat(KINDS.length + 2)}`,
    ...names.map((name) =>
      rowOf(
        name,
        played.filter((each) => nameOf(each) === name),
      ),
    ),
    rowOf('all', played),
  ];
}

const rowOf = (name: string, played: readonly PlayedMutant[]): string =>
  `| ${[name, played.length, ...KINDS.map((kind) => countOf(played, kind))].join(' | ')} |`;

const countOf = (played: readonly PlayedMutant[], ...kinds: readonly OutcomeKind[]): number =>
  played.filter(({ outcome }) => kinds.includes(outcome.kind)).length;

function lastLine(played: readonly PlayedMutant[]): string {
  const checked = countOf(played, 'noticed');
  const seen = countOf(played, 'noticed', 'hang', 'threw', 'does-not-load');
  const share = (count: number): string =>
    `${count} of ${played.length} (${((100 * count) / Math.max(1, played.length)).toFixed(0)} %)`;
  return `Noticed by a check: ${share(checked)}; by a check, a hang, a throw, or not loading: ${share(seen)}.`;
}
