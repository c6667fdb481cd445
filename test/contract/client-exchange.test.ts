import { createHmac } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { type ClientSettings, createExchangeClient } from '../../src/client/exchange-client.ts';
import { createGotTransport } from '../../src/client/transport/got-transport.ts';
import { Secret } from '../../src/client/wire/secret.ts';
import { decimal } from '../../src/domain/decimal.ts';
import { orderId } from '../../src/domain/ids.ts';
import { realClock } from '../../src/ports/clock.ts';
import type { Venue } from '../../src/ports/transport.ts';
import { DIALECT } from '../../src/venue/dialect.ts';
import type { Completed } from '../../src/venue/outcomes.ts';
import type { VenueRequest } from '../../src/venue/requests.ts';
import { answer, type Delivery, type RawServer } from './client-raw-server.ts';
import { transportKit } from './client-transport-kit.ts';

const KEY = 'canary-key-41aa';
const SECRET = 'canary-secret-9c0d';
const symbol = 'BTC/INR';
const stamp = { timestamp: 1_700_000_000_000, recvWindow: 2_500 };
const order = { symbol, side: 'buy' as const, price: decimal('5000000.1'), quantity: decimal('0.001') };
const create: VenueRequest = { kind: 'create', order, stamp };
const openOrders: VenueRequest = { kind: 'open-orders', symbol, stamp };
const kit = transportKit();

function clientOf(url: string, more: Partial<ClientSettings> = {}): Venue {
  const settings: ClientSettings = {
    baseUrl: url,
    dialect: DIALECT,
    key: new Secret(KEY),
    secret: new Secret(SECRET),
    deadlineMs: 120_000,
    userAgent: 'quotekeeper/test',
    ...more,
  };
  const transport = createGotTransport({ baseUrls: [url] }, realClock);
  const client = createExchangeClient({ settings, transport, clock: realClock });
  kit.closing(() => client.close());
  return client;
}

type Answerer = (delivery: Delivery) => string;
const venueOf = (respond: Answerer): Promise<RawServer> =>
  kit.serverOf({ onRequest: (socket, delivery) => socket.write(respond(delivery)) });

/** Performs, and checks that nothing secret comes out. */
async function perform(client: Venue, request: VenueRequest): Promise<Completed> {
  const completed = await client.perform(request);
  const shown = inspect(completed, { depth: 12, showHidden: true }) + JSON.stringify(completed);
  for (const canary of [KEY, SECRET, 'signature=']) expect(shown).not.toContain(canary);
  return completed;
}

const only = (server: RawServer): string => {
  expect(server.deliveries).toHaveLength(1);
  return server.deliveries[0]?.text ?? '';
};

/** The specification's §5.4, once more and plainly, over what arrived. */
function signatureOver(text: string): string {
  const query = /^\S+ [^?]*\?(\S*)/.exec(text)?.[1] ?? '';
  const pairs = query.split('&').filter((pair) => !pair.startsWith('signature='));
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  const fields = body === '' ? [] : Object.entries<string>(JSON.parse(body)).map(([name, value]) => `${name}=${value}`);
  return createHmac('sha256', SECRET)
    .update(pairs.sort().join('&') + fields.sort().join('&'))
    .digest('hex');
}

describe('what arrives at the venue', () => {
  test('a create: method, path, sorted query, signature last, key in its header, JSON body', async () => {
    const server = await venueOf(() => answer('200 OK', '{"data":{"order_id":"1-7-1"}}'));
    const completed = await perform(clientOf(server.url), create);
    expect(completed).toMatchObject({ kind: 'create', outcome: { kind: 'accepted', orderId: '1-7-1' } });
    const text = only(server);
    const path = '/api/v1/spot/order/create?recvWindow=2500&timestamp=1700000000000';
    expect(text).toContain(`POST ${path}&signature=${signatureOver(text)} HTTP/1.1\r\n`);
    expect(text).toMatch(new RegExp(`\\r\\nx-exchange-apikey: ${KEY}\\r\\n`, 'i'));
    expect(text).toContain('\r\ncontent-type: application/json\r\n');
    expect(text).toContain('\r\nuser-agent: quotekeeper/test\r\n');
    expect(text).toMatch(
      /\{"symbol":"BTC\/INR","action":"BUY","type":"LIMIT","price":"5000000\.1","quantity":"0\.001"\}$/,
    );
  });

  test.each([
    ['raw', 'symbol=BTC/INR&'],
    ['encoded', 'symbol=BTC%2FINR&'],
  ] as const)('a symbol in the query, %s, is sent as it was signed', async (percentEncoding, sent) => {
    const server = await venueOf(() => answer('200 OK', '[]'));
    await perform(clientOf(server.url, { dialect: { ...DIALECT, percentEncoding } }), openOrders);
    const text = only(server);
    expect(text).toContain(sent);
    expect(text).toContain(`&signature=${signatureOver(text)} `);
  });

  test('the signature in a header, where the venue wants it there', async () => {
    const server = await venueOf(() => answer('200 OK', '[]'));
    await perform(
      clientOf(server.url, { dialect: { ...DIALECT, signatureIn: { header: 'X-EXCHANGE-SIGNATURE' } } }),
      openOrders,
    );
    const text = only(server);
    expect(text).not.toContain('signature=');
    expect(text).toMatch(new RegExp(`\\r\\nx-exchange-signature: ${signatureOver(text)}\\r\\n`, 'i'));
  });

  test('cancel-all has no body and no content type', async () => {
    const server = await venueOf(() => answer('200 OK', '{"msg":"ok"}'));
    const completed = await perform(clientOf(server.url), { kind: 'cancel-all', stamp });
    expect(completed.outcome).toEqual({ kind: 'acknowledged', msg: 'ok' });
    expect(only(server)).not.toContain('content-type');
    expect(only(server)).toMatch(/\r\n\r\n$/);
  });

  test('a public read carries neither key nor signature', async () => {
    const server = await venueOf(() => answer('200 OK', '["BTC/INR"]'));
    const completed = await perform(clientOf(server.url), { kind: 'symbols' });
    expect(completed).toMatchObject({
      kind: 'symbols',
      outcome: { kind: 'read', read: { rows: ['BTC/INR'], complete: true } },
    });
    expect(only(server)).toMatch(/^GET \/api\/v1\/public\/exchange\/symbols HTTP/);
    expect(only(server)).not.toContain(KEY);
  });

  test('a base URL may have a path, and a slash at its end', async () => {
    const server = await venueOf(() => answer('200 OK', '[]'));
    await perform(clientOf(server.url, { baseUrl: `${server.url}/gateway/` }), { kind: 'symbols' });
    expect(only(server)).toMatch(/^GET \/gateway\/api\/v1\/public\/exchange\/symbols HTTP/);
  });
});

describe('a venue that echoes the request', () => {
  const echo =
    (status: string) =>
    (delivery: Delivery): string =>
      answer(status, JSON.stringify({ code: -1022, msg: `Invalid: ${delivery.text} with ${SECRET}` }));

  test.each(['403 Forbidden', '200 OK', '429 Too Many', '500 Error'])(
    'in a %s does not get its secrets further',
    async (status) => {
      const server = await venueOf(echo(status));
      for (const request of [create, openOrders, { kind: 'cancel', orderId: orderId('1-7-1'), stamp } as const]) {
        const completed = await client(server).perform(request);
        const shown = inspect(completed, { depth: 12 });
        const signatures = server.deliveries.map(({ text }) => /signature=([0-9a-f]{64})/.exec(text)?.[1] ?? 'none');
        for (const canary of [KEY, SECRET, ...signatures]) expect(shown).not.toContain(canary);
      }
    },
  );

  test('in a soft rejection and in a row', async () => {
    const server = await venueOf(({ text }) =>
      answer('200 OK', text.includes('create') ? JSON.stringify({ msg: text }) : JSON.stringify([text])),
    );
    expect((await client(server).perform(create)).outcome.kind).toBe('soft-rejected');
    for (const request of [create, openOrders]) {
      expect(inspect(await client(server).perform(request), { depth: 12 })).not.toContain(KEY);
    }
  });

  const client = (server: RawServer): Venue => clientOf(server.url);
});

test('the client itself shows none of its secrets', () => {
  const client = clientOf('http://127.0.0.1:9');
  const shown = inspect(client, { depth: 12, showHidden: true }) + JSON.stringify(client);
  expect(shown).not.toContain(KEY);
  expect(shown).not.toContain(SECRET);
});

test('a deadline that is not above zero is refused at start', () => {
  const deadlineMs = 0;
  expect(() => clientOf('http://127.0.0.1:9', { deadlineMs })).toThrow('The deadline of requests is 0 ms');
});
