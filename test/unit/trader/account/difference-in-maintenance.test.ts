// While nothing is answered nobody looks for what explains a difference: that time is none of the search's.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { deskSettings, LAG_MS } from '../desk-settings.ts';
import { haltsIn } from '../durable-kit.ts';
import { account, fiat, move } from '../money-kit.ts';
import { type Desk, ops, quotingDesk } from '../trader-kit.ts';

const DEADLINE_MS = deskSettings().assumptions.resolutionDeadlineMs;

const inMaintenance = (desk: Desk) => ({
  kind: 'throttled' as const,
  status: 503,
  code: -1125,
  refusal: 'maintenance',
  throttledBy: 'exchange' as const,
  retryAt: desk.now() + 1_000,
  detail: 'Maintenance.',
});

/** No list shows a withdrawal: its difference is confirmed, and the exchange is then away for longer than a search. */
function afterMaintenance(): Desk {
  const desk = quotingDesk();
  move(desk, 'INR', '-3000');
  desk.run(LAG_MS + 7_000);
  expect(ops(desk)).toContain('difference');
  desk.reply = () => inMaintenance(desk) as never;
  desk.run(DEADLINE_MS + 60_000);
  desk.reply = () => undefined;
  return desk;
}

test('its explanation is booked when the exchange is back, and nobody is asked', () => {
  const desk = afterMaintenance();
  fiat(desk, { direction: 'withdrawal', amount: decimal(3_000), venueTime: desk.now() - 2 * DEADLINE_MS });
  desk.run(11 * 60_000, 250);
  expect(desk.state().durable.differences.byAsset.size).toBe(0);
  expect(account(desk, 'INR', 'external:withdrawal')).toBe('3000');
  expect(haltsIn(desk.state().durable).size).toBe(0);
});
