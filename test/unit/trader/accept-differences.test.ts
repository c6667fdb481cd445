// A person says that a difference was his own doing: it is booked as external, and quoting begins.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { amountText } from '../../../src/ledger/amount.ts';
import { balanceOf } from '../../../src/ledger/ledger.ts';
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
