import { describe, expect, test } from '@jest/globals';
import { Decimal, decimal, ZERO } from '../../../src/domain/decimal.ts';
import type { OrderRequest, Slot } from '../../../src/domain/order.ts';
import { HALT_CODES, type HaltCode } from '../../../src/quoting/block.ts';
import type { LiveOrder } from '../../../src/quoting/live-order.ts';
import { assess } from '../../../src/quoting/risk/risk.ts';
import {
  DENY_CODES,
  type DenyCode,
  type MessageCounts,
  type RiskContext,
} from '../../../src/quoting/risk/risk-context.ts';
import type { Limits } from '../../../src/quoting/risk/risk-limits.ts';
import { calm, limits } from './calm-context.ts';
import { book, holding, instrument, liveOrder, NOW } from './market.ts';

const halted = (code: HaltCode): Partial<RiskContext> => ({ halt: { code, reason: 'So it is.', since: NOW } });
const messages = (changes: Partial<MessageCounts>): Partial<RiskContext> => ({
  messages: { ...calm.messages, ...changes },
});

const buy: OrderRequest = { symbol: 'BTC/INR', side: 'buy', price: decimal('99'), quantity: decimal('1') };
const sell: OrderRequest = { symbol: 'BTC/INR', side: 'sell', price: decimal('101'), quantity: decimal('1') };
const NAN = new Decimal(Number.NaN);
const INFINITE = new Decimal(Number.POSITIVE_INFINITY);

const judge = (request: OrderRequest, context: Partial<RiskContext> = {}, slot: Slot = `${request.side}:0`) =>
  assess({ request, slot }, { ...calm, ...context });

const verdict = (request: OrderRequest, context: Partial<RiskContext> = {}): string => {
  const assessment = judge(request, context);
  return assessment.kind === 'denied' ? assessment.code : assessment.kind;
};

const message = (request: OrderRequest, context: Partial<RiskContext> = {}): string => {
  const assessment = judge(request, context);
  return assessment.kind === 'denied' ? assessment.message : '';
};

const limited = (changes: Partial<Limits>): Partial<RiskContext> => ({ limits: { ...limits, ...changes } });
const budget = (changes: Partial<RiskContext['budget']>): Partial<RiskContext> => ({
  budget: { ...calm.budget, ...changes },
});
const totals = (openOrders: number, openNotional: string) => ({
  totals: { openOrders, openNotional: decimal(openNotional) },
});

describe('in a calm market', () => {
  test('a buy and a sell are approved as they are', () => {
    expect(judge(buy)).toEqual({ kind: 'approved', order: buy });
    expect(judge(sell)).toEqual({ kind: 'approved', order: sell });
  });

  test('what was approved is a copy that nobody can change', () => {
    const assessment = judge(buy);
    expect(assessment.kind).toBe('approved');
    if (assessment.kind === 'approved') {
      expect(assessment.order).not.toBe(buy);
      expect(Object.isFrozen(assessment.order)).toBe(true);
    }
  });
});

/** One row per way to be denied: the code, the order, and what is different from the calm market. */
type Denied = [DenyCode, string, OrderRequest, Partial<RiskContext>];
const DENIED: readonly Denied[] = [
  ['latched', 'the latch is set', sell, { killLatched: true }],
  ...HALT_CODES.map((code): Denied => [code, 'halted by it', sell, halted(code)]),
  ['message-rate', 'five within a second', sell, messages({ inSecond: 5 })],
  ['message-rate', 'fifty within a minute', sell, messages({ inMinute: 50 })],
  ['message-rate', 'five hundred today', sell, messages({ today: 500 })],
  ['message-rate', 'a count of NaN', sell, messages({ inMinute: Number.NaN })],
  ['message-rate', 'a limit of NaN', sell, { messageLimits: { ...calm.messageLimits, maxPerDay: Number.NaN } }],
  ['limits', 'a loss limit of zero', buy, limited({ maxDayLoss: ZERO })],
  ['limits', 'repeated fills without a number', buy, limited({ repeatedFills: Number.NaN })],
  ['state', 'the bot is paused', sell, { isRunning: false }],
  ['symbol', 'not configured', buy, { configuredSymbols: ['ETH/INR'] }],
  ['symbol', 'of another instrument', { ...buy, symbol: 'ETH/INR' }, { configuredSymbols: ['BTC/INR', 'ETH/INR'] }],
  ['limits', 'a limit of zero', buy, limited({ maxOrderQuantity: ZERO })],
  ['limits', 'a limit of NaN', buy, limited({ maxOpenNotional: NAN })],
  ['limits', 'a limit without end', buy, limited({ maxInventoryBase: INFINITE })],
  ['limits', 'a limit over all of zero', buy, limited({ maxOpenNotionalOverAll: ZERO })],
  ['limits', 'a negative reserve', buy, limited({ reserveQuote: decimal('-1') })],
  ['limits', 'a collar of NaN', buy, limited({ collarBps: Number.NaN })],
  ['steps', 'price off the tick', { ...buy, price: decimal('99.05') }, {}],
  ['steps', 'quantity off the lot', { ...buy, quantity: decimal('1.0001') }, {}],
  ['steps', 'under the least notional', { ...buy, quantity: decimal('0.01') }, {}],
  ['steps', 'price zero', { ...buy, price: ZERO }, {}],
  ['steps', 'price NaN', { ...buy, price: NAN }, {}],
  ['steps', 'price without end', { ...buy, price: INFINITE }, {}],
  ['steps', 'negative quantity', { ...buy, quantity: decimal('-1') }, {}],
  ['steps', 'an unusable tick size', buy, { instrument: { ...instrument, tickSize: ZERO } }],
  ['order-quantity', 'more than 2', { ...buy, quantity: decimal('2.001') }, {}],
  ['order-notional', 'more than 150', { ...buy, quantity: decimal('1.6') }, {}],
  ['reference', 'no book', buy, { book: null }],
  ['reference', 'a book of no known age', buy, { bookSentAt: null }],
  ['reference', 'a book too old', buy, { bookSentAt: NOW - 10_001 }],
  ['reference', 'a book from the future', buy, { bookSentAt: NOW + 1 }],
  ['reference', 'a book with an age of NaN', buy, { bookSentAt: Number.NaN }],
  ['reference', 'a book without bids', buy, { book: book([], ['100.1 x 1']) }],
  ['reference', 'a locked book', buy, { book: book(['100 x 1'], ['100 x 1']) }],
  ['reference', 'a book with a quantity of zero', buy, { book: book(['99.9 x 0'], ['100.1 x 1']) }],
  ['reference', 'no reference', buy, { referencePrice: null }],
  ['reference', 'a reference of zero', buy, { referencePrice: ZERO }],
  ['reference', 'a reference of NaN', buy, { referencePrice: NAN }],
  ['reference', 'no last good reference', buy, { lastGoodReference: null }],
  [
    'reference',
    'below the best bid by more than the collar',
    buy,
    { referencePrice: decimal('94.8'), lastGoodReference: decimal('94.8') },
  ],
  [
    'reference',
    'above the best ask by more than the collar',
    buy,
    { referencePrice: decimal('105.2'), lastGoodReference: decimal('105.2') },
  ],
  ['reference', 'ten times the last good one', buy, { lastGoodReference: decimal('10') }],
  ['collar', 'further than 500 bps', { ...buy, price: decimal('94.9') }, {}],
  ['collar', 'no recent reference', buy, { recentReference: null }],
  ['collar', 'further than 1000 bps from the recent one', buy, { recentReference: decimal('111') }],
  ['marketable', 'a buy at the best ask', { ...buy, price: decimal('100.1') }, {}],
  ['marketable', 'a sell at the best bid', { ...sell, price: decimal('99.9') }, {}],
  ['slot', 'taken by an open order', buy, { orders: [liveOrder('buy:0 0.5 @ 98')], ...totals(1, '49') }],
  [
    'slot',
    'taken by an unknown one',
    buy,
    { orders: [liveOrder('buy:0 0.5 @ 98', { status: 'pending' })], ...totals(1, '49') },
  ],
  [
    'duplicate',
    'as much as one that was not found',
    buy,
    { orders: [liveOrder('buy:1 1 @ 98', { status: 'doubtful' })], ...totals(1, '98') },
  ],
  ['duplicate', 'the same in another slot', buy, { orders: [liveOrder('buy:1 1 @ 99')], ...totals(1, '99') }],
  [
    'self-cross',
    'a buy at an own ask',
    { ...buy, price: decimal('100') },
    { orders: [liveOrder('sell:0 1 @ 100')], ...totals(1, '100') },
  ],
  [
    'self-cross',
    'a sell at an own bid',
    { ...sell, price: decimal('100') },
    { orders: [liveOrder('buy:0 1 @ 100')], ...totals(1, '100') },
  ],
  ['inventory', 'over the most base', buy, { base: holding('BTC', '14.5') }],
  [
    'inventory',
    'over it when a bid in flight fills',
    buy,
    { base: holding('BTC', '13.5'), orders: [liveOrder('buy:1 1 @ 98', { status: 'pending' })], ...totals(1, '98') },
  ],
  ['inventory', 'under the least base', sell, { base: holding('BTC', '5.5') }],
  [
    'inventory',
    'under it unless a bid in flight fills',
    sell,
    { base: holding('BTC', '5.5'), orders: [liveOrder('buy:1 1 @ 98', { status: 'pending' })], ...totals(1, '98') },
  ],
  ['inventory', 'unknown', sell, { base: { ...calm.base, total: NAN } }],
  ['open-orders', 'an eleventh order', buy, { orders: tenOrders(), ...totals(10, '98') }],
  ['open-orders', 'too many over all', buy, totals(40, '0')],
  ['open-orders', 'too much notional', buy, { orders: [liveOrder('sell:1 2 @ 102')], ...totals(1, '204') }],
  [
    'open-orders',
    'too much notional over all',
    buy,
    { ...limited({ maxOpenNotionalOverAll: decimal('300') }), ...totals(3, '250') },
  ],
  [
    'open-orders',
    'totals that lag behind the orders here',
    buy,
    {
      ...limited({ maxOpenNotional: decimal('400'), maxOpenNotionalOverAll: decimal('250') }),
      orders: [liveOrder('sell:1 2 @ 102')],
      ...totals(1, '0'),
    },
  ],
  ['open-orders', 'the owner has 49 of his own', buy, { foreignOpenOrders: 49 }],
  ['open-orders', 'totals that leave out what is here', buy, { orders: [liveOrder('buy:1 1 @ 98')] }],
  ['open-orders', 'totals of NaN', buy, totals(0, 'NaN')],
  ['budget', 'bids over what they may lock, fee included', buy, budget({ maxQuote: decimal('99.98') })],
  ['budget', 'bids that may lock nothing', buy, budget({ maxQuote: ZERO })],
  [
    'budget',
    'a bid beside the one that leaves',
    buy,
    {
      ...budget({ maxQuote: decimal('150') }),
      orders: [liveOrder('buy:0 1 @ 98', { status: 'leaving' })],
      ...totals(1, '98'),
    },
  ],
  [
    'budget',
    'an ask beside the one that it replaces',
    sell,
    { ...budget({ maxBase: decimal('1.5') }), orders: [liveOrder('sell:1 1 @ 102')], ...totals(1, '102') },
  ],
  ['inventory', 'more base than its own bound', buy, { inventoryRange: { most: decimal('10.5'), least: ZERO } }],
  ['inventory', 'more base than none', buy, { inventoryRange: { most: ZERO, least: ZERO } }],
  ['inventory', 'less base than its own bound', sell, { inventoryRange: { most: null, least: decimal('9.5') } }],
  ['funds', 'only the base of the reserve', sell, limited({ reserveBase: decimal('9.5') })],
  ['funds', 'no free quote', buy, { quote: holding('INR', '1000', '0') }],
  ['funds', 'enough for the price but not for the fee', buy, { quote: holding('INR', '1000', '99.5') }],
  ['funds', 'only the reserve', buy, limited({ reserveQuote: decimal('950') })],
  ['funds', 'no free base', sell, { base: holding('BTC', '10', '0.5') }],
  [
    'funds',
    'free as said, but an order in flight has it',
    buy,
    { quote: holding('INR', '150'), orders: [liveOrder('buy:1 1 @ 98', { status: 'pending' })], ...totals(1, '98') },
  ],
  ['funds', 'a fee that is not known', buy, { costs: { ...calm.costs, takerFeeRatio: NAN } }],
];

function tenOrders() {
  return Array.from({ length: 10 }, (_, level) => liveOrder(`buy:${level + 1} 0.1 @ 98`));
}

describe('denied', () => {
  test.each(DENIED)('%s: %s', (code, _words, request, context) => {
    expect(verdict(request, context)).toBe(code);
    expect(message(request, context)).toMatch(/\.$/);
  });

  test('there is a case for every code', () => {
    expect([...new Set(DENIED.map(([code]) => code))].sort()).toEqual([...DENY_CODES].sort());
  });
});

describe('approved all the same', () => {
  test.each<[string, OrderRequest, Partial<RiskContext>]>([
    ['a quantity at the limit', { ...buy, quantity: decimal('1.5'), price: decimal('100') }, {}],
    ['a price at the collar', { ...buy, price: decimal('95') }, {}],
    ['a tick under the best ask', { ...buy, price: decimal('100') }, {}],
    ['a book at its greatest age', buy, { bookSentAt: NOW - 10_000 }],
    ['inventory that reaches its bound', buy, { base: holding('BTC', '14') }],
    ['a sell that reaches the least base', sell, { base: holding('BTC', '6') }],
    [
      'the tenth order',
      { ...buy, quantity: decimal('0.1') },
      { orders: tenOrders().slice(0, 9), ...totals(9, '88.2') },
    ],
    ['one message less than allowed', buy, messages({ inSecond: 4, inMinute: 49, today: 499 })],
    ['notional that reaches the limit', buy, totals(2, '201')],
    ['funds to the last digit', buy, { quote: holding('INR', '1000', '99.99') }],
    ['whatever other symbols have open, where no limit is set over all', buy, totals(3, '5000')],
    ['the same price in another size', buy, { orders: [liveOrder('buy:1 0.5 @ 99')], ...totals(1, '49.5') }],
  ])('%s', (_words, request, context) => {
    expect(verdict(request, context)).toBe('approved');
  });
});

describe('messages carry the values', () => {
  test.each<[OrderRequest, Partial<RiskContext>, string]>([
    [{ ...buy, price: decimal('99.05') }, {}, 'Price 99.05 is not a multiple of tick size 0.1 (BTC/INR).'],
    [
      { ...buy, price: decimal('94.9') },
      {},
      'Price 94.9 is 510 bps, more than 500 bps, from 100, the reference price (BTC/INR).',
    ],
    [buy, { base: holding('BTC', '14.5') }, 'With every buy filled 15.5 BTC would be held; at most 15 is allowed.'],
    [buy, { quote: holding('INR', '50') }, 'The buy needs 99.99 INR and 50 are free above the reserve of 0.'],
    [buy, limited({ maxOrderQuantity: ZERO }), 'The limit maxOrderQuantity is 0: missing, zero or not finite.'],
  ])('%#', (request, context, expected) => {
    expect(message(request, context)).toBe(expected);
  });
});

describe('orders that leave', () => {
  const leaving = (text: string): LiveOrder => liveOrder(text, { status: 'leaving' });
  const beside = (orders: readonly LiveOrder[], changes: Partial<Limits> = {}): Partial<RiskContext> => ({
    ...{ orders, ...limited(changes) },
    ...totals(
      orders.length,
      orders.reduce((sum, { price, remaining }) => sum.add(price.mul(remaining)), ZERO).toFixed(),
    ),
  });

  test('take no slot, up to a number of them in it', () => {
    const two = beside([leaving('buy:0 0.1 @ 98'), leaving('buy:0 0.1 @ 97')], { maxLeavingPerSlot: 1 });
    expect(verdict(buy, beside([leaving('buy:0 0.1 @ 98')], { maxLeavingPerSlot: 1 }))).toBe('approved');
    expect(verdict(buy, two)).toBe('slot');
    expect(message(buy, two)).toBe(
      '2 canceled orders of buy:0 are not proved closed yet, and 1 may be beside a new order.',
    );
    expect(verdict(buy, beside([leaving('buy:0 0.1 @ 98')], { maxLeavingPerSlot: 0 }))).toBe('slot');
  });

  test('and a number of them in all levels of the symbol; a free level is not held by those of others', () => {
    const orders = [leaving('buy:0 0.1 @ 98'), leaving('sell:0 0.1 @ 102'), leaving('sell:1 0.1 @ 103')];
    expect(verdict(buy, beside(orders, { maxLeaving: 3 }))).toBe('approved');
    expect(verdict(buy, beside(orders, { maxLeaving: 2 }))).toBe('slot');
    expect(verdict(buy, beside(orders.slice(1), { maxLeaving: 1 }))).toBe('approved');
  });

  test.each<[string, OrderRequest, Partial<RiskContext>]>([
    ['self-cross', buy, beside([leaving('sell:0 0.1 @ 99')])],
    ['duplicate', buy, beside([leaving('buy:0 1 @ 99')])],
    ['inventory', buy, { ...beside([leaving('buy:0 1 @ 98')]), base: holding('BTC', '13.5') }],
    ['inventory', sell, { ...beside([leaving('sell:0 1 @ 102')]), base: holding('BTC', '6.5') }],
    ['open-orders', buy, beside([leaving('buy:0 0.1 @ 98')], { maxOpenOrders: 1 })],
    ['open-orders', buy, beside([leaving('buy:0 1 @ 98')], { maxOpenNotional: decimal('150') })],
    ['funds', buy, { ...beside([leaving('buy:0 1 @ 98')]), quote: holding('INR', '150') }],
  ])('count as live: %s', (code, request, context) => {
    expect(verdict(request, { ...context, orders: [], ...totals(0, '0') })).toBe('approved');
    expect(verdict(request, context)).toBe(code);
  });
});
