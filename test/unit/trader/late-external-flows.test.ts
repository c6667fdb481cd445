// The owner's transfers and simple trades that show late, change, or were on their way.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { LAG_MS } from './desk-settings.ts';
import { account, fiat, move, sbs } from './money-kit.ts';
import { deskWith, ops, quotingDesk } from './trader-kit.ts';

test('a deposit soon after the opening explains the difference, even with our clock a minute ahead', () => {
  const desk = deskWith();
  desk.tell({ kind: 'clock', offsetMs: -60_000, uncertaintyMs: 50, confirmed: true });
  desk.look('book', 'orders', 'trades', 'wallet');
  desk.pass(20);
  desk.look('trades', 'wallet');
  desk.pass(20);
  desk.look('trades', 'wallet');
  desk.pass(20);
  desk.look('book');
  desk.run(20_000);
  expect(ops(desk)).toContain('opened');
  fiat(desk, { venueTime: desk.now() - 60_000 });
  move(desk, 'INR', '5000');
  desk.run(60_000);
  expect(desk.state().durable.differences.byAsset.size).toBe(0);
  expect(account(desk, 'INR', 'external:deposit')).toBe('-5000');
});

test('late tax of a simple sell is booked as tax', () => {
  const desk = quotingDesk();
  sbs(desk, { side: 'sell' });
  move(desk, 'BTC', '-0.01');
  move(desk, 'INR', '1002.5');
  desk.run(LAG_MS + 6_000);
  expect(account(desk, 'BTC', 'external:conversion')).toBe('0.01');
  desk.shows.sbs = desk.shows.sbs.map((row) => ({ ...row, tds: decimal('10.05') }));
  move(desk, 'INR', '-10.05');
  desk.run(90_000);
  expect(desk.state().durable.differences.byAsset.size).toBe(0);
  expect(account(desk, 'INR', 'tax-withheld')).toBe('10.05');
});
