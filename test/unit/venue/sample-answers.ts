// One request of each kind of read with an answer as the specification documents it: three rows, or entries, each.
import { orderId, tradeId } from '../../../src/domain/ids.ts';
import type { ReadKind, ReadRequest } from '../../../src/venue/requests.ts';

const AT = 1_700_000_000_000;
const stamp = { timestamp: AT, recvWindow: 2_500 };
const symbol = 'BTC/INR';

export interface SampleAnswer<K extends ReadKind> {
  readonly request: ReadRequest<K>;
  /** As JSON that was read exactly or not: these samples hold no number that a float can't. */
  readonly body: unknown;
}

const three = (row: (n: number) => unknown): unknown[] => [0, 1, 2].map(row);

const legacyTicker = (base: string) => ({
  sell: '5010000.0',
  buy: '5000000.0',
  high: '5100000.0',
  low: '4900000.0',
  open: '4950000.0',
  last: '5005000.0',
  volume: '1.2E-3',
  name: `${base.toUpperCase()}/INR`,
  base_unit: base,
  quote_unit: 'inr',
  type: 'SPOT',
  at: 1_700_000_000,
});

const cryptoTransfer = (action: string) => (n: number) => ({
  action,
  asset: 'BTC',
  cryptoAmount: `0.${n + 1}`,
  status: 'SUCCESS',
  transactionHash: `0xabc${n}`,
  time: AT + n,
  network: 'BITCOIN',
  fromAddress: null,
  toAddress: 'bc1q',
  fee: '0.0001',
});

const fiatTransfer = (action: string) => (n: number) => ({
  action,
  amount: `${n + 1}000.00`,
  fee: '5.90',
  status: 'PENDING',
  referenceId: `REF-${n}`,
  time: AT + n,
});

const trade = (n: number) => ({
  symbol,
  id: 9_007_199_254_740_000 + n,
  orderId: '1-7-1',
  price: '5000000',
  qty: '0.01',
  quoteQty: '50000',
  commission: '200',
  commissionAsset: 'INR',
  tds: '500',
  time: AT + n,
  isBuyer: n === 0,
  isMaker: true,
});

const sbsTrade = (n: number) => {
  const { orderId: _none, ...row } = trade(n);
  return { ...row, isMaker: false };
};

const level = (price: number) => [`${price}.0`, '0.5'];
const book = { bids: [3, 2, 1].map(level), asks: [4, 5, 6].map(level) };
const all = { time: { by: 'all' } } as const;

export const SAMPLES: { readonly [K in ReadKind]: SampleAnswer<K> } = {
  'legacy-best-prices': {
    request: { kind: 'legacy-best-prices' },
    body: {
      market: {
        'BTC/INR': { top_bid: '5000000.0 INR', top_ask: '5010000.0 INR' },
        'ETH/INR': { top_bid: null, top_ask: '200000.5 INR' },
        'ETH/BTC': { top_bid: '0.05 BTC', top_ask: null },
      },
      prices: { 'BTC/INR': '5005000.0', 'ETH/INR': '200000.0', 'ETH/BTC': '0.05' },
    },
  },
  'legacy-tickers': {
    request: { kind: 'legacy-tickers' },
    body: { btcinr: legacyTicker('btc'), ethinr: legacyTicker('eth'), usdtinr: legacyTicker('usdt') },
  },
  'legacy-depth': { request: { kind: 'legacy-depth', symbol }, body: { timestamp: 1_700_000_000, ...book } },
  'legacy-trades': {
    request: { kind: 'legacy-trades', symbol },
    body: three((n) => ({
      created_at: `2023-11-14T22:13:2${n}`,
      funds: '50000.0',
      price: '5000000.0',
      side: n === 0 ? 'Buy' : 'Sell',
      volume: '0.01',
      id: `1844674407370955161${n}`,
      market: 'btcinr',
    })),
  },
  tickers: {
    request: { kind: 'tickers' },
    body: ['BTC/INR', 'ETH/INR', 'ETH/BTC'].map((name) => ({
      symbol: name,
      lastPrice: '5000000',
      high: '5100000',
      low: '4900000',
      volume: '12.5',
      change_24h: '-1.5',
      time: String(AT),
    })),
  },
  symbols: { request: { kind: 'symbols' }, body: ['BTC/INR', 'ETH/INR', 'ETH/BTC'] },
  'public-trades': {
    request: { kind: 'public-trades', symbol },
    body: three((n) => ({ price: '5000000', qty: `0.0${n + 1}`, quoteQty: '1', time: AT + n, isBuyerMaker: n === 0 })),
  },
  'order-book': { request: { kind: 'order-book', symbol }, body: book },
  assets: {
    request: { kind: 'assets' },
    body: ['BTC', 'ETH', 'USDT'].map((asset) => ({
      asset,
      name: `${asset} coin`,
      status: 'ACTIVE',
      networks: [
        {
          name: 'MAIN',
          deposit: { min: '0.001', confirmations: 3, enabled: true },
          withdraw: { min: '0.002', max: '10', fee: '0.0005', enabled: false },
        },
      ],
    })),
  },
  wallet: {
    request: { kind: 'wallet', stamp },
    body: ['INR', 'BTC', 'ETH'].map((asset) => ({
      asset,
      free: '10.5',
      locked: '1',
      lockedFd: '0',
      lockedStaking: '0',
      lockedOtc: '0',
    })),
  },
  'crypto-deposits': {
    request: { kind: 'crypto-deposits', filter: all, stamp },
    body: three(cryptoTransfer('Deposit')),
  },
  'crypto-deposits-historical': {
    request: { kind: 'crypto-deposits-historical', filter: all, stamp },
    body: three(cryptoTransfer('Deposit')),
  },
  'crypto-withdrawals': {
    request: { kind: 'crypto-withdrawals', filter: all, stamp },
    body: three(cryptoTransfer('Withdrawal')),
  },
  'crypto-withdrawals-historical': {
    request: { kind: 'crypto-withdrawals-historical', filter: all, stamp },
    body: three(cryptoTransfer('Withdrawal')),
  },
  'fiat-deposits': { request: { kind: 'fiat-deposits', filter: all, stamp }, body: three(fiatTransfer('Deposit')) },
  'fiat-deposits-historical': {
    request: { kind: 'fiat-deposits-historical', filter: all, stamp },
    body: three(fiatTransfer('Deposit')),
  },
  'fiat-withdrawals': {
    request: { kind: 'fiat-withdrawals', filter: all, stamp },
    body: three(fiatTransfer('Withdrawal')),
  },
  'fiat-withdrawals-historical': {
    request: { kind: 'fiat-withdrawals-historical', filter: all, stamp },
    body: three(fiatTransfer('Withdrawal')),
  },
  'open-orders': {
    request: { kind: 'open-orders', stamp },
    body: three((n) => ({
      symbol,
      orderId: `1-900719925474099${n}-1`,
      price: '5000000',
      origQty: '0.01',
      executedQty: '0',
      remainingQty: '0.01',
      status: 'NEW',
      type: 'LIMIT',
      side: 'BUY',
      time: AT + n,
    })),
  },
  'spot-trades': {
    request: { kind: 'spot-trades', symbol, filter: { by: 'order', orderId: orderId('1-7-1') }, stamp },
    body: three(trade),
  },
  'spot-trades-historical': {
    request: { kind: 'spot-trades-historical', symbol, filter: { by: 'from-id', fromId: tradeId('5') }, stamp },
    body: three(trade),
  },
  'sbs-trades': { request: { kind: 'sbs-trades', symbol, filter: all, stamp }, body: three(sbsTrade) },
};
