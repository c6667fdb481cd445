// The bot's status lines: complete, and short enough for a terminal.
import { describe, expect, test } from '@jest/globals';
import { duration } from '../../../src/bot/base/message.ts';
import {
  openLines,
  profitLine,
  restingLines,
  summaryLines,
  symbolLine,
  walletLine,
} from '../../../src/bot/status/status-words.ts';
import type { AssetView, OrderView, SymbolView } from '../../../src/trader/status/snapshot.ts';
import type { UnmatchedOrderView } from '../../../src/trader/status/views.ts';
import { leaving } from '../../browser/status-cases.ts';
import { statusFixture } from '../../browser/status-fixture.ts';
import { btc, order as orderView } from '../../browser/symbol-fixtures.ts';

const order = (side: 'buy' | 'sell', price: string): OrderView => ({
  ...orderView({ side, price, quantity: '0.01' }),
  ...{ intentId: '1-1', orderId: '1-101-1' },
});

const PROFIT = { spread: '2014.966', inventory: '-446.1', fees: '1067.99', taxWithheld: '2027.46', total: '500.87' };
const view: SymbolView = btc({
  ...{ quotedSpreadBps: 180.4, bookSentAt: 0, openOrdersSentAt: 0, tradesSentAt: 0 },
  orders: [order('buy', '5431787'), order('buy', '5453800'), order('sell', '5574874'), order('sell', '5552861')],
  inventory: '0.48765000',
  pnl: { ...btc().pnl, ...PROFIT, pricedAt: 0 },
  fills: { buys: 45, sells: 117, takers: 0, takerBuys: 0, quoteVolume: '0' },
});

/** The time of the view, with a book that may be five seconds old. */
const NOW = {
  at: 0,
  limits: { bookAgeMs: 5_000, openOrdersAgeMs: 15_000, reconciledAgeMs: 60_000, clockUncertaintyMs: 500 },
};

test('orders that may be open are named, or shown without an id', () => {
  const unnamed: OrderView = { ...order('sell', '5574874'), orderId: null, filled: '0.004', state: 'unknown' };
  expect(openLines({ symbol: 'BTC/INR', orders: [order('buy', '5431787'), unnamed] })).toEqual([
    'May be open: BTC/INR buy 0.01 @ 5431787, order 1-101-1.',
    'May be open: BTC/INR sell 0.006 @ 5574874, not named by the exchange.',
  ]);
});

describe('orders left that are not known to be the bot’s', () => {
  const other: UnmatchedOrderView = {
    symbol: 'BTC/INR',
    orderId: '1-9-1',
    side: 'buy',
    price: '5431787',
    quantity: '0.01',
    mayBeOurs: false,
  };

  test('are listed, first those that may be the bot’s', () => {
    const unmatchedOrders = [other, { ...other, orderId: '1-10-1', mayBeOurs: true }];
    expect(restingLines({ unmatchedOrders, symbols: [{ symbol: 'BTC/INR', openOrdersSentAt: 1 }] })).toEqual([
      "May be open: BTC/INR buy 0.01 @ 5431787, order 1-10-1: it may be the bot's, and only you can tell.",
      "Left resting, not the bot's: 1 order:",
      '  BTC/INR buy 0.01 @ 5431787, order 1-9-1',
    ]);
  });

  test('are reported even if there are none, or if they are unknown', () => {
    const symbols = [{ symbol: 'ETH/INR', openOrdersSentAt: null }];
    expect(restingLines({ unmatchedOrders: [], symbols })).toEqual([
      "Left resting, not the bot's: none.",
      'Open orders in ETH/INR are not known: they could not be listed.',
    ]);
  });

  test('have one line if they may be the order of a create without an id', () => {
    const unnamed: OrderView = { ...order('buy', '5431787'), orderId: null, state: 'unknown' };
    expect(openLines({ symbol: 'BTC/INR', orders: [unnamed] }, [{ ...other, mayBeOurs: true }])).toEqual([]);
    expect(openLines({ symbol: 'BTC/INR', orders: [unnamed] }, [other])).toHaveLength(1);
  });
});

describe('a symbol', () => {
  test('that is quoted shows its best quotes, spread, inventory, fills and profit, in less than ninety columns', () => {
    const line = symbolLine(view, NOW);
    expect(line).toBe('BTC/INR bid 5,453,800 ask 5,552,861, 180 bps; 0.48765 BTC; 162 fills; profit 500.87 INR');
    expect(line.length).toBeLessThan(90);
  });

  test('whose orders are all being canceled shows no quote', () => {
    expect(symbolLine(btc({ ...view, orders: view.orders.map(leaving), quotedSpreadBps: null }), NOW)).toBe(
      'BTC/INR replacing quotes, orders 4 leaving; 0.48765 BTC; 162 fills; profit 500.87 INR',
    );
  });

  test('gives the age of the price of its profit once it exceeds a book’s limit', () => {
    expect(symbolLine(view, { ...NOW, at: 72_000 })).toMatch(/; profit 500\.87 INR at a price of 1 min 12 s ago$/);
  });

  test.each([
    [false, 'spread 2,014.97, inventory -446.10, fees -1,067.99; tax withheld 2,027.46'],
    [true, 'spread 2,014.97, inventory -446.10, fees -1,067.99, tax -2,027.46'],
  ])('splits its profit, with the tax included: %s', (taxInTotal, line) => {
    expect(profitLine({ ...view, pnl: { ...view.pnl, taxInTotal } })).toBe(`profit 500.87 INR: ${line}`);
  });

  test('says which fees its profit does not count', () => {
    const pnl = { ...view.pnl, otherFees: [{ asset: 'SOL', amount: '0.008' }] };
    expect(profitLine({ ...view, pnl })).toMatch(/; tax withheld 2,027\.46; fees of 0\.008 SOL not counted$/);
  });

  test('ends in two lines', () => {
    expect(summaryLines(view)).toEqual([
      'BTC/INR 45 bought, 117 sold since 2026-03-17 07:28:24 UTC; 0.48765 BTC held',
      `  ${profitLine(view)}`,
    ]);
  });
});

describe('the wallet', () => {
  const asset = (name: string, expected: string, difference: string | null): AssetView => ({
    asset: name,
    expected,
    wallet: expected,
    difference,
    differsSince: difference === '-0.1' ? 20_000 : null,
    differenceStands: false,
    reserved: '0',
    feesPaid: '0',
    cashRunwayDays: null,
    taxWithheld: '0',
  });
  const { contact } = statusFixture().trader;
  const line = (...assets: AssetView[]): string => walletLine({ assets, at: 60_000, reconciledAt: 24_000, contact });

  const [held, unopened] = [asset('BTC', '0.5', '0'), asset('ETH', '0', null)];

  test.each([
    ['equals ledger: 0.5 BTC, 4,980,411.13009254 INR.', [held, asset('INR', '4980411.13009254', '0')]],
    ['differs from ledger: -0.1 BTC for 40 s.', [asset('BTC', '0.5', '-0.1'), asset('INR', '1', '0')]],
    // Coins of a market that is not opened yet have no comparison.
    ['differs from ledger: -5 INR; not compared yet: ETH.', [unopened, asset('INR', '1', '-5')]],
    ['equals ledger: 0.5 BTC; not compared yet: ETH.', [held, unopened]],
  ])('%s', (sentence, assets) => {
    expect(line(...assets)).toBe(`Wallet ${sentence}`);
  });

  test('not compared yet', () => {
    expect(line(asset('BTC', '0.5', null))).toBe('Wallet: not compared with the ledger yet.');
  });

  test('is outdated while the exchange does not answer', () => {
    const silent = { ...contact, silentSince: 25_000 };
    const facts = { assets: [held], at: 60_000, reconciledAt: 24_000, contact: silent };
    expect(walletLine(facts)).toBe('Wallet equaled the ledger 36 s ago: 0.5 BTC.');
  });
});

test.each([
  [400, '0 s'],
  [12_000, '12 s'],
  [60_000, '1 min'],
  [297_000, '4 min 57 s'],
  [7_500_000, '2 h 5 min'],
])('%d ms last %s', (ms, words) => {
  expect(duration(ms)).toBe(words);
});
