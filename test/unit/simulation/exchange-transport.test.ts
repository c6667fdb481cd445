// The exchange in the same process: what takes time on the way takes it in virtual time.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createExchangeTransport } from '../../../src/backtest/exchange-transport.ts';
import { startVirtualTime, type VirtualTime } from '../../../src/backtest/virtual-time.ts';
import { createExchange } from '../../../src/paper/exchange.ts';
import { orderBody, requestFor, START, smallSettings } from '../paper/small-exchange.ts';

let time: VirtualTime;

beforeEach(() => {
  time = startVirtualTime(START);
});
afterEach(() => time.end());

test('Q7: a create is answered when it has reached the book, and a read meanwhile overtakes it', async () => {
  const { clock, sleep } = time;
  const exchange = createExchange(smallSettings({ quirks: { matchingLagMs: 700 } }), START);
  const latency = { leastMs: 10, spreadMs: 0 };
  const transport = createExchangeTransport({ exchange, clock, sleep, latency, random: { next: () => 0 } });
  const log: string[] = [];
  const send = (name: 'create' | 'open-orders', order: string) => {
    const { method, path, query, headers, body } = requestFor(name, { body: orderBody(order) }, START);
    const url = `http://127.0.0.1${path}?${query}`;
    const sent = {
      method: method === 'GET' ? 'GET' : 'POST',
      url,
      headers: texts(headers),
      body,
      deadlineMs: 5_000,
    } as const;
    const noted = transport.send(sent).then((result) => {
      if (result.kind === 'response') log.push(`${result.receivedAt - START} ${result.status} ${name}`);
    });
    return noted;
  };
  const all = Promise.all([send('create', 'BUY 1.000 @ 5000'), send('open-orders', '')]);
  await time.run(START + 1_000);
  await all;
  expect(log).toEqual(['20 200 open-orders', '720 200 create']);
  expect(transport.state().engine.orders.size).toBe(1);
});

function texts(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
