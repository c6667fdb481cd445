// Reads a tree by a schema, and turns zod's issues into sentences with file, line, path, value and what was expected.
import type { z } from 'zod';
import { type Complaint, type Entry, type Located, type Path, pathText, placeAt, valueAt } from './located.ts';
import { expectationOf, plainValue, type Shape, shapeAt, shapeOf, VAGUE } from './shape.ts';

/** The checked tree, its expected shape, and its place in the configuration. */
interface Checked {
  readonly root: Located;
  readonly shape: Shape;
  readonly base: Path;
}

/** The tree at `base` as `schema` reads it; null if it is wrong, with complaints. Unknown keys are complaints, too. */
export function parsed<S extends z.ZodType>(schema: S, root: Located, base: Path = []) {
  const shape = shapeOf(schema);
  const { value, unknown } = plainValue(root, shape, base);
  const result = schema.safeParse(value);
  const found = result.success ? [] : result.error.issues;
  // `unknown` names those in sections; a schema of another form alone knows its keys.
  const others = found.filter(({ code }) => code !== 'unrecognized_keys');
  const issues = others.length + unknown.length === 0 ? found : others;
  const complaints = issues.map((issue): Complaint => {
    const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
    return { at: placeAt(root, path), sentence: sentenceFor(issue, path, { root, shape, base }) };
  });
  return { data: result.data ?? null, complaints: [...unknown, ...complaints] };
}

function sentenceFor(issue: z.core.$ZodIssue, path: Path, { root, shape, base }: Checked): string {
  const node = valueAt(root, path);
  const expected = expectationOf(shapeAt(shape, root, path));
  const full = [...base, ...path];
  const name = full.length === 0 ? 'the file' : pathText(full);
  if (node === undefined || isEmpty(node)) return `${name}: missing; expected ${expected}.`;
  if (issue.code === 'custom') return `${name}: ${hideIn(issue.message, node, full)}`;
  if (expected === VAGUE) return `${name}: ${shown(node, full)} is refused: ${issue.message}.`;
  return `${name}: ${shown(node, full)} is not ${expected}.`;
}

const isEmpty = (node: Located): boolean => node.kind === 'scalar' && node.value === null;

/** A value as it may be shown: hides everything under `keys`, a channel's secrets, and addresses with a password. */
function shown(node: Located, path: Path): string {
  if (node.kind === 'list') return 'a list';
  if (node.kind === 'map') return 'a section';
  if (isSensitive(node.source, path)) return 'the value (not shown)';
  const short = node.source.length > 60 ? `${node.source.slice(0, 60)}…` : node.source;
  return typeof node.value === 'string' ? JSON.stringify(short) : short;
}

function hideIn(message: string, node: Located, path: Path): string {
  if (node.kind !== 'scalar' || !isSensitive(node.source, path) || node.source === '') return message;
  return message.replaceAll(node.source, '(not shown)');
}

/** Keys under which a secret may have been written by mistake. */
const SECRET_KEYS: readonly (string | number)[] = ['keys', 'url', 'token', 'topic', 'password'];

const isSensitive = (source: string, path: Path): boolean =>
  path.includes('keys') ||
  (path[0] === 'notify' && path.some((step) => SECRET_KEYS.includes(step))) ||
  /\/\/[^/\s]*@/.test(source);

/** `config/paper.yaml:14: runs[0].limits.collarBps: "abc" is not a number ≥ 0.`, ordered by file and line. */
export function complaintLines(complaints: readonly Complaint[]): string[] {
  const sorted = [...complaints].sort((a, b) =>
    a.at.file === b.at.file ? a.at.line - b.at.line : a.at.file < b.at.file ? -1 : 1,
  );
  return [...new Set(sorted.map(({ at, sentence }) => `${at.file}:${at.line}: ${sentence}`))];
}

// Joins several files into one configuration: lists of runs are concatenated, everything else must agree.

/** The files as one tree, and each contradiction between them. */
export function joinFiles(files: readonly Located[]): { root: Located | null; complaints: readonly Complaint[] } {
  const complaints: Complaint[] = [];
  const root = files.reduce<Located | null>(
    (sum, file) => (sum ? join({ sum, file, path: [] }, complaints) : file),
    null,
  );
  return { root, complaints };
}

interface Step {
  readonly sum: Located;
  readonly file: Located;
  readonly path: Path;
}

function join({ sum, file, path }: Step, complaints: Complaint[]): Located {
  if (sum.kind === 'map' && file.kind === 'map') {
    const entries = new Map<string, Entry>(sum.entries);
    for (const [key, entry] of file.entries) {
      const known = sum.entries.get(key);
      const step = known && { sum: known.value, file: entry.value, path: [...path, key] };
      entries.set(key, step ? { keyAt: known.keyAt, value: join(step, complaints) } : entry);
    }
    return { kind: 'map', at: sum.at, entries };
  }
  if (path.length === 1 && path[0] === 'runs' && sum.kind === 'list' && file.kind === 'list') {
    return { kind: 'list', at: sum.at, items: [...sum.items, ...file.items] };
  }
  if (!isSame(sum, file)) {
    const values = `${shown(file, path)} contradicts ${shown(sum, path)} in ${sum.at.file}:${sum.at.line}`;
    complaints.push({ at: file.at, sentence: `${pathText(path)}: ${values}; only runs may differ between files.` });
  }
  return sum;
}

/** Equal content. `0.10` and `0.1` differ: files that mean the same should say the same. */
function isSame(a: Located, b: Located | undefined): boolean {
  if (a.kind === 'scalar' && b?.kind === 'scalar') return a.source === b.source && a.value === b.value;
  if (a.kind === 'list' && b?.kind === 'list')
    return a.items.length === b.items.length && a.items.every((item, index) => isSame(item, b.items[index]));
  if (a.kind !== 'map' || b?.kind !== 'map' || a.entries.size !== b.entries.size) return false;
  return [...a.entries].every(([key, { value }]) => isSame(value, b.entries.get(key)?.value));
}
