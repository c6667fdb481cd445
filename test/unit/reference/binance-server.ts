// A server on this machine that speaks as much of Binance's public interface as ccxt asks for, with faults to order.
// Paths and fields: https://developers.binance.com/docs/binance-spot-api-docs/rest-api
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BinanceServer {
  readonly url: string;
  /** Best bid and ask, and their sizes, by symbol as Binance writes it: `BTCUSDT`. */
  readonly quotes: Map<string, { bid: string; ask: string; bidSize: string; askSize: string }>;
  /** Paths in the order in which they were asked, with the moment. */
  readonly asked: { readonly path: string; readonly at: number }[];
  /** How many waited for their answer at once, at the most. */
  mostAtOnce(): number;
  /**
   * `hang`: nothing is answered. `stall`: the head comes, the body does not. `empty`: no market is listed. `no-list`:
   * the list alone is refused with a 503. A number: that status.
   */
  fault: 'none' | 'hang' | 'stall' | 'empty' | 'no-list' | number;
  close(): Promise<void>;
}

const ASSETS: Readonly<Record<string, readonly [string, string]>> = {
  BTCUSDT: ['BTC', 'USDT'],
  USDTTRY: ['USDT', 'TRY'],
  BTCTRY: ['BTC', 'TRY'],
};

function market([symbol, [base, quote]]: [string, readonly [string, string]]): Record<string, unknown> {
  return {
    symbol,
    status: 'TRADING',
    baseAsset: base,
    baseAssetPrecision: 8,
    quoteAsset: quote,
    quotePrecision: 8,
    quoteAssetPrecision: 8,
    orderTypes: ['LIMIT'],
    isSpotTradingAllowed: true,
    isMarginTradingAllowed: false,
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '10000000', tickSize: '0.01' },
      { filterType: 'LOT_SIZE', minQty: '0.00001', maxQty: '9000', stepSize: '0.00001' },
    ],
    permissions: ['SPOT'],
    permissionSets: [['SPOT']],
  };
}

/** Listens on a free port. */
export async function startBinance(): Promise<BinanceServer> {
  const quotes: BinanceServer['quotes'] = new Map();
  const asked: { path: string; at: number }[] = [];
  let atOnce = 0;
  let most = 0;

  function answerTo(url: URL): unknown {
    const symbol = url.searchParams.get('symbol') ?? '';
    const quote = quotes.get(symbol);
    if (url.pathname === '/api/v3/exchangeInfo') {
      const symbols = binance.fault === 'empty' ? [] : Object.entries(ASSETS).map(market);
      return { timezone: 'UTC', serverTime: 1, rateLimits: [], symbols };
    }
    if (quote === undefined) return null;
    const { bid, ask, bidSize, askSize } = quote;
    if (url.pathname === '/api/v3/ticker/24hr')
      return { symbol, bidPrice: bid, bidQty: bidSize, askPrice: ask, askQty: askSize, lastPrice: bid, closeTime: 1 };
    if (url.pathname !== '/api/v3/depth') return null;
    return { lastUpdateId: 1, bids: [[bid, bidSize]], asks: [[ask, askSize]] };
  }

  function answer(url: URL, response: ServerResponse): void {
    if (binance.fault === 'hang') return;
    response.setHeader('content-type', 'application/json');
    if (typeof binance.fault === 'number') {
      // Gateways answer a 5xx, and not in JSON.
      const text = binance.fault < 500 ? '{"code":-1003,"msg":"Too many requests."}' : '<html>Bad gateway</html>';
      response.writeHead(binance.fault).end(text);
      return;
    }
    if (binance.fault === 'no-list' && url.pathname === '/api/v3/exchangeInfo') {
      response.writeHead(503).end('<html>Service unavailable</html>');
      return;
    }
    if (binance.fault === 'stall') {
      response.write('{');
      return;
    }
    const body = answerTo(url);
    if (body === null) response.writeHead(400).end(JSON.stringify({ code: -1121, msg: 'Invalid symbol.' }));
    else response.end(JSON.stringify(body));
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    asked.push({ path: `${url.pathname}${url.search}`, at: performance.now() });
    atOnce += 1;
    most = Math.max(most, atOnce);
    response.on('close', () => {
      atOnce -= 1;
    });
    // A little later, so that requests that leave together are here together.
    setTimeout(() => answer(url, response), 5);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const binance: BinanceServer = {
    url: `http://127.0.0.1:${port}`,
    quotes,
    asked,
    mostAtOnce: () => most,
    fault: 'none',
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return binance;
}
