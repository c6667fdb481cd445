// `GET /api/history` over a real socket, from a memory that a real thread keeps.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import fastify from 'fastify';
import { memoryPath } from '../../../../src/bot/memory/memory-schema.ts';
import { startMemoryThread } from '../../../../src/bot/memory/memory-thread.ts';
import { addHistoryRoute } from '../../../../src/bot/memory/read-memory.ts';
import { realClock } from '../../../../src/ports/clock.ts';
import { batch, point, stateFolder } from './memory-kit.ts';

/** Seconds are kept for some hours only. */
const AT = Math.floor(realClock.now()) - 600_000;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function serve(): Promise<{ url: string; thread: ReturnType<typeof startMemoryThread> }> {
  const thread = startMemoryThread({ file: memoryPath(stateFolder()), maxBytes: 2 ** 24 });
  closing.push(() => thread.close(null, 1_000));
  const app = fastify();
  addHistoryRoute(app, { symbols: () => ['BTC/INR'], history: (query) => thread.ask(query) }, () => true);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  closing.push(() => app.close());
  return { url, thread };
}

/** Without a connection that outlives the test. */
async function ask(address: string): Promise<{ status: number | undefined; type: string | undefined; body: unknown }> {
  const [answer] = (await once(get(address, { agent: false }), 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of answer) body += String(chunk);
  return { status: answer.statusCode, type: answer.headers['content-type'], body: JSON.parse(body) };
}

test('answers with columns of what was written, and says when nothing is remembered yet', async () => {
  const { url, thread } = await serve();
  const address = `${url}/api/history?symbol=BTC/INR&from=${AT}&to=${AT + 60_000}&points=100`;
  expect((await ask(address)).status).toBe(503);
  expect(await thread.do({ kind: 'write', batch: batch({ at: AT, points: [point(AT)] }) })).toEqual({
    ...{ kind: 'written', putAside: null, lacksPast: true },
  });
  const answer = await ask(address);
  expect([answer.status, answer.type]).toEqual([200, 'application/json; charset=utf-8']);
  expect(answer.body).toEqual({
    ...{ symbol: 'BTC/INR', from: AT, to: AT + 60_000, level: 'second', gapMs: 15_000, knownFrom: AT },
    ...{ times: [AT], marketBid: [99], marketAsk: [101], ownBid: [null], ownAsk: [100.5], reference: [100] },
    ...{ inventory: [1], equity: [1_000], profit: [0], fills: [], fillsLeftOut: 0 },
  });
});

test('refuses what it does not understand, with a sentence', async () => {
  const { url } = await serve();
  const answer = await ask(`${url}/api/history?symbol=DOGE/INR`);
  expect([answer.status, answer.body]).toEqual([400, { error: "symbol is 'DOGE/INR': one of BTC/INR was expected." }]);
});

test('a thread that ended is begun anew by the next step', async () => {
  const { url, thread } = await serve();
  await thread.do({ kind: 'write', batch: batch({ at: AT, points: [point(AT)] }) });
  await thread.close(batch({ points: [point(AT + 1_000)] }), 120_000);
  expect(await thread.ask({ symbol: 'BTC/INR', from: AT, to: AT + 1, points: 2, now: AT })).toBeNull();
  await thread.do({ kind: 'write', batch: batch() });
  const answer = await ask(`${url}/api/history?symbol=BTC/INR&from=${AT}&to=${AT + 2_000}&points=100`);
  expect((answer.body as { times: number[] }).times).toEqual([AT, AT + 1_000]);
});
