// While nothing is answered nobody looks for what explains a difference: that time is none of the search's.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { takeSnapshot } from '../../../../src/trader/status/take-snapshot.ts';
import { deskSettings, LAG_MS } from '../desk-settings.ts';
import { haltsIn } from '../durable-kit.ts';
import { account, fiat, move } from '../money-kit.ts';
import { type Desk, ops, quotingDesk } from '../trader-kit.ts';

const DEADLINE_MS = deskSettings().assumptions.resolutionDeadlineMs;

const inMaintenance = (desk: Desk) => ({
  kind: 'throttled' as const,
  status: 503,
  code: -1125,
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

test('what explains it is booked when the exchange is back, and nobody is asked', () => {
  const desk = afterMaintenance();
  fiat(desk, { direction: 'withdrawal', amount: decimal(3_000), venueTime: desk.now() - 2 * DEADLINE_MS });
  desk.run(DEADLINE_MS - 5_000);
  expect(ops(desk)).not.toContain('suspense');
  expect(account(desk, 'INR', 'external:withdrawal')).toBe('3000');
  expect(haltsIn(desk.state().durable).size).toBe(0);
});

test('what nothing explains is set aside when it has been looked for since, at the moment that was shown', () => {
  const desk = afterMaintenance();
  desk.run(DEADLINE_MS / 2);
  expect(ops(desk)).not.toContain('suspense');
  const [inr] = takeSnapshot(desk.state(), desk.now()).assets.filter(({ asset }) => asset === 'INR');
  const haltsAt = inr?.differenceHaltsAt ?? 0;
  expect(haltsAt).toBeGreaterThan(desk.now());
  desk.run(haltsAt - desk.now() + 10_000);
  expect(ops(desk)).toContain('suspense');
  expect(account(desk, 'INR', 'suspense')).toBe('3000');
});
