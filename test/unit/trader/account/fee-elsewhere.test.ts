// Fees in an asset that no run trades: booked, and what the wallet holds of it is still the owner's affair (F49).
import { expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { assetsOf } from '../../../../src/trader/state/state.ts';
import { LAG_MS } from '../desk-settings.ts';
import { account } from '../money-kit.ts';
import { fillNow, inSlot, ops, quotingDesk } from '../trader-kit.ts';

test("a fee in such an asset does not make the ledger cover the wallet's holdings of it", () => {
  const desk = quotingDesk();
  desk.shows.balances.SOL = decimal(3);
  desk.run(3_000);
  for (const fees of ['0.004', '0.008']) {
    fillNow(desk, inSlot(desk, 'buy:0'), { commission: decimal('0.004'), commissionAsset: 'SOL' });
    desk.run(3 * LAG_MS);
    expect([account(desk, 'SOL', 'fees'), account(desk, 'SOL', 'wallet')]).toEqual([fees, '0']);
    expect([...assetsOf(desk.state())].sort()).toEqual(['BTC', 'INR']);
    expect(inSlot(desk, 'buy:0').state).toBe('open');
  }
  expect(ops(desk)).not.toContain('difference');
});
