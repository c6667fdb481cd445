// Lists of any length, with other names each time: what is told, written and kept of them is bounded.
import { expect, test } from '@jest/globals';
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

/** A list shows each own order a thousand times more, under other names. */
const twinsOf = (rows: readonly object[]) =>
  rows.flatMap((own) => Array.from({ length: ROWS }, () => ({ ...own, orderId: foreignOrder().orderId })));
const others = (row: () => object) => () => Array.from({ length: ROWS }, () => row());

test.each<[string, string, (rows: readonly object[]) => object[]]>([
  ['open orders', ENDPOINTS['open-orders'].path, others(foreignOrder)],
  ['coins in the wallet', ENDPOINTS.wallet.path, others(foreignCoin)],
  ['orders like own ones', ENDPOINTS['open-orders'].path, twinsOf],
])('%s', async (_what, path, more) => {
  const flooded = await playedAgainst((request, given) => {
    if (!request.url.includes(path)) return given;
    const rows = JSON.parse(given.body);
    return { ...given, body: JSON.stringify([...rows, ...more(rows)]) };
  });
  expect(flooded.spoilt).toBeGreaterThan(3);
  // In a minute and a half: ten of a kind twice, and two counts.
  expect(Math.max(...flooded.logged.values())).toBeLessThanOrEqual(22);
  expect(flooded.journalled).toBeLessThan(400_000);
});
