// Two coins that move together are held against one target and one bound.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { decisionOf } from '../../../../src/trader/decision/decide.ts';
import { notReady } from '../../../../src/trader/decision/readiness.ts';
import type { TraderSettings } from '../../../../src/trader/state/settings.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { BTC, deskSettings, ETH } from '../desk-settings.ts';
import { type Desk, deskWith, fillNow, inSlot, makeReady } from '../trader-kit.ts';

/** The desk holds 1,000,000 INR, 1 BTC at 100,000 and 10 ETH at 10,000: 1,200,000 in all. */
const settings = (correlation: string, maxExposure: string | null = null): TraderSettings => ({
  ...deskSettings({ symbols: [BTC, ETH] }),
  portfolio: {
    quote: 'INR',
    shares: new Map([
      ['BTC', decimal('0.1')],
      ['ETH', decimal('0.1')],
    ]),
    correlation: decimal(correlation),
    maxExposure: maxExposure === null ? null : decimal(maxExposure),
  },
});

function quoting(of: TraderSettings): Desk {
  const desk = deskWith(of);
  makeReady(desk);
  desk.run(3_000);
  return desk;
}

const target = (desk: Desk, symbol: string): number =>
  Number(decisionOf(desk.state(), marketOf(desk.state(), symbol), desk.now()).view?.inventoryTarget.toFixed());

const bids = (desk: Desk, symbol: string): number =>
  (decisionOf(desk.state(), marketOf(desk.state(), symbol), desk.now()).result?.quotes ?? []).filter(
    (quote) =>
      quote.side === 'buy' &&
      symbol === decisionOf(desk.state(), marketOf(desk.state(), symbol), desk.now()).view?.symbol,
  ).length;

describe('the account as one inventory', () => {
  test('each coin is held to its share, less the excess of the other', () => {
    const apart = quoting(settings('0'));
    expect([target(apart, BTC), target(apart, ETH)]).toEqual([1.2, 12]);
    // Of each 20,000 INR are missing: as they move together, each makes up for the other.
    const together = quoting(settings('0.5'));
    expect([target(together, BTC), target(together, ETH)]).toEqual([1.3, 13]);
  });

  test('a fill of one moves the target of the other at once', () => {
    const desk = quoting(settings('1'));
    const before = target(desk, ETH);
    fillNow(desk, inSlot(desk, 'buy:0', BTC));
    desk.look('orders', 'trades', 'wallet');
    desk.run(200);
    expect(target(desk, ETH)).toBeLessThan(before);
  });

  test('at the bound no bid of any coin is left, and the reason is shown', () => {
    const desk = quoting(settings('1', '0'));
    expect(bids(desk, BTC)).toBeGreaterThan(0);
    // The owner has put in twenty coins.
    const fresh = deskWith(settings('1', '0'));
    Object.assign(fresh.shows.balances, { ETH: decimal(30), INR: decimal(800_000) });
    makeReady(fresh);
    fresh.run(3_000);
    expect([bids(fresh, BTC), bids(fresh, ETH)]).toEqual([0, 0]);
    const { result } = decisionOf(fresh.state(), marketOf(fresh.state(), BTC), fresh.now());
    expect(result?.noQuote.buy).toMatch(/^1 BTC are held and with all bids filled it may be 0 at most\.$/);
    expect(result?.noQuote.sell).toBe(null);
  });
});

test('a coin without holdings or a price keeps no other coin from being quoted', () => {
  const desk = deskWith(settings('0.5'));
  desk.shows.balances.ETH = decimal(0);
  desk.shows.books[ETH] = null;
  desk.tell({ kind: 'listing', awaited: null, missing: [ETH] });
  makeReady(desk);
  desk.run(120_000);
  expect(notReady(desk.state(), marketOf(desk.state(), BTC), desk.now())).toEqual([]);
  // The account is worth 1,100,000 INR, and the other coin's whole share is missing: this one makes up for half.
  expect(target(desk, BTC)).toBe(1.65);
});

describe('maxExposure holds with all bids filled', () => {
  test.each([
    ['of the portfolio’s own symbols', [BTC, ETH]],
    ['and of a second symbol of a coin, which is quoted in another asset', [BTC, ETH, 'BTC/USDT']],
    ['whichever of them comes first', ['BTC/USDT', BTC, ETH]],
  ])('%s', (_what, symbols) => {
    // What is held is what the shares say: 1,500 INR are left for all bids, whose orders are of 1,000.
    const share = decimal('0.0833333333');
    const shares = new Map([
      ['BTC', share],
      ['ETH', share],
    ]);
    const portfolio = { quote: 'INR', shares, correlation: decimal(1), maxExposure: decimal(1_500) };
    const desk = deskWith({ ...deskSettings({ symbols }), portfolio });
    Object.assign(desk.shows.balances, { USDT: decimal(1_000_000) });
    desk.shows.books['BTC/USDT'] = [99_000, 101_000];
    makeReady(desk);
    desk.run(5_000);
    const worth: Readonly<Record<string, number>> = { BTC: 100_000, ETH: 10_000 };
    const bought = desk
      .intents()
      .filter(({ side }) => side === 'buy')
      .reduce((sum, { quantity, symbol }) => sum + quantity.toNumber() * (worth[symbol.slice(0, 3)] ?? 0), 0);
    expect(bought).toBeGreaterThan(900);
    expect(bought).toBeLessThanOrEqual(1_501);
  });
});
