// Steps between the strategy and the costs; off unless set.
import { z } from 'zod';
import { above0, amount, between, whole } from './amount.ts';

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Day = (typeof DAYS)[number];

/** References are kept for ten minutes. */
export const MOST_REMEMBERED_MS = 600_000;

const clock = () =>
  z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .meta({ expects: 'a time of day such as 09:30' });

const sessions = z
  .strictObject({
    windows: z
      .array(
        z.strictObject({
          days: z.array(z.enum(DAYS)).min(1).describe('Days on which it opens.'),
          from: clock().describe('When it opens.'),
          to: clock().describe('When it closes; no later than it opens is the next day.'),
        }),
      )
      .min(1)
      .describe('Outside all of them nothing is quoted, and holdings stay.'),
    flattenMinutes: whole(0, 720, 'min')
      .default(0)
      .describe(
        'This long before it closes, only the side that brings the base to its target is quoted; 0 keeps holdings. ' +
          'It takes no liquidity, so a rest may stay.',
      ),
  })
  .describe('Quotes at certain times only, by `timeZone`.');

const priceBand = z
  .strictObject({
    floor: amount('positive', 'quote').optional().describe('At this reference price and below nothing is sold.'),
    ceiling: amount('positive', 'quote').optional().describe('At this reference price and above nothing is bought.'),
    bandBps: above0(9_999, 'bps')
      .optional()
      .describe('A moving band: this far around the reference price of the last full five minutes.'),
  })
  .refine(({ floor, ceiling }) => floor === undefined || ceiling === undefined || floor.lt(ceiling), {
    message: 'The floor must be below the ceiling.',
    path: ['floor'],
  })
  .refine(({ floor, ceiling, bandBps }) => (floor ?? ceiling ?? bandBps) !== undefined, {
    message: 'A band needs a floor, a ceiling or bandBps.',
  })
  .describe('Stops a side where the price has left a band.');

const width = z
  .strictObject({
    volatilityMultiplier: above0(100)
      .default(1)
      .describe('Each distance grows by this many standard deviations of the price over ten seconds.'),
  })
  .describe('Widens quotes by the estimated volatility of the price; not while that is unknown.');

const trend = z
  .strictObject({
    trendBps: above0(9_999, 'bps').describe(
      'A move this large within two minutes stops the side that it would run over.',
    ),
  })
  .describe('Buys nothing in a fall, and sells nothing in a rise.');

const externalGuard = z
  .strictObject({
    minimumEdgeBps: between(-9_999, 9_999, 'bps')
      .default(0)
      .describe('Least distance of a quote from the external price, in basis points of it.'),
    whenUnknown: z.enum(['stop', 'ignore']).default('stop').describe('While there is no external price.'),
  })
  .describe('Never better than the price of other exchanges (`reference`), and wider while that is in doubt.');

const hanging = z
  .strictObject({
    cancelBps: above0(9_999, 'bps').describe(
      'It stays until it is further from the reference price, or half an hour old.',
    ),
  })
  .describe(
    'An order whose twin (of the same level on the other side) has filled stays where it is, and its level places ' +
      'nothing on the side that filled meanwhile.',
  );

/** Spread into the quoting settings. Each is off if absent. */
export const featureSettings = {
  sessions: sessions.optional(),
  priceBand: priceBand.optional(),
  filledDelayMs: whole(0, 86_400_000, 'ms')
    .default(0)
    .describe('After an order has filled completely, no new one on its side for this time; 0 is off.'),
  pingPong: z
    .boolean()
    .default(false)
    .describe('The side with more completely filled orders leaves out that many of its innermost levels.'),
  hanging: hanging.optional(),
  trend: trend.optional(),
  optimizeDepth: amount('not negative', 'base')
    .optional()
    .describe(
      'Never more aggressive than one tick before the best level at which others have more than this much base, ' +
        'levels before it included. Absent: off.',
    ),
  width: width.optional(),
  inventoryCost: z
    .strictObject({
      minimumProfitBps: between(0, 9_999, 'bps').default(0).describe('Added to the cost of the base, in bps.'),
    })
    .optional()
    .describe('Never sells below the average cost of the base that own fills bought.'),
  externalGuard: externalGuard.optional(),
};
