import { describe, expect, test } from '@jest/globals';
import { answerFacts, classifyCancel, classifyCreate } from '../../../src/client/outcomes/classify.ts';
import type { HttpResult } from '../../../src/ports/transport.ts';
import { faultResult, htmlResponse, jsonResponse, RECEIVED_AT } from './http-results.ts';

const outcomeOf = (result: HttpResult) => classifyCancel(result, answerFacts(result));

test('200 with a message is acknowledged', () => {
  expect(outcomeOf(jsonResponse(200, '{"msg":"Order canceled."}'))).toEqual({
    kind: 'acknowledged',
    msg: 'Order canceled.',
  });
});

test.each(['text/plain', 'text/html', ''])('labeled "%s" it is acknowledged all the same', (type) => {
  const response = jsonResponse(200, '{"msg":"Order canceled."}', { 'content-type': type });
  expect(outcomeOf(response).kind).toBe('acknowledged');
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
  expect(outcomeOf(result)).toEqual({ kind: 'rejected', status: 400, code: -1124, msg: 'Order id format invalid.' });
});

test('429 says when to come back', () => {
  const result = jsonResponse(429, '{"code":-1003,"msg":"Too many requests."}', { 'retry-after': '3' });
  expect(outcomeOf(result)).toEqual({
    kind: 'throttled',
    status: 429,
    code: -1003,
    retryAt: RECEIVED_AT + 3_000,
  });
});

test('a fault before sending is not-sent', () => expect(outcomeOf(faultResult(false)).kind).toBe('not-sent'));
