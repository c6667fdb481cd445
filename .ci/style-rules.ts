// What neither compiler nor linter sees: ambient time, randomness and environment outside their homes, names, sizes.
// A line may be let off by `// style-allow <rule>: <reason>` at its end or on the line above.
import path from 'node:path';

interface LineRule {
  readonly name: string;
  readonly pattern: RegExp;
  /** Where the rule holds: beginnings of paths. */
  readonly within: readonly string[];
  /** Where it does not: beginnings of paths. */
  readonly homes: readonly string[];
  readonly why: string;
}

const PROGRAM = ['src/', 'strategies/', 'simulation/'];
const PURE = [
  ...['domain', 'venue', 'matching', 'crowd', 'estimates', 'quoting', 'ledger', 'journal', 'trader', 'history'],
]
  .map((name) => `src/${name}/`)
  .concat('strategies/', 'src/bot/notify/reducer.ts', 'src/bot/notify/admit.ts');

const LINE_RULES: readonly LineRule[] = [
  {
    name: 'ambient-time',
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b|\bprocess\.hrtime\b/,
    within: PROGRAM,
    homes: ['src/ports/clock.ts'],
    why: 'time comes in as an argument (ports/clock)',
  },
  {
    name: 'timers',
    pattern: /\bset(?:Timeout|Interval|Immediate)\b/,
    within: PROGRAM,
    // The simulator's clock is what takes the place of the timers.
    homes: [
      'src/loop/',
      'src/client/',
      'src/reference/ccxt/',
      'src/bot/',
      'src/paper/server',
      'src/watchdog/',
      'src/backtest/virtual-time.ts',
    ],
    why: 'only the async shells wait',
  },
  {
    name: 'randomness',
    pattern: /\bMath\.random\b|\brandom(?:UUID|Bytes|Int)\b/,
    within: PROGRAM,
    homes: ['src/ports/random.ts', 'src/bot/', 'src/paper/server'],
    why: 'randomness comes in as an argument (ports/random)',
  },
  {
    name: 'environment',
    pattern: /\bprocess\.env\b/,
    within: PROGRAM,
    homes: ['src/bot/main.ts'],
    why: 'the environment is read once, in src/bot/main.ts, and passed on',
  },
  {
    name: 'async-in-pure-code',
    pattern: /\basync\b|\bawait\b|\bPromise\b/,
    within: PURE,
    // Finds the strategies by the names of their files, at start.
    homes: ['strategies/index.ts'],
    why: 'the core is synchronous',
  },
  {
    name: 'throw-in-pure-code',
    pattern: /\bthrow\b/,
    within: PURE,
    homes: ['src/domain/invariant.ts'],
    why: 'bugs go through invariant(), outcomes are values',
  },
  {
    name: 'any',
    pattern: /[:<,|&]\s*any\b|\bas any\b/,
    within: ['src/', 'strategies/', 'simulation/', 'test/', 'bench/', '.ci/'],
    homes: [],
    why: 'say what it is, or `unknown`',
  },
];

const BANNED_WORDS = /(?:^|[-.])(?:utils?|helpers?|common|managers?|handlers?|impl)(?=[-.])/;
const KEBAB = /^[a-z0-9]+(?:[-.][a-z0-9]+)*$/;
const MAX_LINES = 400;
export const MAX_COLUMNS = 120;
export const MAX_FILES = 20;
export const MAX_FUNCTION_LINES = 70;
const SHORTEST_REASON = 10;
const ALLOW = /\/\/ style-allow ([a-z-]+):?\s*(.*)$/;

/** One sentence per broken rule of one file; `file` is relative to the root, with `/`. */
export function styleViolations(file: string, text: string): string[] {
  return [
    ...nameViolations(file),
    ...sizeViolations(file, text),
    ...widthViolations(file, text),
    ...lineViolations(file, text),
  ];
}

/** One sentence per folder with too many of these files. */
export function folderViolations(files: readonly string[]): string[] {
  return [...Map.groupBy(files, (file) => path.posix.dirname(file))]
    .filter(([, inside]) => inside.length > MAX_FILES)
    .map(([folder, inside]) => `${folder}: ${inside.length} files; more than ${MAX_FILES} are several rooms.`);
}

function nameViolations(file: string): string[] {
  const name = path.basename(file);
  if (BANNED_WORDS.test(name)) return [`${file}: the name says nothing; call the file after what it does.`];
  return KEBAB.test(name) ? [] : [`${file}: names are in kebab-case.`];
}

function sizeViolations(file: string, text: string): string[] {
  const lines = text.split('\n').length - 1;
  return lines > MAX_LINES ? [`${file}: ${lines} lines; more than ${MAX_LINES} are two ideas.`] : [];
}

/** In tests the text of a template that goes over several lines is a script or a fixture, and as wide as that is. */
function widthViolations(file: string, text: string): string[] {
  const mayBeFixture = file.startsWith('test/');
  const violations: string[] = [];
  let isInTemplate = false;
  for (const [index, line] of text.split('\n').entries()) {
    const columns = [...line].length;
    const turns = mayBeFixture && opensOrEndsTemplate(line);
    if (columns > MAX_COLUMNS && !isInTemplate && !turns)
      violations.push(`${file}:${index + 1}: ${columns} columns; ${MAX_COLUMNS} are the most.`);
    isInTemplate = isInTemplate !== turns;
  }
  return violations;
}

function opensOrEndsTemplate(line: string): boolean {
  if (/^\s*(?:\/\/|\*|\/\*)/.test(line)) return false;
  return (withoutStrings(line).match(/(?<!\\)`/g)?.length ?? 0) % 2 === 1;
}

function lineViolations(file: string, text: string): string[] {
  const rules = LINE_RULES.filter((rule) => startsWithOne(file, rule.within) && !startsWithOne(file, rule.homes));
  const written = text.split('\n');
  const code = withoutComments(text).split('\n');
  return code.flatMap((line, index) => {
    const broken = rules.filter((rule) => rule.pattern.test(withoutStrings(line)));
    const allowed = allowanceAt(written, index);
    if (allowed !== null && allowed.reason.length < SHORTEST_REASON) {
      return [`${file}:${allowed.line}: style-allow ${allowed.rule} gives no reason.`];
    }
    return broken
      .filter((rule) => rule.name !== allowed?.rule)
      .map((rule) => `${file}:${index + 1}: ${rule.name}: ${rule.why}.`);
  });
}

/** The escape that speaks for line `index`: at its end, or alone on the line above. */
function allowanceAt(lines: readonly string[], index: number): { rule: string; reason: string; line: number } | null {
  for (const at of [index, index - 1]) {
    const line = lines[at] ?? '';
    const [, rule, reason = ''] = ALLOW.exec(line) ?? [];
    if (rule !== undefined && (at === index || line.trim().startsWith('//'))) return { rule, reason, line: at + 1 };
  }
  return null;
}

const startsWithOne = (file: string, beginnings: readonly string[]): boolean =>
  beginnings.some((beginning) => file.startsWith(beginning));

/** Blanks comments and keeps the lines. `//` inside a string is kept when a quote or colon stands before it. */
function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/(^|[\s;{}(),])\/\/.*$/gm, '$1');
}

const withoutStrings = (line: string): string => line.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, "''");
