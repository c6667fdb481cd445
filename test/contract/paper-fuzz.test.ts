// Random requests over real sockets: every answer is JSON with a code or a valid one, and no money comes or goes.
import http from 'node:http';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import { decimal, ZERO } from '../../src/domain/decimal.ts';
import type { PaperRequest } from '../../src/paper/messages.ts';
import { startPaperServer } from '../../src/paper/server.ts';
import { realClock } from '../../src/ports/real-clock.ts';
import { ENDPOINTS } from '../../src/venue/endpoints.ts';
import { errorCode } from '../../src/venue/error-codes.ts';
import type { EndpointName } from '../../src/venue/requests.ts';
import { ALICE, BOB, requestFor, smallSettings } from '../unit/paper/small-exchange.ts';
import { type Answer, send, sendRequest } from './paper-connection.ts';

const REQUESTS = 2_000;
const names = Object.keys(ENDPOINTS).filter((name): name is EndpointName => name in ENDPOINTS);
const name = fc.constantFrom(...names);
/** Creates come often enough that orders meet before a cancel sweeps them away. */
const mostlyCreate = fc.oneof({ arbitrary: fc.constant<EndpointName>('create'), weight: 2 }, name);

const plausible: Readonly<Record<string, fc.Arbitrary<string>>> = {
  symbol: fc.constantFrom('BTC/INR', 'ETH/INR', 'X/Y', 'btc', ''),
  limit: fc.constantFrom('1', '50', '51', 'x', '-1'),
  action: fc.constantFrom('BUY', 'SELL', 'SELL', 'hold'),
  type: fc.constantFrom('LIMIT', 'LIMIT', 'LIMIT', 'MARKET'),
  price: fc.integer({ min: 9_990, max: 10_010 }).map((ticks) => decimal(ticks).div(2).toFixed()),
  quantity: fc.integer({ min: 20, max: 2_000 }).map((lots) => decimal(lots).div(1_000).toFixed()),
  order_id: fc.integer({ min: 0, max: 400 }).map((step) => `1-${9_007_199_254_740_993n + BigInt(step)}-1`),
  orderId: fc.constantFrom('1-9007199254740993-1', '1--1', 'x'),
  fromId: fc.constantFrom('0', '9007199254740993001', '99999999999999999999999', 'x'),
  startTime: fc.constantFrom('0', '1', 'x', '99999999999999999999'),
  omitZeroBalances: fc.constantFrom('true', 'false', 'maybe'),
};
const text = fc.string({ unit: 'binary', maxLength: 30 }).map((value) => value.toWellFormed());
/** Mostly what the endpoint takes, now and then what nobody would send. */
const values = fc
  .record(
    Object.fromEntries(
      Object.entries(plausible).map(([key, arbitrary]) => [key, fc.oneof({ arbitrary, weight: 12 }, text)]),
    ),
  )
  .chain((all) =>
    fc.tuple(fc.constant(all), fc.subarray(Object.keys(all), { minLength: 0 }), fc.integer({ min: 0, max: 3 })),
  )
  .map(([all, some, luck]) => ({ all, some: Object.fromEntries(some.map((key) => [key, all[key] ?? ''])), luck }));

/** Signed right, with parameters that may be anything. */
const honest = fc.tuple(mostlyCreate, values, fc.constantFrom(ALICE, BOB)).map(([endpoint, given, key]) => {
  const wanted = ENDPOINTS[endpoint];
  const pick = (keys: readonly string[]) => Object.fromEntries(keys.map((field) => [field, given.all[field] ?? 'x']));
  const body = given.luck > 0 ? pick(Object.keys(wanted.body?.shape ?? {})) : given.some;
  const query = given.luck > 1 ? {} : given.luck > 0 ? pick(Object.keys(wanted.query.shape).slice(0, 1)) : given.some;
  return () => requestFor(endpoint, { query, body, key }, realClock.now());
});

const header = fc.constantFrom('application/json', 'text/plain', 'application/x-www-form-urlencoded', '');
/** Bytes that nobody signed. */
const wild = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'),
    path: fc.oneof(
      name.map((known) => ENDPOINTS[known].path),
      fc.webPath(),
    ),
    query: fc.webQueryParameters(),
    body: fc.option(fc.oneof(fc.json(), text)),
    contentType: header,
    apiKey: fc.constantFrom(ALICE.apiKey, 'x'),
  })
  .map(
    ({ contentType, apiKey, ...rest }) =>
      (): PaperRequest => ({
        ...rest,
        path: rest.path.startsWith('/') ? rest.path : `/${rest.path}`,
        headers: { 'content-type': contentType, 'x-exchange-apikey': apiKey },
        body: rest.method === 'GET' ? null : rest.body,
        ip: '',
      }),
  );

function complaint({ status, body }: Answer): string | null {
  const value: unknown = JSON.parse(body);
  if (status === 200) return null;
  const code = typeof value === 'object' && value !== null && 'code' in value ? Number(value.code) : Number.NaN;
  if (status < 400 || errorCode(code) === undefined) return `${status} ${body}`;
  return code === -4001 ? `The exchange broke: ${body}` : null;
}

test(`${REQUESTS} random requests`, async () => {
  const log = pino({ level: 'silent' });
  const settings = smallSettings({ exposeTruth: true });
  const server = await startPaperServer({
    settings,
    port: 0,
    host: '127.0.0.1',
    clock: realClock,
    log,
    stateFile: null,
  });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  const verdicts = new Map<number, number>();
  try {
    await fc.assert(
      fc.asyncProperty(fc.oneof({ arbitrary: honest, weight: 3 }, wild), async (make) => {
        const answer = await sendRequest(server.url, make(), agent);
        verdicts.set(answer.status, (verdicts.get(answer.status) ?? 0) + 1);
        expect(complaint(answer)).toBeNull();
      }),
      { numRuns: REQUESTS, seed: 20_260_101, endOnFailure: true },
    );
    const { accounts } = JSON.parse(
      (await send(server.url, { method: 'GET', target: '/paper/truth?others=true' })).body,
    );
    const total = (asset: string) =>
      accounts.reduce(
        (sum: typeof ZERO, { balances }: { balances: Record<string, { free: string; locked: string }> }) =>
          sum.add(balances[asset]?.free ?? 0).add(balances[asset]?.locked ?? 0),
        ZERO,
      );
    expect(['INR', 'BTC', 'ETH'].map((asset) => total(asset).toFixed())).toEqual(['2000000', '20', '0']);
    // The requests must have reached the market, or the test above says nothing.
    const fills = accounts.reduce((sum: number, account: { fillCount: number }) => sum + account.fillCount, 0);
    expect(fills).toBeGreaterThan(20);
    expect([...verdicts.keys()].sort()).toEqual(expect.arrayContaining([200, 400, 403, 404, 500]));
  } finally {
    agent.destroy();
    await server.close();
  }
});
