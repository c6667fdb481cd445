// Another exchange of the kind, over real sockets: another header, two more codes, no own trades by id, no archive.
import { describe, expect, test } from '@jest/globals';
import { createExchangeClient } from '../../src/client/exchange-client.ts';
import { createGotTransport } from '../../src/client/transport/got-transport.ts';
import { Secret } from '../../src/client/wire/secret.ts';
import { decimal } from '../../src/domain/decimal.ts';
import { orderId, tradeId } from '../../src/domain/ids.ts';
import { realClock } from '../../src/ports/clock.ts';
import { DIALECT, type Dialect } from '../../src/venue/dialect.ts';
import type { VenueRequest } from '../../src/venue/requests.ts';
import { answer, type RawServer } from './client-raw-server.ts';
import { transportKit } from './client-transport-kit.ts';

const OTHER: Dialect = {
  ...DIALECT,
  name: 'other',
  apiKeyHeader: 'X-OTHER-KEY',
  signatureIn: { header: 'X-OTHER-SIGN' },
  errors: [
    ...DIALECT.errors,
    { code: 30_014, status: 400, kind: 'request', meaning: 'Not enough of an asset.' },
    { code: 51_001, status: 503, kind: 'maintenance', meaning: 'Back soon.' },
  ],
  lacks: ['spot-trades-historical'],
  tradesById: false,
  openOrdersCaps: [1],
};
const kit = transportKit();
const symbol = 'BTC/INR';
const stamp = { timestamp: 1_700_000_000_000, recvWindow: 2_500 };
const order = { symbol, side: 'buy' as const, price: decimal('5000000.1'), quantity: decimal('0.001') };
const create: VenueRequest = { kind: 'create', order, stamp };
const ROW = { symbol, orderId: '1-7-1', price: '1', origQty: '1', executedQty: '0', remainingQty: '1' };

/** Performs one request; the server answers with this status and body. */
async function performed(request: VenueRequest, { status = 200, body = [] as unknown, dialect = OTHER } = {}) {
  const server: RawServer = await kit.serverOf({
    onRequest: (socket) => socket.write(answer(String(status), JSON.stringify(body))),
  });
  const client = createExchangeClient({
    settings: {
      ...{ baseUrl: server.url, dialect, userAgent: 'quotekeeper/test' },
      ...{ key: new Secret('the-key-of-other'), secret: new Secret('the-secret-of-other') },
      deadlineMs: 120_000,
    },
    transport: createGotTransport({ baseUrls: [server.url] }, realClock),
    clock: realClock,
  });
  kit.closing(() => client.close());
  const { outcome } = await client.perform(request);
  return { outcome, sent: server.deliveries.map(({ text }) => text) };
}

test('key and signature go into its own headers', async () => {
  const { outcome, sent } = await performed(create, { body: { data: { order_id: '1-7-1' } } });
  expect(outcome).toEqual({ kind: 'accepted', orderId: orderId('1-7-1') });
  expect(sent[0]).toMatch(/^x-other-key: the-key-of-other\r$/im);
  expect(sent[0]).toMatch(/^x-other-sign: [0-9a-f]{64}\r$/im);
  expect(sent[0]).not.toMatch(/signature=|X-EXCHANGE/i);
});

describe('its own codes', () => {
  const poor = { status: 400, body: { code: 30_014, msg: 'Not enough INR.' } };
  const closed = { status: 503, body: { code: '51001', msg: 'Back soon.' } };

  test('prove that no order was created, which they don’t in another dialect', async () => {
    const refused = { kind: 'rejected', status: 400, code: 30_014, msg: 'Not enough INR.', refusal: 'request' };
    expect((await performed(create, poor)).outcome).toEqual(refused);
    expect((await performed(create, { ...poor, dialect: DIALECT })).outcome.kind).toBe('unknown');
  });

  test('have a kind, whatever the request was', async () => {
    expect((await performed({ kind: 'wallet', stamp }, closed)).outcome).toMatchObject({ refusal: 'maintenance' });
    const unknown = { kind: 'unknown', fault: { code: 51_001, refusal: 'maintenance' } };
    expect((await performed(create, closed)).outcome).toMatchObject(unknown);
  });
});

describe('a list that it does not have', () => {
  const archive = { kind: 'spot-trades-historical', symbol, filter: { by: 'symbol' }, stamp } as const;
  const fromId = { kind: 'spot-trades', symbol, filter: { by: 'from-id', fromId: tradeId('7') }, stamp } as const;

  test.each([archive, fromId])('is refused for good, without asking: %#', async (request) => {
    const { outcome, sent } = await performed(request);
    expect(outcome).toMatchObject({ kind: 'rejected', refusal: 'not-offered' });
    expect(sent).toEqual([]);
  });

  test('is not missed where a time serves: own trades from a known one on', async () => {
    const filter = { ...fromId.filter, since: 1_690_000_000_000 };
    const { outcome, sent } = await performed({ ...fromId, filter });
    expect(outcome).toMatchObject({ kind: 'read', read: { rows: [], complete: true } });
    expect(sent[0]).toContain('startTime=1690000000000');
    expect(sent[0]).not.toContain('fromId');
  });
});

test('a dialect without a refusal for what it lacks is refused itself', async () => {
  const dialect = { ...OTHER, errors: OTHER.errors.filter(({ kind }) => kind !== 'not-offered') };
  await expect(performed(create, { dialect })).rejects.toThrow('A dialect needs an error of the kind not-offered');
});

test('a list of open orders may be cut at its own page size', async () => {
  const body = [{ ...ROW, status: 'NEW', type: 'LIMIT', side: 'BUY', time: 1_700_000_000_000 }];
  const { outcome } = await performed({ kind: 'open-orders', symbol, stamp }, { body });
  expect(outcome).toMatchObject({ kind: 'read', read: { complete: false } });
});
