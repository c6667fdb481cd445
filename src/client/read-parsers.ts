// Which parser understands the answer to which read.

import { parsePublicTrades, parseSymbols, parseTickers } from '../venue/parsers-market.ts';
import { parseOpenOrders } from '../venue/parsers-open-orders.ts';
import { parseOrderBook } from '../venue/parsers-order-book.ts';
import { parseSpotTrades } from '../venue/parsers-spot-trades.ts';
import { parseWallet } from '../venue/parsers-wallet.ts';
import type { ReadKind, ReadRequest, ReadTable } from '../venue/requests.ts';
import type { ReadParser } from './classify-read.ts';

export interface ReadSettings {
  /** The venue lists every open order, however many: a page of 20 or 50 rows is then whole (Q4). */
  readonly openOrdersUncapped: boolean;
}

export type ReadParsers = {
  readonly [K in ReadKind]: (request: ReadRequest<K>) => ReadParser<ReadTable[K]['answer']>;
};

export function readParsersOf(settings: ReadSettings): ReadParsers {
  const { openOrdersUncapped: uncapped } = settings;
  return {
    'order-book': () => ({ numbers: 'fast', parse: parseOrderBook }),
    tickers: () => ({ numbers: 'fast', parse: parseTickers }),
    symbols: () => ({ numbers: 'fast', parse: parseSymbols }),
    'public-trades': () => ({ numbers: 'fast', parse: parsePublicTrades }),
    wallet: () => ({ numbers: 'exact', parse: parseWallet }),
    'open-orders': ({ symbol }) => ({
      numbers: 'exact',
      parse: (body) => parseOpenOrders(body, { uncapped, ...(symbol !== undefined && { symbol }) }),
    }),
    'spot-trades': ({ symbol, filter }) => ({
      numbers: 'exact',
      parse: (body) => parseSpotTrades(body, { symbol, ...(filter.by === 'order' && { orderId: filter.orderId }) }),
    }),
  };
}
