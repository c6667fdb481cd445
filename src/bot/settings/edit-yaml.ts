// Changes one value in the text of a YAML file and keeps every other character: comments, order and layout.
import { isCollection, isMap, isPair, isScalar, isSeq, type Pair, parseDocument, type YAMLMap } from 'yaml';

/** Keys of sections, and indexes of list items from 0. */
export type YamlPath = readonly (string | number)[];

/**
 * The text with `value`, written as YAML, at `path`: in place of another one, or with its keys after the last entry of
 * a section. `null` if a section or a plain value is in the way.
 */
export function editedYaml(text: string, path: YamlPath, value: string): string | null {
  const editedIn = (section: unknown, [key, ...rest]: YamlPath): string | null => {
    if (!isCollection(section) || key === undefined) return null;
    const node: unknown = section.get(key, true);
    if (isCollection(node) && rest.length > 0) return editedIn(node, rest);
    if (node === undefined || node === null) {
      const inner = rest.reduceRight<string>((below, each) => `{ ${each}: ${below} }`, value);
      if (!isMap(section)) return null;
      return (section.flow === true ? intoFlow : behindLast)(text, section, `${key}: ${inner}`);
    }
    const isInline = isScalar(node) || (isCollection(node) && node.flow === true);
    const [from, to] = rangeOf(node);
    if (!isInline || rest.length > 0 || from === undefined || to === undefined) return null;
    // An empty value ends where it begins, right after its colon.
    const gap = from === to && text[from - 1] === ':' ? ' ' : '';
    return text.slice(0, from) + gap + value + text.slice(to);
  };
  return editedIn(parseDocument(text).contents, path);
}

/** The text of the value at `path`, and where it begins; `null` if there is none. */
export function writtenAt(text: string, path: YamlPath): { readonly at: number; readonly written: string } | null {
  const [from, to] = rangeOf(parseDocument(text).getIn(path, true));
  return from === undefined || to === undefined ? null : { at: from, written: text.slice(from, to) };
}

/** The keys of the section at `path`. */
export function keysAt(text: string, path: YamlPath): readonly string[] {
  const node = parseDocument(text).getIn(path, true);
  return isMap(node) ? node.items.map(({ key }) => String(isScalar(key) ? key.value : key)) : [];
}

/** The path of the run that quotes a symbol, or `null`. `section`: where the runs are. */
export function runPath(text: string, symbol: string, section: YamlPath = []): YamlPath | null {
  const path = [...section, 'runs'];
  const runs: unknown = parseDocument(text).getIn(path, true);
  const number = isSeq(runs) ? runs.items.findIndex((run) => isMap(run) && run.get('symbol') === symbol) : -1;
  return number < 0 ? null : [...path, number];
}

/** `{ a: 1 }` becomes `{ a: 1, b: 2 }`. */
function intoFlow(text: string, section: YAMLMap, written: string): string {
  const [, end = 0] = rangeOf(section);
  const brace = text.lastIndexOf('}', end - 1);
  const before = text.slice(0, brace).trimEnd();
  const comma = section.items.length === 0 || before.endsWith(',') ? ' ' : ', ';
  return `${before}${comma}${written} ${text.slice(brace)}`;
}

/** On a new line after the last entry, indented like the first. */
function behindLast(text: string, section: YAMLMap, written: string): string {
  const begin = startOf(section.items.at(0));
  const column = begin - (text.lastIndexOf('\n', begin - 1) + 1);
  const end = text.indexOf('\n', Math.max(0, endOf(section) - 1));
  const at = end === -1 ? text.length : end;
  return `${text.slice(0, at)}\n${' '.repeat(column)}${written}${text.slice(at)}`;
}

const rangeOf = (node: unknown): readonly number[] => (isScalar(node) || isCollection(node) ? (node.range ?? []) : []);
const startOf = (pair: Pair | undefined): number => rangeOf(pair?.key)[0] ?? 0;

/** Where the node's own content ends, without trailing comments. */
function endOf(node: unknown): number {
  if (isPair(node)) return endOf(node.value ?? node.key);
  const isBlock = isCollection(node) && node.flow !== true && node.items.length > 0;
  return isBlock ? endOf(node.items.at(-1)) : (rangeOf(node)[1] ?? 0);
}
