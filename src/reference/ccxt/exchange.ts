// One exchange through ccxt: only its public interface, only spot markets, no keys.
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseDecimal } from '../../domain/decimal.ts';
import { type Level, microPrice, midPrice, type Touch } from '../../domain/order-book.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { Seen } from '../combine.ts';
import { type ExternalRead, nameOfRead } from '../plan.ts';

interface ExchangeSettings {
  /** Longest wait for an answer. */
  readonly timeoutMs: DurationMs;
  /** Another address for the exchange; null for ccxt's own. */
  readonly baseUrl: string | null;
}

/** Some exchanges refuse smaller numbers. */
const BOOK_LEVELS = 5;
const LONGEST_DETAIL = 160;

export function openExchange(ccxt: Ccxt, id: string, { timeoutMs, baseUrl }: ExchangeSettings): CcxtExchange {
  const exchange = ccxt.create(id, {
    // ccxt's own limits for that exchange, in addition to the lane's.
    enableRateLimit: true,
    timeout: timeoutMs,
    options: { defaultType: 'spot' },
  });
  const { fetchMarkets } = exchange.options;
  // The lists of futures and currencies are long and not needed here.
  if (isRecord(fetchMarkets) && Array.isArray(fetchMarkets.types)) fetchMarkets.types = ['spot'];
  exchange.has.fetchCurrencies = false;
  if (baseUrl !== null) exchange.urls.api = withOrigin(exchange.urls.api, baseUrl);
  return exchange;
}

/** The same addresses at another origin; ccxt has them as text or in sections. */
function withOrigin(urls: unknown, origin: string): unknown {
  if (typeof urls === 'string') return urls.replace(/^https?:\/\/[^/]+/, origin);
  if (!isRecord(urls)) return urls;
  return Object.fromEntries(Object.entries(urls).map(([name, inner]) => [name, withOrigin(inner, origin)]));
}

/** Never rejects. `asOf`: when it is requested. */
export async function readPrice(exchange: CcxtExchange, read: ExternalRead, asOf: EpochMs): Promise<Seen> {
  try {
    const touch =
      read.read === 'ticker'
        ? touchOfTicker(await exchange.fetchTicker(read.symbol))
        : touchOfBook(await exchange.fetchOrderBook(read.symbol, BOOK_LEVELS));
    if (touch === null) return unseen(read, `its ${read.read} has no bid and ask, or they are crossed`);
    return { kind: 'seen', price: read.read === 'ticker' ? midPrice(touch) : microPrice(touch), asOf };
  } catch (error) {
    return unseen(read, detailOf(error));
  }
}

export const unseen = (read: ExternalRead, detail: string): Seen => ({
  kind: 'unseen',
  why: `${nameOfRead(read)}: ${detail}.`,
});

/** ccxt names its errors by possible reactions, and puts addresses and whole answers into their text. */
function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it failed';
  const text = error.message.replace(/\s+/g, ' ').slice(0, LONGEST_DETAIL);
  return `${error.constructor.name}, ${text.replace(/\.$/, '')}`;
}

/** A ticker's sizes are ignored: many exchanges leave them out. */
function touchOfTicker(ticker: unknown): Touch | null {
  if (!isRecord(ticker)) return null;
  return usable(levelOf([ticker.bid, 1]), levelOf([ticker.ask, 1]));
}

function touchOfBook(book: unknown): Touch | null {
  if (!isRecord(book) || !Array.isArray(book.bids) || !Array.isArray(book.asks)) return null;
  return usable(levelOf(book.bids[0]), levelOf(book.asks[0]));
}

function usable(bid: Level | null, ask: Level | null): Touch | null {
  return bid !== null && ask !== null && bid.price.lt(ask.price) ? { bid, ask } : null;
}

/**
 * ccxt gives numbers: up to 15 digits their shortest text equals the exchange's, which is enough for a reference price.
 */
function levelOf(row: unknown): Level | null {
  if (!Array.isArray(row)) return null;
  const [price, quantity] = [row[0], row[1]].map((value) => parseDecimal(String(value)));
  return price?.gt(0) && quantity?.gt(0) ? { price, quantity } : null;
}

// Loads the package ccxt, which reads the public interfaces of many exchanges. It is not a dependency of this program:
// a user who configures a reference installs it.

/** The install command, with the version that the tests run against. */
export const INSTALL_CCXT = 'npm install --no-save ccxt@4.5.84';

/** The used part of ccxt's exchange object. Answers are validated where they are read. */
export interface CcxtExchange {
  timeout: number;
  readonly urls: { api?: unknown };
  readonly has: Record<string, unknown>;
  readonly options: Record<string, unknown>;
  /** By symbol; absent before its list has come. */
  readonly markets?: Readonly<Record<string, unknown>>;
  fetchTicker(symbol: string): Promise<unknown>;
  fetchOrderBook(symbol: string, limit: number): Promise<unknown>;
}

export interface Ccxt {
  readonly version: string;
  /** Ids of the supported exchanges. */
  readonly exchanges: readonly string[];
  /** `id` must be one of them. */
  create(id: string, settings: Readonly<Record<string, unknown>>): CcxtExchange;
}

/** Instructions for a missing package. */
export const missingCcxt = (folders: readonly string[]): string =>
  `The package ccxt is missing in ${folders.join(' and ')}, and \`reference\` needs it: ${INSTALL_CCXT}`;

/** The package's file as found by a module in one of the folders; null if it is not installed. */
export function findCcxt(folders: readonly string[]): string | null {
  for (const folder of folders) {
    try {
      return createRequire(path.join(folder, 'package.json')).resolve('ccxt');
    } catch {
      // The next folder may have it.
    }
  }
  return null;
}

/** Takes a third of a second and 100 MB. Null if the file is not the expected ccxt. */
export async function loadCcxt(file: string): Promise<Ccxt | null> {
  // The path is only known at run time, so that compiler and linter don't look for a package that is not installed.
  const loaded: unknown = await import(pathToFileURL(file).href);
  const library = isRecord(loaded) && isRecord(loaded.default) ? loaded.default : loaded;
  if (!isRecord(library) || !Array.isArray(library.exchanges)) return null;
  const exchanges = library.exchanges.filter((id): id is string => typeof id === 'string');
  return {
    version: String(library.version),
    exchanges,
    create: (id, settings) => construct(library[id], settings),
  };
}

/** The type is ccxt's documented one; its answers are not trusted. */
function construct(exchange: unknown, settings: Readonly<Record<string, unknown>>): CcxtExchange {
  const Exchange = exchange as new (settings: Readonly<Record<string, unknown>>) => CcxtExchange;
  return new Exchange(settings);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  (typeof value === 'object' || typeof value === 'function') && value !== null;
