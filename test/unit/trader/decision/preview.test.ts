// What would be quoted now is found out by reads alone: no order leaves, and it ends when nothing more is to be
// learned.
import { describe, expect, test } from '@jest/globals';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { hasDecided, isRead, moveInThought, placeInThought, takeRead } from '../../../../src/trader/turns/preview.ts';
import { BTC, type DeskSettings, deskSettings, ETH } from '../desk-settings.ts';
import { haltsIn } from '../durable-kit.ts';
import { type Desk, deskWith, readyDesk, rejected } from '../trader-kit.ts';

/** Asks until nothing more is wanted on either lane; the kinds that were asked. */
function looked(desk: Desk, forMs = 30_000): string[] {
  const kinds: string[] = [];
  desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 50, confirmed: true });
  for (const end = desk.now() + forMs; desk.now() < end; desk.pass(100)) {
    for (const lane of ['public', 'private'] as const) {
      const chosen = takeRead(desk.state(), lane, desk.now());
      if (chosen === null) continue;
      kinds.push(chosen.request.kind);
      desk.answer(chosen);
    }
  }
  return kinds;
}

test.each([
  ['create', false],
  ['cancel', false],
  ['cancel-symbol', false],
  ['cancel-all', false],
  ['open-orders', true],
  ['order-book', true],
  ['wallet', true],
])('whether %s only looks is %p', (kind, is) => {
  expect(isRead(kind)).toBe(is);
});

test('it reads until every market has quotes, and not on', () => {
  const desk = deskWith(deskSettings({ symbols: [BTC, ETH] }));
  expect(hasDecided(desk.state(), desk.now())).toBe(false);
  const kinds = looked(desk);
  for (const kind of ['order-book', 'open-orders', 'spot-trades', 'wallet']) expect(kinds).toContain(kind);
  // A few of each, and then none: half a minute of looking would be hundreds.
  expect(kinds.length).toBeLessThan(50);
  expect(marketOf(desk.state(), ETH).decision?.result?.quotes).toHaveLength(2);
  expect(desk.intents()).toEqual([]);
});

test('one market without a price keeps it looking, and no order of the other one is thought to be sent', () => {
  const desk = deskWith(deskSettings({ symbols: [BTC, ETH] }));
  desk.shows.books[ETH] = null;
  const written = desk.events.length;
  looked(desk, 10_000);
  expect(looked(desk, 10_000).filter((kind) => kind === 'order-book').length).toBeGreaterThan(10);
  expect(hasDecided(desk.state(), desk.now())).toBe(false);
  expect(desk.intents()).toEqual([]);
  expect(desk.events.slice(written).map(({ type }) => type)).not.toContain('intent');
  expect(marketOf(desk.state(), BTC).decision?.result?.quotes).toHaveLength(2);
  desk.shows.books[ETH] = [9_900, 10_100];
  // Once all is decided nothing is read: any longer, and the list of own orders would be too old to quote by.
  looked(desk, 5_000);
  expect(hasDecided(desk.state(), desk.now())).toBe(true);
});

test('nothing is read that is not due, though nothing is decided yet', () => {
  const desk = deskWith(deskSettings());
  desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 50, confirmed: true });
  expect(takeRead(desk.state(), 'public', desk.now())).toMatchObject({ request: { kind: 'order-book' } });
  // It is on its way.
  expect(takeRead(desk.state(), 'public', desk.now())).toBeNull();
});

test('a market that a person must resume is decided as well', () => {
  const desk = readyDesk();
  desk.reply = ({ kind }) => (kind === 'create' ? rejected(-1121) : undefined);
  desk.run(5_000);
  expect([...haltsIn(desk.state().durable).keys()]).toEqual([BTC]);
  expect(marketOf(desk.state(), BTC).decision?.result ?? null).toBeNull();
  expect(hasDecided(desk.state(), desk.now())).toBe(true);
});

describe('how many moves have room beside a bid and an ask of 1,000 INR in each market', () => {
  function roomsOf(settings: DeskSettings) {
    const desk = deskWith(deskSettings(settings));
    looked(desk);
    placeInThought(desk.state(), desk.now());
    const rooms = moveInThought(desk.state(), desk.now());
    return [...rooms].map(([symbol, { moves, limit }]) => [symbol, moves, limit]);
  }

  test.each<[string, DeskSettings, number, string]>([
    [
      'as many as may leave',
      { limits: { maxLeaving: 6 } },
      4,
      'At most 6 canceled orders may be unproved, and moves may take 4 of them.',
    ],
    [
      'all that may leave',
      { limits: { maxLeaving: 1 } },
      1,
      'At most 1 canceled orders may be unproved, and moves may take 1 of them.',
    ],
    [
      'one where none may leave',
      { limits: { maxLeaving: 0 } },
      1,
      'At most 0 canceled orders may be unproved, and moves may take 1 of them.',
    ],
    ['one a level', { limits: { maxLeavingPerSlot: 0 } }, 2, 'orders of sell:0 are not proved closed yet'],
    ['by number', { limits: { maxOpenOrders: 5 } }, 3, 'It would be open order 6 of BTC/INR; 5 are allowed.'],
    ['by notional', { limits: { maxOpenNotional: '3900' } }, 1, 'Open orders of BTC/INR would come to 39'],
    ['by budget', { quoting: { budget: { maxQuote: '2500' } } }, 3, 'budget.maxQuote is 2500.'],
    ['none at all', { limits: { maxOpenOrders: 2 } }, 0, 'It would be open order 3 of BTC/INR; 2 are allowed.'],
  ])('%s', (_, settings, moves, limit) => {
    expect(roomsOf(settings)).toEqual([[BTC, moves, expect.stringContaining(limit)]]);
  });

  test('two markets take turns at what is over all of them', () => {
    const limit = expect.stringContaining('Open orders over all symbols would come to ');
    expect(roomsOf({ symbols: [BTC, ETH], limits: { maxOpenNotionalOverAll: '6900' } })).toEqual([
      [BTC, 1, limit],
      [ETH, 1, limit],
    ]);
  });

  test('nothing where nothing rests', () => {
    const desk = deskWith();
    expect(moveInThought(desk.state(), desk.now()).size).toBe(0);
  });
});
