// `check` on open orders: what the bot would do about unmatched ones.
import { expect, test } from '@jest/globals';
import { openOrdersFinding } from '../../../../src/bot/check/check-venue.ts';

test.each([
  ['ignore', 7, 'It may read orders; 7 are open. The bot leaves orders alone that its journal does not have.'],
  [
    'refuse',
    1,
    "It may read orders; 1 is open. An order that is not in the bot's journal halts every symbol " +
      '(account.foreignOrders: refuse).',
  ],
] as const)('with foreignOrders: %s', (foreignOrders, count, detail) => {
  expect(openOrdersFinding(count, foreignOrders)).toEqual({ what: 'key: orders', verdict: 'note', detail });
});
