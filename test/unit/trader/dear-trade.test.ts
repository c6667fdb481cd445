// Fees and withheld tax are configured, and each own fill shows what they are.
import { expect, test } from '@jest/globals';
import { type Decimal, decimal } from '../../../src/domain/decimal.ts';
import type { Fill } from '../../../src/domain/fill.ts';
import { type Desk, fillNow, inSlot, quotingDesk } from './trader-kit.ts';

type Charged = (notional: Decimal) => Partial<Fill>;

function filled(desk: Desk, slot: string, charged: Charged): void {
  const order = inSlot(desk, slot);
  const quantity = decimal('0.001');
  fillNow(desk, order, { quantity, ...charged(quantity.mul(order.price)) });
  desk.look('orders', 'trades', 'wallet');
  desk.run(1_000);
}

const told = (desk: Desk): string[] =>
  desk.notices.flatMap(({ op, message }) => (op === 'fill-dearer' ? [message.replace(/\d+/, 'N')] : []));

const AFTER = 'Quotes earn less than intended: set costs to the exchange’s charges.';

test.each<[string, string, Charged, string[]]>([
  ['a fee as configured', 'buy:0', (notional) => ({ commission: notional.div(100) }), []],
  [
    'a higher fee',
    'buy:0',
    (notional) => ({ commission: notional.mul('0.0118') }),
    [`Trade N cost 1.18 %, more than the configured fee with its tax. ${AFTER}`],
  ],
  [
    'tax that is withheld, and not configured',
    'sell:0',
    (notional) => ({ tds: notional.div(100) }),
    [`Trade N had 1 % withheld as tax, more than tdsRatio. ${AFTER}`],
  ],
])('what is told once: %s', (_what, slot, charged, expected) => {
  const desk = quotingDesk();
  filled(desk, slot, charged);
  filled(desk, slot, charged);
  expect(told(desk)).toEqual(expected);
});
