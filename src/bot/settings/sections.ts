// Sections of the configuration about the program itself: keys, pace, assumptions, reports. The defaults are cautious:
// those for an exchange about which nothing is known.
import { z } from 'zod';
import { TIMED_KINDS } from '../../client/times/answer-times.ts';
import type { Decimal } from '../../domain/decimal.ts';
import { above0, whole } from '../../quoting/amount.ts';
import { DIALECT } from '../../venue/dialect.ts';
import { RECV_WINDOW_MAX_MS } from '../../venue/endpoints.ts';
import {
  address,
  amountOrZero,
  asset,
  durationMs,
  exactRatio,
  filled,
  monthDay,
  pageOrigin,
  port,
  positiveAmount,
  secret,
  symbol,
  variableName,
  word,
} from './fields.ts';

export const keysSchema = z
  .union([
    z.strictObject({
      environment: variableName().describe(
        'Prefix of two environment variables: with QUOTEKEEPER, QUOTEKEEPER_KEY holds the key and ' +
          'QUOTEKEEPER_SECRET the secret.',
      ),
    }),
    z.strictObject({
      file: filled().describe('A file of two lines, `key: …` and `secret: …`, that belongs to you and has mode 0600.'),
    }),
  ])
  .describe('Where the API key comes from; nothing of it stands in this file. Not needed in paper mode.');

const laneSchema = z
  .strictObject({
    requestsPerSecond: above0(1_000)
      .default(0.4)
      .describe(
        'Most requests per second; 0.4 is one in 2.5 seconds. The bot keeps to it until the exchange answers 429. ' +
          'Polling, ages and requests in flight follow from it.',
      ),
  })
  .prefault({});

export const lanesSchema = z
  .strictObject({
    public: laneSchema.describe('Market data. The exchange counts these requests per IP address.'),
    private: laneSchema.describe('Orders and account. The exchange counts these requests per API key.'),
  })
  .prefault({})
  .describe('How many requests may leave.');

export const advancedSchema = z
  .strictObject({
    bookMs: durationMs(50)
      .optional()
      .describe(
        'How often each order book is read. Left out: at every second request of the public lane, at most once a ' +
          'second. Set it where a market moves faster than that and the lane has room.',
      ),
    bookMaxAgeMs: durationMs(50)
      .optional()
      .describe(
        'Nothing is quoted on an older book. Left out: three times `bookMs`, at least 5,000. Set it to quote more ' +
          'symbols than the public lane can read in that time; quotes keep more distance from an older book.',
      ),
    timeoutMs: durationMs(100)
      .default(10_000)
      .describe(
        'Longest wait for a whole answer; a create answered later is an unknown order. Set it where the exchange ' +
          'often answers later.',
      ),
    giveUpMs: durationMs(1_000)
      .default(10_800_000)
      .describe(
        'The watchdog gives up after this time without proof that no order is open. Set it where maintenance lasts ' +
          'longer than three hours.',
      ),
  })
  .prefault({})
  .describe('Times that follow from other settings. Few people need to set them.');

export const accountSchema = z
  .strictObject({
    foreignOrders: z
      .enum(['ignore', 'refuse'])
      .default('ignore')
      .describe(
        "Orders on the account that are not the bot's. `ignore`: they are the owner's and left alone. `refuse`: " +
          "the account is the bot's alone; such an order halts trading, everything in a symbol may be canceled at " +
          'once, and `cancel-all` and the watchdog cancel every open order, whoever placed it. Set it where nobody ' +
          'else trades there.',
      ),
  })
  .prefault({})
  .describe("Whether the account is the bot's alone.");

export const assumptionsSchema = z
  .strictObject({
    recvWindowMs: durationMs(100, RECV_WINDOW_MAX_MS)
      .default(2_500)
      .describe('How long the exchange may accept a signed request. Keep it short: a late create is an unknown order.'),
    venueInternalLagMs: durationMs(0).default(10_000).describe("Longest way from the exchange's gate to its book."),
    readLagBoundMs: durationMs(0)
      .default(120_000)
      .describe(
        'How far a list (orders, trades, balances) may trail the exchange, including the time that a cancel takes. ' +
          'Lower it only after measuring, as docs/operations.md says.',
      ),
    lockedIncludesStakingAndOtc: z
      .boolean()
      .default(true)
      .describe("Whether the wallet's `locked` already holds `lockedStaking` and `lockedOtc`."),
  })
  .prefault({})
  .describe('Facts that the exchange does not publish. Set them to what you or `probe` measured.');

export const watchdogSchema = z
  .strictObject({
    mode: z
      .enum(['required', 'off'])
      .default('off')
      .describe(
        '`required`: the bot quotes only while `quotekeeper watchdog` runs next to it. `off`: it quotes without one.',
      ),
    ttlMs: durationMs(500, 3_600_000)
      .default(45_000)
      .describe(
        'The watchdog ends a bot whose loop shows no progress for this time, and cancels its orders. Silence of the ' +
          'exchange does not count. Set it lower if orders must not rest for 45 seconds without a bot.',
      ),
    rearm: z
      .enum(['by-person', 'after-proof'])
      .default('by-person')
      .describe(
        '`by-person`: you remove the latch that the watchdog has set, with `rearm`. `after-proof`: the watchdog ' +
          'does so itself, once two complete lists have shown that no order is open, at most three times a UTC ' +
          'day. A latch that `cancel-all` or a person set stays. Set it where nobody can look within the hour.',
      ),
    keys: keysSchema
      .meta({ expects: 'a section as `keys`' })
      .optional()
      .describe('A key of its own, which the exchange counts by itself. Left out: the key of the bot.'),
  })
  .prefault({})
  .describe("The dead man's switch: a second process that takes the bot's orders away when the bot falls silent.");

export const portfolioSchema = z
  .strictObject({
    shares: z
      .record(asset(), exactRatio())
      .describe(
        'By coin: the share of all holdings, by value, that should be held in it. The rest stays in the asset that ' +
          'runs of all these coins are quoted in, and everything is valued in that.',
      ),
    correlation: exactRatio()
      .prefault('0.8')
      .describe('How far coins are taken to move together: 1 as one, 0 not at all.'),
    maxExposure: amountOrZero()
      .optional()
      .transform((value): Decimal | null => value ?? null)
      .describe(
        'Most value held beyond the shares if all bids fill, including bids of symbols with other quote assets; ' +
          'in quote.',
      ),
  })
  .describe(
    'The account as one inventory. Set it where several coins are held and move together. A coin with a share is ' +
      'held to it instead of to `quoting.inventory.targetRatio`; ' +
      'an excess of one coin lowers the targets of the others by the correlation, and all prices and sizes that lean ' +
      'with inventory follow.',
  );

const coinOf = (name: string): string => name.split('/')[0] ?? '';

export const statementSchema = z
  .strictObject({
    yearBegins: monthDay()
      .default('04-01')
      .describe('Month and day on which a financial year begins; with 01-01 years are those of the calendar.'),
    method: z
      .enum(['fifo', 'lifo', 'hifo', 'average'])
      .default('fifo')
      .describe('Which coins a sale takes: the oldest, the newest, those of the highest cost, or average ones.'),
    taxRules: filled()
      .optional()
      .describe(
        '`india` (config/tax-india.yaml of this program), or a corrected copy of that file, relative to the project ' +
          'root: rates, sections and rules by financial year, for the tax in `statement`. Left out: no tax.',
      ),
    costs: z
      .record(symbol(), amountOrZero())
      .refine((costs) => new Set(Object.keys(costs).map(coinOf)).size === Object.keys(costs).length, {
        message: 'One cost for each coin: two of these symbols have the same.',
      })
      .default({})
      .describe(
        'By symbol: unit cost, in quote, of coins that came without a price (opening balance, deposits). ' +
          'If left out, the cost is unknown, and sales of such coins are shown separately.',
      ),
  })
  .prefault({})
  .describe('For `statement`, `export` and `report`. Set it to your tax year and to what your coins cost.');

export const webSchema = z
  .strictObject({
    host: filled()
      .default('127.0.0.1')
      .describe(
        'Interface that the page listens on. Any other than this machine itself needs `origin`, and `tls` or ' +
          '`behindProxy`; then everything but the sign-in needs a session.',
      ),
    port: port().default(8787).describe('Port of the page and of the metrics.'),
    origin: pageOrigin()
      .optional()
      .describe(
        'Address of the page in a browser, if that is no name of this machine: https://bot.example.com, or ' +
          'https://example.com/bot where a proxy has it under a path.',
      ),
    tls: z
      .strictObject({
        certificate: filled().describe('A file with the certificate and those that it rests on, as PEM.'),
        key: filled().describe('A file with its key, as PEM.'),
      })
      .optional()
      .describe('Files for HTTPS, relative to the project root. Renewed ones are taken within the hour.'),
    behindProxy: z
      .boolean()
      .default(false)
      .describe('Whether browsers reach the page through a proxy that speaks HTTPS to them, under `origin`.'),
  })
  .prefault({})
  .describe(
    'The page, and `/metrics` for Prometheus. Set more than the port to reach it from other machines: docs/page.md.',
  );

export const logSchema = z
  .strictObject({
    level: z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
      .default('info')
      .describe('Events below this level are dropped. Set `debug` to look for a fault.'),
    file: filled().optional().describe('A file that gets JSON lines as well, relative to the project root.'),
  })
  .prefault({})
  .describe('The log goes to standard output: readable on a terminal, JSON lines in a pipe.');

export const journalSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('sqlite') }),
    z.strictObject({
      kind: z.literal('postgres'),
      url: secret().describe(
        'Where the URL is: `postgres://user:password@host:port,host:port/database`; the first server that can be ' +
          'written is taken. `?sslmode=` disable, require or verify-full (for other machines the default), with ' +
          '`sslrootcert=` a file of authorities.',
      ),
      account: filled().describe('Name of the journal in the database; every bot needs its own.'),
      waitMs: durationMs(500, 10_000)
        .default(5_000)
        .describe(
          'Longest wait for the server and its synchronous standby. After twice as long without an answer the bot ' +
            'cancels its orders and ends. Set it higher where a failover takes longer.',
        ),
      leaseMs: durationMs(5_000, 300_000)
        .default(30_000)
        .describe(
          'A host that has not reached the database for so long has lost the account to a standby ' +
            '(`run --standby`). At least three times `waitMs` and 3000.',
        ),
    }),
  ])
  .prefault({ kind: 'sqlite' })
  .describe(
    '`sqlite`: a file in the state folder. Set `postgres` where orders and money must be known after the loss of ' +
      'this machine: docs/journal.md.',
  );

export const accountsSchema = z
  .record(
    word(/^[A-Za-z][\w-]*$/, 'a name of letters, digits, - and _'),
    z.union([z.record(z.string(), z.unknown()), z.null()]),
  )
  .describe(
    'Name → what differs from the rest, `runs` by their symbol. Set it for several accounts in one file, and name ' +
      'one behind the file: `quotekeeper run config/fleet.yaml#alice`. `$account` in any value stands for its name. ' +
      'docs/fleet.md.',
  );

const perAsset = (unit: 'base' | 'quote') => z.record(asset(), positiveAmount(unit));

export const fleetSchema = z
  .strictObject({
    maxBase: perAsset('base')
      .default({})
      .describe('Asset → the most that all accounts together hold of it, if every live order fills.'),
    maxDayLoss: perAsset('quote')
      .default({})
      .describe(
        'Quote asset → what all accounts together may lose in a day (UTC); then they are locked until it ends.',
      ),
    requestsPerSecond: above0(10_000)
      .optional()
      .describe('The most that `lanes.public` of all accounts behind one address may come to; else they do not start.'),
    address: filled()
      .optional()
      .describe(
        "The address by which the exchange sees this host, in any words. Left out: the host's name. Set it where " +
          'hosts share one.',
      ),
  })
  .describe(
    'Limits over all accounts of one database, as reservations in it: what can not be reserved is not quoted. Needs ' +
      '`journal.kind: postgres`. docs/fleet.md.',
  );

export const costsSchema = z
  .strictObject({
    makerFeeRatio: exactRatio().describe(
      'Fee of an order that waited in the book, as a ratio of the notional, tax on it excluded.',
    ),
    takerFeeRatio: exactRatio().describe('The same of an order that took liquidity.'),
    feeTaxRatio: exactRatio().prefault('0').describe('Tax on the fee itself as a ratio of it: 0.18 for GST of 18 %.'),
    tdsRatio: exactRatio().prefault('0').describe('Tax withheld from the proceeds of each sale: 0.01 for 1 %.'),
    taxTreatment: z
      .enum(['cost', 'credit', 'ignore'])
      .default('cost')
      .describe('How withheld tax counts: lost, a credit that comes back later (its cost is the wait), or not at all.'),
    recoverableShareRatio: exactRatio()
      .prefault('0.931')
      .describe('Credit only: the share of the tax that comes back, less the cost of waiting for it.'),
  })
  .describe('Costs of an order. They set the floor under every spread.');

export const ownCostsSchema = z
  .strictObject({
    makerFeeRatio: exactRatio().optional().describe('Instead of `costs.makerFeeRatio`.'),
    takerFeeRatio: exactRatio().optional().describe('Instead of `costs.takerFeeRatio`.'),
    tdsRatio: exactRatio().optional().describe('Instead of `costs.tdsRatio`.'),
  })
  .prefault({})
  .describe('Differences from `costs`. Set it for a symbol with its own fees or tax.');

// The exchange's address, and known facts about its answers.

const headerName = () => word(/^[A-Za-z0-9-]{1,64}$/, 'the name of an HTTP header');

/** No time zone is further from UTC. */
const quarterHours = () =>
  whole(-720, 840).multipleOf(15).meta({ expects: 'whole quarter hours in minutes, from -720 to 840' });

export const venueSchema = z
  .strictObject({
    baseUrl: address().describe('Address of the interface, such as https://api.example.com.'),
    timeOffsetMinutes: z
      .record(z.string(), quarterHours())
      .superRefine((shifts, context) => {
        for (const kind of Object.keys(shifts).filter((name) => !TIMED_KINDS.some((known) => known === name))) {
          const message = `carries no time; allowed keys: ${TIMED_KINDS.join(', ')}.`;
          context.issues.push({ code: 'custom', path: [kind], message, input: shifts });
        }
      })
      .default({})
      .describe(
        'By how many minutes the exchange writes the times of a list off: `public-trades: 330` where it writes ' +
          'Indian time as if it were UTC. `probe` measures them; a running bot tells you where one is wrong.',
      ),
    openOrdersUncapped: z
      .boolean()
      .default(false)
      .describe('Whether the list of open orders is never cut. Else a page of exactly 20 or 50 rows is not trusted.'),
    apiKeyHeader: headerName().default(DIALECT.apiKeyHeader).describe('Name of the header that carries the API key.'),
    signature: z
      .strictObject({
        emptyValues: z
          .enum(['skip', 'include'])
          .default('skip')
          .describe('Whether an empty value is left out of the signed text, or signed as `key=`.'),
        percentEncoding: z
          .enum(['raw', 'encoded'])
          .default('raw')
          .describe('Which form of a query value is signed: its own text or its percent-encoded one.'),
        header: headerName()
          .optional()
          .describe('Name of the header that carries the signature. Left out: the query carries it.'),
      })
      .prefault({})
      .describe('Where the specification of the signature leaves room.'),
  })
  .describe('The exchange.');
