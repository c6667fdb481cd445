// What an answer says of the timestamp that its request was signed with: only what the exchange did with it proves any.
import { describe, expect, test } from '@jest/globals';
import { stampOf } from '../../../../src/client/clock/stamper.ts';
import { ERROR_CODES } from '../../../../src/venue/error-codes.ts';
import type { Completed } from '../../../../src/venue/outcomes.ts';

const stamp = { timestamp: 1_700_000_000_000, recvWindow: 2_500 };
const facts = { sentAt: stamp.timestamp, receivedAt: stamp.timestamp + 40 };

type WalletOutcome = Extract<Completed, { kind: 'wallet' }>['outcome'];

const verdictOf = (outcome: WalletOutcome) =>
  stampOf({ kind: 'wallet', request: { kind: 'wallet', stamp }, outcome, facts })?.verdict;
const refusal = (code: number, status: number): WalletOutcome => ({ kind: 'rejected', status, code, msg: 'No.' });

describe('a timestamp', () => {
  test('was taken where the exchange did what was asked', () => {
    expect(verdictOf({ kind: 'read', read: { ...facts, rows: [], complete: true } })).toBe('taken');
  });

  const aboutTime = ERROR_CODES.filter(({ remedy }) => remedy === 'sync-clock');
  const others = ERROR_CODES.filter(({ remedy }) => remedy !== 'sync-clock');

  test.each(aboutTime)('was refused by $code ($meaning)', ({ code, status }) => {
    expect(verdictOf(refusal(code, status))).toBe('refused');
  });

  test.each(others)('may not have been looked at before $code ($meaning)', ({ code, status }) => {
    expect(verdictOf(refusal(code, status))).toBeUndefined();
  });

  test('may not have been looked at before a code that is not documented, nor before a failure', () => {
    expect(verdictOf(refusal(-9_999, 400))).toBeUndefined();
    expect(verdictOf({ kind: 'throttled', status: 429, retryAt: facts.receivedAt })).toBeUndefined();
    const fault = { sent: true, reason: 'timeout', detail: 'No complete answer within 10000 ms.' } as const;
    expect(verdictOf({ kind: 'failed', fault })).toBeUndefined();
  });
});
