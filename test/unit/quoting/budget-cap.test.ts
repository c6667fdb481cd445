// budget.maxQuote is "Most quote that all bids together may lock, fee included": orders in slots that get no quote lock
// some of it too.
import { describe, expect, test } from '@jest/globals';
import { liveOrder, quotesFrom, quoteText } from './market.ts';

describe('the cap on all bids of a budget', () => {
  test('counts what an own order locks in a slot that gets no quote any more', () => {
    // Of 100 INR, 90 are locked by an order that is unknown, or on its way out.
    const live = [liveOrder('buy:1 1 @ 90', { status: 'pending' })];
    const { quotes } = quotesFrom(['buy:0 1 @ 95'], { settings: { budget: { maxQuote: '100' } }, live });
    const wanted = quotes.filter(({ side }) => side === 'buy');
    const locked = wanted.reduce((sum, { price, quantity }) => sum + price.mul(quantity).toNumber(), 90);
    expect({ quotes: wanted.map(quoteText), within: locked <= 100 }).toMatchObject({ within: true });
  });
});
