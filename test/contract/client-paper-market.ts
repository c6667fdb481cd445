// What is traded in the meetings of client and paper exchange, by whom, and with which keys.
import { decimal } from '../../src/domain/decimal.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { EngineSettings } from '../../src/matching/types.ts';
import type { PaperAccount, PaperKey } from '../../src/paper/state/settings.ts';
import type { Permission } from '../../src/venue/endpoints.ts';

export const API_KEY_HEADER = 'X-EXCHANGE-APIKEY';

export type KeyPair = Pick<PaperKey, 'apiKey' | 'secret'>;

const keyOf = (name: string): KeyPair => ({ apiKey: `canary-key-${name}-7e1d`, secret: `canary-secret-${name}-b40c` });

export const ALICE = keyOf('alice');
export const BOB = keyOf('bob');
/** Alice's too: may only read the wallet. */
export const READER = keyOf('reader');
/** Alice's too: only from another machine. */
export const ELSEWHERE = keyOf('elsewhere');
/** Alice's too: only from this machine. */
export const HERE = keyOf('here');
/** Alice's too: may do everything but this. */
export const keyWithout = (permission: Permission): KeyPair => keyOf(`without-${permission}`);
/** Known to nobody. */
export const STRANGER = keyOf('stranger');

/** Alice's too: a key that is also a symbol, so that the exchange says it in a message. */
export const ECHOED: KeyPair = { apiKey: 'CANARYKEY7E1D/INR', secret: 'canary-secret-echoed-b40c' };

const PERMISSIONS: readonly Permission[] = ['wallet', 'orders', 'trades'];
const pairs = [ALICE, BOB, READER, ELSEWHERE, HERE, STRANGER, ...PERMISSIONS.map(keyWithout)];
export const SECRETS: readonly string[] = pairs.flatMap(({ apiKey, secret }) => [apiKey, secret]);

const full = (pair: KeyPair, more: Partial<PaperKey> = {}): PaperKey => ({
  ...pair,
  permissions: PERMISSIONS,
  ipWhitelist: null,
  ...more,
});

const balances = { INR: decimal('10000000'), BTC: decimal('10'), ETH: decimal('100') };

export const ACCOUNTS: readonly PaperAccount[] = [
  {
    name: 'alice',
    keys: [
      full(ALICE),
      full(READER, { permissions: ['wallet'] }),
      full(ELSEWHERE, { ipWhitelist: ['10.0.0.1'] }),
      full(HERE, { ipWhitelist: ['127.0.0.1'] }),
      full(ECHOED),
      ...PERMISSIONS.map((missing) =>
        full(keyWithout(missing), { permissions: PERMISSIONS.filter((each) => each !== missing) }),
      ),
    ],
    balances,
  },
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

export const FIRST_ORDER = 9_007_199_254_740_993n;
export const FIRST_TRADE = 9_007_199_254_740_993_001n;

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
