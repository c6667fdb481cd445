// Whatever the exchange answers, the loop goes on: no answer ends the process by a throw.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ENDPOINTS } from '../../../src/venue/endpoints.ts';
import { anySpoil, nested } from '../client/any-spoil.ts';
import { playedAgainst } from './played-against.ts';

describe('an answer that nests deep', () => {
  test.each([
    ['an order book', ENDPOINTS['order-book'].path, nested(5_000)],
    ['the wallet', ENDPOINTS.wallet.path, nested(5_000)],
    ['every endpoint, lists', '', nested(2_000_000)],
    ['every endpoint, maps', '', nested(100_000, 'map')],
    ['inside rows', '', `[{"a":${nested(100_000)}}]`],
    ['inside a book', ENDPOINTS['order-book'].path, `{"bids":[${nested(50_000)}],"asks":[]}`],
  ])('%s', async (_what, endpoint, body) => {
    const { spoilt, askedAfterwards } = await playedAgainst((request, given) =>
      request.url.includes(endpoint) ? { ...given, body } : given,
    );
    expect(spoilt).toBeGreaterThan(0);
    expect(askedAfterwards).toBeGreaterThan(50);
  });
});

test('arbitrary and mutated answers to every endpoint', async () => {
  await fc.assert(
    fc.asyncProperty(anySpoil, async (spoil) => {
      expect((await playedAgainst(spoil)).askedAfterwards).toBeGreaterThan(0);
    }),
    { numRuns: 3 },
  );
});
