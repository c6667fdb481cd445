// Anything may happen to answers, lists and orders, in any order: what must never be is never, and in calm all comes
// right. The kit checks S1, S2, S3, M1, M9 and R4 after every single step. A failure prints its seed and path;
// RUNS=2000 looks longer.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decimal, plain } from '../../../src/domain/decimal.ts';
import type { OpenOrder } from '../../../src/domain/order.ts';
import { amountText } from '../../../src/ledger/amount.ts';
import { balanceOf } from '../../../src/ledger/ledger.ts';
import type { Intent } from '../../../src/trader/durable/intent.ts';
import { ledgerTotal } from '../../../src/trader/state/state.ts';
import { BTC, deskSettings, HORIZON_MS, LAG_MS } from './desk-settings.ts';
import { haltsIn } from './durable-kit.ts';
import { FATES, type Fate, type ModelVenue, modelVenue } from './model-venue.ts';
import { type Desk, readyDesk } from './trader-kit.ts';

type Step =
  | { readonly kind: 'run'; readonly ms: number }
  | { readonly kind: 'fate'; readonly fate: Fate }
  | { readonly kind: 'fill'; readonly pick: number; readonly share: number }
  | { readonly kind: 'price'; readonly middle: number }
  | { readonly kind: 'lags'; readonly orders: number; readonly trades: number; readonly wallet: number }
  | { readonly kind: 'owner' }
  | { readonly kind: 'twice' }
  | { readonly kind: 'deposit' }
  | { readonly kind: 'holes'; readonly count: number }
  | { readonly kind: 'repeats'; readonly on: boolean }
  | { readonly kind: 'cut'; readonly on: boolean }
  | { readonly kind: 'restart' };

const lag = fc.integer({ min: 0, max: LAG_MS - 500 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('run' as const), ms: fc.integer({ min: 100, max: 6_000 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('fate' as const), fate: fc.constantFrom(...FATES) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('fill' as const), pick: fc.nat(3), share: fc.constantFrom(0.2, 0.5, 1) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('price' as const), middle: fc.integer({ min: 96_000, max: 104_000 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('lags' as const), orders: lag, trades: lag, wallet: lag }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'owner' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'deposit' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('holes' as const), count: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('repeats' as const), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut' as const), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
);

const STEP_MS = 250;

function take(desk: Desk, venue: ModelVenue, each: Step): void {
  switch (each.kind) {
    case 'run':
      return desk.run(each.ms, STEP_MS);
    case 'fate':
      venue.fate = each.fate;
      return;
    case 'fill':
      return venue.fill(each.pick, each.share);
    case 'price':
      desk.shows.books[BTC] = [each.middle - 1_000, each.middle + 1_000];
      return;
    case 'lags':
      venue.lags = { orders: each.orders, trades: each.trades, wallet: each.wallet };
      return;
    case 'holes':
      venue.holes = each.count;
      return;
    case 'repeats':
      venue.repeats = each.on;
      return;
    case 'deposit':
      return venue.deposit('0.0457');
    case 'twice':
      venue.twice = true;
      return;
    case 'owner':
      return venue.ownerBuys('0.0123');
    case 'cut':
      desk.shows.ordersCut = each.on;
      return;
    case 'restart':
      return desk.restart();
  }
}

/** S5: an order of ours on the exchange is a live intent's, or may be one's whose fate is not known. */
function orphans(desk: Desk, venue: ModelVenue): OpenOrder[] {
  const covers = (intent: Intent, row: OpenOrder): boolean =>
    intent.orderId === row.orderId ||
    (intent.orderId === null &&
      intent.side === row.side &&
      intent.price.eq(row.price) &&
      intent.quantity.eq(row.originalQuantity));
  return venue.orders().filter((row) => !desk.intents().some((intent) => covers(intent, row)));
}

function calm(desk: Desk, venue: ModelVenue): void {
  venue.lags = { orders: 0, trades: 0, wallet: 0 };
  venue.fate = 'answered';
  venue.holes = 0;
  venue.repeats = false;
  desk.shows.ordersCut = false;
  desk.shows.books[BTC] = [99_000, 101_000];
  desk.run(HORIZON_MS + 6 * LAG_MS + 100_000, STEP_MS);
}

/** An account that is the bot's alone: nobody else trades on it, and the exchange may take a create twice. */
const alone = fc.oneof(
  { weight: 20, arbitrary: step.filter(({ kind }) => kind !== 'owner') },
  { weight: 2, arbitrary: fc.constant({ kind: 'twice' as const }) },
);

test('the same on an account that is the bot’s alone, with creates accepted twice', () => {
  const run = fc.property(fc.array(alone, { minLength: 5, maxLength: 40 }), (steps) => {
    const desk = readyDesk(
      deskSettings({
        foreignOrders: 'refuse',
        refresh: { refreshMs: 1_000 },
        requestsPerSecond: { public: 4, private: 4 },
      }),
    );
    const venue = modelVenue(desk, BTC);
    for (const each of steps) take(desk, venue, each);
    venue.twice = false;
    calm(desk, venue);
    const halt = haltsIn(desk.state().durable).get(BTC);
    for (const asset of ['BTC', 'INR'])
      expect(plain(ledgerTotal(desk.state().durable.books, asset))).toBe(plain(venue.balance(asset)));
    // S5: nothing on the exchange that no intent owns; S4: what was taken twice is back to one.
    expect(orphans(desk, venue)).toEqual([]);
    expect(desk.intents().map(({ state }) => state)).toEqual(halt === undefined ? ['open', 'open'] : []);
    // R7: nobody else trades here, so every fill is the strategy's.
    expect(desk.events.filter(({ type, payload }) => type === 'fill' && payload.intentId === null)).toEqual([]);
  });
  fc.assert(run, { numRuns: Number(process.env.RUNS ?? 40) });
});

test('random answers, delays, losses, fills and restarts', () => {
  const run = fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => {
    const desk = readyDesk(
      deskSettings({ refresh: { refreshMs: 1_000 }, requestsPerSecond: { public: 4, private: 4 } }),
    );
    const venue = modelVenue(desk, BTC);
    for (const each of steps) {
      take(desk, venue, each);
      expect(orphans(desk, venue)).toEqual([]);
    }
    calm(desk, venue);
    const halt = haltsIn(desk.state().durable).get(BTC);
    // M2, M3: the ledger is the wallet to the last digit, and each trade is booked once.
    for (const asset of ['BTC', 'INR'])
      expect(plain(ledgerTotal(desk.state().durable.books, asset))).toBe(plain(venue.balance(asset)));
    const booked = desk.events.flatMap(({ type, payload }) => (type === 'fill' ? [payload.fill.tradeId] : []));
    expect(booked.toSorted()).toEqual(
      venue
        .fills()
        .map(({ tradeId }) => tradeId)
        .toSorted(),
    );
    // M10: what came in from outside is a deposit, or a difference.
    const deposits = steps.filter(({ kind }) => kind === 'deposit').length;
    if (halt === undefined)
      expect(amountText(balanceOf(desk.state().durable.books.ledger, 'BTC', 'external:deposit'))).toBe(
        plain(decimal('-0.0457').mul(deposits)),
      );
    // L1: quoting again, or a halt that says why; nothing of ours is unaccounted for.
    expect(orphans(desk, venue)).toEqual([]);
    expect(desk.intents().map(({ state }) => state)).toEqual(halt === undefined ? ['open', 'open'] : []);
    // R1: what was called never placed has no order and no fill; no fill of the bot's was taken for the owner's.
    const external = desk.events.filter(({ type, payload }) => type === 'fill' && payload.intentId === null);
    expect(external).toHaveLength(venue.fills().filter(({ orderId }) => orderId === '1-5-1').length);
  });
  fc.assert(run, { numRuns: Number(process.env.RUNS ?? 40) });
});
