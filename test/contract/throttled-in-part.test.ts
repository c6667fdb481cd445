// A 429 says how long to be silent in its headers: they have come, whatever becomes of its body.
import { describe, expect, test } from '@jest/globals';
import { answerFacts } from '../../src/client/outcomes/classify.ts';
import { answer } from './client-raw-server.ts';
import { reset, transportKit } from './client-transport-kit.ts';

const { serverOf, transportOf, get } = transportKit();
const BUSY = '{"code":-1003,"msg":"Too many requests."}';

describe('a 429 whose body cannot be read', () => {
  test('because it is compressed, is obeyed all the same', async () => {
    const server = await serverOf({
      onRequest: (socket) =>
        socket.write(answer('429 Too Many Requests', BUSY, { 'retry-after': '60', 'content-encoding': 'gzip' })),
    });
    const facts = answerFacts(await get(transportOf(server.url), server.url));
    expect(facts).toMatchObject({ status: 429, rateLimit: { retryAfter: 60_000 } });
  });

  test('because the connection ends within it, is obeyed all the same', async () => {
    const server = await serverOf({
      onRequest: (socket) => {
        const whole = answer('429 Too Many Requests', BUSY, { 'retry-after': '60' });
        socket.write(whole.slice(0, -5));
        setTimeout(() => reset(socket), 50);
      },
    });
    const facts = answerFacts(await get(transportOf(server.url), server.url));
    expect(facts).toMatchObject({ status: 429, rateLimit: { retryAfter: 60_000 } });
  });
});
