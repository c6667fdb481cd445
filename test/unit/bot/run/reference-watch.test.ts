// An external price converted by a market of this exchange whose own price is not trusted.
import { afterEach, describe, expect, test } from '@jest/globals';
import { loadReference, startReference } from '../../../../src/bot/run/reference-watch.ts';
import type { ReferenceSettings } from '../../../../src/bot/settings/types.ts';
import { decimal } from '../../../../src/domain/decimal.ts';
import { INSTALL_CCXT } from '../../../../src/reference/ccxt/exchange.ts';
import { marketIn } from '../../../../src/trader/durable/market.ts';
import type { TraderSettings } from '../../../../src/trader/state/settings.ts';
import { BTC, deskSettings } from '../../trader/desk-settings.ts';
import { type Desk, deskWith, makeReady } from '../../trader/trader-kit.ts';

const USDT = 'USDT/INR';
const TENFOLD = 10;

const usdtAlone = (): TraderSettings => of([USDT]);
const both = (): TraderSettings => of([USDT, BTC]);
function of(symbols: readonly string[]): TraderSettings {
  const settings = deskSettings({ symbols, limits: { maxOrderQuantity: '1000', maxInventoryBase: '100000' } });
  const runs = settings.runs.map((run) =>
    run.instrument.symbol === BTC
      ? { ...run, referenceSource: 'external' as const }
      : { ...run, instrument: { ...run.instrument, tickSize: decimal('0.01') } },
  );
  return { ...settings, runs };
}

/**
 * As in docs/strategies.md: BTC/USDT of another exchange, times the mid price of our own USDT/INR. It says 1,000 USDT.
 */
const REFERENCE: ReferenceSettings = {
  packageFolders: ['.'],
  pollMs: 5,
  timeoutMs: 1_000,
  requestsPerSecond: 200,
  baseUrls: {},
  symbols: [
    {
      symbol: BTC,
      sources: [{ exchange: 'binance', symbol: 'BTC/USDT', read: 'ticker', rates: [{ kind: 'market', symbol: USDT }] }],
      guards: {
        ...{ minimumSources: 1, widenAfterMs: 6_000, staleMs: 20_000 },
        ...{ widenBeyondBps: 20, stopBeyondBps: 100 },
      },
    },
  ],
} as unknown as ReferenceSettings;

test('without the package nothing starts, and the sentence says what to do', async () => {
  const missing = { ...REFERENCE, packageFolders: ['/nowhere', '/'] };
  await expect(loadReference(missing, { logEvent: () => {} })).rejects.toMatchObject({
    code: 78,
    message: `The package ccxt is missing in /nowhere and /, and \`reference\` needs it: ${INSTALL_CCXT}`,
  });
});

let watch: { end(): void } | null = null;
afterEach(() => watch?.end());

function ask(desk: Desk): void {
  const exchange = {
    ...{ timeout: 1_000, urls: {}, has: {}, options: {} },
    fetchTicker: async () => ({ bid: 999, ask: 1_001 }),
    fetchOrderBook: async () => ({}),
  };
  watch = startReference(
    REFERENCE,
    { version: 'test', exchanges: ['binance'], create: () => exchange },
    {
      loop: { tell: (input: never) => desk.tell(input), state: () => desk.state() } as never,
      clock: { now: () => desk.now(), monotonic: () => performance.now() } as never,
      log: { logEvent: () => {} },
    },
  );
}

async function follow(desk: Desk, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 1) {
    await new Promise((resolve) => setTimeout(resolve, 15));
    desk.run(1_000);
  }
}

const books = (desk: Desk, { usdt = 1, btc = 1 }): void => {
  desk.shows.books[USDT] = [99 * usdt, 101 * usdt];
  desk.shows.books[BTC] = [99_000 * btc, 101_000 * btc];
};

const missing = (desk: Desk): readonly string[] | undefined => desk.state().markets.get(BTC)?.externalReading?.missing;

function begin(settings: TraderSettings): Desk {
  const desk = deskWith(settings);
  books(desk, {});
  desk.shows.balances = { INR: decimal(1_000_000), BTC: decimal(1), USDT: decimal(1_000) };
  makeReady(desk);
  desk.run(20_000);
  return desk;
}

describe('USDT/INR has slipped by a decimal, and is known to have', () => {
  test('BTC/INR, which is new, gets no bid at ten times its price', async () => {
    const desk = begin(usdtAlone());
    books(desk, { usdt: TENFOLD, btc: TENFOLD });
    desk.restart(both());
    ask(desk);
    await follow(desk, 40);
    expect(desk.state().markets.get(USDT)?.jump).not.toBeNull();
    expect(missing(desk)).toEqual(['The price of USDT/INR jumped here, and is not trusted.']);
    const bids = desk.events.flatMap(({ type, payload }) =>
      type === 'intent' && payload.symbol === BTC && payload.side === 'buy' ? [payload.price] : [],
    );
    expect(bids).toEqual([]);
  });

  test('BTC/INR, whose own book is right, is not halted for it', async () => {
    const desk = begin(both());
    ask(desk);
    await follow(desk, 20);
    expect(desk.state().markets.get(BTC)?.lastGoodReference?.toFixed()).toBe('100000');
    books(desk, { usdt: TENFOLD });
    await follow(desk, 90);
    expect(marketIn(desk.state().durable, USDT).halt?.code).toBe('price');
    expect(marketIn(desk.state().durable, BTC).halt?.code).toBeUndefined();
    expect(missing(desk)).toEqual(['USDT/INR is halted here because its price jumped.']);
  });
});

test('a market whose price no second book has confirmed yet converts nothing', async () => {
  const desk = deskWith(both());
  books(desk, {});
  ask(desk);
  desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 50, confirmed: true });
  desk.look('book');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(missing(desk)).toEqual(['No second book has confirmed the price of USDT/INR here yet.']);
});
