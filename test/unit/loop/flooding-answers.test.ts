// Lists of any length, with other names each time: what is told, written and kept of them is bounded.
import { expect, test } from '@jest/globals';
import { summedUp } from '../../../src/loop/summed-up.ts';
import type { Notice } from '../../../src/trader/state/turn.ts';
import { ENDPOINTS } from '../../../src/venue/endpoints.ts';
import { playedAgainst } from './played-against.ts';

const ROWS = 1_000;
let count = 0;

const foreignOrder = () => {
  count += 1;
  const order = { symbol: 'BTC/INR', orderId: `1-${10 ** 15 + count}-1`, price: '4000000', origQty: '0.01' };
  return { ...order, executedQty: '0', remainingQty: '0.01', status: 'NEW', type: 'LIMIT', side: 'BUY', time: 1.7e12 };
};
const foreignCoin = () => {
  count += 1;
  return { asset: `A${count.toString(36).toUpperCase()}`, free: '1', locked: '1' };
};

test.each([
  ['open orders', ENDPOINTS['open-orders'].path, foreignOrder],
  ['coins in the wallet', ENDPOINTS.wallet.path, foreignCoin],
])('%s', async (_what, path, row: () => object) => {
  const flooded = await playedAgainst((request, given) => {
    if (!request.url.includes(path)) return given;
    const rows = [...JSON.parse(given.body), ...Array.from({ length: ROWS }, () => row())];
    return { ...given, body: JSON.stringify(rows) };
  });
  expect(flooded.spoilt).toBeGreaterThan(3);
  expect(flooded.notices.length).toBeLessThan(50 * flooded.spoilt);
  expect(flooded.journalled).toBeLessThan(100_000 + 12_000 * flooded.spoilt);
});

test('of many notices of a kind ten are given and the rest counted, but for those of own orders', () => {
  const foreign = Array.from(
    { length: 23_600 },
    (_, index): Notice => ({ level: 'warn', op: 'foreign-order', message: `Order ${index} is not the bot's.` }),
  );
  const own = Array.from(
    { length: 12 },
    (): Notice => ({
      level: 'info',
      op: 'closed',
      message: 'Closed.',
      intentId: 'i' as NonNullable<Notice['intentId']>,
    }),
  );
  const given = summedUp([...own, ...foreign]);
  expect(given.slice(0, 22)).toEqual([...own, ...foreign.slice(0, 10)]);
  const rest = '23590 more like the 10 before, from the same answer.';
  expect(given.slice(22)).toEqual([{ level: 'warn', op: 'foreign-order', message: rest }]);
  expect(summedUp(foreign.slice(0, 10))).toEqual(foreign.slice(0, 10));
});
