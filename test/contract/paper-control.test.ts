// The control interface over real sockets: every route does what it says, every refusal names its field.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { CONTROL_ROUTES } from '../../src/paper/control/routes.ts';
import type { PaperServer } from '../../src/paper/server/server.ts';
import { OWNER_ACTIONS, ownerActionSchema } from '../../src/paper/state/owner-actions.ts';
import { QUIRK_NAMES } from '../../src/paper/wire/quirks.ts';
import type { EndpointName } from '../../src/venue/requests.ts';
import { ALICE, orderBody, READER, type RequestOptions } from '../unit/paper/small-exchange.ts';
import { type Answer, raw, requestNow, send, sendRequest } from './paper-connection.ts';
import { startSmall } from './paper-servers.ts';

let server: PaperServer;
let control = '';
const lines: string[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });

beforeAll(async () => {
  server = await startSmall({ log, controlPort: 0 });
  control = server.controlUrl ?? '';
});
beforeEach(async () => {
  await ask('DELETE', '/faults');
});
afterAll(() => server.close());

interface Told {
  readonly status: number;
  /** What the answer holds; tests look at parts of it. */
  readonly value: unknown;
}

async function ask(method: string, path: string, body?: unknown): Promise<Told> {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await send(control, {
    method,
    target: path,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  });
  return { status: answer.status, value: JSON.parse(answer.body) };
}

const exchange = (name: EndpointName, options: RequestOptions = {}) =>
  sendRequest(server.url, requestNow(name, options));
const create = (order = 'BUY 1.000 @ 5000', key = ALICE) => exchange('create', { body: orderBody(order), key });
const verdict = ({ status, body }: Answer) => `${status} ${JSON.parse(body).code ?? 'ok'}`;

describe('the overview', () => {
  test('GET / lists every route with what it takes', async () => {
    const { status, value } = await ask('GET', '/');
    expect(status).toBe(200);
    expect(value).toEqual(
      CONTROL_ROUTES.map(({ method, path }) =>
        expect.objectContaining({ method, path, summary: expect.stringMatching(/\.$/) }),
      ),
    );
  });

  test.each(
    CONTROL_ROUTES.filter(({ example }) => example !== null).map(
      (route) => [`${route.method} ${route.path}`, route] as const,
    ),
  )('the example of %s is taken', async (_name, { method, path, example }) => {
    const own = JSON.parse(JSON.stringify(example).replaceAll('"owner"', '"alice"'));
    const { status, value } = await ask(method, path.replace(':asset', 'BTC'), own);
    expect({ status, value }).toMatchObject({ status: 200 });
    await ask('PATCH', '/controls', { frozenSymbols: [], clockOffsetMs: 0 });
    await ask('PATCH', '/quirks', { codeAs: 'number', openOrdersLagMs: 0 });
  });

  test.each(
    CONTROL_ROUTES.filter(({ method, path }) => method === 'GET' && !path.includes(':')).map(({ path }) => [path]),
  )('GET %s answers and changes nothing', async (path) => {
    const before = (await ask('GET', '/truth?fills=true&others=true')).value;
    expect((await ask('GET', path)).status).toBe(200);
    expect((await ask('GET', '/truth?fills=true&others=true')).value).toEqual({
      ...Object(before),
      at: expect.any(Number),
    });
  });
});

describe('refusals name the field, the value and what belongs there', () => {
  const credit = (account: string, amount: unknown) => ({ kind: 'credit', account, asset: 'INR', amount });

  test.each<[string, string, unknown, number, string]>([
    ['PATCH', '/quirks', { codeAs: 'text' }, 400, 'codeAs: "text" is not one of number, string.'],
    ['PATCH', '/quirks', { codeAS: 'string' }, 400, 'codeAS: is not known here.'],
    ['PATCH', '/quirks', { openOrdersCap: 0 }, 400, 'openOrdersCap: 0 is not a number of at least 1.'],
    ['PATCH', '/quirks', { matchingLagMs: 1.5 }, 400, 'matchingLagMs: 1.5 is not a whole number.'],
    ['PATCH', '/quirks', { signatureHeader: 'a b' }, 400, 'signatureHeader: "a b" is not the name of a header.'],
    ['PATCH', '/quirks', [], 400, 'The body: [] is not an object.'],
    ['PATCH', '/controls', { maintenance: 'yes' }, 400, 'maintenance: "yes" is not true or false.'],
    ['PATCH', '/controls', { frozenSymbols: ['X/Y'] }, 404, 'frozenSymbols[0]: "X/Y" is not one of BTC/INR, ETH/INR.'],
    ['PATCH', '/controls', { frozenAccounts: ['zoe'] }, 404, 'frozenAccounts[0]: "zoe" is not one of alice, bob.'],
    [
      'PATCH',
      '/controls',
      { rateLimits: { public: [{ requests: 0, perMs: 1 }] } },
      400,
      'rateLimits.public[0].requests: 0 is not a number of at least 1.',
    ],
    ['POST', '/faults', {}, 400, 'fault: missing; expected an object.'],
    [
      'POST',
      '/faults',
      { fault: { kind: 'explode' } },
      400,
      'fault.kind: "explode" is not one of drop, reset, delay, duplicate, status, code, body, truncate, drip.',
    ],
    [
      'POST',
      '/faults',
      { fault: { kind: 'status', status: 200, headers: { 'a b': 'c' } } },
      400,
      'fault.headers.a b: its name is not the name of a header.',
    ],
    [
      'POST',
      '/faults',
      { fault: { kind: 'body', body: 'ab', repeat: 2e8 } },
      400,
      'fault.repeat: 200000000 must leave the body under 200000000 characters.',
    ],
    ['DELETE', '/faults/fault-99', undefined, 404, 'id: there is no fault fault-99.'],
    ['POST', '/owner-actions', credit('alice', 5), 400, 'amount: 5 is not an amount as text, such as "0.25".'],
    ['POST', '/owner-actions', credit('alice', 'much'), 400, 'amount: "much" is not an amount such as "0.25".'],
    ['POST', '/owner-actions', credit('zoe', '5'), 409, 'There is no account zoe.'],
    [
      'POST',
      '/keys',
      { account: 'alice', secret: 'too short' },
      400,
      'secret: the value (not shown) is not 8 to 512 printable characters.',
    ],
    ['POST', '/keys', { account: 'zoe' }, 409, 'account: There is no account zoe to add a key to.'],
    ['POST', '/advance', { ms: 0 }, 400, 'ms: 0 is not a number of at least 1.'],
    ['POST', '/advance', { ms: 3_600_001 }, 400, 'ms: 3600001 is not a number of at most 3600000.'],
    ['GET', '/truth?fills=maybe', undefined, 400, 'fills: "maybe" is not one of true, false.'],
    ['GET', '/requests?limit=many', undefined, 400, 'limit: "many" is not a whole number.'],
    ['GET', '/state?x=1', undefined, 400, 'x: is not known here.'],
    ['GET', '/nothing', undefined, 404, 'There is no such route; GET / lists them.'],
    ['PUT', '/quirks', {}, 404, 'There is no such route; GET / lists them.'],
  ])('%s %s %j', async (method, path, body, status, error) => {
    const answer = await ask(method, path, body);
    expect(answer).toMatchObject({ status, value: { error: expect.stringContaining(error) } });
  });

  test('all of them at once', async () => {
    const { value } = await ask('PATCH', '/quirks', { codeAs: 1, retryAfter: 2, nothing: 3 });
    expect(value).toMatchObject({ fields: expect.arrayContaining(['codeAs', 'retryAfter', 'nothing']) });
  });

  test.each([
    ['{"ms":', 400],
    ['', 400],
    ['{"__proto__":{"ms":1}}', 400],
    [`{"ms":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400],
    [`{"ms":"${'9'.repeat(1_100_000)}"}`, 413],
  ])('a body of %.20s…', async (body, status) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await send(control, { method: 'POST', target: '/advance', headers, body });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body).error).toMatch(/\.$/);
  });

  test('bytes that are no HTTP end the connection, and it goes on', async () => {
    await raw(control, 'hello\r\n\r\n');
    expect((await ask('GET', '/state')).status).toBe(200);
  });
});

describe('what it changes', () => {
  test('a quirk counts from the next request on', async () => {
    await ask('PATCH', '/quirks', { codeAs: 'string' });
    expect((await exchange('open-orders', { key: READER })).body).toMatch(/"code":"-2003"/);
    await ask('PATCH', '/quirks', { codeAs: 'number' });
    expect((await exchange('open-orders', { key: READER })).body).toMatch(/"code":-2003/);
  });

  test('every quirk can be given back as it is', async () => {
    const { value } = await ask('GET', '/quirks');
    expect(Object.keys(Object(value)).sort()).toEqual([...QUIRK_NAMES].sort());
    expect(await ask('PATCH', '/quirks', value)).toEqual({ status: 200, value });
  });

  test.each<[string, object, EndpointName, string]>([
    ['maintenance', { maintenance: true }, 'wallet', '503 -1125'],
    ['a disabled endpoint', { disabledEndpoints: ['wallet'] }, 'wallet', '404 -1404'],
    ['a disabled endpoint, not the others', { disabledEndpoints: ['wallet'] }, 'open-orders', '200 ok'],
    ['a key without an account', { unidentifiedKeys: [ALICE.apiKey] }, 'wallet', '403 -2004'],
    ['a clock far ahead', { clockOffsetMs: 61_000 }, 'wallet', '400 -1021'],
    ['a rate limit', { rateLimits: { private: [{ requests: 1, perMs: 60_000 }] } }, 'wallet', '200 ok'],
  ])('%s', async (_what, change, name, expected) => {
    await ask('PATCH', '/controls', change);
    expect(verdict(await exchange(name))).toBe(expected);
    const calm = { maintenance: false, disabledEndpoints: [], unidentifiedKeys: [], clockOffsetMs: 0 };
    await ask('PATCH', '/controls', { ...calm, rateLimits: { public: [], private: [], legacy: [] } });
    expect(verdict(await exchange(name))).toBe('200 ok');
  });

  test('the clock offset is in the Date of every answer, also of those on the way', async () => {
    await ask('PATCH', '/controls', { clockOffsetMs: 3_600_000 });
    await ask('POST', '/faults', { fault: { kind: 'status', status: 503 } });
    for (const answer of [await exchange('symbols'), await exchange('symbols'), await exchange('symbols')]) {
      expect(Date.parse(answer.headers.date ?? '') - Date.now()).toBeGreaterThan(3_590_000);
    }
    await ask('PATCH', '/controls', { clockOffsetMs: 0 });
  });

  test('rate counts are reset', async () => {
    await ask('PATCH', '/controls', { rateLimits: { private: [{ requests: 1, perMs: 60_000 }] } });
    await ask('DELETE', '/rate-counts');
    const verdicts = [await exchange('wallet'), await exchange('wallet')].map(verdict);
    await ask('DELETE', '/rate-counts');
    verdicts.push(verdict(await exchange('wallet')));
    await ask('PATCH', '/controls', { rateLimits: { private: [] } });
    expect(verdicts).toEqual(['200 ok', '429 -1003', '200 ok']);
  });

  test('frozen: a create gets 200 {msg}', async () => {
    await ask('PATCH', '/controls', { frozenSymbols: ['BTC/INR'] });
    expect(JSON.parse((await create()).body)).toEqual({ msg: expect.any(String) });
    await ask('PATCH', '/controls', { frozenSymbols: [] });
  });

  test('a key comes and goes, and its secret is shown once and never logged', async () => {
    const { value } = await ask('POST', '/keys', { account: 'bob', permissions: ['wallet'] });
    const key = value as { apiKey: string; secret: string };
    expect(key).toMatchObject({ account: 'bob', apiKey: expect.stringMatching(/^paper-/), permissions: ['wallet'] });
    expect(verdict(await exchange('wallet', { key }))).toBe('200 ok');
    expect(verdict(await exchange('open-orders', { key }))).toBe('403 -2003');
    expect(JSON.stringify((await ask('GET', '/keys')).value)).not.toContain(key.secret);
    expect((await ask('DELETE', `/keys/${key.apiKey}`)).status).toBe(200);
    expect(verdict(await exchange('wallet', { key }))).toBe('403 -2015');
    expect((await ask('DELETE', `/keys/${key.apiKey}`)).status).toBe(404);
    expect(lines.join('')).not.toContain(key.secret);
  });

  test('a request without a body may say that it sends JSON', async () => {
    const apiKey = 'said-json-1';
    await ask('POST', '/keys', { account: 'bob', apiKey, secret: 'some-secret' });
    const headers = { 'content-type': 'application/json' };
    const target = new URL(`/keys/${apiKey}`, server.controlUrl ?? '');
    const deleted = await fetch(target, { method: 'DELETE', headers });
    expect([deleted.status, await deleted.text()]).toEqual([200, '{}\n']);
    const empty = await fetch(new URL('/keys', target), { method: 'POST', headers });
    expect([empty.status, await empty.text()]).toEqual([400, expect.stringContaining('"error"')]);
  });

  test('faults are counted and listed', async () => {
    await ask('POST', '/faults', { match: { endpoint: 'wallet' }, skip: 1, fault: { kind: 'status', status: 503 } });
    const statuses = [await exchange('wallet'), await exchange('wallet'), await exchange('wallet')].map(
      (each) => each.status,
    );
    expect(statuses).toEqual([200, 503, 200]);
    expect((await ask('GET', '/faults')).value).toMatchObject([
      { id: expect.stringMatching(/^fault-\d+$/), seen: 3, hits: 1 },
    ]);
  });
});

describe('what is true', () => {
  test('requests are labelled with the order that they became, and with the fault that befell them', async () => {
    const last = (await ask('GET', '/requests?limit=5000')).value as { number: number }[];
    const after = last.at(-1)?.number ?? 0;
    await ask('POST', '/faults', { match: { endpoint: 'create' }, fault: { kind: 'drop' } });
    await ask('POST', '/faults', { match: { endpoint: 'create' }, skip: 1, fault: { kind: 'duplicate' } });
    const dropped = requestNow('create', { body: orderBody('SELL 1.000 @ 6000') });
    await expect(sendRequest(server.url, dropped)).rejects.toThrow();
    await create('BUY 2.000 @ 4000');
    await create('BUY 1.0001 @ 4000');
    const { value } = await ask('GET', `/requests?after=${after}`);
    const id = expect.stringMatching(/^1-\d+-1$/);
    expect(value).toMatchObject([
      {
        endpoint: 'create',
        account: 'alice',
        symbol: 'BTC/INR',
        side: 'sell',
        fault: expect.any(String),
        outcomes: [{ status: 200, orderId: id }],
      },
      { side: 'buy', outcomes: [{ orderId: id }, { orderId: id }] },
      { fault: null, outcomes: [{ status: 400, code: -1115, orderId: null }] },
    ]);
    const timestamp = new URLSearchParams(dropped.query).get('timestamp');
    expect(value).toMatchObject([{ timestamp }, {}, {}]);
    expect(JSON.stringify(value)).not.toMatch(/signature|secret/);
    await exchange('cancel-all');
  });

  test('an owner acts, and the truth shows it', async () => {
    const before = (await ask('GET', '/truth')).value as { accounts: { balances: Record<string, { free: string }> }[] };
    const body = { kind: 'fiat-deposit', account: 'bob', amount: '5000.5', status: 'success' };
    expect((await ask('POST', '/owner-actions', body)).value).toMatchObject({ kind: 'transfer' });
    const after = (await ask('GET', '/truth')).value as typeof before;
    const free = (truth: typeof before) => Number(truth.accounts[1]?.balances.INR?.free);
    expect(free(after) - free(before)).toBeCloseTo(5000.5);
  });

  test('an account that was opened here trades', async () => {
    const keys = [{ apiKey: 'carol-key', secret: 'carol-secret' }];
    const body = { kind: 'open-account', account: 'carol', keys, balances: { INR: '10000' } };
    expect((await ask('POST', '/owner-actions', body)).status).toBe(200);
    const carol = { apiKey: 'carol-key', secret: 'carol-secret' };
    expect(verdict(await create('BUY 1.000 @ 1000', carol))).toBe('200 ok');
    expect((await ask('GET', '/state')).value).toMatchObject({ accounts: expect.arrayContaining(['carol']) });
  });

  test.each(Object.entries(OWNER_ACTIONS))('the example of %s is an action', (kind, { example }) => {
    expect(ownerActionSchema.safeParse({ kind, ...example }).error).toBeUndefined();
  });
});
