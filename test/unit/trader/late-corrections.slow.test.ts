// Trades that change, or are taken back, long after they were made (F49, F50).
import { expect, test } from '@jest/globals';
import { type Decimal, decimal, plain } from '../../../src/domain/decimal.ts';
import { ledgerTotal } from '../../../src/trader/state/state.ts';
import { BTC } from './desk-settings.ts';
import { account, differs } from './money-kit.ts';
import { type Desk, fillNow, inSlot, ops, quotingDesk, takeBack, tradeNow } from './trader-kit.ts';

const held = (desk: Desk, asset: string): string => plain(ledgerTotal(desk.state().durable.books, asset));

test('tax that is settled twenty minutes after the trade is booked as tax', () => {
  const desk = quotingDesk();
  const fill = fillNow(desk, inSlot(desk, 'sell:0'), { quantity: decimal('0.004') });
  desk.run(3_000);
  desk.run(40 * 60_000, 500);
  fillNow(desk, inSlot(desk, 'buy:0'), { quantity: decimal('0.001') });
  desk.run(5_000);
  expect(held(desk, 'INR')).toBe(plain(desk.shows.balances.INR as Decimal));
  desk.shows.fills = desk.shows.fills.map((row) =>
    row.tradeId === fill.tradeId ? { ...fill, tds: decimal('4.08') } : row,
  );
  desk.shows.balances.INR = desk.shows.balances.INR?.sub('4.08') as Decimal;
  desk.run(5 * 60_000, 200);
  expect(desk.state().durable.differences.byAsset.size).toBe(0);
  expect(account(desk, 'INR', 'tax-withheld')).toBe('4.08');
});

test('a trade taken back after forty minutes is reversed', () => {
  const desk = quotingDesk();
  const fill = fillNow(desk, inSlot(desk, 'buy:0'), { quantity: decimal('0.004') });
  desk.run(40 * 60_000, 500);
  fillNow(desk, inSlot(desk, 'sell:0'), { quantity: decimal('0.001') });
  desk.run(5_000);
  takeBack(desk.shows, fill);
  desk.run(30 * 60_000, 500);
  expect(ops(desk)).toContain('trade-changed');
  expect(differs(desk, 'BTC')).toBe('0');
});

test.each([
  [10, 1],
  [60, 1],
  [60, 0],
])('a trade that is taken back is reversed, beside %d others that are %d ms apart (seed 33431)', (count, apartMs) => {
  const desk = quotingDesk();
  const fill = fillNow(desk, inSlot(desk, 'buy:0'), { quantity: decimal('0.004') });
  desk.run(3_000);
  for (let n = 0; n < count; n += 1) {
    const theirs = { symbol: BTC, side: 'buy', price: decimal(99_000), quantity: decimal('0.0001') } as const;
    tradeNow(desk, theirs, `1-7-${n}`, { at: desk.now() + n * apartMs });
  }
  desk.run(10_000);
  expect(plain(ledgerTotal(desk.state().durable.books, 'INR'))).toBe(plain(desk.shows.balances.INR as Decimal));
  takeBack(desk.shows, fill);
  desk.run(15 * 60_000, 250);
  expect(ops(desk)).toContain('trade-changed');
  expect(differs(desk, 'BTC')).toBe('0');
});
