// `npm run generate`, of the simulator: docs/faults.md from the catalogue of faults. A test fails where what lies there
// is not what this would write.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { markdownTable } from '../../src/venue/documents/interface.ts';
import { CATALOGUE } from '../faults/catalogue.ts';
import { FAULT_GROUPS, type FaultGroup, type FaultSpec, type Injection } from '../faults/fault-kinds.ts';

const ROOT = path.join(import.meta.dirname, '../..');

const TITLES: Readonly<Record<FaultGroup, string>> = {
  create: 'Creates',
  cancel: 'Cancels',
  'open-orders': 'Open orders',
  trades: 'Own trades',
  wallet: 'Wallet',
  'market-data': 'Market data',
  transport: 'Transport',
  time: 'Time',
  process: 'The process and its disk',
  'rate-limit': 'Rate limits',
  outside: 'What others do, and lists that trail by more than is assumed',
  watchdog: 'The watchdog',
  'public-data': 'Public data alone',
  steering: 'What the operator steers',
};

const FAULTS_HEAD = `# Faults

Generated from \`simulation/faults/catalogue.ts\`: \`npm run generate\`.

What can go wrong between the program, the exchange, the disk and the clock. Faults up to F111 are those of
\`order-truth\` §7. The harness says who injects a fault: the simulator (\`sim\`, [testing.md](testing.md)),
tests over real sockets (\`contract\`), tests of the real process (\`process\`), or unit tests. The last column says how
it is injected, and behind a colon what of it, where that is less than the sentence. Of the owner's twins (F39) half are
at the price of a create that is unknown, or of another order of ours where none is, and of a smaller quantity; none of
these while the bot is down.
`;

const FAULT_HEADS = ['id', 'harness', 'what happens', 'how it is injected, or where'];

const HALTS_HEAD = `## Halts that a fault excuses

A symbol may halt for a reason only near a fault that gives it: every other halt is a broken invariant (L4,
[testing.md](testing.md#what-the-judge-asks)).
`;

/** The generated pages by their path from the root. */
export function simulatorDocuments(): Readonly<Record<string, string>> {
  return { 'docs/faults.md': faultsDocument() };
}

function faultsDocument(): string {
  const chapters = FAULT_GROUPS.map((group) => {
    const rows = CATALOGUE.filter((fault) => fault.group === group).map(faultRow);
    return `## ${TITLES[group]}\n\n${markdownTable(FAULT_HEADS, rows)}`;
  });
  return `${[FAULTS_HEAD, ...chapters, HALTS_HEAD + haltsTable()].join('\n').trimEnd()}\n`;
}

function faultRow({ id, harness, sentence, injection, elsewhere, partly }: FaultSpec): readonly string[] {
  const how = elsewhere ?? (injection === null ? '' : injectionWords(injection));
  return [id, harness.join(', '), sentence, partly === null ? how : `${how}: ${partly}`];
}

const injectionWords = (injection: Injection): string =>
  `${injection.via} \`${injection.fault}\`${'on' in injection ? ` on ${injection.on}` : ''}`;

function haltsTable(): string {
  const codes = [...new Set(CATALOGUE.flatMap(({ halts }) => halts))].sort();
  const rows = codes.map((code) => {
    const faults = CATALOGUE.filter(({ halts }) => halts.includes(code)).map(({ id }) => id);
    return [`\`${code}\``, faults.join(', ')];
  });
  return `\n${markdownTable(['a halt for', 'is excused by'], rows)}`;
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(simulatorDocuments())) {
    writeFileSync(path.join(ROOT, file), text);
    console.log(`wrote ${file}`);
  }
}
