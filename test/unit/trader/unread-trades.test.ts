// Own trades that can't be read: behind what was not read nothing is booked quietly, and no loss is hidden by it (R6,
// M2).
import { expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { marketIn } from '../../../src/trader/durable/market.ts';
import { BTC, deskSettings, ETH } from './desk-settings.ts';
import { haltsIn } from './durable-kit.ts';
import { move } from './money-kit.ts';
import { type Desk, fillNow, inSlot, ops, quotingDesk, readNow, rejected, tradeNow } from './trader-kit.ts';

const DAY = 86_400_000;
const theirs = { symbol: BTC, side: 'buy', price: decimal(99_000), quantity: decimal('0.0001') } as const;
const pagesOf = (desk: Desk): string =>
  desk.notices
    .filter(({ level, message }) => level === 'page' && message.includes('BTC'))
    .map(({ message }) => message)
    .join(' ');

test('trades behind a hole are not booked if the reading of own trades fails', () => {
  const desk = quotingDesk();
  fillNow(desk, inSlot(desk, 'buy:0'));
  desk.run(5_000);
  desk.pass(2 * 3_600_000);
  const theirs = { symbol: BTC, side: 'buy', price: decimal(99_000), quantity: decimal('0.0001') } as const;
  for (let n = 0; n < 60; n += 1) tradeNow(desk, theirs, `1-7-${n}`, { at: desk.now() + n * 60_000 });
  desk.pass(2 * DAY);
  desk.restart();
  // The list gives the newest part of what is asked by id, and takes no start that is older than a day (-1107).
  desk.reply = (request) => {
    if (request.kind !== 'spot-trades') return undefined;
    if (request.filter.by === 'from-id') {
      const from = BigInt(request.filter.fromId);
      return readNow(desk, desk.shows.fills.filter(({ tradeId: id }) => BigInt(id) >= from).slice(-50));
    }
    if (request.filter.by === 'start' && request.filter.startTime < desk.now() - DAY) return rejected(-1107);
    if (request.filter.by === 'window' && request.filter.window.startTime < desk.now() - DAY) return rejected(-1107);
    return undefined;
  };
  desk.look('book', 'orders');
  desk.run(5_000);
  const booked = new Set(desk.events.flatMap((event) => (event.type === 'fill' ? [event.payload.fill.tradeId] : [])));
  const lost = desk.shows.fills.filter(
    ({ tradeId: id }) =>
      !booked.has(id) && BigInt(id) < BigInt(marketIn(desk.state().durable, BTC).cursor?.tradeId ?? '0'),
  );
  expect(lost.length > 0 && haltsIn(desk.state().durable).get(BTC) === undefined).toBe(false);
});

function absent(days: number): Desk {
  const desk = quotingDesk();
  fillNow(desk, inSlot(desk, 'buy:0'));
  desk.run(5_000);
  desk.pass(days * DAY);
  tradeNow(desk, theirs, '1-7-0');
  move(desk, 'BTC', '-0.2'); // stolen
  desk.pass(60_000);
  desk.shows.archive = [...desk.shows.fills];
  return desk;
}

test('a difference after three days’ absence is reported, if “within 72 hours” means less than 72', () => {
  const desk = absent(3);
  desk.restart();
  desk.reply = (request) => {
    if (request.kind !== 'spot-trades' || request.filter.by !== 'window') return undefined;
    const { startTime, endTime } = request.filter.window;
    if (endTime - startTime < 72 * 3_600_000) return undefined;
    return rejected(-1107);
  };
  desk.look('book', 'orders');
  desk.run(10 * 60_000, 250);
  expect(ops(desk)).toContain('difference');
});

test.each([false, true])('possibly missing trades are reported (halted before: %s)', (halted) => {
  const desk = quotingDesk();
  fillNow(desk, inSlot(desk, 'buy:0'));
  desk.run(5_000);
  if (halted)
    desk.events.push({
      type: 'symbol-halted',
      payload: { symbol: BTC, reason: 'Since midnight UTC: a loss.', code: 'loss', at: desk.now() },
    });
  desk.pass(2 * 3_600_000);
  for (let n = 0; n < 60; n += 1) tradeNow(desk, theirs, `1-7-${n}`, { at: desk.now() + n * 60_000 });
  desk.pass(4 * DAY);
  desk.shows.fills = [];
  desk.restart();
  desk.reply = (request) => (request.kind === 'spot-trades-historical' ? rejected(-1404, 404) : undefined);
  desk.look('book', 'orders');
  desk.run(20_000);
  const words = desk.notices.map(({ message }) => message).join('\n');
  expect(words).toContain('Own trades may be missing');
});

test('a loss is reported even if the trades of another market can no longer be read (delisted, F66)', () => {
  const desk = quotingDesk(deskSettings({ symbols: [BTC, ETH] }));
  desk.run(5_000);
  desk.reply = (request) => ('symbol' in request && request.symbol === ETH ? rejected(-1121) : undefined);
  desk.run(20_000);
  move(desk, 'BTC', '-0.2'); // stolen
  desk.run(30 * 60_000, 500);
  expect(pagesOf(desk)).toContain('0.2');
});

test('a loss is reported even if own trades may be missing, and the symbol was resumed', () => {
  const desk = quotingDesk();
  fillNow(desk, inSlot(desk, 'buy:0'));
  desk.run(5_000);
  desk.pass(4 * DAY);
  desk.shows.fills = [];
  move(desk, 'BTC', '-0.2');
  desk.restart();
  desk.reply = (request) => (request.kind === 'spot-trades-historical' ? rejected(-1404, 404) : undefined);
  desk.look('book', 'orders');
  desk.run(30 * 60_000, 500);
  expect(pagesOf(desk)).toContain('0.2');
});
