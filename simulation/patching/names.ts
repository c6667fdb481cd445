// Names that a mutant uses and that mean nothing where it is put: the program would throw there, and a test that fails
// for that says nothing of what the mutant is about.
import { type Tree, treeOf } from './syntax.ts';

const USED = { rule: { any: [{ kind: 'identifier' }, { kind: 'shorthand_property_identifier' }] } };
const BOUND = {
  rule: {
    any: [
      { kind: 'shorthand_property_identifier_pattern' },
      { kind: 'identifier', inside: { kind: 'array_pattern' } },
      ...[
        { kind: 'variable_declarator', field: 'name' },
        { kind: 'function_declaration', field: 'name' },
        { kind: 'required_parameter', field: 'pattern' },
        { kind: 'arrow_function', field: 'parameter' },
        { kind: 'for_in_statement', field: 'left' },
      ].map((inside) => ({ kind: 'identifier', inside })),
    ],
  },
};

const textsOf = ({ root }: Tree, matched: typeof USED | typeof BOUND): Set<string> =>
  new Set(root.findAll(matched).map((node) => node.text()));

/**
 * Of what a mutant adds to a source: names that neither the source nor the language has, and that it does not declare.
 */
export function unknownNames(source: string, mutated: string): string[] {
  const [before, after] = [treeOf(source), treeOf(mutated)];
  const known = textsOf(before, USED);
  const declared = textsOf(after, BOUND);
  return [...textsOf(after, USED)].filter((name) => !known.has(name) && !declared.has(name) && !(name in globalThis));
}
