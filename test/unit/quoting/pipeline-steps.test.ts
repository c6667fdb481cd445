// A band of prices outside of which nothing is bid above, or asked below: fixed, moving, or both.
import { describe, expect, test } from '@jest/globals';
import { decimal, ZERO } from '../../../src/domain/decimal.ts';
import { quotingSettingsSchema } from '../../../src/quoting/quoting-settings.ts';
import type { OwnFill } from '../../../src/quoting/strategy.ts';
import { becomes, holding, liveOrder, NOW, quotesFrom, quoteText, type Situation, wordsOf } from './market.ts';

const PAIR = ['buy:0 1 @ 99', 'sell:0 1 @ 101'];

/** What the step says of the pair. */
const words = (situation: Situation): string[] => wordsOf('price band', PAIR, situation);

describe('price band', () => {
  test.each([
    [{ ceiling: '100' }, ['sell:0 1 @ 101']],
    [{ ceiling: '100.01' }, PAIR],
    [{ floor: '100' }, ['buy:0 1 @ 99']],
    [{ floor: '99.99' }, PAIR],
    [{ floor: '90', ceiling: '99' }, ['sell:0 1 @ 101']],
  ])('%j', (priceBand, expected) => {
    expect(becomes(PAIR, { settings: { priceBand } })).toEqual(expected);
  });

  test('one that moves stands around the price of its last refresh', () => {
    // Refreshed every five minutes.
    const began = Math.floor(NOW / 300_000) * 300_000;
    const at = (price: string, fixed: { floor?: string; ceiling?: string } = {}): Situation => ({
      settings: { priceBand: { bandBps: 200, ...fixed } },
      view: { references: [{ at: began - 3_000, price: decimal(price) }] },
    });
    expect(becomes(PAIR, at('100'))).toEqual(PAIR);
    expect(becomes(PAIR, at('98'))).toEqual(['sell:0 1 @ 101']);
    expect(becomes(PAIR, at('102.05'))).toEqual(['buy:0 1 @ 99']);
    expect(words(at('98'))).toEqual(['The reference price of 100 is at its ceiling of 99.96: no bid.']);
    // Beside one that is fixed the tighter of the two holds.
    expect(becomes(PAIR, at('100', { floor: '98.5', ceiling: '99.5' }))).toEqual(['sell:0 1 @ 101']);
    expect(becomes(PAIR, at('100', { floor: '100.5', ceiling: '102.5' }))).toEqual(['buy:0 1 @ 99']);
    expect(becomes(PAIR, at('98', { ceiling: '110' }))).toEqual(['sell:0 1 @ 101']);
    expect(becomes(PAIR, at('102.05', { floor: '90' }))).toEqual(['buy:0 1 @ 99']);
    const unknown = { settings: { priceBand: { bandBps: 200 } } };
    expect(becomes(PAIR, unknown)).toEqual(PAIR);
    expect(words(unknown)[0]).toContain('not known yet');
  });

  test.each([
    [{ floor: '100', ceiling: '100' }, 'The floor must be below the ceiling.'],
    [{}, 'A band needs a floor, a ceiling or bandBps.'],
  ])('%j is refused', (priceBand, message) => {
    const read = quotingSettingsSchema.safeParse({ priceBand });
    expect(read.success ? [] : read.error.issues.map((issue) => issue.message)).toEqual([message]);
  });
});

// Before a session closes only what brings the base to its target is quoted: no step after that makes it more.

/** 15:20 in India: ten minutes before it closes. */
const now = Date.parse('2026-11-26T09:50:00Z');
const sessions = {
  flattenMinutes: 10,
  windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'] as const, from: '09:15', to: '15:30' }],
};

/** So much too much base is held. */
const view = (tooMuch: string) => ({
  ...{ now, bookSentAt: now - 1_000, inventoryTarget: decimal('5').sub(tooMuch) },
  base: { asset: 'BTC', total: decimal('5'), free: decimal('5') },
});

test('not the skew of sizes', () => {
  const wanted = ['buy:0 1 @ 99', 'buy:1 1 @ 98', 'sell:0 1 @ 101', 'sell:1 1 @ 102'];
  const settings = { sessions, inventorySkew: {} };
  const { quotes } = quotesFrom(wanted, { settings, view: view('1.5') });
  expect(quotes.map(quoteText)).toEqual(['sell:0 1 @ 101', 'sell:1 0.5 @ 102']);
});

test('not an order that hangs', () => {
  const fill: OwnFill = {
    ...{ side: 'buy', slot: 'buy:0', price: decimal('99'), quantity: decimal('1'), at: now - 1_000 },
    ...{ liquidity: 'maker', completesOrder: true },
  };
  const { quotes } = quotesFrom(['buy:0 1 @ 99', 'sell:0 1 @ 101'], {
    settings: { sessions, hanging: { cancelBps: 500 } },
    view: { ...view('0.5'), ownFills: [fill] },
    live: [liveOrder('sell:0 1 @ 102', { sentAt: now - 60_000 })],
  });
  expect(quotes.map(quoteText)).toEqual(['sell:0 0.5 @ 101']);
});

// budget.maxQuote is "Most quote that all bids together may lock, fee included": orders in slots that get no quote lock
// some of it too, and orders that are larger than their quote all of theirs.

describe('the cap on all bids of a budget', () => {
  test('counts what an own order locks in a slot that gets no quote any more', () => {
    // Of 100 INR, 90 are locked by an order that is unknown, or on its way out.
    const live = [liveOrder('buy:1 1 @ 90', { status: 'pending' })];
    const { quotes } = quotesFrom(['buy:0 1 @ 95'], { settings: { budget: { maxQuote: '100' } }, live });
    const wanted = quotes.filter(({ side }) => side === 'buy');
    const locked = wanted.reduce((sum, { price, quantity }) => sum + price.mul(quantity).toNumber(), 90);
    expect({ quotes: wanted.map(quoteText), within: locked <= 100 }).toMatchObject({ within: true });
  });

  test('counts what an own order locks in a slot whose quote is smaller: it rests until the smaller one stands', () => {
    const live = [liveOrder('buy:0 1 @ 60')];
    const { quotes } = quotesFrom(['buy:0 0.2 @ 95', 'buy:1 0.5 @ 90', 'sell:0 0.2 @ 105'], {
      settings: { budget: { maxQuote: '100' } },
      live,
    });
    // 60 INR are locked in the first slot, where 19 are wanted: 40 are left for the second.
    expect(quotes.map(quoteText)).toEqual(['buy:0 0.2 @ 95', 'buy:1 0.444 @ 90', 'sell:0 0.2 @ 105']);
  });

  test('counts the fee of each, with a quote in its slot or without', () => {
    const fee = decimal('0.05');
    const costs = { makerFeeRatio: fee, takerFeeRatio: fee, tdsRatio: ZERO, effectiveTaxRatio: ZERO };
    const bids = (wanted: readonly string[]) =>
      quotesFrom(wanted, {
        view: { costs, quote: holding('INR', '10000') },
        settings: { budget: { maxQuote: '1850' }, costFloor: { enabled: false } },
        live: [liveOrder('buy:1 10 @ 90')],
      }).quotes.map(quoteText);
    // 10 at 90 lock 945 with the fee; 905 are left for others, 94.5 of them for each of base.
    expect(bids(['buy:0 10 @ 90'])).toEqual(['buy:0 9.576 @ 90']);
    expect(bids(['buy:1 1 @ 91', 'buy:2 10 @ 90'])).toEqual(['buy:1 1 @ 91', 'buy:2 9.576 @ 90']);
  });

  test('does the same with base for all asks', () => {
    const live = [liveOrder('sell:0 6 @ 110')];
    const { quotes } = quotesFrom(['sell:0 2 @ 105', 'sell:1 5 @ 106'], {
      view: { base: holding('BTC', '30') },
      settings: { budget: { maxBase: '10' } },
      live,
    });
    expect(quotes.map(quoteText)).toEqual(['sell:0 2 @ 105', 'sell:1 4 @ 106']);
  });
});
