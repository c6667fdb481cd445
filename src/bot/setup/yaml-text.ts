// Changes of a YAML text that leave everything else as it stands: comments, order, spelling of numbers.
import { isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';
import { invariant } from '../../domain/invariant.ts';

export type YamlPath = readonly (string | number)[];

/** One value, as text of YAML; `null` takes the line of a key out. */
export interface Change {
  readonly path: YamlPath;
  readonly text: string | null;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** `text` with single values changed. What is changed must be there, on one line. */
export function withValues(text: string, changes: readonly Change[]): string {
  const document = parseDocument(text);
  const edits = changes.map(({ path, text: value }) => {
    const { start, end } = spanOf(document.getIn(path, true), path);
    return value === null ? { ...lineOf(text, start), value: '' } : { start, end, value };
  });
  return [...edits]
    .sort((one, other) => other.start - one.start)
    .reduce((sofar, { start, end, value }) => sofar.slice(0, start) + value + sofar.slice(end), text);
}

/** Whether there is a value at `path`. */
export const hasValue = (text: string, path: YamlPath): boolean => parseDocument(text).hasIn(path);

/** The value at `path` as it is written. */
export function valueText(text: string, path: YamlPath): string {
  const { start, end } = spanOf(parseDocument(text).getIn(path, true), path);
  return text.slice(start, end);
}

/** The keys of the section at `path`. */
export function keysAt(text: string, path: YamlPath): readonly string[] {
  const node = parseDocument(text).getIn(path, true);
  invariant(isMap(node), `${path.join('.')} is no section.`);
  return node.items.map(({ key }) => String(isScalar(key) ? key.value : key));
}

/** The whole lines of the section or list at `path`, and those of the first entry of a list. */
export function blockAt(text: string, path: YamlPath): { readonly span: Span; readonly first: string } {
  const node = parseDocument(text).getIn(path, true);
  invariant(isMap(node) || isSeq(node), `${path.join('.')} is no section and no list.`);
  const span = { start: lineOf(text, spanOf(node, path).start).start, end: endOf(text, node) };
  if (isMap(node)) return { span, first: '' };
  const starts = node.items.map((item) => lineOf(text, spanOf(item, path).start).start);
  return { span, first: `${text.slice(span.start, starts[1] ?? span.end).trimEnd()}\n` };
}

/** `text` with the lines of `span` replaced. */
export const replaced = (text: string, { start, end }: Span, by: string): string =>
  text.slice(0, start) + by + text.slice(end);

/** After the last line that belongs to a block. */
function endOf(text: string, node: Node): number {
  const last = node.range?.[1] ?? 0;
  return lineOf(text, text.slice(0, last).trimEnd().length - 1).end;
}

function spanOf(node: unknown, path: YamlPath): Span {
  const range = isScalar(node) || isMap(node) || isSeq(node) ? node.range : null;
  invariant(range !== null && range !== undefined, `There is no ${path.join('.')} to begin from.`);
  return { start: range[0], end: range[1] };
}

function lineOf(text: string, offset: number): Span {
  const end = text.indexOf('\n', offset);
  return { start: text.lastIndexOf('\n', offset - 1) + 1, end: end < 0 ? text.length : end + 1 };
}
