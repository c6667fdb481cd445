// The structure of an OpenAPI 3.1 document as JSON Schema, written from the specification's tables of fixed fields: the
// parts that ours uses. A field that the specification does not know is an error, unless it begins with `x-`.

type Json = Readonly<Record<string, unknown>>;

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const use = (name: string): Json => ({ $ref: `#/$defs/${name}` });
const list = (items: Json): Json => ({ type: 'array', items });
const map = (values: Json): Json => ({ type: 'object', additionalProperties: values });

/** An object with these fields, of which those behind `required` must be there, and its own `x-` fields. */
const fixed = (required: readonly string[], properties: Json): Json => ({
  type: 'object',
  required,
  properties,
  patternProperties: { '^x-': {} },
  additionalProperties: false,
});
const orReference = (target: Json): Json => ({
  if: { type: 'object', required: ['$ref'] },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
  then: { properties: { $ref: text, summary: text, description: text }, additionalProperties: false },
  else: target,
});
/** Names of components must fit into a reference. */
const components = (target: Json): Json => ({
  type: 'object',
  propertyNames: { pattern: '^[a-zA-Z0-9._-]+$' },
  additionalProperties: target,
});

const value = { schema: use('schema'), example: {}, examples: map(orReference(use('example'))) };

const DEFINITIONS: Json = {
  // Its inside is for the validator of JSON Schema.
  schema: { type: ['object', 'boolean'] },
  server: fixed(['url'], { url: text, description: text, variables: map(use('serverVariable')) }),
  serverVariable: fixed(['default'], { default: text, description: text, enum: list(text) }),
  tag: fixed(['name'], { name: text, description: text }),
  pathItem: fixed([], {
    servers: list(use('server')),
    parameters: list(orReference(use('parameter'))),
    get: use('operation'),
    post: use('operation'),
  }),
  operation: fixed(['operationId', 'responses'], {
    operationId: text,
    summary: text,
    description: text,
    tags: list(text),
    parameters: list(orReference(use('parameter'))),
    requestBody: orReference(use('requestBody')),
    responses: {
      type: 'object',
      minProperties: 1,
      propertyNames: { pattern: '^([1-5][0-9]{2}|[1-5]XX|default)$' },
      additionalProperties: orReference(use('response')),
    },
    deprecated: flag,
    security: list(map(list(text))),
  }),
  parameter: {
    ...fixed(['name', 'in', 'schema'], {
      name: text,
      in: { enum: ['query', 'header', 'path', 'cookie'] },
      description: text,
      required: flag,
      ...value,
    }),
    not: { required: ['example', 'examples'] },
  },
  header: fixed(['schema'], { description: text, required: flag, ...value }),
  requestBody: fixed(['content'], { description: text, required: flag, content: use('content') }),
  response: fixed(['description'], {
    description: text,
    headers: map(orReference(use('header'))),
    content: use('content'),
  }),
  content: { type: 'object', propertyNames: { pattern: '^[a-z]+/[a-z+.-]+$' }, additionalProperties: use('mediaType') },
  mediaType: { ...fixed([], value), not: { required: ['example', 'examples'] } },
  example: fixed(['value'], { summary: text, description: text, value: {} }),
  securityScheme: fixed(['type', 'in', 'name'], {
    type: { const: 'apiKey' },
    in: { enum: ['query', 'header', 'cookie'] },
    name: text,
    description: text,
  }),
};

export const OPENAPI_STRUCTURE: Json = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $defs: DEFINITIONS,
  ...fixed(['openapi', 'info', 'paths'], {
    openapi: { type: 'string', pattern: '^3\\.1\\.[0-9]+$' },
    info: fixed(['title', 'version'], { title: text, version: text, summary: text, description: text }),
    servers: list(use('server')),
    tags: list(use('tag')),
    paths: { type: 'object', propertyNames: { pattern: '^/' }, additionalProperties: use('pathItem') },
    components: fixed([], {
      schemas: components(use('schema')),
      responses: components(orReference(use('response'))),
      parameters: components(orReference(use('parameter'))),
      examples: components(orReference(use('example'))),
      headers: components(orReference(use('header'))),
      securitySchemes: components(orReference(use('securityScheme'))),
    }),
  }),
};
