import { expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { BTC, deskSettings, ETH, LAG_MS } from '../desk-settings.ts';
import { fiat, move } from '../money-kit.ts';
import { type Desk, quotingDesk } from '../trader-kit.ts';

/** When transfers were booked. */
const booked = ({ events }: Desk): number[] =>
  events.flatMap(({ type, payload }) => (type === 'transfer' ? [payload.at] : []));

test('a part of a difference is booked after it stood for longer than a list may trail, a whole one at once', () => {
  const part = quotingDesk(deskSettings({ symbols: [BTC, ETH] }));
  const from = part.now();
  fiat(part, { direction: 'withdrawal', amount: decimal(3_000) });
  move(part, 'INR', '-3000');
  // Nothing will ever say why.
  move(part, 'ETH', '0.2');
  part.run(LAG_MS + 20_000);
  const [first] = booked(part);
  expect(first).toBeGreaterThanOrEqual(from + LAG_MS);

  const whole = quotingDesk(deskSettings({ symbols: [BTC, ETH] }));
  fiat(whole, { direction: 'withdrawal', amount: decimal(3_000) });
  move(whole, 'INR', '-3000');
  whole.run(LAG_MS);
  expect(booked(whole)).toHaveLength(1);
});
