// Bugs in money, limits, pace and disk.
import type { Mutant } from './mutant.ts';

export const MONEY_MUTANTS: readonly Mutant[] = [
  {
    id: 'm10',
    sentence: 'Own trades are told apart by price, quantity and time, not by their ids.',
    patches: [
      {
        find: 'books.ledger = post(books.ledger, fillEntry(booking, keepsOf(durable)));',
        put: `const isBooked = market.recent.some(
    ({ fill: { price, quantity, venueTime } }) =>
      price.eq(fill.price) && quantity.eq(fill.quantity) && venueTime === fill.venueTime,
  );
  if (isBooked) {
    addTrade(books.booked, booking);
    return advanceCursor(market, fill);
  }
  books.ledger = post(books.ledger, fillEntry(booking, keepsOf(durable)));`,
      },
    ],
    under: ['F51'],
    seed: 1,
    invariant: 'L4',
  },
  {
    id: 'm12',
    sentence: 'Money is added as floats.',
    patches: [
      {
        find: 'accounts.set(account, add(accounts.get(account) ?? NO_AMOUNT, by));',
        put: 'accounts.set(account, BigInt(Number(accounts.get(account) ?? NO_AMOUNT) + Number(by)) as Amount);',
      },
    ],
    under: [],
    seed: 0,
    invariant: 'M1',
  },
  {
    id: 'm13',
    sentence: 'Order ids are numbers.',
    patches: [
      {
        find: '(text: string): OrderId => text as OrderId;',
        put: '(text: string): OrderId => text.replace(/\\d+/g, (digits) => String(Number(digits))) as OrderId;',
      },
    ],
    under: ['F15'],
    seed: 0,
    invariant: 'S5',
  },
  {
    id: 'm15',
    sentence: 'Retry-After is ignored.',
    patches: [
      { find: 'const wait = Math.max(named, untold);', put: 'const wait = Math.max(0 * named, 0.01 * untold);' },
    ],
    under: ['F18'],
    seed: 1,
    invariant: 'K6',
  },
  {
    id: 'm18',
    sentence: 'An error of the disk is swallowed.',
    patches: [
      {
        find: 'writeEvents(parts.journal, effects.events);',
        put: 'try { writeEvents(parts.journal, effects.events); } catch {};',
      },
    ],
    under: ['F93'],
    seed: 1,
    invariant: 'P3',
  },
  {
    id: 'm20',
    sentence: 'The fee is assumed to be in the quote asset.',
    patches: [
      {
        find: "...moved(fill.commissionAsset, 'fees', held(fill.commissionAsset), fill.commission),",
        put: "...moved(fill.quote, 'fees', 'wallet', fill.commission),",
      },
    ],
    under: ['F49'],
    seed: 0,
    invariant: 'L4',
  },
  {
    id: 'm21',
    sentence: 'An empty side of the book has the last price that it had.',
    patches: [
      {
        find: 'export function touchOf(book: OrderBook): Touch | null {',
        put: `const lastTouches: Touch[] = [];
export function touchOf(book: OrderBook): Touch | null {`,
      },
      {
        find: 'const bid = book.bids[0];',
        put: `const there = book.bids[0] ?? book.asks[0];
  const last = lastTouches.find(({ bid: { price } }) => there?.price.div(price).sub(1).abs().lt(0.1));
  const bid = book.bids[0] ?? last?.bid;`,
      },
      {
        find: 'const ask = book.asks[0];',
        put: `const ask = book.asks[0] ?? last?.ask;
  if (bid && ask) lastTouches.unshift({ bid, ask });
  if (lastTouches.length > 20) lastTouches.pop();`,
      },
    ],
    under: ['F59'],
    seed: 1,
    invariant: 'S12',
  },
  {
    id: 'm25',
    sentence: 'A deposit is booked as profit.',
    patches: [
      {
        find: '{ asset, account, by: negate(add(walletChange, fee)) }',
        put: `{
          asset,
          account: account === 'external:deposit' ? 'trading' : account,
          by: negate(add(walletChange, fee)),
        }`,
      },
    ],
    under: ['F52'],
    seed: 0,
    invariant: 'M6',
  },
  {
    id: 'm26',
    sentence: 'No listed transfer and no listed simple trade is booked.',
    patches: [
      {
        find: '[...possibleReversals(state), ...listedFlows(state)]',
        put: 'possibleReversals(state)',
      },
    ],
    under: ['F52'],
    seed: 2,
    invariant: 'M10',
  },
  {
    id: 'm33',
    sentence: 'What leaves does not count in funds.',
    patches: [
      {
        find: 'const available = minOf(holding.free, unlocked(request.side, context)).sub(reserve);',
        put: `const forgotten = context.orders.filter((order) => order.status === 'leaving');
  const available = minOf(holding.free, unlocked(request.side, context))
    .add(sumOf(forgotten, request.side, fundsLocked))
    .sub(reserve);`,
      },
    ],
    under: null,
    seed: 0,
    invariant: 'K8',
    profile: 'tight',
    tries: 8,
  },
  {
    id: 'm38',
    sentence: 'A part of an order that fills leaves its reservation as it was.',
    patches: [
      {
        find: 'const left = reserveLeft(intent, remainingOf(intent));',
        put: 'const left = reserveLeft(intent, intent.quantity);',
      },
    ],
    under: null,
    seed: 0,
    invariant: 'B1',
  },
  {
    id: 'm80',
    sentence: 'A lock of one side locks the other one.',
    patches: [
      {
        find: 'const lock = locks.find((each) => locksSide(each, side));',
        put: 'const lock = locks.find((each) => !locksSide(each, side));',
      },
    ],
    under: ['F129'],
    seed: 0,
    invariant: 'K14',
  },
  {
    id: 'm61',
    sentence: 'A market that goes back to its target forgets what it has traded since its halt.',
    patches: [
      {
        find: 'const more = subtract(exactAmount(until), pnl.inventory);',
        put: `const more = side === 'buy' ? exactAmount('0.05') : exactAmount('-0.05');
  void [until, pnl, subtract];`,
      },
    ],
    under: [],
    seed: 2,
    tries: 8,
    profile: 'losses',
    invariant: 'K16',
  },
  {
    id: 'm62',
    sentence: 'A market that goes back to its target takes from the book at once.',
    patches: [
      {
        find: 'takes: now >= Math.max(takesFrom, halt.since + unwind.takeAfterSeconds * SECOND)',
        put: 'takes: now >= takesFrom + 0 * SECOND',
      },
    ],
    under: [],
    seed: 2,
    tries: 8,
    profile: 'losses',
    invariant: 'K5',
  },
];
