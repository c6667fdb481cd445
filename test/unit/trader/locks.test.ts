// An order that rests has its funds locked: what the wallet locks stands against lists that lack the order.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { orderId } from '../../../src/domain/ids.ts';
import { deskSettings, HORIZON_MS, LAG_MS } from './desk-settings.ts';
import {
  type Desk,
  endOf,
  inSlot,
  nextCreate,
  quotingDesk,
  readyDesk,
  rowOf,
  unknown,
  walletRow,
} from './trader-kit.ts';

const { resolutionDeadlineMs } = deskSettings().assumptions;
const DOUBT_MS = Math.max(LAG_MS, resolutionDeadlineMs);

/** The lists of open orders lack everything, and the wallet goes on locking what rests; creates are not answered. */
function holes(desk: Desk): void {
  desk.reply = ({ kind }) => {
    if (kind === 'create') return null;
    if (kind !== 'open-orders') return undefined;
    return { kind: 'read', read: { rows: [], complete: true, sentAt: desk.now(), receivedAt: desk.now() } };
  };
}

function lostButResting(): { readonly desk: Desk; readonly id: string } {
  const desk = readyDesk();
  const create = nextCreate(desk);
  if (create.request.kind !== 'create') throw new Error('No create.');
  desk.shows.orders.push(rowOf(create.request.order, '1-9-1', desk.now()));
  desk.answer(create, unknown);
  return { desk, id: create.intentId ?? '' };
}

describe('an unknown create whose order rests', () => {
  test('is not called absent by lists that lack it while its funds are locked, and found when they show it (seed 264)', () => {
    const { desk, id } = lostButResting();
    holes(desk);
    desk.run(HORIZON_MS + LAG_MS + DOUBT_MS - 1_000);
    expect(endOf(desk, id)).toBe('not closed');
    desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
    desk.run(2_000);
    expect(inSlot(desk, 'buy:0')).toMatchObject({ state: 'open', orderId: orderId('1-9-1') });
    expect(desk.state().durable.halts.size).toBe(0);
  });
});

describe('an unknown create that did not take place', () => {
  test('is proved absent although the owner has locked as much, only later: nobody can tell the two apart', () => {
    const desk = readyDesk();
    const create = nextCreate(desk);
    desk.answer(create, unknown);
    desk.reply = ({ kind }) => {
      if (kind === 'create') return null;
      if (kind !== 'wallet') return undefined;
      const rows = Object.entries(desk.shows.balances).map(([asset, total]) => {
        const row = walletRow(asset, total, []);
        const half = total.div(2);
        return { ...row, free: total.sub(half), locked: half };
      });
      return { kind: 'read', read: { rows, complete: true, sentAt: desk.now(), receivedAt: desk.now() } };
    };
    desk.run(HORIZON_MS + LAG_MS + DOUBT_MS - 2_000);
    expect(endOf(desk, create.intentId ?? '')).toBe('not closed');
    desk.run(6_000);
    expect(endOf(desk, create.intentId ?? '')).toBe('not-placed');
    expect(desk.state().durable.halts.size).toBe(0);
  });
});

describe('an open order that lists lack', () => {
  test('is not closed by them while its funds are locked (seed 1041)', () => {
    const desk = quotingDesk();
    holes(desk);
    desk.run(DOUBT_MS - 2_000);
    expect(inSlot(desk, 'buy:0').state).toBe('closing');
    desk.reply = () => undefined;
    desk.run(2_000);
    expect(inSlot(desk, 'buy:0').state).toBe('open');
  });

  test('is closed after the lag once its funds are free: the owner canceled it', () => {
    const desk = quotingDesk();
    const { intentId } = inSlot(desk, 'buy:0');
    desk.shows.orders = desk.shows.orders.filter(({ side }) => side !== 'buy');
    desk.run(LAG_MS + 5_000);
    expect(endOf(desk, intentId)).toBe('canceled');
    expect(decimal(desk.state().durable.halts.size).isZero()).toBe(true);
  });
});
