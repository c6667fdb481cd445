// Other exchanges through ccxt, over real sockets: a server on this machine speaks as Binance does.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { decimal, plain } from '../../../src/domain/decimal.ts';
import { realClock } from '../../../src/ports/clock.ts';
import { type Ccxt, findCcxt, INSTALL_CCXT, loadCcxt, missingCcxt } from '../../../src/reference/ccxt/exchange.ts';
import { type ReferencePlan, unknownExchanges, watchReference } from '../../../src/reference/ccxt/watch.ts';
import type { ExternalReading } from '../../../src/reference/combine.ts';
import type { ExternalSource } from '../../../src/reference/plan.ts';
import { findCcxtFolder } from '../../process/tools.ts';
import { type BinanceServer, startBinance } from './binance-server.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const folder = findCcxtFolder('other exchanges through ccxt');
const file = folder === null ? null : findCcxt([folder]);
const withCcxt = file === null ? test.skip : test;
const ccxt: Ccxt | null = file === null ? null : await loadCcxt(file);

let binance: BinanceServer;
let ends: (() => void)[] = [];
beforeEach(async () => {
  binance = await startBinance();
  binance.quotes.set('BTCUSDT', { bid: '100000.5', ask: '100002.5', bidSize: '3', askSize: '1' });
  binance.quotes.set('USDTTRY', { bid: '40', ask: '41', bidSize: '1', askSize: '1' });
  binance.quotes.set('BTCTRY', { bid: '4050000', ask: '4050000.1', bidSize: '0.5', askSize: '0.5' });
});
afterEach(async () => {
  for (const end of ends) end();
  ends = [];
  await binance.close();
});

const GUARDS = {
  minimumSources: 1,
  widenAfterMs: 5_000,
  staleMs: 20_000,
  widenBeyondBps: 20,
  stopBeyondBps: 100,
};
const ofUsdt = (read: 'ticker' | 'book'): ExternalSource => ({
  exchange: 'binance',
  symbol: 'BTC/USDT',
  read,
  rates: [{ kind: 'fixed', symbol: 'USDT/TRY', price: decimal(40) }],
});

interface Watched {
  readonly told: ExternalReading[];
  readonly notes: string[];
  end(): void;
}

function watch(sources: readonly ExternalSource[], pace: Partial<ReferencePlan> = {}): Watched {
  if (ccxt === null) throw new Error('It was not loaded.');
  const told: ExternalReading[] = [];
  const notes: string[] = [];
  const plan: ReferencePlan = {
    ...{ pollMs: 50, timeoutMs: 120_000, requestsPerSecond: 50, baseUrls: { binance: binance.url } },
    symbols: [{ symbol: 'BTC/TRY', sources, guards: GUARDS }],
    ...pace,
  };
  const { end } = watchReference(plan, {
    ...{ ccxt, clock: realClock },
    ofMarket: (symbol) => ({ kind: 'unseen', why: `${symbol} is not here.` }),
    tell: (_, reading) => told.push(reading),
    note: (kind, message) => notes.push(`${kind}: ${message}`),
  });
  ends.push(end);
  return { told, notes, end };
}

const PATIENCE_MS = 30_000;

/** Waits until it holds; rejects when it does not come to hold. */
async function until(holds: () => boolean): Promise<void> {
  const from = performance.now();
  while (!holds()) {
    if (performance.now() - from > PATIENCE_MS) throw new Error(`${holds} did not hold within ${PATIENCE_MS} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const legs = ({ told }: Watched): string[] =>
  (told.at(-1)?.legs ?? []).map(({ source, price }) => `${source} ${plain(price)}`);
const pathsOf = (server: BinanceServer): string[] => server.asked.map(({ path: asked }) => asked);

describe('a price', () => {
  withCcxt('of a ticker is the middle, in our own unit, and as old as its question', async () => {
    const before = realClock.now();
    const watched = watch([ofUsdt('ticker')]);
    expect(watched.told).toEqual([{ legs: [], missing: ['binance BTC/USDT: not read yet.'], guards: GUARDS }]);
    await until(() => watched.told.length > 1);
    expect(legs(watched)).toEqual(['binance BTC/USDT 4000060']);
    const asOf = watched.told.at(-1)?.legs[0]?.asOf ?? 0;
    expect(asOf).toBeGreaterThanOrEqual(before);
    expect(asOf).toBeLessThanOrEqual(realClock.now());
    expect(pathsOf(binance).slice(0, 2)).toEqual(['/api/v3/exchangeInfo', '/api/v3/ticker/24hr?symbol=BTCUSDT']);
  });

  withCcxt('of a book is weighted by the sizes', async () => {
    const watched = watch([ofUsdt('book')]);
    await until(() => watched.told.length > 1);
    // Three at the bid, one at the ask: three quarters of the way up.
    expect(legs(watched)).toEqual(['binance BTC/USDT 4000080']);
    expect(pathsOf(binance)).toContain('/api/v3/depth?symbol=BTCUSDT&limit=5');
  });

  withCcxt('goes through a rate that is read there as well, and follows the market', async () => {
    const viaRate: ExternalSource = {
      ...ofUsdt('ticker'),
      rates: [{ kind: 'exchange', exchange: 'binance', symbol: 'USDT/TRY', read: 'ticker' }],
    };
    const own: ExternalSource = { exchange: 'binance', symbol: 'BTC/TRY', read: 'ticker', rates: [] };
    const watched = watch([viaRate, own]);
    await until(() => legs(watched).length === 2);
    expect(legs(watched)).toEqual(['binance BTC/USDT 4050060.75', 'binance BTC/TRY 4050000.05']);
    binance.quotes.set('USDTTRY', { bid: '41', ask: '43', bidSize: '1', askSize: '1' });
    await until(() => legs(watched)[0] === 'binance BTC/USDT 4200063');
  });
});

describe('what fails', () => {
  withCcxt('is told once, asked for more rarely, leaves the last price, and is told when it is over', async () => {
    const watched = watch([ofUsdt('ticker')]);
    await until(() => watched.told.length > 1);
    binance.fault = 502;
    const from = binance.asked.length;
    await until(() => watched.notes.length > 0);
    expect(watched.notes[0]).toMatch(
      /^fails: The external price of binance BTC\/USDT cannot be read: .*ExchangeNotAvailable, .*502 Bad Gateway/,
    );
    await until(() => binance.asked.length > from + 3);
    // One that was under way may have failed already. Each was asked after the one before it had come, and three
    // pauses follow the first failure: 100, 200 and 400 ms, where the usual ones would be 50 each.
    const [last, good] = [binance.asked[from + 3], binance.asked[from - 2]].map((each) => each?.at ?? Number.NaN);
    expect((last ?? 0) - (good ?? 0)).toBeGreaterThanOrEqual(690);
    expect(legs(watched)).toEqual(['binance BTC/USDT 4000060']);
    expect(watched.notes).toHaveLength(1);
    binance.fault = 'none';
    await until(() => watched.notes.length > 1);
    expect(watched.notes.slice(1)).toEqual(['answers: binance BTC/USDT can be read again.']);
  });

  // ccxt keeps the promise of its first list of markets, and with it whatever became of that.
  withCcxt.each<[string, BinanceServer['fault'], number]>([
    ['fails', 503, 120_000],
    ['stops halfway', 'stall', 1_000],
    ['is empty', 'empty', 120_000],
  ])('a first list of markets that %s is asked for again', async (_, fault, timeoutMs) => {
    binance.fault = fault;
    const watched = watch([ofUsdt('ticker')], { timeoutMs });
    await until(() => watched.notes.length > 0);
    binance.fault = 'none';
    await until(() => watched.notes.length > 1);
    expect(watched.notes.slice(1)).toEqual(['answers: binance BTC/USDT can be read again.']);
    expect(legs(watched)).toEqual(['binance BTC/USDT 4000060']);
  });

  withCcxt('a list that lacks one symbol is read again for that one, and keeps no other from its price', async () => {
    const missing: ExternalSource = { exchange: 'binance', symbol: 'BTC/XYZ', read: 'ticker', rates: [] };
    const watched = watch([missing, ofUsdt('ticker')]);
    await until(() => watched.notes.length > 0 && legs(watched).length > 0);
    binance.fault = 'no-list';
    const from = pathsOf(binance).length;
    await until(() => pathsOf(binance).slice(from).includes('/api/v3/exchangeInfo'));
    const told = watched.told.length;
    await until(() => watched.told.length > told + 3);
    expect(watched.notes).toHaveLength(1);
  });

  // Times that a machine which stands still for a moment does not mix up: that of the head is over long before the
  // whole one is, or the head has come.
  withCcxt.each<[string, BinanceServer['fault'], number, RegExp]>([
    ['a limit that is reached', 429, 120_000, /: (?:RateLimitExceeded|DDoSProtection), /],
    ['an answer that never comes', 'hang', 1_000, /: RequestTimeout, .* timed out \(1000 ms\)/],
    ['an answer that stops halfway', 'stall', 2_000, /: no whole answer within 6000 ms\.$/],
  ])('%s is a sentence', async (_, fault, timeoutMs, expected) => {
    binance.fault = fault;
    const watched = watch([ofUsdt('ticker')], { timeoutMs });
    await until(() => (watched.told.at(-1)?.missing[0] ?? '').match(/not read yet/) === null);
    expect(watched.told.at(-1)).toMatchObject({ legs: [], missing: [expect.stringMatching(expected)] });
  });

  withCcxt.each<[string, Partial<{ bid: string; ask: string }>]>([
    ['crossed', { bid: '100003' }],
    ['without a bid', { bid: '0.00' }],
  ])('a ticker that is %s gives no price', async (_, change) => {
    binance.quotes.set('BTCUSDT', { bid: '100000.5', ask: '100002.5', bidSize: '3', askSize: '1', ...change });
    const watched = watch([ofUsdt('ticker')]);
    await until(() => watched.notes.length > 0);
    expect(watched.told.at(-1)?.missing).toEqual([
      'binance BTC/USDT: its ticker has no bid and ask, or they are crossed.',
    ]);
  });

  withCcxt('a symbol that the exchange does not list says so', async () => {
    const watched = watch([{ exchange: 'binance', symbol: 'BTC/XYZ', read: 'ticker', rates: [] }]);
    await until(() => watched.notes.length > 0);
    expect(watched.notes[0]).toContain('BadSymbol, binance does not have market symbol BTC/XYZ.');
  });
});

describe('the lane', () => {
  const many: ExternalSource[] = ['BTC/USDT', 'USDT/TRY', 'BTC/TRY'].flatMap((symbol) =>
    (['ticker', 'book'] as const).map((read) => ({ exchange: 'binance', symbol, read, rates: [] })),
  );

  withCcxt('asks one at a time, and no more often than it may', async () => {
    const from = performance.now();
    const watched = watch(many, { requestsPerSecond: 20, pollMs: 10 });
    await until(() => watched.told.length > 12);
    expect(binance.mostAtOnce()).toBe(1);
    // Not from the first one's arrival on: that may be late, and those after it leave when they may all the same.
    const spaced = ((binance.asked.at(-1)?.at ?? 0) - from) / (binance.asked.length - 2);
    expect(spaced).toBeGreaterThanOrEqual(48);
  });

  withCcxt('asks nothing and tells nothing once it has ended', async () => {
    const watched = watch([ofUsdt('ticker')]);
    await until(() => watched.told.length > 2);
    watched.end();
    const [told, asked] = [watched.told.length, binance.asked.length];
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(watched.told).toHaveLength(told);
    // One may have been under way.
    expect(binance.asked.length).toBeLessThanOrEqual(asked + 1);
  });
});

describe('the package', () => {
  withCcxt('knows Binance, and not what it does not know', () => {
    if (ccxt === null) throw new Error('It was not loaded.');
    const source = { ...ofUsdt('ticker'), exchange: 'bynance' };
    const plan = { pollMs: 1, timeoutMs: 1, requestsPerSecond: 1, baseUrls: {} };
    const symbols = [{ symbol: 'BTC/TRY', sources: [source, ofUsdt('ticker')], guards: GUARDS }];
    expect(unknownExchanges({ ...plan, symbols }, ccxt)).toEqual(['bynance']);
    expect(`ccxt@${ccxt.version}`).toBe(INSTALL_CCXT.split(' ').at(-1));
  });

  test('is not found where it is not, and the sentence says what to do', () => {
    expect(findCcxt(['/'])).toBeNull();
    expect(missingCcxt(['/nowhere', '/'])).toBe(
      `The package ccxt is missing in /nowhere and /, and \`reference\` needs it: ${INSTALL_CCXT}`,
    );
  });

  test('is installed by continuous integration in the same version', () => {
    expect(readFileSync(path.join(root, '.ci/run'), 'utf8')).toContain(INSTALL_CCXT);
  });
});
