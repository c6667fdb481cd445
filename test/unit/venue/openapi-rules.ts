// What structure alone does not say about an OpenAPI document: references, names that must be known or unique, paths.

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An entry as an object; empty where it is none. */
export function objectAt(value: unknown, key: string): Json {
  const inner = isObject(value) ? value[key] : undefined;
  return isObject(inner) ? inner : {};
}

/** An entry as a list; empty where it is none. */
export function listAt(value: unknown, key: string): readonly unknown[] {
  const inner = isObject(value) ? value[key] : undefined;
  return Array.isArray(inner) ? inner : [];
}

/** What `#/a/b` points to, or `undefined`. */
function resolvePointer(document: Json, pointer: string): unknown {
  const names = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const step = (at: unknown, name: string): unknown =>
    typeof at === 'object' && at !== null ? Object.entries(at).find(([key]) => key === name)?.[1] : undefined;
  return pointer.startsWith('#/') ? names.reduce(step, document) : undefined;
}

/** The object itself, or what its `$ref` points to. */
export function dereferenced(document: Json, value: unknown): Json {
  const target = isObject(value) && typeof value.$ref === 'string' ? resolvePointer(document, value.$ref) : value;
  return isObject(target) ? target : {};
}

/** Every object inside, with the pointer to it. */
export function objectsOf(value: unknown, pointer = '#'): readonly (readonly [pointer: string, value: Json])[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, entry]) =>
    objectsOf(entry, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
  return isObject(value) ? [[pointer, value], ...inner] : inner;
}

export interface Operation {
  readonly path: string;
  readonly method: string;
  readonly operation: Json;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

export function operationsOf(document: Json): readonly Operation[] {
  return Object.entries(objectAt(document, 'paths')).flatMap(([path, item]) =>
    METHODS.filter((method) => isObject(item) && method in item).map((method) => ({
      path,
      method,
      operation: objectAt(item, method),
    })),
  );
}

/** One sentence per broken rule. */
export function brokenRules(document: Json): readonly string[] {
  const operations = operationsOf(document);
  const ids = operations.map(({ operation }) => String(operation.operationId));
  return [
    ...repeated(ids).map((id) => `The operationId ${id} is used twice.`),
    ...danglingReferences(document),
    ...operations.flatMap((each) => operationRules(document, each)),
    ...objectsOf(document).flatMap(([pointer, value]) => serverRules(pointer, value)),
    ...unusedComponents(document),
  ];
}

const repeated = (names: readonly string[]): readonly string[] =>
  names.filter((name, index) => names.indexOf(name) < index);

function danglingReferences(document: Json): readonly string[] {
  return referencesOf(document)
    .filter(([, target]) => resolvePointer(document, target) === undefined)
    .map(([pointer, target]) => `${pointer} refers to ${target}, which is not there.`);
}

function referencesOf(document: Json): readonly (readonly [pointer: string, target: string])[] {
  return objectsOf(document).flatMap(([pointer, { $ref }]) =>
    typeof $ref === 'string' ? [[pointer, $ref] as const] : [],
  );
}

function operationRules(document: Json, { path, method, operation }: Operation): readonly string[] {
  const at = `${method} ${path}`;
  const parameters = listAt(operation, 'parameters').map((each) => dereferenced(document, each));
  const inPath = parameters.filter((each) => each.in === 'path').map(({ name }) => String(name));
  const inTemplate = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => String(name));
  const tags = listAt(document, 'tags').map((tag) => (isObject(tag) ? tag.name : undefined));
  const schemes = objectAt(objectAt(document, 'components'), 'securitySchemes');
  const secured = listAt(operation, 'security').flatMap((each) => Object.keys(isObject(each) ? each : {}));
  return [
    ...repeated(parameters.map((each) => `${each.in} ${each.name}`)).map((name) => `${at} has ${name} twice.`),
    ...inTemplate.filter((name) => !inPath.includes(name)).map((name) => `${at} does not describe {${name}}.`),
    ...inPath.filter((name) => !inTemplate.includes(name)).map((name) => `${at} has no {${name}}.`),
    ...listAt(operation, 'tags')
      .filter((tag) => !tags.includes(tag))
      .map((tag) => `${at} has the tag ${tag}, which is not described.`),
    ...secured
      .filter((name) => !(name in schemes))
      .map((name) => `${at} needs the scheme ${name}, which is not there.`),
    ...(method === 'get' && 'requestBody' in operation ? [`${at} has a body.`] : []),
  ];
}

function serverRules(pointer: string, { url, variables }: Json): readonly string[] {
  if (typeof url !== 'string') return [];
  const used = [...url.matchAll(/\{([^}]+)\}/g)].map(([, name]) => String(name));
  const known = Object.keys(isObject(variables) ? variables : {});
  return [
    ...used.filter((name) => !known.includes(name)).map((name) => `${pointer} does not describe {${name}}.`),
    ...known.filter((name) => !used.includes(name)).map((name) => `${pointer} does not use {${name}}.`),
  ];
}

function unusedComponents(document: Json): readonly string[] {
  const used = new Set(referencesOf(document).map(([, target]) => target));
  return Object.entries(objectAt(document, 'components'))
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, entries]) =>
      Object.keys(isObject(entries) ? entries : {}).map((name) => `#/components/${kind}/${name}`),
    )
    .filter((pointer) => !used.has(pointer))
    .map((pointer) => `Nothing refers to ${pointer}.`);
}
