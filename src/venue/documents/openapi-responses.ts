// The responses of an operation in OpenAPI: success, every error code grouped by its status, and the limit headers.
import { DIALECT, ERROR_CODES, errorIn, LEGACY_STATUSES } from '../dialect.ts';
import { codesOf } from '../endpoint-parameters.ts';
import { ENDPOINTS, type Endpoint } from '../endpoints.ts';
import { EXAMPLES } from './openapi-examples.ts';

type Json = Readonly<Record<string, unknown>>;

const TOO_MANY_REQUESTS = 429;

const header = (description: string): Json => ({ description, schema: { type: 'integer', minimum: 0 } });

/** Headers of answers while rate limiting applies (specification §8), for `components.headers`. */
export const RATE_LIMIT_HEADERS: Json = {
  'X-RateLimit-Limit': header('Most requests in the present window.'),
  'X-RateLimit-Remaining': header('Requests left before throttling.'),
  'X-RateLimit-Reset': header('When the window ends, in seconds since epoch.'),
  'Retry-After': header('Seconds to wait before asking again; only with 429.'),
};

const ERROR_TEXT: Json = { type: 'string', description: 'for a person; its wording is not documented' };
const ERROR_CODE: Json = {
  type: ['integer', 'string'],
  pattern: '^-[1-9][0-9]*$',
  maximum: -1,
  description: 'negative; documented as a number, some services send it as text',
};

/** The error bodies, for `components.schemas`. */
export const ERROR_SCHEMAS: Json = {
  Error: { type: 'object', properties: { code: ERROR_CODE, msg: ERROR_TEXT }, required: ['code', 'msg'] },
  PlainError: { type: 'object', properties: { error: ERROR_TEXT }, required: ['error'] },
};

/** One example answer per code, for `components.examples`; none for -5004 (fees), which no endpoint returns. */
export function errorExamples(): Json {
  const answered = new Set(Object.values(ENDPOINTS).flatMap(codesOf));
  const entries = ERROR_CODES.filter(({ code }) => answered.has(code));
  return Object.fromEntries(
    entries.map(({ code, meaning }) => [exampleName(code), { summary: meaning, value: { code, msg: meaning } }]),
  );
}

/** Responses by status: 200 with `answer`, then the errors. */
export function responsesOf(endpoint: Endpoint, answer: Json): Json {
  const errors = [...errorGroupsOf(endpoint), ...refusalsOf(endpoint)].map(({ status, name }) => [
    String(status),
    { $ref: `#/components/responses/${name}` },
  ]);
  return { '200': success(endpoint, answer), ...Object.fromEntries(errors) };
}

/** Every error response, for `components.responses`. */
export function errorResponses(): Json {
  const groups = Object.values(ENDPOINTS).flatMap(errorGroupsOf);
  const answered = groups.map(({ status, codes, name }) => [
    name,
    codes.length === 0 ? legacyError(status) : codedError(status, codes),
  ]);
  return Object.fromEntries([...answered, ...REFUSALS.map(({ name, meaning }) => [name, plainError(meaning)])]);
}

/** Refusals by HTTP itself before the interface is reached; they have no code. */
const REFUSALS: readonly { readonly status: number; readonly name: string; readonly meaning: string }[] = [
  { status: 413, name: 'BodyTooLarge', meaning: 'The body is too large. Nothing was done; the connection is closed.' },
  {
    status: 415,
    name: 'NoMediaType',
    meaning: 'The header `Content-Type` names no media type. Nothing was done. (A body that is not JSON gets -1009.)',
  },
];

/** A body is checked wherever one is sent; its type only where one is expected. */
const refusalsOf = ({ method }: Endpoint) => REFUSALS.filter(({ status }) => status !== 415 || method === 'POST');

function plainError(meaning: string): Json {
  const schema = { $ref: '#/components/schemas/PlainError' };
  const examples = { refused: { value: { error: meaning } } };
  return { description: meaning, content: { 'application/json': { schema, examples } } };
}

interface ErrorGroup {
  readonly status: number;
  /** None for a status of the legacy interface. */
  readonly codes: readonly number[];
  /** Shared by all endpoints that answer this status with the same codes: the first one's name and the status. */
  readonly name: string;
}

function errorGroupsOf(endpoint: Endpoint): readonly ErrorGroup[] {
  return statusesOf(endpoint).map((status) => {
    const codes = codesWith(endpoint, status);
    const isSame = (other: Endpoint): boolean =>
      other.interface === endpoint.interface && String(codesWith(other, status)) === String(codes);
    const first = Object.values(ENDPOINTS).find(isSame) ?? endpoint;
    return { status, codes, name: `${pascalCase(first.name)}${status}` };
  });
}

function statusesOf(endpoint: Endpoint): readonly number[] {
  if (endpoint.interface === 'legacy') return LEGACY_STATUSES.map(({ status }) => status);
  const statuses = codesOf(endpoint).flatMap((code) => errorIn(DIALECT, code)?.status ?? []);
  return [...new Set(statuses)].sort((a, b) => a - b);
}

const codesWith = (endpoint: Endpoint, status: number): readonly number[] =>
  codesOf(endpoint).filter((code) => errorIn(DIALECT, code)?.status === status);

function success({ name, method, summary }: Endpoint, schema: Json): Json {
  const examples = Object.entries(EXAMPLES[name].answers).map(([word, value]) => [word, { value }]);
  return {
    description: method === 'GET' ? summary : 'Answered; what that proves is in the description of the operation.',
    headers: limitHeaders(200),
    content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
  };
}

/** The format of legacy error bodies is not documented: readers use the status. */
function legacyError(status: number): Json {
  const meaning = LEGACY_STATUSES.find((entry) => entry.status === status)?.meaning ?? '';
  return { ...plainError(meaning), headers: limitHeaders(status) };
}

function codedError(status: number, codes: readonly number[]): Json {
  const examples = codes.map((code) => [exampleName(code), { $ref: `#/components/examples/${exampleName(code)}` }]);
  return {
    description: codes.map((code) => `- \`${code}\` ${errorIn(DIALECT, code)?.meaning}`).join('\n'),
    headers: limitHeaders(status),
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples: Object.fromEntries(examples) },
    },
  };
}

function limitHeaders(status: number): Json {
  const names = Object.keys(RATE_LIMIT_HEADERS).filter(
    (name) => name !== 'Retry-After' || status === TOO_MANY_REQUESTS,
  );
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function exampleName(code: number): string {
  return `error${code}`;
}

// Names in the OpenAPI document from endpoint names.

/** `order-book` → `orderBook`. */
export const camelCase = (name: string): string =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** `order-book` → `OrderBook`. */
export const pascalCase = (name: string): string => camelCase(`-${name}`);
