// The sections of a configuration that belong to the program: keys, how often to ask, what is assumed, when to report.
// The defaults are the cautious ones: those of an exchange of which nothing is known.
import cron from 'node-cron';
import { z } from 'zod';
import type { Decimal } from '../../domain/decimal.ts';
import { RECV_WINDOW_MAX_MS } from '../../venue/endpoints.ts';
import {
  amountOrZero,
  asset,
  durationMs,
  exactRatio,
  httpsOrigin,
  port,
  symbol,
  timeZone,
  variableName,
} from './fields.ts';

export const keysSchema = z
  .union([
    z.strictObject({
      environment: z
        .strictObject({
          key: variableName().describe('Name of the variable that holds the API key.'),
          secret: variableName().describe('Name of the variable that holds the API secret.'),
        })
        .describe('Names of environment variables, not the values.'),
    }),
    z.strictObject({
      file: z
        .string()
        .min(1)
        .describe('A file of two lines, `key: …` and `secret: …`, that belongs to you and has mode 0600.'),
    }),
  ])
  .describe('Where the API key comes from; nothing of it stands in this file. Not needed in paper mode.');

const laneSchema = (requestsPerSecond: number, maxInFlight: number) =>
  z
    .strictObject({
      requestsPerSecond: z
        .number()
        .positive()
        .max(1_000)
        .default(requestsPerSecond)
        .describe('Most requests per second; 0.4 is one in 2.5 seconds. It is kept until the exchange answers 429.'),
      burst: z
        .int()
        .min(1)
        .max(100)
        .default(1)
        .describe('Requests that may follow each other at once after a quiet time.'),
      maxInFlight: z
        .int()
        .min(1)
        .max(64)
        .default(maxInFlight)
        .describe(
          'Most requests that wait for an answer at once; one that has waited for five seconds counts no more.',
        ),
    })
    .prefault({});

export const lanesSchema = z
  .strictObject({
    public: laneSchema(0.4, 1).describe('Market data, which the exchange counts per IP address.'),
    private: laneSchema(0.4, 1).describe('Orders and account, which the exchange counts per API key.'),
    readShareRatio: z
      .number()
      .min(0.05)
      .max(0.95)
      .default(0.7)
      .describe('Most of a lane that periodic reads may take; the rest is kept for orders and cancels.'),
  })
  .prefault({})
  .describe('How fast requests may leave.');

export const pollingSchema = z
  .strictObject({
    bookMs: durationMs(50).default(5_000).describe('How old a book may get before it is read again, per symbol.'),
    publicTradesMs: durationMs(500)
      .default(15_000)
      .describe('How old public trades may get before they are read again, per symbol whose strategy needs them.'),
    openOrdersMs: durationMs(50).default(15_000).describe('The same for the list of own open orders.'),
    tradesMs: durationMs(50).default(15_000).describe('The same for own trades, per symbol.'),
    walletMs: durationMs(50).default(30_000).describe('The same for the balances.'),
    tradesRescanMs: durationMs(0)
      .default(600_000)
      .describe('How often the 15 minutes before the last own trade known are read again for late rows; 0 is never.'),
    probeMs: durationMs(50).default(5_000).describe('Pause between two looks for an order whose fate is unknown.'),
  })
  .prefault({})
  .describe('How often to look when nothing asks for it sooner.');

export const ageLimitsSchema = z
  .strictObject({
    bookMs: durationMs(50).default(20_000).describe('Without a younger book nothing is quoted.'),
    frozenBookMs: durationMs(1_000)
      .default(40_000)
      .describe(
        'A book that has not changed for so long, while it lacks orders of ours that have been open for as long, ' +
          'is frozen: quotes are pulled until it changes, and tried again after ten minutes. How far lists may ' +
          'trail (assumptions.readLagBoundMs) is added.',
      ),
    publicTradesMs: durationMs(500)
      .optional()
      .describe(
        'Where referenceSource is lastTrade, nothing is quoted without a younger page of public trades; eight times ' +
          'polling.publicTradesMs where it is left out.',
      ),
    openOrdersMs: durationMs(50).default(60_000).describe('Without a younger list of open orders nothing is quoted.'),
    reconciledMs: durationMs(50)
      .default(300_000)
      .describe('Nothing is quoted when wallet and ledger were last equal longer ago than this.'),
  })
  .prefault({})
  .describe('Older than this, what is known decides nothing: quotes are pulled, and the reason is shown.');

export const accountSchema = z
  .strictObject({
    foreignOrders: z
      .enum(['ignore', 'refuse'])
      .default('ignore')
      .describe(
        "Orders on the account that are not the bot's. `ignore`: they are the owner's and left alone. `refuse`: " +
          "the account is the bot's alone; such an order halts trading, everything in a symbol may be canceled at " +
          'once, and `cancel-all` and the watchdog cancel every open order, whoever placed it.',
      ),
    cashRunwayDays: z
      .number()
      .min(0)
      .max(3_650)
      .default(7)
      .describe(
        'Warns where the tax withheld on sales would take all cash in fewer days, at the turnover of the last hour; ' +
          '0 is never.',
      ),
  })
  .prefault({})
  .describe('Whose the account is.');

export const assumptionsSchema = z
  .strictObject({
    recvWindowMs: durationMs(100, RECV_WINDOW_MAX_MS)
      .default(2_500)
      .describe('How long the exchange may accept a signed request. Short: what may arrive late is an unknown order.'),
    venueInternalLagMs: durationMs(0).default(10_000).describe("Longest way from the exchange's gate to its book."),
    readLagBoundMs: durationMs(0)
      .default(120_000)
      .describe(
        'How far a list (orders, trades, balances) may trail what was asked for, the time counted that a cancel ' +
          'takes. Lower it only when you measured it, as docs/operations.md says.',
      ),
    resolutionDeadlineMs: durationMs(1_000)
      .default(300_000)
      .describe(
        'An order that is unknown for longer than this after the bounds have passed halts its symbol; where the ' +
          'exchange has slowed the bot down, for longer than 24 requests take. At least twice `readLagBoundMs`.',
      ),
    lockedIncludesStakingAndOtc: z
      .boolean()
      .default(true)
      .describe("Whether the wallet's `locked` already holds `lockedStaking` and `lockedOtc`."),
    maxClockUncertaintyMs: durationMs(10)
      .default(1_500)
      .describe("Nothing is created while the exchange's clock is known less exactly than this."),
    closingExposure: z
      .array(
        z.strictObject({
          afterMs: durationMs(0).describe('Time since the order was first missed in the list.'),
          ratio: z.number().min(0).max(1).describe('Share of its remainder that counts from then on.'),
        }),
      )
      .min(1)
      .refine(
        (steps) =>
          steps.every(({ afterMs, ratio }, index) => {
            const before = steps[index - 1];
            return before === undefined ? afterMs === 0 : afterMs > before.afterMs && ratio <= before.ratio;
          }),
        'The first step is at 0 ms, later ones come later and count no more than the one before.',
      )
      .default([
        { afterMs: 0, ratio: 1 },
        { afterMs: 240_000, ratio: 0.5 },
        { afterMs: 600_000, ratio: 0.25 },
      ])
      .describe('How much of an order that left the list counts as exposure while its fills are not proved, by time.'),
    tradesPageRows: z.int().min(2).max(50).default(50).describe('Rows of a full page of own trades.'),
  })
  .prefault({})
  .describe('What the exchange does not publish and the program must take for true.');

export const rejectsSchema = z
  .strictObject({
    maxConsecutive: z
      .int()
      .min(1)
      .max(100)
      .default(3)
      .describe(
        'After so many refusals of one kind a symbol rests; 429 is not counted, nor what does not leave this machine.',
      ),
    pauseMs: durationMs(1_000).default(300_000).describe('How long it rests.'),
  })
  .prefault({})
  .describe('What happens when the exchange keeps refusing orders.');

const calendar = (expression: string) =>
  z.strictObject({
    cron: z
      .string()
      .refine((text) => cron.validate(text), {
        error: (issue) => `${JSON.stringify(issue.input)} is not a cron expression such as "0 0 * * *".`,
      })
      .default(expression)
      .describe('Minute, hour, day of month, month, day of week.'),
    timeZone: timeZone().default('Asia/Kolkata').describe('Time zone of the cron expression.'),
  });

export const reconcileSchema = calendar('*/10 * * * *')
  .prefault({})
  .describe('When wallet and ledger are compared on a schedule, beside the comparisons of every cycle.');

export const dailySummarySchema = calendar('0 0 * * *')
  .prefault({})
  .describe(
    'When a day ends and its summary is written: quotes, profit, ' +
      'the wallet, and the time in the market since the last one.',
  );

const coinOf = (name: string): string => name.split('/')[0] ?? '';

export const statementSchema = z
  .strictObject({
    yearBegins: z
      .string()
      .regex(/^(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/)
      .meta({ expects: 'a month and a day such as 04-01, the day from 01 to 28' })
      .default('04-01')
      .describe('Month and day on which a financial year begins; with 01-01 years are those of the calendar.'),
    timeZone: timeZone().default('Asia/Kolkata').describe('Time zone of its days, and of dates in exports.'),
    costs: z
      .record(symbol(), amountOrZero())
      .refine((costs) => new Set(Object.keys(costs).map(coinOf)).size === Object.keys(costs).length, {
        message: 'One cost for each coin: two of these symbols have the same.',
      })
      .default({})
      .describe(
        'By symbol: what a unit of its coin cost that came without a price (the opening balance, deposits), in ' +
          'quote. Left out, that cost is not known, and what it is sold with is shown apart.',
      ),
  })
  .prefault({})
  .describe('What `statement`, `export` and `report` go by.');

export const webSchema = z
  .strictObject({
    host: z
      .string()
      .min(1)
      .default('127.0.0.1')
      .describe(
        'Interface that the page listens on. Another one than this machine itself wants `origin`, and `tls` or ' +
          '`behindProxy`; then everything but the sign-in wants a session.',
      ),
    port: port().default(8787).describe('Port of the page and of the metrics.'),
    origin: httpsOrigin()
      .optional()
      .describe('What a browser calls the page, where that is no name of this machine: https://bot.example.com.'),
    tls: z
      .strictObject({
        certificate: z.string().min(1).describe('A file with the certificate and those that it rests on, as PEM.'),
        key: z.string().min(1).describe('A file with its key, as PEM.'),
      })
      .optional()
      .describe('Files for HTTPS, relative to the project root. Renewed ones are taken within the hour.'),
    behindProxy: z
      .boolean()
      .default(false)
      .describe('Whether browsers reach the page through a proxy that speaks HTTPS to them, under `origin`.'),
  })
  .prefault({})
  .describe('The page, and `/metrics` for Prometheus.');

export const logSchema = z
  .strictObject({
    level: z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
      .default('info')
      .describe('Events below this level are dropped.'),
    file: z.string().min(1).optional().describe('A file that gets JSON lines as well, relative to the project root.'),
  })
  .prefault({})
  .describe('The log goes to standard output: readable on a terminal, JSON lines in a pipe.');

const feeFields = {
  makerFeeRatio: exactRatio().describe(
    'Fee of an order that waited in the book, as a ratio of the notional, tax on it excluded.',
  ),
  takerFeeRatio: exactRatio().describe('The same of an order that took liquidity.'),
  feeTaxRatio: exactRatio().prefault('0').describe('Tax on the fee itself as a ratio of it: 0.18 for GST of 18 %.'),
  tdsRatio: exactRatio().prefault('0').describe('Tax withheld from the proceeds of each sale: 0.01 for 1 %.'),
};

export const costsSchema = z
  .strictObject({
    ...feeFields,
    taxTreatment: z
      .enum(['cost', 'credit', 'ignore'])
      .default('cost')
      .describe('How withheld tax counts: lost, a credit that comes back later (its cost is the wait), or not at all.'),
    recoverableShareRatio: exactRatio().prefault('1').describe('Credit only: the share of the tax that comes back.'),
    capitalCostRatioPerYear: exactRatio().prefault('0.1').describe('Credit only: what money costs per year.'),
    yearsUntilRecovered: z
      .number()
      .min(0)
      .max(10)
      .default(0.75)
      .describe('Credit only: years until it comes back, on average.'),
  })
  .describe('What an order costs you. The floor under every spread comes from it.');

export const paperFeesSchema = z
  .strictObject(feeFields)
  .optional()
  .describe('What the paper exchange charges. Left out, it is what `costs` say.');

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
