import { describe, expect, test } from '@jest/globals';
import { type ClientSettings, createExchangeClient } from '../../../src/client/exchange-client.ts';
import { Secret } from '../../../src/client/wire/secret.ts';
import { decimal } from '../../../src/domain/decimal.ts';
import { orderId } from '../../../src/domain/ids.ts';
import type { HttpRequest, Transport } from '../../../src/ports/transport.ts';
import { DIALECT } from '../../../src/venue/dialect.ts';
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
  const client = createExchangeClient({
    settings: {
      baseUrl: 'https://venue.example',
      ...(legacyBaseUrl !== null && { legacyBaseUrl }),
      dialect: { ...DIALECT, apiKeyHeader: 'X-KEY', openOrdersCaps: [] },
      key: new Secret('canary-key'),
      secret: new Secret('canary-secret'),
      userAgent: 'test',
      deadlineMs: 1_000,
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

  test.each([400, 403, 404, 405, 500, 418, 302])('with status %i has failed, whatever its body is', async (status) => {
    for (const body of ['', '<html>', { code: -1121, msg: 'Invalid symbol.' }, { error: { code: 2 } }, []]) {
      const { outcome } = await clientOf().answered(trades, { status, body });
      expect(outcome).toMatchObject({ kind: 'failed', fault: { sent: true, status } });
    }
  });

  test.each([429, 503, 504])('with status %i is throttled', async (status) => {
    const { outcome } = await clientOf().answered(trades, { status, body: '<html>', type: 'text/html' });
    expect(outcome).toEqual({ kind: 'throttled', status, retryAt: AT + SECOND });
  });

  test('with an error body and status 200 has failed: its codes mean nothing', async () => {
    const { outcome } = await clientOf().answered(trades, { body: { code: '-1121', msg: 'Invalid symbol.' } });
    expect(outcome).toMatchObject({ kind: 'failed', fault: { reason: 'bad-shape' } });
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
  const trade = (time: number) => ({ price: '5', qty: '1', time, isBuyerMaker: true });
  const legacyTrade = (created_at: string, index: number) => {
    return { created_at, funds: '5', price: '5', side: 'Buy', volume: '1', id: `${index + 7}`, market: 'btcinr' };
  };

  test.each<[string, VenueRequest, unknown]>([
    ['public trades', ask, [trade(AT - 5 * MINUTE + INDIA), trade(AT - 2 * HOUR + INDIA)]],
    [
      'legacy trades',
      { kind: 'legacy-trades', symbol },
      ['2023-11-15T03:38:20', '2023-11-15T01:43:20'].map(legacyTrade),
    ],
  ])('%s come out in true time, by the offset', async (_what, request, body) => {
    const { answered, now } = clientOf({ timeOffsetsMs: { 'public-trades': INDIA, 'legacy-trades': INDIA } });
    expect(minutesFrom(now(), (await answered(request, { body })).outcome)).toEqual([-5, -120]);
  });

  test('a depth comes out in true time', async () => {
    const { answered } = clientOf({ timeOffsetsMs: { 'legacy-depth': INDIA } });
    const body = { timestamp: (AT + INDIA) / SECOND, bids: [], asks: [] };
    const { outcome } = await answered({ kind: 'legacy-depth', symbol }, { body });
    expect(outcome).toMatchObject({ read: { rows: { venueTime: AT, bids: [], asks: [] } } });
  });

  test('a list without an offset stays as it is, however wrong it looks', async () => {
    const { answered, now } = clientOf({ timeOffsetsMs: { 'spot-trades': INDIA } });
    expect(minutesFrom(now(), (await answered(ask, { body: [trade(AT + INDIA)] })).outcome)).toEqual([330]);
  });

  test('an offset that no time zone has is refused at the start', () => {
    expect(() => clientOf({ timeOffsetsMs: { tickers: 7 } })).toThrow('The time offset of tickers is 7 ms');
  });
});
