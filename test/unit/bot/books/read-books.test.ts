// Movements from the records of a journal: time, owner, and later corrections.
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { checkBooks } from '../../../../src/bot/books/holding-lines.ts';
import type { Movement } from '../../../../src/bot/books/movement.ts';
import { amountText } from '../../../../src/ledger/amount.ts';
import { emptyDurable } from '../../../../src/trader/durable/durable.ts';
import type { TraderEvent } from '../../../../src/trader/durable/events.ts';
import { applyEvent } from '../../../../src/trader/durable/fold/apply-event.ts';
import {
  accepted,
  booksOf,
  corrected,
  fill,
  moment,
  opening,
  ownerTrade,
  reversed,
  simple,
  transfer,
} from './books-kit.ts';

const START = opening('2026-04-02', { INR: '1000', BTC: '2' });

/** `record day account amount asset, …`, without the opening. */
function told(...events: readonly TraderEvent[]): readonly string[] {
  return booksOf([...START, ...events])
    .movements.filter(({ event, seq }) => event !== 'opened' || seq > START.length)
    .map(lineOf);
}

function lineOf({ seq, takesBack, happenedAt, changes }: Movement): string {
  const words = changes.map(({ account, by, asset }) => `${account} ${amountText(by)} ${asset}`);
  const day = new Date(happenedAt).toISOString().slice(5, 10);
  return `${seq - START.length}${takesBack ? 'r' : ''} ${day}: ${words.join(', ')}`;
}

const balanced = ({ changes }: Movement): boolean =>
  [...Map.groupBy(changes, ({ asset }) => asset).values()].every(
    (own) => own.reduce((sum, { by }) => sum + by, 0n) === 0n,
  );

test('a fill, its fee and its tax, on the day of the trade', () => {
  const sale = { on: '2026-04-30', side: 'sell', fee: '1.18', tds: '1', booked: '2026-05-01' } as const;
  expect(told(fill(sale))).toEqual([
    '1 04-30: wallet -1 BTC, trading 1 BTC, wallet 97.82 INR, fees 1.18 INR, tax-withheld 1 INR, trading -100 INR',
  ]);
  const [movement] = booksOf([...START, fill({ ...sale, id: '7' })]).movements.slice(2);
  expect(movement).toMatchObject({
    event: 'fill',
    bookedAt: moment('2026-05-01'),
    happenedAt: moment('2026-04-30'),
    reference: 'BTC/INR 7',
    trade: { origin: 'strategy', list: 'spot', liquidity: 'maker', intentId: '1-1' },
  });
});

describe('a correction', () => {
  test('takes back the old booking on its day, and books the new one', () => {
    expect(
      told(
        fill({ on: '2026-04-03', id: '7', quantity: '2', fee: '1' }),
        corrected({ on: '2026-04-03', id: '7', quantity: '1', fee: '0.5', booked: '2026-05-01' }),
      ),
    ).toEqual([
      '1 04-03: wallet 2 BTC, trading -2 BTC, wallet -201 INR, fees 1 INR, trading 200 INR',
      '2r 04-03: wallet -2 BTC, trading 2 BTC, wallet 201 INR, fees -1 INR, trading -200 INR',
      '2 04-03: wallet 1 BTC, trading -1 BTC, wallet -100.5 INR, fees 0.5 INR, trading 100 INR',
    ]);
  });

  test('of its time moves it to another day', () => {
    expect(told(fill({ on: '2026-04-03', id: '7' }), corrected({ on: '2026-04-05', id: '7' }))).toEqual([
      '1 04-03: wallet 1 BTC, trading -1 BTC, wallet -100 INR, trading 100 INR',
      '2r 04-03: wallet -1 BTC, trading 1 BTC, wallet 100 INR, trading -100 INR',
      '2 04-05: wallet 1 BTC, trading -1 BTC, wallet -100 INR, trading 100 INR',
    ]);
  });

  test('says that it was not the owner’s after all', () => {
    const trade = { on: '2026-04-03', id: '7' };
    expect(told(fill({ ...trade, byHand: true }), corrected(trade)).slice(1)).toEqual([
      '2r 04-03: wallet -1 BTC, external:manual 1 BTC, wallet 100 INR, external:manual -100 INR',
      '2 04-03: wallet 1 BTC, trading -1 BTC, wallet -100 INR, trading 100 INR',
    ]);
  });

  test('of a simple trade does the same', () => {
    const trade = { on: '2026-04-03', id: '7', side: 'sell' } as const;
    expect(told(simple(trade), simple({ ...trade, tds: '1', booked: '2026-04-09' })).slice(1)).toEqual([
      '2r 04-03: wallet 1 BTC, external:conversion -1 BTC, wallet -100 INR, external:conversion 100 INR',
      '2 04-03: wallet -1 BTC, external:conversion 1 BTC, wallet 99 INR, tax-withheld 1 INR, ' +
        'external:conversion -100 INR',
    ]);
  });

  test('of a trade that no record books is left out, and counted', () => {
    const books = booksOf([...START, corrected({ on: '2026-04-03', id: '7' }), reversed('8', 'buy', '2026-04-04')]);
    expect([books.unfounded, books.movements.length]).toEqual([2, 2]);
  });
});

test('a coin outside the ledger moves no wallet', () => {
  expect(told(ownerTrade({ on: '2026-04-03', symbol: 'DOGE/INR', quantity: '5', price: '2' }))).toEqual([
    '1 04-03: external:manual -5 DOGE, opening 5 DOGE, wallet -10 INR, external:manual 10 INR',
  ]);
});

test('a transfer, its fee inside', () => {
  expect(told(transfer({ on: '2026-04-03', asset: 'BTC', by: '-1', fee: '0.1', booked: '2026-04-04' }))).toEqual([
    '1 04-03: wallet -1 BTC, fees 0.1 BTC, external:withdrawal 0.9 BTC',
  ]);
});

describe('an opening', () => {
  test('happens when the exchange’s clock says', () => {
    const [session] = START;
    const opened: TraderEvent = {
      type: 'opened',
      payload: {
        at: moment('2026-04-02'),
        venueAt: moment('2026-04-02') - 2_500.5,
        balances: { INR: '1000' },
        markets: { 'BTC/INR': { cursor: null, from: moment('2026-04-02') - 2_500.5 } },
      },
    };
    const [movement] = booksOf([session, opened].filter((event) => event !== undefined)).movements;
    expect(movement?.happenedAt).toBe(moment('2026-04-02') - 2_501);
  });

  test('of an added market holds what it held before its first trade', () => {
    const added: TraderEvent = {
      type: 'opened',
      payload: {
        later: true,
        at: moment('2026-05-02'),
        venueAt: moment('2026-05-02'),
        balances: { ETH: '3' },
        markets: { 'ETH/INR': { cursor: null, from: moment('2026-05-01') } },
      },
    };
    expect(told(added, fill({ on: '2026-05-01', symbol: 'ETH/INR', side: 'sell' }))).toEqual([
      '1 05-01: wallet 3 ETH, opening -3 ETH',
      '2 05-01: wallet -1 ETH, trading 1 ETH, wallet 100 INR, trading -100 INR',
    ]);
  });
});

/** Any sequence of movements, with corrections and reversals. */
const anyCourse = fc.array(
  fc.record({
    what: fc.constantFrom('fill', 'corrected', 'reversed', 'simple', 'owner', 'transfer', 'accepted'),
    id: fc.integer({ min: 1, max: 4 }),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    quantity: fc.constantFrom('1', '0.25', '0.00000001'),
    price: fc.constantFrom('100', '99.99', '0.12345678'),
    feeAsset: fc.constantFrom('INR', 'BTC', 'USDT'),
    byHand: fc.boolean(),
    day: fc.integer({ min: 3, max: 28 }),
  }),
  { maxLength: 25 },
);

/** Only what the bot would write: a correction refers to a booked trade. */
function courseOf(drawn: typeof anyCourse extends fc.Arbitrary<infer T> ? T : never): readonly TraderEvent[] {
  const booked = new Set<string>();
  return drawn.flatMap(({ what, id, side, quantity, price, feeAsset, byHand, day }): TraderEvent[] => {
    const on = `2026-04-${String(day).padStart(2, '0')}`;
    const given = {
      on,
      id: String(id),
      side,
      quantity,
      price,
      feeAsset,
      fee: '0.01',
      ...(byHand && { byHand: true as const }),
    };
    const key = `${id} ${side}`;
    const isBooked = booked.has(key);
    switch (what) {
      case 'fill':
        booked.add(key);
        return [isBooked ? corrected(given) : fill(given)];
      case 'corrected':
        return isBooked ? [corrected(given)] : [];
      case 'reversed':
        return booked.delete(key) ? [reversed(String(id), side, on)] : [];
      case 'simple':
        return [simple(given)];
      case 'owner':
        return [ownerTrade({ ...given, symbol: 'DOGE/INR', id: `9${id}${day}` })];
      case 'transfer':
        return [transfer({ on, asset: feeAsset, by: side === 'buy' ? quantity : `-${quantity}`, fee: '0.001' })];
      default:
        return [accepted(feeAsset, side === 'buy' ? quantity : `-${quantity}`, on)];
    }
  });
}

test('movements balance, and add up to the bot’s ledger, whatever happens', () => {
  fc.assert(
    fc.property(anyCourse, (drawn) => {
      const events = [...START, ...courseOf(drawn)];
      const durable = emptyDurable();
      for (const event of events) applyEvent(durable, event);
      const books = booksOf(events);
      expect(books.movements.filter((each) => !balanced(each))).toEqual([]);
      expect(checkBooks(books, durable.books.ledger)).toEqual([]);
      const sums = new Map<string, bigint>();
      for (const { changes } of books.movements)
        for (const { asset, account, by } of changes)
          sums.set(`${asset} ${account}`, (sums.get(`${asset} ${account}`) ?? 0n) + by);
      for (const [asset, accounts] of durable.books.ledger.balances)
        for (const [account, balance] of accounts) expect(sums.get(`${asset} ${account}`) ?? 0n).toBe(balance);
    }),
  );
});
