import { expect, test } from '@jest/globals';
import { answerFacts } from '../../../src/client/outcomes/classify.ts';
import { faultResult, jsonResponse, RECEIVED_AT, SENT_AT } from './http-results.ts';

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
