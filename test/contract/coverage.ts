// Which contract test is about which endpoint and which error code, read from the names of the tests themselves: one
// that is called `wallet: …`, `wallet …` or `-1105 …` is about the wallet, about -1105.
// `node test/contract/coverage.ts` writes the document; a test keeps it true.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ENDPOINTS } from '../../src/venue/endpoints.ts';
import { ERROR_CODES } from '../../src/venue/error-codes.ts';

export interface DeclaredTest {
  readonly file: string;
  readonly name: string;
}

export const COVERAGE_FILE = 'docs/contract-coverage.md';
const FOLDER = 'test/contract';
/** It holds names as examples. */
const OWN_TEST = 'coverage.test.ts';

/**
 * All tests of the folder whose name stands in the file: as the test's own title, or as the first text of a row of its
 * table.
 */
export function declaredTests(root: string): readonly DeclaredTest[] {
  const files = readdirSync(path.join(root, FOLDER)).filter((file) => file.endsWith('.test.ts') && file !== OWN_TEST);
  return files
    .sort()
    .flatMap((file) => namesIn(readFileSync(path.join(root, FOLDER, file), 'utf8')).map((name) => ({ file, name })));
}

/** Names of the tests and groups of a file; those of a table with the first `%s` of their title filled in. */
export function namesIn(text: string): readonly string[] {
  const source = text.replace(/(^|[\s;{}(),])\/\/.*$/gm, '$1');
  const names: string[] = [];
  for (const { 0: head, index } of source.matchAll(
    /\b(?:test|describe)(\.each(?:<[\s\S]*?>)?)?\((?=[\s'"`[A-Za-z])/g,
  )) {
    const at = index + head.length;
    if (!head.includes('.each')) names.push(...textsAt(source, at).slice(0, 1));
    else names.push(...namesOfTable(source, at));
  }
  return names;
}

/** A title that doesn't begin with what its rows say is one name. */
function namesOfTable(source: string, at: number): readonly string[] {
  const end = endOf(source, at);
  const [title = ''] = textsAt(source, end + 2);
  const [given, named] = /^\s*(?:([A-Za-z]\w*)|\[)/.exec(source.slice(at, end)) ?? [];
  const table = named === undefined ? source.slice(at, end) : tableNamed(source, named);
  const rows = given !== undefined && title.startsWith('%s') ? firstTexts(table) : [];
  return rows.length === 0 ? [title] : rows.map((first) => title.replace('%s', first));
}

/** The text of `const NAME … = [ … ]`; nothing where the table is made in another way. */
function tableNamed(source: string, name: string): string {
  const start = new RegExp(`\\bconst ${name}\\b[^=]*(?:=>[^=]*)*= \\[`).exec(source);
  if (start === null) return '';
  const at = start.index + start[0].length;
  return `[${source.slice(at, endOf(source, at))}]`;
}

/** `[['a', 1], ['b', 2]]` and `['a', 'b']` → a, b. */
function firstTexts(table: string): readonly string[] {
  const inside = table.trim().replace(/^\[/, '');
  const texts: string[] = [];
  for (let at = 0; at < inside.length; at += 1) {
    const isRow = inside[at] === '[';
    const [text] = isRow || isQuote(inside[at]) ? textsAt(inside, isRow ? at + 1 : at) : [];
    if (text !== undefined) texts.push(text);
    if (isRow || inside[at] === '(' || inside[at] === '{') at = endOf(inside, at + 1);
    else if (isQuote(inside[at])) at = endOfText(inside, at);
  }
  return texts;
}

/** The text literal that begins here, after white space; none where something else stands there. */
function textsAt(source: string, at: number): readonly string[] {
  let start = at;
  while (/\s/.test(source[start] ?? '')) start += 1;
  return isQuote(source[start]) ? [source.slice(start + 1, endOfText(source, start))] : [];
}

/** Index of the bracket that closes what is open at `at`. */
function endOf(source: string, at: number): number {
  let depth = 0;
  for (let index = at; index < source.length; index += 1) {
    const char = source[index] ?? '';
    if (isQuote(char)) index = endOfText(source, index);
    else if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char) && depth-- === 0) return index;
  }
  return source.length;
}

const isQuote = (char: string | undefined): boolean => char === "'" || char === '"' || char === '`';

function endOfText(source: string, start: number): number {
  let end = start + 1;
  while (end < source.length && source[end] !== source[start]) end += source[end] === '\\' ? 2 : 1;
  return end;
}

/** Endpoints and codes, in the specification's order, each with the tests that are about it. */
export function coverageOf(tests: readonly DeclaredTest[]): {
  readonly endpoints: ReadonlyMap<string, readonly DeclaredTest[]>;
  readonly codes: ReadonlyMap<string, readonly DeclaredTest[]>;
} {
  const about = (subjects: readonly string[]) =>
    new Map(subjects.map((subject) => [subject, tests.filter(({ name }) => isAbout(name, subject))]));
  return {
    endpoints: about(Object.keys(ENDPOINTS)),
    codes: about(ERROR_CODES.map(({ code }) => String(code))),
  };
}

const isAbout = (name: string, subject: string): boolean =>
  name === subject || name.startsWith(`${subject} `) || name.startsWith(`${subject}: `);

/** The document; a subject without a test says so. */
export function coverageDocument(tests: readonly DeclaredTest[]): string {
  const { endpoints, codes } = coverageOf(tests);
  const part = (title: string, subjects: typeof endpoints): string[] => [
    `## ${title}`,
    '',
    `| ${title.toLowerCase().replace(/s$/, '')} | test | file |`,
    '|---|---|---|',
    ...[...subjects].flatMap(([subject, about]) => rowsOf(subject, about)),
    '',
  ];
  return [...INTRODUCTION, ...part('Endpoints', endpoints), ...part('Codes', codes)].join('\n');
}

const INTRODUCTION = [
  '# What the contract tests cover',
  '',
  'This file is made from the names of the tests in `test/contract` by `node test/contract/coverage.ts`; change ' +
    'those. There the real client',
  'meets the real paper exchange over sockets. Beside the tests named here, `client-paper-codes` answers every ' +
    'code to every endpoint,',
  '`client-paper-endpoint-codes` brings about every code that an endpoint can answer with, and `paper-fuzz` sends ' +
    '100,000 random requests.',
  '',
];

function rowsOf(subject: string, about: readonly DeclaredTest[]): readonly string[] {
  if (about.length === 0) return [`| \`${subject}\` | **none** | |`];
  return about.map(({ file, name }, index) => {
    const rest =
      name
        .slice(subject.length)
        .replace(/^:? /, '')
        .replace(/%[a-z]|\$\{[^}]*\}/g, '…') || 'all of them';
    return (
      `| ${index === 0 ? `\`${subject}\`` : ''} | ${rest.replaceAll('|', '\\|')} | ` +
      `${file.replace('.test.ts', '')} |`
    );
  });
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '../..');
  writeFileSync(path.join(root, COVERAGE_FILE), coverageDocument(declaredTests(root)));
}
