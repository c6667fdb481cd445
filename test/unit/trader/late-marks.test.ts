// Rows that came late stand where they belong, and what is not answered is asked for again.
import { describe, expect, test } from '@jest/globals';
import { applyFill } from '../../../src/trader/durable/fold/apply-fill.ts';
import { toFillRecord } from '../../../src/trader/durable/fold/fill-record.ts';
import { marketIn, marketToChange } from '../../../src/trader/durable/market.ts';
import { BTC } from './desk-settings.ts';
import { fillNow, inSlot, quotingDesk } from './trader-kit.ts';

describe('booked trades are remembered by their ids', () => {
  test('one that is read late goes before the newer ones', () => {
    const desk = quotingDesk();
    const bid = inSlot(desk, 'buy:0');
    const third = bid.quantity.div(3).toDecimalPlaces(4);
    const part = { quantity: third, quoteQuantity: third.mul(bid.price) };
    fillNow(desk, bid, part);
    fillNow(desk, bid, part);
    fillNow(desk, bid, part);
    const [first, late, last] = desk.shows.fills.slice(-3);
    if (first === undefined || late === undefined || last === undefined) throw new Error('Three parts have filled.');
    desk.shows.fills = desk.shows.fills.filter((fill) => fill !== late);
    desk.look('trades');
    desk.shows.fills.push(late);
    desk.run(65_000);
    const ids = marketIn(desk.state().durable, BTC).recent.map(({ fill }) => fill.tradeId);
    expect(ids.slice(-3)).toEqual([first.tradeId, late.tradeId, last.tradeId]);
  });

  test('one from before an accepted gap is no trade to read on from', () => {
    const desk = quotingDesk();
    const bid = inSlot(desk, 'buy:0');
    const part = bid.quantity.div(5).toDecimalPlaces(4);
    for (let n = 0; n < 4; n += 1) fillNow(desk, bid, { quantity: part, quoteQuantity: part.mul(bid.price) });
    const late = desk.shows.fills.at(-2);
    if (late === undefined) throw new Error('Four parts have filled.');
    desk.shows.fills = desk.shows.fills.filter((fill) => fill !== late);
    desk.look('trades');
    const { durable } = desk.state();
    marketToChange(durable, BTC).cursor = null;
    const { intentId } = bid;
    applyFill(durable, { intentId, fill: toFillRecord(late), mid: null, at: desk.now() });
    expect(marketIn(durable, BTC).cursor).toBeNull();
  });
});
