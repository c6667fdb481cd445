// The paper exchange's section: its port, opening balances, simulated traders, limits.
import { z } from 'zod';
import { THIN_BOOK_FLOW } from '../../crowd/synthetic-settings.ts';
import { refusalsOf } from '../../paper/control/sentences.ts';
import { KEY_PERMISSIONS } from '../../paper/state/settings.ts';
import { quirkChangesSchema } from '../../paper/wire/quirks.ts';
import { above0, between, whole } from '../../quoting/amount.ts';
import { amountOrZero, asset, filled, port, symbol, tradingRules, word } from './fields.ts';

// Parts of the paper exchange's section that most configurations leave out: other accounts and keys, more symbols,
// engine behavior that the specification leaves open, limits, the control interface.

/** The control interface's default port. */
export const CONTROL_PORT_DEFAULT = 8789;

const perSecond = () => above0(1_000_000).optional();

const rateLimitsSchema = z
  .strictObject({
    public: perSecond().describe('Market data, per IP address; 0.4 is one request in 2.5 seconds.'),
    private: perSecond().describe('Orders and account, per API key.'),
  })
  .prefault({})
  .describe('Most requests per second that it answers; more get 429. Rates left out are those of the profile.');

const firstNumber = () =>
  z
    .string()
    .regex(/^[1-9]\d{0,29}$/)
    .transform(BigInt)
    .meta({ expects: 'a whole number ≥ 1, of any size' })
    .prefault('1');

/** The open questions Q9, Q10, Q11 and Q20: fixed for the life of an exchange. */
const engineSchema = z
  .strictObject({
    crossing: z
      .enum(['takes', 'rejected'])
      .default('takes')
      .describe('Whether an order that would cross takes liquidity, or is refused with 200 `{msg}`.'),
    selfTrade: z
      .enum(['allow', 'reject', 'cancel-resting'])
      .default('reject')
      .describe('What the engine does if an account would trade with itself.'),
    buyerFeeAsset: z
      .enum(['quote', 'base'])
      .default('quote')
      .describe('In which asset the buyer pays the fee; the seller pays in quote.'),
    firstOrderNumber: firstNumber().describe(
      'Number of the first order id and of the first trade id. Set it above 2^53 to try such ids.',
    ),
  })
  .prefault({})
  .describe('How its engine treats points that the specification leaves open. A change begins a new exchange.');

const controlSchema = z
  .strictObject({
    port: port().default(CONTROL_PORT_DEFAULT).describe('Its port on 127.0.0.1; it listens nowhere else.'),
  })
  .optional()
  .describe('The control interface, which changes everything while the exchange runs. Left out, there is none.');

const key = z.strictObject({
  file: filled().describe(
    'File with the lines `key: …` and `secret: …`, relative to the project root; created if missing.',
  ),
  permissions: z
    .array(z.enum(KEY_PERMISSIONS).meta({ expects: 'one of wallet, orders, trades, read' }))
    .default(['wallet', 'orders', 'trades'])
    .describe('Permissions of the key; all if left out. `read` covers every read, open orders included.'),
});

const account = z.strictObject({
  name: word(/^[a-z][a-z0-9-]{0,39}$/, 'a name such as carol: small letters, digits, hyphens').describe(
    'Its name in the truth and for the control interface.',
  ),
  openingBalances: z
    .record(asset(), amountOrZero().describe('An amount of the asset.'))
    .prefault({})
    .describe('Its holdings when the exchange is made.'),
  keys: z.array(key).default([]).describe('Its keys.'),
});

const accountsSchema = z
  .array(account)
  .default([])
  .describe("Accounts in addition to the bot's own, named owner: for programs that use the exchange as a sandbox.");

const moreInstrumentsSchema = z
  .array(
    z.strictObject({
      symbol: symbol().describe('BASE/QUOTE.'),
      ...tradingRules,
    }),
  )
  .default([])
  .describe('Symbols traded in addition to those of `runs`; without a market in `crowd` their books are empty.');

const flow = z
  .strictObject({
    halfSpreadBps: between(0, 5_000)
      .default(THIN_BOOK_FLOW.halfSpreadBps)
      .describe('Their limit orders stand at least this far from the latent price.'),
    limitOrdersPerSecond: between(0, 1_000)
      .default(THIN_BOOK_FLOW.limitOrdersPerSecond)
      .describe('Limit orders that arrive, both sides together.'),
    takersPerSecond: between(0, 1_000)
      .default(THIN_BOOK_FLOW.takersPerSecond)
      .describe('People who come to trade at once, both sides together.'),
    meanTakerNotional: z
      .number()
      .positive()
      .default(THIN_BOOK_FLOW.meanTakerNotional)
      .describe('Mean size of their orders, in the quote asset.'),
    toleranceBps: above0(5_000)
      .default(THIN_BOOK_FLOW.toleranceBps)
      .describe('How far from the latent price they still trade, on average.'),
    informedShareRatio: between(0, 1)
      .default(THIN_BOOK_FLOW.informedShareRatio)
      .describe('Share of them who know the price ahead of time; 0 makes an easy market.'),
    minimumLevels: whole(1, 1_000)
      .default(THIN_BOOK_FLOW.minimumLevels)
      .describe('Prices that they keep on each side at least.'),
  })
  .prefault({})
  .describe('How the others behave. The defaults make a book 2–3 % wide with some trades a minute.');

const walk = z.strictObject({
  symbol: symbol().describe('One of the symbols of `runs`, or another one for the crowd alone.'),
  startPrice: z.number().positive().describe('The latent price at the start, in quote per base.'),
  volatilityBpsPerSqrtSecond: between(0, 1_000)
    .default(2)
    .describe('How much the latent price moves: 2 basis points per square root of a second are 112 % a year.'),
  flow,
});

const synthetic = z.strictObject({
  kind: z.literal('synthetic'),
  markets: z.array(walk).min(1).describe('One per symbol.'),
});

const tapeFile = z.strictObject({
  symbol: symbol().describe('The symbol of `runs` that the recording stands for.'),
  trades: z
    .array(filled())
    .min(1)
    .describe('Files of trades in the column layout of Tardis, oldest first, relative to this file; .gz is unpacked.'),
  books: z.array(filled()).min(1).describe('Files of book snapshots of the same time, in the same way.'),
  recordedSymbol: filled()
    .optional()
    .describe(
      'The symbol as the files write it, ' +
        'where it is not the one above without its slash: another market stands in for it.',
    ),
});

const tape = z.strictObject({
  kind: z.literal('tape'),
  tapes: z.array(tapeFile).min(1).describe('Recordings, one per symbol, played on one time line.'),
  cancelAheadRatio: between(0, 1)
    .default(0.5)
    .describe(
      'If a level shrinks without a trade, this share of it leaves the queue ahead of our orders; if a level with ' +
        'our orders comes into view, this share of it stands behind them. 0 is the pessimistic bound, 1 the ' +
        'optimistic one.',
    ),
});

/** Names and values as in `--quirk` and the control interface; docs/paper-exchange.md lists them. */
const quirks = z.record(z.string(), z.unknown()).transform((given, context) => {
  const judged = quirkChangesSchema.safeParse(given);
  if (judged.success) return judged.data;
  for (const { field, sentence } of refusalsOf(judged.error.issues, given))
    context.issues.push({ code: 'custom', path: [field], message: sentence.slice(`${field}: `.length), input: given });
  return z.NEVER;
});

export const paperSchema = z
  .strictObject({
    host: filled().default('127.0.0.1').describe('Interface that the paper exchange listens on.'),
    port: port().default(8788).describe('Port of the paper exchange.'),
    seed: z
      .union([z.int().min(0), filled()])
      .default(1)
      .describe('One seed gives one market.'),
    profile: z
      .enum(['spec', 'field'])
      .default('spec')
      .describe('Whether it answers as specified, or with the deviations that were seen of a live service.'),
    openingBalances: z
      .record(asset(), amountOrZero().describe('An amount of the asset.'))
      .describe('Holdings of the account when the exchange is made; later changes need a new state folder.'),
    crowd: z.discriminatedUnion('kind', [synthetic, tape]).describe('The others in the market: made up, or recorded.'),
    rateLimits: rateLimitsSchema,
    quirks: quirks
      .prefault({})
      .describe(
        'Single choices of the profile, replaced by name, such as `codeAs: string`. docs/paper-exchange.md lists ' +
          'them. Set one to try how your program takes it.',
      ),
    engine: engineSchema,
    instruments: moreInstrumentsSchema,
    accounts: accountsSchema,
    control: controlSchema,
  })
  .describe(
    'The paper exchange, which runs on this machine. Set it to try your own program, or other markets and traders.',
  );

export type PaperSection = z.output<typeof paperSchema>;
