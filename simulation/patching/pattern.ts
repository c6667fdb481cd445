// Matches of a pattern in a tree. ast-grep finds them and their metavariables, looking at named nodes alone: commas and
// semicolons make no difference then, nor do operators. So what it finds must also be the pattern token by token.
import { isFaulty, leavesOf, type Node, treeOf, withoutTrailing } from './syntax.ts';

export interface Match {
  readonly node: Node;
  /** What stands for each metavariable, by its whole name: `$A`, `$$$REST`. */
  readonly captured: ReadonlyMap<string, readonly Node[]>;
}

const METAVARIABLE = /\$\$\$[A-Z][A-Z0-9_]*|\$[A-Z][A-Z0-9_]*/g;
/** `name: value` alone would be a label, which nobody writes. */
const PROPERTY = /^\s*[$\w]+\s*:/;

export const metavariablesOf = (text: string): Set<string> => new Set(text.match(METAVARIABLE));

/** Text with each metavariable replaced by what `by` says. */
export const filled = (text: string, by: (name: string) => string): string => text.replace(METAVARIABLE, by);

/** A statement is looked for without the semicolon at its end, which its source may lack. */
const SEMICOLON = /;\s*$/;

/** Null for a pattern that is no piece of TypeScript, or more than one. */
export function matchesOf(within: Node, pattern: string): Match[] | null {
  const isProperty = PROPERTY.test(pattern);
  const tree = treeOf(isProperty ? `({ ${pattern} })` : pattern.replace(SEMICOLON, ''));
  if (isFaulty(tree) || tree.root.children().length !== 1) return null;
  const piece = isProperty ? tree.root.find({ rule: { kind: 'pair' } }) : tree.root;
  if (piece === null) return null;
  const wanted = textsOf(piece);
  const names = metavariablesOf(pattern);
  const selector = isProperty ? { selector: 'pair' } : {};
  const rule = { pattern: { context: tree.text, strictness: 'relaxed' as const, ...selector } };
  return within.findAll({ rule }).flatMap((node) => {
    const captured = new Map([...names].map((name) => [name, capturedBy(node, name)]));
    const said = wanted.flatMap((token) => captured.get(token)?.flatMap(textsOf) ?? token);
    return isSame(withoutTrailing(said), withoutTrailing(textsOf(node))) ? [{ node, captured }] : [];
  });
}

const textsOf = (node: Node): string[] => leavesOf(node).map((leaf) => leaf.text());

function capturedBy(node: Node, name: string): readonly Node[] {
  if (!name.startsWith('$$$')) return [node.getMatch(name.slice(1))].filter((each) => each !== null);
  const nodes = node.getMultipleMatches(name.slice(3));
  // The comma after the last one belongs to the list.
  return nodes.at(-1)?.text() === ',' ? nodes.slice(0, -1) : nodes;
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((token, index) => token === b[index]);
