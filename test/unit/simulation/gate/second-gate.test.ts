// Each probe of the gate comes to what its name says, so that both gates can't be wrong in the same way unseen.
import { expect, test } from '@jest/globals';
import { probesOf } from '../../../../simulation/gate/probes.ts';
import { firstDenial } from '../../../../simulation/gate/second-gate.ts';
import { decimal } from '../../../../src/domain/decimal.ts';
import type { RiskContext } from '../../../../src/quoting/risk/risk-context.ts';
import { limitsSchema, messageRateSchema } from '../../../../src/quoting/risk/risk-limits.ts';

const NOW = 1_767_225_600_000;
const side = (from: number, by: number) =>
  [0, 1, 2].map((place) => ({ price: decimal(from + place * by), quantity: decimal('0.2') }));
const holding = (asset: string) => ({ asset, total: decimal(1), free: decimal(1) });
const CONTEXT: RiskContext = {
  ...{ now: NOW, mode: 'ACTIVE', killLatched: false, halt: null, configuredSymbols: ['BTC/INR'] },
  limits: limitsSchema.parse({
    ...{ maxOrderQuantity: '1', maxOrderNotional: '1000', maxInventoryBase: '5', maxOpenNotional: '2000' },
    ...{ collarBps: 500, bookMaxAgeMs: 10_000 },
  }),
  instrument: {
    ...{ symbol: 'BTC/INR', base: 'BTC', quote: 'INR' },
    ...{ tickSize: decimal(1), lotSize: decimal('0.00001'), minNotional: decimal(100) },
  },
  book: { bids: side(99_000, -10), asks: side(101_000, 10) },
  ...{ bookSentAt: NOW - 500, referencePrice: decimal(100_000), lastGoodReference: decimal(100_000) },
  ...{ recentReference: decimal(100_000), orders: [], foreignOpenOrders: 0 },
  totals: { openNotional: decimal(0), openOrders: 0 },
  baseInOtherMarkets: { more: decimal(0), less: decimal(0) },
  quoteAsBase: null,
  budget: { reserveQuote: decimal(0), reserveBase: decimal(0) },
  inventoryRange: { most: null, least: decimal(0) },
  ...{ base: holding('BTC'), quote: holding('INR') },
  costs: {
    makerFeeRatio: decimal('0.005'),
    takerFeeRatio: decimal('0.006'),
    tdsRatio: decimal(0),
    effectiveTaxRatio: decimal(0),
  },
  messages: { inSecond: 0, inMinute: 0, today: 0 },
  messageLimits: messageRateSchema.parse({}),
};

test('an order with one thing in its way is denied for that, and for nothing without', () => {
  const codes = new Map(probesOf(CONTEXT).map(({ what, proposal, context }) => [what, firstDenial(proposal, context)]));
  const of = (what: string): unknown => [codes.get(`buy, ${what}`), codes.get(`sell, ${what}`)];
  expect(codes.size).toBeGreaterThan(200);
  for (const what of ['nothing', 'book nearly old', 'just enough', 'moved within', 'at the collar', 'slot left'])
    expect([what, of(what)]).toEqual([what, [null, null]]);
  for (const what of [
    'inventory full',
    'inventory full elsewhere',
    'own inventory bound full',
    'budget full',
    'quote full as base',
    'notional full',
    'all notional full',
    'funds enough',
  ])
    expect([what, of(what)]).toEqual([what, [null, null]]);
  const denials = {
    ...{ latched: 'kill-latch', 'halted and latched': 'kill-latch', halted: 'price-jump', 'mode halted': 'state' },
    ...{ 'symbol unknown': 'symbol', 'symbol of others': 'symbol', 'limit maxOpenOrders 2': 'limits' },
    ...{ 'between ticks': 'steps', 'too little': 'steps', 'quantity over its limit': 'order-quantity' },
    ...{ 'notional over its limit': 'order-notional', 'book old': 'reference', 'book of later': 'reference' },
    ...{ 'one book only': 'reference', 'jumped up': 'reference', 'beyond the collar': 'collar' },
    ...{
      'at the other side': 'marketable',
      'slot taken': 'slot',
      'symbol left by too many': 'slot',
      twin: 'duplicate',
    },
    ...{ 'twin in doubt': 'duplicate', 'own order in the way': 'self-cross', 'inventory over': 'inventory' },
    ...{
      'inventory over elsewhere': 'inventory',
      'own inventory bound over': 'inventory',
      'budget over': 'budget',
      'budget of nothing': 'budget',
      'funds reserved by the budget': 'funds',
      'quote over as base': 'inventory',
      'listed full': 'open-orders',
      'notional over': 'open-orders',
    },
    ...{ 'all notional over': 'open-orders', 'funds lacking': 'funds', 'funds reserved': 'funds' },
    ...{ 'second full': 'message-rate', 'day full': 'message-rate' },
  };
  for (const [what, code] of Object.entries(denials)) expect([what, of(what)]).toEqual([what, [code, code]]);
  expect(of('reducing')).toEqual(['state', null]);
});

test('without a price there is nothing to ask', () => {
  expect(probesOf({ ...CONTEXT, referencePrice: null })).toEqual([]);
});
