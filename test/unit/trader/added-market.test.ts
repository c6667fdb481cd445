// A market that is configured when the ledger is open already: it is opened as the ledger was, and the others go on.
import { describe, expect, test } from '@jest/globals';
import { type Decimal, decimal } from '../../../src/domain/decimal.ts';
import type { Fill } from '../../../src/domain/fill.ts';
import { orderId } from '../../../src/domain/ids.ts';
import { notReady } from '../../../src/trader/decision/readiness.ts';
import { marketOf } from '../../../src/trader/state/state.ts';
import {
  account,
  add,
  BOTH,
  booked,
  codes,
  deposit,
  expectCalm,
  HOUR,
  held,
  INEXACT,
  move,
  openings,
  putBack,
  theirs,
  trade,
} from './added-market-kit.ts';
import { BTC, deskSettings, ETH } from './desk-settings.ts';
import { differs, sbs } from './money-kit.ts';
import { runUntil } from './run-until.ts';
import {
  type Desk,
  fillNow,
  inSlot,
  moveWallet,
  ops,
  quotingDesk,
  readNow,
  rejected,
  walletRow,
} from './trader-kit.ts';

describe('a market that is configured later', () => {
  test('is opened with what the wallet holds, behind its newest own trade, and quoted', () => {
    const desk = quotingDesk();
    const old = theirs({ quantity: '2', at: desk.now() - HOUR, symbol: ETH });
    desk.shows.fills.push(old);
    desk.run(5_000);
    add(desk);
    expect(notReady(desk.state(), marketOf(desk.state(), ETH), desk.now()).map(({ reason }) => reason)).toContain(
      'ETH/INR was configured since the ledger was opened: ' +
        'it is opened once two wallets, 5.0 s apart, say the same and its own trades are read.',
    );
    expect(codes(desk, BTC)).not.toContain('starting');
    desk.run(60_000);
    expect(openings(desk)).toEqual([{ ETH: '10' }]);
    expect(account(desk, 'ETH', 'opening')).toBe('-10');
    expect(booked(desk, old)).toBe(0);
    expect(account(desk, 'INR', 'external:manual')).toBe('0');
    expect(inSlot(desk, 'buy:0', ETH).state).toBe('open');
    const fill = fillNow(desk, inSlot(desk, 'sell:0', ETH));
    desk.run(5_000);
    expect(booked(desk, fill)).toBe(1);
    expectCalm(desk);
  });

  test('does not keep the others from being quoted, and is opened though they trade all the time', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    add(desk);
    desk.reply = (request) =>
      request.kind === 'spot-trades' && request.symbol === ETH ? rejected(-5011, 500) : undefined;
    for (let n = 0; n < 10; n += 1) {
      desk.run(6_000);
      fillNow(desk, inSlot(desk, n % 2 === 0 ? 'buy:0' : 'sell:0', BTC));
    }
    expect(openings(desk)).toEqual([]);
    expect(codes(desk, ETH)).toEqual(['starting', 'account']);
    desk.reply = () => undefined;
    for (let n = 0; n < 40; n += 1) {
      desk.run(500);
      const resting = desk.intents().find(({ orderId: id }) => desk.shows.orders.some((row) => row.orderId === id));
      if (resting?.symbol === BTC) fillNow(desk, resting);
    }
    expect(openings(desk)).toEqual([{ ETH: '10' }]);
    expectCalm(desk);
  });

  test('blames no list for a trade that was read long before it could be booked', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    add(desk);
    desk.reply = ({ kind }) => (kind === 'wallet' ? rejected(-5011, 500) : undefined);
    desk.run(2_000);
    const own = trade(desk);
    desk.run(60_000);
    expect([openings(desk), booked(desk, own)]).toEqual([[], 0]);
    desk.reply = () => undefined;
    desk.run(60_000);
    expect([openings(desk), booked(desk, own)]).toEqual([[{ ETH: '12' }], 1]);
    expect(ops(desk)).not.toContain('lag-bound-broken');
    expectCalm(desk);
  });

  test('is opened once lists must show what its wallets had: a late trade is booked once (seed 40158)', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    add(desk);
    desk.pass(100);
    const bought = theirs({ quantity: '2', at: desk.now(), symbol: ETH });
    moveWallet(desk.shows, bought);
    const { readLagBoundMs } = desk.state().settings.assumptions;
    desk.run(0.9 * readLagBoundMs);
    desk.shows.fills.push(bought);
    desk.run(60_000);
    expect(openings(desk)).toEqual([{ ETH: '12' }]);
    expect([booked(desk, bought), held(desk, 'ETH')]).toEqual([1, '12']);
    expect(desk.state().durable.differences.byAsset.size).toBe(0);
  });

  test('is not opened on one wallet of an outage', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    add(desk);
    let empty = 1;
    desk.reply = ({ kind }) => {
      if (kind !== 'wallet' || empty === 0) return undefined;
      empty -= 1;
      return readNow(desk, [walletRow('INR', desk.shows.balances.INR as Decimal, [])]);
    };
    desk.run(30_000);
    expect(openings(desk)).toEqual([{ ETH: '10' }]);
    expectCalm(desk);
  });

  test('is opened though wallets come faster than its trades', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    add(desk);
    desk.reply = (request) => (request.kind === 'spot-trades' && request.symbol === ETH ? null : undefined);
    for (let n = 0; n < 8; n += 1) {
      desk.run(5_000);
      for (const chosen of [...desk.held]) desk.answer(chosen);
    }
    expect(openings(desk)).toEqual([{ ETH: '10' }]);
    expectCalm(desk);
  });

  test('is not missed in an earlier wallet that waits to be judged', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    move(desk, 'BTC', '-0.3');
    add(desk);
    let held: string | null = '';
    desk.reply = (request) => {
      if (request.kind === 'wallet') return held === null ? rejected(-5011, 500) : undefined;
      return request.kind === 'spot-trades' && request.symbol === held ? rejected(-5011, 500) : undefined;
    };
    const { reconciliation } = desk.state();
    runUntil(desk, () => reconciliation.openingBefore !== null);
    desk.run(4_500);
    held = BTC;
    desk.run(10_000);
    expect([openings(desk), reconciliation.suspect === null]).toEqual([[], false]);
    held = null;
    desk.run(20_000);
    expect(openings(desk)).toEqual([{ ETH: '10' }]);
    held = '';
    desk.run(60_000);
    const told = desk.events.flatMap((event) => (event.type === 'difference' ? [event.payload.asset] : []));
    expect([...new Set(told)]).toEqual(['BTC']);
  });

  test('waits for a difference in what pays for it, and is opened once a person has accepted that', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    move(desk, 'INR', '-500');
    add(desk);
    desk.run(5 * 60_000);
    expect([differs(desk, 'INR'), openings(desk)]).toEqual(['-500', []]);
    desk.restart(BOTH, [], 0, { acceptDifferences: true });
    desk.look('book', 'orders');
    desk.run(60_000);
    expect(openings(desk)).toEqual([{ ETH: '10' }]);
    expect(codes(desk, ETH)).toEqual([]);
  });

  test('has no order taken over before it is opened: a person cancels it by hand, and says so', () => {
    const desk = putBack({ side: 'sell', price: decimal(10_300) }, (each) => move(each, 'ETH', INEXACT));
    expect(desk.state().durable.orders.questioned.has(orderId('1-900-1'))).toBe(true);
    desk.restart(BOTH, [], 0, { answer: 'adopt' });
    desk.look('book', 'orders');
    desk.run(60_000);
    expect(desk.intents().map(({ orderId: id }) => id)).not.toContain('1-900-1');
    expect(codes(desk, ETH)).toContain('journal-stale');
    desk.shows.orders = desk.shows.orders.filter(({ orderId: id }) => id !== '1-900-1');
    move(desk, 'ETH', `-${INEXACT}`);
    desk.restart(BOTH, [], 0, { answer: 'not-mine' });
    desk.look('book', 'orders');
    desk.run(5 * 60_000);
    expect(codes(desk, ETH)).toEqual([]);
  });

  test('with both assets known is opened without another balance, and its old trades are not booked', () => {
    const desk = quotingDesk(BOTH);
    desk.shows.books['ETH/BTC'] = [1, 2];
    const old = theirs({ quantity: '1', at: desk.now() - HOUR, symbol: 'ETH/BTC' });
    desk.shows.fills.push(old);
    desk.run(5_000);
    add(desk, deskSettings({ symbols: [BTC, ETH, 'ETH/BTC'] }));
    desk.run(30_000);
    expect(openings(desk)).toEqual([{}]);
    expect(booked(desk, old)).toBe(0);
    expect(codes(desk, 'ETH/BTC')).not.toContain('starting');
    expect([account(desk, 'ETH', 'opening'), account(desk, 'BTC', 'opening')]).toEqual(['-10', '-1']);
    expectCalm(desk);
  });
});

/** The owner buys there while the bot is down; then the market is added. */
function boughtWhileDown(desk: Desk): Fill {
  desk.pass(10 * 60_000);
  const bought = trade(desk);
  desk.pass(10 * 60_000);
  add(desk);
  desk.run(60_000);
  return bought;
}

describe("the owner's trades there", () => {
  test('while the bot was down are booked: he bought the coin to be quoted', () => {
    const desk = quotingDesk();
    const old = theirs({ quantity: '1', at: desk.now() - HOUR, symbol: ETH });
    desk.shows.fills.push(old);
    desk.run(5_000);
    desk.tell({ kind: 'stop' });
    desk.run(30_000);
    const bought = boughtWhileDown(desk);
    expect([booked(desk, old), booked(desk, bought)]).toEqual([0, 1]);
    expect(openings(desk)).toEqual([{ ETH: '12' }]);
    expect([held(desk, 'ETH'), account(desk, 'INR', 'external:manual')]).toEqual(['12', '20000']);
    expectCalm(desk);
  });

  test('between the two wallets are booked, even if the first lists are behind', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    add(desk);
    const before = { ...desk.shows.balances };
    let wallets = 0;
    let bought: Fill | null = null;
    desk.reply = ({ kind }) => {
      if (kind === 'spot-trades' && wallets > 0) bought ??= trade(desk);
      if (kind !== 'wallet') return undefined;
      wallets += 1;
      if (wallets > 2) return undefined;
      const shown = Object.entries(before).map(([asset, total]) => walletRow(asset, total, desk.shows.orders));
      return readNow(desk, shown);
    };
    desk.run(60_000);
    expect(openings(desk)).toEqual([{ ETH: '12' }]);
    expect([bought && booked(desk, bought), held(desk, 'ETH')]).toEqual([1, '12']);
    expectCalm(desk);
  });
});

test('a simple buy of before is booked by its effect on the assets that the ledger covered (seed 40228)', () => {
  const desk = quotingDesk();
  desk.run(5_000);
  move(desk, 'ETH', '0.5');
  move(desk, 'INR', '-1007.5');
  sbs(desk, { symbol: ETH, quantity: decimal('0.5') });
  add(desk);
  desk.run(90_000);
  expect(openings(desk)).toEqual([{ ETH: '10.5' }]);
  expect(held(desk, 'ETH')).toBe('10.5');
  expect(account(desk, 'INR', 'external:conversion')).toBe('1005');
  expect(account(desk, 'ETH', 'opening')).toBe('-10');
  expect(desk.state().durable.differences.byAsset.size).toBe(0);
});

describe('deposits', () => {
  test('pending at the opening explain the later difference', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    deposit(desk, 'pending');
    desk.pass(60_000);
    add(desk);
    desk.run(60_000);
    expect(openings(desk)).toEqual([{ ETH: '10' }]);
    desk.shows.crypto = desk.shows.crypto.map((row) => ({ ...row, status: 'success', statusText: 'SUCCESS' }));
    move(desk, 'ETH', '3');
    desk.run(90_000);
    expect(account(desk, 'ETH', 'external:deposit')).toBe('-3');
    expect(desk.state().durable.differences.byAsset.size).toBe(0);
  });

  test('after the opening are explained as usual', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    add(desk);
    desk.run(30_000);
    deposit(desk);
    desk.run(60_000);
    expect(account(desk, 'ETH', 'external:deposit')).toBe('-3');
    expectCalm(desk);
  });
});
