// A strategy is handed what it can't change: a strategy that tries fails.
import { describe, expect, test } from '@jest/globals';
import { Decimal, decimal } from '../../../../src/domain/decimal.ts';
import { type Level, WrittenLevel } from '../../../../src/domain/order-book.ts';
import type { MarketEvent, MarketView, OwnFill, Strategy } from '../../../../src/quoting/strategy.ts';
import { handedEvent, handedView } from '../../../../src/quoting/strategy-call/ask-strategy.ts';
import type { RunSettings, TraderSettings } from '../../../../src/trader/state/settings.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { catchUp } from '../../../../src/trader/turns/next.ts';
import { pickCreate } from '../../../../src/trader/turns/pick.ts';
import { instrument, view } from '../../quoting/market.ts';
import { deskSettings } from '../desk-settings.ts';
import { deskWith, makeReady } from '../trader-kit.ts';

/** Everything that is reached from here and could be changed, by its path. */
function reached(value: unknown, path: string, found = new Map<unknown, string>()): ReadonlyMap<unknown, string> {
  if (typeof value !== 'object' || value === null || value instanceof Decimal) return found;
  found.set(value, path);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  for (const [key, each] of entries) reached(each, `${path}.${String(key)}`, found);
  return found;
}

/** What of it could be changed; a map can't be frozen, so it must be another one. */
const changeable = (given: unknown, handed: unknown): string[] => {
  const own = reached(given, '');
  const isSafe = (value: unknown): boolean => (value instanceof Map ? !own.has(value) : Object.isFrozen(value));
  return [...reached(handed, '')].flatMap(([value, path]) => (isSafe(value) ? [] : [path]));
};

const trade = { price: decimal(1), quantity: decimal(1), takerSide: 'buy', venueTime: 1 } as const;
const fill: OwnFill = {
  ...{ side: 'buy', slot: 'buy:0', price: decimal(1), quantity: decimal(1), at: 1 },
  ...{ liquidity: 'maker', completesOrder: true },
};

/** One in which nothing is empty. */
function fullView(): MarketView {
  const plain = view();
  const known = { kind: 'known', samples: 1, ageMs: 1 } as const;
  const takers = { ...known, value: { perSecond: 1, decayPerBps: 1 } };
  return {
    ...plain,
    ownFills: [fill],
    references: [{ at: 1, price: decimal(1) }],
    locks: [{ code: 'operator', side: null, reason: 'Why.', since: 1, until: null }],
    trades: { trades: [trade], sentAt: 1, hasGap: false },
    books: new Map([[instrument.symbol, { book: plain.book, sentAt: 1 }]]),
    estimates: {
      volatilityBpsPerSqrtSecond: { ...known, value: 1 },
      intensity: { buy: takers, sell: { ...takers } },
    },
    externalPrice: { kind: 'known', price: decimal(1), ageMs: 0, sources: 1, spreadBps: 0, widenBps: 0 },
  };
}

describe("a strategy's input", () => {
  test('is the view, and is read-only', () => {
    const given = fullView();
    const handed = handedView(given);
    expect(handed).toEqual(given);
    expect(changeable(given, handed)).toEqual([]);
  });

  test.each<MarketEvent>([
    { kind: 'book', book: view().book, sentAt: 1 },
    { kind: 'trades', trades: [trade], sentAt: 1, hasGap: false },
  ])('nor what its memory is told: $kind', (event) => {
    const handed = handedEvent(event);
    expect(handed).toEqual(event);
    expect(changeable(event, handed)).toEqual([]);
  });
});

function withStrategy(strategy: Strategy): TraderSettings {
  const settings = deskSettings();
  return { ...settings, runs: settings.runs.map((run) => ({ ...run, strategy })) };
}

describe('a strategy that changes its input', () => {
  test('fails, and no order is chosen', () => {
    const { strategy } = deskSettings().runs[0] as RunSettings;
    let isCareless = false;
    const careless: Strategy = {
      ...strategy,
      name: 'careless',
      ignoresNow: false,
      quote: ({ book, referencePrice }) => {
        if (!isCareless) return { quotes: [], explain: [] };
        // Its author wants to look past dust, and `shift` works in place.
        const asks = book.asks as Level[];
        while (asks.length > 1 && asks[0]?.quantity.lt('0.01')) asks.shift();
        return {
          quotes: [{ side: 'buy', level: 0, price: referencePrice.mul('1.02'), quantity: new Decimal('0.01') }],
          explain: [],
        };
      },
    };
    const desk = deskWith(withStrategy(careless));
    const level = (price: string, quantity = '1') => ({ price: decimal(price), quantity: decimal(quantity) });
    desk.reply = (request) => {
      if (request.kind !== 'order-book') return undefined;
      const rows = { bids: [level('99000'), level('98000')], asks: [level('101000', '0.005'), level('104000')] };
      return { kind: 'read', read: { rows, complete: true, sentAt: desk.now(), receivedAt: desk.now() } };
    };
    makeReady(desk);
    desk.run(3_000);
    isCareless = true;
    desk.pass(1_100);
    catchUp(desk.state(), desk.now());
    const { decision, book } = marketOf(desk.state(), instrument.symbol);
    expect(decision?.failure?.message).toContain('read only');
    expect(pickCreate(desk.state(), desk.now(), 'all-slots')).toBeNull();
    expect(book.book?.asks).toHaveLength(2);
  });

  test('nor can a level that the exchange wrote be given another price', () => {
    const level: { price: Decimal } = new WrittenLevel('101000', '1');
    expect(() => {
      level.price = decimal(1);
    }).toThrow(TypeError);
    expect(level.price.toFixed()).toBe('101000');
  });
});
