import { expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { BTC, deskSettings, ETH, LAG_MS } from '../desk-settings.ts';
import { fiat, move } from '../money-kit.ts';
import { quotingDesk } from '../trader-kit.ts';

const booked = (types: readonly { readonly type: string }[]) => types.filter(({ type }) => type === 'transfer');

test('a part of a difference is booked once it has stood for longer than a list may trail, the whole of one at once', () => {
  const part = quotingDesk(deskSettings({ symbols: [BTC, ETH] }));
  const from = part.now();
  fiat(part, { direction: 'withdrawal', amount: decimal(3_000) });
  move(part, 'INR', '-3000');
  // Nothing will ever say why.
  move(part, 'ETH', '0.2');
  part.run(LAG_MS + 20_000);
  const [first] = booked(part.events) as { payload: { at: number } }[];
  expect(first?.payload.at).toBeGreaterThanOrEqual(from + LAG_MS);

  const whole = quotingDesk(deskSettings({ symbols: [BTC, ETH] }));
  fiat(whole, { direction: 'withdrawal', amount: decimal(3_000) });
  move(whole, 'INR', '-3000');
  whole.run(LAG_MS);
  expect(booked(whole.events)).toHaveLength(1);
});
