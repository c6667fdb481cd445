// An order that the exchange says to have refused, by 200 with a message, and has placed all the same: its contract
// is broken, and nothing is in question once the order is found.
import { describe, expect, test } from '@jest/globals';
import type { IntentId } from '../../../../src/domain/ids.ts';
import { marketIn } from '../../../../src/trader/durable/market.ts';
import { BTC, deskSettings, LAG_MS } from '../desk-settings.ts';
import { haltOf, list } from '../lost-bid.ts';
import { canceled, type Desk, endOf, nextCreate, readyDesk, reasons, softRejected } from '../trader-kit.ts';

const PAUSE_MS = deskSettings().rejectPauseMs;

const createsFrom = (desk: Desk, at: number): number =>
  desk.sent.filter(({ at: left, chosen: { request } }) => request.kind === 'create' && left >= at).length;

/** The next create is refused with 200 and shows as order `id`; it is found. */
function refusedYetPlaced(desk: Desk, id: string): IntentId {
  const create = nextCreate(desk, 3 * PAUSE_MS);
  list(desk, create.request.order, id);
  desk.answer(create, softRejected);
  desk.run(3 * LAG_MS);
  return create.intentId;
}

/** The market moves, and with it both quotes. */
function market(desk: Desk, middle: number): void {
  desk.shows.books[BTC] = [middle - 1_000, middle + 1_000];
}

describe('an order that was refused with 200 and placed anyway (F07)', () => {
  test('is found and kept as one of ours; a person is paged, and quoting goes on at once', () => {
    const desk = readyDesk();
    const id = refusedYetPlaced(desk, '1-9-1');
    expect(canceled(desk)).toEqual([]);
    expect(desk.state().durable.orders.intents.get(id)).toMatchObject({ state: 'open', orderId: '1-9-1' });
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
    expect(reasons(desk)).toEqual(['quoting']);
    const pages = desk.notices.filter(({ level }) => level === 'page');
    expect(pages.map(({ op, message }) => `${op}: ${message}`)).toEqual([
      `contract-broken: The exchange refused intent ${id} and still placed it, as order 1-9-1. It is kept or ` +
        'canceled like every own order, and quoting goes on; 3 such orders within an hour halt BTC/INR, this is ' +
        'number 1.',
    ]);
    expect(haltOf(desk)).toBeUndefined();
  });

  test('that no longer fits is replaced like any other', () => {
    const desk = readyDesk();
    const id = refusedYetPlaced(desk, '1-9-1');
    market(desk, 98_000);
    desk.run(3 * LAG_MS);
    expect(canceled(desk)).toContain('1-9-1');
    expect(endOf(desk, id)).toBe('canceled');
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
    expect(createsFrom(desk, 0)).toBe(4);
  });

  test('counts as no refusal in a row: the rest after the last of these ends', () => {
    const desk = readyDesk(deskSettings({ maxConsecutiveRejects: 1 }));
    const create = nextCreate(desk);
    desk.answer(create, softRejected);
    expect(desk.state().markets.get(BTC)?.rejects).toMatchObject({ inARow: 1 });
    list(desk, create.request.order, '1-9-1');
    desk.run(LAG_MS);
    expect(desk.state().markets.get(BTC)?.rejects).toEqual({ kind: '', inARow: 0, restUntil: 0 });
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
  });

  test('the third time within an hour halts, over a restart as well, until a person resumes', () => {
    const desk = readyDesk();
    refusedYetPlaced(desk, '1-9-1');
    market(desk, 98_000);
    refusedYetPlaced(desk, '1-10-1');
    expect(haltOf(desk)).toBeUndefined();
    market(desk, 96_000);
    desk.restart();
    refusedYetPlaced(desk, '1-11-1');
    expect(marketIn(desk.state().durable, 'BTC/INR').halt?.code).toBe('answers-untrue');
    expect(haltOf(desk)).toMatch(/^3 orders within an hour were refused and placed all the same/);
    desk.restart(deskSettings(), [{ symbol: BTC, price: null }]);
    refusedYetPlaced(desk, '1-12-1');
    expect(haltOf(desk)).toBeUndefined();
  });
});
