// The account as one inventory, as a person writes it.
import { z } from 'zod';
import type { Decimal } from '../../domain/decimal.ts';
import { amountOrZero, asset, exactRatio } from './fields.ts';

export const portfolioSchema = z
  .strictObject({
    quote: asset().default('INR').describe('What everything is valued in: the portfolio holds runs quoted in it.'),
    shares: z
      .record(asset(), exactRatio())
      .describe('By coin: the share of all holdings, by value, that should be held in it. The rest stays in quote.'),
    correlation: exactRatio()
      .prefault('0.8')
      .describe('How far coins are taken to move together: 1 as one, 0 not at all.'),
    maxExposure: amountOrZero()
      .optional()
      .transform((value): Decimal | null => value ?? null)
      .describe(
        'By how much the value of what is held may exceed the shares with all bids filled, those of symbols in other ' +
          'quotes, too; in quote.',
      ),
  })
  .describe(
    'The account as one inventory. A coin with a share is held to it instead of to `quoting.inventory.targetRatio`; ' +
      'what is held too much of one coin lowers the targets of the others by the correlation, and all prices and ' +
      'sizes that lean with inventory follow.',
  );
