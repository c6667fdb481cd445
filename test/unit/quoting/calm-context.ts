// A market and an account in which nothing is denied.
import { decimal, ZERO } from '../../../src/domain/decimal.ts';
import type { RiskContext } from '../../../src/quoting/risk/risk-context.ts';
import { type Limits, limitsOf, limitsSchema } from '../../../src/quoting/risk/risk-limits.ts';
import { book, holding, instrument, NOW } from './market.ts';

export const limits: Limits = limitsOf(
  limitsSchema.parse({
    maxOrderQuantity: '2',
    maxOrderNotional: '150',
    maxInventoryBase: '15',
    minInventoryBase: '5',
    maxOpenNotional: '300',
  }),
);

export const calm: RiskContext = {
  now: NOW,
  isRunning: true,
  killLatched: false,
  halt: null,
  unwinding: null,
  configuredSymbols: ['BTC/INR'],
  limits,
  instrument,
  book: book(['99.9 x 1'], ['100.1 x 1']),
  bookMaxAgeMs: 10_000,
  bookSentAt: NOW - 1_000,
  referencePrice: decimal('100'),
  lastGoodReference: decimal('100'),
  recentReference: decimal('100'),
  orders: [],
  foreignOpenOrders: 0,
  baseInOtherMarkets: { more: decimal('0'), less: decimal('0') },
  quoteAsBase: null,
  budget: {},
  inventoryRange: { most: null, least: ZERO },
  totals: { openNotional: ZERO, openOrders: 0 },
  base: holding('BTC', '10'),
  quote: holding('INR', '1000'),
  costs: { makerFeeRatio: ZERO, takerFeeRatio: decimal('0.01'), tdsRatio: ZERO, effectiveTaxRatio: ZERO },
  messages: { inSecond: 0, inMinute: 0, today: 0 },
  messageLimits: { maxPerSecond: 5, maxPerMinute: 50, maxPerDay: 500 },
};
