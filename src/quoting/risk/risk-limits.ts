// The hard limits of one symbol. Limits that guard against a mistyped amount have no default: they must be written out.
import { z } from 'zod';
import { above0, amount, whole } from '../amount.ts';

/** Keeps own open orders of one symbol on one page of the open-orders list (order-truth §4). */
const MOST_OPEN_ORDERS_PER_SYMBOL = 10;

/** The window in which the excess of one side's fills locks that side, and how long the lock lasts. */
export const ONE_SIDED_MS = 300_000;
/** The window in which it halts the symbol, once it is worth `ONE_SIDED_LOCKS` times as much. */
export const LONGEST_FILLS_WINDOW_MS = 3_600_000;
export const ONE_SIDED_LOCKS = 3;
/** Most fills of both sides remembered with their value. */
export const MOST_FILL_PARTS = 2_000;

export const limitsSchema = z.object({
  maxOrderQuantity: amount('positive', 'base').describe('Largest quantity of one order, in base.'),
  maxOrderNotional: amount('positive', 'quote').describe('Largest price × quantity of one order, in quote.'),
  collarBps: above0(10_000, 'bps')
    .default(500)
    .describe('Largest distance of a price from the reference price, in basis points of it.'),
  maxInventoryBase: amount('positive', 'base').describe(
    'Most base that may be held when every bid fills, in base. Of several symbols that trade it the tightest holds.',
  ),
  minInventoryBase: amount('not negative', 'base')
    .prefault('0')
    .describe(
      'Least base that must be held when every ask fills, in base. Of several symbols that trade it the tightest ' +
        'holds.',
    ),
  maxOpenNotional: amount('positive', 'quote').describe(
    'Price × remaining quantity of all open orders of the symbol, in quote.',
  ),
  maxOpenOrders: whole(1, MOST_OPEN_ORDERS_PER_SYMBOL)
    .default(MOST_OPEN_ORDERS_PER_SYMBOL)
    .describe('Most open orders of the symbol.'),
  maxOpenNotionalOverAll: amount('positive', 'quote')
    .optional()
    .describe('The same over all symbols with the same quote asset. Unset: no more than each may have.'),
  reserveQuote: amount('not negative', 'quote')
    .prefault('0')
    .describe('Free quote that no order of any symbol may use.'),
  reserveBase: amount('not negative', 'base').prefault('0').describe('Free base that no order of any symbol may use.'),
  repeatedFills: above0(1_000_000)
    .default(10)
    .describe(
      'So many times maxOrderNotional that one side fills more than the other within five minutes lock that side for ' +
        'five minutes; three times as much within an hour halts the symbol until a person resumes it.',
    ),
  maxSessionLoss: amount('positive', 'quote')
    .optional()
    .describe(
      'A loss of so much since the session began, in quote, ' +
        'halts the symbol until a person resumes it. Unset: no limit.',
    ),
  maxDayLoss: amount('positive', 'quote').optional().describe('The same since midnight UTC. Unset: no limit.'),
  maxDrawdown: amount('positive', 'quote')
    .optional()
    .describe('The same below the highest profit so far. Unset: no limit.'),
  unwind: z
    .strictObject({
      takeAfterSeconds: whole(0, 86_400, 's')
        .default(300)
        .describe(
          'So long its order rests, a tick ahead of the best price. Then it takes from the book, up to ' +
            'collarBps from the reference price.',
        ),
    })
    .optional()
    .describe(
      'At a loss limit, limit orders of one side take the base back toward its target during the halt: by what own ' +
        'fills bought or sold on balance at most, and within all other limits. Left out: what is held stays.',
    ),
});

/** Limits that are not configured: they follow from others, or are the same for every symbol. */
export interface Bounds {
  /**
   * Largest allowed distance of the reference price from the last good one, and of a price from the reference price
   * some minutes ago, in basis points.
   */
  readonly jumpBps: number;
  /**
   * Most canceled orders of one level and side, not yet proved closed, with which a new one may still be placed. They
   * count as open in every limit. 0: a level waits for the proof.
   */
  readonly maxLeavingPerSlot: number;
  /** The same over all levels of the symbol. */
  readonly maxLeaving: number;
  /** Most open orders over all symbols. */
  readonly maxOpenOrdersOverAll: number;
}

type WrittenLimits = z.output<typeof limitsSchema>;
export type Limits = WrittenLimits & Bounds;

/** No tighter: calm markets move this far within minutes. */
const LEAST_JUMP_BPS = 500;

/**
 * `bounds`: overrides of the usual ones. A price may be twice as far from the one some minutes ago as from the present
 * one.
 */
export const limitsOf = (written: WrittenLimits, bounds: Partial<Bounds> = {}): Limits => ({
  jumpBps: Math.min(10_000, Math.max(LEAST_JUMP_BPS, 2 * written.collarBps)),
  maxLeavingPerSlot: 3,
  maxLeaving: 6,
  maxOpenOrdersOverAll: 40,
  ...bounds,
  ...written,
});

/** For the whole account: creates and cancels count together, over all symbols. */
export const messageRateSchema = z
  .strictObject({
    maxPerMinute: whole(1, 60_000).default(300).describe('Most creates and cancels within a minute.'),
    maxPerDay: whole(1, 10_000_000)
      .default(100_000)
      .describe('The same in a UTC day. When it is reached every symbol halts until a person resumes it.'),
  })
  .prefault({})
  .describe('How often the bot may create and cancel, even if the exchange would accept more.');

export interface MessageRateLimits extends z.output<typeof messageRateSchema> {
  /** Most creates and cancels within a second. */
  readonly maxPerSecond: number;
}
