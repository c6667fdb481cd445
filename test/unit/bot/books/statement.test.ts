// The figures of a statement, by examples that can be worked out by hand.
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { METHODS, type Method } from '../../../../src/bot/books/lots.ts';
import { statementOf } from '../../../../src/bot/books/statement.ts';
import { readTaxRules } from '../../../../src/bot/books/tax-rules.ts';
import { emptyDurable } from '../../../../src/trader/durable/durable.ts';
import type { TraderEvent } from '../../../../src/trader/durable/events.ts';
import { applyEvent } from '../../../../src/trader/durable/fold/apply-event.ts';
import { amt } from '../../ledger/fills.ts';
import {
  APRIL,
  accepted,
  booksOf,
  corrected,
  figures,
  fill,
  INDIA,
  KOLKATA,
  moment,
  NOTHING_SET,
  opening,
  ownerTrade,
  reversed,
  simple,
  statementIn,
  transfer,
  yearOf,
} from './books-kit.ts';

const START = opening('2026-04-01', { INR: '1000' });
const year = (...events: readonly TraderEvent[]) => statementIn('2026-27', [...START, ...events]);
const byAverage = (...events: readonly TraderEvent[]) =>
  statementIn('2026-27', [...START, ...events], { method: 'average' });
const RULES = readTaxRules(INDIA, '2026-27', APRIL);
const BOT = { section: 'profit', subject: 'BTC/INR', origin: 'bot' } as const;

const NOTHING_UNKNOWN = { unknown_cost_quantity: '0 BTC', unknown_cost_proceeds: '0 INR' };

describe('realized profit', () => {
  test('of a sale out of two purchases: the first one first, or the average of both', () => {
    const events = [
      fill({ on: '2026-04-02', quantity: '1', price: '100' }),
      fill({ on: '2026-04-03', quantity: '1', price: '120' }),
      fill({ on: '2026-04-04', quantity: '1.5', price: '130', side: 'sell' }),
    ];
    const [statement, average] = [year(...events), byAverage(...events)];
    // 195 for 100 + half of 120; and for one and a half times the average of 110.
    expect(figures(statement, { ...BOT, method: 'fifo' })).toEqual({
      ...{ proceeds: '195 INR', cost: '160 INR', profit: '35 INR', profit_after_fees: '35 INR' },
      ...NOTHING_UNKNOWN,
    });
    expect(figures(average, { ...BOT, method: 'average' })).toEqual({
      ...{ proceeds: '195 INR', cost: '165 INR', profit: '30 INR', profit_after_fees: '30 INR' },
      ...NOTHING_UNKNOWN,
    });
    expect(figures(statement, { section: 'coins', method: 'fifo' })).toMatchObject({
      ...{ opening_quantity: '0 BTC', closing_quantity: '0.5 BTC', closing_cost: '60 INR' },
    });
    expect(figures(average, { section: 'coins', method: 'average' })).toMatchObject({ closing_cost: '55 INR' });
  });

  test('does not include fees, which are listed separately; their tax by the configured ratio', () => {
    const events = [
      fill({ on: '2026-04-02', fee: '1.18' }),
      fill({ on: '2026-04-03', side: 'sell', price: '110', fee: '2.36', tds: '1.1' }),
    ];
    const statement = statementIn('2026-27', [...START, ...events], { feeTaxRatioOf: () => amt('0.18') });
    expect(figures(statement, { ...BOT, method: 'fifo' })).toMatchObject({
      profit: '10 INR',
      profit_after_fees: '6.46 INR',
    });
    expect(figures(statement, { section: 'trades' })).toEqual({
      ...{ trades: '2', bought: '1 BTC', bought_for: '100 INR', sold: '1 BTC', sold_for: '110 INR' },
      ...{ fees: '3.54 INR', fees_tax: '0.54 INR', tax_withheld: '1.1 INR' },
    });
  });

  test('a fee in the coin is worth the trade’s price: it reduces both quantity and cost', () => {
    const statement = year(
      fill({ on: '2026-04-02', quantity: '2', price: '100', fee: '0.01', feeAsset: 'BTC' }),
      fill({ on: '2026-04-03', quantity: '1', price: '110', side: 'sell', fee: '0.01', feeAsset: 'BTC' }),
    );
    // 1.99 came for 199; of these, 1.01 left for 110 and a fee worth 1.1.
    expect(figures(statement, { ...BOT, method: 'fifo' })).toMatchObject({
      ...{ proceeds: '111.1 INR', cost: '101 INR', profit: '10.1 INR', profit_after_fees: '8 INR' },
    });
    expect(figures(statement, { section: 'trades' })).toMatchObject({ fees: '2.1 INR' });
    expect(figures(statement, { section: 'coins', method: 'fifo' })).toMatchObject({
      ...{ closing_quantity: '0.98 BTC', closing_cost: '98 INR' },
    });
    // Money paid and received: 200 and 110. The difference is the profit, minus the cost of the holdings.
    expect(figures(statement, { section: 'holdings', subject: 'INR' })).toMatchObject({ bot_trades: '-90 INR' });
  });

  test('a fee in a third asset is in no sum, and reduces that asset', () => {
    const start = opening('2026-04-01', { INR: '1000', USDT: '5' }, ['BTC/INR', 'USDT/INR']);
    const statement = statementIn('2026-27', [...start, fill({ on: '2026-04-02', fee: '0.5', feeAsset: 'USDT' })]);
    expect(figures(statement, { section: 'trades' })).toMatchObject({ fees: '0 INR', fees_other: '0.5 USDT' });
    expect(figures(statement, { section: 'holdings', subject: 'USDT' })).toEqual({
      ...{ opening: '0 USDT', opening_balances: '5 USDT', bot_fees: '-0.5 USDT', closing: '4.5 USDT' },
    });
  });

  test('uses trades in their final form: corrected ones, and none that was taken back', () => {
    const events = [
      fill({ on: '2026-04-02', id: '1', quantity: '2', price: '100' }),
      fill({ on: '2026-04-03', id: '2', quantity: '1', price: '90' }),
      fill({ on: '2026-04-04', id: '3', quantity: '1', price: '130', side: 'sell', tds: '1.3' }),
      corrected({ on: '2026-04-02', id: '1', quantity: '1', price: '101', booked: '2026-04-09' }),
      reversed('2', 'buy', '2026-04-10'),
      corrected({ on: '2026-04-04', id: '3', quantity: '1', price: '131', side: 'sell', tds: '1.31' }),
    ];
    const [statement, average] = [
      statementIn('2026-27', [...START, ...events], { rules: RULES }),
      byAverage(...events),
    ];
    expect(figures(statement, { ...BOT, method: 'fifo' })).toMatchObject({ cost: '101 INR', profit: '30 INR' });
    expect(figures(average, { ...BOT, method: 'average' })).toMatchObject({ cost: '101 INR', profit: '30 INR' });
    expect(figures(statement, { section: 'trades' })).toMatchObject({ trades: '2', tax_withheld: '1.31 INR' });
    expect(figures(statement, { section: 'tax_by_deposit_month' })).toEqual({ tax_withheld: '1.31 INR' });
    expect(statement.restated.map(({ tradeId, event }) => `${tradeId} ${event}`)).toEqual([
      ...['1 fill-corrected', '2 fill-reversed', '3 fill-corrected'],
    ]);
    expect(statement.check.isWhole).toBe(true);
  });

  test('goes by when a trade happened, however late it was booked', () => {
    const late = fill({ on: '2026-04-02', quantity: '1', price: '100', booked: '2026-04-20' });
    const sold = fill({ on: '2026-04-04', side: 'sell', price: '130' });
    const statement = year(fill({ on: '2026-04-03', quantity: '1', price: '120' }), sold, late);
    expect(figures(statement, { ...BOT, method: 'fifo' })).toMatchObject({ cost: '100 INR' });
  });

  test('of coins sold before their purchase is realized when they are bought', () => {
    const events = [
      ...START,
      fill({ on: '2027-03-31', side: 'sell', price: '130' }),
      fill({ on: '2027-04-01', price: '100' }),
    ];
    expect(figures(statementIn('2026-27', events), { ...BOT, method: 'fifo' })).toMatchObject({ profit: '0 INR' });
    expect(figures(statementIn('2026-27', events), { section: 'coins', method: 'fifo' })).toMatchObject({
      ...{ closing_quantity: '-1 BTC', closing_cost: '-130 INR' },
    });
    expect(figures(statementIn('2027-28', events), { ...BOT, method: 'fifo' })).toMatchObject({ profit: '30 INR' });
  });
});

describe('an unknown cost', () => {
  const start = opening('2026-04-01', { INR: '1000', BTC: '1' });
  const events = [
    ...start,
    fill({ on: '2026-04-02', quantity: '1', price: '100' }),
    fill({ on: '2026-04-03', quantity: '1.5', price: '120', side: 'sell' }),
  ];

  test('says so: sales with it are in no profit', () => {
    const statement = statementIn('2026-27', events);
    expect(figures(statement, { ...BOT, method: 'fifo' })).toEqual({
      ...{ proceeds: '60 INR', cost: '50 INR', profit: '10 INR', profit_after_fees: '10 INR' },
      ...{ unknown_cost_quantity: '1 BTC', unknown_cost_proceeds: '120 INR' },
    });
    const average = statementIn('2026-27', events, { method: 'average' });
    expect(figures(average, { ...BOT, method: 'average' })).toMatchObject({
      ...{ proceeds: '90 INR', cost: '75 INR', unknown_cost_quantity: '0.75 BTC', unknown_cost_proceeds: '90 INR' },
    });
  });

  test('is the unit cost in the configuration', () => {
    const costs = new Map([['BTC', { quote: 'INR', unit: amt('80') }]]);
    const statement = statementIn('2026-27', events, { costs });
    expect(figures(statement, { ...BOT, method: 'fifo' })).toMatchObject({ cost: '130 INR', profit: '50 INR' });
    const average = statementIn('2026-27', events, { costs, method: 'average' });
    expect(figures(average, { ...BOT, method: 'average' })).toMatchObject({ cost: '135 INR', profit: '45 INR' });
  });

  test('in other money is unknown in this one', () => {
    const markets = ['BTC/INR', 'BTC/USDT'];
    const statement = statementIn('2026-27', [
      ...opening('2026-04-01', { INR: '1000', USDT: '100' }, markets),
      fill({ on: '2026-04-02', symbol: 'BTC/USDT', price: '2' }),
      fill({ on: '2026-04-03', side: 'sell', price: '120' }),
    ]);
    expect(figures(statement, { ...BOT, method: 'fifo' })).toMatchObject({
      ...{ profit: '0 INR', unknown_cost_quantity: '1 BTC', unknown_cost_proceeds: '120 INR' },
    });
    expect(figures(statement, { section: 'coins', method: 'fifo' })).toMatchObject({
      ...{ unsold_quantity: '1 BTC', unsold_cost: '2 USDT', closing_quantity: '0 BTC' },
    });
  });
});

test('trades that are not the bot’s are listed separately, with their effect', () => {
  const statement = statementIn('2026-27', [
    ...opening('2026-04-01', { INR: '1000', BTC: '1' }),
    fill({ on: '2026-04-02', price: '100' }),
    fill({ on: '2026-04-03', price: '110', side: 'sell', byHand: true, fee: '0.5', tds: '1.1' }),
    ownerTrade({ on: '2026-04-04', symbol: 'DOGE/INR', price: '2', quantity: '5' }),
    simple({ on: '2026-04-05', price: '105', quantity: '0.5', fee: '2' }),
    transfer({ on: '2026-04-06', asset: 'INR', by: '500' }),
    transfer({ on: '2026-04-07', asset: 'BTC', by: '-0.2', fee: '0.01' }),
    accepted('INR', '-7', '2026-04-08'),
  ]);
  expect(figures(statement, { section: 'holdings', subject: 'INR' })).toEqual({
    opening: '0 INR',
    opening_balances: '1000 INR',
    bot_trades: '-100 INR',
    owner_trades: '100 INR',
    owner_fees: '-0.5 INR',
    owner_tax: '-1.1 INR',
    simple_trades: '-52.5 INR',
    simple_fees: '-2 INR',
    deposits: '500 INR',
    accepted: '-7 INR',
    closing: '1436.9 INR',
  });
  expect(figures(statement, { section: 'holdings', subject: 'BTC' })).toEqual({
    opening: '0 BTC',
    opening_balances: '1 BTC',
    bot_trades: '1 BTC',
    owner_trades: '-1 BTC',
    simple_trades: '0.5 BTC',
    withdrawals: '-0.19 BTC',
    transfer_fees: '-0.01 BTC',
    closing: '1.3 BTC',
  });
  expect(figures(statement, { section: 'holdings', subject: 'DOGE' })).toEqual({
    ...{ opening: '0 DOGE', owner_trades: '5 DOGE', not_in_wallet: '-5 DOGE', closing: '0 DOGE' },
  });
  // The first BTC is from the opening: its cost is unknown.
  expect(figures(statement, { ...BOT, origin: 'owner', method: 'fifo' })).toMatchObject({
    ...{ unknown_cost_quantity: '1 BTC', unknown_cost_proceeds: '110 INR' },
  });
  expect(figures(statement, { section: 'coins', subject: 'BTC', method: 'fifo' })).toMatchObject({
    ...{ unsold_quantity: '0.2 BTC', unsold_cost: '20 INR', closing_quantity: '1.3 BTC', closing_cost: '132.5 INR' },
  });
  expect(statement.check.isWhole).toBe(true);
});

describe('tax withheld', () => {
  const sale = (on: string, tds: string): TraderEvent => fill({ on, side: 'sell', tds });
  const statement = statementIn(
    '2026-27',
    [
      ...opening('2026-04-01', { INR: '1000', BTC: '9' }),
      sale('2026-04-30T18:29:59Z', '1'),
      sale('2026-04-30T18:30:00Z', '2'),
      sale('2026-12-15', '4'),
      sale('2027-03-31', '8'),
      sale('2027-04-01', '16'),
    ],
    { rules: RULES },
  );

  test('by quarter', () => {
    expect(statement.taxByQuarter.map(({ quarter, amount }) => [quarter.name, amount])).toEqual([
      ['2026-27 Q1', amt('3')],
      ['2026-27 Q2', amt('0')],
      ['2026-27 Q3', amt('4')],
      ['2026-27 Q4', amt('8')],
    ]);
  });

  test('by the month of its deposit: the next one, by its 7th; for March by 30 April', () => {
    const rows = statement.taxByMonth.map(({ month, depositMonth, dueBy, amount }) => [
      month,
      depositMonth,
      dueBy,
      amount,
    ]);
    expect(rows).toEqual([
      ['2026-04', '2026-05', '2026-05-07', amt('1')],
      ['2026-05', '2026-06', '2026-06-07', amt('2')],
      ['2026-12', '2027-01', '2027-01-07', amt('4')],
      ['2027-03', '2027-04', '2027-04-30', amt('8')],
    ]);
  });
});

describe('a quarter', () => {
  const events = [
    ...START,
    fill({ on: '2026-04-02', price: '100' }),
    fill({ on: '2026-07-02', price: '130', side: 'sell' }),
    transfer({ on: '2026-10-02', asset: 'INR', by: '-10' }),
  ];

  test('begins with the end of the one before', () => {
    const [first, second, third] = yearOf('2026-27').quarters.map((period) =>
      statementIn('2026-27', events, { period, quarters: [period] }),
    );
    if (!first || !second || !third) throw new Error('A year has four quarters.');
    const inr = { section: 'holdings', subject: 'INR' } as const;
    expect(figures(first, inr)).toMatchObject({ opening: '0 INR', closing: '900 INR' });
    expect(figures(second, inr)).toEqual({ opening: '900 INR', bot_trades: '130 INR', closing: '1030 INR' });
    expect(figures(third, inr)).toEqual({ opening: '1030 INR', withdrawals: '-10 INR', closing: '1020 INR' });
    expect(figures(second, { ...BOT, method: 'fifo' })).toMatchObject({ profit: '30 INR' });
    expect(figures(first, { ...BOT, method: 'fifo' })).toMatchObject({ profit: '0 INR' });
  });
});

describe('missing records', () => {
  const events = [
    ...START,
    fill({ on: '2026-04-02', id: '1', price: '100' }),
    fill({ on: '2027-04-02', id: '2', price: '130', side: 'sell' }),
  ];
  const durable = emptyDurable();
  for (const event of events) applyEvent(durable, event);
  const books = booksOf(events.filter((event) => event.type !== 'fill' || event.payload.fill.tradeId !== '1'));
  const of = (name: string) => {
    const period = yearOf(name);
    const options = { ...NOTHING_SET, period, quarters: [], calendar: KOLKATA };
    return statementOf(books, durable.books.ledger, options);
  };

  test('show as unexplained, and the closing balance is still the ledger’s', () => {
    const statement = of('2026-27');
    expect(statement.check.isWhole).toBe(false);
    expect(figures(statement, { section: 'holdings', subject: 'BTC' })).toEqual({
      ...{ opening: '0 BTC', unrecorded: '1 BTC', closing: '1 BTC' },
    });
    expect(figures(statement, { section: 'holdings', subject: 'INR' })).toEqual({
      ...{ opening: '0 INR', opening_balances: '1000 INR', unrecorded: '-100 INR', closing: '900 INR' },
    });
    expect(figures(statement, { section: 'check' })).toMatchObject({
      whole: 'no',
      'missing in wallet': '-100 INR',
      'missing in trading': '100 INR',
    });
  });

  test('show in every later period as well', () => {
    const statement = of('2028-29');
    expect(statement.check.isWhole).toBe(false);
    expect(figures(statement, { section: 'holdings', subject: 'BTC' })).toEqual({
      ...{ opening: '-1 BTC', unrecorded: '1 BTC', closing: '0 BTC' },
    });
  });
});

const anyTrades = fc.array(
  fc.record({
    side: fc.constantFrom('buy' as const, 'sell' as const),
    quantity: fc.constantFrom('1', '0.3', '0.00000007'),
    price: fc.constantFrom('100', '33.33', '0.12345678'),
    feeAsset: fc.constantFrom('INR', 'BTC'),
    fee: fc.constantFrom('0', '0.00000001'),
    tds: fc.constantFrom('0', '0.01'),
    day: fc.integer({ min: 0, max: 700 }),
    byHand: fc.boolean(),
  }),
  { maxLength: 20 },
);

const dayAt = (day: number): string => new Date(moment('2026-04-02') + day * 86_400_000).toISOString();

test('periods add up: holdings, cost and profit, to the last digit', () => {
  fc.assert(
    fc.property(anyTrades, (trades) => {
      const events = [
        ...opening('2026-04-01', { INR: '1000' }),
        ...trades.map(({ day, byHand, ...given }) =>
          fill({ on: dayAt(day), ...given, ...(byHand && { byHand: true as const }) }),
        ),
      ];
      for (const method of Object.keys(METHODS) as Method[]) {
        const statements = ['2026-27', '2027-28'].map((name) => statementIn(name, events, { method }));
        for (const { coins, realized, trades: sums, holdings } of statements) {
          const [coin] = coins;
          if (coin === undefined) continue;
          const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);
          const cost = (lots: (typeof coin)['opening']): bigint => sum(lots.known.map((each) => each.cost));
          const profit = sum(realized.map((each) => each.profit));
          // Everything has a price here: paid minus received equals the increase of holdings minus profit.
          const paid = sum(sums.map((each) => (each.boughtFor - each.soldFor) * 10n ** 18n));
          const feesInCoin = sum(trades.length > 0 ? sums.map((each) => each.fees) : []);
          const feesInMoney = -sum(
            holdings
              .filter(({ asset }) => asset === 'INR')
              .flatMap(({ lines }) => [
                (lines.get('bot-fees') ?? 0n) * 10n ** 18n,
                (lines.get('owner-fees') ?? 0n) * 10n ** 18n,
              ]),
          );
          expect(cost(coin.closing) - cost(coin.opening)).toBe(paid + profit - (feesInCoin - feesInMoney));
          expect(coin.unattributed).toBe(0n);
        }
        const [first, second] = statements.map(({ coins: [coin] }) => coin);
        if (first && second) expect(second.opening).toEqual(first.closing);
        for (const { check, holdings } of statements) {
          expect(check.isWhole).toBe(true);
          for (const { opening: before, lines, closing } of holdings)
            expect([...lines.values()].reduce((sum, by) => sum + by, before as bigint)).toBe(closing);
        }
      }
    }),
  );
});
