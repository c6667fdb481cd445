import { describe, expect, test } from '@jest/globals';
import { classifyCreate } from '../../../src/client/outcomes/classify.ts';
import { ERROR_CODES } from '../../../src/venue/error-codes.ts';
import type { FaultReason } from '../../../src/venue/outcomes.ts';
import { faultResult, htmlResponse, jsonResponse } from './http-results.ts';

describe('accepted: 200, JSON, and an order id', () => {
  test.each([
    ['text', '{"data":{"order_id":"1-9007199254740993-1"}}', '1-9007199254740993-1'],
    ['a number beyond 2^53', '{"data":{"order_id":9007199254740993}}', '9007199254740993'],
    ['text with leading zeros', '{"data":{"order_id":"007"}}', '007'],
    ['with more fields', '{"msg":"created","data":{"order_id":"1-2-1","x":[1,{"y":null}]},"time":1}', '1-2-1'],
  ])('%s', (_name, body, orderId) => {
    expect(classifyCreate(jsonResponse(200, body))).toEqual({ kind: 'accepted', orderId });
  });

  test.each(['application/json', 'Application/JSON; charset=utf-8', '', 'text/html', 'text/plain', 'image/png'])(
    'labeled "%s"',
    (type) => {
      const response = jsonResponse(200, '{"data":{"order_id":"1-2-1"}}', { 'content-type': type });
      expect(classifyCreate(response).kind).toBe('accepted');
    },
  );
});

describe('unknown: 200 without proof', () => {
  test.each<[string, string, FaultReason]>([
    ['nothing', '', 'bad-json'],
    ['an empty text', '""', 'bad-shape'],
    ['an empty object', '{}', 'bad-shape'],
    ['null', 'null', 'bad-shape'],
    ['a list', '[]', 'bad-shape'],
    ['data null', '{"data":null}', 'bad-shape'],
    ['data empty', '{"data":{}}', 'bad-shape'],
    ['a message with data null', '{"msg":"ok","data":null}', 'bad-shape'],
    ['an empty id', '{"data":{"order_id":""}}', 'bad-shape'],
    ['the id 0', '{"data":{"order_id":0}}', 'bad-shape'],
    ['the id "0"', '{"data":{"order_id":"0"}}', 'bad-shape'],
    ['the id null', '{"data":{"order_id":null}}', 'bad-shape'],
    ['the id true', '{"data":{"order_id":true}}', 'bad-shape'],
    ['an id with a space', '{"data":{"order_id":"1-2 -1"}}', 'bad-shape'],
    ['an error object', '{"code":-1114,"msg":"Price parameter invalid."}', 'bad-shape'],
    ['an error object without a message', '{"code":"-1114"}', 'bad-shape'],
    ['an id below zero', '{"data":{"order_id":-7}}', 'bad-shape'],
    ['an id with a fraction', '{"data":{"order_id":7.5}}', 'bad-shape'],
    ['an id with an exponent', '{"data":{"order_id":1e5}}', 'bad-shape'],
    ['a message that is not text', '{"msg":{}}', 'bad-shape'],
    ['a cut body', '{"data":{"order_id":"1-2', 'bad-json'],
  ])('%s', (_name, body, reason) => {
    const fault = { sent: true, reason, status: 200 };
    expect(classifyCreate(jsonResponse(200, body))).toMatchObject({ kind: 'unknown', fault });
  });

  test.each(['application/json', 'text/html', ''])('a page labeled "%s"', (type) => {
    const response = jsonResponse(200, '<html>order_id 1-2-1</html>', { 'content-type': type });
    expect(classifyCreate(response)).toMatchObject({ kind: 'unknown', fault: { sent: true, reason: 'bad-json' } });
  });

  test.each([201, 202, 204, 206])('an order id with status %i', (status) => {
    expect(classifyCreate(jsonResponse(status, '{"data":{"order_id":"1-2-1"}}')).kind).toBe('unknown');
  });
});

describe('soft-rejected', () => {
  test('200 with a message and nothing else', () => {
    const outcome = classifyCreate(jsonResponse(200, '{"msg":"Risk check failed.\\u0000\\n"}'));
    expect(outcome).toEqual({ kind: 'soft-rejected', msg: 'Risk check failed.' });
  });

  test('429 with its own code: refused at the gate, for the rate', () => {
    const response = jsonResponse(429, '{"code":"-1003","msg":"Too many requests."}');
    expect(classifyCreate(response)).toEqual({
      kind: 'soft-rejected',
      msg: 'Too many requests.',
      throttledBy: 'exchange',
    });
  });

  test.each([
    ['with the code of something else', jsonResponse(429, '{"code":"-5013","msg":"Not now."}'), 'Not now.'],
    ['with a code that nobody knows', jsonResponse(429, '{"code":"-9","msg":"Not now."}'), 'Not now.'],
    ['as a page', htmlResponse(429), 'The venue answered HTTP 429 without an error body.'],
    ['with nothing', jsonResponse(429, ''), 'The venue answered HTTP 429 without an error body.'],
  ])('429 %s', (_name, response, msg) =>
    expect(classifyCreate(response)).toEqual({ kind: 'soft-rejected', msg, throttledBy: 'gateway' }),
  );
});

test('a documented refusal is one under any label', () => {
  const response = htmlResponse(400, '{"code":-1114,"msg":"Price parameter invalid."}');
  expect(classifyCreate(response)).toMatchObject({ kind: 'rejected', code: -1114 });
});

describe('documented codes, as number and as text', () => {
  const bodies = ERROR_CODES.flatMap((entry) =>
    [entry.code, String(entry.code)].map((code) => ({ ...entry, body: JSON.stringify({ code, msg: entry.meaning }) })),
  );

  test.each(bodies.filter((entry) => entry.provesNotCreated))(
    '$status $body proves that there is no order',
    (entry) => {
      const outcome = classifyCreate(jsonResponse(entry.status, entry.body));
      expect(outcome).toEqual({ kind: 'rejected', status: entry.status, code: entry.code, msg: entry.meaning });
    },
  );

  test.each(bodies.filter((entry) => !entry.provesNotCreated && entry.status !== 429))(
    '$status $body proves nothing',
    (entry) => {
      const fault = { sent: true, reason: 'status', status: entry.status, code: entry.code };
      expect(classifyCreate(jsonResponse(entry.status, entry.body))).toMatchObject({ kind: 'unknown', fault });
    },
  );

  test('a code that proves a refusal proves nothing with a 5xx or 408 around it', () => {
    for (const status of [408, 500, 502, 503, 504]) {
      const outcome = classifyCreate(jsonResponse(status, '{"code":-1114,"msg":"Price parameter invalid."}'));
      expect(outcome).toMatchObject({ kind: 'unknown', fault: { status, code: -1114 } });
    }
  });
});

describe('unknown: other refusals', () => {
  test.each<[string, ReturnType<typeof jsonResponse>, FaultReason]>([
    ['an undocumented code', jsonResponse(400, '{"code":-9999,"msg":"?"}'), 'status'],
    ['a code that is not whole', jsonResponse(400, '{"code":-1114.5,"msg":"?"}'), 'status'],
    ['a code without a message', jsonResponse(400, '{"code":-1114}'), 'status'],
    ['a message without a code', jsonResponse(400, '{"msg":"no"}'), 'status'],
    ['401 without a body', jsonResponse(401, ''), 'status'],
    ['a firewall page', htmlResponse(403), 'status'],
    ['a proven code within a page', htmlResponse(403, '<p>{"code":-1022,"msg":"Invalid signature."}</p>'), 'status'],
    ['418', htmlResponse(418), 'status'],
    ['451', htmlResponse(451), 'status'],
    ['a page of a gateway', htmlResponse(504), 'status'],
    ['a redirect', jsonResponse(302, ''), 'redirect'],
  ])('%s', (_name, response, reason) => {
    expect(classifyCreate(response)).toMatchObject({ kind: 'unknown', fault: { sent: true, reason } });
  });
});

describe('unknown: an answer that contradicts itself', () => {
  test.each<[number, string]>([
    [400, '{"code":-1114,"msg":"?","data":{"order_id":"1-5-1"}}'],
    [400, '{"code":-1021,"msg":"?","data":{"order_id":"1-5-1"}}'],
    [403, '{"code":-1022,"msg":"?","order_id":9007199254740993}'],
    [400, '{"code":-1114,"msg":"?","result":[{"orderId":"1-5-1"}]}'],
    [429, '{"code":-1003,"msg":"?","data":{"order_id":"1-5-1"}}'],
    [200, '{"msg":"ok","order_id":"1-5-1"}'],
    [200, '{"msg":"ok","result":{"orderID":"1-5-1"}}'],
    [200, '{"code":-1021,"msg":"?","data":{"order_id":"1-5-1"}}'],
  ])('%i %s', (status, body) => {
    expect(classifyCreate(jsonResponse(status, body))).toMatchObject({
      kind: 'unknown',
      fault: { sent: true, status },
    });
  });

  test('an id that is none makes no contradiction', () => {
    const body = '{"code":-1114,"msg":"?","data":{"order_id":null,"orderId":"0"}}';
    expect(classifyCreate(jsonResponse(400, body)).kind).toBe('rejected');
  });
});

test('a fault is not-sent only where it says so', () => {
  expect(classifyCreate(faultResult(false))).toMatchObject({ kind: 'not-sent', fault: { sent: false } });
  expect(classifyCreate(faultResult(true))).toMatchObject({ kind: 'unknown', fault: { sent: true } });
});
