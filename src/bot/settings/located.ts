// A configuration file as a tree in which every value has its line and original text.
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLError } from 'yaml';

/** An account named behind its file, as in config/fleet.yaml#alice. */
const NAMED = /^(.+)#([A-Za-z][\w-]*)$/;

/** `config/fleet.yaml#alice`: file and account; null where none is named. */
export function splitName(named: string): { readonly file: string; readonly account: string | null } {
  const [, file, account] = NAMED.exec(named) ?? [];
  return file === undefined || account === undefined ? { file: named, account: null } : { file, account };
}

/** A file as the person named it, and a line from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

export type Located = {
  readonly at: Place;
  /** The comment behind the value, or behind its key. */
  readonly comment?: string;
} & (
  | {
      readonly kind: 'scalar';
      /** The value parsed as YAML. Numbers are floats here: `source` has the original digits. */
      readonly value: string | number | boolean | null;
      readonly source: string;
    }
  | { readonly kind: 'list'; readonly items: readonly Located[] }
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, Entry> }
);

/** A key's place, and its value. */
export interface Entry {
  readonly keyAt: Place;
  readonly value: Located;
}

export type Path = readonly (string | number)[];

/** A mistake in a configuration, and its place. */
export interface Complaint {
  readonly at: Place;
  readonly sentence: string;
}

/** Parses YAML 1.2. Refuses anchors, aliases and tags: a file should read from top to bottom. */
export function locate(file: string, text: string): { root: Located | null; complaints: readonly Complaint[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const complaints: Complaint[] = [...document.errors, ...document.warnings].map((error) => ({
    at: { file, line: lines.linePos(error.pos[0]).line },
    sentence: yamlSentence(error),
  }));
  if (complaints.length > 0) return { root: null, complaints };
  const top: Place = { file, line: 1 };
  const root = document.contents === null ? null : convert({ file, lines, complaints }, document.contents, top);
  return { root, complaints };
}

/** Replaces the YAML parser's messages, which may quote secrets from the file. */
function yamlSentence(error: YAMLError): string {
  if (error.code === 'DUPLICATE_KEY') return 'This key stands twice in its section.';
  if (error.code === 'TAB_AS_INDENT') return 'Lines are indented by spaces, not by tabs.';
  return `This is not valid YAML (${error.code.toLowerCase().replaceAll('_', ' ')}).`;
}

interface Reader {
  readonly file: string;
  readonly lines: LineCounter;
  readonly complaints: Complaint[];
}

/** `around`: the place of a value that is left out. */
function convert(reader: Reader, node: unknown, around: Place): Located {
  if (!isNode(node)) return { kind: 'scalar', at: around, value: null, source: '' };
  const at = placeOf(reader, node);
  const isBlock = (isMap(node) || isSeq(node)) && node.flow !== true;
  // That of a block stands below it, often a line that is commented out.
  const comment = `${node.commentBefore ?? ''}\n${isBlock ? '' : (node.comment ?? '')}`;
  if (isMap(node)) return { kind: 'map', at, comment, entries: entriesOf(reader, node.items) };
  if (isSeq(node)) return { kind: 'list', at, comment, items: node.items.map((item) => convert(reader, item, at)) };
  if (isAlias(node))
    reader.complaints.push({ at, sentence: 'Aliases (*name) are not read here; write the value out.' });
  const value: unknown = isScalar(node) ? node.value : null;
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const source = isScalar(node) && typeof node.source === 'string' ? node.source : String(value);
  return { kind: 'scalar', at, comment, value: isPlain ? value : null, source };
}

function entriesOf(reader: Reader, pairs: readonly { key: unknown; value: unknown }[]): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const { key, value } of pairs) {
    if (!isNode(key)) continue;
    const keyAt = placeOf(reader, key);
    if (isScalar(key) && key.value === '__proto__')
      reader.complaints.push({ at: keyAt, sentence: '__proto__: no key has this name.' });
    else if (isScalar(key)) entries.set(String(key.value), { keyAt, value: convert(reader, value, keyAt) });
    else reader.complaints.push({ at: keyAt, sentence: 'A key is a word, not a list or a section.' });
  }
  return entries;
}

function placeOf({ file, lines }: Reader, node: Node): Place {
  return { file, line: lines.linePos(node.range?.[0] ?? 0).line };
}

/** The place of the value at `path`, or of the nearest section around it. */
export function placeAt(root: Located, path: Path): Place {
  let here = root;
  let at = root.at;
  for (const step of path) {
    const next = childOf(here, step);
    if (!next) return at;
    at = next.keyAt;
    here = next.value;
  }
  return here.kind === 'scalar' ? here.at : at;
}

/** The value at `path`; `undefined` if there is none. */
export function valueAt(root: Located, path: Path): Located | undefined {
  let here: Located | undefined = root;
  for (const step of path) here = here && childOf(here, step)?.value;
  return here;
}

function childOf(node: Located, step: string | number): Entry | undefined {
  if (node.kind === 'map') return node.entries.get(String(step));
  const item = node.kind === 'list' ? node.items[Number(step)] : undefined;
  return item && { keyAt: item.at, value: item };
}

/** `runs[0].limits.collarBps`. */
export function pathText(path: Path): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}

// Configuration files are open in editors, copied into tickets and partly shown on the page: secrets don't belong
// there.

/** A sentence with file and line of the first key or value that reveals a secret; null if none does. */
export function secretLine(texts: ReadonlyMap<string, string>, holdsSecret: (text: string) => boolean): string | null {
  for (const [file, text] of texts) {
    const { root } = locate(splitName(file).file, text);
    const found = root && textsIn(root).find((each) => holdsSecret(each.text));
    if (found)
      return `${file}:${found.at.line}: This is a token or key of the bot; name the file or variable that has it.`;
  }
  return null;
}

/** All keys and values, without comments. */
function textsIn(node: Located): { readonly text: string; readonly at: Place }[] {
  if (node.kind === 'scalar') return [String(node.value), node.source].map((text) => ({ text, at: node.at }));
  if (node.kind === 'list') return node.items.flatMap(textsIn);
  return [...node.entries].flatMap(([key, { keyAt, value }]) => [{ text: key, at: keyAt }, ...textsIn(value)]);
}

// A value whose comment holds an arrow is a placeholder; the words behind the arrow say what to enter.

/** One sentence with file and line for each placeholder. */
export const placeholderLines = (texts: ReadonlyMap<string, string>): readonly string[] =>
  [...texts].flatMap(([file, text]) => {
    const { root } = locate(splitName(file).file, text);
    return root === null ? [] : placeholdersIn(root, [], root.at);
  });

function placeholdersIn(node: Located, path: Path, { file, line }: Place): readonly string[] {
  const words = /←\s*(.*?)\.?\s*$/m.exec(node.comment ?? '')?.[1];
  if (words !== undefined)
    return [`${file}:${line}: ${pathText(path)}: a placeholder. Enter ${words}; then delete the arrow (←).`];
  if (node.kind === 'scalar') return [];
  if (node.kind === 'list') return node.items.flatMap((item, index) => placeholdersIn(item, [...path, index], item.at));
  return [...node.entries].flatMap(([key, { keyAt, value }]) => placeholdersIn(value, [...path, key], keyAt));
}
