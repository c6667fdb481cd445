// Selects the parser for each read's answer.
import type { Fill } from '../../domain/fill.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { CryptoTransfer, FiatTransfer, TransferDirection } from '../../domain/transfer.ts';
import type { Dialect } from '../../venue/dialect.ts';
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

type ReadParsers = {
  readonly [K in ReadKind]: (request: ReadRequest<K>) => ReadParser<ReadTable[K]['answer']>;
};

type Parse<T> = ReadParser<T>['parse'];
const exact = <T>(parse: Parse<T>): ReadParser<T> => ({ numbers: 'exact', parse, last: null });
const fast = <T>(parse: Parse<T>): ReadParser<T> => ({ numbers: 'fast', parse, last: null });

/** One parser per symbol: it remembers its last answer. */
function perSymbol<R extends { readonly symbol?: InstrumentSymbol }, T>(make: (request: R) => ReadParser<T>) {
  const made = new Map<InstrumentSymbol | undefined, ReadParser<T>>();
  return (request: R): ReadParser<T> => {
    const parser = made.get(request.symbol) ?? make(request);
    made.set(request.symbol, parser);
    return parser;
  };
}

type SpotTradesRequest = ReadRequest<'spot-trades' | 'spot-trades-historical'>;
type CryptoRequest = ReadRequest<
  'crypto-deposits' | 'crypto-deposits-historical' | 'crypto-withdrawals' | 'crypto-withdrawals-historical'
>;
type FiatRequest = ReadRequest<
  'fiat-deposits' | 'fiat-deposits-historical' | 'fiat-withdrawals' | 'fiat-withdrawals-historical'
>;

function spotTrades(): (request: SpotTradesRequest) => ReadParser<readonly Fill[]> {
  const of = ({ symbol }: SpotTradesRequest, orderId?: OrderId): ReadParser<readonly Fill[]> =>
    exact((body) => parseSpotTrades(body, { symbol, orderId }));
  const ofSymbol = perSymbol(of);
  return (request) => (request.filter.by === 'order' ? of(request, request.filter.orderId) : ofSymbol(request));
}

function cryptoTransfers(direction: TransferDirection) {
  return ({ filter: { asset, status } }: CryptoRequest): ReadParser<readonly CryptoTransfer[]> =>
    exact((body) => parseCryptoTransfers(body, { direction, asset, status }));
}

function fiatTransfers(direction: TransferDirection) {
  return ({ filter: { status } }: FiatRequest): ReadParser<readonly FiatTransfer[]> =>
    exact((body) => parseFiatTransfers(body, { direction, status }));
}

/** Money and ids are read exactly, market data fast; answers with both (legacy trades, asset limits) exactly. */
export function readParsersOf({ openOrdersCaps: caps }: Pick<Dialect, 'openOrdersCaps'>): ReadParsers {
  const wallet = exact(parseWallet);
  return {
    'legacy-best-prices': () => fast(parseLegacyBestPrices),
    'legacy-tickers': () => fast(parseLegacyTickers),
    'legacy-depth': () => fast(parseLegacyDepth),
    'legacy-trades': ({ symbol }) => exact((body) => parseLegacyTrades(body, legacyMarketKey(symbol))),
    'order-book': perSymbol(() => fast(parseOrderBook)),
    tickers: ({ symbol }) => fast((body) => parseTickers(body, { symbol })),
    symbols: () => fast(parseSymbols),
    'public-trades': () => fast(parsePublicTrades),
    assets: ({ asset }) => exact((body) => parseAssets(body, { asset })),
    wallet: () => wallet,
    'crypto-deposits': cryptoTransfers('deposit'),
    'crypto-deposits-historical': cryptoTransfers('deposit'),
    'crypto-withdrawals': cryptoTransfers('withdrawal'),
    'crypto-withdrawals-historical': cryptoTransfers('withdrawal'),
    'fiat-deposits': fiatTransfers('deposit'),
    'fiat-deposits-historical': fiatTransfers('deposit'),
    'fiat-withdrawals': fiatTransfers('withdrawal'),
    'fiat-withdrawals-historical': fiatTransfers('withdrawal'),
    'open-orders': perSymbol(({ symbol }) => exact((body) => parseOpenOrders(body, { caps, symbol }))),
    'spot-trades': spotTrades(),
    'spot-trades-historical': spotTrades(),
    'sbs-trades': ({ symbol, filter: { orderId } }) => exact((body) => parseSbsTrades(body, { symbol, orderId })),
  };
}
