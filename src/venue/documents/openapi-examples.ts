// One example of every answer and body, for the OpenAPI document; a test checks each against its schema.
import { twins } from '../endpoints.ts';
import type { EndpointName } from '../requests.ts';

interface EndpointExample {
  /** JSON body, where the request has one. */
  readonly body?: unknown;
  /** Answers with status 200, each by a descriptive name. */
  readonly answers: Readonly<Record<string, unknown>>;
}

const TIME = 1_700_000_000_000;
const AT_SECONDS = 1_700_000_000;
const BIDS = [
  ['5466240', '0.01274'],
  ['5465900', '0.2'],
];
const ASKS = [['5467100', '0.00907']];

const cryptoDeposit = {
  action: 'Deposit',
  asset: 'BTC',
  cryptoAmount: '0.5',
  status: 'SUCCESS',
  transactionHash: '7b1c9f0e',
  time: TIME,
  network: 'BTC',
  fromAddress: null,
  toAddress: 'bc1qexample',
  fee: '0',
};
const cryptoWithdrawal = {
  ...cryptoDeposit,
  action: 'Withdrawal',
  status: 'PENDING',
  transactionHash: null,
  fee: '0.0005',
};
const fiatDeposit = {
  action: 'Deposit',
  amount: '50000',
  fee: '0',
  status: 'SUCCESS',
  referenceId: 'R-1001',
  time: TIME,
};
const fiatWithdrawal = { ...fiatDeposit, action: 'Withdrawal', fee: '10', status: 'REJECTED', referenceId: 'R-1002' };
const sbsTrade = {
  symbol: 'BTC/INR',
  id: 7001,
  price: '5466240',
  qty: '0.001',
  quoteQty: '5466.24',
  commission: '21.86',
  commissionAsset: 'INR',
  tds: '0',
  time: TIME,
  isBuyer: true,
  isMaker: false,
};
const spotTrade = { ...sbsTrade, id: 90_210, orderId: '1-101-1', isMaker: true };

const listed = (...rows: readonly unknown[]): EndpointExample => ({ answers: { listed: rows } });
const acknowledged = (msg: string): EndpointExample => ({ answers: { acknowledged: { msg } } });

export const EXAMPLES: Readonly<Record<EndpointName, EndpointExample>> = {
  'legacy-best-prices': {
    answers: {
      prices: {
        market: { 'BTC/INR': { top_bid: '5466240 INR', top_ask: null } },
        prices: { 'BTC/INR': '5466500' },
      },
    },
  },
  'legacy-tickers': {
    answers: {
      tickers: {
        btcinr: {
          sell: '5467100',
          buy: '5466240',
          high: '5500000',
          low: '5400000',
          open: '5450000',
          last: '5466500',
          volume: '1.2E+1',
          name: 'BTC/INR',
          base_unit: 'btc',
          quote_unit: 'inr',
          type: 'SPOT',
          at: AT_SECONDS,
        },
      },
    },
  },
  'legacy-depth': { answers: { depth: { timestamp: AT_SECONDS, bids: BIDS, asks: ASKS } } },
  'legacy-trades': listed({
    created_at: '2023-11-15T03:43:20',
    funds: '54665',
    price: '5466500',
    side: 'Buy',
    volume: '0.01',
    id: '9007199254740993',
    market: 'btcinr',
  }),
  tickers: listed({
    symbol: 'BTC/INR',
    lastPrice: '5466500',
    high: '5500000',
    low: '5400000',
    volume: '12',
    change_24h: '0.30',
    time: String(TIME),
  }),
  symbols: listed('BTC/INR', 'ETH/INR'),
  'public-trades': listed({ price: '5466500', qty: '0.01', quoteQty: '54665', time: TIME, isBuyerMaker: false }),
  'order-book': { answers: { book: { bids: BIDS, asks: ASKS } } },
  assets: listed({
    asset: 'BTC',
    name: 'Bitcoin',
    status: 'ACTIVE',
    networks: [
      {
        name: 'BTC',
        deposit: { min: '0.0001', confirmations: 2, enabled: true },
        withdraw: { min: '0.001', max: '10', fee: '0.0005', enabled: true },
      },
    ],
  }),
  wallet: listed({
    asset: 'INR',
    free: '4960000',
    locked: '40000',
    lockedFd: '0',
    lockedStaking: '0',
    lockedOtc: '0',
  }),
  ...twins('crypto-deposits', listed(cryptoDeposit), listed(cryptoDeposit)),
  ...twins('crypto-withdrawals', listed(cryptoWithdrawal), listed(cryptoWithdrawal)),
  ...twins('fiat-deposits', listed(fiatDeposit), listed(fiatDeposit)),
  ...twins('fiat-withdrawals', listed(fiatWithdrawal), listed(fiatWithdrawal)),
  'open-orders': listed({
    symbol: 'BTC/INR',
    orderId: '1-101-1',
    price: '4000000',
    origQty: '0.01',
    executedQty: '0.004',
    remainingQty: '0.006',
    status: 'PARTIALLY_FILLED',
    type: 'LIMIT',
    side: 'BUY',
    time: TIME,
  }),
  ...twins('spot-trades', listed(spotTrade), listed(spotTrade)),
  'sbs-trades': listed(sbsTrade),
  create: {
    body: { symbol: 'BTC/INR', action: 'BUY', type: 'LIMIT', price: '4000000', quantity: '0.01' },
    answers: {
      accepted: { data: { order_id: '1-101-1' } },
      'turned-down': { msg: 'The order was rejected by risk checks.' },
    },
  },
  cancel: { ...acknowledged('The order is being canceled.'), body: { order_id: '1-101-1' } },
  'cancel-symbol': { ...acknowledged('The orders are being canceled.'), body: { symbol: 'BTC/INR' } },
  'cancel-all': acknowledged('All orders are being canceled.'),
};

/** A value for each required parameter. */
export const PARAMETER_EXAMPLES: Readonly<Record<string, unknown>> = { symbol: 'BTC/INR', market: 'btcinr' };
