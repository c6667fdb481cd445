// The OpenAPI document: valid by the rules of OpenAPI 3.1 and JSON Schema, complete against the table of endpoints,
// with examples that fit their schemas.
import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { invariant } from '../../../src/domain/invariant.ts';
import { ERROR_CODES, LEGACY_STATUSES } from '../../../src/venue/dialect.ts';
import { openApiDocument, SIGNED_EXAMPLE } from '../../../src/venue/documents/openapi.ts';
import { EXAMPLES } from '../../../src/venue/documents/openapi-examples.ts';
import { codesOf } from '../../../src/venue/endpoint-parameters.ts';
import { ENDPOINTS, type Endpoint } from '../../../src/venue/endpoints.ts';
import { brokenRules, dereferenced, listAt, objectAt, objectsOf, operationsOf } from './openapi-rules.ts';

type Json = Record<string, unknown>;

const OPTIONS = {
  version: '1.2.3',
  baseUrl: 'https://api.exchange.example',
  legacyBaseUrl: 'https://old.exchange.example',
  apiKeyHeader: 'X-EXCHANGE-APIKEY',
};
/** Statuses of HTTP itself, without a code and before any limit counts. */
const OF_HTTP = [413, 415];
/** As a reader of the file gets it. */
const written = (): Json => JSON.parse(JSON.stringify(openApiDocument(OPTIONS)));
const DOCUMENT = written();
const ROWS = Object.values(ENDPOINTS);

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema(DOCUMENT, 'openapi');

function operationOf({ path, method }: Endpoint): Json {
  return objectAt(objectAt(objectAt(DOCUMENT, 'paths'), path), method.toLowerCase());
}

/** What the schema at a pointer of the document says against a value; empty when it fits. */
function complaints(pointer: string, value: unknown): readonly string[] {
  const validate = ajv.compile({ $ref: `openapi${encodeURI(pointer)}` });
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

describe('the document', () => {
  test('is JSON without holes', () => {
    expect(openApiDocument(OPTIONS)).toEqual(DOCUMENT);
    expect(JSON.stringify(DOCUMENT)).not.toMatch(/undefined|\[object|NaN/);
  });

  test('breaks no rule beyond structure', () => {
    expect(brokenRules(DOCUMENT)).toEqual([]);
  });

  test('has only schemas that are valid JSON Schema of draft 2020-12', () => {
    const schemas = objectsOf(DOCUMENT).flatMap(([pointer, value]) =>
      'schema' in value ? [[pointer, value.schema]] : [],
    );
    const named = Object.entries(objectAt(objectAt(DOCUMENT, 'components'), 'schemas'));
    expect(schemas.length).toBeGreaterThan(100);
    for (const [where, schema] of [...schemas, ...named]) {
      invariant(typeof schema === 'object' && schema !== null, `${where} is no schema.`);
      expect([where, ajv.validateSchema(schema)]).toEqual([where, true]);
    }
  });
});

describe('against the table of endpoints', () => {
  test('every endpoint is there once, and nothing else', () => {
    const told = operationsOf(DOCUMENT).map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(told).toEqual(ROWS.map(({ method, path }) => `${method} ${path}`));
    expect(told).toHaveLength(26);
  });

  test.each(ROWS.map((row) => [row.name, row] as const))('%s: parameters, security, server', (_name, row) => {
    const operation = operationOf(row);
    const query = listAt(operation, 'parameters').map((each) => dereferenced(DOCUMENT, each));
    const stamp = row.signed ? ['timestamp', 'recvWindow', 'signature'] : [];
    expect(query.map(({ name }) => name)).toEqual([...Object.keys(row.query.shape), ...stamp]);
    expect(query.every((each) => each.in === 'query')).toBe(true);
    // Parsed without anything, the schema of the table names what must be given.
    const missing = row.query.safeParse({}).error?.issues.map(({ path }) => path[0]) ?? [];
    const required = query.filter((each) => each.required === true).map(({ name }) => name);
    expect(required).toEqual([...missing, ...stamp.filter((name) => name !== 'recvWindow')]);
    expect(operation.security).toEqual(row.signed ? [{ apiKey: [] }] : []);
    expect('requestBody' in operation).toBe(row.body !== null);
    const servers = listAt(objectAt(objectAt(DOCUMENT, 'paths'), row.path), 'servers');
    expect(servers.length).toBe(row.interface === 'legacy' ? 1 : 0);
    expect(operation['x-sample-path']).toBe(row.samplePath);
    expect(operation['x-permission']).toBe(row.permission);
  });

  test.each(ROWS.map((row) => [row.name, row] as const))('%s: statuses and codes', (_name, row) => {
    const responses = objectAt(operationOf(row), 'responses');
    const statuses = Object.keys(responses).map(Number);
    if (row.interface === 'legacy') {
      const sorted = [200, 413, ...LEGACY_STATUSES.map(({ status }) => status)].sort((a, b) => a - b);
      expect(statuses).toEqual(sorted);
      return;
    }
    expect(statuses.filter((status) => OF_HTTP.includes(status))).toEqual(row.method === 'POST' ? OF_HTTP : [413]);
    const codes = statuses
      .filter((status) => status !== 200 && !OF_HTTP.includes(status))
      .flatMap((status) => {
        const response = dereferenced(DOCUMENT, responses[String(status)]);
        const body = objectAt(objectAt(response, 'content'), 'application/json');
        const told = Object.keys(objectAt(body, 'examples')).map((name) => Number(name.replace('error', '')));
        for (const code of told) {
          const entry = ERROR_CODES.find((each) => each.code === code);
          expect(entry?.status).toBe(status);
          expect(response.description).toContain(`\`${code}\` ${entry?.meaning}`);
        }
        return told;
      });
    expect(new Set(codes)).toEqual(new Set(codesOf(row)));
    expect(codes).toHaveLength(codesOf(row).length);
  });

  test('every answer tells of the rate limit, and 429 how long to wait', () => {
    const limits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
    for (const { operation } of operationsOf(DOCUMENT)) {
      for (const [status, response] of Object.entries(objectAt(operation, 'responses'))) {
        if (OF_HTTP.includes(Number(status))) continue;
        const headers = Object.keys(objectAt(dereferenced(DOCUMENT, response), 'headers'));
        expect(headers).toEqual(status === '429' ? [...limits, 'Retry-After'] : limits);
      }
    }
  });

  test('the limits of the specification are in it', () => {
    const parameter = (path: string, name: string): unknown =>
      listAt(objectAt(objectAt(objectAt(DOCUMENT, 'paths'), path), 'get'), 'parameters')
        .map((each) => dereferenced(DOCUMENT, each))
        .find((each) => each.name === name)?.schema;
    const whole = { type: 'integer', minimum: 1 };
    expect(parameter('/api/v1/spot/trades', 'limit')).toEqual({ ...whole, maximum: 50, default: 20 });
    expect(parameter('/api/v1/wallet', 'recvWindow')).toEqual({ ...whole, maximum: 60_000, default: 5_000 });
    expect(parameter('/api/v1/wallet', 'omitZeroBalances')).toEqual({ type: 'boolean', default: true });
    expect(parameter('/api/v1/spot/trades', 'orderId')).toMatchObject({ type: 'string' });
    expect(parameter('/api/v1/ebes/trades', 'orderId')).toMatchObject({ type: 'integer' });
    expect(parameter('/api/v1/fiat/deposits', 'status')).toMatchObject({
      enum: ['SUCCESS', 'PENDING', 'FAILED', 'REJECTED'],
    });
    expect(parameter('/api/v1/crypto/deposits', 'status')).toMatchObject({ enum: ['SUCCESS', 'PENDING', 'FAILED'] });
  });
});

describe('what is configured', () => {
  test('a code fits as a number and as text', () => {
    expect(complaints('#/components/schemas/Error', { code: -1022, msg: 'x' })).toEqual([]);
    expect(complaints('#/components/schemas/Error', { code: '-1022', msg: 'x' })).toEqual([]);
    expect(complaints('#/components/schemas/Error', { code: 1022, msg: 'x' })).not.toEqual([]);
  });

  test('the name of the key header, the addresses and the version', () => {
    const options = { ...OPTIONS, apiKeyHeader: 'X-OTHER-KEY' };
    const text = JSON.stringify(openApiDocument(options));
    expect(text).not.toContain('X-EXCHANGE-APIKEY');
    expect(JSON.parse(text)).toMatchObject({
      info: { version: '1.2.3' },
      servers: [{ variables: { base_url: { default: OPTIONS.baseUrl } } }],
      paths: { '/api/ticker': { servers: [{ variables: { legacy_base_url: { default: OPTIONS.legacyBaseUrl } } }] } },
      components: { securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-OTHER-KEY' } } },
    });
  });
});

describe('the examples', () => {
  const places = objectsOf(DOCUMENT).flatMap(([pointer, value]) => {
    if (!('schema' in value)) return [];
    const named = Object.values(objectAt(value, 'examples')).map((each) => dereferenced(DOCUMENT, each).value);
    const examples = 'example' in value ? [value.example, ...named] : named;
    return examples.map((example) => [`${pointer}/schema`, example] as const);
  });

  test('fit their schemas', () => {
    expect(places.length).toBeGreaterThan(150);
    for (const [pointer, example] of places) expect([pointer, complaints(pointer, example)]).toEqual([pointer, []]);
  });

  test('are there for every answer, every body and every parameter that must be given', () => {
    const exemplified = new Set(places.map(([pointer]) => pointer));
    const wanted = objectsOf(DOCUMENT).filter(
      ([pointer, value]) => 'schema' in value && /content|parameters/.test(pointer),
    );
    const without = wanted.filter(
      ([pointer, value]) => !exemplified.has(`${pointer}/schema`) && value.required !== false,
    );
    expect(without.map(([pointer]) => pointer)).toEqual([]);
  });

  test.each(ROWS.map((row) => [row.name, row] as const))('%s: has no field that is not documented', (name, row) => {
    for (const answer of Object.values(EXAMPLES[name].answers)) expect(row.answer.parse(answer)).toEqual(answer);
    const { body } = EXAMPLES[name];
    if (row.body === null) expect(body).toBeUndefined();
    else expect(row.body.parse(body)).toEqual(body);
  });

  test('a create has both of its successes', () => {
    expect(Object.values(EXAMPLES.create.answers).map((answer) => Object.keys(Object(answer)))).toEqual([
      ['data'],
      ['msg'],
    ]);
  });

  test('of the signature is right', () => {
    const { secret, text, signature } = SIGNED_EXAMPLE;
    expect(createHmac('sha256', secret).update(text).digest('hex')).toBe(signature);
    const scheme = objectAt(objectAt(objectAt(DOCUMENT, 'components'), 'securitySchemes'), 'apiKey');
    for (const part of [secret, text, signature]) expect(scheme.description).toContain(part);
  });
});

describe('the schemas refuse', () => {
  test.each<[string, string, unknown]>([
    ['a price as a number', '#/components/schemas/CreateBody', { ...body(), price: 4_000_000 }],
    ['a price of nothing', '#/components/schemas/CreateBody', { ...body(), price: '0.00' }],
    ['a price with an exponent', '#/components/schemas/CreateBody', { ...body(), price: '4e6' }],
    ['a quantity below zero', '#/components/schemas/CreateBody', { ...body(), quantity: '-1' }],
    ['a MARKET order', '#/components/schemas/CreateBody', { ...body(), type: 'MARKET' }],
    ['a side in lower case', '#/components/schemas/CreateBody', { ...body(), action: 'buy' }],
    ['a symbol without a slash', '#/components/schemas/CreateBody', { ...body(), symbol: 'BTCINR' }],
    ['an order id of another shape', '#/components/schemas/CancelBody', { order_id: '17' }],
    ['a create answer that is neither', '#/components/schemas/CreateAnswer', { data: {} }],
    ['a level of one number', '#/components/schemas/OrderBookAnswer', { bids: [['1']], asks: [] }],
    ['a positive code', '#/components/schemas/Error', { code: 1_022, msg: 'x' }],
    [
      'a status of fiat in a crypto list',
      '#/components/schemas/CryptoDepositsAnswer',
      [{ ...row(), status: 'REJECTED' }],
    ],
    ['a withdrawal among deposits', '#/components/schemas/CryptoDepositsAnswer', [{ ...row(), action: 'Withdrawal' }]],
    ['a list of 51 rows', '#/paths/~1api~1v1~1public~1market~1orderbook/get/parameters/1/schema', 51],
    ['a window above the maximum', '#/components/parameters/recvWindow/schema', 60_001],
    ['a signature in upper case', '#/components/parameters/signature/schema', 'A'.repeat(64)],
  ])('%s', (_what, pointer, value) => {
    expect(complaints(pointer, value)).not.toEqual([]);
  });

  test('nothing that is right', () => {
    expect(complaints('#/components/schemas/CreateBody', body())).toEqual([]);
    expect(complaints('#/components/schemas/CryptoDepositsAnswer', [row()])).toEqual([]);
  });

  function body(): Json {
    return { ...Object(EXAMPLES.create.body) };
  }
  function row(): Json {
    return { ...Object(Object(EXAMPLES['crypto-deposits'].answers).listed[0]) };
  }
});
