// Puts a recorded mutant into the sources: by the declarations that its patches name and by syntax, so that neither
// formatting nor the file that something is in matters. What does not fit exactly once is refused with a sentence.
import type { Mutant, Patch } from '../mutants/mutant-row.ts';
import { type Declaration, declarationsOf, outermostStart, type Sources } from './declarations.ts';
import { unknownNames } from './names.ts';
import { filled, type Match, matchesOf, metavariablesOf } from './pattern.ts';
import { isFaulty, lineOf, type Node, treeOf } from './syntax.ts';

/** A file with the mutant in it. */
export interface Mutated {
  /** From the root of the tree. */
  readonly file: string;
  readonly source: string;
}

type Patched = Pick<Mutant, 'id' | 'patches'>;

/** The files that a mutant changes; its patches are made one after the other. Throws where one does not fit. */
export function patchSources(sources: Sources, { id, patches }: Patched): Mutated[] {
  const now = new Map(sources);
  const changed = new Set<string>();
  for (const patch of patches) {
    const declaration = declarationOf(now, id, patch);
    const { file, tree } = declaration;
    const source = 'before' in patch ? withBefore(declaration, patch.before) : withPut(declaration, id, patch);
    if (isFaulty(treeOf(source)) && !isFaulty(tree))
      throw new Error(`With ${id} in ${patch.in} (${file}) that is no TypeScript any more: ${written(patch)}`);
    now.set(file, source);
    changed.add(file);
  }
  return [...changed].map((file) => {
    const source = now.get(file) ?? '';
    const unknown = unknownNames(sources.get(file) ?? '', source);
    if (unknown.length > 0) throw new Error(`With ${id} in it ${file} knows no ${unknown.join(', ')}.`);
    return { file, source };
  });
}

const written = (patch: Patch): string => ('before' in patch ? patch.before : patch.put);

function declarationOf(sources: Sources, id: string, { in: name, beside }: Patch): Declaration {
  const within = beside === undefined ? sources : filesThatDeclare(sources, beside);
  const all = declarationsOf(within, name);
  const [first, ...others] = all;
  const wanted = `${id} looks for ${name}${beside === undefined ? '' : ` beside ${beside}`}`;
  if (first === undefined) throw new Error(`${wanted}, which nothing in src declares.`);
  if (others.length > 0)
    throw new Error(`${wanted}, which is declared ${all.length} times: ${all.map(placeOf).join(', ')}.`);
  return first;
}

function filesThatDeclare(sources: Sources, name: string): Sources {
  const files = new Set(declarationsOf(sources, name).map(({ file }) => file));
  return new Map([...sources].filter(([file]) => files.has(file)));
}

const placeOf = ({ file, node }: Declaration): string => `${file}:${lineOf(node)}`;

function withBefore({ tree: { text }, node }: Declaration, before: string): string {
  const start = outermostStart(node);
  return `${text.slice(0, start)}${before}\n${text.slice(start)}`;
}

function withPut(declaration: Declaration, id: string, patch: Extract<Patch, { find: string }>): string {
  const { file, node, tree } = declaration;
  const { find, put, in: name } = patch;
  const where = `${id} in ${name} (${placeOf(declaration)})`;
  const matches = matchesOf(node, find);
  if (matches === null) throw new Error(`${where}: the pattern is no single piece of TypeScript: ${find}`);
  const known = metavariablesOf(find);
  const unknown = [...metavariablesOf(put)].filter((each) => !known.has(each));
  if (unknown.length > 0) throw new Error(`${where}: ${unknown.join(', ')} is put and not found: ${find}`);
  const [match, ...others] = matches;
  if (match === undefined) throw new Error(`${where}: the pattern matches nothing there: ${find}`);
  if (others.length > 0) {
    const places = matches.map((each) => `${file}:${lineOf(each.node)}`).join(', ');
    throw new Error(`${where}: the pattern matches ${matches.length} times, ${places}: ${find}`);
  }
  return withMatch(tree.text, match, put);
}

function withMatch(text: string, { node, captured }: Match, put: string): string {
  const [start, end] = [node.range().start.index, node.range().end.index];
  const replaced = filled(put, (name) => textOf(text, captured.get(name) ?? []));
  // What was a whole statement may be followed by one that begins with a bracket.
  const semicolon = text.slice(start, end).endsWith(';') && !replaced.endsWith(';') ? ';' : '';
  return text.slice(0, start) + replaced + semicolon + text.slice(end);
}

function textOf(text: string, nodes: readonly Node[]): string {
  const [first, last] = [nodes.at(0), nodes.at(-1)];
  return first && last ? text.slice(first.range().start.index, last.range().end.index) : '';
}
