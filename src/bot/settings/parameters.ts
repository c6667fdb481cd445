// A run as one text for each dotted path, as a person writes it: what revisions compare and `set` names.
import { Decimal, plain } from '../../domain/decimal.ts';
import type { Parameters } from '../../trader/durable/revision.ts';
import { type CostsSection, configurationSchema, type RunSection } from './configuration-schema.ts';
import { type Shape, shapeOf } from './shape.ts';

/** `params` are those that the strategy's schema made of what is written; costs are the run's own, or all runs'. */
export function parametersOf(run: RunSection, params: unknown, common: CostsSection): Parameters {
  return Object.fromEntries(leaves({ ...run, params, costs: ownCosts(run.costs, common) }, RUN, ''));
}

/** Those of a run: its own where it has some, else those of all runs. */
export const ownCosts = (own: RunSection['costs'] | undefined, common: CostsSection): CostsSection => {
  const set = Object.entries(own ?? {}).filter(([, value]) => value !== undefined);
  return { ...common, ...Object.fromEntries(set) };
};

const RUN: Shape = shapeOf(configurationSchema).properties?.runs?.items ?? {};

/** Of sections with a shape the keys that a person may write. */
function leaves(value: unknown, { properties }: Shape, path: string): [path: string, text: string][] {
  if (value === undefined) return [];
  if (!isSection(value)) return [[path, textOf(value)]];
  return Object.entries(value)
    .filter(([key]) => properties === undefined || Object.hasOwn(properties, key))
    .flatMap(([key, each]) => leaves(each, properties?.[key] ?? {}, path === '' ? key : `${path}.${key}`));
}

const isSection = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Lists as JSON: they change as a whole. */
function textOf(value: unknown): string {
  if (value instanceof Decimal) return plain(value);
  return typeof value === 'string' ? value : JSON.stringify(value, (_key, each) => each as unknown);
}
