// Lists of any length, with other names each time: what is kept of them does not grow with their number.
import { expect, test } from '@jest/globals';
import { ENDPOINTS } from '../../../src/venue/endpoints.ts';
import type { EndpointName } from '../../../src/venue/requests.ts';
import { heapUsed } from '../heap-used.ts';
import { playedAgainst } from './played-against.ts';

const ROWS = 3_000;
/** Until then the first lists fill what is kept for a while. */
const FILLED_AFTER = 3;
/** The names alone of ten lists and more are 2 MB. */
const MOST_GROWTH = 1_500_000;

let count = 0;
const foreignOrder = () => {
  count += 1;
  const symbol = count % 2 === 0 ? 'BTC/INR' : `A${count}/INR`;
  const order = { symbol, orderId: `1-${10 ** 15 + count}-1`, price: '4000000', origQty: '0.01', executedQty: '0' };
  return { ...order, remainingQty: '0.01', status: 'NEW', type: 'LIMIT', side: 'BUY', time: 1.7e12 };
};
const foreignCoin = () => {
  count += 1;
  return { asset: `A${count}`, free: '1', locked: '1' };
};

test.each<[string, EndpointName, () => object]>([
  ['open orders', 'open-orders', foreignOrder],
  ['coins in the wallet', 'wallet', foreignCoin],
])('%s', async (_what, endpoint, row) => {
  const heaps: number[] = [];
  await playedAgainst((request, given) => {
    if (!request.url.includes(ENDPOINTS[endpoint].path)) return given;
    heaps.push(heapUsed());
    const rows = [...JSON.parse(given.body), ...Array.from({ length: ROWS }, row)];
    return { ...given, body: JSON.stringify(rows) };
  });
  expect(heaps.length).toBeGreaterThan(FILLED_AFTER + 9);
  expect((heaps.at(-1) ?? Number.NaN) - (heaps[FILLED_AFTER] ?? Number.NaN)).toBeLessThan(MOST_GROWTH);
});
