// From what zod found to sentences that name file, line, path, value and what was expected.
import type { z } from 'zod';
import { type Complaint, type Located, type Path, pathText, placeAt, valueAt } from './located.ts';
import { expectationOf, type Shape, shapeAt, VAGUE } from './shape.ts';

/** The tree that was checked, what was wanted of it, and where in the configuration it stands. */
export interface Checked {
  readonly root: Located;
  readonly shape: Shape;
  readonly base?: Path;
}

/** Everything that `issues` say about the tree, as sentences. Unknown keys are found elsewhere and skipped here. */
export function complaintsOf(issues: readonly z.core.$ZodIssue[], checked: Checked): readonly Complaint[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return [];
    const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
    return [{ at: placeAt(checked.root, path), sentence: sentenceFor(issue, path, checked) }];
  });
}

function sentenceFor(issue: z.core.$ZodIssue, path: Path, { root, shape, base = [] }: Checked): string {
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

/** A value as it may be shown: nothing under `keys`, no secret of a channel, and no address that carries a password. */
export function shown(node: Located, path: Path): string {
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

/** Where a secret may have been written by mistake. */
const SECRET_KEYS: readonly (string | number)[] = ['keys', 'url', 'token', 'topic', 'password'];

const isSensitive = (source: string, path: Path): boolean =>
  path.includes('keys') ||
  (path[0] === 'notify' && path.some((step) => SECRET_KEYS.includes(step))) ||
  /\/\/[^/\s]*@/.test(source);

/** `config/paper.yaml:14: runs[0].limits.collarBps: "abc" is not a number ≥ 0.`, in order of file and line. */
export function complaintLines(complaints: readonly Complaint[]): string[] {
  const sorted = [...complaints].sort((a, b) =>
    a.at.file === b.at.file ? a.at.line - b.at.line : a.at.file < b.at.file ? -1 : 1,
  );
  return [...new Set(sorted.map(({ at, sentence }) => `${at.file}:${at.line}: ${sentence}`))];
}
