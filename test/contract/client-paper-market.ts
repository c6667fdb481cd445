// What is traded in the meetings of client and paper exchange, by whom, and with which keys.
import { decimal } from '../../src/domain/decimal.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { EngineSettings } from '../../src/matching/types.ts';
import type { PaperAccount, PaperKey } from '../../src/paper/state/settings.ts';

export const API_KEY_HEADER = 'X-EXCHANGE-APIKEY';

export type KeyPair = Pick<PaperKey, 'apiKey' | 'secret'>;

const keyOf = (name: string): KeyPair => ({ apiKey: `canary-key-${name}-7e1d`, secret: `canary-secret-${name}-b40c` });

export const ALICE = keyOf('alice');
export const BOB = keyOf('bob');
export const SECRETS: readonly string[] = [ALICE, BOB].flatMap(({ apiKey, secret }) => [apiKey, secret]);

const full = (pair: KeyPair): PaperKey => ({
  ...pair,
  permissions: ['wallet', 'orders', 'trades'],
  ipWhitelist: null,
});

const balances = { INR: decimal('10000000'), BTC: decimal('10'), ETH: decimal('100') };

export const ACCOUNTS: readonly PaperAccount[] = [
  { name: 'alice', keys: [full(ALICE)], balances },
  { name: 'bob', keys: [full(BOB)], balances },
];

/** tick × lot has seven decimals and the fee five: fees round in the eighth, which is the smallest unit. */
const BTC_INR: Instrument = {
  symbol: 'BTC/INR',
  base: 'BTC',
  quote: 'INR',
  tickSize: decimal('0.01'),
  lotSize: decimal('0.00001'),
  minNotional: decimal('100'),
};

const ETH_INR: Instrument = {
  symbol: 'ETH/INR',
  base: 'ETH',
  quote: 'INR',
  tickSize: decimal('0.01'),
  lotSize: decimal('0.0001'),
  minNotional: decimal('100'),
};

const ETH_BTC: Instrument = {
  symbol: 'ETH/BTC',
  base: 'ETH',
  quote: 'BTC',
  tickSize: decimal('0.00001'),
  lotSize: decimal('0.001'),
  minNotional: decimal('0.0001'),
};

const FIRST_ORDER = 9_007_199_254_740_993n;
const FIRST_TRADE = 9_007_199_254_740_993_001n;

/** Name of the nth order, of the nth trade, counted from zero. */
export const orderIdAt = (n: number): string => `1-${FIRST_ORDER + BigInt(n)}-1`;
export const tradeIdAt = (n: number): string => `${FIRST_TRADE + BigInt(n)}`;

export const ENGINE: EngineSettings = {
  instruments: [BTC_INR, ETH_INR, ETH_BTC],
  assetDecimals: 8,
  makerFeeRatio: decimal('0.00354'),
  takerFeeRatio: decimal('0.00472'),
  tdsRatio: decimal('0.01'),
  rounding: 'half-up',
  buyerFeeAsset: 'quote',
  selfTrade: 'allow',
  crossing: 'takes',
  firstOrderNumber: FIRST_ORDER,
  firstTradeNumber: FIRST_TRADE,
};
