// Calls of the client for programs of one's own, over bare sockets: how each ends early, waits, is repeated and closed.
import { afterEach, describe, expect, test } from '@jest/globals';
import { ArgumentError, type Exchange, openExchange } from '../../src/client/index.ts';
import type { Completed } from '../../src/venue/outcomes.ts';
import { type Meeting, paperKit } from './client-paper-kit.ts';
import { ALICE, API_KEY_HEADER } from './client-paper-market.ts';
import { answer, type RawServer, startRawServer } from './client-raw-server.ts';

let server: RawServer;
let exchange: Exchange;
afterEach(async () => {
  await exchange.close();
  await server.close();
});

const FAST = { public: 100, private: 100 };
const BUSY = answer('429 Too Many Requests', '{"code":-1003,"msg":"Too many."}', { 'retry-after': '300' });
const ORDER = { symbol: 'BTC/INR', side: 'buy', price: '5000000.10', quantity: '0.00100' } as const;

/** A server that answers the requests of the list in turn and the last one forever; null leaves one unanswered. */
async function start(answers: readonly (string | null)[], requestsPerSecond = FAST): Promise<void> {
  server = await startRawServer({
    onRequest: (socket, _, { deliveries }) => {
      const text = answers[Math.min(deliveries.length, answers.length) - 1] ?? null;
      if (text !== null) socket.write(text);
    },
  });
  exchange = openExchange({ baseUrl: server.url, apiKey: 'key-of-a-test', secret: 'hush-hush', requestsPerSecond });
}

const after = (ms: number): Promise<'late'> => new Promise((resolve) => setTimeout(resolve, ms, 'late'));

/** Aborts and gives the answer; fails where a timer of ten milliseconds ends sooner. */
async function abort<T>(call: Promise<T>, controller: AbortController): Promise<T> {
  controller.abort();
  const told = await Promise.race([call, after(10)]);
  if (told === 'late') throw new Error('The call did not end within 10 ms.');
  return told;
}

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await after(5);
};

describe('a call is ended', () => {
  test('while its lane waits out a 429 with Retry-After: 300, within 10 ms, and nothing of it was sent', async () => {
    await start([BUSY]);
    await exchange.api.wallet();
    const controller = new AbortController();
    const call = exchange.api.createOrder(ORDER, { signal: controller.signal });
    await until(() => exchange.lanes().private.waiting === 1);
    expect(exchange.lanes().private.pausedUntil).toBeGreaterThan(Date.now() + 250_000);
    const told = await abort(call, controller);
    expect(told.outcome).toMatchObject({ kind: 'not-sent', fault: { sent: false, reason: 'aborted' } });
    expect(server.deliveries).toHaveLength(1);
    expect(exchange.lanes().private).toMatchObject({ waiting: 0, inFlight: 0 });
  });

  test('and the calls behind it keep their turns', async () => {
    await start([answer('200 OK', '[]')], { public: 5, private: 5 });
    const controller = new AbortController();
    await exchange.api.wallet();
    const first = exchange.api.wallet({}, { signal: controller.signal });
    const second = exchange.api.openOrders();
    const told = await abort(first, controller);
    expect(told.outcome).toMatchObject({ kind: 'failed', fault: { sent: false } });
    expect((await second).outcome.kind).toBe('read');
    expect(server.deliveries).toHaveLength(2);
  });

  test('before it begins: nothing is sent', async () => {
    await start([answer('200 OK', '[]')]);
    const { outcome } = await exchange.api.createOrder(ORDER, { signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({
      kind: 'not-sent',
      fault: {
        detail: 'The client was closed, or the call was aborted, before any byte of the request left.',
        sent: false,
      },
    });
    expect(server.bytesReceived).toBe(0);
  });

  test('once bytes left: a create is unknown, a cancel too, and a read failed', async () => {
    await start([null]);
    const calls: readonly ((signal: AbortSignal) => Promise<Completed>)[] = [
      (signal) => exchange.api.createOrder(ORDER, { signal }),
      (signal) => exchange.api.cancelAll({ signal }),
      (signal) => exchange.api.wallet({}, { signal }),
    ];
    for (const call of calls) {
      const before = server.deliveries.length;
      const controller = new AbortController();
      const asked = call(controller.signal);
      await until(() => server.deliveries.length > before);
      const told = await abort(asked, controller);
      expect(told.outcome).toMatchObject({ fault: { sent: true, reason: 'aborted' } });
      expect(told.outcome.kind).toBe(told.kind === 'wallet' ? 'failed' : 'unknown');
    }
  });

  test('after its answer: it stays what it is', async () => {
    await start([answer('200 OK', '{"data":{"order_id":"1-5-1"}}')]);
    const controller = new AbortController();
    const { outcome } = await exchange.api.createOrder(ORDER, { signal: controller.signal });
    controller.abort();
    expect(outcome).toEqual({ kind: 'accepted', orderId: '1-5-1' });
  });

  test('by its timeoutMs, while it waits for its turn and while its answer is awaited', async () => {
    await start([answer('200 OK', '[]'), null, BUSY]);
    await exchange.api.symbols();
    const late = await exchange.api.symbols({ timeoutMs: 400 });
    expect(late.outcome).toMatchObject({ kind: 'failed', fault: { sent: true, reason: 'timeout' } });
    await exchange.api.symbols();
    const paused = await exchange.api.symbols({ timeoutMs: 40 });
    expect(paused.outcome).toMatchObject({ kind: 'failed', fault: { sent: false } });
    expect(server.deliveries).toHaveLength(3);
  });

  test('a history, as a reading that failed; the rows before are true', async () => {
    await start([null]);
    const controller = new AbortController();
    const reading = exchange.spotTrades({ symbol: 'BTC/INR', from: 0 }, { signal: controller.signal }).collect();
    await until(() => server.deliveries.length > 0);
    const told = await abort(reading, controller);
    expect(told).toMatchObject({ rows: [], outcome: { kind: 'failed', fault: { reason: 'aborted' } } });
  });
});

describe('a read is repeated', () => {
  const busy = (status: string): string => answer(status, '{"code":-1003,"msg":"Too many."}', { 'retry-after': '1' });

  test('as often as retry says, where it was put off, when the exchange wants it', async () => {
    await start([busy('429 Too Many Requests'), busy('503 Service Unavailable'), answer('200 OK', '[]')]);
    const begun = performance.now();
    expect((await exchange.api.wallet({}, { retry: 2 })).outcome.kind).toBe('read');
    expect(performance.now() - begun).toBeGreaterThan(1_900);
    expect(server.deliveries).toHaveLength(3);
  });

  test('not more often, not by itself, and not where the exchange refused it', async () => {
    await start([
      busy('429 Too Many Requests'),
      busy('429 Too Many Requests'),
      answer('400 Bad Request', '{"code":-1121,"msg":"No."}'),
    ]);
    expect((await exchange.api.wallet()).outcome.kind).toBe('throttled');
    expect((await exchange.api.wallet({}, { retry: 0 })).outcome.kind).toBe('throttled');
    expect((await exchange.api.wallet({}, { retry: 5 })).outcome.kind).toBe('rejected');
    expect(server.deliveries).toHaveLength(3);
  });

  test('a create never is', async () => {
    await start([BUSY]);
    const call = Reflect.apply(exchange.api.createOrder, undefined, [ORDER, { retry: 1 }]);
    await expect(call).rejects.toThrow(
      new ArgumentError('createOrder options: retry is 1; expected only signal, timeoutMs.'),
    );
    expect(server.bytesReceived).toBe(0);
  });
});

describe('the client is closed', () => {
  test('what waits for its turn was not sent, what left gets its answer, and nobody is thrown at', async () => {
    let answerNow = (): void => undefined;
    server = await startRawServer({
      onRequest: (socket) => {
        answerNow = () => void socket.write(answer('200 OK', '{"data":{"order_id":"1-5-1"}}'));
      },
    });
    const slow = { public: 1, private: 1 };
    exchange = openExchange({
      baseUrl: server.url,
      apiKey: 'key-of-a-test',
      secret: 'hush-hush',
      requestsPerSecond: slow,
    });
    const onItsWay = exchange.api.createOrder(ORDER);
    await until(() => server.deliveries.length === 1);
    const waiting = [exchange.api.createOrder(ORDER), exchange.api.createOrder(ORDER), exchange.api.createOrder(ORDER)];
    await until(() => exchange.lanes().private.waiting === 3);
    const closed = exchange.close();
    for (const each of waiting)
      expect((await each).outcome).toMatchObject({ kind: 'not-sent', fault: { sent: false, reason: 'aborted' } });
    answerNow();
    await closed;
    expect((await onItsWay).outcome).toEqual({ kind: 'accepted', orderId: '1-5-1' });
    expect((await exchange.api.createOrder(ORDER)).outcome.kind).toBe('not-sent');
    expect((await exchange.api.wallet()).outcome).toMatchObject({ kind: 'failed', fault: { reason: 'aborted' } });
    expect((await exchange.spotTrades({ symbol: 'BTC/INR', from: 0 }).collect()).outcome.kind).toBe('failed');
    expect(server.deliveries).toHaveLength(1);
  });

  test('at the end of a block (`await using`)', async () => {
    await start([answer('200 OK', '[]')]);
    await exchange[Symbol.asyncDispose]();
    expect((await exchange.api.symbols()).outcome).toMatchObject({ kind: 'failed', fault: { reason: 'aborted' } });
  });

  test('a history that waits to ask again ends at once', async () => {
    await start([BUSY]);
    const reading = exchange.spotTrades({ symbol: 'BTC/INR', from: 0 }).collect();
    await until(() => exchange.lanes().private.pausedUntil !== null);
    await exchange.close();
    expect((await reading).outcome.kind).toBe('failed');
  });
});

describe('prices, quantities, ids and times are given as text', () => {
  test('and reach the exchange to the last digit', async () => {
    await start([
      answer('200 OK', '{"data":{"order_id":"1-5-1"}}'),
      answer('200 OK', '{"msg":"ok"}'),
      answer('200 OK', '[]'),
    ]);
    await exchange.api.createOrder(ORDER);
    await exchange.api.cancelOrder({ orderId: '1-5-1' });
    for (const startTime of [Date.UTC(2026, 10, 1), new Date('2026-11-01'), '2026-11-01', '2026-11-01T05:30+05:30'])
      await exchange.firstPage.spotTrades({ symbol: 'BTC/INR', filter: { by: 'start', startTime } });
    const [create, cancel, ...pages] = server.deliveries.map(({ text }) => text);
    expect(create).toContain('"price":"5000000.1"');
    expect(create).toContain('"quantity":"0.001"');
    expect(cancel).toContain('"1-5-1"');
    expect(pages).toHaveLength(4);
    for (const page of pages) expect(page).toContain(`startTime=${Date.UTC(2026, 10, 1)}`);
  });

  test.each<[string, unknown]>([
    ['price is "5,000"; expected a Decimal or decimal text above zero', { ...ORDER, price: '5,000' }],
    ['price is 5000; expected a Decimal or decimal text above zero', { ...ORDER, price: 5000 }],
    ['quantity is "0"; expected a Decimal or decimal text above zero', { ...ORDER, quantity: '0' }],
  ])('createOrder: %s', async (sentence, order) => {
    await start([null]);
    const call = Reflect.apply(exchange.api.createOrder, undefined, [order]);
    await expect(call).rejects.toThrow(ArgumentError);
    await expect(call).rejects.toThrow(`createOrder: ${sentence}`);
    expect(server.bytesReceived).toBe(0);
  });

  test.each(['2026-02-30', '2026-11-01T09:30', '1 November 2026', '1761955200000', '', new Date(Number.NaN), null])(
    'a time is not %j',
    async (startTime) => {
      await start([null]);
      const page = { symbol: 'BTC/INR', filter: { by: 'start', startTime } };
      await expect(Reflect.apply(exchange.firstPage.spotTrades, undefined, [page])).rejects.toThrow(
        'expected whole milliseconds since epoch, a Date, or text such as 2026-11-01',
      );
    },
  );
});

test('a first page claims its rows, and not that they are all', async () => {
  await start([answer('200 OK', '[]')]);
  const { outcome } = await exchange.firstPage.spotTrades({ symbol: 'BTC/INR' });
  if (outcome.kind !== 'read') throw new Error(`It was ${outcome.kind}.`);
  expect(Object.keys(outcome.read).sort()).toEqual(['receivedAt', 'rows', 'sentAt']);
});

describe('a history is collected', () => {
  const kit = paperKit();
  const PAGE_MS = 60_000;

  async function connect({ url: baseUrl }: Meeting): Promise<void> {
    server = await startRawServer({});
    const { apiKey, secret } = ALICE;
    exchange = openExchange({ baseUrl, apiKey, secret, apiKeyHeader: API_KEY_HEADER, requestsPerSecond: FAST });
  }

  /** So many purchases, ten at a time, a minute apart, until an hour ago. */
  async function buy(meeting: Meeting, count: number): Promise<void> {
    const now = meeting.clock.now() - 3_600_000;
    for (let left = count; left > 0; left -= 10) {
      const at = now - left * 0.1 * PAGE_MS;
      const order = {
        kind: 'place-order',
        symbol: 'BTC/INR',
        at,
        terms: { type: 'LIMIT', price: '5000000.01' },
      } as const;
      for (let number = 0; number < 10; number += 1)
        await meeting.owner().act({ ...order, account: 'bob', side: 'sell', quantity: '0.00003' });
      await meeting.owner().act({ ...order, account: 'alice', side: 'buy', quantity: '0.0003' });
    }
  }

  test('530 of 530 trades, oldest first, and the next reading goes on behind them', async () => {
    const meeting = await kit.meet({ withOwner: true });
    await connect(meeting);
    await buy(meeting, 530);
    const from = new Date(meeting.clock.now() - 86_400_000);
    const first = await exchange.spotTrades({ symbol: 'BTC/INR', from }).collect();
    expect([first.outcome.kind, first.rows.length]).toEqual(['complete', 530]);
    expect(new Set(first.rows.map(({ tradeId }) => tradeId)).size).toBe(530);
    const times = first.rows.map(({ venueTime }) => venueTime);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    const next = await exchange.spotTrades({ symbol: 'BTC/INR', after: first.outcome }).collect();
    expect([next.outcome.kind, next.rows]).toEqual(['complete', []]);
  });

  test('a trade with oneself is two rows of one id', async () => {
    const meeting = await kit.meet({ withOwner: true, engine: { selfTrade: 'allow' } });
    await connect(meeting);
    const at = meeting.clock.now() - 3_600_000;
    const terms = { type: 'LIMIT', price: '5000000.01' } as const;
    const order = { kind: 'place-order', symbol: 'BTC/INR', account: 'alice', at, quantity: '0.001', terms } as const;
    for (const side of ['sell', 'buy'] as const) await meeting.owner().act({ ...order, side });
    const { rows } = await exchange.spotTrades({ symbol: 'BTC/INR', from: at - 60_000 }).collect();
    expect(rows.map(({ side }) => side).sort()).toEqual(['buy', 'sell']);
    expect(rows[0]?.tradeId).toBe(rows[1]?.tradeId);
  });
});
