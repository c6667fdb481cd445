import { expect, test } from '@jest/globals';
import { type EndedJourney, faultOfError } from '../../../../src/client/transport/got-transport.ts';

const START: EndedJourney = {
  ...{ secure: true, connected: false, sent: false, tooLarge: false, closed: false, answered: null },
};
const UNDER_WAY = { connected: true, sent: true };

const of = (code: unknown, journey: Partial<EndedJourney> = {}) =>
  faultOfError(Object.assign(new Error('https://host/?signature=0a1b'), { code }), { ...START, ...journey });

test.each([
  ...['EAI_AGAIN', 'EAI_FAIL', 'ENOTFOUND', 'ENODATA', 'ESERVFAIL'].map((code) => [code, 'dns'] as const),
  ['ECONNREFUSED', 'refused'],
  ['ETIMEDOUT', 'connect-timeout'],
  ['EHOSTUNREACH', 'other'],
  ['XENOTFOUND', 'other'],
  ['ENOTFOUNDX', 'other'],
] as const)('%s before there is a connection is %s', (code, reason) => {
  expect(of(code)).toMatchObject({ reason, sent: false });
});

test.each([
  ['ECONNRESET', 'reset'],
  ['EPIPE', 'reset'],
  ['ECONNABORTED', 'reset'],
  ['ERR_HTTP_CONTENT_LENGTH_MISMATCH', 'reset'],
  ['ERR_STREAM_PREMATURE_CLOSE', 'reset'],
  ['ERR_SOCKET_CLOSED', 'reset'],
  ['ERR_SOCKET_CLOSED_NOT', 'other'],
  ['AN_ECONNRESET', 'other'],
  ['ETIMEDOUT', 'timeout'],
  ['EHOSTUNREACH', 'other'],
] as const)('%s after bytes have left is %s', (code, reason) => {
  expect(of(code, UNDER_WAY)).toMatchObject({ reason, sent: true });
});

test.each<[string, Partial<EndedJourney>, string]>([
  ['a handshake that failed', { connected: true }, 'tls'],
  ['a connection without TLS that ended', { connected: true, secure: false }, 'reset'],
  ['an answer that is too large', { ...UNDER_WAY, tooLarge: true, closed: true }, 'too-large'],
  ['a client that was closed', { ...UNDER_WAY, closed: true }, 'aborted'],
])('the same code is of %s where the journey says so', (_, journey, reason) => {
  expect(of('ECONNRESET', journey).reason).toBe(reason);
});

test('a fault says how far the request came and the code, and nothing of the message', () => {
  expect(of('ECONNRESET', UNDER_WAY).detail).toBe(
    'The connection ended before the answer was complete, after bytes of the request may have left (ECONNRESET).',
  );
  expect(of('ECONNREFUSED').detail).toBe(
    'The connection was refused, before any byte of the request left (ECONNREFUSED).',
  );
});

test.each<[string, unknown]>([
  ['that is none of Node', 'signature=0a1b'],
  ['that begins with one', 'ECONNRESET signature'],
  ['that ends with one', 'my ECONNRESET'],
  ['of one letter', 'E'],
  ['that is a number', 42],
  ['that is too long', 'E'.repeat(62)],
])('a code %s is not shown', (_, code) => {
  expect(of(code).detail).toBe('The exchange of messages failed, before any byte of the request left.');
});

test('the longest code is shown', () => {
  expect(of('E'.repeat(61)).detail).toContain(`(${'E'.repeat(61)})`);
});

test.each([[null], [undefined], ['ECONNRESET'], [7]])('what is thrown may be %p', (thrown) => {
  expect(faultOfError(thrown, { ...START, ...UNDER_WAY })).toEqual({
    ...{ sent: true, reason: 'other' },
    detail: 'The exchange of messages failed, after bytes of the request may have left.',
  });
});
