import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { type Coin, type Portfolio, placeInPortfolio } from '../../../src/quoting/inventory.ts';

const coin = (asset: string, held: string, price: string, bids = '0'): Coin => ({
  asset,
  held: decimal(held),
  bids: decimal(bids),
  price: decimal(price),
});

/** 30 % in BTC, 20 % in ETH. */
const portfolio = (correlation: string, maxExposure: string | null = null): Portfolio => ({
  quote: 'INR',
  shares: new Map([
    ['BTC', decimal('0.3')],
    ['ETH', decimal('0.2')],
  ]),
  correlation: decimal(correlation),
  maxExposure: maxExposure === null ? null : decimal(maxExposure),
});

function placeOf(asset: string, held: readonly Coin[], of: Portfolio, quoteHeld = '500'): [string, string | null] {
  const own = held.find((each) => each.asset === asset);
  if (own === undefined) throw new Error(`${asset} is not held.`);
  const { target, mostBase } = placeInPortfolio(of, { coins: held, quoteHeld: decimal(quoteHeld), own });
  return [target.toFixed(), mostBase?.toFixed() ?? null];
}

describe('one inventory for the account', () => {
  test('on target each coin is held to its share of everything', () => {
    const held = [coin('BTC', '3', '100'), coin('ETH', '20', '10')];
    expect(placeOf('BTC', held, portfolio('1'))).toEqual(['3', null]);
    expect(placeOf('ETH', held, portfolio('1'))).toEqual(['20', null]);
  });

  test('what is held too much of one coin lowers the target of the other, by how much they move together', () => {
    // 1,000 in all: ETH is worth 300, 100 too much; BTC 200, 100 too little.
    const held = [coin('BTC', '2', '100'), coin('ETH', '30', '10')];
    expect(placeOf('BTC', held, portfolio('0'))).toEqual(['3', null]);
    expect(placeOf('BTC', held, portfolio('0.5'))).toEqual(['2.5', null]);
    expect(placeOf('BTC', held, portfolio('1'))).toEqual(['2', null]);
    expect(placeOf('ETH', held, portfolio('0.5'))).toEqual(['25', null]);
  });

  test('a target is never below zero', () => {
    const held = [coin('BTC', '0', '100'), coin('ETH', '100', '10')];
    expect(placeOf('BTC', held, portfolio('1'), '0')[0]).toBe('0');
  });

  test('the bound counts all coins, and bids of the others that may fill', () => {
    const onTarget = [coin('BTC', '3', '100'), coin('ETH', '20', '10')];
    expect(placeOf('BTC', onTarget, portfolio('1', '150'))).toEqual(['3', '4.5']);
    const bidding = [coin('BTC', '3', '100'), coin('ETH', '20', '10', '5')];
    expect(placeOf('BTC', bidding, portfolio('1', '150'))).toEqual(['3', '4']);
    expect(placeOf('BTC', bidding, portfolio('0.5', '150'))).toEqual(['3', '4.25']);
    // Over the bound already: less than what is held, so that nothing is bought.
    const over = [coin('BTC', '3', '100'), coin('ETH', '40', '10')];
    expect(Number(placeOf('BTC', over, portfolio('1', '50'), '300')[1])).toBeLessThan(3);
  });
});
