// TypeScript as a tree, for patches that must not care how a source is written down. The library is a binary: only what
// puts mutants in or tests them may load this file.
import { Lang, parse, type SgNode } from '@ast-grep/napi';

export type Node = SgNode;

export interface Tree {
  /** As it was written. */
  readonly text: string;
  /** Has no comments; its positions are those of the text. */
  readonly root: Node;
}

/** A comment may stand between any two tokens, and would be a node there that no pattern has. */
export function treeOf(text: string): Tree {
  const root = parse(Lang.TypeScript, text).root();
  const comments = root.findAll({ rule: { kind: 'comment' } });
  if (comments.length === 0) return { text, root };
  let blanked = '';
  let from = 0;
  for (const { start, end } of comments.map((comment) => comment.range())) {
    blanked += text.slice(from, start.index) + text.slice(start.index, end.index).replace(/[^\n]/g, ' ');
    from = end.index;
  }
  return { text, root: parse(Lang.TypeScript, blanked + text.slice(from)).root() };
}

export const lineOf = (node: Node): number => node.range().start.line + 1;

/** The pieces that a formatter moves about and never changes, in their order. */
export function leavesOf(node: Node): Node[] {
  const children = node.children();
  return children.length === 0 ? [node] : children.flatMap(leavesOf);
}

/** Tokens without those that may be written or not: semicolons, and a comma at the end of a list. */
export function withoutTrailing(tokens: readonly string[]): string[] {
  const kept = tokens.filter((token) => token !== ';');
  return kept.filter((token, index) => token !== ',' || !/^[)\]}>]$/.test(kept[index + 1] ?? ''));
}

/** Whether the parser had to skip something, or to make up a token that is not there. */
export const isFaulty = ({ root }: Tree): boolean =>
  root.find({ rule: { any: [{ kind: 'ERROR' }, { regex: '^$' }] } }) !== null;
