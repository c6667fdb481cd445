// Where the reference price comes from: the book, trades, own fills, a fixed price, or other exchanges.
import { describe, expect, test } from '@jest/globals';
import { decimal, plain } from '../../../../src/domain/decimal.ts';
import type { PublicTrade } from '../../../../src/domain/fill.ts';
import type { ReferenceSource } from '../../../../src/quoting/reference-price.ts';
import type { ExternalReading } from '../../../../src/reference/combine.ts';
import type { SymbolPlan } from '../../../../src/reference/plan.ts';
import { decisionOf } from '../../../../src/trader/decision/decide.ts';
import type { TraderSettings } from '../../../../src/trader/state/settings.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { refused } from '../../refused.ts';
import { BTC, deskSettings } from '../desk-settings.ts';
import { type Desk, deskWith, fillNow, inSlot, makeReady, readyDesk, reasons, START } from '../trader-kit.ts';

const around = (referenceSource: ReferenceSource, price?: string): TraderSettings => {
  const settings = deskSettings();
  const fixed = price === undefined ? {} : { fixedReference: decimal(price) };
  return { ...settings, runs: settings.runs.map((run) => ({ ...run, referenceSource, ...fixed })) };
};

function begun(settings: TraderSettings, shows: Partial<Desk['shows']> = {}): Desk {
  const desk = deskWith(settings);
  Object.assign(desk.shows, shows);
  makeReady(desk);
  desk.run(4_000);
  return desk;
}

const reference = (desk: Desk): string | undefined =>
  decisionOf(desk.state(), marketOf(desk.state(), BTC), desk.now()).view?.referencePrice.toFixed();

const trade = (price: string, at: number): PublicTrade => ({
  ...{ price: decimal(price), quantity: decimal('0.1'), takerSide: 'buy', venueTime: at },
});

describe('the reference price', () => {
  test("is the last public trade's, which is read for it", () => {
    const trades = [trade('100200', START - 5_000), trade('100300', START - 1_000)];
    const desk = begun(around('lastTrade'), { publicTrades: { [BTC]: trades } });
    expect(reference(desk)).toBe('100300');
    desk.shows.publicTrades[BTC] = [...trades, trade('100400', START + 5_000)];
    desk.run(5_000);
    expect(reference(desk)).toBe('100400');
  });

  test('no public trade: nothing is quoted, and it says why', () => {
    const desk = begun(around('lastTrade'));
    expect(reference(desk)).toBe(undefined);
    expect(reasons(desk)[0]).toContain('no public trade is known');
  });

  test('unreadable public trades give none: quotes are pulled until they are read again', () => {
    const trades = [trade('100000', START - 1_000)];
    const desk = begun(around('lastTrade'), { publicTrades: { [BTC]: trades } });
    const { lastGoodAt: before } = marketOf(desk.state(), BTC);
    desk.reply = ({ kind }) => (kind === 'public-trades' ? refused(-5002, { msg: 'No trades.' }) : undefined);
    desk.run(20_000);
    expect(reasons(desk)).toEqual(['quoting']);
    desk.run(10_000);
    expect(reasons(desk)[0]).toMatch(/^The public trades that quotes center on are 2\d\.\d s old\.$/);
    expect(desk.shows.orders).toEqual([]);
    const { lastGoodAt } = marketOf(desk.state(), BTC);
    desk.run(10_000);
    expect(marketOf(desk.state(), BTC).lastGoodAt).toBe(lastGoodAt);
    expect(lastGoodAt).toBeGreaterThan(before ?? 0);
    desk.reply = () => undefined;
    desk.run(35_000);
    expect(reasons(desk)).toEqual(['quoting']);
  });

  test('a quiet market whose page says the same again is no old one', () => {
    const desk = begun(around('lastTrade'), { publicTrades: { [BTC]: [trade('100000', START - 1_000)] } });
    desk.run(60_000);
    expect(reasons(desk)).toEqual(['quoting']);
  });

  test("is our own last fill's, and the mid price before the first", () => {
    const desk = begun(around('ownLastFill'));
    expect(reference(desk)).toBe('100000');
    const bid = inSlot(desk, 'buy:0');
    fillNow(desk, bid);
    desk.look('orders', 'trades', 'wallet');
    desk.run(500);
    expect(reference(desk)).toBe(bid.price.toFixed());
  });

  test('is the configured one', () => {
    expect(reference(begun(around('fixed', '100500')))).toBe('100500');
  });

  test('a book without two sides gives none, whatever the source', () => {
    const desk = begun(around('fixed', '100500'));
    desk.shows.books[BTC] = null;
    desk.run(3_000);
    expect(reference(desk)).toBe(undefined);
  });
});

describe('the price that other exchanges make', () => {
  const GUARDS: SymbolPlan['guards'] = {
    minimumSources: 1,
    widenAfterMs: 4_000,
    staleMs: 10_000,
    widenBeyondBps: 20,
    stopBeyondBps: 100,
  };

  const around = (referenceSource: ReferenceSource): TraderSettings => {
    const settings = deskSettings();
    return { ...settings, runs: settings.runs.map((run) => ({ ...run, referenceSource })) };
  };

  /** What the sources said, the second one half a second ago. */
  function tell(desk: Desk, ...prices: readonly number[]): void {
    const legs = prices.map((price, index) => ({
      source: `s${index}`,
      price: decimal(price),
      asOf: desk.now() - index * 500,
    }));
    const reading: ExternalReading = { legs, missing: [], guards: GUARDS };
    desk.tell({ kind: 'external-price', symbol: BTC, reading });
  }

  const seen = (desk: Desk) => desk.state().markets.get(BTC)?.decision?.view?.externalPrice;
  const quotes = (desk: Desk): string[] =>
    desk
      .intents()
      .filter(({ state }) => state === 'open')
      .map(({ side, price }) => `${side} ${plain(price)}`)
      .sort();

  describe('a run that quotes around its own book', () => {
    test('is given the price, its age, and how much wider quotes must be', () => {
      const desk = readyDesk();
      tell(desk, 100_500, 100_600);
      desk.run(1_000);
      expect(seen(desk)).toMatchObject({ kind: 'known', price: decimal(100_550), sources: 2, widenBps: 0 });
      desk.run(5_000);
      const price = seen(desk);
      if (price?.kind !== 'known') throw new Error('It is not known.');
      expect(price.ageMs).toBeGreaterThanOrEqual(6_000);
      expect(price.ageMs).toBeLessThanOrEqual(6_500);
      expect(price.widenBps).toBe(3);
      expect(quotes(desk)).toEqual(['buy 98000', 'sell 102000']);
    });

    test('learns that it has grown too old, and goes on', () => {
      const desk = readyDesk();
      tell(desk, 100_500);
      desk.run(12_000);
      expect(seen(desk)).toEqual({
        kind: 'unknown',
        why: '0 of 1 external sources are fresh, 1 are needed. Older than 10 s: s0.',
      });
      expect(reasons(desk)).toEqual(['quoting']);
    });

    test('without a reference nothing is known', () => {
      const desk = readyDesk();
      desk.run(1_000);
      expect(seen(desk)).toEqual({ kind: 'unknown', why: 'No reference is configured.' });
    });
  });

  describe('a run that quotes around the external price', () => {
    /** News each second, for so long. */
    function follow(desk: Desk, ms: number, ...prices: readonly number[]): void {
      for (let passed = 0; passed < ms; passed += 1_000) {
        tell(desk, ...prices);
        desk.run(1_000);
      }
    }

    test('quotes nothing before it is known, and says why', () => {
      const desk = readyDesk(around('external'));
      desk.run(3_000);
      expect(quotes(desk)).toEqual([]);
      expect(reasons(desk)).toEqual(['There is no external price: other exchanges are not asked here.']);
    });

    test('centers on it, whatever its own book shows, and follows it', () => {
      const desk = readyDesk(around('external'));
      follow(desk, 6_000, 100_500);
      expect(quotes(desk)).toEqual(['buy 98490', 'sell 102510']);
      follow(desk, 6_000, 101_000);
      expect(quotes(desk)).toEqual(['buy 98980', 'sell 103020']);
    });

    test('pulls its quotes when no news come any more', () => {
      const desk = readyDesk(around('external'));
      follow(desk, 6_000, 100_500);
      desk.run(8_000);
      expect(quotes(desk)).toHaveLength(2);
      desk.run(3_000);
      expect(quotes(desk)).toEqual([]);
      expect(reasons(desk)[0]).toMatch(/^There is no external price: .*Older than 10 s: s0\.$/);
    });

    test('pulls its quotes when the sources disagree, and quotes again when they do not', () => {
      const desk = readyDesk(around('external'));
      follow(desk, 6_000, 100_500, 100_600);
      follow(desk, 4_000, 100_500, 102_600);
      expect(quotes(desk)).toEqual([]);
      expect(reasons(desk)).toEqual([
        'There is no external price: External sources disagree: s0 says 100500, s1 says 102600; ' +
          '206.8 bps apart, more than 100.',
      ]);
      follow(desk, 6_000, 100_500, 100_600);
      expect(quotes(desk)).toEqual(['buy 98539', 'sell 102561']);
    });

    test('is guarded against a jump of it as against one of its own book', () => {
      const desk = readyDesk(around('external'));
      follow(desk, 6_000, 100_500);
      follow(desk, 3_000, 120_000);
      expect(quotes(desk).join()).not.toContain('117');
      expect(desk.state().markets.get(BTC)?.jump).not.toBeNull();
    });

    test('wants two sides in its own book all the same', () => {
      const desk = readyDesk(around('external'));
      follow(desk, 6_000, 100_500);
      desk.shows.books[BTC] = null;
      follow(desk, 3_000, 100_500);
      expect(reasons(desk)).toEqual(['The order book has an empty side or is crossed: there is no reference price.']);
    });
  });

  test('a price that the sources repeat has their age', () => {
    const desk = readyDesk();
    for (let seconds = 0; seconds < 8; seconds += 1) {
      tell(desk, 100_500);
      desk.run(1_000);
    }
    const price = seen(desk);
    if (price?.kind !== 'known') throw new Error('It is not known.');
    expect(price.ageMs).toBeLessThanOrEqual(2_000);
  });
});
