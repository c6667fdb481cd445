// The configuration as JSON Schema for editors: completion, descriptions on hover, a mark under each mistake.
import { strategyNames } from '../../../../strategies/index.ts';
import { configurationSchema } from '../configuration-schema.ts';
import { type Shape, shapeOf } from '../shape.ts';
import { knownStrategies } from '../strategy-params.ts';

/** JSON Schema of draft 2020-12, closed against unknown keys; `params` follow the strategy that is named. */
export async function editorSchema(): Promise<unknown> {
  const shape = closed(shapeOf(configurationSchema));
  const runs = shape.properties?.runs;
  const run = runs?.items;
  if (!runs || !run) return shape;
  const branches = (await knownStrategies()).map(({ name, shape: params }) => ({
    if: { properties: { strategy: { const: name } } },
    // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
    then: { properties: { params: closed(params) } },
  }));
  const strategy = { ...run.properties?.strategy, examples: await strategyNames() };
  const items = { ...run, properties: { ...run.properties, strategy }, allOf: branches };
  return { title: 'quotekeeper', ...shape, properties: { ...shape.properties, runs: { ...runs, items } } };
}

/** Unknown keys are errors everywhere, also where a schema of another part only drops them. */
function closed(shape: Shape): Shape {
  const { properties, items, anyOf, oneOf, additionalProperties, expects: _ours, ...rest } = shape;
  return {
    ...rest,
    ...(items ? { items: closed(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(closed) } : {}),
    ...(oneOf ? { oneOf: oneOf.map(closed) } : {}),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: closed(additionalProperties) } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, closed(value)])),
          additionalProperties: false,
        }
      : {}),
  };
}
