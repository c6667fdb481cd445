// When an order is kept, moved or renewed: the `refresh` part of a run.
import { z } from 'zod';
import { inside } from '../amount.ts';

export const diffSettingsSchema = z.object({
  priceToleranceBps: z
    .number()
    .min(0)
    .max(10_000)
    .default(5)
    .describe(
      'An order that is nearer to the market than wanted stays while it is this near to the wanted price, in basis ' +
        'points of its own. Never less than the reference price moves while a move is on its way.',
    ),
  /** The same for an order that is farther from the market than wanted. Twice as much where it is left out. */
  priceToleranceAwayBps: inside(z.number().min(0).max(10_000).optional()),
  sizeToleranceRatio: z
    .number()
    .min(0)
    .max(1)
    .default(0.1)
    .describe('An order stays while what remains of it is more than wanted by no more than this share of it.'),
  /** An order filled in part keeps its place in the queue while it lacks no more than this share of the wanted size. */
  sizeToleranceShortRatio: inside(z.number().min(0).max(1).default(0.5)),
  refreshMs: z.number().int().min(0).default(10_000).describe('A younger order is not replaced, in ms.'),
  maxOrderAgeMs: z
    .number()
    .int()
    .positive()
    .default(1_800_000)
    .describe('An older order is canceled and renewed even where nothing changed, in ms.'),
  /**
   * An order that is to move and is nearer to the reference price than this share of the wanted distance is canceled
   * before its successor is placed. One that is farther stays until that is on the book.
   */
  cancelFirstRatio: inside(z.number().min(0).max(1).default(0.9)),
  whileUnknown: z
    .enum(['freeze', 'replace'])
    .default('replace')
    .describe(
      'A level whose create has no answer. `replace`: once a look at orders and trades has not found it, an order of ' +
        'another price and size stands in, where money and limits allow both. `freeze`: the level waits for the proof.',
    ),
  minHalfSpreadBps: z
    .number()
    .optional()
    .describe(
      'An order nearer to the reference price is canceled at once, in basis points of it. Negative allows past it.',
    ),
});
export type DiffSettings = z.output<typeof diffSettingsSchema>;
