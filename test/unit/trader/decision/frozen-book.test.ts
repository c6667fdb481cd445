// A book that stands still and lacks own orders makes no price, here and for other markets.
import { describe, expect, test } from '@jest/globals';
import { startReference } from '../../../../src/bot/run/reference-watch.ts';
import { decimal } from '../../../../src/domain/decimal.ts';
import type { Level, OrderBook } from '../../../../src/domain/order-book.ts';
import { MINUTE, SECOND } from '../../../../src/domain/time.ts';
import type { MarketEvent, Strategy } from '../../../../src/quoting/strategy.ts';
import type { ExternalReading } from '../../../../src/reference/combine.ts';
import type { TraderInput } from '../../../../src/trader/observe/observe.ts';
import type { RunSettings, TraderSettings } from '../../../../src/trader/state/settings.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { BTC, deskSettings, LAG_MS } from '../desk-settings.ts';
import { type Desk, deskWith, makeReady, ops, readyDesk, reasons } from '../trader-kit.ts';

const level = (price: number | string, quantity = '1'): Level => ({
  price: decimal(price),
  quantity: decimal(quantity),
});
/** What others show, far enough out that our orders, 2 % from the middle, lie between. */
const OTHERS: OrderBook = {
  bids: [level(99_000), level(90_000)],
  asks: [level(101_000), level(110_000)],
};

/** The exchange's own book: others and us. `shows` decides what of ours is in what is read. */
function showing(desk: Desk, shows: (createdAt: number) => boolean, others: () => OrderBook = () => OTHERS): void {
  desk.reply = ({ kind }) => {
    if (kind !== 'order-book') return undefined;
    const sentAt = desk.now();
    const own = desk.shows.orders.filter(({ venueTime }) => shows(venueTime));
    const withOwn = (side: 'buy' | 'sell', levels: readonly Level[]): readonly Level[] =>
      [...levels, ...own.filter((row) => row.side === side).map(({ price }) => level(price.toFixed()))].toSorted(
        (a, b) => (side === 'buy' ? b.price.cmp(a.price) : a.price.cmp(b.price)),
      );
    const { bids, asks } = others();
    const rows = { bids: withOwn('buy', bids), asks: withOwn('sell', asks) };
    return { kind: 'read', read: { rows, complete: true, sentAt, receivedAt: sentAt } };
  };
}

const open = (desk: Desk): number => desk.intents().filter(({ state }) => state === 'open').length;
const creates = (desk: Desk): number => desk.sent.filter(({ chosen }) => chosen.request.kind === 'create').length;
const reads = (desk: Desk): string[] => desk.sent.map(({ chosen }) => chosen.request.kind);
const FOUND =
  /^The order book is frozen: it has not changed for \d+ s and lacks our own orders buy [\d.]+ @ 98000(, sell .*)?\.$/;

const found = (desk: Desk) => desk.notices.filter(({ op }) => op === 'book-frozen');

function frozenDesk(): Desk {
  const desk = readyDesk();
  showing(desk, () => false);
  return desk;
}

describe('a book that stands still and lacks our orders', () => {
  test('is still quoted for forty seconds and the lags, then the quotes are pulled with the reason', () => {
    const desk = frozenDesk();
    desk.run(45 * SECOND);
    expect(open(desk)).toBe(2);
    expect(reasons(desk)).toEqual(['quoting']);
    desk.run(8 * SECOND);
    expect(open(desk)).toBe(0);
    expect(desk.shows.orders).toEqual([]);
    expect(reasons(desk)[0]).toMatch(FOUND);
    expect(found(desk)).toHaveLength(1);
  });

  test('places nothing while it stands still, and is tried again after ten minutes', () => {
    const desk = frozenDesk();
    desk.run(55 * SECOND);
    const before = creates(desk);
    desk.run(9 * MINUTE, 500);
    expect(creates(desk)).toBe(before);
    desk.run(3 * MINUTE, 500);
    expect(creates(desk)).toBeGreaterThan(before);
    expect(found(desk)).toHaveLength(2);
  });

  test('is trusted again as soon as it moves, and stays so while it shows our orders', () => {
    const desk = frozenDesk();
    desk.run(55 * SECOND);
    expect(reasons(desk)[0]).toMatch(FOUND);
    showing(
      desk,
      () => true,
      () => ({ ...OTHERS, bids: [level(99_000, '2'), level(90_000)] }),
    );
    desk.run(5 * SECOND);
    expect(reasons(desk)).toEqual(['quoting']);
    desk.run(5 * MINUTE, 500);
    expect(open(desk)).toBe(2);
    expect(found(desk)).toHaveLength(1);
  });

  test('is found by the list that shows our orders for long enough, before the next book', () => {
    const { polling, ageLimits } = deskSettings();
    const rarely = { ...polling, bookMs: 7 * SECOND, openOrdersMs: MINUTE };
    const patient = { ...ageLimits, bookMs: MINUTE, openOrdersMs: 5 * MINUTE };
    const desk = readyDesk(deskSettings({ polling: rarely, ageLimits: patient }));
    showing(desk, () => false);
    for (let turns = 0; found(desk).length === 0 && turns < 2_000; turns += 1) desk.run(100, 100);
    expect(found(desk)).toHaveLength(1);
    expect(reads(desk).findLast((kind) => kind === 'order-book' || kind === 'open-orders')).toBe('open-orders');
  });

  test('uses the configured limit', () => {
    const { ageLimits } = deskSettings();
    const desk = readyDesk(deskSettings({ ageLimits: { ...ageLimits, frozenBookMs: 5 * SECOND } }));
    showing(desk, () => false);
    desk.run(2 * LAG_MS + 8 * SECOND);
    expect(reasons(desk)[0]).toMatch(FOUND);
  });
});

describe('a book is trusted', () => {
  test.each<[string, (desk: Desk) => void]>([
    ['that stands still and shows our orders: in a thin market that is normal', (desk) => showing(desk, () => true)],
    ['whose last level shown is nearer than our orders', () => {}],
    [
      'that moves, whatever it lacks',
      (desk) =>
        showing(
          desk,
          () => false,
          () => ({ ...OTHERS, bids: [level(99_000, `${1 + (desk.now() % 7)}`), level(90_000)] }),
        ),
    ],
  ])('%s', (_what, show) => {
    const desk = readyDesk();
    show(desk);
    desk.run(4 * MINUTE, 500);
    expect(open(desk)).toBe(2);
    expect(ops(desk)).not.toContain('book-frozen');
  });

  const quick = deskSettings({ ageLimits: { ...deskSettings().ageLimits, frozenBookMs: SECOND } });

  test('that shows our orders as late as lists may trail', () => {
    const desk = readyDesk(quick);
    showing(desk, (createdAt) => desk.now() - createdAt >= LAG_MS - SECOND);
    desk.run(MINUTE);
    expect(open(desk)).toBe(2);
    expect(ops(desk)).not.toContain('book-frozen');
  });

  test('that lacks orders which only a list that trails still shows', () => {
    const desk = readyDesk(quick);
    showing(desk, () => true);
    desk.run(20 * SECOND);
    const goneAt = desk.now();
    showing(desk, () => false);
    desk.run(LAG_MS - SECOND);
    expect(desk.now() - goneAt).toBeLessThan(LAG_MS);
    expect(ops(desk)).not.toContain('book-frozen');
  });

  test('before there is any', () => {
    expect(deskWith().state().markets.get(BTC)?.book).toMatchObject({ unchangedSince: null, frozen: null });
  });
});

// What a book that lacks our orders is kept from, beside being quoted by.

describe('a frozen book (decision 0027) makes no price, for other markets either', () => {
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
    const guards = { minimumSources: 1, widenAfterMs: 6_000, staleMs: 20_000 };
    const more = { widenBeyondBps: 20, stopBeyondBps: 100 };
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
