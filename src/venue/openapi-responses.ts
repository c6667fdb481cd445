// What an operation answers, as OpenAPI responses: success, every error code grouped by its status, and the limit headers.
import type { Endpoint } from './endpoint.ts';
import { codesOf } from './endpoint-errors.ts';
import { ENDPOINTS } from './endpoints.ts';
import { ERROR_CODES, errorCode, LEGACY_STATUSES } from './error-codes.ts';
import { EXAMPLES } from './openapi-examples.ts';
import { pascalCase } from './openapi-names.ts';

type Json = Readonly<Record<string, unknown>>;

const TOO_MANY_REQUESTS = 429;

const header = (description: string): Json => ({ description, schema: { type: 'integer', minimum: 0 } });

/** Headers that answers carry while rate limiting applies (specification §8), for `components.headers`. */
export const RATE_LIMIT_HEADERS: Json = {
  'X-RateLimit-Limit': header('Most requests in the present window.'),
  'X-RateLimit-Remaining': header('Requests left before throttling.'),
  'X-RateLimit-Reset': header('When the window ends, in seconds since epoch.'),
  'Retry-After': header('Seconds to wait before asking again; only with 429.'),
};

/** The documented error body, for `components.schemas`. */
export const ERROR_SCHEMA: Json = {
  type: 'object',
  properties: {
    code: { type: 'integer', maximum: -1, description: 'negative; some services send it as text' },
    msg: { type: 'string', description: 'for a person; its wording is not documented' },
  },
  required: ['code', 'msg'],
};

/** One example of each code's answer, for `components.examples`; not of -5004 (fees), which no endpoint answers with. */
export function errorExamples(): Json {
  const answered = new Set(Object.values(ENDPOINTS).flatMap(codesOf));
  const entries = ERROR_CODES.filter(({ code }) => answered.has(code));
  return Object.fromEntries(
    entries.map(({ code, meaning }) => [exampleName(code), { summary: meaning, value: { code, msg: meaning } }]),
  );
}

/** Responses by status: 200 with `answer`, then the errors. */
export function responsesOf(endpoint: Endpoint, answer: Json): Json {
  const errors = errorGroupsOf(endpoint).map(({ status, name }) => [
    String(status),
    { $ref: `#/components/responses/${name}` },
  ]);
  return { '200': success(endpoint, answer), ...Object.fromEntries(errors) };
}

/** Every error response, for `components.responses`. */
export function errorResponses(): Json {
  const groups = Object.values(ENDPOINTS).flatMap(errorGroupsOf);
  return Object.fromEntries(
    groups.map(({ status, codes, name }) => [
      name,
      codes.length === 0 ? legacyError(status) : codedError(status, codes),
    ]),
  );
}

interface ErrorGroup {
  readonly status: number;
  /** None for a status of the legacy interface. */
  readonly codes: readonly number[];
  /** The same for all endpoints that answer this status with the same codes: that of the first, and the status. */
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
  const statuses = codesOf(endpoint).flatMap((code) => errorCode(code)?.status ?? []);
  return [...new Set(statuses)].sort((a, b) => a - b);
}

const codesWith = (endpoint: Endpoint, status: number): readonly number[] =>
  codesOf(endpoint).filter((code) => errorCode(code)?.status === status);

function success({ name, method, summary }: Endpoint, schema: Json): Json {
  const examples = Object.entries(EXAMPLES[name].answers).map(([word, value]) => [word, { value }]);
  return {
    description: method === 'GET' ? summary : 'Answered; what that proves is in the description of the operation.',
    headers: limitHeaders(200),
    content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
  };
}

/** The format of the legacy interface's error bodies is not documented. */
function legacyError(status: number): Json {
  const meaning = LEGACY_STATUSES.find((entry) => entry.status === status)?.meaning;
  return { description: meaning, headers: limitHeaders(status) };
}

function codedError(status: number, codes: readonly number[]): Json {
  const examples = codes.map((code) => [exampleName(code), { $ref: `#/components/examples/${exampleName(code)}` }]);
  return {
    description: codes.map((code) => `- \`${code}\` ${errorCode(code)?.meaning}`).join('\n'),
    headers: limitHeaders(status),
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: codes } } }] },
        examples: Object.fromEntries(examples),
      },
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
