// What all mutants of a sample came to.
import { PROFILE_NAMES } from '../profile/profile.ts';
import { countTable, countTables, shareOf } from './count-table.ts';
import type { OutcomeKind, PlayedMutant } from './outcome.ts';

const COLUMNS: Readonly<Record<OutcomeKind, string>> = {
  noticed: 'noticed',
  hang: 'hang',
  threw: 'threw',
  'does-not-load': 'does not load',
  'not-noticed': 'changed, not noticed',
  'nothing-changed': 'nothing changed',
  'not-run': 'not run',
  'file-not-loaded': 'file not loaded',
};

export function outcomeTables(played: readonly PlayedMutant[]): string[] {
  const counted = played.map(({ mutant, outcome }) => ({ mutant, column: COLUMNS[outcome.kind] }));
  return [...countTables(Object.values(COLUMNS), counted), '', ...invariantTable(played), '', lastLine(played)];
}

/** Which check noticed how many, in which profile: what came out in an earlier one was not played in a later one. */
function invariantTable(played: readonly PlayedMutant[]): string[] {
  const found = played.flatMap(({ outcome, profile }) =>
    outcome.kind === 'noticed' && profile !== null ? [{ name: outcome.invariant, column: profile }] : [],
  );
  const profiles = PROFILE_NAMES.filter((name) => found.some(({ column }) => column === name));
  return countTable(['noticed by', ...profiles], found);
}

const countOf = (played: readonly PlayedMutant[], ...kinds: readonly OutcomeKind[]): number =>
  played.filter(({ outcome }) => kinds.includes(outcome.kind)).length;

function lastLine(played: readonly PlayedMutant[]): string {
  const checked = countOf(played, 'noticed');
  const seen = countOf(played, 'noticed', 'hang', 'threw', 'does-not-load');
  const changed = seen + countOf(played, 'not-noticed');
  return (
    `Noticed by a check: ${shareOf(checked, played.length)}; ` +
    `by a check, a hang, a throw, or not loading: ${shareOf(seen, played.length)}, ` +
    `and of those that changed what happened ${shareOf(seen, changed)}.`
  );
}
