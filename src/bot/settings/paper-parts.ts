// The parts of the paper exchange's section that most configurations leave out: other accounts and keys, more symbols,
// how its engine decides what the specification leaves open, limits, the control interface.
import { z } from 'zod';
import { KEY_PERMISSIONS } from '../../paper/state/settings.ts';
import { inside } from '../../quoting/amount.ts';
import { amountOrZero, asset, durationMs, port, positiveAmount, symbol } from './fields.ts';

/** Where the control interface listens when nobody names a port. */
export const CONTROL_PORT_DEFAULT = 8789;

const window = () =>
  z
    .strictObject({
      requests: z.int().min(1).max(1_000_000).describe('Requests that are answered in one window.'),
      perMs: durationMs().describe('Length of the window.'),
    })
    .optional();

export const rateLimitsSchema = z
  .strictObject({
    public: window().describe('Market data, per IP address.'),
    private: window().describe('Orders and account, per API key.'),
  })
  .prefault({})
  .describe('What it answers at most; beyond it comes 429. What is left out is as in the profile.');

const firstNumber = () =>
  z
    .string()
    .regex(/^[1-9]\d{0,29}$/)
    .transform(BigInt)
    .meta({ expects: 'a whole number ≥ 1, of any size' })
    .prefault('1');

/** Q9, Q10, Q11 and Q20 of the open questions: fixed for the life of an exchange. */
export const engineSchema = z
  .strictObject({
    crossing: z
      .enum(['takes', 'rejected'])
      .default('takes')
      .describe('Whether an order that would cross takes liquidity, or is refused with 200 `{msg}`.'),
    selfTrade: z
      .enum(['allow', 'reject', 'cancel-resting'])
      .default('reject')
      .describe('What happens when an account would trade with itself.'),
    /** Rounding of fee and tax to the smallest unit. */
    rounding: inside(z.enum(['half-up', 'floor']).default('half-up')),
    buyerFeeAsset: z
      .enum(['quote', 'base'])
      .default('quote')
      .describe('In which asset the buyer pays the fee; the seller pays in quote.'),
    firstOrderNumber: firstNumber().describe(
      'Number of the first order id and of the first trade id. Set it above 2^53 to try such ids.',
    ),
    /** Number of the first trade id. */
    firstTradeNumber: inside(firstNumber()),
  })
  .prefault({})
  .describe('How its engine decides what the specification leaves open. A change begins a new exchange.');

export const controlSchema = z
  .strictObject({
    port: port().default(CONTROL_PORT_DEFAULT).describe('Its port on 127.0.0.1; it listens nowhere else.'),
  })
  .optional()
  .describe('The control interface, which changes everything while the exchange runs. Left out, there is none.');

const ipWhitelist = () =>
  z
    .array(z.union([z.ipv4(), z.ipv6()]).meta({ expects: 'an IP address' }))
    .nullable()
    .default(null)
    .describe('Addresses that may use the key; left out, all.');

const key = z.strictObject({
  file: z
    .string()
    .min(1)
    .describe('File with the lines `key: …` and `secret: …`, relative to the project root; made where there is none.'),
  permissions: z
    .array(z.enum(KEY_PERMISSIONS).meta({ expects: 'one of wallet, orders, trades, read' }))
    .default(['wallet', 'orders', 'trades'])
    .describe('What the key may do; left out, everything. `read` is all that only reads, open orders among it.'),
  ipWhitelist: ipWhitelist(),
});

const account = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,39}$/)
    .meta({ expects: 'a name such as carol: small letters, digits, hyphens' })
    .describe('Its name in the truth and for the control interface.'),
  openingBalances: z
    .record(asset(), amountOrZero().describe('An amount of the asset.'))
    .prefault({})
    .describe('What it holds when the exchange is made.'),
  keys: z.array(key).default([]).describe('Its keys.'),
});

export const accountsSchema = z
  .array(account)
  .default([])
  .describe("Accounts beside the bot's own, which is called owner: for programs that use the exchange as a sandbox.");

export const moreInstrumentsSchema = z
  .array(
    z.strictObject({
      symbol: symbol().describe('BASE/QUOTE.'),
      tickSize: positiveAmount().describe('Price step, in quote per base.'),
      lotSize: positiveAmount().describe('Quantity step, in base.'),
      minNotional: amountOrZero().describe('Least price × quantity of an order, in quote.'),
    }),
  )
  .default([])
  .describe('Symbols that can be traded beside those of `runs`; without a market in `crowd` their books are empty.');
