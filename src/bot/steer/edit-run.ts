// Changes values of one run in the text of a configuration file, and nothing else of it: comments, order and layout of
// the rest stay as they are.
import { isMap, isScalar, isSeq, type Pair, parse, parseDocument, type YAMLMap } from 'yaml';
import { fail, ok, type Result } from '../../domain/result.ts';

/** A dotted path below the run, and its value as it would stand in the file. */
export interface RunEdit {
  readonly path: string;
  readonly value: string;
}

/** The text with the edits; null where the file has no run of the symbol. Fails with a sentence. */
export function editRun(text: string, symbol: string, edits: readonly RunEdit[]): Result<string | null> {
  let edited = text;
  for (const edit of edits) {
    const next = editOnce(edited, symbol, edit);
    if (!next.ok || next.value === null) return next;
    edited = next.value;
  }
  return ok(edited);
}

const PATH = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)*$/;

function editOnce(text: string, symbol: string, { path, value }: RunEdit): Result<string | null> {
  if (!PATH.test(path)) return fail(`${path}: a path such as params.halfSpreadBps was expected.`);
  const isValue = isInlineValue(value);
  if (!isValue) return fail(`${path}: ${JSON.stringify(value)} is not a value that fits one line of the file.`);
  const run = runIn(text, symbol);
  if (run === null) return ok(null);
  const place = placeFor(run, path.split('.'));
  if (place === null) return fail(`${path} has parts of its own: name one of them, as in ${path}.NAME=VALUE.`);
  return ok(spliced(text, place, value));
}

/** One scalar, or a list or section on one line. */
function isInlineValue(value: string): boolean {
  if (value.trim() === '' || /[\r\n\t]/.test(value) || /(?:^|\s)#/.test(value)) return false;
  try {
    const parsed: unknown = parse(`{ key: ${value} }`);
    return typeof parsed === 'object' && parsed !== null && Object.keys(parsed).join() === 'key';
  } catch {
    return false;
  }
}

function runIn(text: string, symbol: string): YAMLMap | null {
  const runs: unknown = parseDocument(text).get('runs', true);
  if (!isSeq(runs)) return null;
  return runs.items.filter(isMap).find((run) => run.get('symbol') === symbol) ?? null;
}

/** Where a value belongs: in the place of another one, or with its keys behind the last entry of a section. */
type Place =
  | { readonly kind: 'replace'; readonly from: number; readonly to: number }
  | { readonly kind: 'add'; readonly section: YAMLMap; readonly keys: readonly string[] };

function placeFor(section: YAMLMap, keys: readonly string[]): Place | null {
  const [key = '', ...rest] = keys;
  const node: unknown = section.get(key, true);
  if (isMap(node) && rest.length > 0) return placeFor(node, rest);
  if (node === undefined || node === null) return { kind: 'add', section, keys };
  const isInline = isScalar(node) || ((isMap(node) || isSeq(node)) && node.flow === true);
  if (!isInline || rest.length > 0 || !node.range) return null;
  const [from, to] = node.range;
  return { kind: 'replace', from, to };
}

function spliced(text: string, place: Place, value: string): string {
  if (place.kind === 'replace') {
    // An empty value ends where it begins, right behind its colon.
    const gap = place.from === place.to && text[place.from - 1] === ':' ? ' ' : '';
    return text.slice(0, place.from) + gap + value + text.slice(place.to);
  }
  const { section, keys } = place;
  const written = keys.reduceRight((inner, key, index) => {
    const entry = `${key}: ${inner}`;
    return index === 0 ? entry : `{ ${entry} }`;
  }, value);
  return section.flow === true ? intoFlow(text, section, written) : behindLast(text, section, written);
}

/** `{ a: 1 }` becomes `{ a: 1, b: 2 }`. */
function intoFlow(text: string, section: YAMLMap, written: string): string {
  const [, end = 0] = section.range ?? [];
  const brace = text.lastIndexOf('}', end - 1);
  const before = text.slice(0, brace).trimEnd();
  const comma = section.items.length === 0 || before.endsWith(',') ? ' ' : ', ';
  return `${before}${comma}${written} ${text.slice(brace)}`;
}

/** On a line of its own behind the last entry, as far to the right as the first. */
function behindLast(text: string, section: YAMLMap, written: string): string {
  const [first, last] = [section.items.at(0), section.items.at(-1)];
  const begin = first === undefined ? 0 : startOf(first);
  const column = begin - (text.lastIndexOf('\n', begin - 1) + 1);
  const end = text.indexOf('\n', Math.max(0, endOf(last) - 1));
  const at = end === -1 ? text.length : end;
  return `${text.slice(0, at)}\n${' '.repeat(column)}${written}${text.slice(at)}`;
}

const rangeOf = (node: unknown): readonly number[] =>
  isScalar(node) || isMap(node) || isSeq(node) ? (node.range ?? []) : [];
const startOf = ({ key }: Pair): number => rangeOf(key)[0] ?? 0;

/** Where the entry's own content ends, without the comments behind it. */
function endOf(pair: Pair | undefined): number {
  if (pair === undefined) return 0;
  const { key, value } = pair;
  if (isMap(value) && value.flow !== true && value.items.length > 0) return endOf(value.items.at(-1) as Pair);
  if (isSeq(value) && value.flow !== true && value.items.length > 0) return rangeOf(value.items.at(-1))[1] ?? 0;
  return rangeOf(value)[1] ?? rangeOf(key)[1] ?? 0;
}
