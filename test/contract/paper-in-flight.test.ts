// Q7 over real sockets: a create is answered when it has reached the book; a server that closes leaves nobody waiting.
import { afterEach, expect, test } from '@jest/globals';
import type { PaperServer } from '../../src/paper/server/server.ts';
import type { Quirks } from '../../src/paper/wire/quirks.ts';
import { realClock } from '../../src/ports/clock.ts';
import { orderBody, smallSettings } from '../unit/paper/small-exchange.ts';
import { requestNow, sendRequest } from './paper-connection.ts';
import { startSmall } from './paper-servers.ts';

const running: PaperServer[] = [];

async function start(quirks: Partial<Quirks>): Promise<PaperServer> {
  const server = await startSmall({ settings: smallSettings({ quirks }) });
  running.push(server);
  return server;
}

afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

const create = () => requestNow('create', { body: orderBody('BUY 1.000 @ 5000') });

test('a create waits for the book, other requests do not wait for it', async () => {
  const server = await start({ matchingLagMs: 2_000 });
  const startedAt = realClock.monotonic();
  const log: string[] = [];
  const ended = (name: string) => log.push(name);
  const created = sendRequest(server.url, create()).finally(() => ended('create'));
  const listed = sendRequest(server.url, requestNow('open-orders')).finally(() => ended('list'));
  expect(JSON.parse((await listed).body)).toEqual([]);
  expect(JSON.parse((await created).body)).toEqual({ data: { order_id: expect.any(String) } });
  expect(log).toEqual(['list', 'create']);
  expect(realClock.monotonic() - startedAt).toBeGreaterThanOrEqual(1_990);
  const later = await sendRequest(server.url, requestNow('open-orders'));
  expect(JSON.parse(later.body)).toHaveLength(1);
});

test('a server that closes does not wait for what is in flight', async () => {
  const server = await start({ matchingLagMs: 60_000 });
  const created = sendRequest(server.url, create()).then(
    ({ status }) => status,
    () => 'connection lost',
  );
  await sendRequest(server.url, requestNow('symbols'));
  const closingAt = realClock.monotonic();
  running.splice(0);
  await server.close();
  expect(['connection lost', 503]).toContain(await created);
  expect(realClock.monotonic() - closingAt).toBeLessThan(30_000);
});
