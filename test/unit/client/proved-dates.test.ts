// Which clock the times of rows are compared with: a request that was taken says more than a `Date`
// (docs/decisions/0021).
import { describe, expect, test } from '@jest/globals';
import { createExchangeClient } from '../../../src/client/exchange-client.ts';
import { Secret } from '../../../src/client/wire/secret.ts';
import { HOUR, MINUTE, SECOND } from '../../../src/domain/time.ts';
import type { Transport } from '../../../src/ports/transport.ts';

const START = 1_700_000_000_000;
const INDIA = 5.5 * HOUR;

interface Order {
  readonly id: string;
  readonly madeAt: number;
}

/** An exchange that lists orders at their true times, shifted by `shiftMs`, and dates its answers as told. */
function exchangeOf({ shiftMs = 0 } = {}) {
  let now = START;
  let sleptMs = 0;
  let dateErrorMs: number | null = 0;
  const orders: Order[] = [];
  const row = ({ id, madeAt }: Order) => ({
    symbol: 'BTC/INR',
    orderId: id,
    ...{ price: '5', origQty: '1', executedQty: '0', remainingQty: '1', status: 'NEW', type: 'LIMIT', side: 'BUY' },
    time: madeAt + shiftMs,
  });
  const send: Transport['send'] = async () => {
    const date = dateErrorMs === null ? {} : { date: new Date(now + dateErrorMs).toUTCString() };
    const headers = { 'content-type': 'application/json', ...date };
    return {
      kind: 'response',
      status: 200,
      headers,
      body: JSON.stringify(orders.map(row)),
      sentAt: now,
      receivedAt: now,
    };
  };
  const client = createExchangeClient({
    settings: {
      baseUrl: 'https://venue.example',
      apiKeyHeader: 'X-KEY',
      key: new Secret('canary-key'),
      secret: new Secret('canary-secret'),
      signatureIn: 'query',
      userAgent: 'test',
      emptyValues: 'skip',
      percentEncoding: 'raw',
      openOrdersUncapped: true,
      deadlineMs: { read: SECOND, create: SECOND, cancel: SECOND },
    },
    transport: { send, close: () => undefined },
    clock: { now: () => now, monotonic: () => now - START - sleptMs },
  });
  return {
    at: (ms: number) => {
      now = START + ms;
    },
    /** The monotonic clock of this machine stands still meanwhile. */
    sleep: (ms: number) => {
      now += ms;
      sleptMs += ms;
    },
    dates: (errorMs: number | null) => {
      dateErrorMs = errorMs;
    },
    place: (id: string) => orders.push({ id, madeAt: now }),
    /** How far the time of each listed order is from when it was made. */
    async look(): Promise<number[]> {
      const stamp = { timestamp: now, recvWindow: 2_500 };
      const { outcome } = await client.perform({ kind: 'open-orders', stamp });
      if (outcome.kind !== 'read') throw new Error(outcome.kind);
      const rows = outcome.read.rows as readonly { orderId: string; venueTime: number }[];
      return rows.map(({ orderId, venueTime }) => venueTime - (orders.find(({ id }) => id === orderId)?.madeAt ?? 0));
    },
  };
}

describe('times of orders, as the first answers of a process show them', () => {
  test.each([
    ['two hours behind', -2 * HOUR],
    ['two hours ahead', 2 * HOUR],
    ['missing', null],
  ])('are true while the headers are %s, and after it', async (_name, errorMs) => {
    const exchange = exchangeOf();
    exchange.dates(errorMs);
    exchange.place('1-1-1');
    expect(await exchange.look()).toEqual([0]);
    exchange.at(MINUTE);
    exchange.place('1-2-1');
    expect(await exchange.look()).toEqual([0, 0]);
    exchange.dates(0);
    exchange.at(MINUTE + 20 * SECOND);
    exchange.place('1-3-1');
    expect(await exchange.look()).toEqual([0, 0, 0]);
  });

  test('a shift is learned and kept over headers that are hours off, and over a sleep of this machine', async () => {
    const exchange = exchangeOf({ shiftMs: INDIA });
    exchange.place('1-1-1');
    await exchange.look();
    exchange.at(10 * SECOND);
    exchange.place('1-2-1');
    expect(await exchange.look()).toEqual([0, 0]);
    for (const [second, errorMs] of [
      [20, -2 * HOUR],
      [200, -2 * HOUR],
      [400, 0],
    ] as const) {
      exchange.dates(errorMs);
      exchange.at(second * SECOND);
      expect(await exchange.look()).toEqual([0, 0]);
    }
    exchange.sleep(HOUR);
    exchange.place('1-3-1');
    expect(await exchange.look()).toEqual([0, 0, 0]);
  });
});
