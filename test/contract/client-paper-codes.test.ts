// The 47 codes of the specification, each answered to each of the 26 endpoints: status, outcome, remedy, and for a
// create what the answer proves. The table was written down from the specification by hand; the program's own table has
// no part in it.
import { describe, expect, test } from '@jest/globals';
import type { FailureRule } from '../../src/paper/wire/rate-limit.ts';
import { ERROR_CODES, type Remedy } from '../../src/venue/error-codes.ts';
import { type Meeting, paperKit } from './client-paper-kit.ts';
import { orderIdAt } from './client-paper-market.ts';
import { ENDPOINT_NAMES, goodRequest } from './client-paper-requests.ts';
import { verdictOf, wantedOf } from './client-paper-words.ts';

const kit = paperKit();

/** What the answer says of a create: no order came to be, or it says so without proving it, or it leaves that open. */
type Proof = 'proved' | 'said' | 'open';

/** `-1125 Maintenance.`, its status, the remedy, the proof. */
type CodeRow = readonly [name: string, status: number, remedy: Remedy, proof: Proof];

const CODES: readonly CodeRow[] = [
  ['-1125 Maintenance.', 503, 'retry', 'open'],
  ['-1404 Endpoint disabled.', 404, 'stop-all', 'proved'],
  ['-1000 Request could not be processed.', 500, 'retry', 'open'],
  ['-1001 Authentication credentials required.', 403, 'stop-all', 'proved'],
  ['-1003 Too many requests.', 429, 'retry', 'said'],
  ['-1009 Route validation failed.', 500, 'fix-request', 'open'],
  ['-1015 IP address not allowed.', 403, 'stop-all', 'proved'],
  ['-1021 Timestamp outside recvWindow.', 400, 'sync-clock', 'proved'],
  ['-1022 Invalid signature.', 403, 'stop-all', 'proved'],
  ['-1023 recvWindow must be positive and within the maximum.', 400, 'stop-all', 'proved'],
  ['-1102 Order id required.', 400, 'fix-request', 'open'],
  ['-1103 Symbol required.', 400, 'fix-request', 'proved'],
  ['-1104 Limit must be numeric.', 400, 'fix-request', 'open'],
  ['-1105 Limit outside allowed range.', 400, 'fix-request', 'open'],
  ['-1106 Timestamp parameter invalid.', 400, 'sync-clock', 'proved'],
  ['-1107 Start time must be before end time and within the allowed window.', 400, 'fix-request', 'open'],
  ['-1108 Status parameter invalid.', 400, 'fix-request', 'open'],
  ['-1109 Parameters cannot be used together.', 400, 'fix-request', 'open'],
  ['-1111 Asset format invalid.', 400, 'fix-request', 'open'],
  ['-1112 Action parameter invalid.', 400, 'fix-request', 'proved'],
  ['-1113 Order type parameter invalid.', 400, 'fix-request', 'proved'],
  ['-1114 Price parameter invalid.', 400, 'fix-request', 'proved'],
  ['-1115 Quantity parameter invalid.', 400, 'fix-request', 'proved'],
  ['-1121 Invalid symbol.', 400, 'stop-symbol', 'proved'],
  ['-1122 Invalid asset.', 400, 'fix-request', 'open'],
  ['-1123 Symbol format invalid, expected BASE/QUOTE.', 400, 'stop-symbol', 'proved'],
  ['-1124 Order id format invalid.', 400, 'fix-request', 'open'],
  ['-2003 Permission not granted.', 403, 'stop-all', 'proved'],
  ['-2004 Account cannot be identified for the key.', 403, 'stop-all', 'proved'],
  ['-2015 Invalid API key, IP or permissions.', 403, 'stop-all', 'proved'],
  ['-3000 Authentication error.', 500, 'stop-all', 'open'],
  ['-4001 Internal server error.', 500, 'retry', 'open'],
  ['-5001 Unable to fetch ticker data.', 500, 'retry', 'open'],
  ['-5002 Unable to fetch trades data.', 500, 'retry', 'open'],
  ['-5003 Unable to fetch order book data.', 500, 'retry', 'open'],
  ['-5004 Unable to fetch fees data.', 500, 'retry', 'open'],
  ['-5005 Unable to fetch wallet data.', 500, 'retry', 'open'],
  ['-5006 Unable to fetch crypto deposit data.', 500, 'retry', 'open'],
  ['-5007 Unable to fetch crypto withdrawal data.', 500, 'retry', 'open'],
  ['-5008 Unable to fetch fiat deposit data.', 500, 'retry', 'open'],
  ['-5009 Unable to fetch fiat withdrawal data.', 500, 'retry', 'open'],
  ['-5010 Unable to fetch open orders.', 500, 'retry', 'open'],
  ['-5011 Unable to fetch spot trade history.', 500, 'retry', 'open'],
  ['-5012 Unable to fetch simple buy/sell trade history.', 500, 'retry', 'open'],
  ['-5013 Unable to create spot order.', 500, 'retry', 'open'],
  ['-5014 Unable to cancel spot order.', 500, 'retry', 'open'],
  ['-5015 Unable to fetch market symbols.', 500, 'retry', 'open'],
];

const codeOf = (name: string): number => Number(name.split(' ')[0]);

const failing = (code: number, more: Partial<FailureRule> = {}): FailureRule => ({
  endpoint: null,
  code,
  skip: 0,
  times: null,
  processed: false,
  ...more,
});

/** Asks all 26, each with one good request; what became of each, and what was said. */
async function askAll(meeting: Meeting): Promise<{ readonly verdicts: object; readonly said: ReadonlySet<string> }> {
  const client = meeting.client();
  const verdicts: Record<string, string> = {};
  const said = new Set<string>();
  for (const name of ENDPOINT_NAMES) {
    const completed = await client.perform(goodRequest(name, client.stamp()));
    verdicts[name] = verdictOf(completed);
    if (completed.outcome.kind === 'rejected') said.add(completed.outcome.msg);
  }
  return { verdicts, said };
}

describe.each(['number', 'string'] as const)('code as %s', (codeAs) => {
  test.each(CODES)('%s', async (name, status, remedy, proof) => {
    const row = { code: codeOf(name), status, remedy, provesNotCreated: proof === 'proved' };
    const meeting = await kit.meet({ quirks: { codeAs } });
    const before = (await meeting.truth()).accounts;
    meeting.control({ failures: [failing(codeOf(name))] });
    const { verdicts, said } = await askAll(meeting);
    expect(verdicts).toEqual(Object.fromEntries(ENDPOINT_NAMES.map((endpoint) => [endpoint, wantedOf(endpoint, row)])));
    // Where the words reach the client, they are those of the specification.
    for (const sentence of said) expect(`${codeOf(name)} ${sentence}`).toBe(name);
    expect((await meeting.truth()).accounts).toEqual(before);
  });
});

test('the table above holds every documented code once, as the program knows it', () => {
  const byHand = CODES.map(([name, status, remedy, proof]) => [codeOf(name), status, remedy, proof === 'proved']);
  const known = ERROR_CODES.map(({ code, status, remedy, provesNotCreated }) => [
    code,
    status,
    remedy,
    provesNotCreated,
  ]);
  expect(byHand).toEqual(known);
});

// The venue did what it says it could not: an outcome that is not `rejected` leaves room for it, and the order is
// found.
const unproved = CODES.filter(([, , , proof]) => proof !== 'proved').map(([name]) => name);

test.each(unproved)('a create that is done and answered %s', async (name) => {
  const meeting = await kit.meet();
  const client = meeting.client();
  meeting.control({ failures: [failing(codeOf(name), { endpoint: 'create', processed: true, times: 1 })] });
  expect(['unknown', 'soft-rejected']).toContain((await client.create('BUY 0.00100 @ 4000000.00')).outcome.kind);
  expect(await client.openOrders()).toMatchObject([{ orderId: orderIdAt(0) }]);
  expect(await client.wallet()).toMatchObject({ INR: '9995981.12 + 4018.88' });
});

const failures = CODES.filter(([, status]) => status >= 429).map(([name]) => name);

test.each(failures)('a cancel that is done and answered %s', async (name) => {
  const meeting = await kit.meet();
  const client = meeting.client();
  const id = await client.place('BUY 0.00100 @ 4000000.00');
  meeting.control({ failures: [failing(codeOf(name), { endpoint: 'cancel', processed: true, times: 1 })] });
  expect(['unknown', 'throttled']).toContain((await client.cancel(id)).outcome.kind);
  expect(await client.openOrders()).toEqual([]);
});

test('which call fails: by endpoint, account, symbol, after some that go well, so many times', async () => {
  const meeting = await kit.meet();
  const client = meeting.client();
  const rule = failing(-5010, { endpoint: 'open-orders', account: 'alice', symbol: 'BTC/INR', skip: 1, times: 2 });
  meeting.control({ failures: [rule] });
  const asked: string[] = [];
  for (const symbol of ['BTC/INR', 'ETH/INR', 'BTC/INR', 'BTC/INR', 'BTC/INR']) {
    asked.push(verdictOf(await client.perform({ kind: 'open-orders', symbol, stamp: client.stamp() })));
  }
  const failed = 'rejected 500 -5010 retry';
  expect(asked).toEqual(['read', 'read', failed, failed, 'read']);
});

describe('the two answers with status 200 that are no success', () => {
  test('create: 200 with only a message, by the market, by a frozen symbol and by a frozen account', async () => {
    const meeting = await kit.meet();
    const client = meeting.client();
    const answers = [await client.create('BUY 2.00000 @ 5000000.00')];
    meeting.control({ frozenSymbols: ['BTC/INR'] });
    answers.push(await client.create('BUY 0.00100 @ 4000000.00'));
    meeting.control({ frozenSymbols: [], frozenAccounts: ['alice'] });
    answers.push(await client.create('BUY 0.00100 @ 4000000.00'));
    for (const { outcome, facts } of answers) {
      expect(outcome).toEqual({ kind: 'soft-rejected', msg: expect.stringMatching(/^\S.*\.$/) });
      expect(facts.status).toBe(200);
    }
    expect(await client.openOrders()).toEqual([]);
    expect(await client.wallet()).toMatchObject({ INR: '10000000 + 0' });
  });

  test.each(['cancel', 'cancel-symbol', 'cancel-all'] as const)(
    '%s: 200 with a message is all that it says',
    async (kind) => {
      const meeting = await kit.meet();
      const client = meeting.client();
      for (let order = 0; order < 4; order += 1) await client.place('BUY 0.00100 @ 4000000.00');
      const { outcome, facts } = await client.perform(goodRequest(kind, client.stamp()));
      expect(outcome).toEqual({ kind: 'acknowledged', msg: expect.stringMatching(/^\S.*\.$/) });
      expect(facts.status).toBe(200);
      expect(await client.openOrders()).toHaveLength(kind === 'cancel' ? 3 : 0);
    },
  );
});
