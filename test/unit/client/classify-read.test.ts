import { describe, expect, test } from '@jest/globals';
import { answerFacts, classifyRead, type ReadParser } from '../../../src/client/outcomes/classify.ts';
import type { HttpResult } from '../../../src/ports/transport.ts';
import { parseSymbols } from '../../../src/venue/parsers/market.ts';
import { faultResult, htmlResponse, jsonResponse, RECEIVED_AT, SENT_AT } from './http-results.ts';

const symbols: ReadParser<readonly string[]> = { numbers: 'fast', parse: parseSymbols };
const outcomeOf = (result: HttpResult) => classifyRead(result, answerFacts(result), symbols);

test('200 with rows is a read with its times', () => {
  const read = { rows: ['BTC/INR'], complete: true, sentAt: SENT_AT, receivedAt: RECEIVED_AT };
  expect(outcomeOf(jsonResponse(200, '["BTC/INR"]'))).toEqual({ kind: 'read', read });
});

test.each(['text/plain', 'text/html; charset=utf-8', '', 'application/octet-stream'])('labeled "%s"', (type) => {
  expect(outcomeOf(jsonResponse(200, '["BTC/INR"]', { 'content-type': type })).kind).toBe('read');
  expect(outcomeOf(jsonResponse(400, '{"code":-1105,"msg":"?"}', { 'content-type': type })).kind).toBe('rejected');
});

test('a row that is not understood makes the read incomplete and says why', () => {
  const outcome = outcomeOf(jsonResponse(200, '["BTC/INR",7]'));
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
  ])('%s', (_name, result, reason) => expect(outcomeOf(result)).toMatchObject({ kind: 'failed', fault: { reason } }));

  test.each([true, false])('a fault with sent %s', (sent) => {
    expect(outcomeOf(faultResult(sent))).toMatchObject({ kind: 'failed', fault: { sent } });
  });
});

test.each([
  [400, '{"code":"-1105","msg":"Limit outside allowed range."}', -1105],
  [404, '{"code":"-1404","msg":"Endpoint not found."}', -1404],
  [500, '{"code":-5010,"msg":"Unable to fetch open orders."}', -5010],
  [200, '{"code":-5010,"msg":"Unable to fetch open orders."}', -5010],
])('%i %s is a refusal', (status, body, code) => {
  expect(outcomeOf(jsonResponse(status, body))).toMatchObject({ kind: 'rejected', status, code });
});

describe('throttled until', () => {
  test.each([429, 503, 504])('%i, a second from now where nothing is said', (status) => {
    expect(outcomeOf(htmlResponse(status))).toEqual({ kind: 'throttled', status, retryAt: RECEIVED_AT + 1_000 });
  });

  test('with the code, where the body has one: 503 with -1125 is maintenance', () => {
    const body = '{"code":"-1125","msg":"Maintenance."}';
    const outcome = { kind: 'throttled', status: 503, code: -1125, retryAt: RECEIVED_AT + 1_000 };
    expect(outcomeOf(jsonResponse(503, body))).toEqual(outcome);
    expect(outcomeOf(jsonResponse(503, '{"msg":"Maintenance."}'))).not.toHaveProperty('code');
  });

  test.each([
    ['Retry-After', { 'retry-after': '4', 'x-ratelimit-reset': '1700000060' }, RECEIVED_AT + 4_000],
    ['the reset', { 'x-ratelimit-reset': '1700000002' }, SENT_AT + 2_000],
    ['a second, for nonsense', { 'retry-after': 'abc' }, RECEIVED_AT + 1_000],
  ])('%s', (_name, headers, retryAt) => expect(outcomeOf(jsonResponse(429, '', headers))).toMatchObject({ retryAt }));
});
