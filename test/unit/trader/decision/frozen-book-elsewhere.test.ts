// What a book that lacks our orders is kept from, beside being quoted by.
import { describe, expect, test } from '@jest/globals';
import { startReference } from '../../../../src/bot/run/reference-watch.ts';
import { decimal } from '../../../../src/domain/decimal.ts';
import type { MarketEvent, Strategy } from '../../../../src/quoting/strategy.ts';
import type { ExternalReading } from '../../../../src/reference/combine.ts';
import type { TraderInput } from '../../../../src/trader/observe/observe.ts';
import type { RunSettings, TraderSettings } from '../../../../src/trader/state/settings.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { BTC, deskSettings } from '../desk-settings.ts';
import { type Desk, deskWith, makeReady, reasons } from '../trader-kit.ts';

describe('a book that is held for frozen (decision 0027) makes no price, for other markets either', () => {
  const USDT = 'USDT/INR';

  /** The book of USDT/INR stands still and lacks our orders, and that is known. */
  function frozenDesk(settings: TraderSettings): Desk {
    const desk = deskWith(settings);
    desk.shows.balances = { INR: decimal(10_000_000), BTC: decimal(1), USDT: decimal(10_000) };
    desk.shows.books = { [BTC]: [99_000, 101_000], [USDT]: [990, 1_010] };
    makeReady(desk);
    const level = (price: number) => ({ price: decimal(price), quantity: decimal('1') });
    desk.reply = (request) => {
      if (request.kind !== 'order-book' || request.symbol !== USDT) return undefined;
      const rows = { bids: [level(990), level(900)], asks: [level(1_010), level(1_100)] };
      return { kind: 'read', read: { rows, complete: true, sentAt: desk.now(), receivedAt: desk.now() } };
    };
    desk.run(70_000);
    expect(reasons(desk)[1]).toContain('frozen');
    return desk;
  }

  test('no rate of a reference', async () => {
    const desk = frozenDesk(deskSettings({ symbols: [BTC, USDT] }));
    const read = { exchange: 'x', symbol: 'BTC/USDT', read: 'ticker' } as const;
    const rates = [{ kind: 'market', symbol: USDT }] as const;
    const guards = { minimumSources: 1, widenAfterMs: 6_000, widenBpsPerSecond: 1, staleMs: 20_000 };
    const more = { widenBeyondBps: 20, widenFactor: 1, stopBeyondBps: 100 };
    const plan = {
      symbols: [{ symbol: BTC, sources: [{ ...read, rates }], guards: { ...guards, ...more } }],
      ...{ baseUrls: {}, pollMs: 2_000, timeoutMs: 1_000, requestsPerSecond: 1, packageFolder: '/' },
    };
    const exchange = { timeout: 0, urls: {}, has: {}, options: {}, fetchTicker: async () => ({ bid: 99, ask: 101 }) };
    const ccxt = { version: '0', exchanges: ['x'], create: () => exchange };
    const told: ExternalReading[] = [];
    const loop = {
      state: () => desk.state(),
      tell: (input: TraderInput) => void (input.kind === 'external-price' && told.push(input.reading)),
    };
    const clock = { now: () => desk.now(), monotonic: () => performance.now() };
    const watch = startReference(plan as never, ccxt as never, { loop, clock, log: { logEvent: () => {} } } as never);
    await new Promise((resolve) => setTimeout(resolve, 50));
    watch.end();
    expect(told.at(-1)?.legs.map(({ price }) => price.toFixed())).toEqual([]);
  });

  test('no estimate of the volatility: after it the width would be that of a market that stood still', () => {
    const settings = deskSettings({ symbols: [BTC, USDT] });
    const desk = frozenDesk(settings);
    const samples = () => marketOf(desk.state(), USDT).knowledge.estimates.volatilityBpsPerSqrtSecond.samples;
    const before = samples();
    desk.run(120_000, 500);
    expect(reasons(desk)[1]).toContain('frozen');
    expect(samples()).toBeLessThanOrEqual(before);
  });

  test('no leg of a cross rate', () => {
    let legs: string[] = [];
    const settings = deskSettings({ symbols: [BTC, USDT] });
    const [btc, usdt] = settings.runs as [RunSettings, RunSettings];
    const strategy: Strategy = {
      ...btc.strategy,
      ignoresNow: false,
      needs: () => ({ books: [USDT] }),
      quote: (view, params, memory) => {
        legs = [...view.books.keys()];
        return btc.strategy.quote(view, params, memory);
      },
    };
    const desk = frozenDesk({ ...settings, runs: [{ ...btc, strategy }, usdt] });
    desk.run(2_000);
    expect(legs).toEqual([]);
  });

  test('no book for the memory of its own strategy', () => {
    let books = 0;
    const settings = deskSettings({ symbols: [BTC, USDT] });
    const [btc, usdt] = settings.runs as [RunSettings, RunSettings];
    const reduce = (_memory: unknown, { kind }: MarketEvent): null => {
      if (kind === 'book') books += 1;
      return null;
    };
    const strategy: Strategy = { ...usdt.strategy, memory: { start: () => null, reduce } };
    const desk = frozenDesk({ ...settings, runs: [btc, { ...usdt, strategy }] });
    const before = books;
    expect(before).toBeGreaterThan(0);
    desk.run(5_000);
    expect(books).toBe(before);
  });
});
