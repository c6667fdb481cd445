// No key, secret or signature comes out of client or server. The kit looks at every answer, outcome and log line of
// every test; here is proof that it would see one, and what it can't see from outside.
import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { expectNoSecret, paperKit } from './client-paper-kit.ts';
import { ALICE, ECHOED } from './client-paper-market.ts';
import { withUrl } from './client-paper-tamper.ts';
import { verdictOf } from './client-paper-words.ts';
import { send } from './paper-connection.ts';

const kit = paperKit();

test.each([ALICE.apiKey, ALICE.secret, 'ab12'])('the kit’s eye sees %s', (secret) => {
  const signatures = new Set(['ab12']);
  expect(() => expectNoSecret(`… ${secret} …`, signatures)).toThrow();
  expect(() => expectNoSecret('nothing', signatures)).not.toThrow();
});

describe('the exchange', () => {
  test('says in its log that it opens and closes, and nothing of who asked what', async () => {
    const meeting = await kit.meet();
    const client = meeting.client();
    await client.place('BUY 0.00100 @ 4000000.00');
    await client.create('BUY 0.00100 @ 4000000.001');
    await meeting.client({ key: { ...ALICE, secret: 'another' } }).cancelAll();
    await meeting.client({ tamper: withUrl((url) => `${url}&x=%zz`) }).cancelAll();
    await meeting.stop();
    expect(meeting.log.map((line) => JSON.parse(line).msg)).toEqual([
      'The paper exchange is open.',
      'The paper exchange is closed.',
    ]);
  });

  test('shows no key on its own paths', async () => {
    const meeting = await kit.meet();
    for (const target of ['/paper/health', '/paper/truth?others=true&fills=true']) {
      expectNoSecret((await send(meeting.url, { method: 'GET', target })).body, new Set());
    }
  });
});

describe('the client', () => {
  test('masks what the exchange says of its key', async () => {
    const meeting = await kit.meet();
    const client = meeting.client({ key: ECHOED });
    const stamp = client.stamp();
    const completed = await client.perform({ kind: 'open-orders', symbol: 'ETH/INR', stamp });
    expect(verdictOf(completed)).toBe('read');
    const refused = await client.cancelSymbol(ECHOED.apiKey);
    // The request that the caller made holds the symbol; what came back does not.
    expect(meeting.heard.at(-1)).toContain(ECHOED.apiKey);
    expect(refused.outcome).toMatchObject({ kind: 'rejected', msg: 'The symbol [secret] is not traded here.' });
  });

  test('tells of a server that has gone without showing what it was asked', async () => {
    const meeting = await kit.meet();
    const client = meeting.client();
    await client.openOrders();
    await meeting.stop();
    for (const completed of [await client.create('BUY 0.00100 @ 4000000.00'), await client.cancelAll()]) {
      expect(['not-sent', 'unknown']).toContain(completed.outcome.kind);
      expect(inspect(completed.outcome, { depth: 9 })).not.toContain('/api/');
    }
  });
});
