// The section about the price that other exchanges make: what is read there, how it is converted, how far it is
// trusted.
import { z } from 'zod';
import { address, durationMs, positiveAmount, symbol } from './fields.ts';

const exchangeId = () =>
  z
    .string()
    .regex(/^[a-z0-9]{1,40}$/)
    .meta({ expects: 'the name of an exchange as ccxt writes it, such as binance' });

const read = () =>
  z
    .enum(['ticker', 'book'])
    .default('ticker')
    .describe('`ticker`: the middle of bid and ask. `book`: the best prices, each weighted by the size at the other.');

const rate = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('exchange'),
    exchange: exchangeId().describe('Where the rate is read.'),
    symbol: symbol().describe('Both assets of the conversion, in either order.'),
    read: read(),
  }),
  z.strictObject({
    kind: z.literal('market'),
    symbol: symbol().describe('A symbol of `runs`: the middle of its book, without own orders.'),
  }),
  z.strictObject({
    kind: z.literal('fixed'),
    symbol: symbol().describe('What the price is of.'),
    price: positiveAmount().describe('In quote per base of that symbol.'),
  }),
]);

const source = z.strictObject({
  exchange: exchangeId().describe('The exchange as ccxt names it: binance, kraken, okx …'),
  symbol: symbol().describe('Its symbol, of the same base.'),
  read: read(),
  rates: z
    .array(rate)
    .max(4)
    .default([])
    .describe('From its quote asset to that of our symbol, step by step; none where they are the same.'),
});

const bps = () => z.number().min(0).max(10_000);

const guardsSchema = z
  .strictObject({
    minimumSources: z.int().min(1).max(20).default(1).describe('With fewer fresh sources there is no price.'),
    widenAfterMs: durationMs(0)
      .default(6_000)
      .describe('From this age of the oldest source in the price on, quotes get wider.'),
    widenBpsPerSecond: bps().default(1).describe('By so much for each second that begins after that.'),
    staleMs: durationMs(1_000).default(20_000).describe('A source that is older is left out.'),
    widenBeyondBps: bps()
      .default(20)
      .describe('What the two farthest sources are farther apart than this makes quotes wider.'),
    widenFactor: z.number().min(0).max(10).default(1).describe('By so many times the excess.'),
    stopBeyondBps: bps().default(100).describe('Farther apart than this there is no price.'),
  })
  .prefault({})
  .describe('When sources are too old or too far apart. Distances in basis points of the median.');

export const referenceSchema = z
  .strictObject({
    packageFolder: z
      .string()
      .min(1)
      .optional()
      .describe(
        'The folder whose node_modules holds the package ccxt, relative to the project root. Left out: that of the ' +
          'program. `npm ci` does not bring it; docs/strategies.md says how it is installed.',
      ),
    pollMs: durationMs(200, 600_000)
      .default(2_000)
      .describe('How often each price is asked for; later where it fails.'),
    timeoutMs: durationMs(100, 60_000).default(5_000).describe('Longest wait for an answer.'),
    requestsPerSecond: z
      .number()
      .positive()
      .max(20)
      .default(2)
      .describe('Of each exchange, one at a time, beside the limits that ccxt knows of it.'),
    baseUrls: z
      .record(z.string(), address())
      .default({})
      .describe('Other addresses of exchanges, by their names: of a mirror, or of a server for tests.'),
    symbols: z
      .array(
        z.strictObject({
          symbol: symbol().describe('A symbol of `runs`.'),
          sources: z
            .array(source)
            .min(1)
            .max(20)
            .describe('Where its price is made. The median of the fresh ones counts.'),
          guards: guardsSchema,
        }),
      )
      .min(1)
      .describe('Symbols whose price is made elsewhere.'),
  })
  .describe(
    'The price that other exchanges make, for `referenceSource: external`, the guards that go by it, and strategies ' +
      'that ask for it. Left out: nothing is asked anywhere.',
  );

export type ReferenceSection = z.output<typeof referenceSchema>;
