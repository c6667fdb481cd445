// The client is asked in true time. Filters go out as the venue writes its times, 5 h 30 min ahead here, and the rows
// come back in true time.
import { describe, expect, test } from '@jest/globals';
import { createExchangeClient } from '../../../src/client/exchange-client.ts';
import type { TimeOffsets } from '../../../src/client/times/answer-times.ts';
import { Secret } from '../../../src/client/wire/secret.ts';
import { tradeId } from '../../../src/domain/ids.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/domain/time.ts';
import type { Transport } from '../../../src/ports/transport.ts';
import { timeRange, tradeWindow } from '../../../src/venue/bounds.ts';
import { DIALECT } from '../../../src/venue/dialect.ts';
import type { ReadRequest, VenueRequest } from '../../../src/venue/requests.ts';

const NOW = 1_700_000_000_000;
const INDIA = 5.5 * HOUR;
const symbol = 'BTC/INR';
const stamp = { timestamp: NOW, recvWindow: 2_500 };
/** True moments of the account's trades, in minutes before now; the id of each is its place. */
const TRADES = [600, 400, 341, 340, 335, 20, 14, 3];

const window = (from: number, to: number) => {
  const made = tradeWindow(NOW - from * MINUTE, NOW - to * MINUTE);
  if (!made.ok) throw new Error(made.error);
  return made.value;
};

/** A venue that lists trades, and compares what it is asked with the times as it writes them. */
function venueOf(configured: TimeOffsets) {
  const asked: URL[] = [];
  const written = TRADES.map((minutes, index) => ({
    symbol,
    id: index + 1,
    orderId: `1-${index + 1}-1`,
    ...{ price: '5', qty: '1', quoteQty: '5', commission: '0', commissionAsset: 'INR', tds: '0' },
    time: NOW - minutes * MINUTE + INDIA,
    ...{ isBuyer: true, isMaker: true },
  }));
  const send: Transport['send'] = async ({ url }) => {
    const { searchParams } = new URL(url);
    asked.push(new URL(url));
    const bound = (name: string, absent: number): number => Number(searchParams.get(name) ?? absent);
    const rows = written.filter(
      ({ id, time }) => time >= bound('startTime', 0) && time <= bound('endTime', Infinity) && id >= bound('fromId', 0),
    );
    const headers = { 'content-type': 'application/json', date: new Date(NOW).toUTCString() };
    return { kind: 'response', status: 200, headers, body: JSON.stringify(rows), sentAt: NOW, receivedAt: NOW };
  };
  const venue = createExchangeClient({
    settings: {
      baseUrl: 'https://venue.example',
      dialect: { ...DIALECT, apiKeyHeader: 'X-KEY', openOrdersCaps: [] },
      key: new Secret('canary-key'),
      secret: new Secret('canary-secret'),
      userAgent: 'test',
      deadlineMs: SECOND,
      timeOffsetsMs: configured,
    },
    transport: { send, close: () => undefined },
    clock: { now: () => NOW, monotonic: () => 0 },
  });
  return { venue, asked };
}

const ALL: TimeOffsets = {
  'fiat-deposits': INDIA,
  'fiat-withdrawals': INDIA,
  'crypto-deposits': INDIA,
  'crypto-withdrawals': INDIA,
  'sbs-trades': INDIA,
};
type TradesKind = 'spot-trades' | 'spot-trades-historical';

async function minutesShown(kind: TradesKind, filter: ReadRequest<TradesKind>['filter']) {
  const { venue } = venueOf({ 'spot-trades': INDIA });
  const completed = await venue.perform({ kind, symbol, filter, limit: 50, stamp } as VenueRequest);
  if (completed.kind !== kind || completed.outcome.kind !== 'read') throw new Error(JSON.stringify(completed));
  expect(completed.request.filter).toBe(filter);
  return completed.outcome.read.rows.map(({ venueTime }) => (NOW - venueTime) / MINUTE);
}

describe.each(['spot-trades', 'spot-trades-historical'] as const)('%s', (kind) => {
  test.each([
    ['the look back over a quarter of an hour', { by: 'window', window: window(20, 5) } as const, [20, 14]],
    ['from a moment on', { by: 'start', startTime: NOW - 340 * MINUTE } as const, [340, 335, 20, 14, 3]],
    ['up to a moment', { by: 'end', endTime: NOW - 400 * MINUTE } as const, [600, 400]],
    ['from an id on', { by: 'from-id', fromId: tradeId('7') } as const, [14, 3]],
  ])('%s shows what happened then', async (_what, filter, expected) => {
    expect(await minutesShown(kind, filter)).toEqual(expected);
  });
});

test('transfers and conversions are asked as they are written, too', async () => {
  const { venue, asked } = venueOf(ALL);
  const made = timeRange(NOW - HOUR, NOW);
  if (!made.ok) throw new Error(made.error);
  const time = { by: 'range', range: made.value } as const;
  await venue.perform({ kind: 'fiat-deposits-historical', filter: { time }, stamp });
  await venue.perform({ kind: 'crypto-withdrawals', filter: { time, asset: 'BTC' }, stamp });
  const inWindow = { by: 'range', range: window(60, 0) } as const;
  await venue.perform({ kind: 'sbs-trades', symbol, filter: { time: inWindow }, stamp });
  const times = asked.map(({ searchParams }) => [searchParams.get('startTime'), searchParams.get('endTime')]);
  expect(times).toEqual(Array(3).fill([String(NOW - HOUR + INDIA), String(NOW + INDIA)]));
  expect(asked.map(({ searchParams }) => searchParams.get('timestamp'))).toEqual(Array(3).fill(String(NOW)));
});

test('a moment alone is moved as well, and a question without one is asked as it is', async () => {
  const { venue, asked } = venueOf(ALL);
  const until = { by: 'end', endTime: NOW - HOUR } as const;
  await venue.perform({ kind: 'fiat-withdrawals', filter: { time: until }, stamp });
  await venue.perform({ kind: 'crypto-deposits', filter: { time: { by: 'start', startTime: NOW - HOUR } }, stamp });
  await venue.perform({ kind: 'sbs-trades', symbol, filter: { time: { by: 'all' } }, stamp });
  const times = asked.map(({ searchParams }) => [searchParams.get('startTime'), searchParams.get('endTime')]);
  const moved = String(NOW - HOUR + INDIA);
  expect(times).toEqual([
    [null, moved],
    [moved, null],
    [null, null],
  ]);
});

test('an archive is written as its recent list, unless it has an offset of its own', async () => {
  const { venue, asked } = venueOf({ 'fiat-deposits': INDIA, 'spot-trades': INDIA, 'spot-trades-historical': HOUR });
  const from = { by: 'start', startTime: NOW - DAY } as const;
  await venue.perform({ kind: 'fiat-deposits-historical', filter: { time: from }, stamp });
  await venue.perform({ kind: 'spot-trades-historical', symbol, filter: from, stamp });
  const written = asked.map(({ searchParams }) => Number(searchParams.get('startTime')));
  expect(written).toEqual([NOW - DAY + INDIA, NOW - DAY + HOUR]);
});

test('nothing is asked of before 1970', async () => {
  const { venue, asked } = venueOf({ 'fiat-deposits': -HOUR });
  await venue.perform({ kind: 'fiat-deposits', filter: { time: { by: 'start', startTime: MINUTE } }, stamp });
  expect(asked[0]?.searchParams.get('startTime')).toBe('0');
});
