import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { intentId } from '../../../src/domain/ids.ts';
import type { LiveOrder } from '../../../src/quoting/live-order.ts';
import { type Action, type DiffFacts, diffQuotes, expectedMoves } from '../../../src/quoting/moves/diff.ts';
import { type DiffSettings, diffSettingsSchema } from '../../../src/quoting/moves/refresh-settings.ts';
import { restingLimits } from '../../../src/quoting/pipeline/guards.ts';
import { book, instrument, liveOrder, NOW, quote, quoteText, settings, view } from './market.ts';

const defaults: DiffSettings = {
  priceToleranceBps: 10,
  refreshMs: 10_000,
  maxOrderAgeMs: 600_000,
};
const facts: DiffFacts = { now: NOW, instrument, referencePrice: decimal('100'), travelBps: 0 };

interface Case {
  readonly wanted?: readonly string[];
  readonly live?: readonly LiveOrder[];
  readonly settings?: Partial<DiffSettings>;
  readonly facts?: Partial<DiffFacts>;
}

function words(action: Action): string {
  const hasQuote = action.kind === 'create' || action.kind === 'replace';
  return `${action.kind} ${hasQuote ? quoteText(action.quote) : action.slot}`;
}

function actionsFor({ wanted = [], live = [], settings: changes, facts: other }: Case): Action[] {
  return diffQuotes(wanted.map(quote), live, { ...defaults, ...changes }, { ...facts, ...other });
}

const diff = (situation: Case): string[] => actionsFor(situation).map(words);

const reason = (situation: Case): string | undefined =>
  actionsFor(situation)
    .map((action) => ('why' in action ? action.why : undefined))
    .find((why) => why !== undefined);

const aged = (text: string, ageMs: number, changes: Partial<LiveOrder> = {}): LiveOrder =>
  liveOrder(text, { sentAt: NOW - ageMs, ...changes });

describe('an order and the quote of its slot', () => {
  const table: readonly [string, string, LiveOrder, string[]][] = [
    ['the same', 'buy:0 1 @ 99', aged('buy:0 1 @ 99', 60_000), ['keep buy:0']],
    ['a bid nearer, at the tolerance', 'buy:0 1 @ 99.9', aged('buy:0 1 @ 100', 60_000), ['keep buy:0']],
    ['a bid nearer, past it', 'buy:0 1 @ 99.89', aged('buy:0 1 @ 100', 60_000), ['cancel buy:0']],
    ['a bid farther away, at its tolerance', 'buy:0 1 @ 100.2', aged('buy:0 1 @ 100', 60_000), ['keep buy:0']],
    ['a bid farther away, past it', 'buy:0 1 @ 100.21', aged('buy:0 1 @ 100', 60_000), ['replace buy:0 1 @ 100.21']],
    ['an ask nearer, at the tolerance', 'sell:0 1 @ 100.1', aged('sell:0 1 @ 100', 60_000), ['keep sell:0']],
    ['an ask nearer, past it', 'sell:0 1 @ 100.11', aged('sell:0 1 @ 100', 60_000), ['cancel sell:0']],
    ['an ask farther away, at its tolerance', 'sell:0 1 @ 99.8', aged('sell:0 1 @ 100', 60_000), ['keep sell:0']],
    ['an ask farther away, past it', 'sell:0 1 @ 99.79', aged('sell:0 1 @ 100', 60_000), ['replace sell:0 1 @ 99.79']],
    ['price past it, younger than the refresh time', 'buy:0 1 @ 98', aged('buy:0 1 @ 100', 9_999), ['keep buy:0']],
    ['price past it, at the refresh time', 'buy:0 1 @ 98', aged('buy:0 1 @ 97', 10_000), ['replace buy:0 1 @ 98']],
    ['nearer to the market than is wanted', 'buy:0 1 @ 98', aged('buy:0 1 @ 98.3', 60_000), ['cancel buy:0']],
    ['a little nearer, past the tolerance', 'buy:0 1 @ 98', aged('buy:0 1 @ 98.2', 60_000), ['replace buy:0 1 @ 98']],
    ['too much by the tolerance', 'buy:0 0.9 @ 99', aged('buy:0 1 @ 99', 60_000), ['keep buy:0']],
    ['too much by more', 'buy:0 0.89 @ 99', aged('buy:0 1 @ 99', 60_000), ['replace buy:0 0.89 @ 99']],
    ['too little by its tolerance', 'buy:0 1 @ 99', aged('buy:0 0.5 @ 99', 60_000), ['keep buy:0']],
    ['too little by more', 'buy:0 1 @ 99', aged('buy:0 0.49 @ 99', 60_000), ['replace buy:0 1 @ 99']],
    [
      'filled by more than half',
      'buy:0 1 @ 99',
      aged('buy:0 1 @ 99', 60_000, { remaining: decimal('0.49') }),
      ['replace buy:0 1 @ 99'],
    ],
    [
      'what remains is what is wanted',
      'buy:0 0.5 @ 99',
      aged('buy:0 1 @ 99', 60_000, { remaining: decimal('0.5') }),
      ['keep buy:0'],
    ],
    ['too old', 'buy:0 1 @ 99', aged('buy:0 1 @ 99', 600_000), ['replace buy:0 1 @ 99']],
    ['pending', 'buy:0 1 @ 98', aged('buy:0 1 @ 99', 60_000, { status: 'pending' }), ['wait buy:0']],
    ['filled, not closed', 'buy:0 1 @ 98', aged('buy:0 1 @ 99', 60_000, { remaining: decimal('0') }), ['wait buy:0']],
  ];
  test.each(table)('%s: wanted %s', (_words, wanted, order, expected) => {
    expect(diff({ wanted: [wanted], live: [order] })).toEqual(expected);
  });

  test.each([
    [0, 'replace buy:0 1 @ 98'],
    [0.5, 'replace buy:0 1 @ 98'],
    [1, 'keep buy:0'],
  ])('a price that travels %d bps is a tolerance of that, where none is configured', (travelBps, expected) => {
    const situation = { wanted: ['buy:0 1 @ 98'], live: [aged('buy:0 1 @ 97.995', 60_000)] };
    expect(diff({ ...situation, settings: { priceToleranceBps: 0 }, facts: { travelBps } })).toEqual([expected]);
  });
});

describe('slots', () => {
  test('a free slot gets its order, innermost first', () => {
    const wanted = ['buy:0 1 @ 99', 'buy:1 1 @ 98', 'sell:0 1 @ 101', 'sell:1 1 @ 102'];
    expect(diff({ wanted })).toEqual([
      'create buy:0 1 @ 99',
      'create sell:0 1 @ 101',
      'create buy:1 1 @ 98',
      'create sell:1 1 @ 102',
    ]);
  });

  test('each level is judged by itself: one moves, the others stay where they are in the queue', () => {
    const live = [liveOrder('buy:0 1 @ 99'), liveOrder('buy:1 1 @ 98'), liveOrder('sell:0 1 @ 101')];
    expect(diff({ wanted: ['buy:0 1 @ 99', 'buy:1 1 @ 97', 'sell:0 1 @ 101'], live })).toEqual([
      'cancel buy:1',
      'keep buy:0',
      'keep sell:0',
    ]);
  });

  test('an order that no quote asks for is canceled, however young', () => {
    expect(diff({ live: [aged('sell:2 1 @ 103', 1)] })).toEqual(['cancel sell:2']);
  });

  test('a second order in a slot is canceled', () => {
    const live = [liveOrder('buy:0 1 @ 99'), liveOrder('buy:0 1 @ 99')];
    expect(diff({ wanted: ['buy:0 1 @ 99'], live })).toEqual(['cancel buy:0', 'keep buy:0']);
  });

  test('of two open orders the newer one stays: the older one was canceled before and is back', () => {
    const live = [aged('buy:0 1 @ 99', 60_000), aged('buy:0 1 @ 98', 1_000)];
    expect(reason({ wanted: ['buy:0 1 @ 98'], live })).toBe('buy:0 has a newer order.');
    expect(actionsFor({ wanted: ['buy:0 1 @ 98'], live }).map(({ kind }) => kind)).toEqual(['cancel', 'keep']);
  });

  test('the level that is furthest out of place moves first', () => {
    const live = [liveOrder('buy:0 1 @ 98'), liveOrder('buy:1 1 @ 96'), liveOrder('sell:0 1 @ 103')];
    const wanted = ['buy:0 1 @ 99', 'buy:1 1 @ 98', 'sell:0 1 @ 101.5'];
    expect(diff({ wanted, live })).toEqual([
      'replace buy:1 1 @ 98',
      'replace sell:0 1 @ 101.5',
      'replace buy:0 1 @ 99',
    ]);
  });

  test('while its successor is on its way, an order stays, unless its price is dangerous', () => {
    const successor = liveOrder('buy:0 1 @ 97', { status: 'pending', intentId: intentId('i-new') });
    const moving = { wanted: ['buy:0 1 @ 97'], live: [liveOrder('buy:0 1 @ 96'), successor] };
    expect(diff(moving)).toEqual(['wait buy:0', 'keep buy:0']);
    const near = { ...moving, live: [liveOrder('buy:0 1 @ 99.9'), successor], settings: { minHalfSpreadBps: 50 } };
    expect(diff(near)).toEqual(['cancel buy:0', 'wait buy:0']);
    // The market came nearer meanwhile than the order may stay at.
    expect(diff({ ...moving, live: [liveOrder('buy:0 1 @ 98'), successor] })).toEqual(['cancel buy:0', 'wait buy:0']);
  });

  test('a quote that would be canceled at once replaces nothing', () => {
    const live = [liveOrder('buy:0 1 @ 97')];
    expect(diff({ wanted: ['buy:0 1 @ 99.6'], live, settings: { minHalfSpreadBps: 50 } })).toEqual(['cancel buy:0']);
  });

  test('a slot whose order must go first gets its new order in a later decision, once the old one leaves', () => {
    const wanted = ['buy:0 1 @ 97'];
    expect(diff({ wanted, live: [liveOrder('buy:0 1 @ 99')] })).toEqual(['cancel buy:0']);
    expect(diff({ wanted, live: [liveOrder('buy:0 1 @ 99', { status: 'pending' })] })).toEqual(['wait buy:0']);
    expect(diff({ wanted, live: [liveOrder('buy:0 1 @ 99', { status: 'leaving' })] })).toEqual(['create buy:0 1 @ 97']);
    expect(diff({ wanted, live: [] })).toEqual(['create buy:0 1 @ 97']);
  });
});

describe('dangerous prices', () => {
  const minHalfSpreadBps = 50;

  test.each([
    ['buy:0 1 @ 99.5', ['keep buy:0']],
    ['buy:0 1 @ 99.6', ['cancel buy:0']],
    ['buy:0 1 @ 100.4', ['cancel buy:0']],
    ['sell:0 1 @ 100.5', ['keep sell:0']],
    ['sell:0 1 @ 100.4', ['cancel sell:0']],
  ])('a young %s against a least distance of 50 bps', (text, expected) => {
    expect(diff({ wanted: [text], live: [aged(text, 1)], settings: { minHalfSpreadBps } })).toEqual(expected);
  });

  test('a quote that would be canceled at once is not sent', () => {
    const situation = { wanted: ['buy:0 1 @ 99.6'], settings: { minHalfSpreadBps } };
    expect(diff(situation)).toEqual(['wait buy:0']);
    expect(reason(situation)).toBe(
      'Its price of 99.6 is 40 bps from the reference price 100 and must be 50 bps at least.',
    );
  });

  test('an order that the market has come to is canceled whatever its age', () => {
    const near = view({ book: book(['98.9 x 1'], ['99.1 x 1']) });
    const limits = restingLimits(near, settings().guard);
    const live = [aged('buy:0 1 @ 99', 1), aged('buy:1 1 @ 99.1', 1), aged('sell:0 1 @ 98.9', 1)];
    const wanted = ['buy:0 1 @ 99', 'buy:1 1 @ 99.1', 'sell:0 1 @ 98.9'];
    expect(diff({ wanted, live, facts: { restingLimits: limits } })).toEqual([
      'cancel buy:1',
      'cancel sell:0',
      'keep buy:0',
    ]);
  });
});

describe('reasons', () => {
  const wanted = ['buy:0 1 @ 97'];
  test.each([
    [
      { wanted, live: [liveOrder('buy:0 1 @ 100')] },
      '97 is wanted, farther from the market by more than 10 bps of its 100.',
    ],
    [
      { wanted: ['buy:0 1 @ 99'], live: [liveOrder('buy:0 1 @ 97')] },
      '99 is wanted, nearer to the market by more than 20 bps of its 97.',
    ],
    [{ wanted, live: [liveOrder('buy:0 2 @ 97')] }, 'A size of 1 is wanted and 2 of it remains.'],
    [{ wanted, live: [aged('buy:0 1 @ 97', 700_000)] }, 'It is 700000 ms old and may be 600000 ms old at most.'],
    [{ live: [liveOrder('buy:0 1 @ 97')] }, 'No quote is wanted in buy:0.'],
    [{ wanted, live: [liveOrder('buy:0 1 @ 97', { status: 'pending' })] }, 'What became of i-buy:0 is not known yet.'],
  ])('carry the values', (situation: Case, expected) => {
    expect(reason(situation)).toBe(expected);
  });
});

// The moves that `plan` foretells, against walks of the price.

const quotes = { volatility: 2, orders: 4, requestsPerSecond: 0.4 };

/** Seconds until a walk of `volatility` per √s leaves the band, the mean of many; the same numbers every time. */
function meanExit(below: number, above: number, volatility: number): number {
  const steps = 200;
  const step = volatility / Math.sqrt(steps);
  let state = 1;
  let walked = 0;
  const walks = 2_000;
  for (let walk = 0; walk < walks; walk += 1)
    for (let at = 0; at > -below && at < above; walked += 1) {
      state = (state * 48_271) % 2_147_483_647;
      at += state % 2_000 < 1_000 ? step : -step;
    }
  return walked / walks / steps;
}

describe('moves in an hour', () => {
  test.each([
    [10, 2],
    [5, 2],
    [20, 3],
  ])('%d bps one way, twice that the other, at %d bps per √s: as many as walks of the price', (...walk) => {
    const [nearer, volatility] = walk;
    const refresh = diffSettingsSchema.parse({ priceToleranceBps: nearer, refreshMs: 0 });
    const walked = 3_600 / meanExit(nearer, 2 * nearer, volatility);
    const { perHour } = expectedMoves({ ...quotes, refresh, volatility });
    expect(Math.abs(perHour / walked - 1)).toBeLessThan(0.1);
  });

  test('are held up by the refresh time, and take their share of the lane', () => {
    const refresh = diffSettingsSchema.parse({ priceToleranceBps: 1, refreshMs: 30_000 });
    const moves = expectedMoves({ ...quotes, refresh });
    expect(moves).toEqual({ perHour: 120, requestsPerHour: 960, laneShare: 960 / 1_440 });
  });

  test('are none where the price stands still', () => {
    const refresh = diffSettingsSchema.parse({});
    expect(expectedMoves({ ...quotes, volatility: 0, refresh }).perHour).toBe(0);
  });
});
