// The interface as an OpenAPI 3.1 document, made from the table of endpoints: what other programs and people may read.
import { z } from 'zod';
import type { Endpoint } from '../endpoint.ts';
import { type EndpointParameter, parametersOf } from '../endpoint-parameters.ts';
import { ENDPOINTS, RECV_WINDOW_DEFAULT_MS, RECV_WINDOW_MAX_MS } from '../endpoints.ts';
import { EXAMPLES, PARAMETER_EXAMPLES } from './openapi-examples.ts';
import { camelCase, pascalCase } from './openapi-names.ts';
import {
  DOCUMENTED_FORMS,
  type ErrorForms,
  errorExamples,
  errorResponses,
  errorSchemas,
  RATE_LIMIT_HEADERS,
  responsesOf,
} from './openapi-responses.ts';
import { describe, INTRODUCTION, signingRules } from './openapi-words.ts';

type Json = Readonly<Record<string, unknown>>;

/** Changes with what the document says, not with the program. */
export const OPENAPI_VERSION = '1.1.0';

export interface OpenApiOptions {
  /** Version of the document: `OPENAPI_VERSION`, but in tests. */
  readonly version: string;
  /** Address of the current interface, without a slash at its end. */
  readonly baseUrl: string;
  readonly legacyBaseUrl: string;
  /** Name of the header that carries the API key. */
  readonly apiKeyHeader: string;
  /** How this service writes errors; left out, as they are documented. */
  readonly errors?: ErrorForms;
}

/**
 * The whole document, fit for `JSON.stringify`. It has all 26 endpoints; those of the legacy interface name its server.
 */
export function openApiDocument(options: OpenApiOptions): Json {
  const endpoints = Object.values(ENDPOINTS);
  const forms = options.errors ?? DOCUMENTED_FORMS;
  return {
    openapi: '3.1.1',
    info: {
      title: 'Spot exchange',
      version: options.version,
      summary: 'Public market data, the account of a key, and LIMIT orders.',
      description: INTRODUCTION,
    },
    servers: [server('base_url', options.baseUrl, 'The current interface.')],
    tags: TAGS,
    paths: Object.fromEntries(endpoints.map((endpoint) => [endpoint.path, pathItem(endpoint, options)])),
    components: {
      schemas: { ...errorSchemas(forms), ...schemasOf(endpoints) },
      parameters: SIGNED_PARAMETERS,
      responses: errorResponses(forms),
      headers: RATE_LIMIT_HEADERS,
      examples: errorExamples(forms),
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: options.apiKeyHeader,
          description: signingRules(options.apiKeyHeader),
        },
      },
    },
  };
}

const server = (variable: string, address: string, description: string): Json => ({
  url: `{${variable}}`,
  description,
  variables: { [variable]: { default: address, description: 'Scheme, host and port, without a slash at the end.' } },
});

const TAGS: readonly Json[] = [
  { name: 'legacy', description: 'Public market data of the legacy interface: no key, errors without codes.' },
  { name: 'public', description: 'Public market data of the current interface: no key.' },
  { name: 'account', description: 'Signed reads of the account.' },
  { name: 'orders', description: 'Signed writes.' },
];

function tagOf({ interface: side, signed, method }: Endpoint): string {
  if (side === 'legacy') return 'legacy';
  if (!signed) return 'public';
  return method === 'GET' ? 'account' : 'orders';
}

function pathItem(endpoint: Endpoint, { legacyBaseUrl }: OpenApiOptions): Json {
  const item = { [endpoint.method.toLowerCase()]: operation(endpoint) };
  if (endpoint.interface === 'current') return item;
  return { servers: [server('legacy_base_url', legacyBaseUrl, 'The legacy interface.')], ...item };
}

function operation(endpoint: Endpoint): Json {
  const parameters = [
    ...parametersOf(endpoint)
      .filter((parameter) => parameter.in === 'query')
      .map(queryParameter),
    ...(endpoint.signed
      ? Object.keys(SIGNED_PARAMETERS).map((name) => ({ $ref: `#/components/parameters/${name}` }))
      : []),
  ];
  return {
    operationId: camelCase(endpoint.name),
    summary: endpoint.summary,
    description: describe(endpoint),
    tags: [tagOf(endpoint)],
    ...(endpoint.samplePath === undefined ? {} : { 'x-sample-path': endpoint.samplePath }),
    ...(endpoint.permission === undefined ? {} : { 'x-permission': endpoint.permission }),
    parameters,
    ...(endpoint.body === null ? {} : { requestBody: requestBody(endpoint) }),
    responses: responsesOf(endpoint, { $ref: `#/components/schemas/${answerName(endpoint)}` }),
    security: endpoint.signed ? [{ apiKey: [] }] : [],
  };
}

function queryParameter({ name, required, schema }: EndpointParameter): Json {
  const { description, ...rest } = schema;
  const examples = required && name in PARAMETER_EXAMPLES ? { example: PARAMETER_EXAMPLES[name] } : {};
  return {
    name,
    in: 'query',
    required,
    ...(description === undefined ? {} : { description }),
    schema: rest,
    ...examples,
  };
}

/** What every signed request carries in its query (specification 4 and 5.3). */
const SIGNED_PARAMETERS: Json = {
  timestamp: {
    name: 'timestamp',
    in: 'query',
    required: true,
    description:
      'The present in milliseconds since epoch; ' +
      '-1106 when it is missing or no number, -1021 when it is outside `recvWindow`.',
    schema: { type: 'integer', minimum: 0 },
    example: 1_700_000_000_000,
  },
  recvWindow: {
    name: 'recvWindow',
    in: 'query',
    required: false,
    description:
      'How far `timestamp` may be from the time of the server, in milliseconds; -1023 when it is out of range.',
    schema: { type: 'integer', minimum: 1, maximum: RECV_WINDOW_MAX_MS, default: RECV_WINDOW_DEFAULT_MS },
    example: 5_000,
  },
  signature: {
    name: 'signature',
    in: 'query',
    required: true,
    description: 'HMAC SHA-256 of the canonical query followed by the canonical body; see the security scheme.',
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    example: 'f98849c4b4d023c32a8377514e4918140ac3f2cfa817c944db3400bef0f7fa0a',
  },
};

function requestBody(endpoint: Endpoint): Json {
  const { body } = EXAMPLES[endpoint.name];
  const schema = { $ref: `#/components/schemas/${bodyName(endpoint)}` };
  return { required: true, content: { 'application/json': { schema, examples: { typical: { value: body } } } } };
}

function schemasOf(endpoints: readonly Endpoint[]): Json {
  const bodies = endpoints.filter(({ body }) => body !== null).map((each) => [bodyName(each), bodySchema(each)]);
  const answers = endpoints.map((each) => [answerName(each), answerSchema(each)]);
  return Object.fromEntries([...answers, ...bodies]);
}

/** Endpoints with one and the same answer share its schema, under the name of the first. */
function answerName({ answer }: Endpoint): string {
  const first = Object.values(ENDPOINTS).find((each) => each.answer === answer);
  return `${pascalCase(first?.name ?? '')}Answer`;
}

const bodyName = ({ name }: Endpoint): string => `${pascalCase(name)}Body`;

function bodySchema(endpoint: Endpoint): Json {
  const fields = parametersOf(endpoint).filter((parameter) => parameter.in === 'body');
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** As a reader sees it: fields that are not documented may come as well. */
function answerSchema({ answer }: Endpoint): Json {
  const { $schema: _draft, ...schema } = z.toJSONSchema(answer, { io: 'input', override: withoutFloatBounds });
  return schema;
}

/** zod bounds every integer by what a float can hold exactly; the exchange's ids know no such bound. */
function withoutFloatBounds({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
