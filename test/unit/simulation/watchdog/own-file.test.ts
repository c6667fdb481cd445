// The file of own orders in memory: what another process reads of it, and what a power cut leaves.
import { expect, test } from '@jest/globals';
import { createOwnFile } from '../../../../simulation/watchdog/own-file.ts';
import type { JournalRecord, JournalStorage } from '../../../../src/ports/journal-storage.ts';
import { emptyDurable } from '../../../../src/trader/durable/durable.ts';

const NOBODY = emptyDurable();
const INTENT = { symbol: 'BTC/INR', side: 'buy', price: '1', quantity: '2', timestamp: 1, horizon: 9_000 };

function file() {
  let now = 1_000;
  const own = createOwnFile({ now: () => now, monotonic: () => now });
  own.begin(NOBODY);
  const storage = own.over({ append: () => {} } as unknown as JournalStorage);
  const append = (type: string, payload: object): void =>
    storage.append([{ type, payload: JSON.stringify(payload) } as unknown as JournalRecord]);
  const names = (): (string | null)[] => [...own.read().orders.open.values()].map(({ orderId }) => orderId);
  return { own, append, names, later: () => (now += 100) };
}

test('names what was sent, and says when it was last written', () => {
  const { own, append, names, later } = file();
  expect(names()).toEqual([]);
  later();
  append('intent', { ...INTENT, intentId: '1-1' });
  append('wallet-read', {});
  expect(names()).toEqual([null]);
  append('create-outcome', { intentId: '1-1', orderId: 'o1' });
  expect(names()).toEqual(['o1']);
  expect(own.read().writtenAt).toBe(1_100);
  expect(own.read().orders.horizon).toBe(9_000);
});

test('a power cut takes the name of an order, and never the create', () => {
  const { own, append, names } = file();
  append('intent', { ...INTENT, intentId: '1-1' });
  append('create-outcome', { intentId: '1-1', orderId: 'o1' });
  own.powerCut();
  expect(names()).toEqual([null]);
});

test('once all is proved gone it names nothing, and keeps the horizon', () => {
  const { own, append, names } = file();
  append('intent', { ...INTENT, intentId: '1-1' });
  own.forget();
  expect(names()).toEqual([]);
  expect(own.read().orders.horizon).toBe(9_000);
});

test('another process reads a copy', () => {
  const { own, names } = file();
  own.read().orders.open.set('x', { create: null, orderId: null });
  expect(names()).toEqual([]);
});
