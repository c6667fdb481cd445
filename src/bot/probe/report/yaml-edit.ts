// Puts one value into the text of a YAML file and leaves every other character as it is: comments, order, alignment.
import { isMap, isScalar, isSeq, type Node, parseDocument, type YAMLMap } from 'yaml';

export type Place = readonly (string | number)[];

export interface Edit {
  readonly place: Place;
  /** As it is written in YAML. */
  readonly value: string;
  /** Lines to stand above it, without their `#`. */
  readonly comment: readonly string[];
}

interface Insertion {
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

/** The text with the edit. What has no place in it is added where its section is, or at the end. */
export function edited(text: string, edit: Edit): string {
  const root: unknown = parseDocument(text).contents;
  const { node, depth } = deepest(root, edit.place);
  if (depth === edit.place.length && isNode(node)) return apply(text, replacement(text, node, edit));
  if (depth > 0 && isMap(node)) return apply(text, addition(text, node, { ...edit, place: edit.place.slice(depth) }));
  const lines = [...commentLines(edit.comment, 0), entry(edit.place, edit.value), ''];
  return `${text.endsWith('\n') ? text : `${text}\n`}\n${lines.join('\n')}`;
}

/** What stands at a place, as it is written; `null` where nothing does. */
export function writtenAt(text: string, place: Place): string | null {
  const { node, depth } = deepest(parseDocument(text).contents, place);
  if (depth < place.length || !isNode(node)) return null;
  const [from, to] = node.range ?? [0, 0];
  return text.slice(from, to);
}

/** The number of the run that quotes a symbol, or `null`. */
export function runIndex(text: string, symbol: string): number | null {
  const { node } = deepest(parseDocument(text).contents, ['runs']);
  if (!isSeq(node)) return null;
  const index = node.items.findIndex((run) => isMap(run) && run.get('symbol') === symbol);
  return index < 0 ? null : index;
}

/** Follows the place as far as there are nodes. */
function deepest(root: unknown, place: Place): { readonly node: unknown; readonly depth: number } {
  let node = root;
  for (const [depth, step] of place.entries()) {
    const next = childOf(node, step);
    if (next === undefined) return { node, depth };
    node = next;
  }
  return { node, depth: place.length };
}

function childOf(node: unknown, step: string | number): unknown {
  if (isMap(node)) return node.items.find(({ key }) => isScalar(key) && key.value === step)?.value ?? undefined;
  return isSeq(node) ? node.items[Number(step)] : undefined;
}

const isNode = (node: unknown): node is Node => isScalar(node) || isMap(node) || isSeq(node);

/** The value in place of the old one, the comment above its line. */
function replacement(text: string, node: Node, { value, comment }: Edit): readonly Insertion[] {
  const [from, to] = node.range ?? [0, 0];
  const line = lineStart(text, from);
  const indent = text.slice(line).search(/\S/);
  const above = commentLines(comment, indent).map((each) => `${each}\n`);
  return [
    { at: from, end: to, text: value },
    { at: line, end: line, text: above.join('') },
  ];
}

/**
 * Into `{ … }` right behind the brace; into a block before its second entry: the first may share its line with a dash.
 */
function addition(text: string, map: YAMLMap, { place, value, comment }: Edit): readonly Insertion[] {
  const [from, to] = map.range ?? [0, 0];
  if (map.flow === true) {
    const inner = map.items.length === 0 ? '' : ',';
    const line = lineStart(text, from);
    const above = commentLines(comment, text.slice(line).search(/\S/)).map((each) => `${each}\n`);
    return [
      { at: from + 1, end: from + 1, text: ` ${flowEntry(place, value)}${inner}` },
      { at: line, end: line, text: above.join('') },
    ];
  }
  const second = startOf(map.items[1]?.key);
  const indent = columnOf(text, startOf(map.items[0]?.key) ?? from);
  const lines = [...commentLines(comment, indent), `${' '.repeat(indent)}${flowEntry(place, value)}`];
  if (second !== null)
    return [{ at: lineStart(text, second), end: lineStart(text, second), text: `${lines.join('\n')}\n` }];
  const end = lineEnd(text, to);
  return [{ at: end, end, text: `${text[end - 1] === '\n' ? '' : '\n'}${lines.join('\n')}\n` }];
}

/** `a: { b: value }`. */
function flowEntry(place: Place, value: string): string {
  const [first, ...rest] = place;
  return rest.length === 0 ? `${first}: ${value}` : `${first}: { ${flowEntry(rest, value)} }`;
}

/** A section of its own: one line for each step. */
function entry(place: Place, value: string): string {
  return place
    .map((step, depth) => `${'  '.repeat(depth)}${step}:${depth === place.length - 1 ? ` ${value}` : ''}`)
    .join('\n');
}

const commentLines = (lines: readonly string[], indent: number): readonly string[] =>
  lines.map((line) => `${' '.repeat(indent)}# ${line}`);

const startOf = (key: unknown): number | null => (isNode(key) ? (key.range?.[0] ?? null) : null);
const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;
const columnOf = (text: string, at: number): number => at - lineStart(text, at);

/** Behind the line feed of the line in which `at` is, or of the one before where `at` begins a line. */
function lineEnd(text: string, at: number): number {
  if (at > 0 && text[at - 1] === '\n') return at;
  const feed = text.indexOf('\n', at);
  return feed < 0 ? text.length : feed + 1;
}

/** In the order in which they come, which is from the end of the text on: offsets stay what they are. */
function apply(text: string, insertions: readonly Insertion[]): string {
  return insertions.reduce((left, { at, end, text: added }) => left.slice(0, at) + added + left.slice(end), text);
}
