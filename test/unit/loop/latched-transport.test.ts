// The last look before a create leaves (S9): what is forbidden does not go out, and comes back as not sent. Everything
// else passes.
import { expect, test } from '@jest/globals';
import { classifyCreate } from '../../../src/client/outcomes/classify.ts';
import { latchedTransport } from '../../../src/loop/latched-transport.ts';
import type { HttpRequest, HttpResult, Transport } from '../../../src/ports/transport.ts';
import { DIALECT } from '../../../src/venue/dialect.ts';
import { ENDPOINTS } from '../../../src/venue/endpoints.ts';

const ANSWER: HttpResult = { kind: 'response', status: 200, headers: {}, body: '{}', sentAt: 1, receivedAt: 2 };
const clock = { now: () => 5, monotonic: () => 5 };

function recording(): Transport & { readonly sent: HttpRequest[] } {
  const sent: HttpRequest[] = [];
  const send = (request: HttpRequest): Promise<HttpResult> => {
    sent.push(request);
    return Promise.resolve(ANSWER);
  };
  return { sent, send, close: () => undefined };
}

const request = (name: keyof typeof ENDPOINTS): HttpRequest => ({
  method: ENDPOINTS[name].method,
  url: `https://api.exchange.example${ENDPOINTS[name].path}?timestamp=1&signature=abc`,
  headers: {},
  body: null,
  deadlineMs: 1_000,
});

test('a create is held back while something forbids it, and proved not sent', async () => {
  const inner = recording();
  let latch: string | null = null;
  const transport = latchedTransport(inner, () => latch, clock);
  await transport.send(request('create'));
  expect(inner.sent).toHaveLength(1);
  latch = 'The kill latch is set: silence.';
  const result = await transport.send(request('create'));
  expect(inner.sent).toHaveLength(1);
  expect(classifyCreate(result, DIALECT)).toEqual({
    kind: 'not-sent',
    fault: expect.objectContaining({ detail: latch }),
  });
});

test.each(['cancel', 'cancel-symbol', 'cancel-all', 'open-orders', 'wallet', 'order-book'] as const)(
  '%s passes whatever is forbidden',
  async (name) => {
    const inner = recording();
    await latchedTransport(inner, () => 'The kill latch is set.', clock).send(request(name));
    expect(inner.sent).toHaveLength(1);
  },
);
