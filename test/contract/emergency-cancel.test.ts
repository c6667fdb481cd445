// When the journal can't be written any more, own orders are canceled from memory before the process ends (P3).
import { afterAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { clientSettings } from '../../src/bot/keys/keys.ts';
import { paperSettingsOf } from '../../src/bot/paper/paper-exchange.ts';
import { loadSettings } from '../../src/bot/settings/settings.ts';
import { createGotTransport } from '../../src/client/transport/got-transport.ts';
import { Secret } from '../../src/client/wire/secret.ts';
import { JournalError } from '../../src/journal/chain.ts';
import { startTrading, type Trading } from '../../src/loop/start-trading.ts';
import { type PaperServer, startPaperServer } from '../../src/paper/server/server.ts';
import { realClock } from '../../src/ports/clock.ts';
import type { JournalRecord } from '../../src/ports/journal-storage.ts';
import { realRandom } from '../../src/ports/random.ts';

const keys = { key: new Secret('emergency-key-1'), secret: new Secret('emergency-secret-1') };
const opened: { server?: PaperServer; trading?: Trading } = {};

afterAll(async () => {
  await opened.trading?.close();
  await opened.server?.close();
});

async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await what())) await new Promise((resolve) => setTimeout(resolve, 50));
}

test('a journal that fails in mid-run leaves no order on the exchange', async () => {
  const settings = await loadSettings(['config/paper.yaml']);
  const { paper } = settings;
  if (paper === null) throw new Error('config/paper.yaml has no paper exchange.');
  const exchange = await paperSettingsOf(settings, paper, keys);
  const server = await startPaperServer({
    settings: exchange,
    port: 0,
    host: '127.0.0.1',
    clock: realClock,
    log: pino({ level: 'silent' }),
    stateFile: null,
  });
  opened.server = server;
  const ownOrders = async (): Promise<number> => {
    const { accounts } = (await (await fetch(`${server.url}/paper/truth`)).json()) as {
      accounts: { orders: unknown[] }[];
    };
    return accounts.reduce((sum, { orders }) => sum + orders.length, 0);
  };

  let isFull = false;
  const records: JournalRecord[] = [];
  const storage = {
    read: () => records,
    close: () => {},
    append: (more: readonly JournalRecord[]) => {
      if (isFull) throw new JournalError('full', 'The disk is full.');
      records.push(...more);
    },
  };
  let error: unknown = null;
  const client = { ...clientSettings(settings, keys), baseUrl: server.url };
  const started = startTrading(
    { trader: settings.trader, client, lanes: settings.lanes, program: 'test', paperInstance: null, resume: [] },
    {
      clock: realClock,
      random: realRandom,
      transport: createGotTransport({ baseUrls: [server.url] }, realClock),
      storage,
      killLatch: { reason: () => null, set: () => {} },
    },
    {
      notice: () => {},
      completed: () => {},
      fatal: (each) => {
        error = each;
      },
    },
  );
  if (!started.ok) throw new Error(started.error);
  opened.trading = started.value;
  const named = (): number =>
    [...started.value.loop.state().durable.orders.intents.values()].filter(({ orderId }) => orderId !== null).length;
  // An order stands on the exchange before its name is here.
  await until(async () => (await ownOrders()) >= 8 && named() >= 8);
  isFull = true;
  started.value.loop.tell({ kind: 'stop' });
  await until(() => error !== null);
  expect(error).toBeInstanceOf(JournalError);
  const before = records.length;
  const result = await started.value.cancelKnown(120_000);
  expect(result.known).toBeGreaterThanOrEqual(8);
  expect(result.acknowledged).toBe(result.known);
  expect(await ownOrders()).toBe(0);
  expect(records.length).toBe(before);
});
