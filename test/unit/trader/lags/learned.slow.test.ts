// A bound that follows what was measured: when it may, what shortens by it, and what ends it.
import { describe, expect, test } from '@jest/globals';
import { HOUR, MINUTE, SECOND } from '../../../../src/domain/time.ts';
import { readLagBoundMs } from '../../../../src/trader/lags/lag-bound.ts';
import { ledgerTotal } from '../../../../src/trader/state/assets.ts';
import type { ForeignOrders } from '../../../../src/trader/state/settings.ts';
import { takeSnapshot } from '../../../../src/trader/status/take-snapshot.ts';
import { deskSettings } from '../desk-settings.ts';
import { type Desk, fillOf, moveWallet, ops, readyDesk } from '../trader-kit.ts';
import { type Lags, trade, trailBy } from './lagging-desk.ts';

const ASSUMED_MS = 30_000;
const LEARNING = { samples: 5, margin: 3, leastMs: 2_000 };

const settings = (foreignOrders: ForeignOrders = 'refuse', learning = LEARNING) =>
  deskSettings({
    foreignOrders,
    limits: { repeatedFills: 1000 },
    assumptions: { readLagBoundMs: ASSUMED_MS, resolutionDeadlineMs: 2 * ASSUMED_MS, learning },
  });

const inForce = (desk: Desk): number => readLagBoundMs(desk.state());
const learningOf = (desk: Desk) => takeSnapshot(desk.state(), desk.now()).readLags.learning;

/** Lists have trailed by half a second for long enough. */
function learned(): { desk: Desk; lags: Lags } {
  const desk = readyDesk(settings());
  const lags = { orders: 500, trades: 500, wallet: 500 };
  trailBy(desk, lags);
  trade(desk, 15, 250);
  return { desk, lags };
}

/** From the acknowledged cancel to the proof, of the last order that was canceled. */
function proofMs(desk: Desk): number {
  const closed = desk.events.findLast(
    ({ type, payload }) => type === 'closed' && 'as' in payload && payload.as === 'canceled',
  );
  const id = closed && 'intentId' in closed.payload ? closed.payload.intentId : '';
  const canceled = desk.events.findLast(
    ({ type, payload }) => type === 'cancel-outcome' && 'intentId' in payload && payload.intentId === id,
  );
  if (!closed || !canceled || !('at' in closed.payload) || !('at' in canceled.payload))
    throw new Error('Nothing was canceled.');
  return closed.payload.at - canceled.payload.at;
}

test('learned from enough events of every kind: a proof takes so much less', () => {
  const { desk } = learned();
  const { learnedMs, have, needed } = learningOf(desk) ?? {};
  expect([have, needed]).toEqual([5, 5]);
  expect(inForce(desk)).toBe(learnedMs);
  expect(inForce(desk)).toBeGreaterThanOrEqual(3 * 500);
  expect(inForce(desk)).toBeLessThan(7_000);
  trade(desk, 3, 250);
  expect(proofMs(desk)).toBeLessThan(12_000);
  expect(ops(desk).filter((op) => /halted|late-fill|lag-bound|difference/.test(op))).toEqual([]);
});

describe('as assumed', () => {
  test.each<[string, () => Desk]>([
    ['on an account that others use', () => readyDesk(settings('ignore'))],
    ['while one kind was seen too seldom', () => readyDesk(settings('refuse', { ...LEARNING, samples: 60 }))],
    [
      'where nothing may be learned',
      () =>
        readyDesk(
          deskSettings({
            foreignOrders: 'refuse',
            limits: { repeatedFills: 1000 },
            assumptions: { readLagBoundMs: ASSUMED_MS, resolutionDeadlineMs: 2 * ASSUMED_MS },
          }),
        ),
    ],
  ])('%s', (_why, begin) => {
    const desk = begin();
    trailBy(desk, { orders: 500, trades: 500, wallet: 500 });
    trade(desk, 15, 250);
    expect(inForce(desk)).toBe(ASSUMED_MS);
    expect(proofMs(desk)).toBeGreaterThanOrEqual(ASSUMED_MS);
  });

  test('once nothing has confirmed it for an hour', () => {
    const { desk } = learned();
    desk.pass(HOUR + MINUTE);
    desk.look('orders');
    expect(inForce(desk)).toBe(ASSUMED_MS);
  });

  test('where lists trail by more than that', () => {
    const desk = readyDesk(settings());
    trailBy(desk, { orders: 12_000, trades: 500, wallet: 500 });
    trade(desk, 15, 250);
    expect(learningOf(desk)?.learnedMs).toBeGreaterThan(ASSUMED_MS);
    expect(inForce(desk)).toBe(ASSUMED_MS);
  });
});

describe('a lag that grows beyond what was learned, and stays below what is assumed', () => {
  test.each<[keyof Lags]>([['orders'], ['trades'], ['wallet']])(
    'of %s alone: as assumed again at once; nothing is concluded wrongly, and nobody is called',
    (list) => {
      const { desk, lags } = learned();
      lags[list] = 20_000;
      trade(desk, 6, 250);
      expect(inForce(desk)).toBe(ASSUMED_MS);
      expect(learningOf(desk)?.contradictedAt).not.toBeNull();
      expect(ops(desk)).toContain('lag-bound-widened');
      expect(ops(desk).filter((op) => /halted|late-fill|lag-bound-broken|^difference/.test(op))).toEqual([]);
    },
  );

  test('it is learned anew, by what was seen since', () => {
    const { desk, lags } = learned();
    lags.orders = 9_000;
    trade(desk, 3, 250);
    expect(inForce(desk)).toBe(ASSUMED_MS);
    lags.orders = 500;
    trade(desk, 15, 250);
    expect(inForce(desk)).toBeLessThan(ASSUMED_MS);
  });

  test('of trades and wallet at once, as an order fills before its cancel: booked late, and a person is called', () => {
    const { desk, lags } = learned();
    const resting = desk.intents().find(({ state }) => state === 'open');
    if (!resting?.orderId) throw new Error('Nothing rests.');
    Object.assign(lags, { trades: 20_000, wallet: 20_000 });
    desk.run(600);
    const part = fillOf(resting, resting.orderId, { at: desk.now(), quantity: resting.quantity.div(2) });
    desk.shows.fills.push(part);
    moveWallet(desk.shows, part);
    const price = resting.side === 'buy' ? [90_000, 92_000] : [110_000, 112_000];
    desk.shows.books['BTC/INR'] = [price[0] ?? 0, price[1] ?? 0];
    desk.run(40 * SECOND);
    expect(ops(desk)).toContain('late-fill');
    expect(inForce(desk)).toBe(ASSUMED_MS);
    desk.run(40 * SECOND);
    expect(ledgerTotal(desk.state(), 'BTC').toFixed()).toBe(desk.shows.balances.BTC?.toFixed());
    expect(ops(desk).filter((op) => /lag-bound-broken|^difference/.test(op))).toEqual([]);
  });
});
