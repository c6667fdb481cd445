// Which parser understands the answer to which read.
import type { Fill } from '../../domain/fill.ts';
import type { CryptoTransfer, FiatTransfer, TransferDirection } from '../../domain/transfer.ts';
import { parseOpenOrders, parseWallet } from '../../venue/parsers/account.ts';
import { parseAssets } from '../../venue/parsers/assets.ts';
import {
  parseLegacyBestPrices,
  parseLegacyDepth,
  parseLegacyTickers,
  parseLegacyTrades,
} from '../../venue/parsers/legacy.ts';
import { parseOrderBook, parsePublicTrades, parseSymbols, parseTickers } from '../../venue/parsers/market.ts';
import { parseSbsTrades, parseSpotTrades } from '../../venue/parsers/trades.ts';
import { parseCryptoTransfers, parseFiatTransfers } from '../../venue/parsers/transfers.ts';
import type { ReadKind, ReadRequest, ReadTable } from '../../venue/requests.ts';
import { legacyMarketKey } from '../wire/request-message.ts';
import type { ReadParser } from './classify.ts';

export interface ReadSettings {
  /** The venue lists every open order, however many: a page of 20 or 50 rows is then whole (Q4). */
  readonly openOrdersUncapped: boolean;
}

type ReadParsers = {
  readonly [K in ReadKind]: (request: ReadRequest<K>) => ReadParser<ReadTable[K]['answer']>;
};

type SpotTradesRequest = ReadRequest<'spot-trades' | 'spot-trades-historical'>;
type CryptoRequest = ReadRequest<
  'crypto-deposits' | 'crypto-deposits-historical' | 'crypto-withdrawals' | 'crypto-withdrawals-historical'
>;
type FiatRequest = ReadRequest<
  'fiat-deposits' | 'fiat-deposits-historical' | 'fiat-withdrawals' | 'fiat-withdrawals-historical'
>;

function spotTrades({ symbol, filter }: SpotTradesRequest): ReadParser<readonly Fill[]> {
  const page = { symbol, ...(filter.by === 'order' && { orderId: filter.orderId }) };
  return { numbers: 'exact', parse: (body) => parseSpotTrades(body, page) };
}

function cryptoTransfers(direction: TransferDirection) {
  return ({ filter: { asset, status } }: CryptoRequest): ReadParser<readonly CryptoTransfer[]> => {
    const page = { direction, ...(asset !== undefined && { asset }), ...(status !== undefined && { status }) };
    return { numbers: 'exact', parse: (body) => parseCryptoTransfers(body, page) };
  };
}

function fiatTransfers(direction: TransferDirection) {
  return ({ filter: { status } }: FiatRequest): ReadParser<readonly FiatTransfer[]> => {
    const page = { direction, ...(status !== undefined && { status }) };
    return { numbers: 'exact', parse: (body) => parseFiatTransfers(body, page) };
  };
}

/** Money and ids are read exactly, market data fast; what carries both (legacy trades, limits of assets) exactly. */
export function readParsersOf(settings: ReadSettings): ReadParsers {
  const { openOrdersUncapped: uncapped } = settings;
  return {
    'legacy-best-prices': () => ({ numbers: 'fast', parse: parseLegacyBestPrices }),
    'legacy-tickers': () => ({ numbers: 'fast', parse: parseLegacyTickers }),
    'legacy-depth': () => ({ numbers: 'fast', parse: parseLegacyDepth }),
    'legacy-trades': ({ symbol }) => ({
      numbers: 'exact',
      parse: (body) => parseLegacyTrades(body, legacyMarketKey(symbol)),
    }),
    'order-book': () => ({ numbers: 'fast', parse: parseOrderBook }),
    tickers: ({ symbol }) => ({
      numbers: 'fast',
      parse: (body) => parseTickers(body, { ...(symbol !== undefined && { symbol }) }),
    }),
    symbols: () => ({ numbers: 'fast', parse: parseSymbols }),
    'public-trades': () => ({ numbers: 'fast', parse: parsePublicTrades }),
    assets: ({ asset }) => ({
      numbers: 'exact',
      parse: (body) => parseAssets(body, { ...(asset !== undefined && { asset }) }),
    }),
    wallet: () => ({ numbers: 'exact', parse: parseWallet }),
    'crypto-deposits': cryptoTransfers('deposit'),
    'crypto-deposits-historical': cryptoTransfers('deposit'),
    'crypto-withdrawals': cryptoTransfers('withdrawal'),
    'crypto-withdrawals-historical': cryptoTransfers('withdrawal'),
    'fiat-deposits': fiatTransfers('deposit'),
    'fiat-deposits-historical': fiatTransfers('deposit'),
    'fiat-withdrawals': fiatTransfers('withdrawal'),
    'fiat-withdrawals-historical': fiatTransfers('withdrawal'),
    'open-orders': ({ symbol }) => ({
      numbers: 'exact',
      parse: (body) => parseOpenOrders(body, { uncapped, ...(symbol !== undefined && { symbol }) }),
    }),
    'spot-trades': spotTrades,
    'spot-trades-historical': spotTrades,
    'sbs-trades': ({ symbol, filter: { orderId } }) => ({
      numbers: 'exact',
      parse: (body) => parseSbsTrades(body, { symbol, ...(orderId !== undefined && { orderId }) }),
    }),
  };
}
