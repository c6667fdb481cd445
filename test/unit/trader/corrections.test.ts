// Trades that change after they were booked, come too late, are too much, or are with ourselves: booked as they are,
// and said.
import { describe, expect, test } from '@jest/globals';
import { type Decimal, decimal, plain } from '../../../src/domain/decimal.ts';
import type { Fill } from '../../../src/domain/fill.ts';
import { HOUR } from '../../../src/domain/time.ts';
import { FILLS_REMEMBERED, marketIn } from '../../../src/trader/durable/market.ts';
import { ledgerTotal } from '../../../src/trader/state/state.ts';
import { takeSnapshot } from '../../../src/trader/status/snapshot.ts';
import { BTC, LAG_MS } from './desk-settings.ts';
import { codesIn } from './durable-kit.ts';
import { haltOf } from './lost-bid.ts';
import {
  type Desk,
  endOf,
  fillNow,
  inSlot,
  moveWallet,
  ops,
  quotingDesk,
  takeBack,
  tradeNow,
  unmoveWallet,
} from './trader-kit.ts';

const view = (desk: Desk) => takeSnapshot(desk.state(), desk.now()).symbols[0];
const isEqual = (desk: Desk): void => {
  for (const asset of ['BTC', 'INR'])
    expect(plain(ledgerTotal(desk.state().durable.books, asset))).toBe(plain(desk.shows.balances[asset] as Decimal));
};

function replace(desk: Desk, fill: Fill, by: Partial<Fill>): void {
  const corrected = { ...fill, ...by };
  unmoveWallet(desk.shows, fill);
  moveWallet(desk.shows, corrected);
  desk.shows.fills = desk.shows.fills.map((row) => (row.tradeId === fill.tradeId ? corrected : row));
}

/** A bid that filled in part, and was booked. */
function filledDesk(quantity = '0.004', fee: Partial<Fill> = {}): { desk: Desk; fill: Fill; intentId: string } {
  const desk = quotingDesk();
  const bid = inSlot(desk, 'buy:0');
  const fill = fillNow(desk, bid, { quantity: decimal(quantity), ...fee });
  desk.run(3_000);
  return { desk, fill, intentId: bid.intentId };
}

describe('a trade with changed content (F50)', () => {
  test('is reversed and booked anew, in ledger, profit and order, and the symbol halts', () => {
    const { desk, fill } = filledDesk();
    const better = decimal(97_000);
    replace(desk, fill, { price: better, quoteQuantity: decimal(388), commission: decimal('3.88') });
    desk.run(3_000);
    expect(codesIn(desk.state().durable).get(BTC)).toBe('answers-untrue');
    expect(haltOf(desk)).toBe(
      `Trade ${fill.tradeId} was booked with other content: the exchange corrected it; it is booked anew.`,
    );
    isEqual(desk);
    // 0.004 bought at 97,000 with the middle at 100,000.
    expect(view(desk)).toMatchObject({ pnl: { spread: '12', fees: '3.88' }, fills: { buys: 1 } });
    expect(view(desk)?.recentFills[0]).toMatchObject({ price: '97000' });
    expect(marketIn(desk.state().durable, BTC).ownLots.map(({ worth }) => plain(worth))).toEqual(['388']);
    expect(desk.notices.filter(({ op, level }) => op === 'trade-changed' && level === 'page')).toHaveLength(1);
  });

  test('with another quantity changes what is filled of its order', () => {
    const { desk, fill, intentId } = filledDesk();
    replace(desk, fill, { quantity: decimal('0.006'), quoteQuantity: decimal(588), commission: decimal('5.88') });
    desk.run(1_000);
    expect(plain(desk.intents().find((intent) => intent.intentId === intentId)?.filled as Decimal)).toBe('0.006');
    desk.run(2 * LAG_MS + 8_000);
    expect(endOf(desk, intentId)).toBe('canceled 0.006 of 0.01');
    isEqual(desk);
  });

  test('with another quantity alone calls a person, and the symbol halts', () => {
    const { desk, fill } = filledDesk();
    replace(desk, fill, { quantity: decimal('0.006') });
    desk.run(1_000);
    expect(desk.notices.filter(({ op, level }) => op === 'trade-changed' && level === 'page')).toHaveLength(1);
    expect(codesIn(desk.state().durable).get(BTC)).toBe('answers-untrue');
  });

  test('with only fee and tax settled later is booked anew with a notice, and quoting goes on (F49)', () => {
    const { desk, fill } = filledDesk();
    replace(desk, fill, { tds: decimal('3.92') });
    desk.run(4_000);
    expect(ops(desk)).toContain('trade-changed');
    expect(haltOf(desk)).toBeUndefined();
    isEqual(desk);
  });
});

describe('a trade that the exchange takes back (F50)', () => {
  test('is reversed when list and wallet agree, and the symbol halts', () => {
    const { desk, fill } = filledDesk();
    fillNow(desk, inSlot(desk, 'sell:0'), { quantity: decimal('0.001') });
    desk.run(3_000);
    takeBack(desk.shows, fill);
    desk.run(3 * LAG_MS + 10_000);
    expect(haltOf(desk)).toBe(
      `Trade ${fill.tradeId} was taken back by the exchange: its list and the wallet agree, and it is reversed.`,
    );
    isEqual(desk);
    expect(view(desk)).toMatchObject({ fills: { buys: 0, sells: 1 } });
    expect(view(desk)?.recentFills).toHaveLength(1);
  });

  test('is reversed where its fee was paid in a coin that no run trades', () => {
    const { desk, fill } = filledDesk('0.004', { commission: decimal('0.01'), commissionAsset: 'BNB' });
    fillNow(desk, inSlot(desk, 'sell:0'), { quantity: decimal('0.001') });
    desk.run(3_000);
    takeBack(desk.shows, fill);
    desk.run(3 * LAG_MS + 60_000);
    expect(ops(desk)).toContain('trade-changed');
    expect(ops(desk)).not.toContain('difference');
    isEqual(desk);
  });

  test('and was the last one known leaves a cursor that the list still shows', () => {
    const { desk } = filledDesk();
    const last = fillNow(desk, inSlot(desk, 'sell:0'), { quantity: decimal('0.001') });
    desk.run(3_000);
    takeBack(desk.shows, last);
    desk.run(4 * LAG_MS + 15_000);
    expect(haltOf(desk)).toBeDefined();
    isEqual(desk);
    expect(marketIn(desk.state().durable, BTC).cursor?.tradeId).not.toBe(last.tradeId);
    const before = desk.state().markets.get(BTC)?.trades?.sentAt ?? 0;
    desk.run(5_000);
    expect(desk.state().markets.get(BTC)?.trades?.sentAt).toBeGreaterThan(before);
  });

  test('and was the only one leaves the list to be read from its beginning (seed 7379)', () => {
    const { desk, fill } = filledDesk();
    takeBack(desk.shows, fill);
    desk.run(4 * LAG_MS + 15_000);
    expect(haltOf(desk)).toBe(
      `Trade ${fill.tradeId} was taken back by the exchange: its list and the wallet agree, and it is reversed.`,
    );
    isEqual(desk);
    expect(marketIn(desk.state().durable, BTC).cursor).toBeNull();
  });

  test.each([
    ['and is reversed, while the list shows an older one', 0, true],
    ['and is not missed, where all that is older has left the list', 1, false],
  ])('after more than a day, %s', (_name, gone, isReversed) => {
    const { desk } = filledDesk();
    const fill = fillNow(desk, inSlot(desk, 'sell:0'), { quantity: decimal('0.001') });
    desk.run(2_000);
    fillNow(desk, inSlot(desk, 'sell:0'), { quantity: decimal('0.002') });
    desk.run(2_000);
    for (let hours = 0; hours < 25; hours += 1) {
      desk.pass(HOUR);
      desk.look('book', 'orders', 'trades', 'wallet');
    }
    takeBack(desk.shows, fill);
    desk.shows.fills = desk.shows.fills.slice(gone);
    desk.run(4 * LAG_MS + 130_000, 500);
    expect(ops(desk).includes('trade-changed')).toBe(isReversed);
    if (isReversed) isEqual(desk);
    else expect(ops(desk)).not.toContain('trade-missing');
  });

  test('and is reversed where more trades have come since than are remembered (seed 24006)', () => {
    const { desk, fill } = filledDesk();
    fillNow(desk, inSlot(desk, 'sell:0'), { quantity: decimal('0.001') });
    desk.run(2_000);
    takeBack(desk.shows, fill);
    for (let waited = 0; waited < 130_000 && !ops(desk).includes('trade-missing'); waited += 500) desk.run(500);
    expect(ops(desk)).toContain('trade-missing');
    for (let count = 0; count <= FILLS_REMEMBERED; count += 1) {
      const side = count % 2 === 0 ? 'buy' : 'sell';
      const owners = { side, price: decimal(97_000), quantity: decimal('0.0001'), symbol: BTC } as const;
      tradeNow(desk, owners, `1-8-${count}`, { at: desk.now() + count });
    }
    // They are booked before it is looked for once more.
    desk.reply = (request) =>
      request.kind === 'spot-trades' && request.filter.by === 'window'
        ? { kind: 'failed', fault: { sent: true, reason: 'timeout', detail: 'Slow.' } }
        : undefined;
    desk.run(5_000);
    desk.reply = () => undefined;
    desk.run(4 * LAG_MS + 130_000, 500);
    expect(marketIn(desk.state().durable, BTC).recent.some((row) => row.fill.tradeId === fill.tradeId)).toBe(false);
    expect(ops(desk)).toContain('trade-changed');
    isEqual(desk);
  });

  test('missing in a single list is not', () => {
    const { desk, fill } = filledDesk();
    fillNow(desk, inSlot(desk, 'sell:0'), { quantity: decimal('0.001') });
    desk.run(2_000);
    let hidden = 0;
    desk.reply = (request) => {
      if (request.kind !== 'spot-trades' || request.filter.by !== 'window' || hidden > 0) return undefined;
      hidden += 1;
      const rows = desk.shows.fills.filter(({ tradeId }) => tradeId !== fill.tradeId);
      return { kind: 'read', read: { rows, complete: true, sentAt: desk.now(), receivedAt: desk.now() } };
    };
    desk.run(70_000 + 2 * LAG_MS);
    expect(hidden).toBe(1);
    expect(ops(desk)).toContain('trade-missing');
    expect(ops(desk)).not.toContain('trade-changed');
    expect(haltOf(desk)).toBeUndefined();
    expect(desk.state().missing.size).toBe(0);
  });

  test('missing in the list alone is not: the wallet still includes it', () => {
    const { desk, fill } = filledDesk();
    fillNow(desk, inSlot(desk, 'sell:0'), { quantity: decimal('0.001') });
    desk.run(2_000);
    desk.shows.fills = desk.shows.fills.filter(({ tradeId }) => tradeId !== fill.tradeId);
    desk.run(130_000, 200);
    expect(ops(desk)).toContain('trade-missing');
    expect(ops(desk)).not.toContain('trade-changed');
    isEqual(desk);
  });
});

test('a fill of an order that was proved closed is booked, and wakes somebody (S6)', () => {
  const desk = quotingDesk();
  const bid = inSlot(desk, 'buy:0');
  desk.shows.books[BTC] = [97_000, 99_000];
  desk.run(LAG_MS + 9_000);
  expect(endOf(desk, bid.intentId)).toBe('canceled');
  tradeNow(desk, bid, bid.orderId ?? '', { quantity: decimal('0.002') });
  desk.run(3_000);
  expect(desk.notices.filter(({ op, level }) => op === 'late-fill' && level === 'page')).toHaveLength(1);
  expect(endOf(desk, bid.intentId)).toBe('canceled 0.002 of 0.01');
  isEqual(desk);
});

test('more fills than an order asked for are booked, journaled, and halt the symbol (M4)', () => {
  const desk = quotingDesk();
  const bid = inSlot(desk, 'buy:0');
  fillNow(desk, bid);
  tradeNow(desk, bid, bid.orderId ?? '', { quantity: decimal('0.001') });
  desk.run(3_000);
  expect(haltOf(desk)).toBe(`0.011 of order ${bid.orderId} are filled, and it was of 0.01.`);
  expect(ops(desk)).toContain('overfill');
  isEqual(desk);
});

test('a trade with ourselves is two rows of one id: both are booked, the inventory stays, and it is said (F51)', () => {
  const desk = quotingDesk();
  const [bid, ask] = [inSlot(desk, 'buy:0'), inSlot(desk, 'sell:0')];
  const bought = fillNow(desk, bid, { quantity: decimal('0.002') });
  fillNow(desk, ask, {
    tradeId: bought.tradeId,
    quantity: decimal('0.002'),
    price: bought.price,
    quoteQuantity: bought.quoteQuantity,
    commission: bought.commission,
  });
  desk.run(3_000);
  expect(desk.events.filter(({ type }) => type === 'fill')).toHaveLength(2);
  expect(desk.notices.filter(({ op, level }) => op === 'self-trade' && level === 'page')).toHaveLength(1);
  expect(plain(ledgerTotal(desk.state().durable.books, 'BTC'))).toBe('1');
  isEqual(desk);
});
