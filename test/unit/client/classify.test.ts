import { describe, expect, test } from '@jest/globals';
import {
  answerFacts,
  classifyCancel,
  classifyCreate as classifyCreateIn,
  classifyRead,
  type ReadParser,
} from '../../../src/client/outcomes/classify.ts';
import type { HttpResult } from '../../../src/ports/transport.ts';
import { DIALECT, ERROR_CODES, provesNotCreated } from '../../../src/venue/dialect.ts';
import type { FaultReason } from '../../../src/venue/outcomes.ts';
import { parseSymbols } from '../../../src/venue/parsers/market.ts';
import { refused } from '../refused.ts';
import { faultResult, htmlResponse, jsonResponse, RECEIVED_AT, SENT_AT } from './http-results.ts';

const classifyCreate = (result: HttpResult) => classifyCreateIn(result, DIALECT);

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

  test.each(bodies.filter(provesNotCreated))('$status $body proves that there is no order', (entry) => {
    const outcome = classifyCreate(jsonResponse(entry.status, entry.body));
    const { status, code, meaning: msg, kind: refusal } = entry;
    expect(outcome).toEqual({ kind: 'rejected', status, code, msg, refusal });
  });

  test.each(bodies.filter((entry) => !provesNotCreated(entry) && entry.status !== 429))(
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

const outcomeOf = (result: HttpResult) => classifyCancel(result, DIALECT);

test('200 with a message is acknowledged', () => {
  expect(outcomeOf(jsonResponse(200, '{"msg":"Order canceled."}'))).toEqual({
    kind: 'acknowledged',
    msg: 'Order canceled.',
  });
});

describe('unknown: the venue may have acted', () => {
  test.each([
    ['an empty body', jsonResponse(200, '')],
    ['an error object with status 200', jsonResponse(200, '{"code":-5014,"msg":"Unable to cancel."}')],
    ['data without a message', jsonResponse(200, '{"data":{}}')],
    ['a page', htmlResponse(200)],
    ['-5014', jsonResponse(500, '{"code":"-5014","msg":"Unable to cancel spot order."}')],
    ['maintenance', jsonResponse(503, '{"code":-1125,"msg":"Maintenance."}')],
    ['a gateway timeout', htmlResponse(504)],
    ['a request timeout', jsonResponse(408, '{"code":-1102,"msg":"Order id required."}')],
    ['a firewall page', htmlResponse(403)],
    ['an undocumented code', jsonResponse(400, '{"code":-9999,"msg":"?"}')],
    ['a fault after sending', faultResult(true)],
  ])('%s', (_name, result) => expect(outcomeOf(result)).toMatchObject({ kind: 'unknown', fault: { sent: true } }));

  test('with the code, where there was one', () => {
    const result = jsonResponse(500, '{"code":"-5014","msg":"Unable to cancel spot order."}');
    expect(outcomeOf(result)).toMatchObject({ fault: { status: 500, code: -5014 } });
    const odd = jsonResponse(200, '{"code":-1125,"msg":"Maintenance."}');
    expect(outcomeOf(odd)).toMatchObject({ fault: { status: 200, code: -1125 } });
    expect(classifyCreate(odd)).toMatchObject({ fault: { status: 200, code: -1125 } });
  });
});

test('a documented 4xx is a refusal', () => {
  const result = jsonResponse(400, '{"code":"-1124","msg":"Order id format invalid."}');
  expect(outcomeOf(result)).toEqual(refused(-1124, { msg: 'Order id format invalid.' }));
});

test('429 says when to come back', () => {
  const result = jsonResponse(429, '{"code":-1003,"msg":"Too many requests."}', { 'retry-after': '3' });
  expect(outcomeOf(result)).toEqual({
    kind: 'throttled',
    status: 429,
    code: -1003,
    refusal: 'rate',
    retryAt: RECEIVED_AT + 3_000,
  });
});

test('a fault before sending is not-sent', () => expect(outcomeOf(faultResult(false)).kind).toBe('not-sent'));

const symbols: ReadParser<readonly string[]> = { numbers: 'fast', parse: parseSymbols, last: null };
const readOutcomeOf = (result: HttpResult) => classifyRead(result, symbols, DIALECT);

test('200 with rows is a read with its times', () => {
  const read = { rows: ['BTC/INR'], complete: true, sentAt: SENT_AT, receivedAt: RECEIVED_AT };
  expect(readOutcomeOf(jsonResponse(200, '["BTC/INR"]'))).toEqual({ kind: 'read', read });
});

test('an equal text has the rows of the last one, and its own times', () => {
  const [first, again] = [100, 200].map((receivedAt) => readOutcomeOf({ ...jsonResponse(200, '["A/B"]'), receivedAt }));
  expect(again).toEqual({ kind: 'read', read: { rows: ['A/B'], complete: true, sentAt: SENT_AT, receivedAt: 200 } });
  expect(first).not.toEqual(again);
  expect(readOutcomeOf(jsonResponse(200, '["A/C"]'))).toMatchObject({ read: { rows: ['A/C'] } });
});

test.each(['text/plain', 'text/html; charset=utf-8', '', 'application/octet-stream'])('labeled "%s"', (type) => {
  expect(readOutcomeOf(jsonResponse(200, '["BTC/INR"]', { 'content-type': type })).kind).toBe('read');
  expect(readOutcomeOf(jsonResponse(400, '{"code":-1105,"msg":"?"}', { 'content-type': type })).kind).toBe('rejected');
});

test('a row that is not understood makes the read incomplete and says why', () => {
  const outcome = readOutcomeOf(jsonResponse(200, '["BTC/INR",7]'));
  const incompleteBecause = 'Row 2 of 2: it is 7, not a symbol BASE/QUOTE.';
  expect(outcome).toMatchObject({ kind: 'read', read: { rows: ['BTC/INR'], complete: false, incompleteBecause } });
});

describe('failed, never an empty list', () => {
  test.each([
    ['a page', htmlResponse(200), 'bad-json'],
    ['nothing', jsonResponse(200, ''), 'bad-json'],
    ['a cut body', jsonResponse(200, '["BTC/INR",'), 'bad-json'],
    ['an object', jsonResponse(200, '{}'), 'bad-shape'],
    ['null', jsonResponse(200, 'null'), 'bad-shape'],
    ['an undocumented error with status 200', jsonResponse(200, '{"code":-9999,"msg":"?"}'), 'bad-shape'],
    ['a firewall page', htmlResponse(403), 'status'],
    ['an undocumented code', jsonResponse(400, '{"code":-9999,"msg":"?"}'), 'status'],
    ['502', htmlResponse(502), 'status'],
    ['a redirect', htmlResponse(302), 'redirect'],
  ])('%s', (_name, result, reason) =>
    expect(readOutcomeOf(result)).toMatchObject({ kind: 'failed', fault: { reason } }),
  );

  test.each([true, false])('a fault with sent %s', (sent) => {
    expect(readOutcomeOf(faultResult(sent))).toMatchObject({ kind: 'failed', fault: { sent } });
  });
});

test.each([
  [400, '{"code":"-1105","msg":"Limit outside allowed range."}', -1105],
  [404, '{"code":"-1404","msg":"Endpoint not found."}', -1404],
  [500, '{"code":-5010,"msg":"Unable to fetch open orders."}', -5010],
  [200, '{"code":-5010,"msg":"Unable to fetch open orders."}', -5010],
])('%i %s is a refusal', (status, body, code) => {
  expect(readOutcomeOf(jsonResponse(status, body))).toMatchObject({ kind: 'rejected', status, code });
});

describe('throttled until', () => {
  test.each([429, 503, 504])('%i, a second from now where nothing is said', (status) => {
    expect(readOutcomeOf(htmlResponse(status))).toEqual({ kind: 'throttled', status, retryAt: RECEIVED_AT + 1_000 });
  });

  test('with the code, where the body has one: 503 with -1125 is maintenance', () => {
    const body = '{"code":"-1125","msg":"Maintenance."}';
    const outcome = {
      kind: 'throttled',
      status: 503,
      code: -1125,
      refusal: 'maintenance',
      retryAt: RECEIVED_AT + 1_000,
    };
    expect(readOutcomeOf(jsonResponse(503, body))).toEqual(outcome);
    expect(readOutcomeOf(jsonResponse(503, '{"msg":"Maintenance."}'))).not.toHaveProperty('code');
  });

  test.each([
    ['Retry-After', { 'retry-after': '4', 'x-ratelimit-reset': '1700000060' }, RECEIVED_AT + 4_000],
    ['the reset', { 'x-ratelimit-reset': '1700000002' }, SENT_AT + 2_000],
    ['a second, for nonsense', { 'retry-after': 'abc' }, RECEIVED_AT + 1_000],
    ['at once, if it says so', { 'retry-after': '0', 'x-ratelimit-reset': '1700000060' }, RECEIVED_AT],
    ['a second, for a limit alone', { 'x-ratelimit-limit': '10' }, RECEIVED_AT + 1_000],
  ])('%s', (_name, headers, retryAt) =>
    expect(readOutcomeOf(jsonResponse(429, '', headers))).toMatchObject({ retryAt }),
  );
});

test('an answer tells times, status, date, limits and the paper exchange', () => {
  const headers = {
    date: 'Tue, 14 Nov 2023 22:13:20 GMT',
    'x-ratelimit-limit': '1',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': '1700000003',
    'x-paper-instance': 'paper-1',
  };
  expect(answerFacts(jsonResponse(200, '[]', headers))).toEqual({
    sentAt: SENT_AT,
    receivedAt: RECEIVED_AT,
    status: 200,
    venueDate: 1_700_000_000_000,
    rateLimit: { limit: 1, remaining: 0, resetAt: RECEIVED_AT + 3_000, resetFrom: RECEIVED_AT + 1_000 },
    paperInstance: 'paper-1',
  });
});

test('where headers are missing or nonsense, the facts are', () => {
  const headers = { date: 'now', 'x-paper-instance': '<b>' };
  expect(answerFacts(jsonResponse(200, '[]', headers))).toEqual({
    sentAt: SENT_AT,
    receivedAt: RECEIVED_AT,
    status: 200,
  });
});

test('a fault has its times', () => {
  expect(answerFacts(faultResult(true))).toEqual({ sentAt: SENT_AT, receivedAt: RECEIVED_AT });
});
