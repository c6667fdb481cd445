// When an order may give way to another one of its level.
import { expect, test } from '@jest/globals';
import type { FoldedOrder } from '../../../../simulation/fold/order-fold.ts';
import { whyTooEager } from '../../../../simulation/quotes/eager.ts';
import { decimal } from '../../../../src/domain/decimal.ts';
import { diffSettingsSchema } from '../../../../src/quoting/moves/refresh-settings.ts';
import type { RunSettings } from '../../../../src/trader/state/settings.ts';

const RUN = {
  refresh: diffSettingsSchema.parse({ priceToleranceBps: 10, refreshMs: 3_000, maxOrderAgeMs: 60_000 }),
  instrument: { tickSize: decimal('0.01'), lotSize: decimal('0.0001') },
  quoting: { saltLots: 0 },
} as unknown as RunSettings;
const OLDER = {
  side: 'buy',
  price: decimal(1_000),
  quantity: decimal(1),
  filled: decimal(0),
  sentAt: 0,
} as FoldedOrder;

test.each([
  ['too young', 2_999, '1100', '1', /2999 ms old, and stays for 3000/],
  ['old', 60_000, '1000', '1', null],
  ['where it is wanted', 5_000, '1000', '1', /within what is tolerated/],
  ['a little too near', 5_000, '999.2', '1', /within what is tolerated/],
  ['too near', 5_000, '998.9', '1', null],
  ['as far off, but farther away', 5_000, '1001.1', '1', /within what is tolerated/],
  ['too far away', 5_000, '1002.1', '1', null],
  ['a little too small', 5_000, '1000', '1.5', /within what is tolerated/],
  ['much too small', 5_000, '1000', '2.1', null],
  ['too large', 5_000, '1000', '0.89', null],
])('one that is %s', (_what, sentAt, price, quantity, why) => {
  const said = whyTooEager(RUN, { sentAt, price, quantity }, OLDER);
  if (why === null) expect(said).toBeNull();
  else expect(said).toMatch(why);
});
