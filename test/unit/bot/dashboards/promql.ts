// Which labels the series of an expression have, without a Prometheus: finds metrics that are not there and labels that
// a metric has not, which Prometheus answers with nothing.
import { parser } from '@prometheus-io/lezer-promql';

/** A metric's name → its labels. */
export type Catalogue = ReadonlyMap<string, ReadonlySet<string>>;

export interface Labels {
  /** What every series has. */
  readonly has: ReadonlySet<string>;
  /** What may tell two of them apart: all but those that a matcher pins. */
  readonly varies: ReadonlySet<string>;
  /** A number, not a vector. */
  readonly isScalar: boolean;
}

type Node = ReturnType<typeof parser.parse>['topNode'];

const SCALAR: Labels = { has: new Set(), varies: new Set(), isScalar: true };
const vector = (has: Iterable<string>, varies: Iterable<string> = has): Labels => ({
  has: new Set(has),
  varies: new Set(varies),
  isScalar: false,
});

/** Throws a sentence about what is wrong with the expression. */
export function labelsOf(expr: string, catalogue: Catalogue): Labels {
  const tree = parser.parse(expr);
  tree.iterate({
    enter: ({ type, from }) => {
      if (type.isError) throw new Error(`No PromQL at ${from}: ${expr}`);
    },
  });
  return new Reader(expr, catalogue).read(only(tree.topNode));
}

class Reader {
  readonly #expr: string;
  readonly #catalogue: Catalogue;

  constructor(expr: string, catalogue: Catalogue) {
    this.#expr = expr;
    this.#catalogue = catalogue;
  }

  read(node: Node): Labels {
    switch (node.name) {
      case 'VectorSelector':
        return this.#selector(node);
      case 'MatrixSelector':
      case 'ParenExpr':
      case 'OffsetExpr':
        return this.read(first(node));
      case 'NumberDurationLiteral':
        return SCALAR;
      case 'FunctionCall':
        return this.#call(node);
      case 'AggregateExpr':
        return this.#aggregate(node);
      case 'BinaryExpr':
        return this.#binary(node);
      default:
        return this.#fail(`${node.name} is not expected here`);
    }
  }

  #selector(node: Node): Labels {
    const name = this.#text(must(node.getChild('Identifier')));
    const labels = this.#catalogue.get(name);
    if (labels === undefined) return this.#fail(`there is no metric ${name}`);
    const pinned = new Set<string>();
    for (const matcher of node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []) {
      const label = this.#text(must(matcher.getChild('LabelName')));
      if (!labels.has(label)) this.#fail(`${name} has no label ${label}`);
      if (this.#text(must(matcher.getChild('MatchOp'))) === '=') pinned.add(label);
    }
    return vector(
      labels,
      [...labels].filter((label) => !pinned.has(label)),
    );
  }

  #call(node: Node): Labels {
    const name = this.#text(must(node.getChild('FunctionIdentifier')));
    const given = children(must(node.getChild('FunctionCallBody')));
    const vectors = given.filter((each) => each.name !== 'StringLiteral').map((each) => this.read(each));
    const argument = vectors.find(({ isScalar }) => !isScalar);
    switch (name) {
      case 'time':
        return SCALAR;
      case 'histogram_quantile':
        if (argument?.has.has('le') !== true) return this.#fail('histogram_quantile needs le');
        return vector(without(argument.has, ['le']), without(argument.varies, ['le']));
      case 'label_replace': {
        const [made = '', , from = ''] = given.slice(1).map((each) => this.#text(each).slice(1, -1));
        if (argument?.has.has(from) !== true) return this.#fail(`label_replace finds no label ${from}`);
        return vector([...argument.has, made], [...argument.varies, made]);
      }
      case 'absent':
        return vector(argument?.has ?? [], []);
      default:
        return argument ?? this.#fail(`${name} has no vector`);
    }
  }

  #aggregate(node: Node): Labels {
    const argument = this.read(must(children(must(node.getChild('FunctionCallBody'))).at(-1)));
    const modifier = node.getChild('AggregateModifier');
    if (modifier === null) return vector([]);
    const labels = this.#grouping(must(modifier.getChild('GroupingLabels')));
    this.#mustHave(labels, argument);
    if (modifier.getChild('Without') !== null)
      return vector(without(argument.has, labels), without(argument.varies, labels));
    return vector(
      labels,
      labels.filter((label) => argument.varies.has(label)),
    );
  }

  #binary(node: Node): Labels {
    const all = children(node);
    const [left, right] = [this.read(must(all[0])), this.read(must(all.at(-1)))];
    if (left.isScalar || right.isScalar) return left.isScalar ? right : left;
    const modifier = node.getChild('MatchingModifierClause');
    const operator = must(all[1]).name;
    if (operator === 'Or') return vector(common(left.has, right.has), [...left.varies, ...right.varies]);
    const groupings = modifier?.getChildren('GroupingLabels') ?? [];
    const [labels = [], added = []] = groupings.map((each) => this.#grouping(each));
    if (modifier === null) {
      const differ = [...left.has, ...right.has].filter((label) => !left.has.has(label) || !right.has.has(label));
      if (differ.length > 0) this.#fail(`${differ.join(', ')} is on one side of ${operator} only`);
      return vector(left.has, common(left.varies, right.varies));
    }
    const isOn = modifier.getChild('On') !== null;
    const matched = isOn ? labels : [...without(left.has, labels)];
    this.#mustHave(matched, left);
    this.#mustHave(matched, right);
    if (operator === 'And' || operator === 'Unless') return left;
    if (modifier.getChild('GroupLeft') === null)
      return vector(matched, common(common(left.varies, right.varies), matched));
    this.#mustHave(added, right);
    return vector([...left.has, ...added], [...left.varies, ...added.filter((label) => right.varies.has(label))]);
  }

  #mustHave(labels: readonly string[], { has }: Labels): void {
    const missing = labels.filter((label) => !has.has(label));
    if (missing.length > 0) this.#fail(`what is grouped or matched by ${missing.join(', ')} has no such label`);
  }

  #grouping(node: Node): string[] {
    return node.getChildren('LabelName').map((label) => this.#text(label));
  }

  #text({ from, to }: Node): string {
    return this.#expr.slice(from, to);
  }

  #fail(why: string): never {
    throw new Error(`${why}: ${this.#expr}`);
  }
}

const without = (from: ReadonlySet<string>, labels: readonly string[]): string[] =>
  [...from].filter((label) => !labels.includes(label));

const common = (a: Iterable<string>, b: Iterable<string>): string[] => {
  const other = new Set(b);
  return [...a].filter((label) => other.has(label));
};

function children(node: Node): Node[] {
  const found: Node[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) found.push(child);
  return found;
}

function must(node: Node | null | undefined): Node {
  if (node === null || node === undefined) throw new Error('The grammar of PromQL is not what was expected.');
  return node;
}

const first = (node: Node): Node => must(node.firstChild);
const only = first;
