// What is in suspense: what empties it, what explains it, and what says that it is there.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { globalBlockers } from '../../../src/trader/decision/readiness.ts';
import { told } from './added-market-kit.ts';
import { BTC, LAG_MS } from './desk-settings.ts';
import { account, fiat, move } from './money-kit.ts';
import { deskWith, fillNow, inSlot, makeReady, ops, quotingDesk, readNow, walletRow } from './trader-kit.ts';

test('is explained by a deposit that shows later, though a difference came and went meanwhile', () => {
  const desk = quotingDesk();
  desk.run(1_000);
  const at = desk.now();
  move(desk, 'INR', '5000');
  desk.run(60_000);
  expect(account(desk, 'INR', 'suspense')).toBe('-5000');
  move(desk, 'INR', '-50'); // the owner moves 50 to a product that no column of the wallet counts …
  desk.run(4_000);
  move(desk, 'INR', '50'); // … and back, before it is confirmed
  desk.run(10_000);
  fiat(desk, { venueTime: at });
  desk.run(30 * 60_000, 200);
  expect(account(desk, 'INR', 'suspense')).toBe('0');
  expect(account(desk, 'INR', 'external:deposit')).toBe('-5000');
});

test('one wallet of a server that is behind does not empty suspense, and nothing is created', () => {
  const desk = quotingDesk();
  const before = desk.shows.balances;
  desk.shows.balances = { ...before };
  move(desk, 'BTC', '0.3');
  desk.run(LAG_MS + 45_000);
  expect(account(desk, 'BTC', 'suspense')).toBe('-0.3');
  desk.restart(undefined, [{ symbol: BTC, price: decimal(100_000) }]);
  desk.look('book', 'orders');
  desk.run(6_000);
  expect(globalBlockers(desk.state(), desk.now()).map(({ code }) => code)).toContain('difference');
  const creates = () => desk.sent.filter(({ chosen }) => chosen.request.kind === 'create').length;
  const n = creates();
  let stale = 1;
  desk.reply = ({ kind }) => {
    if (kind !== 'wallet' || stale === 0) return undefined;
    stale -= 1;
    return readNow(
      desk,
      Object.entries(before).map(([asset, total]) => walletRow(asset, total, [])),
    );
  };
  desk.run(4_000);
  expect(stale).toBe(0);
  expect({ released: ops(desk).includes('external-flow'), creates: creates() - n }).toEqual({
    released: false,
    creates: 0,
  });
});

test('wallets of a server that is behind for less than the lag let nothing be created', () => {
  const desk = quotingDesk();
  const before = desk.shows.balances;
  desk.shows.balances = { ...before };
  move(desk, 'BTC', '0.3');
  desk.run(LAG_MS + 45_000);
  desk.restart(undefined, [{ symbol: BTC, price: decimal(100_000) }]);
  desk.look('book', 'orders');
  desk.run(6_000);
  const creates = () => desk.sent.filter(({ chosen }) => chosen.request.kind === 'create').length;
  const n = creates();
  // A server that is behind for less than the lag bound (5 s): two wallets.
  const until = desk.now() + 4_500;
  desk.reply = ({ kind }) =>
    kind === 'wallet' && desk.now() < until
      ? readNow(
          desk,
          Object.entries(before).map(([asset, total]) => walletRow(asset, total, desk.shows.orders)),
        )
      : undefined;
  desk.run(10_000);
  expect(creates() - n).toBe(0);
});

test('a row that a person’s acceptance has settled does not take the place of a fill that shows late', () => {
  const desk = quotingDesk();
  const row = {
    direction: 'deposit' as const,
    status: 'success' as const,
    statusText: 'SUCCESS',
    venueTime: desk.now(),
    fee: decimal(0),
    asset: 'BTC',
    amount: decimal('0.01'),
    transactionHash: null,
    network: 'BTC',
    fromAddress: null,
    toAddress: null,
  };
  move(desk, 'BTC', '0.01');
  desk.run(60_000);
  const at = desk.now();
  desk.events.push({
    type: 'suspense',
    payload: { asset: 'BTC', amount: '-0.01', why: 'A person took it for his own doing.', at },
  });
  desk.events.push({ type: 'difference-accepted', payload: { asset: 'BTC', amount: '0.01', at } });
  desk.restart(undefined, [{ symbol: 'BTC/INR', price: decimal(100_000) }]);
  desk.shows.crypto.push(row);
  desk.look('book', 'orders');
  desk.run(8_000);
  expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
  move(desk, 'BTC', '-0.002'); // a withdrawal has the lists read: the old row is among them
  desk.shows.crypto.push({ ...row, direction: 'withdrawal', amount: decimal('0.002'), venueTime: desk.now() });
  desk.run(20_000);
  const bid = inSlot(desk, 'buy:0');
  const fills = [...desk.shows.fills];
  const before = desk.notices.length;
  fillNow(desk, bid);
  const all = desk.shows.fills;
  desk.shows.fills = fills; // the trade shows two seconds after the wallet has it
  desk.run(2_500);
  desk.shows.fills = all;
  desk.run(60_000);
  const since = desk.notices.slice(before);
  expect(since.map(({ message }) => message).filter((message) => message.includes('a deposit'))).toEqual([]);
  expect(since.map(({ op }) => op)).not.toContain('difference');
});

test('what does not fit into suspense calls a person once, not with every wallet', () => {
  const desk = deskWith();
  desk.shows.balances.BTC = decimal('0.0098');
  makeReady(desk);
  desk.run(1_500);
  const ask = inSlot(desk, 'sell:0');
  desk.shows.orders = desk.shows.orders.filter(({ orderId: id }) => id !== ask.orderId);
  move(desk, 'BTC', ask.quantity.neg().toFixed());
  move(desk, 'INR', '989.6');
  desk.run(20 * 60_000, 250);
  const pages = desk.notices.filter(({ op, level }) => op === 'suspense' && level === 'page');
  expect(pages.length).toBeLessThan(5);
});

test('what is in suspense of an asset keeps no later deposit of it from being booked as one', () => {
  const desk = quotingDesk();
  desk.run(5_000);
  move(desk, 'INR', '-500');
  desk.run(2 * 60_000);
  expect(account(desk, 'INR', 'suspense')).toBe('500');
  const before = told(desk).length;
  fiat(desk);
  move(desk, 'INR', '5000');
  desk.run(5 * 60_000);
  expect(account(desk, 'INR', 'external:deposit')).toBe('-5000');
  expect(told(desk).slice(before)).toEqual([]);
  expect(account(desk, 'INR', 'suspense')).toBe('500');
});

test('one asset of two goes back: it is no new difference', () => {
  const desk = quotingDesk();
  desk.run(5_000);
  move(desk, 'BTC', '-0.3');
  move(desk, 'INR', '-500');
  desk.run(2 * 60_000);
  expect([account(desk, 'BTC', 'suspense'), account(desk, 'INR', 'suspense')]).toEqual(['0.3', '500']);
  const before = told(desk).length;
  move(desk, 'BTC', '0.3');
  desk.run(2 * 60_000);
  expect([account(desk, 'BTC', 'suspense'), account(desk, 'INR', 'suspense')]).toEqual(['0', '500']);
  expect(told(desk).slice(before)).toEqual([]);
});

test('it goes back while another asset begins to differ, which alone is told', () => {
  const desk = quotingDesk();
  desk.run(5_000);
  move(desk, 'BTC', '-0.3');
  desk.run(2 * 60_000);
  const before = told(desk).length;
  move(desk, 'BTC', '0.3');
  move(desk, 'INR', '-700');
  desk.run(2 * 60_000);
  expect(told(desk).slice(before)).toEqual(['INR']);
});

test('a row explains it beside a loss of the same asset that no list shows', () => {
  const desk = quotingDesk();
  desk.run(5_000);
  const at = desk.now();
  move(desk, 'INR', '-500');
  desk.run(2 * 60_000);
  fiat(desk, { direction: 'withdrawal', amount: decimal(500), venueTime: at });
  move(desk, 'INR', '-70');
  desk.run(2 * 60_000);
  expect(account(desk, 'INR', 'external:withdrawal')).toBe('500');
  expect(account(desk, 'INR', 'suspense')).toBe('70');
});

test('an asset that was told and is explained since keeps no order from closing, and no loss from suspense', () => {
  const desk = deskWith();
  desk.shows.balances.BTC = decimal('0.0098');
  makeReady(desk);
  desk.run(1_500);
  const ask = inSlot(desk, 'sell:0');
  desk.shows.orders = desk.shows.orders.filter(({ orderId: id }) => id !== ask.orderId);
  const at = desk.now();
  move(desk, 'BTC', ask.quantity.neg().toFixed());
  move(desk, 'INR', '700');
  desk.run(20_000);
  expect(told(desk)).toEqual(['BTC', 'INR']);
  fiat(desk, { amount: decimal(700), venueTime: at });
  desk.run(20 * 60_000, 250);
  expect(account(desk, 'INR', 'external:deposit')).toBe('-700');
  expect([...desk.state().durable.differences.byAsset.keys()]).not.toContain('INR');
  expect(desk.slots()).toEqual([]);
  expect(account(desk, 'BTC', 'suspense')).toBe('0.0098');
});
