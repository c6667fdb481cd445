// A person says that a difference was his own doing: it is booked as external, and quoting begins.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { amountText } from '../../../src/ledger/amount.ts';
import { balanceOf } from '../../../src/ledger/ledger.ts';
import { accepted, BOTH, HOUR, move, told, waitingDesk } from './added-market-kit.ts';
import { ops, quotingDesk } from './trader-kit.ts';

test('the first differences become external, the later ones stop quoting again', () => {
  const desk = quotingDesk();
  desk.state().session.acceptDifferences = true;
  const { balances } = desk.shows;
  const before = balances.BTC ?? decimal(0);
  balances.BTC = before.add('0.25');
  desk.run(60_000);
  expect(ops(desk)).toContain('difference-accepted');
  expect(ops(desk)).not.toContain('difference');
  const { durable } = desk.state();
  expect(amountText(balanceOf(durable.books.ledger, 'BTC', 'external:manual'))).toBe('-0.25');
  expect(desk.state().phase).toBe('running');

  balances.BTC = before;
  desk.run(60_000);
  expect(ops(desk)).toContain('difference');
});

test('an accepted difference excludes a loss an hour later, even if no wallet matched in between', () => {
  const { desk } = waitingDesk();
  move(desk, 'BTC', '-0.3');
  desk.restart(BOTH, [], 0, { acceptDifferences: true });
  desk.run(2 * 60_000);
  expect(accepted(desk)).toEqual(['-0.3 BTC']);
  desk.run(HOUR, 1_000);
  move(desk, 'BTC', '-0.2'); // stolen
  desk.run(10 * 60_000, 500);
  expect(accepted(desk)).toEqual(['-0.3 BTC']);
  expect(told(desk)).toEqual(['BTC']);
});
