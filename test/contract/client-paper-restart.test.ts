// An exchange that is stopped and started again from its file, as a client sees it: every list as it was, to the last
// digit.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { type Meeting, paperKit } from './client-paper-kit.ts';
import { BOB } from './client-paper-market.ts';
import { enrich, everything } from './client-paper-rich.ts';

const kit = paperKit();
const newFile = () => path.join(mkdtempSync(path.join(tmpdir(), 'paper-contract-')), 'exchange.json');
/** Of everything that an owner can do, something that is not yet done. */
async function fill(meeting: Meeting): Promise<void> {
  await enrich(meeting);
  const owner = meeting.owner();
  const order = { kind: 'place-order', account: 'alice', symbol: 'BTC/INR', side: 'sell', quantity: '0.02' } as const;
  await owner.act({ ...order, terms: { type: 'LIMIT', price: '6000000' } });
  await owner.act({ ...order, terms: { type: 'STOP_LIMIT', price: '3900000', stopPrice: '4000000' } });
  await owner.act({ ...order, terms: { type: 'STOP_MARKET', stopPrice: '4100000' } });
  await owner.act({ kind: 'lock', account: 'alice', asset: 'BTC', purpose: 'staking', amount: '0.5' });
  await owner.act({ kind: 'lock', account: 'alice', asset: 'INR', purpose: 'otc', amount: '1000.00000001' });
  await owner.act({ kind: 'asset-settings', asset: 'BTC', name: 'Bitcoin', status: 'INACTIVE', networks: [] });
  await owner.act({ kind: 'credit', account: 'alice', asset: 'DOGE', amount: '7' });
  const moved = { account: 'alice', asset: 'ETH', network: 'ETH', amount: '3', fee: '0.01' };
  await owner.act({ kind: 'crypto-withdrawal', ...moved });
  await owner.act({ kind: 'sbs-trade', account: 'alice', coin: 'DOGE', side: 'buy', price: '12.5', quantity: '2' });
}

test('all lists are what they were', async () => {
  const stateFile = newFile();
  const first = await kit.meet({ stateFile, withOwner: true });
  await fill(first);
  const before = await everything(first.client());
  await first.stop();
  const second = await kit.meet({ stateFile, withOwner: true });
  expect(second.instanceId).toBe(first.instanceId);
  expect(await everything(second.client())).toEqual(before);
});

test('what was begun goes on: transfers end, stops are triggered, ids follow each other', async () => {
  const stateFile = newFile();
  const first = await kit.meet({ stateFile, withOwner: true });
  const moved = { account: 'alice', asset: 'ETH', network: 'ETH', amount: '3', fee: '0.01' };
  const transferId = await first.owner().begins({ kind: 'crypto-withdrawal', ...moved });
  const stop = { type: 'STOP_MARKET', stopPrice: '5000000' } as const;
  const order = {
    kind: 'place-order',
    account: 'alice',
    symbol: 'BTC/INR',
    side: 'sell',
    quantity: '0.02',
    terms: stop,
  } as const;
  const stopId = await first.owner().makes(order);
  await first.client({ key: BOB }).place('BUY 0.03000 @ 4999999.00');
  const last = await first.client().place('BUY 0.00100 @ 4000000.00');
  await first.stop();

  const second = await kit.meet({ stateFile, withOwner: true });
  const [client, bob] = [second.client(), second.client({ key: BOB })];
  await second.owner().act({ kind: 'end-transfer', transferId, outcome: 'failed' });
  await bob.place('SELL 0.00100 @ 4999999.00');
  expect((await client.fills()).map(({ orderId }) => orderId)).toEqual([stopId]);
  expect(await client.openOrders()).toMatchObject([{ orderId: last }]);
  const next = await client.place('BUY 0.00100 @ 4000000.00');
  expect(BigInt(next.split('-')[1] ?? '') > BigInt(last.split('-')[1] ?? '') + 1n).toBe(true);
  expect((await client.wallet()).ETH).toBe('100 + 0');
});
