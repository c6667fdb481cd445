// `npm run generate` for the simulator: docs/faults.md from the catalogue of faults. A test fails if the file differs
// from this output.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { markdownTable } from '../../src/venue/documents/interface.ts';
import { CATALOGUE } from '../faults/catalogue.ts';
import { FAULT_GROUPS, type FaultGroup, type FaultSpec } from '../faults/fault-kinds.ts';

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

The simulator injects these faults between the program, the exchange, the disk and the clock
([testing.md](testing.md)): \`npm run sim -- --faults F01,F24\`. Parentheses name the tests of a fault that it does not
inject, or the part of it that it does. D is the client's deadline, W the \`recvWindow\`, Ls the lag of a list.
`;

const HALTS_HEAD = `## Halts that a fault excuses

A symbol may halt for one of these reasons only near one of its faults; any other halt breaks invariant L4
([testing.md](testing.md#what-the-judge-asks)).
`;

/** The generated pages by their path from the root. */
export function simulatorDocuments(): Readonly<Record<string, string>> {
  return { 'docs/faults.md': faultsDocument() };
}

function faultsDocument(): string {
  const chapters = FAULT_GROUPS.map((group) => {
    const lines = CATALOGUE.filter((fault) => fault.group === group).map(faultLine);
    return `## ${TITLES[group]}\n\n${lines.join('\n')}\n`;
  });
  return `${[FAULTS_HEAD, ...chapters, HALTS_HEAD + haltsTable()].join('\n').trimEnd()}\n`;
}

function faultLine({ id, sentence, elsewhere, partly }: FaultSpec): string {
  const note = elsewhere ?? (partly === null ? null : `simulated: ${partly}`);
  return `- ${id}: ${sentence}${note === null ? '' : ` (${note.replace(/\.$/, '')})`}`;
}

function haltsTable(): string {
  const codes = [...new Set(CATALOGUE.flatMap(({ halts }) => halts))].sort();
  const rows = codes.map((code) => {
    const faults = CATALOGUE.filter(({ halts }) => halts.includes(code)).map(({ id }) => id);
    return [`\`${code}\``, faults.join(', ')];
  });
  return `\n${markdownTable(['halt', 'excused by'], rows)}`;
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(simulatorDocuments())) {
    writeFileSync(path.join(ROOT, file), text);
    console.log(`wrote ${file}`);
  }
}
