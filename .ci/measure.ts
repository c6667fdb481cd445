// Measures the inside of the program: how large folders, functions and lines are, and how long a chain of imports is.
// Run: `npm run measure`; with `--table` the figures that say how much program there is. The style test and the import
// table judge.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Lang, parse } from '@ast-grep/napi';
import { importsOf, longestChain, type Source } from './import-graph.ts';
import { ROOMS } from './import-table.ts';
import { folderViolations, MAX_COLUMNS, MAX_FUNCTION_LINES } from './style-rules.ts';

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const TABLE = path.join(ROOT, 'test/measure/table.ts');
const FOLDERS = ['src', 'strategies', 'simulation'];
/** What has lines of its own to count. */
const FUNCTIONS = ['function_declaration', 'function_expression', 'arrow_function', 'method_definition'];
/** Folders whose longest chain of imports is told. */
const HOUSES = ['src/trader', 'src/paper', 'src/bot', 'src/client', 'simulation'];

export interface LongFunction {
  readonly file: string;
  readonly line: number;
  readonly lines: number;
}

export function sources(): Source[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => path.posix.join(folder, file.split(path.sep).join('/')))
      .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') })),
  );
}

/** The functions with more than `MAX_FUNCTION_LINES` lines, the longest first. */
export function longFunctions(all: readonly Source[]): LongFunction[] {
  const rule = { any: FUNCTIONS.map((kind) => ({ kind })) };
  const found = all.flatMap(({ file, text }) =>
    parse(Lang.TypeScript, text)
      .root()
      .findAll({ rule })
      .flatMap((node) => {
        const { start, end } = node.range();
        const lines = end.line - start.line + 1;
        return lines > MAX_FUNCTION_LINES ? [{ file, line: start.line + 1, lines }] : [];
      }),
  );
  return found.toSorted((a, b) => b.lines - a.lines);
}

/** How many rooms lie above one another at the most. */
function floorsOf(rooms: Readonly<Record<string, readonly string[]>>): number {
  const names = Object.keys(rooms);
  const imports = names.map((name) => [name, (rooms[name] ?? []).filter((each) => names.includes(each))] as const);
  return longestChain(new Map(imports)).length;
}

/** Fields of an interface, and those of them that are maps by symbol. */
function fieldsOf(all: readonly Source[], file: string, name: string): { fields: number; bySymbol: number } {
  const text = all.find((source) => source.file === file)?.text ?? '';
  const body = new RegExp(`interface ${name} \\{\\n(.*?)\\n\\}`, 's').exec(text)?.[1] ?? '';
  const fields = body.split('\n').filter((line) => /^ {2}(readonly )?\w+\??:/.test(line));
  return { fields: fields.length, bySymbol: fields.filter((line) => line.includes('Map<InstrumentSymbol')).length };
}

const STATES = [
  ['src/trader/state/state.ts', 'TraderState'],
  ['src/trader/durable/durable.ts', 'Durable'],
] as const;

function tellInside(): void {
  const all = sources();
  const lines = all.flatMap(({ text }) => text.split('\n'));
  const large = folderViolations(all.map(({ file }) => file));
  const long = longFunctions(all);
  console.log(`${all.length} files, ${lines.length} lines in ${FOLDERS.join(' and ')}`);
  console.log(`folders with too many files: ${large.join(' ') || 0}`);
  console.log(`lines over ${MAX_COLUMNS} columns: ${lines.filter((line) => [...line].length > MAX_COLUMNS).length}`);
  for (const house of HOUSES) {
    const chain = longestChain(importsOf(all.filter(({ file }) => file.startsWith(`${house}/`))));
    console.log(
      `longest chain of imports inside ${house}: ${chain.length} (${chain[0] ?? ''} … ${chain.at(-1) ?? ''})`,
    );
  }
  for (const house of ['trader', 'paper', 'bot', 'client'])
    console.log(`floors of rooms inside src/${house}: ${floorsOf(ROOMS[house] ?? {})}`);
  for (const [file, name] of STATES) {
    const { fields, bySymbol } = fieldsOf(all, file, name);
    console.log(`fields of ${name}: ${fields}, maps by symbol among them: ${bySymbol}`);
  }
  console.log(`functions over ${MAX_FUNCTION_LINES} lines: ${long.length}`);
  for (const { file, line, lines: size } of long) console.log(`  ${size} ${file}:${line}`);
}

if (import.meta.main) {
  // A process of its own: it loads the program, which nothing here does.
  if (process.argv.includes('--table')) execFileSync(process.execPath, [TABLE], { stdio: 'inherit' });
  else tellInside();
}
