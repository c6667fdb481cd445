// A market that is configured when the ledger is open already: it is opened as the ledger was, and the others go on.
import { describe, expect, test } from '@jest/globals';
import { type Decimal, decimal, plain } from '../../../src/domain/decimal.ts';
import type { Fill } from '../../../src/domain/fill.ts';
import { orderId } from '../../../src/domain/ids.ts';
import type { Account } from '../../../src/ledger/account.ts';
import { amountText } from '../../../src/ledger/amount.ts';
import { balanceOf } from '../../../src/ledger/ledger.ts';
import type { TraderEvent } from '../../../src/trader/events.ts';
import { notReady } from '../../../src/trader/gate.ts';
import { ledgerTotal } from '../../../src/trader/reconcile.ts';
import { BTC, deskSettings, ETH } from './desk-settings.ts';
import {
  type Desk,
  deskWith,
  fillNow,
  fillOf,
  inSlot,
  makeReady,
  moveWallet,
  ops,
  quotingDesk,
  readNow,
  rejected,
  walletRow,
} from './trader-kit.ts';

const BOTH = deskSettings({ symbols: [BTC, ETH] });
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const account = (desk: Desk, asset: string, name: Account): string =>
  amountText(balanceOf(desk.state().durable.ledger, asset, name));
const held = (desk: Desk, asset: string): string => plain(ledgerTotal(desk.state(), asset));
const move = (desk: Desk, asset: string, by: string): void => {
  desk.shows.balances[asset] = (desk.shows.balances[asset] ?? decimal(0)).add(by);
};
const openings = (desk: Desk): Record<string, string>[] =>
  desk.events.flatMap((event) => (event.type === 'markets-opened' ? [{ ...event.payload.balances }] : []));
const booked = (desk: Desk, { tradeId }: Fill): number =>
  desk.events.filter((event) => event.type === 'fill' && event.payload.fill.tradeId === tradeId).length;
const codes = (desk: Desk, symbol: string): string[] =>
  notReady(desk.state(), symbol, desk.now()).map(({ code }) => code);

/** The owner's own trade: every list shows it at once. */
function trade(desk: Desk, { quantity = '2', at = desk.now(), symbol = ETH } = {}): Fill {
  const fill = theirs({ quantity, at, symbol });
  desk.shows.fills.push(fill);
  moveWallet(desk.shows, fill);
  return fill;
}

let orders = 0;
function theirs({ quantity, at, symbol }: { quantity: string; at: number; symbol: string }): Fill {
  orders += 1;
  const order = { symbol, side: 'buy', price: decimal(10_000), quantity: decimal(quantity) } as const;
  return fillOf(order, orderId(`1-7-${orders}`), { at });
}

/** Three ETH come in, as the list of deposits shows it. */
function deposit(desk: Desk, status: 'pending' | 'success' = 'success'): void {
  desk.shows.crypto.push({
    direction: 'deposit',
    status,
    statusText: status.toUpperCase(),
    venueTime: desk.now(),
    asset: 'ETH',
    fee: decimal(0),
    amount: decimal(3),
    transactionHash: `hash-${desk.now()}`,
    network: 'ETH',
    fromAddress: null,
    toAddress: null,
  });
  if (status === 'success') move(desk, 'ETH', '3');
}

/** The bot stops, the run is added, the bot starts. */
function add(desk: Desk, settings = BOTH): void {
  desk.restart(settings);
  desk.look('book', 'orders');
}

/** Nothing was ever taken for unexplained. */
function expectCalm(desk: Desk): void {
  expect(ops(desk)).not.toContain('difference');
  expect(ops(desk)).not.toContain('suspense');
  expect(ops(desk)).not.toContain('symbol-halted');
}

describe('a market that is configured later', () => {
  test('is opened with what the wallet holds, behind its newest own trade, and quoted', () => {
    const desk = quotingDesk();
    const old = theirs({ quantity: '2', at: desk.now() - HOUR, symbol: ETH });
    desk.shows.fills.push(old);
    desk.run(5_000);
    add(desk);
    expect(codes(desk, ETH)).toContain('market-unopened');
    expect(codes(desk, BTC)).not.toContain('market-unopened');
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
      request.kind === 'spot-trades' && request.symbol === ETH ? rejected(-1500, 500) : undefined;
    for (let n = 0; n < 10; n += 1) {
      desk.run(6_000);
      fillNow(desk, inSlot(desk, n % 2 === 0 ? 'buy:0' : 'sell:0', BTC));
    }
    expect(openings(desk)).toEqual([]);
    expect(codes(desk, ETH)).toEqual(['market-unopened']);
    desk.reply = () => undefined;
    for (let n = 0; n < 40; n += 1) {
      desk.run(500);
      const resting = desk.intents().find(({ orderId: id }) => desk.shows.orders.some((row) => row.orderId === id));
      if (resting?.symbol === BTC) fillNow(desk, resting);
    }
    expect(openings(desk)).toEqual([{ ETH: '10' }]);
    expectCalm(desk);
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

  test('is not opened beside a real loss in another asset, which is told', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    move(desk, 'BTC', '-0.3');
    add(desk);
    desk.reply = (request) =>
      request.kind === 'spot-trades' && request.symbol === ETH ? rejected(-1500, 500) : undefined;
    desk.run(60_000);
    expect(account(desk, 'BTC', 'suspense')).toBe('0.3');
    expect(openings(desk)).toEqual([]);
  });

  test('of which both assets are known is opened without another balance, and its old trades are not booked', () => {
    const desk = quotingDesk(BOTH);
    desk.shows.books['ETH/BTC'] = [1, 2];
    const old = theirs({ quantity: '1', at: desk.now() - HOUR, symbol: 'ETH/BTC' });
    desk.shows.fills.push(old);
    desk.run(5_000);
    add(desk, deskSettings({ symbols: [BTC, ETH, 'ETH/BTC'] }));
    desk.run(30_000);
    expect(openings(desk)).toEqual([{}]);
    expect(booked(desk, old)).toBe(0);
    expect(codes(desk, 'ETH/BTC')).not.toContain('market-unopened');
    expect([account(desk, 'ETH', 'opening'), account(desk, 'BTC', 'opening')]).toEqual(['-10', '-1']);
    expectCalm(desk);
  });
});

describe('what the owner did there', () => {
  test('while the bot was down is booked: he bought what is to be quoted', () => {
    const desk = quotingDesk();
    const old = theirs({ quantity: '1', at: desk.now() - HOUR, symbol: ETH });
    desk.shows.fills.push(old);
    desk.run(5_000);
    desk.tell({ kind: 'stop' });
    desk.run(30_000);
    desk.pass(10 * 60_000);
    const bought = trade(desk);
    desk.pass(10 * 60_000);
    add(desk);
    desk.run(60_000);
    expect([booked(desk, old), booked(desk, bought)]).toEqual([0, 1]);
    expect(openings(desk)).toEqual([{ ETH: '10' }]);
    expect([held(desk, 'ETH'), account(desk, 'INR', 'external:manual')]).toEqual(['12', '20000']);
    expectCalm(desk);
  });

  test('between the two wallets is booked', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    add(desk);
    desk.look('trades', 'wallet');
    desk.pass(100);
    desk.look('trades');
    const bought = trade(desk);
    desk.run(60_000);
    expect(booked(desk, bought)).toBe(1);
    expect(openings(desk)).toEqual([{ ETH: '10' }]);
    expect(held(desk, 'ETH')).toBe('12');
    expectCalm(desk);
  });

  test('and withdrew again leaves no asset below zero', () => {
    const desk = quotingDesk();
    desk.shows.balances.ETH = decimal(0);
    desk.run(5_000);
    desk.pass(HOUR);
    const bought = trade(desk);
    move(desk, 'ETH', '-2');
    desk.pass(HOUR);
    add(desk);
    desk.run(10_000);
    expect(openings(desk)).toEqual([{ ETH: '0' }]);
    expect(booked(desk, bought)).toBe(0);
  });

  test('behind what the list shows begins with what it shows', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    desk.pass(5 * DAY);
    const gone = trade(desk, { at: desk.now() - 4 * DAY, quantity: '1' });
    const shown = trade(desk, { at: desk.now() - DAY, quantity: '3' });
    desk.shows.archive = [...desk.shows.fills];
    desk.shows.fills = [shown];
    add(desk);
    desk.run(20_000);
    expect([booked(desk, gone), booked(desk, shown)]).toEqual([0, 1]);
    expect(openings(desk)).toEqual([{ ETH: '11' }]);
    expect(held(desk, 'ETH')).toBe('14');
  });
});

describe('over restarts', () => {
  test('in the middle it is opened once, and what was to be booked at first is booked', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    desk.pass(HOUR);
    const bought = trade(desk);
    desk.pass(HOUR);
    for (const cutAt of [0, 200, 400, 900]) {
      add(desk);
      desk.reply = (request) =>
        request.kind === 'spot-trades' && request.symbol === ETH ? rejected(-1500, 500) : undefined;
      desk.run(cutAt);
    }
    const meanwhile = trade(desk, { quantity: '1' });
    add(desk);
    desk.reply = () => undefined;
    desk.run(60_000);
    add(desk);
    desk.run(30_000);
    expect([booked(desk, bought), booked(desk, meanwhile)]).toEqual([1, 1]);
    expect(openings(desk)).toEqual([{ ETH: '10' }]);
    expect(held(desk, 'ETH')).toBe('13');
    expectCalm(desk);
  });

  test('a run that was taken out before its market was opened begins anew when it comes back', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    add(desk);
    desk.restart(deskSettings());
    desk.look('book', 'orders');
    desk.run(5_000);
    expect(desk.state().durable.added.size).toBe(0);
    desk.pass(HOUR);
    add(desk);
    desk.run(30_000);
    expect(openings(desk)).toEqual([{ ETH: '10' }]);
    expectCalm(desk);
  });

  test('a crash between the opening and its first trades books them at the next start', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    desk.pass(HOUR);
    const bought = trade(desk);
    add(desk);
    while (openings(desk).length === 0) desk.run(100);
    const at = desk.events.findIndex(({ type }) => type === 'markets-opened');
    expect(desk.events.splice(at + 1).map(({ type }) => type)).toEqual(['fill']);
    add(desk);
    desk.run(30_000);
    expect([booked(desk, bought), openings(desk).length, held(desk, 'ETH')]).toEqual([1, 1, '12']);
    expectCalm(desk);
  });

  test('a market that was taken out stays opened: after a month its trades are read on from its cursor', () => {
    const desk = quotingDesk(BOTH);
    const last = fillNow(desk, inSlot(desk, 'buy:0', ETH));
    desk.run(5_000);
    desk.tell({ kind: 'stop' });
    desk.run(60_000);
    desk.restart(deskSettings());
    desk.look('book', 'orders');
    desk.run(5_000);
    desk.tell({ kind: 'stop' });
    desk.run(60_000);
    desk.pass(30 * DAY);
    const meanwhile = trade(desk, { at: desk.now() - 10 * DAY });
    desk.shows.archive = [...desk.shows.fills];
    desk.shows.fills = [];
    add(desk);
    desk.run(60_000);
    expect(openings(desk)).toEqual([]);
    expect([booked(desk, last), booked(desk, meanwhile)]).toEqual([1, 1]);
    expect(codes(desk, ETH)).not.toContain('market-unopened');
    expectCalm(desk);
  });
});

describe('deposits', () => {
  test('of before the market was opened explain no later loss', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    deposit(desk);
    desk.pass(60_000);
    add(desk);
    desk.run(30_000);
    expect(openings(desk)).toEqual([{ ETH: '13' }]);
    move(desk, 'ETH', '3');
    desk.run(90_000);
    expect(account(desk, 'ETH', 'suspense')).toBe('-3');
  });

  test('that were on their way then explain what comes', () => {
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
    expect(ops(desk)).not.toContain('suspense');
  });

  test('that come after the opening are explained as ever', () => {
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

describe('a journal of an older program', () => {
  /** What the older program wrote of the same: it did not say which markets the ledger was opened for. */
  function forget(desk: Desk): void {
    const older = desk.events.map((event): TraderEvent => {
      if (event.type !== 'session-started') return event;
      const { markets: _markets, added: _added, ...payload } = event.payload;
      return { type: 'session-started', payload };
    });
    desk.events.splice(0, desk.events.length, ...older);
  }

  /** ETH is configured, its market never had a trade, none of it was ever held, and no order was placed. */
  function withoutEth(): Desk {
    const desk = deskWith(BOTH);
    desk.shows.balances.ETH = decimal(0);
    desk.shows.books[ETH] = null;
    makeReady(desk);
    desk.run(1_500);
    expect(desk.intents().map(({ symbol }) => symbol)).not.toContain(ETH);
    return desk;
  }

  test('holds the markets of its first start with this one to be opened: their trades are booked once', () => {
    const desk = withoutEth();
    desk.run(5_000);
    desk.pass(HOUR);
    forget(desk);
    const bought = trade(desk);
    add(desk);
    expect([...(desk.state().durable.markets?.keys() ?? [])]).toEqual([BTC, ETH]);
    desk.run(30_000);
    add(desk);
    desk.run(30_000);
    expect(openings(desk)).toEqual([]);
    expect([booked(desk, bought), held(desk, 'ETH')]).toEqual([1, '2']);
    expectCalm(desk);
  });

  test('a deposit of an asset of which it never had any is a deposit', () => {
    const desk = withoutEth();
    desk.run(5_000);
    desk.pass(HOUR);
    forget(desk);
    deposit(desk);
    add(desk);
    desk.run(60_000);
    expect(openings(desk)).toEqual([]);
    expect(account(desk, 'ETH', 'external:deposit')).toBe('-3');
    expectCalm(desk);
  });

  test('opens what is configured after that start', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    forget(desk);
    desk.restart(deskSettings());
    desk.look('book', 'orders');
    desk.run(5_000);
    add(desk);
    desk.run(30_000);
    expect(openings(desk)).toEqual([{ ETH: '10' }]);
    expectCalm(desk);
  });
});
