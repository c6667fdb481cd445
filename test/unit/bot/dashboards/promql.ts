// Metrics and labels in an expression, parsed without a Prometheus: finds nonexistent ones, which Prometheus answers
// with nothing.
import { parser } from '@prometheus-io/lezer-promql';

/** A metric's name → its labels. */
export type Catalogue = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The labels that its series may have: those of all its metrics, and those it creates. Throws a sentence about a name
 * that is not in the catalogue.
 */
export function labelsOf(expr: string, catalogue: Catalogue): ReadonlySet<string> {
  const has = new Set<string>();
  const asked: string[] = [];
  const text = ({ from, to }: { from: number; to: number }): string => expr.slice(from, to);
  parser.parse(expr).iterate({
    enter: ({ type, from, node }) => {
      if (type.isError) throw new Error(`No PromQL at ${from}: ${expr}`);
      if (type.name === 'VectorSelector') {
        const name = text(node.getChild('Identifier') ?? node);
        const labels = catalogue.get(name);
        if (labels === undefined) throw new Error(`There is no metric ${name}: ${expr}`);
        for (const label of labels) has.add(label);
        for (const matcher of node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []) {
          const label = text(matcher.getChild('LabelName') ?? matcher);
          if (!labels.has(label)) throw new Error(`${name} has no label ${label}: ${expr}`);
        }
      }
      if (type.name === 'GroupingLabels') asked.push(...node.getChildren('LabelName').map(text));
    },
  });
  for (const [, made = ''] of expr.matchAll(/label_replace\(.+?, "(\w+)"/g)) has.add(made);
  const missing = asked.filter((label) => !has.has(label));
  if (missing.length > 0) throw new Error(`No series has the label ${missing.join(', ')}: ${expr}`);
  return has;
}
