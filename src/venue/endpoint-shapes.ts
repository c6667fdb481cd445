// Documented shapes of parameters and answers (§2, §4), by the wire's own names. Queries carry text; `meta` states the
// specification's own type of a parameter.
import { z } from 'zod';
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from './bounds.ts';

const text = z.string();
const decimalText = z.string().describe('decimal number as text');
const epochMs = z.number().int().describe('milliseconds since epoch');
const epochSeconds = z.number().int().describe('seconds since epoch');
export const symbol = z.string().meta({ description: 'BASE/QUOTE, upper case', pattern: '^[A-Z0-9]+/[A-Z0-9]+$' });
const asset = z.string().describe('asset ticker');
export const orderId = z.string().meta({ description: '1-<number>-1', pattern: '^1-[0-9]+-1$' });
export const limit = z.string().meta({
  ...{ description: 'integer 1–50, default 20', type: 'integer' },
  ...{ minimum: 1, maximum: LIST_LIMIT_MAX, default: LIST_LIMIT_DEFAULT },
});
const whole = (description: string) => z.string().meta({ description, type: 'integer', minimum: 0 });
const moment = whole('milliseconds since epoch, included');
const level = z.tuple([decimalText, decimalText]).describe('price, quantity');
export const flag = z.string().meta({ description: 'true or false, default true', type: 'boolean', default: true });
export const msg = z.object({ msg: text });

export const legacyBestPrices = z.object({
  market: z.record(
    symbol,
    z.object({
      top_bid: text.nullable().describe('amount, a space, quote asset; null when there is none'),
      top_ask: text.nullable().describe('amount, a space, quote asset; null when there is none'),
    }),
  ),
  prices: z.record(symbol, decimalText).describe('last prices'),
});
export const legacyTickers = z.record(
  text.describe('base and quote in lower case, concatenated'),
  z.object({
    sell: decimalText.describe('ask price'),
    buy: decimalText.describe('bid price'),
    high: decimalText,
    low: decimalText,
    open: decimalText,
    last: decimalText,
    volume: decimalText.describe('base; may be in exponent notation'),
    name: symbol,
    base_unit: text.describe('lower case'),
    quote_unit: text.describe('lower case'),
    type: text.describe('SPOT was observed'),
    at: epochSeconds,
  }),
);
export const legacyDepth = z.object({ timestamp: epochSeconds, bids: z.array(level), asks: z.array(level) });
export const legacyTrades = z.array(
  z.object({
    created_at: text.describe('local time YYYY-MM-DDTHH:MM:SS, no zone'),
    funds: decimalText.describe('quote amount'),
    price: decimalText,
    side: z.enum(['Buy', 'Sell']),
    volume: decimalText.describe('base'),
    id: text.describe('large unsigned integer'),
    market: text.describe('base and quote in lower case, concatenated'),
  }),
);
export const legacyMarketQuery = z.object({
  market: text.meta({ description: 'base and quote in lower case, concatenated, e.g. btcinr', pattern: '^[a-z0-9]+$' }),
});

export const tickers = z.array(
  z.object({
    symbol,
    lastPrice: decimalText,
    high: decimalText,
    low: decimalText,
    volume: decimalText.describe('base, in the rolling window'),
    change_24h: decimalText.describe('percent'),
    time: text.describe('milliseconds since epoch, as text'),
  }),
);
export const publicTrades = z.array(
  z.object({
    price: decimalText,
    qty: decimalText,
    quoteQty: decimalText.optional(),
    time: epochMs,
    isBuyerMaker: z.boolean(),
  }),
);
export const orderBook = z.object({ bids: z.array(level), asks: z.array(level) });
export const assets = z.array(
  z.object({
    asset,
    name: text,
    status: z.enum(['ACTIVE', 'INACTIVE']),
    networks: z.array(
      z.object({
        name: text,
        deposit: z.object({ min: decimalText, confirmations: z.number().int(), enabled: z.boolean() }),
        withdraw: z.object({ min: decimalText, max: decimalText, fee: decimalText, enabled: z.boolean() }),
      }),
    ),
  }),
);

export const wallet = z.array(
  z.object({
    asset,
    free: decimalText,
    locked: decimalText.describe('for trading, withdrawal, staking, P2P or OTC'),
    lockedFd: decimalText,
    lockedStaking: decimalText,
    lockedOtc: decimalText,
  }),
);
const cryptoTransfer = (action: 'Deposit' | 'Withdrawal') =>
  z.array(
    z.object({
      action: z.literal(action),
      asset,
      cryptoAmount: decimalText,
      status: z.enum(['SUCCESS', 'PENDING', 'FAILED']),
      transactionHash: text.nullable(),
      time: epochMs,
      network: text,
      fromAddress: text.nullable(),
      toAddress: text.nullable(),
      fee: decimalText,
    }),
  );
export const cryptoDeposits = cryptoTransfer('Deposit');
export const cryptoWithdrawals = cryptoTransfer('Withdrawal');
const fiatTransfer = (action: 'Deposit' | 'Withdrawal') =>
  z.array(
    z.object({
      action: z.literal(action),
      amount: decimalText.describe('INR'),
      fee: decimalText,
      status: z.enum(['SUCCESS', 'PENDING', 'FAILED', 'REJECTED']),
      referenceId: text,
      time: epochMs,
    }),
  );
export const fiatDeposits = fiatTransfer('Deposit');
export const fiatWithdrawals = fiatTransfer('Withdrawal');

const times = { startTime: moment.optional(), endTime: moment.optional() };
export const fiatListQuery = z.object({
  status: z.enum(['SUCCESS', 'PENDING', 'FAILED', 'REJECTED']).optional(),
  ...times,
  limit: limit.optional(),
});
export const cryptoListQuery = z.object({
  asset: asset.optional(),
  status: z.enum(['SUCCESS', 'PENDING', 'FAILED']).optional(),
  ...times,
  limit: limit.optional(),
});
export const spotTradesQuery = z.object({
  symbol,
  orderId: orderId.optional(),
  ...times,
  fromId: whole('trade ids from this one on').optional(),
  limit: limit.optional(),
});
export const sbsTradesQuery = spotTradesQuery.extend({
  symbol: text.meta({ description: 'COIN/INR', pattern: '^[A-Z0-9]+/INR$' }),
  orderId: whole('number of an SBS order').optional(),
});

export const openOrders = z.array(
  z.object({
    symbol,
    orderId,
    price: decimalText.describe('as submitted; 0 for market orders'),
    origQty: decimalText,
    executedQty: decimalText,
    remainingQty: decimalText,
    status: text.describe('NEW or PARTIALLY_FILLED'),
    type: z.enum(['MARKET', 'LIMIT', 'STOP_MARKET', 'STOP_LIMIT']),
    side: z.enum(['BUY', 'SELL']),
    time: epochMs,
  }),
);
const spotTrade = z.object({
  symbol,
  id: z.number().int(),
  orderId: text,
  price: decimalText,
  qty: decimalText,
  quoteQty: decimalText,
  commission: decimalText,
  commissionAsset: asset,
  tds: decimalText.describe('tax deducted at source, if applicable'),
  time: epochMs,
  isBuyer: z.boolean(),
  isMaker: z.boolean(),
});
export const spotTrades = z.array(spotTrade);
export const sbsTrades = z.array(spotTrade.omit({ orderId: true }).describe('id is the number of the SBS order'));

export const created = z.union([z.object({ data: z.object({ order_id: orderId }) }), msg]);
const positiveText = z.string().meta({
  description: 'positive decimal as text',
  pattern: '^(?=.*[1-9])[0-9]+(\\.[0-9]+)?$',
});
export const orderBody = z.object({
  symbol,
  action: z.enum(['BUY', 'SELL']),
  type: z.enum(['LIMIT']),
  price: positiveText,
  quantity: positiveText,
});
