// Two markets that were configured later share a quote asset that the ledger has never known, and one of them is not
// listed yet: the asset is opened with the other one.
import { expect, test } from '@jest/globals';
import { Decimal, decimal } from '../../../src/domain/decimal.ts';
import { booked, differs, expectCalm, HOUR, held, openings, theirs } from './added-market-kit.ts';
import { BTC, deskSettings } from './desk-settings.ts';
import { quotingDesk } from './trader-kit.ts';

const [ETH, SOL] = ['ETH/USDT', 'SOL/USDT'];

test('a market listed after its quote asset was opened with another market counts earlier payments there once', () => {
  const desk = quotingDesk();
  Object.assign(desk.shows.balances, { USDT: decimal(50_000), SOL: decimal(3) });
  Object.assign(desk.shows.books, { [ETH]: [9_900, 10_100], [SOL]: [9_900, 10_100] });
  desk.run(5_000);
  desk.pass(HOUR);
  // The owner buys 2 SOL while the bot is down; the exchange disables the market later.
  const own = {
    ...theirs({ quantity: '2', at: desk.now(), symbol: SOL }),
    commissionAsset: 'USDT',
    commission: new Decimal(200),
  };
  desk.shows.fills.push(own);
  Object.assign(desk.shows.balances, { USDT: decimal(50_000 - 20_200), SOL: decimal(5) });
  desk.pass(HOUR);
  desk.restart(deskSettings({ symbols: [BTC, ETH, SOL] }));
  desk.tell({ kind: 'listing', awaited: null, missing: [SOL] });
  desk.look('book', 'orders');
  desk.run(60_000);
  expect(openings(desk)).toEqual([{ ETH: '10', USDT: '29800' }]);
  desk.tell({ kind: 'listing', awaited: null, missing: [] });
  desk.run(5 * 60_000);
  expect(openings(desk)).toHaveLength(2);
  expect([held(desk, 'USDT'), differs(desk, 'USDT'), held(desk, 'SOL')]).toEqual(['29800', '0', '5']);
  expect(booked(desk, own)).toBeLessThanOrEqual(1);
  expectCalm(desk);
});
