// Each thing that is asked, as a message of the client's: most are plain reads, four are not quite.

import { messageOf, type RequestMessage } from '../../../client/wire/request-message.ts';
import type { SigningSettings } from '../../../client/wire/signed-request.ts';
import type { TradeId } from '../../../domain/ids.ts';
import type { InstrumentSymbol } from '../../../domain/instrument.ts';
import { LIST_LIMIT_MAX } from '../../../venue/bounds.ts';
import { ENDPOINTS } from '../../../venue/endpoints.ts';
import type { LaneName, ReadKind, ReadRequest, Stamp } from '../../../venue/requests.ts';
import type { Topic } from '../facts/answer.ts';

export interface Question {
  readonly topic: Topic;
  readonly symbol: InstrumentSymbol | null;
  readonly lane: LaneName;
  /** The stamp is for private requests alone. */
  message(stamp: Stamp): RequestMessage;
  /** What is signed or addressed otherwise than configured. */
  readonly otherwise?: Partial<Pick<SigningSettings, 'percentEncoding' | 'legacyPaths'>>;
  /**
   * `neighbor`: right after the answer before, if that left more than one request of its window. `provoking`: without
   * waiting, and without asking again after a refusal. Left out: when the lane's turn comes.
   */
  readonly pace?: 'neighbor' | 'provoking';
}

type Plain = Extract<Topic, ReadKind>;

/** A read as the program itself would make it. */
function read(request: (stamp: Stamp) => ReadRequest & { readonly kind: Plain }): Question {
  const { kind, ...asked } = request({ timestamp: 0, recvWindow: 0 });
  const symbol = 'symbol' in asked && typeof asked.symbol === 'string' ? asked.symbol : null;
  return { topic: kind, symbol, lane: ENDPOINTS[kind].lane, message: (stamp) => messageOf(request(stamp)) };
}

const limit = LIST_LIMIT_MAX;

export const askSymbols: Question = read(() => ({ kind: 'symbols' }));
export const askTickers: Question = read(() => ({ kind: 'tickers' }));
export const askAssets: Question = read(() => ({ kind: 'assets' }));
export const askBook = (symbol: InstrumentSymbol): Question => read(() => ({ kind: 'order-book', symbol, limit }));
export const askPublicTrades = (symbol: InstrumentSymbol): Question =>
  read(() => ({ kind: 'public-trades', symbol, limit }));

/** Documented to be refused with -1105, and without consequence. */
export function askTooMany(symbol: InstrumentSymbol): Question {
  const endpoint = ENDPOINTS['public-trades'];
  const query = [
    ['symbol', symbol],
    ['limit', String(limit + 1)],
  ] as const;
  return { topic: 'limit-51', symbol, lane: 'public', message: () => ({ endpoint, query, body: null }) };
}

export const askNowhere: Question = {
  topic: 'unknown-path',
  symbol: null,
  lane: 'public',
  message: () => ({
    endpoint: { ...ENDPOINTS.symbols, path: '/api/v1/public/exchange/no-such-endpoint' },
    query: [],
    body: null,
  }),
};

/** The list of symbols again, whether it is time or not. */
export const askTooSoon: Question = { ...askSymbols, topic: 'provoked', pace: 'provoking' };

export const askLegacyBestPrices: Question = read(() => ({ kind: 'legacy-best-prices' }));
export const askLegacyTickers: Question = read(() => ({ kind: 'legacy-tickers' }));

/** By the path of the request lines or by that of the sample calls (Q13). */
export function askLegacy(
  kind: 'legacy-depth' | 'legacy-trades',
  symbol: InstrumentSymbol,
  legacyPaths: 'versioned' | 'sample',
): Question {
  const topic = legacyPaths === 'sample' ? (`${kind}-sample` as const) : kind;
  return { ...read(() => ({ kind, symbol })), topic, otherwise: { legacyPaths } };
}

export const askWallet: Question = read((stamp) => ({ kind: 'wallet', stamp }));

/** Of one symbol, or of all. */
export const askOpenOrders = (symbol?: InstrumentSymbol): Question =>
  read((stamp) => ({ kind: 'open-orders', stamp, ...(symbol !== undefined && { symbol }) }));

export const askOwnTrades = (symbol: InstrumentSymbol): Question =>
  read((stamp) => ({ kind: 'spot-trades', symbol, filter: { by: 'symbol' }, limit, stamp }));

export const askArchivedTrades = (symbol: InstrumentSymbol): Question =>
  read((stamp) => ({ kind: 'spot-trades-historical', symbol, filter: { by: 'symbol' }, limit, stamp }));

/** Q22: signed in the form that is not configured. */
export function askOwnTradesSigned(symbol: InstrumentSymbol, percentEncoding: 'raw' | 'encoded'): Question {
  return { ...askOwnTrades(symbol), topic: 'spot-trades-encoded', otherwise: { percentEncoding } };
}

/** Q3. */
export function askFromId(symbol: InstrumentSymbol, fromId: TradeId): Question {
  const from = read((stamp) => ({
    kind: 'spot-trades',
    symbol,
    filter: { by: 'from-id', fromId },
    limit: 2,
    stamp,
  }));
  return { ...from, topic: 'spot-trades-from-id' };
}

export const askSbsTrades = (symbol: InstrumentSymbol): Question =>
  read((stamp) => ({ kind: 'sbs-trades', symbol, filter: { time: { by: 'all' } }, limit, stamp }));

type TransferList = Exclude<Extract<Plain, `${'crypto' | 'fiat'}-${string}`>, never>;

export const TRANSFER_LISTS: readonly TransferList[] = [
  'crypto-deposits',
  'crypto-deposits-historical',
  'fiat-deposits',
  'fiat-deposits-historical',
  'crypto-withdrawals',
  'crypto-withdrawals-historical',
  'fiat-withdrawals',
  'fiat-withdrawals-historical',
];

export const askTransfers = (kind: TransferList): Question =>
  read((stamp) => ({ kind, filter: { time: { by: 'all' } }, limit, stamp }));
