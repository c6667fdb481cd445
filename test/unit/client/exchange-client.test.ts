import { describe, expect, test } from '@jest/globals';
import { type ClientSettings, createExchangeClient, type ExchangeClient } from '../../../src/client/exchange-client.ts';
import { Secret } from '../../../src/client/wire/secret.ts';
import { decimal } from '../../../src/domain/decimal.ts';
import { orderId } from '../../../src/domain/ids.ts';
import type { HttpRequest, Transport } from '../../../src/ports/transport.ts';
import type { VenueRequest } from '../../../src/venue/requests.ts';
import { SAMPLES } from '../venue/sample-answers.ts';

const AT = 1_700_000_000_000;
const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const INDIA = 5.5 * HOUR;
const stamp = { timestamp: AT, recvWindow: 2_500 };
const symbol = 'BTC/INR';

interface Script {
  readonly status?: number;
  readonly body: unknown;
  /** Whether the answer has a `Date`. */
  readonly dated?: boolean;
  readonly type?: string;
  /** How long this program is busy with something else before it looks at the answer. */
  readonly heldMs?: number;
}

/** A client whose transport answers from a script, in a time that the test moves. */
function clientOf(settings: Partial<ClientSettings> = {}, legacyBaseUrl: string | null = 'https://old.example') {
  let now = AT;
  let script: Script = { body: null };
  const sent: HttpRequest[] = [];
  const send: Transport['send'] = async (request) => {
    sent.push(request);
    const { status = 200, body, dated = true, type = 'application/json', heldMs = 0 } = script;
    const headers = {
      'content-type': type,
      ...(dated && { date: new Date(Math.floor(now / SECOND) * SECOND).toUTCString() }),
    };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const at = now;
    now += heldMs;
    return { kind: 'response', status, headers, body: text, sentAt: at, receivedAt: at };
  };
  const client: ExchangeClient = createExchangeClient({
    settings: {
      baseUrl: 'https://venue.example',
      ...(legacyBaseUrl !== null && { legacyBaseUrl }),
      apiKeyHeader: 'X-KEY',
      key: new Secret('canary-key'),
      secret: new Secret('canary-secret'),
      signatureIn: 'query',
      userAgent: 'test',
      emptyValues: 'skip',
      percentEncoding: 'raw',
      openOrdersUncapped: true,
      deadlineMs: { read: 1_000, create: 1_000, cancel: 1_000 },
      ...settings,
    },
    transport: { send, close: () => undefined },
    clock: { now: () => now, monotonic: () => now - AT },
  });
  const answered = (request: VenueRequest, how: Script) => {
    script = how;
    return client.perform(request);
  };
  const wait = (ms: number): void => {
    now += ms;
  };
  return { client, answered, sent, wait, now: () => now };
}

/** A copy that may be looked into without asking what it is. */
const plainly = (value: unknown) => JSON.parse(JSON.stringify(value));

/** `venueTime` of each row, as minutes from now. */
function minutesFrom(now: number, outcome: unknown): number[] {
  const rows: { venueTime: number }[] = plainly(outcome).read.rows;
  return rows.map(({ venueTime }) => (venueTime - now) / MINUTE);
}

describe('every read', () => {
  test.each(Object.values(SAMPLES).map(({ request, body }) => ({ kind: request.kind, request, body })))(
    '$kind is answered as what it is',
    async ({ request, body }) => {
      const completed = await clientOf().answered(request, { body });
      expect(completed.kind).toBe(request.kind);
      expect(completed.request).toBe(request);
      expect(completed.outcome).toMatchObject({ kind: 'read', read: { complete: true } });
      expect(completed.facts).toMatchObject({ status: 200, venueDate: AT });
    },
  );
});

describe('every write', () => {
  const order = { symbol, side: 'buy', price: decimal('5'), quantity: decimal('1') } as const;
  test.each<[VenueRequest, unknown, string]>([
    [{ kind: 'create', order, stamp }, { data: { order_id: '1-7-1' } }, 'accepted'],
    [{ kind: 'cancel', orderId: orderId('1-7-1'), stamp }, { msg: 'ok' }, 'acknowledged'],
    [{ kind: 'cancel-symbol', symbol, stamp }, { msg: 'ok' }, 'acknowledged'],
    [{ kind: 'cancel-all', stamp }, { msg: 'ok' }, 'acknowledged'],
  ])('%j', async (request, body, outcome) => {
    const completed = await clientOf().answered(request, { body });
    expect(completed).toMatchObject({ kind: request.kind, outcome: { kind: outcome } });
  });
});

describe('the legacy interface', () => {
  const trades: VenueRequest = { kind: 'legacy-trades', symbol };

  test('is asked at its own address, without key or signature', async () => {
    const { answered, sent } = clientOf({ legacyPaths: 'sample' });
    await answered(trades, { body: [] });
    expect(sent[0]?.url).toBe('https://old.example/api/trades?market=btcinr');
    expect(JSON.stringify(sent)).not.toContain('canary');
  });

  test.each<[number, string]>([
    [400, 'HTTP 400: Invalid request.'],
    [403, 'HTTP 403: Data is for administrators only.'],
    [404, 'HTTP 404: Data not found.'],
    [405, 'HTTP 405: Invalid method.'],
    [500, 'HTTP 500: Server problem.'],
    [418, 'HTTP 418 without an error body.'],
    [302, 'HTTP 302: a redirect, not followed.'],
  ])('with status %i has failed, whatever its body is', async (status, detail) => {
    for (const body of ['', '<html>', { code: -1121, msg: 'Invalid symbol.' }, { error: { code: 2 } }, []]) {
      const { outcome } = await clientOf().answered(trades, { status, body });
      expect(outcome).toMatchObject({ kind: 'failed', fault: { sent: true, status, detail } });
    }
  });

  test.each([429, 503, 504])('with status %i is throttled', async (status) => {
    const { outcome } = await clientOf().answered(trades, { status, body: '<html>', type: 'text/html' });
    expect(outcome).toEqual({ kind: 'throttled', status, retryAt: AT + SECOND });
  });

  test('with an error body and status 200 has failed: its codes mean nothing', async () => {
    const { outcome } = await clientOf().answered(trades, { body: { code: '-1121', msg: 'Invalid symbol.' } });
    expect(outcome).toMatchObject({ kind: 'failed', fault: { reason: 'bad-shape' } });
    expect(outcome).not.toHaveProperty('fault.code');
  });

  test('that is not configured is not asked, and said', async () => {
    const { answered, sent } = clientOf({}, null);
    const { outcome } = await answered(trades, { body: [] });
    const detail = 'The address of the legacy interface is not configured: legacy-trades is not asked.';
    expect(outcome).toEqual({ kind: 'failed', fault: { sent: false, reason: 'aborted', detail } });
    expect(sent).toHaveLength(0);
  });
});

describe('times that the venue writes shifted', () => {
  const ask: VenueRequest = { kind: 'public-trades', symbol };
  const trade = (time: number, qty = '1') => ({ price: '5', qty, time, isBuyerMaker: true });

  test('public trades of Indian time (N5) come out in UTC, from the first answer on', async () => {
    const { answered, now } = clientOf();
    const body = [trade(AT - 5 * MINUTE + INDIA), trade(AT - 2 * HOUR + INDIA)];
    expect(minutesFrom(now(), (await answered(ask, { body })).outcome)).toEqual([-5, -120]);
  });

  test('it is told on what evidence', async () => {
    const { answered, client, wait } = clientOf();
    const offset = () => client.timeOffsets().find(({ kind }) => kind === 'public-trades');
    expect(offset()).toMatchObject({ appliedMs: 0, evidence: 'none', samples: 0 });
    const first = trade(AT - MINUTE + INDIA);
    await answered(ask, { body: [first] });
    expect(offset()).toMatchObject({ appliedMs: INDIA, evidence: 'at-least', samples: 1 });
    wait(10 * SECOND);
    await answered(ask, { body: [trade(AT + 5 * SECOND + INDIA, '2'), first] });
    expect(offset()).toMatchObject({ appliedMs: INDIA, evidence: 'proved', samples: 2, changes: 0 });
    expect(client.fieldTime('public-trades', AT)).toBe(AT + INDIA);
    expect(client.fieldTime('spot-trades', AT)).toBe(AT);
    expect(client.timeOffsets()).toHaveLength(17);
  });

  test('an answer that had to wait for this program is none of another clock', async () => {
    const { answered, client } = clientOf();
    await answered({ kind: 'symbols' }, { body: [] });
    await answered(ask, { body: [trade(AT - MINUTE + INDIA)], heldMs: 2 * MINUTE });
    expect(client.timeOffsets().find(({ kind }) => kind === 'public-trades')?.evidence).toBe('at-least');
  });

  test('an unshifted list stays as it is, and so does one without a Date', async () => {
    const { answered, now } = clientOf();
    const young = { body: [trade(AT - MINUTE)] };
    expect(minutesFrom(now(), (await answered(ask, young)).outcome)).toEqual([-1]);
    const undated = { body: [trade(AT + INDIA)], dated: false };
    expect(minutesFrom(now(), (await answered(ask, undated)).outcome)).toEqual([330]);
  });

  test.each([
    ['of Indian time', '2023-11-15T03:42:20', -1],
    ['of UTC', '2023-11-14T22:12:20', -1],
  ])('legacy trades %s (Q17) come out in UTC', async (_name, created_at, minutes) => {
    const { answered, now } = clientOf();
    const row = { created_at, funds: '5', price: '5', side: 'Buy', volume: '1', id: '7', market: 'btcinr' };
    const { outcome } = await answered({ kind: 'legacy-trades', symbol }, { body: [row] });
    expect(minutesFrom(now(), outcome)).toEqual([minutes]);
  });

  test('a depth of Indian time comes out in UTC', async () => {
    const { answered } = clientOf();
    const body = { timestamp: (AT + INDIA) / SECOND, bids: [], asks: [] };
    const { outcome } = await answered({ kind: 'legacy-depth', symbol }, { body });
    expect(outcome).toMatchObject({ read: { rows: { venueTime: AT, bids: [], asks: [] } } });
  });

  test('a configured shift wins', async () => {
    const { answered, client, now } = clientOf({ timeOffsetsMs: { 'public-trades': HOUR, 'spot-trades': INDIA } });
    const { outcome } = await answered(ask, { body: [trade(AT)] });
    expect(minutesFrom(now(), outcome)).toEqual([-60]);
    expect(client.fieldTime('spot-trades', AT)).toBe(AT + INDIA);
    expect(client.timeOffsets().filter(({ configured }) => configured)).toHaveLength(2);
  });

  test('a shift that is none is refused at start', () => {
    expect(() => clientOf({ timeOffsetsMs: { tickers: 7 } })).toThrow('The time offset of tickers is 7 ms');
  });

  test('an order of our own proves the shift of open orders, a day later too', async () => {
    const { answered, client, wait, now } = clientOf();
    const order = { symbol, side: 'buy', price: decimal('5'), quantity: decimal('1') } as const;
    await answered({ kind: 'create', order, stamp }, { body: { data: { order_id: '1-7-1' } } });
    wait(24 * HOUR);
    const [sample] = plainly(SAMPLES['open-orders'].body);
    const row = { ...sample, orderId: '1-7-1', time: AT + 50 + INDIA };
    const { outcome } = await answered({ kind: 'open-orders', stamp }, { body: [row] });
    expect(client.timeOffsets().find(({ kind }) => kind === 'open-orders')?.evidence).toBe('proved');
    expect(Math.round(minutesFrom(now(), outcome)[0] ?? 0)).toBe(-24 * 60);
  });

  test('the same question with another stamp is the same question', async () => {
    const { answered, client, wait } = clientOf();
    const fill = (id: string, time: number) => ({ ...plainly(SAMPLES['spot-trades'].body)[0], id, time });
    const question = { kind: 'spot-trades', symbol, filter: { by: 'symbol' } } as const;
    await answered({ ...question, stamp }, { body: [fill('1', AT - MINUTE)] });
    wait(10 * SECOND);
    const body = [fill('2', AT + 5 * SECOND), fill('1', AT - MINUTE)];
    await answered({ ...question, stamp: { ...stamp, timestamp: AT + 10 * SECOND } }, { body });
    expect(client.timeOffsets().find(({ kind }) => kind === 'spot-trades')?.evidence).toBe('proved');
  });
});
