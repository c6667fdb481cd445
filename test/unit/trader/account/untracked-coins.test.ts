// Coins that no run trades: what the wallet held of them when it equaled the ledger.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { tradeId } from '../../../../src/domain/ids.ts';
import { expectCalm } from '../added-market-kit.ts';
import { account, move, sbs } from '../money-kit.ts';
import { fillNow, inSlot, quotingDesk } from '../trader-kit.ts';

test('a moved coin is searched for, even if an earlier wallet matches the ledger only afterward', () => {
  const desk = quotingDesk();
  desk.shows.balances.DOGE = decimal(100);
  desk.run(10_000);
  const before = [...desk.shows.fills];
  fillNow(desk, inSlot(desk, 'buy:0'));
  const after = desk.shows.fills;
  // A wallet that leads: no list shows the trade yet.
  desk.shows.fills = before;
  desk.run(2_200);
  const money = { price: decimal(10), quantity: decimal(100), quoteQuantity: decimal(1_000), commission: decimal(10) };
  sbs(desk, { symbol: 'DOGE/INR', tradeId: tradeId('78'), ...money });
  move(desk, 'DOGE', '100');
  move(desk, 'INR', '-1010');
  desk.look('wallet');
  desk.run(100);
  desk.shows.fills = after;
  desk.run(5 * 60_000);
  expect(account(desk, 'INR', 'external:conversion')).toBe('1000');
  expectCalm(desk);
});
