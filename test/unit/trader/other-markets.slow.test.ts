// What the owner does in markets that no run has, and fees in coins that no run trades: recognised, booked, and no
// reason to stop (F49, F54, F55).
import { describe, expect, test } from '@jest/globals';
import type { Balance } from '../../../src/domain/balance.ts';
import { decimal, ZERO } from '../../../src/domain/decimal.ts';
import type { Fill } from '../../../src/domain/fill.ts';
import { orderId } from '../../../src/domain/ids.ts';
import { marketIn } from '../../../src/trader/durable/market.ts';
import { otherMarkets } from '../../../src/trader/money/untracked-assets.ts';
import { takeSnapshot } from '../../../src/trader/status/snapshot.ts';
import { BOTH } from './added-market-kit.ts';
import { BTC, deskSettings } from './desk-settings.ts';
import { haltsIn } from './durable-kit.ts';
import { account, differs, fiat, move, sbs } from './money-kit.ts';
import { type Desk, fillNow, fillOf, inSlot, ops, quotingDesk, rejected, tradeNow } from './trader-kit.ts';

const MINUTES = 60_000;
const pages = (desk: Desk): string[] =>
  desk.notices.filter(({ level }) => level === 'page').map(({ message }) => message);
const asked = (desk: Desk): string[] =>
  desk.sent.map(({ chosen: { request } }) =>
    'symbol' in request ? `${request.kind} ${request.symbol}` : request.kind,
  );

/** The owner has 3 SOL beside what the desk trades. */
function deskWithSol(settings = deskSettings()): Desk {
  const desk = quotingDesk(settings);
  desk.shows.balances.SOL = decimal(3);
  desk.run(10_000);
  return desk;
}

/** A spot trade in SOL/INR, by hand: every list shows it at once. */
function tradeSol(desk: Desk, given: Partial<Fill> = {}): Fill {
  const order = { symbol: 'SOL/INR', side: 'buy', price: decimal(15_000), quantity: decimal('0.2') } as const;
  return tradeNow(desk, order, `1-9-${desk.now()}`, given);
}

/** A simple buy of 0.1 SOL for 1,500 INR and a commission of 10. */
function simpleBuy(desk: Desk): void {
  sbs(desk, {
    symbol: 'SOL/INR',
    price: decimal(15_000),
    quantity: decimal('0.1'),
    quoteQuantity: decimal(1_500),
    commission: decimal(10),
  });
  move(desk, 'SOL', '0.1');
  move(desk, 'INR', '-1510');
}

/** The bot is down for two hours, and the owner does something meanwhile. */
function whileDown(desk: Desk, act: () => void): void {
  desk.pass(60 * MINUTES);
  act();
  desk.pass(60 * MINUTES);
  desk.restart();
  desk.look('book', 'orders');
  desk.run(10 * MINUTES);
}

/** Nothing is unexplained, and it quotes. */
function expectSettled(desk: Desk): void {
  expect(desk.state().durable.differences.byAsset.size).toBe(0);
  expect(desk.state().durable.differences.unexplainedSince).toBeNull();
  expect(haltsIn(desk.state().durable).size).toBe(0);
  expect(inSlot(desk, 'buy:0').state).toBe('open');
}

function expectContent(desk: Desk): void {
  expectSettled(desk);
  expect(pages(desk)).toEqual([]);
}

describe('a coin that no run trades', () => {
  test('is bought simply: its cost is booked as a conversion', () => {
    const desk = deskWithSol();
    simpleBuy(desk);
    desk.run(5 * MINUTES);
    expectContent(desk);
    expect(account(desk, 'INR', 'external:conversion')).toBe('1500');
    expect(account(desk, 'SOL', 'wallet')).toBe('0');
    expect(account(desk, 'SOL', 'opening')).toBe('0.1');
  });

  test('is bought with a commission in it', () => {
    const desk = deskWithSol();
    sbs(desk, {
      symbol: 'SOL/INR',
      price: decimal(15_000),
      quantity: decimal('0.1'),
      quoteQuantity: decimal(1_500),
      commission: decimal('0.001'),
      commissionAsset: 'SOL',
    });
    move(desk, 'SOL', '0.099');
    move(desk, 'INR', '-1500');
    desk.run(5 * MINUTES);
    expectContent(desk);
    expect(account(desk, 'SOL', 'fees')).toBe('0.001');
  });

  test.each(['buy', 'sell'] as const)('is traded by hand (%s): booked once as the owner’s, not as profit', (side) => {
    const desk = deskWithSol();
    const { tradeId } = tradeSol(desk, { side, tds: side === 'sell' ? decimal(30) : decimal(0) });
    desk.run(5 * MINUTES);
    expectContent(desk);
    expect(desk.events.filter(({ payload }) => 'kind' in payload && payload.kind === 'owner-trade')).toHaveLength(1);
    expect(account(desk, 'INR', 'external:manual')).toBe(side === 'buy' ? '3000' : '-3000');
    expect(account(desk, 'INR', 'fees')).toBe('30');
    expect(account(desk, 'INR', 'tax-withheld')).toBe(side === 'buy' ? '0' : '30');
    expect(account(desk, 'INR', 'trading')).toBe('0');
    expect(marketIn(desk.state().durable, 'SOL/INR').cursor).toBeNull();
    expect(desk.events.map(({ payload }) => JSON.stringify(payload)).join()).toContain(`"${tradeId}"`);
  });

  test('is sold completely, and gone from the wallet', () => {
    const desk = deskWithSol();
    tradeSol(desk, { side: 'sell', quantity: decimal(3) });
    delete desk.shows.balances.SOL;
    desk.run(5 * MINUTES);
    expectContent(desk);
    expect(account(desk, 'INR', 'external:manual')).toBe('-45000');
  });

  test('pays for one that a run trades', () => {
    const desk = deskWithSol();
    desk.shows.balances.USDT = decimal(5_000);
    desk.run(10_000);
    const order = { symbol: 'BTC/USDT', side: 'buy', price: decimal(1_200), quantity: decimal('0.5') } as const;
    const charged = { commission: decimal(3), commissionAsset: 'USDT' };
    desk.shows.fills.push(fillOf(order, orderId('1-9-1'), { at: desk.now(), ...charged }));
    move(desk, 'BTC', '0.5');
    move(desk, 'USDT', '-603');
    desk.run(5 * MINUTES);
    expectContent(desk);
    expect(account(desk, 'BTC', 'external:manual')).toBe('-0.5');
    expect(account(desk, 'USDT', 'wallet')).toBe('0');
  });

  test('is traded while the bot is down', () => {
    const desk = deskWithSol();
    whileDown(desk, () => {
      tradeSol(desk);
      simpleBuy(desk);
    });
    expectSettled(desk);
    expect(account(desk, 'INR', 'external:manual')).toBe('3000');
    expect(account(desk, 'INR', 'external:conversion')).toBe('1500');
  });

  test("is the first that the account ever holds in addition to its runs' coins", () => {
    const desk = quotingDesk();
    delete desk.shows.balances.ETH;
    desk.run(MINUTES);
    const before = desk.sent.length;
    tradeSol(desk);
    desk.run(MINUTES);
    expectContent(desk);
    expect(
      asked(desk)
        .slice(before)
        .find((each) => /deposits|withdrawals|sbs-trades/.test(each)),
    ).toBe('sbs-trades SOL/INR');
  });

  test('is bought and sold again while the bot is down: its holdings are as before', () => {
    const desk = deskWithSol();
    whileDown(desk, () => {
      tradeSol(desk);
      tradeSol(desk, { side: 'sell', price: decimal(15_500), quoteQuantity: decimal(3_100) });
    });
    expectSettled(desk);
    expect(account(desk, 'INR', 'external:manual')).toBe('-100');
  });

  test('whose trade shows only after the difference was confirmed is found then', () => {
    const desk = deskWithSol();
    const late = tradeSol(desk);
    desk.shows.fills = [];
    desk.run(5 * MINUTES);
    expect(differs(desk, 'INR')).toBe('-3030');
    desk.shows.fills = [late];
    desk.run(25 * MINUTES, 250);
    expect(differs(desk, 'INR')).toBe('0');
    expect(account(desk, 'INR', 'external:manual')).toBe('3000');
  });

  test('is examined only if it has moved', () => {
    const desk = deskWithSol();
    move(desk, 'INR', '-700');
    desk.run(5 * MINUTES);
    expect(ops(desk)).toContain('difference');
    expect(asked(desk).filter((each) => each.includes('SOL'))).toEqual([]);
  });

  test('is booked despite a loss that no list shows, which stays a difference', () => {
    const desk = deskWithSol();
    tradeSol(desk);
    move(desk, 'INR', '-700');
    desk.run(5 * MINUTES);
    expect(differs(desk, 'INR')).toBe('-700');
    expect(desk.events.filter(({ payload }) => 'kind' in payload && payload.kind === 'owner-trade')).toHaveLength(1);
  });

  test('bought on an account that is the bot’s alone stops trading, and is booked', () => {
    const desk = deskWithSol(deskSettings({ foreignOrders: 'refuse' }));
    tradeSol(desk);
    desk.run(5 * MINUTES);
    expect(haltsIn(desk.state().durable).get(BTC)).toContain("of SOL/INR is not the bot's");
    expect(desk.state().durable.differences.byAsset.size).toBe(0);
  });

  test('bought once explains no second loss of its cost', () => {
    const desk = deskWithSol();
    tradeSol(desk);
    desk.run(5 * MINUTES);
    expectContent(desk);
    move(desk, 'SOL', '0.2');
    move(desk, 'INR', '-3030');
    desk.run(5 * MINUTES);
    expect(ops(desk)).toContain('difference');
    expect(desk.events.filter(({ payload }) => 'kind' in payload && payload.kind === 'owner-trade')).toHaveLength(1);
  });

  test('not tradable for the differing asset is ignored', () => {
    const desk = deskWithSol();
    desk.reply = (request) => ('symbol' in request && request.symbol === 'SOL/INR' ? rejected(-1121) : undefined);
    move(desk, 'SOL', '0.2');
    fiat(desk);
    move(desk, 'INR', '5000');
    desk.run(5 * MINUTES);
    expectContent(desk);
    expect(asked(desk)).toEqual(expect.arrayContaining(['sbs-trades SOL/INR', 'spot-trades SOL/INR']));
    const unread = desk.notices.filter(({ op }) => op === 'history-read').map(({ level }) => level);
    expect(unread).toEqual(['debug', 'debug']);
  });
});

describe('the possible sources of a difference', () => {
  const of = (...symbols: string[]) => ({ spot: symbols, simple: symbols.filter((symbol) => symbol.endsWith('/INR')) });
  const none = of();
  const nothingLocked = { locked: ZERO, lockedFd: ZERO, lockedStaking: ZERO, lockedOtc: ZERO };
  const row = (asset: string, free = '3'): Balance => ({ asset, free: decimal(free), ...nothingLocked });
  const SOL = row('SOL');

  // The desk has one run, BTC/INR.
  test.each([
    ['a coin that moved, and rupees', [SOL], [], ['INR'], of('SOL/INR'), none],
    ['a coin that is gone', [], [SOL], ['INR'], of('SOL/INR'), none],
    ['one that has not moved', [SOL], [SOL], ['INR'], none, none],
    ['one that is listed with zero, as it was not before', [row('SOL', '0')], [], ['INR'], none, none],
    ['two coins', [SOL], [], ['BTC'], of('SOL/BTC', 'BTC/SOL'), none],
    ['rupees beside a coin of a run that is gone', [], [], ['ETH', 'INR'], of('ETH/INR'), none],
    ['what a run trades', [], [], ['BTC', 'INR'], none, none],
  ] as const)('%s', (_words, now, whenEqual, differing, likely, possible) => {
    const state = quotingDesk().state();
    state.reconciliation.rowsWhenEqual = whenEqual;
    expect(otherMarkets(state, new Set(differing), now)).toEqual({ likely, possible });
  });

  test('after a start the moved coins are unknown: all holdings, at most twelve', () => {
    const state = quotingDesk().state();
    state.reconciliation.rowsWhenEqual = null;
    const expected = { likely: none, possible: of('SOL/INR', 'ADA/INR') };
    expect(otherMarkets(state, new Set(['INR']), [SOL, row('ADA')])).toEqual(expected);
    const coins = Array.from({ length: 40 }, (_, at) => row(`A${at}`));
    expect(otherMarkets(state, new Set(['INR']), coins).possible.spot).toHaveLength(12);
  });

  test('two coins of runs: a market of both without a run', () => {
    const desk = quotingDesk(BOTH);
    const { likely, possible } = otherMarkets(desk.state(), new Set(['BTC', 'ETH', 'INR']), []);
    expect({ likely, possible }).toEqual({ likely: none, possible: of('BTC/ETH', 'ETH/BTC') });
  });
});

test('a fee in a coin that no run trades (F49) is booked, blocks no quoting, and is no difference', () => {
  const desk = deskWithSol();
  fillNow(desk, inSlot(desk, 'buy:0'), { commission: decimal('0.004'), commissionAsset: 'SOL' });
  desk.run(10 * MINUTES);
  fillNow(desk, inSlot(desk, 'buy:0'), { commission: decimal('0.004'), commissionAsset: 'SOL' });
  desk.run(10 * MINUTES);
  expectContent(desk);
  expect(account(desk, 'SOL', 'fees')).toBe('0.008');
  expect(account(desk, 'SOL', 'wallet')).toBe('0');
  expect(takeSnapshot(desk.state(), desk.now()).symbols.flatMap(({ pnl }) => pnl.otherFees)).toEqual([
    { asset: 'SOL', amount: '0.008' },
  ]);
  expect(desk.notices.filter(({ op }) => op === 'fill-dearer').map(({ message }) => message)).toEqual([
    expect.stringContaining('0.004 SOL'),
  ]);
});
