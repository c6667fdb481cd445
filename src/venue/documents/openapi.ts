// The interface as an OpenAPI 3.1 document, built from the table of endpoints, for other programs and people.
import { z } from 'zod';
import { type EndpointParameter, parametersOf } from '../endpoint-parameters.ts';
import { ENDPOINTS, type Endpoint, RECV_WINDOW_DEFAULT_MS, RECV_WINDOW_MAX_MS, twins } from '../endpoints.ts';
import type { EndpointName } from '../requests.ts';
import { EXAMPLES, PARAMETER_EXAMPLES } from './openapi-examples.ts';
import {
  camelCase,
  ERROR_SCHEMAS,
  errorExamples,
  errorResponses,
  pascalCase,
  RATE_LIMIT_HEADERS,
  responsesOf,
} from './openapi-responses.ts';

type Json = Readonly<Record<string, unknown>>;

/** Changes with the document's content, not with the program. */
export const OPENAPI_VERSION = '1.1.0';

interface OpenApiOptions {
  /** Version of the document: `OPENAPI_VERSION`, except in tests. */
  readonly version: string;
  /** Address of the current interface, without a slash at its end. */
  readonly baseUrl: string;
  readonly legacyBaseUrl: string;
  /** Name of the header that carries the API key. */
  readonly apiKeyHeader: string;
}

/**
 * The whole document, ready for `JSON.stringify`. It has all 26 endpoints; those of the legacy interface name its
 * server.
 */
export function openApiDocument(options: OpenApiOptions): Json {
  const endpoints = Object.values(ENDPOINTS);
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
      schemas: { ...ERROR_SCHEMAS, ...schemasOf(endpoints) },
      parameters: SIGNED_PARAMETERS,
      responses: errorResponses(),
      headers: RATE_LIMIT_HEADERS,
      examples: errorExamples(),
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

/** Query parameters of every signed request (specification 4 and 5.3). */
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

/** Endpoints with the same answer share its schema, under the first one's name. */
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

/** In the reader's view: undocumented fields may appear as well. */
function answerSchema({ answer }: Endpoint): Json {
  const { $schema: _draft, ...schema } = z.toJSONSchema(answer, { io: 'input', override: withoutFloatBounds });
  return schema;
}

/** zod bounds every integer by what a float can hold exactly; the exchange's ids have no such bound. */
function withoutFloatBounds({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

// The longer texts of the OpenAPI document, in Markdown: the interface, signing, and limits.

const INTRODUCTION = `Market data and spot trading of one exchange, over HTTPS, in JSON.

The current interface has public market data and signed requests for the account that owns the key; the legacy interface
has public market data only. There is no sandbox: every call reaches the production system. There are no events: what
changes must be asked for.

- Amounts are text, so that no digit is lost. An id may be larger than 2^53: read it without making it a floating-point
  number.
- Some fields are null while they do not apply yet, such as \`transactionHash\`.
- Lists have no page token. They give \`limit\` rows: 20, at most 50. A short page does not prove that there is no more.
- Errors are \`{code, msg}\` with an HTTP status. Retry only 429, 503 and 504, with exponential backoff, honoring
  \`Retry-After\`; a refusal of credentials or values must not be repeated until it is corrected.
- HTTP 200 is not always success: a create that downstream risk checks turn down is answered with 200 and \`{msg}\`.
- A failed or unanswered write may have happened all the same: look before you send it again.

The schemas say what is documented. A service of this kind was seen to send \`code\` as text, times in other units and
fewer rows than asked for; a reader does well to accept that.
`;

/**
 * Made with `openssl dgst -sha256 -hmac`, a third implementation in addition to the client's and the paper exchange's.
 */
export const SIGNED_EXAMPLE = {
  secret: 'secret',
  text: 'recvWindow=5000&timestamp=1700000000000action=BUY&price=4000000&quantity=0.01&symbol=BTC/INR&type=LIMIT',
  signature: 'cf5035b8329a8a64f8a3ee255da7a92ab24f3d989cee760ca4761653c1bdd06e',
} as const;

/** Specification 5.3 and 5.4; `header` is the name of the header that carries the key. */
const signingRules = (
  header: string,
): string => `The key goes into the header \`${header}\`. Every request of this scheme also carries \`timestamp\`,
optionally \`recvWindow\`, and \`signature\` in the query. It is accepted only if \`timestamp\` is within
\`recvWindow\` of the server's time (else -1021).

The signature:

1. Take all query parameters but \`signature\`, whose name is compared without regard to case.
2. Take all fields of the JSON body but \`signature\`.
3. In each of the two, sort by name and write \`name=value\`, joined with \`&\`. A name with several values is repeated
   for each value, in sorted order. Null values are left out. Objects and arrays are written as compact JSON.
4. Put the canonical body directly behind the canonical query, with nothing between them. A request without a body signs
   its query alone.
5. The signature is the HMAC SHA-256 of that text, with the API secret as the key, in lower-case hexadecimal.

A wrong signature is -1022, missing credentials are -1001. Two things are not documented: whether an empty text is left
out or signed as \`name=\` (the reference samples differ), and whether a value such as \`BTC/INR\` is signed as it is or
percent-encoded. A header may carry the signature instead of the query; its name is not documented.

With the secret \`${SIGNED_EXAMPLE.secret}\` the text

    ${SIGNED_EXAMPLE.text}

has the signature

    ${SIGNED_EXAMPLE.signature}
`;

const SPOT_COMBINATIONS =
  'Beside `symbol`, only these may be given: nothing, `orderId`, `startTime`, `endTime`, `fromId`, or `startTime` ' +
  'with `endTime`. Others are refused with -1109. The window is at most 72 hours.';
const ROLLING = 'Covers a rolling window of unknown length; older rows are in the list with `/historical`.';
const ARCHIVE = 'Covers what is older than the window of the list without `/historical`.';
const TRANSFER_TIMES = '`endTime` must not be before `startTime`.';
const NOT_PROVED = 'The answer acknowledges. It does not say how much had filled, or that the lists already show it.';

/** Remarks that don't fit into the table's summary. */
const REMARKS: Partial<Record<EndpointName, readonly string[]>> = {
  symbols: ['Accepts no parameters. A listed symbol may not be tradable: see the status of its assets.'],
  'public-trades': ['The trades have no id.'],
  'order-book': ['A page may be shorter than `limit` though the book goes on.'],
  wallet: ['An asset whose balances are all zero is left out unless `omitZeroBalances` is false.'],
  ...twins('crypto-deposits', [ROLLING, TRANSFER_TIMES], [ARCHIVE, TRANSFER_TIMES]),
  ...twins('crypto-withdrawals', [ROLLING, TRANSFER_TIMES], [ARCHIVE, TRANSFER_TIMES]),
  ...twins('fiat-deposits', [ROLLING, TRANSFER_TIMES], [ARCHIVE, TRANSFER_TIMES]),
  ...twins('fiat-withdrawals', [ROLLING, TRANSFER_TIMES], [ARCHIVE, TRANSFER_TIMES]),
  'open-orders': ['No `limit` is documented, nor how many rows a page has.'],
  ...twins('spot-trades', [ROLLING, SPOT_COMBINATIONS], [ARCHIVE, SPOT_COMBINATIONS]),
  'sbs-trades': ['No rule on combinations is documented. The window is at most 72 hours. `isMaker` is always false.'],
  create: [
    '200 with `data` is an order; 200 with `msg` alone was turned down by downstream risk checks.',
    '-5013 proves nothing: the order may exist.',
  ],
  cancel: [NOT_PROVED],
  'cancel-symbol': [NOT_PROVED],
  'cancel-all': [NOT_PROVED, 'Has no body: the query alone is signed.'],
};

/** The full description of an operation, as one Markdown text. */
function describe(endpoint: Endpoint): string {
  const { samplePath, permission, lane, section } = endpoint;
  return [
    ...(REMARKS[endpoint.name] ?? []),
    ...(samplePath === undefined
      ? []
      : [`The specification's sample call uses the path \`${samplePath}\`: a service may know either.`]),
    ...(permission === undefined ? [] : [`The key must have the permission for ${permission}.`]),
    `Rate limit: ${RATE_SCOPES[lane]}.`,
    `Specification §${section}.`,
  ].join('\n\n');
}

const RATE_SCOPES = {
  public: 'by IP address',
  private: 'by API key',
  legacy: 'by IP address; whether it is shared with the public interface is not documented',
} as const;
