// What a corrected and a reversed trade leave of counts, profit and order: exactly what there would be without the old
// row.
import { describe, expect, test } from '@jest/globals';
import { decimal, plain } from '../../../../src/domain/decimal.ts';
import type { Fill } from '../../../../src/domain/fill.ts';
import { amountText } from '../../../../src/ledger/amount.ts';
import { balanceOf } from '../../../../src/ledger/ledger.ts';
import type { Durable } from '../../../../src/trader/durable/durable.ts';
import { applyEvent } from '../../../../src/trader/durable/fold/apply-event.ts';
import { toFillRecord } from '../../../../src/trader/durable/fold/fill-record.ts';
import { marketIn } from '../../../../src/trader/durable/market.ts';
import { BTC } from '../desk-settings.ts';
import { fillNow, foldAll, inSlot, quotingDesk } from '../trader-kit.ts';

// A taker's fill first, two of makers after it: one of the same order, one of the other side.
const desk = quotingDesk();
const bid = inSlot(desk, 'buy:0');
const ask = inSlot(desk, 'sell:0');
const taken = fillNow(desk, bid, { quantity: decimal('0.001'), liquidity: 'taker' });
const made = fillNow(desk, bid, { quantity: decimal('0.002') });
const sold = fillNow(desk, ask, { quantity: decimal('0.003') });
desk.run(3_000);
const at = desk.now();

const fold = (): Durable => foldAll(desk.events);
const intentOf = (fill: Fill) => (fill.side === 'buy' ? bid : ask).intentId;
const corrected = (fill: Fill, changes: Partial<Fill>): Durable => {
  const durable = fold();
  const { symbol, tradeId, side } = fill;
  const record = toFillRecord({ ...fill, ...changes });
  const payload = { symbol, tradeId, side, fill: record, intentId: intentOf(fill), mid: null, at };
  applyEvent(durable, { type: 'fill-corrected', payload });
  return durable;
};
const reversed = ({ symbol, tradeId, side }: Fill): Durable => {
  const durable = fold();
  const payload = { symbol, tradeId, side, fill: null, intentId: null, mid: null, at };
  applyEvent(durable, { type: 'fill-corrected', payload });
  return durable;
};

/** Buys, sells, takers, takers that bought; volume; filled of both orders. */
function sums(durable: Durable): string {
  const { tally, recent } = marketIn(durable, BTC);
  const { intents } = durable.orders;
  const { buys, sells, takers, takerBuys, quoteVolume } = tally;
  const filled = [bid, ask].map(({ intentId }) => plain(intents.get(intentId)?.filled ?? decimal(0)));
  const rows = recent
    .toReversed()
    .map(({ fill, ours }) => `${fill.tradeId}${fill.liquidity === 'taker' ? 't' : ''}${ours ? '' : '?'}`);
  return `${buys} ${sells} ${takers} ${takerBuys}; ${plain(quoteVolume)}; ${filled.join(' ')}; ${rows.join(' ')}`;
}
const ids = [taken, made, sold].map(({ tradeId }) => tradeId);
const [a, b, c] = ids;
const notional = (...fills: readonly Fill[]): string =>
  plain(fills.reduce((sum, { price, quantity }) => sum.add(price.mul(quantity)), decimal(0)));

test('three fills count as they are', () => {
  expect(sums(fold())).toBe(`2 1 1 1; ${notional(taken, made, sold)}; 0.003 0.003; ${c} ${b} ${a}t`);
});

describe('a trade that is taken back', () => {
  test.each<[string, Fill, string]>([
    ['of a taker', taken, `1 1 0 0; ${notional(made, sold)}; 0.002 0.003; ${c} ${b}`],
    ['of a maker', made, `1 1 1 1; ${notional(taken, sold)}; 0.001 0.003; ${c} ${a}t`],
    ['of the other side', sold, `2 0 1 1; ${notional(taken, made)}; 0.003 0; ${b} ${a}t`],
  ])('%s counts no more', (_, fill, expected) => {
    expect(sums(reversed(fill))).toBe(expected);
  });

  test('reading goes on from the one before it, if it was the last known one', () => {
    expect(marketIn(fold(), BTC).cursor?.tradeId).toBe(c);
    expect(marketIn(reversed(sold), BTC).cursor?.tradeId).toBe(b);
    expect(marketIn(reversed(made), BTC).cursor?.tradeId).toBe(c);
    expect(marketIn(reversed(made), BTC).recent.map(({ fill }) => fill.tradeId)).toEqual([a, c]);
  });

  test('the ledger is as before, without its fee', () => {
    const durable = reversed(made);
    expect(amountText(balanceOf(durable.books.ledger, 'INR', 'fees'))).toBe(
      plain(taken.commission.add(sold.commission)),
    );
  });
});

describe('a trade that is corrected', () => {
  const more = { quantity: decimal('0.0025'), quoteQuantity: made.price.mul('0.0025') };

  test.each<[string, Fill, Partial<Fill>, string]>([
    [
      'in its quantity',
      made,
      more,
      `2 1 1 1; ${notional(taken, { ...made, ...more }, sold)}; 0.0035 0.003; ${c} ${b} ${a}t`,
    ],
    [
      'from maker to taker',
      made,
      { liquidity: 'taker' },
      `2 1 2 2; ${notional(taken, made, sold)}; 0.003 0.003; ${c} ${b}t ${a}t`,
    ],
    [
      'from taker to maker',
      taken,
      { liquidity: 'maker' },
      `2 1 0 0; ${notional(taken, made, sold)}; 0.003 0.003; ${c} ${b} ${a}`,
    ],
    [
      'on the other side, which leaves the takers that bought',
      sold,
      { liquidity: 'taker' },
      `2 1 2 1; ${notional(taken, made, sold)}; 0.003 0.003; ${c}t ${b} ${a}t`,
    ],
  ])('%s counts as it is now', (_, fill, changes, expected) => {
    expect(sums(corrected(fill, changes))).toBe(expected);
  });

  test('in its fee changes the fees, and no count', () => {
    const durable = corrected(made, { commission: made.commission.mul(2) });
    const fees = [taken.commission, made.commission.mul(2), sold.commission];
    expect(amountText(balanceOf(durable.books.ledger, 'INR', 'fees'))).toBe(
      plain(fees.reduce((sum, fee) => sum.add(fee))),
    );
    expect(sums(durable)).toBe(sums(fold()));
  });

  test('that was never booked is ignored', () => {
    const unknown = { ...made, tradeId: '999999' as typeof made.tradeId };
    expect(() => corrected(unknown, {})).toThrow('Trade 999999 of BTC/INR is corrected but was never booked.');
    expect(() => reversed(unknown)).toThrow('Trade 999999 of BTC/INR is corrected but was never booked.');
  });
});
