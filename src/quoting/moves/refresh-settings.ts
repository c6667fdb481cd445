// When an order is kept, moved or renewed: the `refresh` part of a run.
import { z } from 'zod';
import { between } from '../amount.ts';

export const diffSettingsSchema = z.object({
  priceToleranceBps: between(0, 10_000, 'bps')
    .default(5)
    .describe(
      'An order that is nearer to the market than wanted stays while it is this near to the wanted price, in basis ' +
        'points of its own; one farther away stays within twice that. Never less than the reference price moves ' +
        'while a move is on its way.',
    ),
  refreshMs: z
    .number()
    .int()
    .min(0)
    .meta({ unit: 'ms' })
    .default(10_000)
    .describe('A younger order is not replaced, in ms.'),
  maxOrderAgeMs: z
    .number()
    .int()
    .positive()
    .meta({ unit: 'ms' })
    .default(1_800_000)
    .describe('An older order is canceled and renewed even if nothing changed, in ms.'),
  minHalfSpreadBps: z
    .number()
    .meta({ unit: 'bps' })
    .optional()
    .describe(
      'An order nearer to the reference price is canceled at once, in basis points of it. Negative allows past it.',
    ),
});
export type DiffSettings = z.output<typeof diffSettingsSchema>;
