// What the owner does with his money: found in his lists, booked as his, never profit, never canceled; what nothing
// explains is said.
import { describe, expect, test } from '@jest/globals';
import { type Decimal, decimal, plain } from '../../../src/domain/decimal.ts';
import type { CryptoTransfer } from '../../../src/domain/transfer.ts';
import { ledgerTotal } from '../../../src/trader/state/state.ts';
import { takeSnapshot } from '../../../src/trader/status/snapshot.ts';
import { deskSettings, HORIZON_MS, LAG_MS } from './desk-settings.ts';
import { haltOf } from './lost-bid.ts';
import { account, crypto as cryptoRow, differs, fiat, move, sbs } from './money-kit.ts';
import { type Desk, endOf, fillNow, inSlot, ops, quotingDesk, rejected } from './trader-kit.ts';

const crypto = (desk: Desk, given: Partial<CryptoTransfer>): CryptoTransfer =>
  cryptoRow(desk, { asset: 'BTC', amount: decimal('0.25'), transactionHash: null, ...given });

const held = (desk: Desk, asset: string): string => plain(ledgerTotal(desk.state().durable.books, asset));
const quoting = (desk: Desk): void => {
  expect(haltOf(desk)).toBeUndefined();
  expect(ops(desk)).not.toContain('difference');
  expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
};

describe('a transfer', () => {
  test('into the account is booked as a deposit, counts as no profit, and quoting never stops (F52)', () => {
    const desk = quotingDesk();
    crypto(desk, {});
    move(desk, 'BTC', '0.25');
    desk.run(LAG_MS + 6_000);
    quoting(desk);
    expect(account(desk, 'BTC', 'external:deposit')).toBe('-0.25');
    expect(held(desk, 'BTC')).toBe('1.25');
    expect(takeSnapshot(desk.state(), desk.now()).symbols[0]?.pnl).toMatchObject({ total: '0', fees: '0' });
  });

  test.each([
    ['on top of the amount', '-0.101', '-0.1'],
    ['inside the amount', '-0.1', '-0.099'],
  ])('that goes out with its fee %s is booked as the wallet says (F53)', (_name, moved, external) => {
    const desk = quotingDesk();
    crypto(desk, { direction: 'withdrawal', amount: decimal('0.1'), fee: decimal('0.001') });
    move(desk, 'BTC', moved);
    desk.run(LAG_MS + 6_000);
    quoting(desk);
    expect(account(desk, 'BTC', 'external:withdrawal')).toBe(external.replace('-', ''));
    expect(account(desk, 'BTC', 'fees')).toBe('0.001');
  });

  test('still pending moves nothing; it is booked once it has succeeded, with its old time', () => {
    const desk = quotingDesk();
    crypto(desk, { status: 'pending', statusText: 'PENDING' });
    desk.run(20_000);
    expect(account(desk, 'BTC', 'external:deposit')).toBe('0');
    desk.shows.crypto = desk.shows.crypto.map((row) => ({ ...row, status: 'success', statusText: 'SUCCESS' }));
    move(desk, 'BTC', '0.25');
    desk.run(LAG_MS + 6_000);
    quoting(desk);
    expect(account(desk, 'BTC', 'external:deposit')).toBe('-0.25');
  });

  test('is found as soon in a market in which something fills every few seconds', () => {
    const lagMs = 30_000;
    const desk = quotingDesk(deskSettings({ assumptions: { readLagBoundMs: lagMs }, limits: { repeatedFills: 1000 } }));
    fiat(desk, { direction: 'withdrawal', amount: decimal(5_000) });
    move(desk, 'INR', '-5000');
    for (let passed = 0; passed < lagMs; passed += 6_000) {
      fillNow(desk, inSlot(desk, 'buy:0'), { quantity: decimal('0.0001') });
      desk.run(6_000);
    }
    expect(account(desk, 'INR', 'external:withdrawal')).toBe('5000');
    quoting(desk);
  });

  test('with a failed status explains nothing', () => {
    const desk = quotingDesk();
    crypto(desk, { status: 'failed', statusText: 'FAILED' });
    move(desk, 'BTC', '0.25');
    desk.run(LAG_MS + 9_000);
    expect(ops(desk)).toContain('difference');
  });

  test('of INR, two of them and a withdrawal at once, are all booked', () => {
    const desk = quotingDesk();
    fiat(desk, {});
    fiat(desk, { referenceId: 'REF2', amount: decimal('120.5') });
    fiat(desk, { referenceId: 'REF3', direction: 'withdrawal', amount: decimal(700), fee: decimal(10) });
    move(desk, 'INR', '4410.5');
    desk.run(LAG_MS + 6_000);
    quoting(desk);
    expect(account(desk, 'INR', 'external:deposit')).toBe('-5120.5');
    expect(account(desk, 'INR', 'external:withdrawal')).toBe('700');
  });

  test('twice the same is two: the second is booked when it comes', () => {
    const desk = quotingDesk();
    const first = crypto(desk, {});
    move(desk, 'BTC', '0.25');
    desk.run(LAG_MS + 6_000);
    desk.shows.crypto.push({ ...first });
    move(desk, 'BTC', '0.25');
    desk.run(LAG_MS + 12_000);
    quoting(desk);
    expect(account(desk, 'BTC', 'external:deposit')).toBe('-0.5');
  });

  test('while the bot was down is found at the next start', () => {
    const desk = quotingDesk();
    desk.pass(3_600_000);
    crypto(desk, {});
    move(desk, 'BTC', '0.25');
    desk.pass(3_600_000);
    desk.restart();
    desk.look('book', 'orders');
    desk.run(2 * LAG_MS + 20_000);
    quoting(desk);
    expect(account(desk, 'BTC', 'external:deposit')).toBe('-0.25');
  });

  test('of an asset without a run is ignored', () => {
    const desk = quotingDesk();
    crypto(desk, { asset: 'DOGE', amount: decimal(100) });
    move(desk, 'DOGE', '100');
    desk.run(LAG_MS + 9_000);
    quoting(desk);
  });

  test('together with fills of ours leaves the ledger equal to the last digit', () => {
    const desk = quotingDesk();
    crypto(desk, {});
    move(desk, 'BTC', '0.25');
    desk.run(1_000);
    fillNow(desk, inSlot(desk, 'buy:0'));
    desk.run(2 * LAG_MS + 9_000);
    quoting(desk);
    expect(held(desk, 'BTC')).toBe(plain(desk.shows.balances.BTC as Decimal));
  });
});

test('a simple buy is booked as a conversion, and is no profit (F54)', () => {
  const desk = quotingDesk();
  sbs(desk);
  move(desk, 'BTC', '0.01');
  move(desk, 'INR', '-1007.5');
  desk.run(LAG_MS + 6_000);
  quoting(desk);
  expect(account(desk, 'BTC', 'external:conversion')).toBe('-0.01');
  expect(account(desk, 'INR', 'external:conversion')).toBe('1005');
  expect(account(desk, 'INR', 'fees')).toBe('2.5');
  expect(takeSnapshot(desk.state(), desk.now()).symbols[0]).toMatchObject({
    pnl: { total: '0' },
    fills: { buys: 0 },
    inventory: '1.01',
  });
});

test('lists that the key may not read block nothing else', () => {
  const desk = quotingDesk();
  desk.reply = ({ kind }) => (kind.includes('deposit') || kind === 'sbs-trades' ? rejected(-2003, 403) : undefined);
  crypto(desk, { direction: 'withdrawal', amount: decimal('0.1') });
  move(desk, 'BTC', '-0.1');
  desk.run(LAG_MS + 9_000);
  expect(desk.state().refusal).toBeNull();
  quoting(desk);
  expect(account(desk, 'BTC', 'external:withdrawal')).toBe('0.1');
});

describe('while wallet and ledger differ', () => {
  test('an order that was listed when the difference was confirmed is closed with its counted fills', () => {
    const desk = quotingDesk();
    const bid = inSlot(desk, 'buy:0');
    move(desk, 'INR', '-100');
    desk.run(3 * LAG_MS + 8_000);
    expect(ops(desk)).toContain('difference');
    expect(desk.state().durable.differences.byAsset.size).toBe(1);
    expect(endOf(desk, bid.intentId)).toBe('canceled');
  });

  test('an order with the missing fill is not closed', () => {
    const desk = quotingDesk();
    const bid = inSlot(desk, 'buy:0');
    // It filled, and the list of trades will never say so.
    desk.shows.orders = desk.shows.orders.filter(({ orderId }) => orderId !== bid.orderId);
    move(desk, 'BTC', '0.01');
    move(desk, 'INR', '-989.8');
    desk.run(HORIZON_MS + 6 * LAG_MS + 60_000, 200);
    expect(endOf(desk, bid.intentId)).toBe('not closed');
    expect(differs(desk, 'BTC')).toBe('0.01');
  });
});
