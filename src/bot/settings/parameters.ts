// A run as one text per dotted path, as a person writes it: compared between revisions, and named in `set`.
import path from 'node:path';
import { loadStrategy, strategyNames } from '../../../strategies/index.ts';
import { Decimal, plain } from '../../domain/decimal.ts';
import type { Strategy } from '../../quoting/strategy.ts';
import type { Parameters } from '../../trader/durable/revision.ts';
import { parsed } from './complain.ts';
import { type CostsSection, configurationSchema, type RunSection } from './configuration-schema.ts';
import { type Complaint, type Located, type Path, pathText, placeAt, valueAt } from './located.ts';
import { branchesOf, expectationOf, type Shape, shapeOf } from './shape.ts';

/** `params` as parsed by the strategy's schema; costs are the run's own, or the common ones. */
export function parametersOf(run: RunSection, params: unknown, common: CostsSection): Parameters {
  return Object.fromEntries(leaves({ ...run, params, costs: ownCosts(run.costs, common) }, RUN, ''));
}

/** The costs of a run: its own if set, else the common ones. */
export const ownCosts = (own: RunSection['costs'] | undefined, common: CostsSection): CostsSection => {
  const set = Object.entries(own ?? {}).filter(([, value]) => value !== undefined);
  return { ...common, ...Object.fromEntries(set) };
};

const ROOT: Shape = shapeOf(configurationSchema);
const ITEM: Shape = ROOT.properties?.runs?.items ?? {};
/** Includes all costs, because the account's are parameters of each run as well. */
const RUN: Shape = {
  ...ITEM,
  properties: { ...ITEM.properties, ...(ROOT.properties?.costs && { costs: ROOT.properties.costs }) },
};

/** For sections with a shape, only the keys that a person may write. */
function leaves(value: unknown, { properties }: Shape, path: string): [path: string, text: string][] {
  if (value === undefined) return [];
  if (!isSection(value)) return [[path, textOf(value)]];
  return Object.entries(value)
    .filter(([key]) => properties === undefined || Object.hasOwn(properties, key))
    .flatMap(([key, each]) => leaves(each, properties?.[key] ?? {}, path === '' ? key : `${path}.${key}`));
}

const isSection = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Lists become JSON: they change as a whole. */
function textOf(value: unknown): string {
  if (value instanceof Decimal) return plain(value);
  return typeof value === 'string' ? value : JSON.stringify(value, (_key, each) => each as unknown);
}

// What may be written at each path: for a person who changes one.

/** A path that a run may have, with what its schema says of it. */
export interface WrittenParameter {
  readonly path: string;
  /** As its schema declares it; empty if it has none, or its description says it. */
  readonly unit: string;
  /** For the end of a sentence: `a number ≥ 0 and ≤ 100`. */
  readonly expects: string;
  /** The possible values, if they are few. */
  readonly options: readonly string[];
  readonly description: string;
}

/** The paths of a run with this strategy, in the order of the schema. */
export function writtenParameters({ params }: Pick<Strategy, 'params'>, assets: Assets): readonly WrittenParameter[] {
  return written({ ...RUN, properties: { ...RUN.properties, params: shapeOf(params) } }, '', assets);
}

type Assets = Readonly<Record<'base' | 'quote', string>>;

function written(shape: Shape, path: string, assets: Assets): readonly WrittenParameter[] {
  const sections = [...branchesOf(shape), ...(shape.allOf ?? [])].flatMap((each) =>
    Object.entries(each.properties ?? {}),
  );
  if (sections.length > 0) {
    const below = sections.flatMap(([key, each]) => written(each, path === '' ? key : `${path}.${key}`, assets));
    return [...new Map(below.map((each) => [each.path, each])).values()];
  }
  const { description = '', default: usual } = shape;
  const options = branchesOf(shape).flatMap(({ type, enum: values = [], const: only }) => [
    ...(type === 'boolean' ? ['true', 'false'] : values.map(String)),
    ...(only === undefined ? [] : [String(only)]),
  ]);
  const without = usual === undefined ? '' : `; ${JSON.stringify(usual)} if left out`;
  const expects = `${expectationOf(shape)}${without}`;
  const unit = shape.unit ?? shape.items?.unit ?? '';
  return [{ path, unit: unit === 'base' || unit === 'quote' ? assets[unit] : unit, expects, options, description }];
}

// The parameters of each run, checked by the strategy's own schema as if it were part of the configuration's.

export interface LoadedStrategy {
  readonly strategy: Strategy;
  readonly params: unknown;
}

/**
 * One entry per run of the tree whose strategy and parameters are valid, and complaints about the others. Custom
 * strategies are in the project's `strategies/` folder.
 */
export async function loadStrategies(
  root: Located,
  projectRoot: string,
): Promise<{ loaded: readonly LoadedStrategy[]; complaints: readonly Complaint[] }> {
  const runs = valueAt(root, ['runs']);
  const count = runs?.kind === 'list' ? runs.items.length : 0;
  const ownFolder = path.join(projectRoot, 'strategies');
  const results = await Promise.all(Array.from({ length: count }, (_, index) => loadOne(root, index, ownFolder)));
  return {
    loaded: results.flatMap((result) => ('strategy' in result ? [result] : [])),
    complaints: results.flatMap((result) => ('strategy' in result ? [] : result)),
  };
}

async function loadOne(
  root: Located,
  index: number,
  ownFolder: string,
): Promise<LoadedStrategy | readonly Complaint[]> {
  const at: Path = ['runs', index, 'strategy'];
  const name = valueAt(root, at);
  // The configuration's schema complains about a missing name.
  if (name?.kind !== 'scalar' || typeof name.value !== 'string' || name.value === '') return [];
  const result = await loadStrategy(name.value, ownFolder);
  if (!result.ok) return [{ at: placeAt(root, at), sentence: `${pathText(at)}: ${result.error}` }];
  return checkParams(result.value, root, index);
}

function checkParams(strategy: Strategy, root: Located, index: number): LoadedStrategy | readonly Complaint[] {
  const base: Path = ['runs', index, 'params'];
  const { at } = valueAt(root, ['runs', index]) ?? root;
  const written = valueAt(root, base) ?? { kind: 'map', at, entries: new Map() };
  const { data, complaints } = parsed(strategy.params, written, base);
  return complaints.length > 0 ? complaints : { strategy, params: data };
}

/**
 * The strategies in strategies/ with the shapes of their parameters, by name; leaves out those that can't be loaded.
 */
export async function knownStrategies(): Promise<readonly { readonly name: string; readonly shape: Shape }[]> {
  const loaded = await Promise.all(
    (await strategyNames()).map(async (name) => ({ name, result: await loadStrategy(name) })),
  );
  return loaded.flatMap(({ name, result }) => (result.ok ? [{ name, shape: shapeOf(result.value.params) }] : []));
}
