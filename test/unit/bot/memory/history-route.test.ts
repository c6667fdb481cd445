// `GET /api/history` over a real socket, from a memory file that is written meanwhile.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import type { HistoryQuery } from '../../../../src/bot/memory/history.ts';
import { readMemory } from '../../../../src/bot/memory/read-memory.ts';
import { startWeb } from '../../../../src/bot/web/web-server.ts';
import { realClock } from '../../../../src/ports/clock.ts';
import { pageOptions } from '../../../browser/page-options.ts';
import { batch, open, point } from './memory-kit.ts';

/** Seconds are kept only for some hours. */
const AT = Math.floor(realClock.now()) - 600_000;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** `file`: null if nothing is recorded. */
async function ask(file: string | null, query: string) {
  const reader = file === null ? null : readMemory(file);
  const history = (asked: HistoryQuery) => reader?.history(asked) ?? null;
  const past = { symbols: () => ['BTC/INR'], history, profitBefore: () => null };
  const { options, end } = pageOptions({ past });
  const { url, close } = await startWeb(options);
  closing.push(async () => {
    reader?.close();
    await close();
    end();
  });
  const [answer] = (await once(get(`${url}/api/history?${query}`, { agent: false }), 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of answer) body += String(chunk);
  return { status: answer.statusCode, type: answer.headers['content-type'], body: JSON.parse(body) };
}

test('answers with columns of the written rows', async () => {
  const { file, memory } = open(undefined, AT);
  memory.write(batch({ at: AT, points: [point(AT)] }));
  const answer = await ask(file, `symbol=BTC/INR&from=${AT}&to=${AT + 60_000}&points=100`);
  expect([answer.status, answer.type]).toEqual([200, 'application/json; charset=utf-8']);
  expect(answer.body).toEqual({
    ...{ symbol: 'BTC/INR', from: AT, to: AT + 60_000, level: 'second', knownFrom: AT },
    ...{ times: [AT], marketBid: [99], marketAsk: [101], ownBid: [null], ownAsk: [100.5], reference: [100] },
    ...{ inventory: [1], equity: [1_000], profit: [0], fills: [], fillsLeftOut: 0 },
  });
});

test('refuses invalid questions, and those it cannot answer yet, with a sentence', async () => {
  const unknown = await ask(null, 'symbol=DOGE/INR');
  expect([unknown.status, unknown.body]).toEqual([
    400,
    { error: "symbol is 'DOGE/INR': one of BTC/INR was expected." },
  ]);
  const early = await ask(null, 'symbol=BTC/INR');
  expect([early.status, early.body]).toEqual([503, { error: expect.stringContaining('Nothing is remembered yet') }]);
});
