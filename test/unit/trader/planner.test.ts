// What a scarce request is spent on: the order of what is worth most, and that nothing starves on a slow lane.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { globalBlockers, symbolBlockers } from '../../../src/trader/decision/readiness.ts';
import { marketOf } from '../../../src/trader/state/state.ts';
import { BTC, deskSettings, ETH } from './desk-settings.ts';
import { type Desk, fillNow, inSlot, nextCreate, quotingDesk, readyDesk, unknown } from './trader-kit.ts';

/** The pace that was seen of a live service: one request in 2.5 seconds on each side. */
const SLOW = deskSettings({
  symbols: [BTC, ETH],
  requestsPerSecond: { public: 0.4, private: 0.4 },
  polling: {
    bookMs: 5_000,
    publicTradesMs: 15_000,
    openOrdersMs: 15_000,
    tradesMs: 15_000,
    walletMs: 30_000,
    tradesRescanMs: 600_000,
    probeMs: 5_000,
  },
  ageLimits: {
    bookMs: 15_000,
    frozenBookMs: 40_000,
    publicTradesMs: 120_000,
    openOrdersMs: 60_000,
    reconciledMs: 300_000,
  },
  assumptions: { venueInternalLagMs: 10_000, readLagBoundMs: 120_000, resolutionDeadlineMs: 300_000 },
  refresh: { refreshMs: 10_000 },
});
const PACE = 2_500;

/** Without the lists of the owner's transfers, which a ledger that has just been opened reads once. */
const kindsFrom = (desk: Desk, from: number): string[] =>
  desk.sent
    .slice(from)
    .map(({ chosen }) => chosen.request.kind)
    .filter((kind) => kind !== 'order-book' && !/deposits|withdrawals|sbs/.test(kind));

describe('a private lane that opens', () => {
  test('goes to a cancel before everything else', () => {
    const desk = quotingDesk();
    desk.pass(60_000);
    desk.look('book', 'orders', 'trades', 'wallet');
    desk.tell({ kind: 'pause', reason: 'Nobody watches.' });
    expect(desk.open('private')?.request.kind).toBe('cancel');
    expect(desk.open('private')?.request.kind).toBe('cancel');
  });

  test('goes to an empty slot before the search for an unknown order', () => {
    const desk = readyDesk();
    desk.answer(nextCreate(desk), unknown);
    desk.pass(1_000);
    const from = desk.sent.length;
    desk.run(1_000);
    const kinds = kindsFrom(desk, from);
    expect(kinds[0]).toBe('create');
    expect(kinds.slice(1, 3).toSorted()).toEqual(['open-orders', 'spot-trades']);
  });

  test('goes to the search for an unknown order before a level that moves', () => {
    const desk = readyDesk();
    const bid = nextCreate(desk);
    desk.answer(nextCreate(desk));
    desk.answer(bid, unknown);
    // The ask is to move by 1.5 %: its price is farther away than is wanted.
    desk.shows.books[BTC] = [97_500, 99_500];
    desk.pass(3_000);
    desk.look('book');
    const from = desk.sent.length;
    desk.run(1_000);
    const kinds = kindsFrom(desk, from);
    expect(kinds).toContain('create');
    expect(kinds.slice(0, kinds.indexOf('create')).toSorted()).toEqual(['open-orders', 'spot-trades']);
  });

  test('goes to own orders and trades that are due before a create, and to a wallet that is only due after it', () => {
    const desk = readyDesk();
    desk.pass(2_500);
    desk.look('book');
    const from = desk.sent.length;
    desk.run(1_500);
    expect(kindsFrom(desk, from).slice(0, 5)).toEqual(['open-orders', 'spot-trades', 'create', 'create', 'wallet']);
  });

  test('sends no duplicate of a request in flight', () => {
    const desk = readyDesk();
    desk.pass(5_000);
    const first = desk.open('private');
    const second = desk.open('private');
    expect(first?.key).not.toBe(second?.key);
  });
});

test('on a lane slower than its pace, reads that are always due leave a turn for creates (seed 5861)', () => {
  const settings = deskSettings({ requestsPerSecond: { public: 10, private: 10 } });
  const desk = readyDesk({ ...settings, polling: { ...settings.polling, openOrdersMs: 1_000, tradesMs: 1_000 } });
  desk.run(30_000, 1_000);
  const kinds = kindsFrom(desk, 0);
  expect(kinds.filter((kind) => kind === 'create').length).toBeGreaterThanOrEqual(2);
  expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
});

describe('one request in 2.5 seconds, two symbols', () => {
  /** Runs and notes the greatest age of each surface, and how often quoting was not allowed. */
  function live(
    desk: Desk,
    ms: number,
    each: () => void = () => {},
  ): { ages: Record<string, number>; blocked: string[] } {
    const ages: Record<string, number> = { book: 0, orders: 0, equal: 0 };
    const blocked = new Set<string>();
    for (const end = desk.now() + ms; desk.now() < end; ) {
      desk.run(PACE, PACE);
      each();
      const { markets, reconciliation } = desk.state();
      const note = (name: string, at: number | null): void => {
        ages[name] = Math.max(ages[name] ?? 0, desk.now() - (at ?? 0));
      };
      for (const { book, openOrders } of markets.values()) {
        note('book', book.sentAt);
        note('orders', openOrders.sentAt);
      }
      note('equal', reconciliation.equalSentAt);
      for (const { reason } of globalBlockers(desk.state(), desk.now())) blocked.add(reason);
      for (const symbol of [BTC, ETH])
        for (const { reason } of symbolBlockers(desk.state(), marketOf(desk.state(), symbol), desk.now()))
          blocked.add(reason);
    }
    return { ages, blocked: [...blocked] };
  }

  test('both symbols get their quotes within a minute, and reads stay recent enough', () => {
    const desk = readyDesk(SLOW);
    live(desk, 60_000);
    expect(desk.intents().filter(({ state }) => state === 'open')).toHaveLength(4);
    const { ages, blocked } = live(desk, 15 * 60_000);
    expect(blocked).toEqual([]);
    expect(ages.book).toBeLessThanOrEqual(7_500);
    expect(ages.orders).toBeLessThan(40_000);
    expect(ages.equal).toBeLessThan(80_000);
  });

  test('quotes follow a market that moves all the time, and nothing starves behind cancels and closings', () => {
    const desk = readyDesk(SLOW);
    live(desk, 60_000);
    const from = desk.sent.length;
    let step = 0;
    const { ages, blocked } = live(desk, 30 * 60_000, () => {
      step += 1;
      const middle = 100_000 + Math.round(2_000 * Math.sin(step / 20));
      desk.shows.books = { [BTC]: [middle - 1_000, middle + 1_000], [ETH]: [middle / 10 - 100, middle / 10 + 100] };
    });
    expect(blocked).toEqual([]);
    expect(ages.orders).toBeLessThan(60_000);
    expect(ages.equal).toBeLessThan(150_000);
    const kinds = kindsFrom(desk, from);
    // Each slot is free again only two minutes after its cancel: at most one order in each in that time.
    expect(kinds.filter((kind) => kind === 'create').length).toBeGreaterThan(20);
  });

  test('a lane that refusals slowed down reads own orders before they are too old to quote by', () => {
    const desk = readyDesk(SLOW);
    desk.pace(0.056);
    for (const end = desk.now() + 20 * 60_000; desk.now() < end; ) {
      desk.pass(17_800);
      desk.look('book');
      const chosen = desk.open('private');
      if (chosen) desk.answer(chosen);
    }
    const cancels = desk.events.flatMap((event) => (event.type === 'cancel-sent' ? [event.payload.why] : []));
    expect(cancels).toEqual([]);
    expect(desk.intents().filter(({ state }) => state === 'open')).toHaveLength(4);
  });

  test('a cancel at the last moment leaves the list of own orders its turn (seed 92057)', () => {
    const desk = readyDesk(SLOW);
    live(desk, 60_000);
    const turnMs = 5_500;
    desk.pace(1_000 / turnMs);
    const blocked = new Set<string>();
    for (let turn = 0; turn < 120; turn += 1) {
      desk.pass(turnMs);
      const age = desk.now() - (desk.state().markets.get(BTC)?.openOrders.sentAt ?? 0);
      // Fills are looked for first, and in the last turn of the list an order is suddenly too near to the market.
      const [open] = desk.intents().filter(({ state, symbol }) => state === 'open' && symbol === ETH);
      if (open) fillNow(desk, inSlot(desk, open.slot, ETH), { quantity: decimal('0.0001') });
      const middle = age + turnMs >= 60_000 ? 98_400 : 100_000;
      desk.shows.books[BTC] = [middle - 1_000, middle + 1_000];
      desk.look('book');
      for (const { code } of symbolBlockers(desk.state(), marketOf(desk.state(), BTC), desk.now())) blocked.add(code);
      const chosen = desk.open('private');
      if (chosen) desk.answer(chosen);
    }
    expect([...blocked]).not.toContain('orders');
  });

  test('symbols take turns at creating', () => {
    const desk = readyDesk(SLOW);
    live(desk, 60_000);
    const symbols = desk.sent.flatMap(({ chosen: { request } }) =>
      request.kind === 'create' ? [request.order.symbol] : [],
    );
    expect(symbols.slice(0, 4)).toEqual([BTC, ETH, BTC, ETH]);
  });

  test('the search for an unknown order does not stop the other symbol', () => {
    const desk = readyDesk(SLOW);
    const create = nextCreate(desk);
    desk.answer(create, unknown);
    live(desk, 120_000);
    expect(desk.intents().filter(({ state, symbol }) => state === 'open' && symbol === ETH)).toHaveLength(2);
    live(desk, 210_000);
    expect(desk.intents().some(({ state }) => state === 'unknown')).toBe(false);
  });

  test('fills are booked within half a minute although orders close all the time', () => {
    const desk = readyDesk(SLOW);
    live(desk, 60_000);
    for (let round = 0; round < 8; round += 1) {
      const [open] = desk.intents().filter(({ state }) => state === 'open');
      if (open) fillNow(desk, inSlot(desk, open.slot, open.symbol), { quantity: decimal('0.001') });
      const before = desk.events.filter(({ type }) => type === 'fill').length;
      live(desk, 40_000);
      if (open) expect(desk.events.filter(({ type }) => type === 'fill').length).toBe(before + 1);
    }
  });
});
