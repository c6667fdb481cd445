// The parts put together as every program does it, on a transport and in virtual time.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { memoryStorage } from '../../../src/backtest/memory-storage.ts';
import { startVirtualTime, type VirtualTime } from '../../../src/backtest/virtual-time.ts';
import { Secret } from '../../../src/client/wire/secret.ts';
import { SECOND } from '../../../src/domain/time.ts';
import { startTrading } from '../../../src/loop/start-trading.ts';
import type { HttpRequest, HttpResult, Transport } from '../../../src/ports/transport.ts';
import { DIALECT } from '../../../src/venue/dialect.ts';
import { deskSettings } from '../trader/desk-settings.ts';

const START = 1_800_000_000_000;
let time: VirtualTime;
beforeEach(() => {
  time = startVirtualTime(START);
});
afterEach(() => time.end());

const LANE = { requestsPerSecond: 10, maxInFlight: 1 };
const isSymbols = ({ url }: HttpRequest): boolean => new URL(url).pathname.endsWith('/symbols');

/** An exchange that answers the question for its markets as told, and everything else with a 404. */
function trading(
  symbols: { status: number; body: unknown; headers?: Record<string, string> },
  records = memoryStorage(),
) {
  const sent: { readonly atMs: number; readonly isSymbols: boolean }[] = [];
  const ends: string[] = [];
  const send = async (request: HttpRequest): Promise<HttpResult> => {
    const sentAt = time.clock.now();
    sent.push({ atMs: sentAt - START, isSymbols: isSymbols(request) });
    await time.sleep(20);
    const { status, body, headers } = isSymbols(request) ? symbols : { status: 404, body: {}, headers: {} };
    const answered = { 'content-type': 'application/json', ...headers };
    const receivedAt = time.clock.now();
    return { kind: 'response', status, headers: answered, body: JSON.stringify(body), sentAt, receivedAt };
  };
  const transport: Transport = { send, close: () => void ends.push('transport') };
  const storage = { ...records, close: () => void ends.push('journal') };
  const started = startTrading(
    {
      trader: deskSettings(),
      client: {
        ...{ baseUrl: 'https://venue.example', dialect: DIALECT, userAgent: 'test' },
        ...{ key: new Secret('canary-key'), secret: new Secret('canary-secret') },
        deadlineMs: SECOND,
      },
      lanes: { public: LANE, private: LANE },
      ...{ program: 'test', paperInstance: null, resume: [] },
    },
    {
      ...{ clock: time.clock, random: { next: () => 0.5 }, transport, storage },
      killLatch: { reason: () => null, set: () => {} },
    },
    { notice: () => {}, completed: () => {}, fatal: (error) => void ends.push(`fatal ${String(error)}`) },
  );
  if (!started.ok) throw new Error(started.error);
  return { ...started.value, sent, ends };
}

async function settled<T>(promise: Promise<T>, forMs = 10_000): Promise<T> {
  await time.run(time.clock.now() + forMs);
  return promise;
}

test('the markets of the exchange are listed in a turn of the public lane', async () => {
  const { listMarkets, sent, close } = trading({ status: 200, body: ['BTC/INR', 'ETH/INR'] });
  const listed = await settled(listMarkets());
  expect(listed).toMatchObject({ kind: 'symbols', outcome: { kind: 'read', read: { rows: ['BTC/INR', 'ETH/INR'] } } });
  expect(sent.filter((each) => each.isSymbols)).toHaveLength(1);
  await settled(close());
});

test('the lane rests after a throttled read of the markets, as after any other request', async () => {
  const told = { 'retry-after': '5' };
  const { listMarkets, lanes, sent, close } = trading({
    status: 429,
    body: { code: -1003, msg: 'Slower.' },
    headers: told,
  });
  const before = lanes.public.figures().throttledTotal;
  expect(await settled(listMarkets(), 1_000)).toMatchObject({ outcome: { kind: 'throttled', status: 429 } });
  expect(lanes.public.figures().throttledTotal).toBe(before + 1);
  const askedAt = sent.find((each) => each.isSymbols)?.atMs ?? Number.NaN;
  await time.run(START + 20_000);
  const next = sent.find(({ atMs }) => atMs > askedAt + 1_000);
  expect(next?.atMs).toBeGreaterThanOrEqual(askedAt + 5_000);
  await settled(close());
});

test('a read of the markets that the exchange cannot answer slows nothing down', async () => {
  const { listMarkets, lanes, close } = trading({ status: 404, body: { code: -1404, msg: 'Endpoint not found.' } });
  expect(await settled(listMarkets())).toMatchObject({ kind: 'symbols', facts: { status: 404 } });
  expect(lanes.public.figures().throttledTotal).toBe(0);
  await settled(close());
});

test('once it is closed nothing leaves, and no markets are listed any more', async () => {
  const { listMarkets, close, sent, ends } = trading({ status: 200, body: ['BTC/INR'] });
  await time.run(START + 1_000);
  await settled(close());
  expect(ends).toEqual(['transport', 'journal']);
  const before = sent.length;
  expect(await settled(listMarkets())).toBeNull();
  expect(sent).toHaveLength(before);
});

test('after a fatal error there is nothing to cancel without known orders', async () => {
  const { cancelKnown, close } = trading({ status: 200, body: ['BTC/INR'] });
  expect(await settled(cancelKnown(5_000))).toEqual({ known: 0, acknowledged: 0 });
  await settled(close());
});

test('it does not start on a journal that cannot be read', () => {
  const storage = memoryStorage();
  storage.read = () => {
    throw new Error('The disk is gone.');
  };
  expect(() => trading({ status: 200, body: [] }, storage)).toThrow('The disk is gone.');
});
