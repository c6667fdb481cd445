// `check` on open orders: what the bot would do about unmatched ones.
import { expect, test } from '@jest/globals';
import { openOrdersFinding } from '../../../../src/bot/check/account-checks.ts';

test.each([
  ['ignore', 7, 'It may read orders; 7 are open. The bot leaves alone what its journal does not hold.'],
  [
    'refuse',
    1,
    "It may read orders; 1 is open. One that is not the bot's by its journal halts every symbol " +
      '(account.foreignOrders: refuse).',
  ],
] as const)('with foreignOrders: %s', (foreignOrders, count, detail) => {
  expect(openOrdersFinding(count, foreignOrders)).toEqual({ what: 'key: orders', verdict: 'note', detail });
});
