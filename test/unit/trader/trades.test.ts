// Own trades: every one booked once, whatever the pages look like; what is missing is said.
import { describe, expect, test } from '@jest/globals';
import { decimal, plain } from '../../../src/domain/decimal.ts';
import type { Fill } from '../../../src/domain/fill.ts';
import { orderId, tradeId } from '../../../src/domain/ids.ts';
import { HOUR, MINUTE } from '../../../src/domain/time.ts';
import { marketIn } from '../../../src/trader/durable/market.ts';
import { ledgerTotal } from '../../../src/trader/state/state.ts';
import { takeSnapshot } from '../../../src/trader/status/snapshot.ts';
import { BTC, deskSettings, LAG_MS } from './desk-settings.ts';
import { type Desk, fillNow, fillOf, inSlot, moveWallet, ops, quotingDesk, tradesPage } from './trader-kit.ts';

const OWNERS = orderId('1-5-1');

/** The owner buys by hand, so often, 0.001 each, the last of them now. */
function owners(desk: Desk, count: number): Fill[] {
  const order = { symbol: BTC, side: 'buy', price: decimal(99_500), quantity: decimal('0.001') } as const;
  return Array.from({ length: count }, (_, index) => fillOf(order, OWNERS, { at: desk.now() - count + 1 + index }));
}

function happen(desk: Desk, fills: readonly Fill[]): void {
  for (const fill of fills) {
    desk.shows.fills.push(fill);
    moveWallet(desk.shows, fill);
  }
}

/** The exchange answers with the newest part of what was asked for. */
function newestFirst(desk: Desk): void {
  desk.reply = (request) => {
    if (request.kind !== 'spot-trades') return undefined;
    const rows = tradesPage([...desk.shows.fills].reverse(), request);
    return { kind: 'read', read: { rows, complete: true, sentAt: desk.now(), receivedAt: desk.now() } };
  };
}

const booked = (desk: Desk): number => desk.events.filter(({ type }) => type === 'fill').length;
const held = (desk: Desk): string => plain(ledgerTotal(desk.state().durable.books, 'BTC'));
const haltOf = (desk: Desk): string | undefined => marketIn(desk.state().durable, BTC).halt?.reason;

describe('a page of own trades', () => {
  test.each([1, 49, 50, 51, 120, 500])('%d trades between two reads are all booked, once (F43)', (count) => {
    const desk = quotingDesk();
    happen(desk, owners(desk, count));
    desk.run(4_000);
    expect(booked(desk)).toBe(count);
    expect(haltOf(desk)).toBeUndefined();
    expect(ops(desk)).not.toContain('difference');
  });

  test('many trades in one millisecond over the edge of a page are all booked: ids lead on (F44)', () => {
    const desk = quotingDesk();
    happen(desk, owners(desk, 1));
    desk.run(2_000);
    happen(
      desk,
      owners(desk, 120).map((fill) => ({ ...fill, venueTime: desk.now() })),
    );
    desk.run(4_000);
    expect(booked(desk)).toBe(121);
    expect(haltOf(desk)).toBeUndefined();
  });

  test('with a row twice books it once (F47)', () => {
    const desk = quotingDesk();
    const [fill] = owners(desk, 1);
    if (!fill) throw new Error('No fill.');
    moveWallet(desk.shows, fill);
    desk.shows.fills.push(fill, { ...fill });
    desk.run(2_000);
    expect(booked(desk)).toBe(1);
    expect(held(desk)).toBe('1.001');
  });

  test.each([
    ['newest first', (a: Fill, b: Fill) => Number(b.tradeId) - Number(a.tradeId)],
    [
      'in no order',
      (a: Fill, b: Fill) => Number([...a.tradeId].reverse().join('')) - Number([...b.tradeId].reverse().join('')),
    ],
  ])('%s books all (Q2)', (_name, order) => {
    const desk = quotingDesk();
    happen(desk, owners(desk, 30));
    desk.shows.fills.sort(order);
    desk.run(2_000);
    expect(booked(desk)).toBe(30);
    expect(held(desk)).toBe('1.03');
  });

  test('ids are numbers however long: 9 comes before 10, and beyond 2^53', () => {
    const desk = quotingDesk();
    const fills = owners(desk, 3).map((fill, index) => ({
      ...fill,
      tradeId: tradeId(['9007199254740993', '10007199254740993', '9007199254740995'][index] ?? ''),
    }));
    happen(desk, fills);
    desk.run(2_000);
    expect(booked(desk)).toBe(3);
    expect(marketIn(desk.state().durable, BTC).cursor?.tradeId).toBe('10007199254740993');
  });

  test('that is full and does not reach back to the last known trade makes the list be read to its end (F43)', () => {
    const desk = quotingDesk();
    happen(desk, owners(desk, 1));
    desk.run(2_000);
    happen(desk, owners(desk, 120));
    newestFirst(desk);
    desk.run(6_000);
    expect(ops(desk)).toContain('history-read');
    expect(booked(desk)).toBe(121);
    expect(haltOf(desk)).toBeUndefined();
  });

  test('empty despite a known trade proves nothing', () => {
    const desk = quotingDesk();
    happen(desk, owners(desk, 1));
    desk.run(2_000);
    const before = desk.state().markets.get(BTC)?.trades?.sentAt;
    const fills = desk.shows.fills;
    desk.shows.fills = [];
    desk.run(3_000);
    expect(desk.state().markets.get(BTC)?.trades?.sentAt).toBe(before);
    desk.shows.fills = fills;
    desk.run(5_000);
    expect(desk.state().markets.get(BTC)?.trades?.sentAt).toBeGreaterThan(before ?? 0);
  });

  test('with a smaller id that comes late is found by the late-trade scan (F42)', () => {
    const desk = quotingDesk();
    const [early, late] = owners(desk, 2);
    if (!early || !late) throw new Error('No fills.');
    happen(desk, [late]);
    desk.run(2_000);
    happen(desk, [early]);
    desk.run(3_000);
    expect(booked(desk)).toBe(1);
    desk.run(70_000);
    expect(booked(desk)).toBe(2);
    expect(held(desk)).toBe('1.002');
  });

  test('with a smaller id that comes late, behind more newer ones than a page has, is found as well', () => {
    const desk = quotingDesk();
    const [early, ...more] = owners(desk, 121);
    if (!early) throw new Error('No fills.');
    happen(desk, more);
    newestFirst(desk);
    desk.run(10_000);
    expect(booked(desk)).toBe(120);
    happen(desk, [early]);
    newestFirst(desk);
    desk.run(70_000);
    expect(ops(desk)).toContain('history-read');
    expect(booked(desk)).toBe(121);
    expect(haltOf(desk)).toBeUndefined();
    expect(desk.notices.filter(({ op }) => op === 'difference')).toEqual([]);
  });

  test.each([
    ['since the wallet was last confirmed', false],
    ['and of before a restart', true],
  ])('with a smaller id, late, long before the last trade known, %s, is found (seed 342)', (_name, again) => {
    const desk = quotingDesk();
    const [known, early, newest] = owners(desk, 3).map((fill, index) => ({
      ...fill,
      venueTime: desk.now() - ([41, 40, 0][index] ?? 0) * MINUTE,
    }));
    if (!known || !early || !newest) throw new Error('No fills.');
    happen(desk, [known]);
    desk.run(4_000);
    for (const fill of [early, newest]) moveWallet(desk.shows, fill);
    desk.shows.fills.push(newest);
    desk.run(2_000);
    if (again) desk.restart();
    desk.shows.fills.push(early);
    desk.run(70_000);
    expect(booked(desk)).toBe(3);
    expect(held(desk)).toBe('1.003');
    expect(desk.notices.filter(({ op }) => op === 'difference')).toEqual([]);
  });

  test('with a smaller id, late, and from before an absence of 56 hours, is found behind a current trade', () => {
    const desk = quotingDesk();
    const hours = [56.2, 56.1, 0];
    const [known, early, newest] = owners(desk, 3).map((fill, index) => ({
      ...fill,
      venueTime: desk.now() - (hours[index] ?? 0) * HOUR,
    }));
    if (!known || !early || !newest) throw new Error('No fills.');
    happen(desk, [known]);
    desk.run(4_000);
    desk.restart();
    for (const fill of [early, newest]) moveWallet(desk.shows, fill);
    desk.shows.fills.push(newest);
    desk.run(2_000);
    desk.shows.fills.push(early);
    desk.run(70_000);
    expect(booked(desk)).toBe(3);
    expect(desk.notices.filter(({ op }) => op === 'difference')).toEqual([]);
  });

  test('with a smaller id that comes only just within the lag is no difference: the last scan is after it', () => {
    const desk = quotingDesk();
    const [early, late] = owners(desk, 2);
    if (!early || !late) throw new Error('No fills.');
    for (const fill of [early, late]) moveWallet(desk.shows, fill);
    desk.shows.fills.push(late);
    desk.run(LAG_MS - 500);
    desk.shows.fills.push(early);
    desk.run(2 * LAG_MS + 5_000);
    expect(desk.notices.filter(({ op }) => op === 'difference')).toEqual([]);
    expect(booked(desk)).toBe(2);
  });
});

describe('a trade', () => {
  test("of the owner's counts as held, and is no profit or loss of the bot (R7, F55)", () => {
    const desk = quotingDesk();
    happen(desk, owners(desk, 1));
    desk.run(2_000);
    const [view] = takeSnapshot(desk.state(), desk.now()).symbols;
    expect(view).toMatchObject({ inventory: '1.001', pnl: { total: '0', fees: '0' }, fills: { buys: 0 } });
    expect(view?.recentFills).toMatchObject([{ ours: false }]);
  });

  test("of the bot's counts as its own", () => {
    const desk = quotingDesk();
    fillNow(desk, inSlot(desk, 'buy:0'));
    desk.run(2_000);
    const [view] = takeSnapshot(desk.state(), desk.now()).symbols;
    // Bought at 98,000 with the middle at 100,000, for a fee of 1 % of 980.
    expect(view).toMatchObject({
      inventory: '1.01',
      pnl: { spread: '20', fees: '9.8' },
      fills: { buys: 1, takers: 0 },
    });
  });

  test('shows while the order is still listed: booked once, and what remains is less (F40)', () => {
    const desk = quotingDesk();
    fillNow(desk, inSlot(desk, 'buy:0'), { quantity: decimal('0.004') });
    desk.run(3_000);
    expect(inSlot(desk, 'buy:0').filled.toFixed()).toBe('0.004');
    expect(booked(desk)).toBe(1);
  });

  test('of another symbol on the page is not booked here', () => {
    const desk = quotingDesk();
    const [fill] = owners(desk, 1);
    if (!fill) throw new Error('No fill.');
    desk.reply = (request) =>
      request.kind === 'spot-trades'
        ? {
            kind: 'read',
            read: {
              rows: [{ ...fill, symbol: 'ETH/INR' }],
              complete: false,
              sentAt: desk.now(),
              receivedAt: desk.now(),
            },
          }
        : undefined;
    desk.run(2_000);
    expect(booked(desk)).toBe(0);
  });
});

describe('wallet and ledger', () => {
  const seesDifference = (desk: Desk): boolean => ops(desk).includes('difference');

  test('a wallet that trails the trades is no difference (F56)', () => {
    const desk = quotingDesk();
    for (let round = 0; round < 6; round += 1) {
      const fill = fillOf({ symbol: BTC, side: 'buy', price: decimal(99_500), quantity: decimal('0.001') }, OWNERS, {
        at: desk.now(),
      });
      desk.shows.fills.push(fill);
      desk.run(LAG_MS - 1_000);
      moveWallet(desk.shows, fill);
    }
    desk.run(3_000);
    expect(seesDifference(desk)).toBe(false);
  });

  test('a wallet that leads the trades is no difference, even if the next trade comes before the last shows', () => {
    const desk = quotingDesk();
    const waiting: { readonly at: number; readonly fill: Fill }[] = [];
    for (let second = 0; second < 40; second += 1) {
      if (second % 3 === 0) {
        const [fill] = owners(desk, 1);
        if (!fill) throw new Error('No fill.');
        moveWallet(desk.shows, fill);
        waiting.push({ at: desk.now() + LAG_MS - 1_000, fill });
      }
      desk.run(1_000);
      while ((waiting[0]?.at ?? Number.POSITIVE_INFINITY) <= desk.now())
        desk.shows.fills.push(...waiting.splice(0, 1).map(({ fill }) => fill));
    }
    expect(seesDifference(desk)).toBe(false);
  });

  test('wallets that lead by more than comes between two of them are equal once their trades show', () => {
    const desk = quotingDesk(
      deskSettings({ assumptions: { readLagBoundMs: 60_000 }, limits: { repeatedFills: 1000 } }),
    );
    const trailMs = 30_000;
    const waiting: { readonly at: number; readonly fill: Fill }[] = [];
    for (let second = 0; second < 180; second += 1) {
      if (second % 3 === 0) {
        const [fill] = owners(desk, 1);
        if (!fill) throw new Error('No fill.');
        moveWallet(desk.shows, fill);
        waiting.push({ at: desk.now() + trailMs, fill });
      }
      desk.run(1_000);
      while ((waiting[0]?.at ?? Number.POSITIVE_INFINITY) <= desk.now())
        desk.shows.fills.push(...waiting.splice(0, 1).map(({ fill }) => fill));
      const { equalSentAt } = desk.state().reconciliation;
      expect(desk.now() - (equalSentAt ?? 0)).toBeLessThan(trailMs + 2 * deskSettings().polling.walletMs + 5_000);
    }
    expect(seesDifference(desk)).toBe(false);
  });

  test('one empty wallet in an outage is no difference', () => {
    const desk = quotingDesk();
    desk.run(2_000);
    let empty = true;
    desk.reply = (request) => {
      if (request.kind === 'spot-trades' && !empty)
        return { kind: 'failed', fault: { sent: true, reason: 'timeout', detail: 'Slow.' } };
      if (request.kind !== 'wallet' || !empty) return undefined;
      empty = false;
      return { kind: 'read', read: { rows: [], complete: true, sentAt: desk.now(), receivedAt: desk.now() } };
    };
    desk.run(8_000);
    desk.reply = () => undefined;
    desk.run(40_000);
    expect(seesDifference(desk)).toBe(false);
  });

  test('a real difference stops quoting, says what differs, pulls the orders; quoting resumes when they agree', () => {
    const desk = quotingDesk();
    const inr = () => takeSnapshot(desk.state(), desk.now()).assets.find(({ asset }) => asset === 'INR');
    desk.shows.balances.INR = decimal(999_900);
    desk.run(LAG_MS - 1_000);
    expect(inr()).toMatchObject({ difference: '-100', differenceStands: false });
    desk.run(7_000);
    expect(inr()).toMatchObject({
      difference: '-100',
      differenceStands: true,
      differsSince: desk.state().durable.differences.unexplainedSince,
    });
    expect(desk.state().markets.get(BTC)?.decision?.reason).toBe(
      'The wallet holds 999900 INR and the ledger expects 1000000: -100.',
    );
    desk.run(3_000);
    expect(desk.slots().every((slot) => !slot.endsWith(' open'))).toBe(true);
    expect(desk.shows.orders).toEqual([]);
    desk.shows.balances.INR = decimal(1_000_000);
    desk.run(LAG_MS + 10_000);
    expect(ops(desk)).toContain('reconciled');
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
  });

  test('an asset that the wallet does not list counts as zero', () => {
    const desk = quotingDesk();
    delete desk.shows.balances.BTC;
    desk.run(LAG_MS + 6_000);
    expect(desk.state().durable.differences.byAsset.get('BTC')).toMatchObject({ expected: '1', actual: '0' });
  });

  test('a difference that may come from fills waits while trades go on; quoting stops with age and a notice', () => {
    const desk = quotingDesk(deskSettings({ ageLimits: { ...deskSettings().ageLimits, reconciledMs: 20_000 } }));
    desk.shows.balances.INR = decimal(999_900);
    desk.shows.balances.BTC = decimal('1.01');
    for (let round = 0; round < 25; round += 1) {
      happen(desk, owners(desk, 1));
      desk.run(1_000);
    }
    expect(seesDifference(desk)).toBe(false);
    expect(desk.state().markets.get(BTC)?.decision?.reason).toMatch(
      /^Wallet and ledger were last equal in BTC 2\d\.\d s ago\.$/,
    );
    desk.run(LAG_MS + 8_000);
    expect(seesDifference(desk)).toBe(true);
  });

  test('while they differ the private lane is not spent on reading both again and again', () => {
    const desk = quotingDesk();
    desk.shows.balances.INR = decimal(999_900);
    const before = desk.sent.length;
    desk.run(4_000);
    const wallets = desk.sent.slice(before).filter(({ chosen }) => chosen.request.kind === 'wallet');
    expect(wallets.length).toBeLessThanOrEqual(3);
  });
});
