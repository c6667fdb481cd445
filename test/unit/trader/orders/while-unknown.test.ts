// A level whose create has no answer: another order stands in once a look has not found it, and one of them goes.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import type { Intent } from '../../../../src/trader/durable/intent.ts';
import { takeSnapshot } from '../../../../src/trader/status/snapshot.ts';
import { deskSettings, HORIZON_MS, LAG_MS } from '../desk-settings.ts';
import { type Desk, endOf, nextCreate, readyDesk, rowOf, tradeNow, unknown } from '../trader-kit.ts';

/** The create of the first bid has no answer; all others are answered. */
function deskInDoubt(changes: Parameters<typeof deskSettings>[0] = {}): { desk: Desk; lost: Intent } {
  const desk = readyDesk(deskSettings(changes));
  const create = nextCreate(desk);
  desk.answer(create, unknown);
  const lost = desk.intents().find(({ intentId }) => intentId === create.intentId);
  if (lost === undefined || lost.slot !== 'buy:0') throw new Error('The first create is the bid.');
  return { desk, lost };
}

const bids = (desk: Desk): Intent[] => desk.intents().filter(({ slot }) => slot === 'buy:0');
const statesOf = (desk: Desk): string[] => bids(desk).map(({ state }) => state);

describe('a level with an unanswered create', () => {
  test('gets an order with another price and quantity once orders and trades have been read', () => {
    const { desk, lost } = deskInDoubt();
    desk.run(300);
    expect(statesOf(desk)).toEqual(['unknown']);
    desk.run(1_700);
    expect(statesOf(desk)).toEqual(['unknown', 'open']);
    const standIn = bids(desk)[1];
    expect(standIn?.price.lt(lost.price)).toBe(true);
    expect(standIn?.quantity.eq(lost.quantity)).toBe(false);
  });

  test('keeps the stand-in if the lost one is proved never placed', () => {
    const { desk, lost } = deskInDoubt();
    desk.run(HORIZON_MS + 3 * LAG_MS);
    expect(endOf(desk, lost.intentId)).toContain('not-placed');
    expect(statesOf(desk)).toEqual(['open']);
  });

  test('is left with one order if the lost one turns up', () => {
    const { desk, lost } = deskInDoubt();
    desk.run(2_000);
    desk.shows.orders.push(rowOf(lost, '1-900-1', desk.now()));
    desk.run(2_000);
    expect(desk.events.some(({ type, payload }) => type === 'adopted' && payload.intentId === lost.intentId)).toBe(
      true,
    );
    desk.run(3 * LAG_MS);
    expect(statesOf(desk)).toEqual(['open']);
    expect(bids(desk)[0]?.intentId).not.toBe(lost.intentId);
    expect(desk.shows.orders.filter(({ side }) => side === 'buy')).toHaveLength(1);
  });

  test('has one in doubt at a time: if the stand-in is unanswered too, it waits', () => {
    const { desk } = deskInDoubt();
    desk.reply = (request) =>
      request.kind === 'create' && request.order.side === 'buy' ? (unknown as never) : undefined;
    desk.run(HORIZON_MS);
    expect(statesOf(desk)).toEqual(['unknown', 'unknown']);
  });

  test('counts both: without room for the second it waits, and names the reason', () => {
    const { desk } = deskInDoubt({ limits: { maxOpenNotional: '2500' } });
    desk.run(2_000);
    expect(statesOf(desk)).toEqual(['unknown']);
    const [view] = takeSnapshot(desk.state(), desk.now()).symbols;
    expect(view?.denied).toBeNull();
  });

  test('waits, if a fill may belong to either of two, for the list that distinguishes them (seed 7157)', () => {
    const desk = readyDesk(deskSettings({ foreignOrders: 'refuse' }));
    desk.reply = ({ kind }) => (kind === 'create' || kind === 'cancel-symbol' ? (unknown as never) : undefined);
    desk.run(3_000);
    const [lost, standIn] = bids(desk);
    if (lost === undefined || standIn === undefined) throw new Error('Two bids have no answer.');
    const price = lost.price.lt(standIn.price) ? lost.price : standIn.price;
    const taken = { ...standIn, price, quantity: decimal('0.004') };
    tradeNow(desk, taken, '1-901-1', { liquidity: 'taker' });
    desk.run(1_500);
    expect(desk.events.filter(({ type }) => type === 'fill')).toEqual([]);
    desk.shows.orders.push(rowOf(lost, '1-900-1', desk.now()));
    desk.run(2_500);
    expect(desk.events.filter(({ type }) => type === 'fill')).toMatchObject([
      { payload: { intentId: standIn.intentId } },
    ]);
    expect(desk.events.filter(({ type, payload }) => type === 'symbol-halted' || 'order' in payload)).toEqual([]);
  });
});
