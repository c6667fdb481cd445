// `npm run papers`: published numbers beside measured ones, with a verdict at four standard errors of the difference.
// Exit code 1 where one is off, 64 where the command can't be read.
import { readArguments } from '../../simulation/plan/arguments.ts';
import { PAPER_RATES } from '../../src/crowd/zero-intelligence.ts';
import { experimentLines } from './avellaneda-stoikov.ts';
import { gueantLehalleLines } from './gueant-lehalle.ts';
import { queueRaceLines } from './queue-race.ts';
import { type Line, linesOf, verdictOf } from './verdict.ts';

const PAPERS = ['avellaneda-stoikov', 'gueant-lehalle', 'cont-stoikov-talreja'] as const;
type Paper = (typeof PAPERS)[number];

const NUMBERS = {
  gamma: '0.1',
  sigma: '2',
  k: '1.5',
  a: '140',
  dt: '0.005',
  mid: '100',
  runs: '1000',
  fills: '400000',
  races: '20000',
  'limits-per-minute': String(PAPER_RATES.limitsPerMinute),
  'markets-per-minute': String(PAPER_RATES.marketsPerMinute),
  'cancels-per-minute': String(PAPER_RATES.cancelsPerMinute),
} as const;
type Name = keyof typeof NUMBERS;

const USAGE = `npm run papers -- [--only ${PAPERS.join('|')}]… [--seed TEXT] ${Object.entries(NUMBERS)
  .map(([name, value]) => `[--${name} ${value}]`)
  .join(' ')}`;

interface Command {
  readonly papers: readonly Paper[];
  readonly seed: string;
  readonly numbers: Readonly<Record<Name, number>>;
  /** Whether γ was given: else the other two of the paper are played as well. */
  readonly isOneGamma: boolean;
}

function readCommand(args: readonly string[]): Command | string {
  const options = Object.fromEntries(Object.keys(NUMBERS).map((name) => [name, { type: 'string' as const }]));
  const read = readArguments({
    args: [...args],
    options: {
      ...options,
      only: { type: 'string', multiple: true, default: [] },
      seed: { type: 'string', default: 'papers' },
    },
  });
  if (!read.ok) return read.error;
  const { only, seed, ...rest } = read.value.values;
  const values: Readonly<Record<string, string | undefined>> = rest;
  const unknown = only.find((name) => !PAPERS.some((paper) => paper === name));
  if (unknown !== undefined) return `--only ${unknown}: one of ${PAPERS.join(', ')}.`;
  const numbers = Object.fromEntries(
    Object.entries(NUMBERS).map(([name, value]) => [name, Number(values[name] ?? value)]),
  ) as Record<Name, number>;
  const bad = Object.entries(numbers).find(([, value]) => !(Number.isFinite(value) && value > 0));
  if (bad !== undefined) return `--${bad[0]} ${values[bad[0]] ?? ''}: a number above 0.`;
  const papers = PAPERS.filter((paper) => only.length === 0 || only.includes(paper));
  return { papers, seed, numbers, isOneGamma: values.gamma !== undefined };
}

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
  if (!papers.includes('cont-stoikov-talreja')) return sections;
  const rates = {
    limitsPerMinute: numbers['limits-per-minute'],
    marketsPerMinute: numbers['markets-per-minute'],
    cancelsPerMinute: numbers['cancels-per-minute'],
  };
  const isPaper = JSON.stringify(rates) === JSON.stringify(PAPER_RATES);
  const races = queueRaceLines({ rates, races: numbers.races, seed, isPaper });
  return [...sections, [`Cont, Stoikov & Talreja 2010, ${numbers.races} races in the matching engine`, races]];
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
