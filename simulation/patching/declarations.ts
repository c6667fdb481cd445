// Where a name of the program is declared, in whatever file that is.
import { type Node, type Tree, treeOf } from './syntax.ts';

/** The text of every file by its place from the root of the tree. */
export type Sources = ReadonlyMap<string, string>;

export interface Declaration {
  readonly file: string;
  readonly tree: Tree;
  readonly node: Node;
}

const NAMED = {
  rule: {
    any: [
      ...['function_declaration', 'generator_function_declaration', 'method_definition', 'variable_declarator'],
      ...['class_declaration', 'abstract_class_declaration'],
      ...['interface_declaration', 'type_alias_declaration', 'enum_declaration'],
    ].map((kind) => ({ kind })),
  },
};
const KEYWORDS = '(?:const|let|class|interface|type|enum)';
const FUNCTIONS: readonly string[] = ['arrow_function', 'function_expression', 'generator_function'];

/** All declarations of a name: of functions, methods, classes and types anywhere, of values at the top of a file. */
export function declarationsOf(sources: Sources, name: string): Declaration[] {
  const mayDeclare = new RegExp(String.raw`(?<![.$\w])${name}\s*[(<]|${KEYWORDS}\s+${name}(?![$\w])`);
  return [...sources].flatMap(([file, text]) => {
    // To parse every file takes seconds.
    if (!mayDeclare.test(text)) return [];
    const tree = treeOf(text);
    return tree.root
      .findAll(NAMED)
      .filter((node) => node.field('name')?.text() === name && !isLocalValue(node))
      .map((node) => ({ file, tree, node: statementOf(node) }));
  });
}

/** With its `const`, which a pattern of the whole statement begins with. */
const statementOf = (node: Node): Node => (node.kind() === 'variable_declarator' ? (node.parent() ?? node) : node);

function isLocalValue(node: Node): boolean {
  if (node.kind() !== 'variable_declarator') return false;
  const kind = String(node.field('value')?.kind());
  return !FUNCTIONS.includes(kind) && !isTopLevel(statementOf(node));
}

const isTopLevel = (node: Node): boolean => /^(?:program|export_statement)$/.test(String(node.parent()?.kind()));

/** Where the statement of the file begins that it is, or is a part of. */
export function outermostStart(node: Node): number {
  const outermost = [node, ...node.ancestors()].findLast((each) => each.kind() !== 'program') ?? node;
  return outermost.range().start.index;
}
