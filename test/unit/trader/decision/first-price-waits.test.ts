// How long no first price of a market is believed: while another one is halted for a slipped decimal, and without a
// halt no longer than its books show it.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { haltOf } from '../../../../src/trader/decision/readiness.ts';
import { marketIn } from '../../../../src/trader/durable/market.ts';
import { whyNotWithoutStart } from '../../../../src/trader/observe/resume.ts';
import { BOTH, codes } from '../added-market-kit.ts';
import { BTC, ETH } from '../desk-settings.ts';
import { type Desk, quotingDesk, reasons } from '../trader-kit.ts';

function hideBook(desk: Desk): void {
  desk.reply = (request) =>
    request.kind === 'order-book' && request.symbol === BTC
      ? { kind: 'failed', fault: { sent: true, reason: 'timeout', detail: 'Slow.' } }
      : undefined;
}

test.each([
  ['has one side alone', 'one-sided'],
  ['can’t be read', 'unread'],
  ['is listed no more', 'unlisted'],
])(
  'the book of the other market %s after one garbled read: the new one is quoted, or a person can say so',
  (_n, how) => {
    const desk = quotingDesk();
    desk.run(5_000);
    desk.restart(BOTH);
    desk.shows.books[BTC] = [990_000, 1_010_000];
    desk.look('book');
    desk.run(100);
    expect(desk.state().markets.get(BTC)?.jump).not.toBeNull();
    if (how === 'unlisted') desk.tell({ kind: 'listing', awaited: null, missing: [BTC] });
    if (how !== 'one-sided') hideBook(desk);
    else desk.shows.books[BTC] = null;
    desk.run(2 * 60_000, 1_000);
    const resumed = { symbol: BTC, price: decimal(100_000) };
    expect(whyNotWithoutStart(desk.state(), resumed, desk.now())).toBeNull();
    desk.tell({ kind: 'resume-symbol', resumed, by: 'asha' });
    desk.run(60_000, 1_000);
    expect(marketIn(desk.state().durable, BTC).halt).toBeNull();
    expect(codes(desk, ETH)).toEqual([]);
  },
);

test.each([
  ['can’t be read', 'unread'],
  ['has one side alone', 'one-sided'],
])('a first price is not believed while the book of a market halted for a slipped decimal %s', (_words, how) => {
  const desk = quotingDesk();
  desk.run(5_000);
  desk.shows.books[BTC] = [990_000, 1_010_000];
  desk.shows.books[ETH] = [99_000, 101_000];
  desk.run(90_000);
  expect(haltOf(desk.state(), BTC)?.code).toBe('price');
  if (how === 'one-sided') desk.shows.books[BTC] = null;
  else hideBook(desk);
  desk.restart(BOTH);
  desk.run(60_000);
  expect(haltOf(desk.state(), BTC)?.code).toBe('price');
  const bids = desk.events.flatMap(({ type, payload }) =>
    type === 'intent' && payload.symbol === ETH && payload.side === 'buy' ? [payload.price] : [],
  );
  expect(bids).toEqual([]);
  expect(reasons(desk).join('\n')).toContain(
    'The price of BTC/INR jumped, and no price of ETH/INR is known from before: none is believed until the books of ' +
      'BTC/INR show the price of before, or a person has resumed it.',
  );
});

test.each([
  ['less than a decimal does', [148_000, 152_000]],
  ['as a decimal does', [990_000, 1_010_000]],
] as const)(
  'a halt for a price that moved %s keeps no other market waiting once its books are back',
  (_words, [bid, ask]) => {
    const desk = quotingDesk();
    desk.run(5_000);
    desk.shows.books[BTC] = [bid, ask];
    desk.run(90_000);
    desk.restart(BOTH);
    desk.shows.books[BTC] = [99_000, 101_000];
    desk.run(60_000);
    expect(haltOf(desk.state(), BTC)?.code).toBe('price');
    expect(codes(desk, ETH)).toEqual([]);
  },
);
