// From the bot's end to the proof, whatever the exchange does meanwhile (order-truth §5; F12, F21, F27–F29, F38, F39,
// S8).
import { describe, expect, test } from '@jest/globals';
import { orderId } from '../../../src/domain/ids.ts';
import type { CancelOutcome } from '../../../src/venue/outcomes.ts';
import { take } from '../../../src/watchdog/own-orders.ts';
import { MAINTENANCE, refused } from '../refused.ts';
import { lost } from './turns/sweep-kit.ts';
import { create, order, SETTINGS, silentBot, type WatchWorld } from './watch-world.ts';

/** A create without a name was on its way when the bot fell silent, and lands after the first cancels. */
function withLateCreate(listLagMs = 0): WatchWorld {
  const world = silentBot();
  world.listLagMs = listLagMs;
  const times = { timestamp: world.wall + 45_000, horizon: world.wall + 59_000 };
  take(world.orders, { kind: 'sent', intentId: 'in-flight', create: create({ side: 'sell', ...times }) });
  world.run(49_500);
  world.lands(order('1-3-1', { side: 'sell', venueTime: world.wall }));
  return world;
}

describe('on the way to flat', () => {
  test('F28: a create that lands after the first cancel is found by what it is, and canceled', () => {
    const world = withLateCreate();
    world.run(300_000);
    expect({ ended: world.ended, open: world.book.size }).toEqual({ ended: true, open: 0 });
    expect(world.canceled).toContain('1-3-1');
  });

  test('F12: an order without a name that lists show late is waited for', () => {
    const world = withLateCreate(29_000);
    world.run(300_000);
    expect({ ended: world.ended, open: world.book.size }).toEqual({ ended: true, open: 0 });
  });

  test('F34: an order without a name that two lists in a row lack is found by the next one', () => {
    const world = withLateCreate();
    let holeSince: number | null = null;
    world.shown = (rows) => {
      if (world.now >= 59_000 + SETTINGS.sweep.readLagBoundMs) holeSince ??= world.now;
      const isHole =
        holeSince === null ? world.now < 59_000 + SETTINGS.sweep.readLagBoundMs : world.now < holeSince + 27_000;
      return { rows: isHole ? rows.filter((row) => row.orderId !== '1-3-1') : rows, complete: true };
    };
    world.run(300_000);
    expect({ ended: world.ended, open: world.book.size }).toEqual({ ended: true, open: 0 });
  });

  test("F37, F39: the owner's order on a list that may lack our own like it is not canceled for it", () => {
    const world = silentBot({ giveUpMs: 100_000 });
    const at = world.wall;
    take(world.orders, { kind: 'sent', intentId: 'in-flight', create: create({ side: 'sell', timestamp: at }) });
    world.lands(order('1-7-1', { side: 'sell', venueTime: at }));
    world.shown = (rows) => ({ rows, complete: false });
    world.run(300_000);
    expect(world.canceled).not.toContain('1-7-1');
    expect(world.ended).toBe(false);
  });

  test('F39: an order of the owner is never canceled, and one that could be either is said', () => {
    const world = silentBot();
    const at = world.wall;
    take(world.orders, { kind: 'sent', intentId: 'in-flight', create: create({ side: 'sell', timestamp: at }) });
    world.lands(order('1-7-1', { side: 'sell', venueTime: at - 3_600_000 }));
    world.lands(order('1-8-1', { side: 'sell', venueTime: at }));
    world.lands(order('1-9-1', { side: 'sell', venueTime: at }));
    world.run(4_000_000);
    expect(world.ended).toBe(false);
    expect([...world.book.keys()]).toEqual(['1-7-1', '1-8-1', '1-9-1']);
    expect(world.done.at(-2)).toContain('1-8-1 and 1-9-1 could each be');
  });

  test("F39: the owner's order that was created after the create's horizon is not canceled for it, and is said", () => {
    const world = silentBot({ giveUpMs: 100_000 });
    const at = world.wall;
    take(world.orders, { kind: 'sent', intentId: 'lost', create: create({ side: 'sell', timestamp: at }) });
    world.run(30_000);
    world.lands(order('1-7-1', { side: 'sell', venueTime: world.wall }));
    world.run(300_000);
    expect(world.canceled).not.toContain('1-7-1');
    expect(world.ended).toBe(false);
    expect(world.done.at(-2)).toContain("1-7-1 is like the bot's sell of 0.01 BTC/INR at 5000000");
  });

  test('F27: a cancel that says nothing is sent again until lists are empty', () => {
    const world = silentBot();
    let left = 4;
    world.refuse = ({ kind }) => {
      if (kind !== 'cancel' || left === 0) return null;
      left -= 1;
      const fault = { sent: true, reason: 'status', status: 504, detail: 'HTTP 504.' } as const;
      return { outcome: { kind: 'unknown', fault }, status: 504 };
    };
    world.run(300_000);
    expect({ ended: world.ended, open: world.book.size }).toEqual({ ended: true, open: 0 });
  });

  test.each<[string, CancelOutcome, number]>([
    ['is disabled (-1404)', refused(-1404, { status: 404, msg: 'Endpoint disabled.' }), 404],
    ['fails again and again (-5014)', lost(-5014, 500), 500],
  ])('on an account of its own, where the cancel of all %s, orders are canceled by name', (_what, outcome, status) => {
    const world = silentBot({ giveUpMs: 600_000, sweep: { whose: 'account' } });
    world.lands(order('9-9-9'));
    world.refuse = ({ kind }) => (kind === 'cancel-all' ? { outcome, status } : null);
    world.run(700_000);
    expect({ left: [...world.book.keys()], ended: world.ended }).toEqual({ left: [], ended: true });
    expect(world.canceled).toEqual(['1-1-1', '1-2-1', '9-9-9']);
  });

  test('lists that the exchange could not fetch (-5010) are named when it is given up', () => {
    const world = silentBot({ giveUpMs: 100_000 });
    world.unlisted = () => ({ code: -5010, status: 500 });
    world.run(300_000);
    expect(world.ended).toBe(false);
    expect(world.done.at(-2)).toContain('The exchange refuses the list of open orders: -5010');
  });

  test('a symbol that the exchange knows no more (-1121) leaves it to the list of all to prove', () => {
    const world = silentBot({ giveUpMs: 600_000 });
    let cut = 1;
    world.shown = (rows, symbol) => {
      if (symbol !== undefined || cut === 0) return { rows, complete: true };
      cut -= 1;
      return { rows, complete: false };
    };
    world.unlisted = (symbol) => (symbol === 'ETH/INR' ? { code: -1121, status: 400 } : null);
    world.run(700_000);
    expect(world.has('send open-orders ETH/INR')).toBe(true);
    expect([world.ended, world.book.size]).toEqual([true, 0]);
  });

  test('F29: 429 is waited for as told, up to the limit, and the kill completes', () => {
    const world = silentBot();
    let refused = 0;
    world.refuse = ({ kind }) => {
      if (kind !== 'cancel' || refused === 2) return null;
      refused += 1;
      return {
        outcome: { kind: 'throttled', status: 429, retryAt: 0 },
        status: 429,
        retryAfter: refused === 1 ? 7_000 : 86_400_000,
      };
    };
    world.run(400_000);
    expect({ ended: world.ended, open: world.book.size, refused }).toEqual({ ended: true, open: 0, refused: 2 });
    const cancels = world.done.filter((line) => line.includes('send cancel')).map((line) => Number(line.split(' ')[0]));
    const pauses = cancels.slice(1).map((at, index) => at - (cancels[index] ?? 0));
    // Two were on their way when the first 429 came.
    expect(Math.max(...pauses)).toBeGreaterThanOrEqual(60_000);
    expect(Math.max(...pauses)).toBeLessThan(62_000);
  });

  test('F21, F109: in maintenance it keeps trying at a gentle pace, as long as that lasts', () => {
    const world = silentBot();
    const over = 2_000_000;
    world.refuse = (_request, now) => {
      const fault = MAINTENANCE;
      return now < over ? { outcome: { kind: 'unknown', fault }, status: 503 } : null;
    };
    world.run(2_300_000);
    expect({ ended: world.ended, open: world.book.size }).toEqual({ ended: true, open: 0 });
    const during = world.done.filter((line) => line.includes('send') && Number(line.split(' ')[0]) < over);
    expect(during.length).toBeGreaterThan(150);
    expect(during.length).toBeLessThan(250);
  });

  test('gives up after the time that it said, and names what is left', () => {
    const world = silentBot({ giveUpMs: 60_000 });
    world.refuse = () => {
      const fault = { sent: false, reason: 'refused', detail: 'Nobody answers.' } as const;
      return { outcome: { kind: 'not-sent', fault }, status: 0 };
    };
    world.run(300_000);
    expect(world.ended).toBe(false);
    expect(world.done.find((line) => line.includes('gave-up'))).toMatch(
      /2 orders may be open: 1-1-1, 1-2-1\..*Nobody answers/,
    );
    expect(world.done.find((line) => line.includes('clearing'))).toContain('Giving up after 60.0 s');
  });

  test('S8: a page that may be cut proves nothing; symbol by symbol it does', () => {
    const world = silentBot();
    world.shown = (rows, symbol) => ({ rows, complete: symbol !== undefined });
    world.run(300_000);
    expect(world.ended).toBe(true);
    for (const symbol of ['BTC/INR', 'ETH/INR']) {
      expect(world.done.filter((line) => line.includes(`send open-orders ${symbol}`)).length).toBeGreaterThanOrEqual(2);
    }
  });

  test('F38: one empty list is no proof: the one after it shows what it left out', () => {
    const world = silentBot();
    const cancels = (): number => world.done.filter((line) => line.includes('send cancel')).length;
    let lists = 0;
    // Between the passes it is there again, and the second one is acknowledged and does nothing.
    world.at(50_000, () => world.lands(order('1-1-1')));
    world.refuse = ({ kind }) =>
      kind === 'cancel' && cancels() > 2 && lists < 2
        ? { outcome: { kind: 'acknowledged', msg: 'ok' }, status: 200 }
        : null;
    world.shown = (rows) => {
      if (cancels() < 4) return { rows, complete: true };
      lists += 1;
      return { rows: lists === 1 ? [] : rows, complete: true };
    };
    world.run(300_000);
    expect({ ended: world.ended, open: world.book.size, lists: lists > 2 }).toEqual({
      ended: true,
      open: 0,
      lists: true,
    });
  });

  test('a cancel that was acknowledged and did nothing is sent again', () => {
    const world = silentBot();
    const row = order('1-1-1');
    world.at(60_000, () => world.lands(row));
    world.run(400_000);
    expect({ ended: world.ended, open: world.book.size }).toEqual({ ended: true, open: 0 });
  });

  test('an order that was closed and is listed again is still ours', () => {
    const world = silentBot();
    world.orders.closed.set(orderId('1-5-1'), world.wall);
    world.lands(order('1-5-1'));
    world.run(300_000);
    expect({ ended: world.ended, open: world.book.size }).toEqual({ ended: true, open: 0 });
  });
});

describe("an account that is the bot's alone", () => {
  test('is cleared by cancel-all, twice, whatever the file says', () => {
    const world = silentBot({ sweep: { whose: 'account' } });
    world.damaged = 'Line 3 is damaged.';
    world.lands(order('1-9-9'));
    world.run(300_000);
    expect({ ended: world.ended, open: world.book.size }).toEqual({ ended: true, open: 0 });
    expect(world.done.filter((line) => line.endsWith('send cancel-all'))).toHaveLength(2);
  });

  test('F28: what lands in between is taken by the second', () => {
    const world = silentBot({ sweep: { whose: 'account' } });
    world.run(49_000);
    world.lands(order('1-9-9'));
    world.run(300_000);
    expect({ ended: world.ended, open: world.book.size }).toEqual({ ended: true, open: 0 });
  });
});

test('of two orders that could be a create without a name, none is canceled because one list lacks the other', () => {
  const world = silentBot({ giveUpMs: 100_000 });
  const at = world.wall;
  take(world.orders, { kind: 'sent', intentId: 'in-flight', create: create({ side: 'sell', timestamp: at }) });
  world.lands(order('1-8-1', { side: 'sell', venueTime: at })); // ours
  world.lands(order('1-9-1', { side: 'sell', venueTime: at })); // the owner's
  let lists = 0;
  world.shown = (rows) => {
    lists += 1;
    return { rows: lists === 3 ? rows.filter(({ orderId: id }) => id !== '1-8-1') : rows, complete: true };
  };
  world.run(300_000);
  expect(world.canceled).not.toContain('1-9-1');
});

test('an outage in which cancels fail and lists are empty is no proof that nothing is open', () => {
  for (const whose of ['own', 'account'] as const) {
    const world = silentBot({ sweep: { whose } });
    // From the first cancel on for 25 s, less than the lag bound of 30 s.
    const over = (): number => (world.when('send cancel') || Number.POSITIVE_INFINITY) + 25_000;
    world.refuse = ({ kind }, now) => {
      if (kind === 'open-orders' || now >= over()) return null;
      const fault = {
        sent: true,
        reason: 'status',
        status: 500,
        code: -5014,
        refusal: 'cancel-failure',
        detail: 'HTTP 500.',
      } as const;
      return { outcome: { kind: 'unknown', fault }, status: 500 };
    };
    world.shown = (rows) => ({ rows: world.now < over() ? [] : rows, complete: true });
    world.run(600_000);
    expect({ whose, ended: world.ended, open: world.book.size }).toEqual({ whose, ended: true, open: 0 });
  }
});
