// `npm run test:mutants -- --sample N --seed S`: so many random mutants, the same that `sim:mutants` draws, each shown
// to the unit and contract tests that run its place until one fails. Exit code 0 whatever comes of it: a random mutant
// may change nothing that matters. 64 where the command can't be read.
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { programCommit } from '../../simulation/machine/program-commit.ts';
import { askedFor, choose } from '../../simulation/mutation/chosen.ts';
import { listMutants } from '../../simulation/mutation/list-mutants.ts';
import type { RandomMutant } from '../../simulation/mutation/random-mutant.ts';
import { writeSample } from '../../simulation/mutation/sample-file.ts';
import { type Command, readCommand, USAGE } from './command.ts';
import { readJudged, verdictOn } from './judged.ts';
import { isNoticed, lineOf, type TestedMutant } from './outcome.ts';
import { outcomeTables } from './outcome-table.ts';
import { ROOT } from './places.ts';
import { type Reaches, reachesOf } from './reach.ts';
import { testMutant } from './test-mutant.ts';

function testFiles(places: readonly string[]): string[] {
  return places.flatMap((place) => {
    if (place.endsWith('.test.ts')) return [place];
    return readdirSync(path.join(ROOT, place), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `${place}/${name.split(path.sep).join('/')}`)
      .toSorted();
  });
}

async function testAll(
  { chosen, json, withinMs }: Command,
  mutants: readonly RandomMutant[],
  reaches: Reaches,
): Promise<void> {
  const [commit, judged] = [programCommit(), readJudged()];
  const asked = askedFor(chosen);
  const played: TestedMutant[] = [];
  for (const mutant of mutants) {
    const each = { mutant, outcome: await testMutant(mutant, reaches, withinMs), verdict: verdictOn(mutant, judged) };
    played.push(each);
    console.log(lineOf(each));
    // After each: what an interrupted run has found is kept.
    if (json !== null) writeSample(json, { commit, asked, played });
  }
  tellSurvivors(played);
  for (const line of ['', ...outcomeTables(played)]) console.log(line);
}

/** With their whole texts, so that they can be judged. */
function tellSurvivors(played: readonly TestedMutant[]): void {
  for (const each of played.filter(({ outcome, verdict }) => !isNoticed(outcome) && verdict === null)) {
    const { original, replacement } = each.mutant;
    console.log(`\n${lineOf(each)}\n- ${original.replaceAll('\n', '\n- ')}\n+ ${replacement.replaceAll('\n', '\n+ ')}`);
  }
}

async function testMutants(args: readonly string[]): Promise<number> {
  const command = readCommand(args);
  if (!command.ok) {
    console.error(`${command.error}\n${USAGE}`);
    return 64;
  }
  const { within, tests, json } = command.value;
  if (json !== null) mkdirSync(path.dirname(json), { recursive: true });
  const listed = await listMutants(ROOT, within);
  const mutants = choose(command.value.chosen, listed, { root: ROOT, say: console.log });
  const reaches = await reachesOf(testFiles(tests), console.log);
  console.log(`${mutants.length} of ${listed.length} mutants of ${programCommit()}, ${reaches.size} test files.`);
  for (const [test, { failure }] of reaches) {
    if (failure !== null) console.log(`! ${test} is left out, it fails in the program as it is: ${failure}`);
  }
  await testAll(command.value, mutants, reaches);
  return 0;
}

process.exitCode = await testMutants(process.argv.slice(2));
