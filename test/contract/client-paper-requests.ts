// One good request for each endpoint: what a test asks when the question itself does not matter.
import { decimal } from '../../src/domain/decimal.ts';
import { orderId } from '../../src/domain/ids.ts';
import { LIST_LIMIT_MAX } from '../../src/venue/bounds.ts';
import { ENDPOINTS } from '../../src/venue/endpoints.ts';
import type { EndpointName, Stamp, VenueRequest } from '../../src/venue/requests.ts';
import { orderIdAt } from './client-paper-market.ts';

const symbol = 'BTC/INR';
const limit = LIST_LIMIT_MAX;
const order = { symbol, side: 'buy', price: decimal('4000000'), quantity: decimal('0.001') } as const;
const all = { time: { by: 'all' } } as const;
const ofSymbol = { by: 'symbol' } as const;

type RequestOf = { readonly [K in EndpointName]: (stamp: Stamp) => Extract<VenueRequest, { kind: K }> };

const GOOD: RequestOf = {
  'legacy-best-prices': () => ({ kind: 'legacy-best-prices' }),
  'legacy-tickers': () => ({ kind: 'legacy-tickers' }),
  'legacy-depth': () => ({ kind: 'legacy-depth', symbol }),
  'legacy-trades': () => ({ kind: 'legacy-trades', symbol }),
  tickers: () => ({ kind: 'tickers', symbol }),
  symbols: () => ({ kind: 'symbols' }),
  'public-trades': () => ({ kind: 'public-trades', symbol, limit }),
  'order-book': () => ({ kind: 'order-book', symbol, limit }),
  assets: () => ({ kind: 'assets', asset: 'BTC' }),
  wallet: (stamp) => ({ kind: 'wallet', stamp }),
  'crypto-deposits': (stamp) => ({ kind: 'crypto-deposits', filter: all, limit, stamp }),
  'crypto-deposits-historical': (stamp) => ({ kind: 'crypto-deposits-historical', filter: all, limit, stamp }),
  'crypto-withdrawals': (stamp) => ({ kind: 'crypto-withdrawals', filter: all, limit, stamp }),
  'crypto-withdrawals-historical': (stamp) => ({ kind: 'crypto-withdrawals-historical', filter: all, limit, stamp }),
  'fiat-deposits': (stamp) => ({ kind: 'fiat-deposits', filter: all, limit, stamp }),
  'fiat-deposits-historical': (stamp) => ({ kind: 'fiat-deposits-historical', filter: all, limit, stamp }),
  'fiat-withdrawals': (stamp) => ({ kind: 'fiat-withdrawals', filter: all, limit, stamp }),
  'fiat-withdrawals-historical': (stamp) => ({ kind: 'fiat-withdrawals-historical', filter: all, limit, stamp }),
  'open-orders': (stamp) => ({ kind: 'open-orders', symbol, stamp }),
  'spot-trades': (stamp) => ({ kind: 'spot-trades', symbol, filter: ofSymbol, limit, stamp }),
  'spot-trades-historical': (stamp) => ({ kind: 'spot-trades-historical', symbol, filter: ofSymbol, limit, stamp }),
  'sbs-trades': (stamp) => ({ kind: 'sbs-trades', symbol, filter: all, limit, stamp }),
  create: (stamp) => ({ kind: 'create', order, stamp }),
  cancel: (stamp) => ({ kind: 'cancel', orderId: orderId(orderIdAt(3)), stamp }),
  'cancel-symbol': (stamp) => ({ kind: 'cancel-symbol', symbol, stamp }),
  'cancel-all': (stamp) => ({ kind: 'cancel-all', stamp }),
};

/** The cancel is one of the fourth order that the exchange named. */
export const goodRequest = (name: EndpointName, stamp: Stamp): VenueRequest => GOOD[name](stamp);

/** The 26, in the order of the specification. */
export const ENDPOINT_NAMES: readonly EndpointName[] = Object.values(ENDPOINTS).map(({ name }) => name);
