// Whatever befalls a message on its way, to each of the 26 endpoints: it is sent once, nothing is thrown, a read says
// that it failed, and a write is unknown unless nothing left.
import { describe, expect, test } from '@jest/globals';
import { addRule, faultOrderSchema, NO_DELIVERY_RULES } from '../../src/paper/delivery/delivery.ts';
import type { EndpointName } from '../../src/venue/requests.ts';
import { type Meeting, paperKit } from './client-paper-kit.ts';
import { BOB, orderIdAt } from './client-paper-market.ts';
import { ENDPOINT_NAMES, goodRequest } from './client-paper-requests.ts';
import { verdictOf } from './client-paper-words.ts';

const kit = paperKit();

const asJson = { 'content-type': 'application/json' };

const page = { 'content-type': 'text/html' };
const coded = (code: number) => `{"code":${code},"msg":"x"}`;

/** What befalls, and what a read, a create and a cancel make of it: the last also as a create, where it is not said. */
const FAULTS: readonly (readonly [what: string, fault: object, read: string, create: string, cancel?: string])[] = [
  ['reset before it was done', { kind: 'reset', processed: false }, 'failed', 'unknown'],
  ['reset after it was done', { kind: 'reset' }, 'failed', 'unknown'],
  ['closed without an answer', { kind: 'drop' }, 'failed', 'unknown'],
  ['cut after a byte of the body', { kind: 'truncate', atByte: 1 }, 'failed 200', 'unknown 200'],
  [
    'cut where no length is stated',
    { kind: 'truncate', atByte: 1, framing: 'until-close' },
    'failed 200',
    'unknown 200',
  ],
  ['504 with a page', status(504, '<html>', page), 'throttled 504', 'unknown 504'],
  ['502 with a page', status(502, '<html>', page), 'failed 502', 'unknown 502'],
  ['403 of a wall', status(403, '<html>', page), 'failed 403', 'unknown 403'],
  ['401 with a code that is none', status(401, coded(-401), asJson), 'failed 401 -401', 'unknown 401 -401'],
  ['418 with nothing', status(418, ''), 'failed 418', 'unknown 418'],
  [
    '408 with a documented code',
    status(408, coded(-1021), asJson),
    'rejected 408 -1021 sync-clock',
    'unknown 408 -1021',
  ],
  [
    '400 with the code of a failure',
    status(400, coded(-5013), asJson),
    'rejected 400 -5013 retry',
    'unknown 400 -5013',
    'rejected 400 -5013 retry',
  ],
  [
    '500 with the code of a refusal',
    status(500, coded(-1115), asJson),
    'rejected 500 -1115 fix-request',
    'unknown 500 -1115',
  ],
  ['301 to elsewhere', status(301, '', { location: 'http://127.0.0.1:9/' }), 'failed 301', 'unknown 301'],
  ['429 with nothing', status(429, ''), 'throttled 429', 'soft-rejected', 'throttled 429'],
  ['503 with nothing', status(503, ''), 'throttled 503', 'unknown 503'],
  ['200 with a page', { kind: 'body', body: '<html>', headers: page }, 'failed 200', 'unknown 200'],
  ['200 with nothing', { kind: 'body', body: '' }, 'failed 200', 'unknown 200'],
  ['200 with null', { kind: 'body', body: 'null' }, 'failed 200', 'unknown 200'],
];

function status(code: number, body: string, headers: object = {}): object {
  return { kind: 'status', status: code, body, headers };
}

function befalls(meeting: Meeting, fault: object, match: object = {}): void {
  meeting.control({ delivery: addRule(NO_DELIVERY_RULES, faultOrderSchema.parse({ match, times: null, fault })) });
}

function wanted(name: EndpointName, [, , read, create, cancel = create]: (typeof FAULTS)[number]): string {
  if (name === 'create') return create;
  if (name === 'cancel' || name === 'cancel-symbol' || name === 'cancel-all') return cancel;
  // The legacy interface has no codes that refuse.
  return name.startsWith('legacy-') ? read.replace(/^rejected (\d+ -\d+).*/, 'failed $1') : read;
}

describe('every endpoint', () => {
  test.each(FAULTS)('%s', async (...row) => {
    const meeting = await kit.meet();
    for (let order = 0; order < 4; order += 1) await meeting.client().place('BUY 0.00100 @ 4000000.00');
    let sent = 0;
    const client = meeting.client({
      tamper: (request) => {
        sent += 1;
        return request;
      },
    });
    befalls(meeting, row[1]);
    const verdicts: Record<string, string> = {};
    for (const name of ENDPOINT_NAMES)
      verdicts[name] = verdictOf(await client.perform(goodRequest(name, client.stamp())));
    expect(verdicts).toEqual(Object.fromEntries(ENDPOINT_NAMES.map((name) => [name, wanted(name, row)])));
    expect(sent).toBe(ENDPOINT_NAMES.length);
    meeting.control({ delivery: NO_DELIVERY_RULES });
    expect(verdictOf(await client.perform({ kind: 'symbols' }))).toBe('read');
  });
});

describe('create: what the answer says of the order’s id', () => {
  const body = (text: string) => ({ kind: 'body', body: text, processed: false });
  const named = (orderId: string) => ({ kind: 'accepted', orderId });

  test.each<[string, string, object]>([
    ['a number beyond 2^53, digit by digit', '{"data":{"order_id":9007199254740993}}', named('9007199254740993')],
    ['another shape', '{"data":{"order_id":"A-17"}}', named('A-17')],
    ['more than an id', '{"data":{"order_id":"1-7-1","price":1},"msg":"ok","x":[]}', named('1-7-1')],
    ['nothing', '{"data":{"order_id":""}}', { kind: 'unknown' }],
    ['zero', '{"data":{"order_id":0}}', { kind: 'unknown' }],
    ['null', '{"data":{"order_id":null}}', { kind: 'unknown' }],
    ['no data', '{"data":null}', { kind: 'unknown' }],
    ['data and a message', '{"data":{},"msg":"ok"}', { kind: 'unknown' }],
    ['a code with status 200', coded(-1115), { kind: 'unknown', fault: { status: 200 } }],
    ['a message alone', '{"msg":"no"}', { kind: 'soft-rejected', msg: 'no' }],
    ['a message with strangers', '{"msg":"no","reason":"risk"}', { kind: 'soft-rejected', msg: 'no' }],
    ['a list', '[]', { kind: 'unknown' }],
  ])('create: %s', async (_what, text, outcome) => {
    const meeting = await kit.meet();
    befalls(meeting, body(text), { endpoint: 'create' });
    expect((await meeting.client().create('BUY 0.00100 @ 4000000.00')).outcome).toMatchObject(outcome);
  });

  test('create: delivered twice there are two orders, and the answer names the first', async () => {
    const meeting = await kit.meet();
    befalls(meeting, { kind: 'duplicate' }, { endpoint: 'create', side: 'buy' });
    const client = meeting.client();
    expect(await client.place('BUY 0.00100 @ 4000000.00')).toBe(orderIdAt(0));
    expect((await client.openOrders()).map(({ orderId }) => orderId)).toEqual([orderIdAt(0), orderIdAt(1)]);
  });

  test('cancel: done, its answer lost; done again it is closed', async () => {
    const meeting = await kit.meet({ quirks: { cancelOfClosed: 'rejected' } });
    const [client, bob] = [meeting.client(), meeting.client({ key: BOB })];
    const id = await client.place('BUY 0.00100 @ 5000000.00');
    await bob.place('SELL 0.00040 @ 5000000.00');
    befalls(meeting, { kind: 'drop' }, { endpoint: 'cancel', symbol: 'BTC/INR', side: 'buy' });
    expect((await client.cancel(id)).outcome).toMatchObject({ kind: 'unknown', fault: { sent: true } });
    meeting.control({ delivery: NO_DELIVERY_RULES });
    expect(await client.openOrders()).toEqual([]);
    expect(verdictOf(await client.cancel(id))).toBe('unknown 500 -5014');
    expect(await client.fills({ by: 'order', orderId: id })).toHaveLength(1);
  });
});

describe('late answers', () => {
  test('an answer after the deadline: a read fails, a create is unknown, and the order exists', async () => {
    const meeting = await kit.meet();
    const settings = { deadlineMs: 2_000 };
    const client = meeting.client({ settings });
    befalls(meeting, { kind: 'delay', afterMs: 60_000 });
    const [read, created] = await Promise.all([
      client.perform({ kind: 'symbols' }),
      client.create('BUY 0.00100 @ 4000000.00'),
    ]);
    expect([read, created].map(verdictOf)).toEqual(['failed', 'unknown']);
    meeting.control({ delivery: NO_DELIVERY_RULES });
    expect(await meeting.client().openOrders()).toMatchObject([{ orderId: orderIdAt(0) }]);
  });

  test('a body that drips ends at the deadline, however often bytes come', async () => {
    const meeting = await kit.meet();
    const client = meeting.client({ settings: { deadlineMs: 150 } });
    befalls(meeting, { kind: 'drip', bytes: 1, everyMs: 20 });
    const { outcome, facts } = await client.perform({ kind: 'symbols' });
    expect(outcome.kind).toBe('failed');
    expect(facts.receivedAt - facts.sentAt).toBeLessThan(30_000);
  });
});
