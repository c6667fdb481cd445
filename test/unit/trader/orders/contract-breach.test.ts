// An order that the exchange says to have refused, by 200 with a message, and has placed all the same: its contract
// is broken, and nothing is in question once the order is proved closed.
import { describe, expect, test } from '@jest/globals';
import { type IntentId, orderId } from '../../../../src/domain/ids.ts';
import { marketIn } from '../../../../src/trader/durable/market.ts';
import { BTC, deskSettings, LAG_MS } from '../desk-settings.ts';
import { haltOf, list } from '../lost-bid.ts';
import { type Desk, endOf, nextCreate, readyDesk, reasons, softRejected } from '../trader-kit.ts';

const PAUSE_MS = deskSettings().rejectPauseMs;

const createsFrom = (desk: Desk, at: number): number =>
  desk.sent.filter(({ at: left, chosen: { request } }) => request.kind === 'create' && left >= at).length;
const canceled = (desk: Desk): readonly string[] =>
  desk.sent.flatMap(({ chosen: { request } }) => (request.kind === 'cancel' ? [request.orderId] : []));

/** The next create is refused with 200 and shows as order `id`; it is found, canceled and proved closed. */
function refusedYetPlaced(desk: Desk, id: string): IntentId {
  const create = nextCreate(desk, 3 * PAUSE_MS);
  if (create.request.kind !== 'create' || create.intentId === null) throw new Error('No create.');
  list(desk, create.request.order, id);
  desk.answer(create, softRejected);
  desk.run(3 * LAG_MS);
  return create.intentId;
}

describe('an order that was refused by 200 and placed all the same (F07)', () => {
  test('is found, canceled and proved closed; a person is called, and quoting goes on by itself after a rest', () => {
    const desk = readyDesk();
    const from = desk.now();
    const id = refusedYetPlaced(desk, '1-9-1');
    expect(canceled(desk)).toContain('1-9-1');
    expect(endOf(desk, id)).toBe('canceled');
    const pages = desk.notices.filter(({ level }) => level === 'page');
    expect(pages.map(({ op, orderId: order }) => `${op} ${order}`)).toEqual(['contract-broken 1-9-1']);
    expect(haltOf(desk)).toBeUndefined();
    expect(reasons(desk)[0]).toMatch(/^Resting for .* refused intent 1-\d with 200 and placed it all the same/);
    const resting = desk.now();
    desk.run(PAUSE_MS - (resting - from) - 1_000);
    expect(createsFrom(desk, resting)).toBe(0);
    desk.run(5_000);
    expect(createsFrom(desk, resting)).toBeGreaterThan(0);
  });

  test('rests for as long as it is not proved closed', () => {
    const desk = readyDesk();
    const create = nextCreate(desk);
    if (create.request.kind !== 'create') throw new Error('No create.');
    list(desk, create.request.order, '1-9-1');
    desk.answer(create, softRejected);
    desk.reply = ({ kind }) => (kind === 'cancel' ? { kind: 'soft-rejected', msg: 'No.' } : undefined) as never;
    desk.run(2 * PAUSE_MS);
    expect(desk.state().durable.orders.byOrderId.has(orderId('1-9-1'))).toBe(true);
    expect(reasons(desk)[0]).toMatch(/^Resting until order 1-9-1 is proved closed: /);
  });

  test(
    'the third time within an hour halts, also where a restart lies between; ' +
      'a person who resumes begins the count anew',
    () => {
      const desk = readyDesk();
      refusedYetPlaced(desk, '1-9-1');
      refusedYetPlaced(desk, '1-10-1');
      expect(haltOf(desk)).toBeUndefined();
      desk.restart();
      refusedYetPlaced(desk, '1-11-1');
      expect(marketIn(desk.state().durable, 'BTC/INR').halt?.code).toBe('answers-untrue');
      expect(haltOf(desk)).toMatch(/^3 orders within an hour were refused with 200 and placed all the same/);
      desk.restart(deskSettings(), [{ symbol: BTC, price: null }]);
      refusedYetPlaced(desk, '1-12-1');
      expect(haltOf(desk)).toBeUndefined();
    },
  );
});
