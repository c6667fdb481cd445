// Steps that are off unless they are set: each as a table of what becomes of wanted quotes, and the line that says why.
// The market is at 100; the examples of docs/quoting-features.md are rows of these tables.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import type { Slot } from '../../../src/domain/order.ts';
import { minutesLeft, whyClosed } from '../../../src/quoting/pipeline/sessions.ts';
import { quotingSettingsSchema } from '../../../src/quoting/quoting-settings.ts';
import { type MarketView, NO_KNOWLEDGE, type OwnFill } from '../../../src/quoting/strategy.ts';
import { becomes, book, liveOrder, NOW, quotesFrom, type Situation, wordsOf } from './market.ts';

const PAIR = ['buy:0 1 @ 99', 'sell:0 1 @ 101'];
const TWO_PAIRS = ['buy:0 1 @ 99', 'buy:1 1 @ 98', 'sell:0 1 @ 101', 'sell:1 1 @ 102'];

/** What the step of this name says, of the pair if nothing else is wanted. */
const words = (name: string, situation: Situation, texts = PAIR): string[] => wordsOf(name, texts, situation);

const fill = (slot: Slot, changes: Partial<OwnFill> = {}): OwnFill => ({
  side: slot.startsWith('buy') ? 'buy' : 'sell',
  slot,
  ...{ price: decimal('99'), quantity: decimal('1'), at: NOW - 10_000, liquidity: 'maker', completesOrder: true },
  ...changes,
});

const filled = (...ownFills: readonly OwnFill[]): Pick<Situation, 'view'> => ({ view: { ownFills } });

/** Reference prices of before, by how many seconds ago. */
const pricesBefore = (prices: Readonly<Record<number, string>>): Pick<MarketView, 'references'> => ({
  references: Object.entries(prices)
    .map(([seconds, price]) => ({ at: NOW - Number(seconds) * 1_000, price: decimal(price) }))
    .toSorted((a, b) => a.at - b.at),
});

test('off, they leave quotes and explanation as they are', () => {
  const names = quotesFrom(PAIR).explain.map(({ name }) => name);
  expect(names).toEqual([
    ...['wanting', 'wanting', 'cost floor', 'inventory bounds', 'budget', 'round'],
    ...['post-only guard', 'self-cross guard', 'self-cross guard'],
  ]);
});

describe('trend', () => {
  const trend = { trendBps: 50 };
  test.each([
    [{ 30: '101' }, ['sell:0 1 @ 101']],
    [{ 30: '99' }, ['buy:0 1 @ 99']],
    [{ 30: '100.2' }, PAIR],
    // Up and down again: it is the highest price that it fell from.
    [{ 50: '100', 30: '101' }, ['sell:0 1 @ 101']],
    [{ 50: '101', 30: '99' }, []],
    [{ 121: '105' }, PAIR],
    [{}, PAIR],
  ])('with prices of before %j', (prices, expected) => {
    expect(becomes(PAIR, { settings: { trend }, view: pricesBefore(prices) })).toEqual(expected);
  });

  test('says how far the price went', () => {
    expect(words('trend', { settings: { trend }, view: pricesBefore({ 30: '101' }) })).toEqual([
      'The price fell by 99.0 bps within 120 s; the limit is 50.',
    ]);
  });
});

describe('filled delay', () => {
  const delayed = { settings: { filledDelayMs: 30_000 } } as unknown as Situation;
  test('an empty slot of a side that has just filled stays empty; one that is taken stays', () => {
    expect(becomes(TWO_PAIRS, { ...delayed, ...filled(fill('buy:0')), live: [liveOrder('buy:1 1 @ 98')] })).toEqual([
      ...['buy:1 1 @ 98', 'sell:0 1 @ 101', 'sell:1 1 @ 102'],
    ]);
    expect(words('filled delay', { ...delayed, ...filled(fill('buy:0')) })).toEqual([
      'An order of this side has just filled: the next one waits for 20.0 s.',
    ]);
  });

  test('an order that leaves holds no slot: what would take its place waits, too', () => {
    for (const status of ['leaving', 'doubtful'] as const)
      expect(
        becomes(PAIR, { ...delayed, ...filled(fill('buy:0')), live: [liveOrder('buy:0 1 @ 98', { status })] }),
      ).toEqual(['sell:0 1 @ 101']);
  });

  test.each([
    ['a part of an order', fill('buy:0', { completesOrder: false })],
    ['long ago', fill('buy:0', { at: NOW - 30_000 })],
  ])('%s: nothing waits', (_case, own) => {
    expect(becomes(PAIR, { ...delayed, ...filled(own) })).toEqual(PAIR);
  });
});

describe('ping-pong', () => {
  const on = { settings: { pingPong: true } } as unknown as Situation;
  test.each([
    [[fill('buy:0')], ['buy:1 1 @ 98', 'sell:0 1 @ 101', 'sell:1 1 @ 102']],
    [
      [fill('buy:0'), fill('buy:1')],
      ['sell:0 1 @ 101', 'sell:1 1 @ 102'],
    ],
    [[fill('buy:0'), fill('sell:0')], TWO_PAIRS],
    [[fill('buy:0', { completesOrder: false })], TWO_PAIRS],
    [[], TWO_PAIRS],
  ])('%#', (ownFills, expected) => {
    expect(becomes(TWO_PAIRS, { ...on, ...filled(...ownFills) })).toEqual(expected);
  });
});

describe('order optimization', () => {
  const market = { book: book(['99.9 x 1', '99.5 x 2', '98 x 9'], ['100.1 x 3', '101 x 9']) };
  test.each([
    ['0', ['buy:0 1 @ 99', 'sell:0 1 @ 101']],
    ['1', ['buy:0 1 @ 99', 'sell:0 1 @ 101']],
    ['3', ['buy:0 1 @ 98.1', 'sell:0 1 @ 101']],
    ['12', ['buy:0 1 @ 99', 'sell:0 1 @ 101']],
  ])('behind %s of others', (optimizeDepth, expected) => {
    const situation = { settings: { optimizeDepth }, view: market } as unknown as Situation;
    expect(becomes(PAIR, situation)).toEqual(expected);
  });
});

describe('width by volatility', () => {
  const width = { volatilityMultiplier: 2 };
  const estimates = {
    ...NO_KNOWLEDGE.estimates,
    volatilityBpsPerSqrtSecond: { kind: 'known', value: (5 / Math.sqrt(10)) * 2, samples: 99, ageMs: 0 },
  } as const;

  test('two standard deviations over ten seconds: 20 bps', () => {
    const situation = { settings: { width }, view: { estimates } };
    expect(becomes(PAIR, situation)).toEqual(['buy:0 1 @ 98.8', 'sell:0 1 @ 101.2']);
    expect(words('width guard', situation)[0]).toBe('The price moves by 3.16 bps per √s: 20.0 bps further out.');
  });

  test('unknown: as it is', () => {
    expect(becomes(PAIR, { settings: { width } })).toEqual(PAIR);
  });
});

test('levels keep the distances between them, whatever moves their side out', () => {
  const market = { book: book(['99.9 x 1', '99.5 x 2', '98 x 9'], ['100.1 x 3', '101 x 9']) };
  const optimized = { settings: { optimizeDepth: '3' }, view: market } as unknown as Situation;
  expect(becomes(TWO_PAIRS, optimized).slice(0, 2)).toEqual(['buy:0 1 @ 98.1', 'buy:1 1 @ 97.1']);
  const cost = { settings: { inventoryCost: {} }, view: { averageCost: decimal('103') } };
  expect(becomes(TWO_PAIRS, cost).slice(2)).toEqual(['sell:0 1 @ 103', 'sell:1 1 @ 104']);
});

describe('inventory cost', () => {
  const cost = { inventoryCost: { minimumProfitBps: 50 } };
  test.each([
    ['103', ['buy:0 1 @ 99', 'sell:0 1 @ 103.6']],
    ['100', PAIR],
  ])('of %s', (averageCost, expected) => {
    expect(becomes(PAIR, { settings: cost, view: { averageCost: decimal(averageCost) } })).toEqual(expected);
  });

  test('not known: as it is', () => {
    expect(becomes(PAIR, { settings: cost })).toEqual(PAIR);
  });
});

describe('external price', () => {
  const guard = { externalGuard: { minimumEdgeBps: 50 } };
  const known = (price: string, widenBps = 0): Partial<MarketView> => ({
    externalPrice: { kind: 'known', price: decimal(price), ageMs: 100, sources: 2, spreadBps: 1, widenBps },
  });

  test.each([
    ['100', 0, PAIR],
    ['98', 0, ['buy:0 1 @ 97.5', 'sell:0 1 @ 101']],
    ['102', 0, ['buy:0 1 @ 99', 'sell:0 1 @ 102.6']],
    ['100', 150, ['buy:0 1 @ 97.5', 'sell:0 1 @ 102.5']],
    ['98', 150, ['buy:0 1 @ 96', 'sell:0 1 @ 102.5']],
  ])('%s, wider by %d bps', (price, widenBps, expected) => {
    expect(becomes(PAIR, { settings: guard, view: known(price, widenBps) })).toEqual(expected);
  });

  test('where it is the reference price, its doubts widen without a guard', () => {
    const situation = { view: { ...known('100', 150), referenceWidenBps: 150 } };
    expect(becomes(TWO_PAIRS, situation)).toEqual([
      ...['buy:0 1 @ 97.5', 'buy:1 1 @ 96.5', 'sell:0 1 @ 102.5', 'sell:1 1 @ 103.5'],
    ]);
    expect(words('external doubts', situation)[0]).toBe(
      'The external price is old, or its sources disagree: 150.0 bps further out.',
    );
  });

  test('unknown: nothing is quoted, with the reason; or as if it were not set', () => {
    const { quotes, noQuote } = quotesFrom(PAIR, { settings: guard });
    expect(quotes).toEqual([]);
    expect(noQuote.sell).toBe('There is no external price: No reference is configured.');
    expect(becomes(PAIR, { settings: { externalGuard: { whenUnknown: 'ignore' } } })).toEqual(PAIR);
  });
});

describe('sessions', () => {
  const office = {
    timeZone: 'Asia/Kolkata',
    windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'] as const, from: '09:15', to: '15:30' }],
  };
  const night = { timeZone: 'Europe/Berlin', windows: [{ days: ['sat'] as const, from: '22:00', to: '02:30' }] };
  const sessions = ({ timeZone, windows }: { readonly timeZone: string; readonly windows: object }) => {
    const parsed = quotingSettingsSchema.parse({ sessions: { windows } }).sessions;
    if (parsed === undefined) throw new Error('There are sessions.');
    return { ...parsed, timeZone };
  };

  test.each([
    // Thursday, 26 November 2026; India is 5:30 ahead.
    ['2026-11-26T03:44:59Z', office, 'It is closed, and opens on thu at 09:15 (Asia/Kolkata).'],
    ['2026-11-26T03:45:00Z', office, null],
    ['2026-11-26T09:59:59Z', office, null],
    ['2026-11-26T10:00:00Z', office, 'It is closed, and opens on fri at 09:15 (Asia/Kolkata).'],
    ['2026-11-28T06:00:00Z', office, 'It is closed, and opens on mon at 09:15 (Asia/Kolkata).'],
    // Over midnight, from Saturday to Sunday, and over the end of the week.
    ['2026-11-28T21:00:00Z', night, null],
    ['2026-11-29T01:29:00Z', night, null],
    ['2026-11-29T01:30:00Z', night, 'It is closed, and opens on sat at 22:00 (Europe/Berlin).'],
    // Summer time begins on 29 March 2026 at 01:00 UTC: 02:30 does not exist, and it closes at 03:00.
    ['2026-03-29T00:59:00Z', night, null],
    ['2026-03-29T01:00:00Z', night, 'It is closed, and opens on sat at 22:00 (Europe/Berlin).'],
    // It ends on 25 October 2026 at 01:00 UTC: 02:00 to 02:30 come twice, and both are inside.
    ['2026-10-25T00:15:00Z', night, null],
    ['2026-10-25T01:15:00Z', night, null],
    ['2026-10-25T01:30:00Z', night, 'It is closed, and opens on sat at 22:00 (Europe/Berlin).'],
  ])('%s', (moment, given, expected) => {
    expect(whyClosed(sessions(given), Date.parse(moment))).toBe(expected);
  });

  test('closed, nothing is quoted', () => {
    const now = Date.parse('2026-11-28T06:00:00Z');
    const view = { now, bookSentAt: now - 1_000 };
    expect(becomes(PAIR, { settings: { sessions: { windows: office.windows } }, view })).toEqual([]);
    expect(words('sessions', { settings: { sessions: { windows: office.windows } }, view })[0]).toMatch(
      /^It is closed/,
    );
  });

  describe('flat at the end', () => {
    // 15:20 in India: ten minutes before it closes. Of 200 in all, 1 base is held of 0.5 wanted.
    const now = Date.parse('2026-11-26T09:50:00Z');
    const view = { now, bookSentAt: now - 1_000 };
    const flat = (flattenMinutes: number) => ({
      settings: { sessions: { windows: office.windows, flattenMinutes } },
      view,
    });
    const held = (total: string, inventoryTarget: string) => ({
      ...flat(10),
      view: {
        ...view,
        base: { asset: 'BTC', total: decimal(total), free: decimal(total) },
        inventoryTarget: decimal(inventoryTarget),
      },
    });

    test.each([
      ['15:15 and 30 s', '2026-11-26T09:45:30Z', office, 15],
      ['the last second', '2026-11-26T09:59:59Z', office, 1],
      ['two windows that join', '2026-11-26T09:50:00Z', joined(), 130],
      ['all week', '2026-11-26T09:50:00Z', always(), 7 * 24 * 60],
    ])('%s', (_words, moment, given, expected) => {
      expect(minutesLeft(sessions(given), Date.parse(moment))).toBe(expected);
    });

    test('more than that before it closes, and without it, both sides are quoted', () => {
      expect(becomes(PAIR, flat(9))).toEqual(PAIR);
      expect(becomes(PAIR, flat(0))).toEqual(PAIR);
    });

    test.each([
      ['too much base: only asks, and no more than that', '5', '3.5', ['sell:0 1 @ 101', 'sell:1 0.5 @ 102']],
      ['too little: only bids', '3', '3.4', ['buy:0 0.4 @ 99']],
      ['as much as wanted: nothing', '3', '3', []],
    ])('%s', (_words, total, target, expected) => {
      expect(becomes(TWO_PAIRS, held(total, target))).toEqual(expected);
    });

    test.each([
      ['one that leaves may still sell', 'sell:2 0.7 @ 103', ['sell:0 0.8 @ 101']],
      ['what rests in a slot sells no more than is left', 'sell:0 1.2 @ 101', ['sell:0 1 @ 101', 'sell:1 0.3 @ 102']],
      ['a bid that leaves takes nothing away', 'buy:0 1 @ 99', ['sell:0 1 @ 101', 'sell:1 0.5 @ 102']],
    ])('%s', (_words, resting, expected) => {
      expect(becomes(TWO_PAIRS, { ...held('5', '3.5'), live: [liveOrder(resting)] })).toEqual(expected);
    });

    test('says why', () => {
      expect(words('sessions', held('3', '2'))[0]).toBe(
        'It closes in 10 minutes: only what brings the base to its target is quoted.',
      );
    });

    function joined() {
      return { ...office, windows: [...office.windows, { days: ['thu'] as const, from: '15:30', to: '17:30' }] };
    }

    function always() {
      const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
      return { ...office, windows: [{ days, from: '00:00', to: '00:00' }] };
    }
  });

  test('without a window they are refused', () => {
    expect(quotingSettingsSchema.safeParse({ sessions: { windows: [] } }).success).toBe(false);
  });
});
