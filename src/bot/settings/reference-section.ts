// The reference price's section: the sources on other exchanges, their conversions, and guards.
import { z } from 'zod';
import { between, whole } from '../../quoting/amount.ts';
import { address, durationMs, positiveAmount, symbol, word } from './fields.ts';

const exchangeId = () => word(/^[a-z0-9]{1,40}$/, 'the name of an exchange as ccxt writes it, such as binance');

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
  }),
  z.strictObject({
    kind: z.literal('market'),
    symbol: symbol().describe('A symbol of `runs`: the middle of its book, without own orders.'),
  }),
  z.strictObject({
    kind: z.literal('fixed'),
    symbol: symbol().describe('Symbol of the price.'),
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

const bps = () => between(0, 10_000);

const guardsSchema = z
  .strictObject({
    minimumSources: whole(1, 20).default(1).describe('With fewer fresh sources there is no price.'),
    stopBeyondBps: bps()
      .default(100)
      .describe(
        'Sources farther apart than this give no price; from a fifth of it on, quotes get wider by the excess.',
      ),
  })
  .prefault({})
  .describe('When sources are too few or too far apart. Distances in basis points of the median.');

export const referenceSchema = z
  .strictObject({
    pollMs: durationMs(200, 600_000)
      .default(2_000)
      .describe(
        'How often each price is asked for. A source not read for three times as long makes quotes wider, one ' +
          'not read for ten times as long is left out.',
      ),
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
    'The price on other exchanges, for `referenceSource: external`, the guards that go by it, and strategies that ' +
      'ask for it. Set it where they lead this market; docs/strategies.md has an example, and says how the package ' +
      'ccxt is installed.',
  );

export type ReferenceSection = z.output<typeof referenceSchema>;
