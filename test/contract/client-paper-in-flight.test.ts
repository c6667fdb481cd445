// What is on its way while something else happens, as the client sees it: between gate and book, and between a cancel's
// answer and its effect (Q7, Q21, F26).
import { describe, expect, test } from '@jest/globals';
import type { Quirks } from '../../src/paper/wire/quirks.ts';
import { paperKit } from './client-paper-kit.ts';
import { BOB, orderIdAt } from './client-paper-market.ts';
import { orderOf, verdictOf } from './client-paper-words.ts';

const kit = paperKit();
/** Longer than a busy machine takes for a few requests, also where it stands still a while. */
const LAG_MS = 6_000;
const order = orderOf('BUY 0.00100 @ 4000000.00');

describe('Q7: a stamp that is too old when the order reaches the book', () => {
  test.each<[Quirks['recvWindowChecked'], number, string]>([
    ['gate', LAG_MS, 'accepted'],
    ['both', LAG_MS, 'rejected 400 -1021 sync-clock'],
    ['both', 0, 'accepted'],
  ])('create: checked at %s, %i ms on its way: %s', async (recvWindowChecked, matchingLagMs, verdict) => {
    const meeting = await kit.meet({ quirks: { recvWindowChecked, matchingLagMs } });
    const client = meeting.client();
    const stamp = { timestamp: client.stamp().timestamp, recvWindow: LAG_MS - 200 };
    expect(verdictOf(await client.perform({ kind: 'create', order, stamp }))).toBe(verdict);
    expect(await client.openOrders()).toHaveLength(verdict === 'accepted' ? 1 : 0);
    expect((await client.wallet()).INR).toBe(verdict === 'accepted' ? '9995981.12 + 4018.88' : '10000000 + 0');
  });
});

describe('Q21: a create that is on its way while everything is canceled', () => {
  test.each<[Quirks['creationsDuringCancel'], 'cancel-all' | 'cancel-symbol', string, number]>([
    ['land-after', 'cancel-all', 'accepted', 1],
    ['land-after', 'cancel-symbol', 'accepted', 1],
    ['canceled', 'cancel-all', 'soft-rejected', 0],
    ['canceled', 'cancel-symbol', 'soft-rejected', 0],
  ])('%s, %s: the create is %s', async (creationsDuringCancel, kind, verdict, open) => {
    const meeting = await kit.meet({ withOwner: true });
    const client = meeting.client();
    await client.place('BUY 0.00100 @ 4000000.00');
    meeting.control({ quirks: { ...meeting.quirks(), matchingLagMs: LAG_MS, creationsDuringCancel } });
    const created = client.create('BUY 0.00200 @ 4000000.00');
    const other = client.create('SELL 1.0000 @ 400000.00 ETH/INR');
    while ((await meeting.owner().inFlight()) < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    const canceled = await (kind === 'cancel-all' ? client.cancelAll() : client.cancelSymbol());
    expect(verdictOf(canceled)).toBe('acknowledged');
    expect(await client.openOrders()).toEqual([]);
    expect(verdictOf(await created)).toBe(verdict);
    // A cancel by symbol is none of another symbol's business.
    const spared = creationsDuringCancel === 'land-after' || kind === 'cancel-symbol';
    expect(verdictOf(await other)).toBe(spared ? 'accepted' : 'soft-rejected');
    expect(await client.openOrders('BTC/INR')).toHaveLength(open);
    expect(await client.openOrders('ETH/INR')).toHaveLength(spared ? 1 : 0);
  });
});

describe('F26: a cancel that is acknowledged and not yet done', () => {
  test('cancel: the order is listed, and can be filled, until then', async () => {
    const meeting = await kit.meet({ quirks: { cancelLagMs: 60_000 } });
    const [client, bob] = [meeting.client(), meeting.client({ key: BOB })];
    const id = await client.place('BUY 0.00300 @ 5000000.00');
    expect(verdictOf(await client.cancel(id))).toBe('acknowledged');
    expect(await client.openOrders()).toMatchObject([{ orderId: id, status: 'NEW' }]);
    await bob.place('SELL 0.00100 @ 5000000.00');
    expect(await client.openOrders()).toMatchObject([{ orderId: id, status: 'PARTIALLY_FILLED' }]);
    meeting.skip(60_000);
    expect(await client.openOrders()).toEqual([]);
    expect(await client.fills({ by: 'order', orderId: id })).toHaveLength(1);
    expect((await client.wallet()).BTC).toBe('10.001 + 0');
  });

  test('cancel-all: what was created after it is hit as well, for it comes later', async () => {
    const meeting = await kit.meet({ quirks: { cancelLagMs: 60_000 } });
    const client = meeting.client();
    await client.place('BUY 0.00100 @ 4000000.00');
    await client.cancelAll();
    expect(await client.place('BUY 0.00200 @ 4000000.00')).toBe(orderIdAt(1));
    meeting.skip(60_000);
    expect(await client.openOrders()).toEqual([]);
  });

  test('cancel: of one that is on its way out already is acknowledged again, and is one cancel', async () => {
    const meeting = await kit.meet({ quirks: { cancelLagMs: 60_000, cancelOfClosed: 'rejected' } });
    const client = meeting.client();
    const id = await client.place('BUY 0.00100 @ 4000000.00');
    expect([await client.cancel(id), await client.cancel(id)].map(verdictOf)).toEqual(['acknowledged', 'acknowledged']);
    meeting.skip(60_000);
    expect(verdictOf(await client.cancel(id))).toBe('unknown 500 -5014');
    expect(await client.wallet()).toMatchObject({ INR: '10000000 + 0' });
  });
});
