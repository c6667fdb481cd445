// The hard limits of one symbol. What guards against a mistyped amount has no default: it must be written out.
import { z } from 'zod';
import { amount } from './amount.ts';

const bps = () => z.number().positive().max(10_000);

/** Own open orders of one symbol stay readable on one page of the open-orders list (order-truth §4). */
export const MOST_OPEN_ORDERS_PER_SYMBOL = 10;

export const limitsSchema = z.object({
  maxOrderQuantity: amount('positive').describe('Largest quantity of one order, in base.'),
  maxOrderNotional: amount('positive').describe('Largest price × quantity of one order, in quote.'),
  maxOrderNotionalOverAll: amount('positive')
    .optional()
    .describe('Largest notional of one order of any symbol, in quote. Unset: maxOrderNotional alone.'),
  collarBps: bps()
    .default(500)
    .describe('Furthest that a price may be from the reference price, in basis points of it.'),
  collarWindowBps: bps()
    .default(1_000)
    .describe('Furthest that a price may be from the reference price of some minutes ago, in basis points of it.'),
  referenceJumpBps: bps()
    .default(1_000)
    .describe('Furthest that the reference price may be from the last good one, in basis points of that.'),
  bookMaxAgeMs: z.number().int().positive().default(10_000).describe('No order is sent on an older book, in ms.'),
  maxInventoryBase: amount('positive').describe('Most base that may be held when every bid fills, in base.'),
  minInventoryBase: amount('not negative')
    .prefault('0')
    .describe('Least base that must be held when every ask fills, in base.'),
  maxOpenNotional: amount('positive').describe(
    'Price × remaining quantity of all open orders of the symbol, in quote.',
  ),
  maxOpenOrders: z
    .number()
    .int()
    .min(1)
    .max(MOST_OPEN_ORDERS_PER_SYMBOL)
    .default(MOST_OPEN_ORDERS_PER_SYMBOL)
    .describe('Most open orders of the symbol.'),
  maxOpenNotionalOverAll: amount('positive')
    .optional()
    .describe('The same over all symbols, in quote. Unset: as for this symbol alone.'),
  maxOpenOrdersOverAll: z.number().int().min(1).max(1_000).default(40).describe('Most open orders over all symbols.'),
  reserveQuote: amount('not negative').prefault('0').describe('Free quote that no order may use.'),
  reserveBase: amount('not negative').prefault('0').describe('Free base that no order may use.'),
});

export type Limits = z.output<typeof limitsSchema>;
