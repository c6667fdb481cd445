// Settings between a strategy's quotes and the orders. Every default is the cautious one.
import { z } from 'zod';
import { above0, amount, between, whole } from './amount.ts';
import { featureSettings } from './feature-settings.ts';

const costFloor = z
  .object({
    enabled: z.boolean().default(true).describe('Never quote a round trip that loses money to fees and tax.'),
    minimumProfitBps: between(0, 5_000, 'bps')
      .default(0)
      .describe('Added to the break-even half-spread on each side, in basis points of the reservation price.'),
  })
  .prefault({});

const inventory = z
  .object({
    targetRatio: between(0, 1)
      .default(0.5)
      .describe('Share of all holdings, valued in quote, that should be held in base.'),
    maxBaseRatio: between(0, 1)
      .default(1)
      .describe('Bids stop where filling them would hold a larger share of all holdings in base.'),
  })
  .prefault({});

const inventorySkew = z
  .strictObject({
    multiplier: above0(1_000)
      .default(1)
      .describe('Deviation at which the skew is complete, in multiples of the size of all orders together.'),
  })
  .describe(
    'Enlarges the side that brings inventory back to its target and shrinks the other, between 0 and 2 times; no ' +
      'order is made larger than `limits.maxOrderQuantity` and `limits.maxOrderNotional`. Left out: off.',
  );

const guard = z
  .object({
    guardTicks: whole(1, 1_000)
      .default(1)
      .describe('Least distance of a quote from the best price of others on the opposite side, in tick sizes.'),
    expectedDelayMs: z
      .number()
      .int()
      .min(0)
      .meta({ unit: 'ms' })
      .default(500)
      .describe('Time until a create reaches the book, in ms; the margin grows with it.'),
    volatilityBpsPerSqrtSecond: between(0, 10_000, 'bps/√s')
      .default(0)
      .describe(
        'How far the price is taken to go: one standard deviation, in basis points per square root of a second.',
      ),
  })
  .prefault({});

const budget = z
  .object({
    maxQuote: amount('not negative', 'quote')
      .optional()
      .describe('Most quote that all bids together may lock, fee included, while levels move as well.'),
    maxBase: amount('not negative', 'base').optional().describe('The same in base for all asks.'),
  })
  .prefault({});

/** Shape, defaults and descriptions; `{}` gives all defaults. Amounts are decimal text. */
export const quotingSettingsSchema = z.object({
  costFloor: costFloor.describe('The floor that fees and tax put under every spread.'),
  inventory: inventory.describe('How much base to hold, and the bounds at which a side stops.'),
  inventorySkew: inventorySkew.optional(),
  guard: guard.describe('Keeps quotes from taking liquidity, as the venue has no post-only orders.'),
  budget: budget.describe('How much of the funds orders may use.'),
  ...featureSettings,
});

export type QuotingSettings = z.output<typeof quotingSettingsSchema> & {
  /** Zone of the days and times in `sessions`; a change to summer time moves them along. */
  readonly timeZone: string;
};
