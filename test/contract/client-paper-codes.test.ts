// The 47 codes of the specification, each answered to each of the 26 endpoints: status, outcome, remedy, and for a
// create what the answer proves. `venue/dialect.test.ts` holds the table that was written down by hand.
import { describe, expect, test } from '@jest/globals';
import { ERROR_CODES, type ErrorCode, provesNotCreated } from '../../src/venue/dialect.ts';
import { failing, type Meeting, paperKit } from './client-paper-kit.ts';
import { orderIdAt } from './client-paper-market.ts';
import { ENDPOINT_NAMES, goodRequest } from './client-paper-requests.ts';
import { verdictOf, wantedOf } from './client-paper-words.ts';

const kit = paperKit();

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

const name = ({ code, meaning }: ErrorCode): string => `${code} ${meaning}`;

test.each(ERROR_CODES.map((row) => [name(row), row] as const))('%s', async (said, row) => {
  const meeting = await kit.meet();
  const before = (await meeting.truth()).accounts;
  meeting.control(failing(row.code));
  const all = await askAll(meeting);
  expect(all.verdicts).toEqual(
    Object.fromEntries(ENDPOINT_NAMES.map((endpoint) => [endpoint, wantedOf(endpoint, row)])),
  );
  // Where the words reach the client, they are those of the specification.
  for (const sentence of all.said) expect(`${row.code} ${sentence}`).toBe(said);
  expect((await meeting.truth()).accounts).toEqual(before);
});

// The venue did what it says it could not: an outcome that is not `rejected` leaves room for it, and the order is
// found.
test.each(ERROR_CODES.filter((entry) => !provesNotCreated(entry)))(
  'a create that is done and answered $code',
  async ({ code }) => {
    const meeting = await kit.meet();
    const client = meeting.client();
    meeting.control(failing(code, { endpoint: 'create', processed: true, times: 1 }));
    expect(['unknown', 'soft-rejected']).toContain((await client.create('BUY 0.00100 @ 4000000.00')).outcome.kind);
    expect(await client.openOrders()).toMatchObject([{ orderId: orderIdAt(0) }]);
    expect(await client.wallet()).toMatchObject({ INR: '9995981.12 + 4018.88' });
  },
);

test.each(ERROR_CODES.filter(({ status }) => status >= 429))(
  'a cancel that is done and answered $code',
  async ({ code }) => {
    const meeting = await kit.meet();
    const client = meeting.client();
    const id = await client.place('BUY 0.00100 @ 4000000.00');
    meeting.control(failing(code, { endpoint: 'cancel', processed: true, times: 1 }));
    expect(['unknown', 'throttled']).toContain((await client.cancel(id)).outcome.kind);
    expect(await client.openOrders()).toEqual([]);
  },
);

test('which call fails: by endpoint, account, symbol, after some that go well, so many times', async () => {
  const meeting = await kit.meet();
  const client = meeting.client();
  const which = { endpoint: 'open-orders', account: 'alice', symbol: 'BTC/INR', skip: 1, times: 2 };
  meeting.control(failing(-5010, which));
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
