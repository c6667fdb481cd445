// What all mutants of a sample came to, with what a person judged in columns of its own.
import { countTables, shareOf } from '../../simulation/mutation/count-table.ts';
import { isNoticed, type Outcome, type TestedMutant } from './outcome.ts';

const COLUMNS: Readonly<Record<Outcome['kind'], string>> = {
  killed: 'killed',
  hang: 'hang',
  survived: 'survived',
  'not-run': 'not run',
  'not-loaded': 'not loaded',
};
const [EQUIVALENT, WORDS] = ['equivalent', 'words for people'];

function columnOf({ outcome, verdict }: TestedMutant): string {
  if (!isNoticed(outcome) && verdict === 'equivalent') return EQUIVALENT;
  if (!isNoticed(outcome) && verdict === 'words') return WORDS;
  return COLUMNS[outcome.kind];
}

export function outcomeTables(tested: readonly TestedMutant[]): string[] {
  const counted = tested.map((each) => ({ mutant: each.mutant, column: columnOf(each) }));
  const countOf = (column: string): number => counted.filter((each) => each.column === column).length;
  const killed = tested.filter(({ outcome }) => isNoticed(outcome)).length;
  const changing = tested.length - countOf(EQUIVALENT);
  return [
    ...countTables([...Object.values(COLUMNS), EQUIVALENT, WORDS], counted),
    '',
    `Killed: ${shareOf(killed, tested.length)}; without equivalents ${shareOf(killed, changing)}; ` +
      `without words for people either ${shareOf(killed, changing - countOf(WORDS))}.`,
  ];
}
