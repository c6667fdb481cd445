// The expectations of a schema, read from its JSON form: used to convert each value of the file, to find unknown keys,
// and to describe in words what belongs where.
import { z } from 'zod';
import type { Unit } from '../../quoting/amount.ts';
import type { Complaint, Located, Path } from './located.ts';
import { pathText } from './located.ts';

/** The part of JSON Schema that zod generates for our schemas. `expects` and `unit` are our own. */
export interface Shape {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Shape;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
  readonly const?: string | number | boolean | null;
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly default?: unknown;
  readonly description?: string;
  readonly expects?: string;
  readonly unit?: Unit | undefined;
}

/** Making one takes up to 50 ms, and a start needs that of the configuration twice. */
const shapes = new WeakMap<z.ZodType, Shape>();

/** The input of `schema`, before its defaults and transformations. */
export function shapeOf(schema: z.ZodType): Shape {
  const shape = shapes.get(schema) ?? readShape(schema);
  shapes.set(schema, shape);
  return shape;
}

const readShape = (schema: z.ZodType): Shape =>
  // zod's type of a JSON schema is wider than its output.
  z.toJSONSchema(schema, {
    ...{ io: 'input', unrepresentable: 'any', reused: 'inline' },
    // In our schemas, text with a transformation is always an amount, so numbers are accepted as well.
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      if (def.type !== 'pipe' || def.in._zod.def.type !== 'string' || def.out._zod.def.type !== 'transform') return;
      Object.assign(jsonSchema, { type: ['number', 'string'] });
    },
  }) as Shape;

/** All possible shapes of a value, with unions flattened. */
export function branchesOf(shape: Shape): readonly Shape[] {
  const union = shape.oneOf ?? shape.anyOf;
  return union ? union.flatMap(branchesOf) : [shape];
}

/**
 * The branch that a section with these entries means: identified by its constant (`kind: walk`), otherwise by its keys.
 */
function branchFor(shape: Shape, entries: ReadonlyMap<string, { readonly value: Located }>): Shape {
  const branches = branchesOf(shape).filter((branch) => branch.properties ?? branch.additionalProperties);
  const named = branches.find((branch) =>
    Object.entries(branch.properties ?? {}).some(([key, property]) => {
      const value = entries.get(key)?.value;
      return property.const !== undefined && value?.kind === 'scalar' && value.value === property.const;
    }),
  );
  const fitting = branches.find((branch) =>
    [...entries.keys()].every((key) => Object.hasOwn(branch.properties ?? {}, key)),
  );
  return named ?? fitting ?? branches[0] ?? {};
}

const typesOf = (shape: Shape): readonly string[] =>
  branchesOf(shape).flatMap((branch) => (typeof branch.type === 'string' ? [branch.type] : (branch.type ?? [])));

const itemsOf = (shape: Shape): Shape | undefined => branchesOf(shape).find((branch) => branch.items)?.items;

/**
 * The plain value of `root` for `shape`, and a complaint with suggestions about each key that no branch of it has. If
 * text is accepted, a number is passed as its original digits, so that no amount ever becomes a float.
 */
export function plainValue(root: Located, shape: Shape, base: Path) {
  const unknown: Complaint[] = [];
  const read = (node: Located, expected: Shape, path: Path): unknown => {
    if (node.kind === 'scalar')
      return typeof node.value === 'number' && typesOf(expected).includes('string') ? node.source : node.value;
    if (node.kind === 'list')
      return node.items.map((item, index) => read(item, itemsOf(expected) ?? {}, [...path, index]));
    const branch = branchFor(expected, node.entries);
    const entries = [...node.entries].map(([key, { keyAt, value }]) => {
      const property = propertyShape(branch, key);
      const at = [...path, key];
      if (!property && branch.properties) {
        const allowed = Object.keys(branch.properties).join(', ');
        const names = value.kind === 'map' ? [key, ...value.entries.keys()] : [key];
        const sentence = `${pathText(at)}: unknown key; allowed keys: ${allowed}.${elsewhere(names, pathsOf(shape))}`;
        unknown.push({ at: keyAt, sentence });
      }
      return [key, read(value, property ?? {}, at)];
    });
    return Object.fromEntries(entries);
  };
  return { value: read(root, shape, base), unknown };
}

function propertyShape(branch: Shape, key: string): Shape | undefined {
  const { properties = {}, additionalProperties: rest } = branch;
  // `constructor` is a key of every object, and of no schema.
  const own = Object.hasOwn(properties, key) ? properties[key] : undefined;
  return own ?? (typeof rest === 'object' ? rest : undefined);
}

/** The shape at `path`, following the values in `node` if a union must be decided. */
export function shapeAt(shape: Shape, node: Located | undefined, path: Path): Shape {
  const [step, ...rest] = path;
  if (step === undefined) return shape;
  if (typeof step === 'number') {
    const item = node?.kind === 'list' ? node.items[step] : undefined;
    return shapeAt(itemsOf(shape) ?? {}, item, rest);
  }
  const entries = node?.kind === 'map' ? node.entries : new Map<string, { value: Located }>();
  return shapeAt(propertyShape(branchFor(shape, entries), step) ?? {}, entries.get(step)?.value, rest);
}

/** A key in the wrong section may belong to another. A name that many sections have is no help. */
function elsewhere(names: readonly string[], known: readonly string[]): string {
  const places = known.filter((place) => names.includes(place.split('.').at(-1) ?? ''));
  return places.length === 0 || places.length > 3 ? '' : ` There is ${places.join(', ')}.`;
}

/** Paths of all options: `advanced.bookMs`. */
function pathsOf(shape: Shape, at = ''): readonly string[] {
  const properties = branchesOf(shape).flatMap((branch) => Object.entries((branch.items ?? branch).properties ?? {}));
  const paths = properties.flatMap(([key, each]) => [`${at}${key}`, ...pathsOf(each, `${at}${key}.`)]);
  return [...new Set(paths)];
}

/** Used if a schema has no description. */
export const VAGUE = 'another value';

/** What belongs there, for the end of a sentence: `a number ≥ 0`, `one of paper, live`, `a list`. */
export function expectationOf(shape: Shape): string {
  if (shape.expects !== undefined) return shape.expects;
  const union = shape.oneOf ?? shape.anyOf;
  if (union) return [...new Set(union.map(expectationOf))].join(' or ');
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum) return `one of ${shape.enum.join(', ')}`;
  switch (typeof shape.type === 'string' ? shape.type : shape.type?.[0]) {
    case 'number':
      return `a number${rangeOf(shape)}`;
    case 'integer':
      return `a whole number${rangeOf(shape)}`;
    case 'boolean':
      return 'true or false';
    case 'string':
      return 'text';
    case 'array':
      return (shape.minItems ?? 0) > 0 ? `a list of at least ${shape.minItems}` : 'a list';
    case 'object':
      return 'a section';
    case 'null':
      return 'nothing';
    default:
      return VAGUE;
  }
}

function rangeOf(shape: Shape): string {
  const low = shape.exclusiveMinimum !== undefined ? ` > ${shape.exclusiveMinimum}` : lowest(shape.minimum);
  const high = shape.exclusiveMaximum !== undefined ? ` < ${shape.exclusiveMaximum}` : highest(shape.maximum);
  return low && high ? `${low} and${high}` : `${low}${high}`;
}

// zod writes the bounds of safe integers on every whole number: they mean nothing to a reader.
const lowest = (bound: number | undefined): string =>
  bound === undefined || bound <= Number.MIN_SAFE_INTEGER ? '' : ` ≥ ${bound}`;
const highest = (bound: number | undefined): string =>
  bound === undefined || bound >= Number.MAX_SAFE_INTEGER ? '' : ` ≤ ${bound}`;
