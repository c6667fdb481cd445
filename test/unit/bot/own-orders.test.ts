// The bot's record of its own orders: from the journal's records before a create is sent, and from the trader's state.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { memoryStorage } from '../../../src/backtest/memory-storage.ts';
import {
  keepOwnOrders,
  type OwnOrdersKeeper,
  ownOrdersFile,
  readOwnOrders,
  writeOwnOrders,
} from '../../../src/bot/state-folder/own-orders-file.ts';
import { decimal } from '../../../src/domain/decimal.ts';
import { intentId, orderId } from '../../../src/domain/ids.ts';
import { JournalError } from '../../../src/journal/chain.ts';
import type { JournalRecord } from '../../../src/ports/journal-storage.ts';
import { type Durable, emptyDurable } from '../../../src/trader/durable/durable.ts';
import type { TraderEvent } from '../../../src/trader/durable/events.ts';
import type { Intent } from '../../../src/trader/durable/intent.ts';
import { noOrders } from '../../../src/watchdog/own-orders.ts';
import { create } from '../watchdog/watch-world.ts';
import { testFolder } from './test-folder.ts';

const NOW = 1_800_000_000_000;
const clock = { now: () => NOW, monotonic: () => 0 };
const folder = testFolder();
let file = '';
beforeEach(() => {
  file = ownOrdersFile(folder);
});

function begun(durable: Durable = emptyDurable(), instance: string | null = null): OwnOrdersKeeper {
  const keeper = keepOwnOrders(file, instance, clock);
  keeper.begin(durable);
  return keeper;
}

const record = ({ type, payload }: TraderEvent): JournalRecord => ({
  ...{ seq: 1, epoch: 1, wall: NOW, mono: 0, prevHash: '', hash: '' },
  type,
  payload: JSON.stringify(payload),
});

const sent = (id: string): TraderEvent => ({
  type: 'intent',
  payload: {
    ...{ intentId: id, symbol: 'BTC/INR', slot: 'buy:0', side: 'buy', price: '5000000.10', quantity: '0.01' },
    ...{ timestamp: NOW, recvWindow: 2_500, uncertaintyMs: 5, horizon: NOW + 14_000, sentAt: NOW, bookSentAt: NOW },
    ...{ reserve: { asset: 'INR', amount: '50000' }, reference: '5000000', revision: 1 },
  },
});
const accepted = (id: string, order: string): TraderEvent => ({
  type: 'create-outcome',
  payload: { intentId: id, outcome: 'accepted', orderId: order, detail: '', at: NOW },
});
const closed = (id: string): TraderEvent => ({ type: 'closed', payload: { intentId: id, as: 'canceled', at: NOW } });

const intent = (id: string, changes: Partial<Intent> = {}): Intent => ({
  ...{ intentId: intentId(id), symbol: 'BTC/INR', slot: 'buy:0', side: 'buy', state: 'open' },
  ...{ price: decimal('5000000'), quantity: decimal('0.01'), filled: decimal('0'), orderId: orderId(`order-${id}`) },
  ...{ duplicateOf: null, timestamp: NOW, horizon: NOW + 14_000, since: NOW, sentAt: NOW, closedAs: null },
  cancel: 'none',
  reserve: { asset: 'INR', amount: '50000' },
  revision: 1,
  ...changes,
});

function knowing(...intents: readonly Intent[]): Durable {
  const durable = emptyDurable();
  for (const each of intents) {
    durable.orders.intents.set(each.intentId, each);
    if (each.orderId !== null) durable.orders.byOrderId.set(each.orderId, each.intentId);
  }
  return durable;
}

const open = (): unknown => [...readOwnOrders(file).orders.open].map(([id, { orderId: name }]) => [id, name]);

describe('an order', () => {
  test('is in the file once the journal has its intent, identified once it has an id, gone when closed', () => {
    const storage = begun().over(memoryStorage());
    storage.append([record(sent('1-1'))]);
    expect(open()).toEqual([['1-1', null]]);
    expect(readOwnOrders(file).orders.open.get('1-1')?.create?.price.toFixed()).toBe('5000000.1');
    expect(readOwnOrders(file).orders.horizon).toBe(NOW + 14_000);
    storage.append([record(accepted('1-1', '1-7-1'))]);
    expect(open()).toEqual([['1-1', '1-7-1']]);
    storage.append([record(closed('1-1'))]);
    expect(open()).toEqual([]);
    expect([...readOwnOrders(file).orders.closed.keys()]).toEqual(['1-7-1']);
  });

  test('that the journal refused is not in the file', () => {
    const storage = begun().over({
      ...memoryStorage(),
      append: () => {
        throw new JournalError('full', 'The disk is full.');
      },
    });
    expect(() => storage.append([record(sent('1-1'))])).toThrow(JournalError);
    expect(open()).toEqual([]);
  });

  test('that the file cannot store ends the bot like a journal that cannot be written', () => {
    const keeper = begun();
    keeper.close();
    const storage = keeper.over(memoryStorage());
    expect(() => storage.append([record(sent('1-1'))])).toThrow("The file of own orders can't be written (EBADF).");
  });

  test('cannot be sent before the file was begun', () => {
    const storage = keepOwnOrders(file, null, clock).over(memoryStorage());
    expect(() => storage.append([record(sent('1-1'))])).toThrow('before the file of own orders was begun');
  });
});

describe('at the start', () => {
  test('the file has the orders that the journal knows to be live', () => {
    begun(knowing(intent('1-1'), intent('1-2', { orderId: null, state: 'unknown' })));
    expect(open()).toEqual([
      ['1-1', 'order-1-1'],
      ['1-2', null],
    ]);
  });

  test('and orders of an earlier file that the journal does not know', () => {
    const before = noOrders(null);
    before.open.set('1-1', { create: create(), orderId: orderId('1-99-1') });
    before.open.set('1-2', { create: create(), orderId: null });
    writeOwnOrders(file, before, clock).close();
    const keeper = begun(knowing(intent('1-1')));
    keeper.agree({ durable: knowing(intent('1-1')) });
    expect(open()).toEqual([
      ['lost 1-99-1', '1-99-1'],
      ['lost 1-2', null],
      ['1-1', 'order-1-1'],
    ]);
  });

  test('but not those of a paper exchange that is gone', () => {
    const before = noOrders('paper-1');
    before.open.set('1-1', { create: create(), orderId: orderId('1-99-1') });
    writeOwnOrders(file, before, clock).close();
    begun(emptyDurable(), 'paper-2');
    expect(open()).toEqual([]);
  });
});

test('after a cycle the file agrees with the trader’s state, whatever its source', () => {
  const keeper = begun(knowing(intent('1-1'), intent('1-2', { orderId: null })));
  keeper.agree({ durable: knowing(intent('1-2'), intent('1-3')) });
  expect(open()).toEqual([
    ['1-2', 'order-1-2'],
    ['1-3', 'order-1-3'],
  ]);
});
