// `npm run papers`: published numbers beside measured ones, with a verdict at four standard errors of the difference.
// Exit code 1 where one is off, 64 where the command can't be read.
import { experimentLines } from './avellaneda-stoikov.ts';
import { type Command, readCommand, USAGE } from './command.ts';
import { gueantLehalleLines } from './gueant-lehalle.ts';
import { type Line, linesOf, verdictOf } from './verdict.ts';

/** The other two risk aversions of the paper. */
const OTHER_GAMMAS = [0.01, 1];

function sectionsOf({ papers, seed, numbers, isOneGamma }: Command): [title: string, lines: Line[]][] {
  const { mid, sigma, k, a, dt, runs } = numbers;
  const sections: [string, Line[]][] = [];
  const gammas = isOneGamma ? [numbers.gamma] : [numbers.gamma, ...OTHER_GAMMAS];
  if (papers.includes('avellaneda-stoikov'))
    for (const gamma of gammas)
      sections.push([
        `Avellaneda & Stoikov 2008, γ = ${gamma}, ${runs} days`,
        experimentLines({ mid, sigma, gamma, k, a, dt, runs, seed }),
      ]);
  if (papers.includes('gueant-lehalle'))
    sections.push([
      `Guéant, Lehalle & Fernandez-Tapia 2013 and Guéant 2017, ${numbers.fills} fills each`,
      gueantLehalleLines({ seed, fills: numbers.fills }),
    ]);
  return sections;
}

function main(): number {
  const command = readCommand(process.argv.slice(2));
  if (typeof command === 'string') {
    console.error(`${command}\n${USAGE}`);
    return 64;
  }
  const sections = sectionsOf(command);
  for (const [title, lines] of sections) {
    console.log(`${title}`);
    for (const line of linesOf(lines)) console.log(`  ${line}`);
    console.log('');
  }
  const off = sections.flatMap(([, lines]) => lines).filter((line) => verdictOf(line) === 'OFF').length;
  console.log(off === 0 ? 'Every number agrees that was judged.' : `${off} numbers are off.`);
  return off === 0 ? 0 : 1;
}

process.exitCode = main();
