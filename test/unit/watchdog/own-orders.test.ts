// The fold of notes about own orders: what it remembers, for how long, and that it can be written anew without a loss.
import { describe, expect, test } from '@jest/globals';
import { orderId } from '../../../src/domain/ids.ts';
import { MINUTE } from '../../../src/domain/time.ts';
import { forgetOld, noOrders, notesOf, type OwnNote, type OwnOrders, take } from '../../../src/watchdog/own-orders.ts';
import { create } from './watch-world.ts';

const NOW = 1_800_000_000_000;
const [FIRST, SECOND] = [orderId('1-1-1'), orderId('1-2-1')];

function fold(...notes: readonly OwnNote[]): OwnOrders {
  const orders = noOrders(null);
  for (const note of notes) take(orders, note);
  return orders;
}

const sent = (intentId: string, horizon: number): OwnNote => ({ kind: 'sent', intentId, create: create({ horizon }) });
const named = (intentId: string, id = FIRST): OwnNote => ({ kind: 'named', intentId, orderId: id });

describe('an order', () => {
  test('is open from its create on, has a name once it is told, and is closed under it', () => {
    const orders = fold(sent('i', 50));
    expect(orders.open.get('i')).toEqual({ create: create({ horizon: 50 }), orderId: null });
    take(orders, named('i'));
    expect(orders.open.get('i')).toEqual({ create: create({ horizon: 50 }), orderId: FIRST });
    take(orders, { kind: 'closed', intentId: 'i', at: NOW });
    expect(orders.open.size).toBe(0);
    expect([...orders.closed]).toEqual([[FIRST, NOW]]);
  });

  test('keeps its name where its create is noted again, and is known by its name alone', () => {
    expect(fold(named('i'), sent('i', 50)).open.get('i')).toEqual({ create: create({ horizon: 50 }), orderId: FIRST });
    expect(fold(named('i')).open.get('i')).toEqual({ create: null, orderId: FIRST });
  });

  test('that never had a name leaves nothing when it is closed', () => {
    const orders = fold(sent('i', 50), { kind: 'closed', intentId: 'i', at: NOW });
    expect([orders.open.size, orders.closed.size]).toEqual([0, 0]);
  });
});

test('the horizon is the latest of all creates, whichever came last', () => {
  expect(fold(sent('a', 70), sent('b', 50)).horizon).toBe(70);
  expect(fold({ kind: 'begun', paperInstance: 'p', horizon: 90 }, sent('b', 50))).toMatchObject({
    ...{ horizon: 90, paperInstance: 'p' },
  });
  expect(fold(sent('a', 95), { kind: 'begun', paperInstance: null, horizon: 90 }).horizon).toBe(95);
});

test('a question stands until it is answered', () => {
  const asked = fold({ kind: 'questioned', orderId: FIRST }, { kind: 'questioned', orderId: SECOND });
  take(asked, { kind: 'answered', orderId: FIRST });
  expect([...asked.questioned]).toEqual([SECOND]);
});

describe('a closed order', () => {
  const closed = (): OwnOrders =>
    fold({ kind: 'was-ours', orderId: FIRST, at: NOW }, { kind: 'was-ours', orderId: SECOND, at: NOW + 1 });

  test('is remembered for fifteen minutes', () => {
    const orders = closed();
    forgetOld(orders, NOW + 15 * MINUTE - 1);
    expect([...orders.closed.keys()]).toEqual([FIRST, SECOND]);
    forgetOld(orders, NOW + 15 * MINUTE);
    expect([...orders.closed.keys()]).toEqual([SECOND]);
  });

  test('is written anew for as long', () => {
    const kinds = (now: number): string[] => notesOf(closed(), now).map(({ kind }) => kind);
    expect(kinds(NOW + 15 * MINUTE - 1)).toEqual(['begun', 'was-ours', 'was-ours']);
    expect(kinds(NOW + 15 * MINUTE)).toEqual(['begun', 'was-ours']);
  });

  test('is one of the last five hundred', () => {
    const orders = noOrders(null);
    for (let n = 0; n <= 500; n += 1) take(orders, { kind: 'was-ours', orderId: orderId(`1-${n}-1`), at: NOW });
    const notes = notesOf(orders, NOW);
    expect(notes).toHaveLength(501);
    expect(notes[1]).toEqual({ kind: 'was-ours', orderId: '1-1-1', at: NOW });
  });
});

test('what is written anew makes the same again', () => {
  const orders = fold(
    { kind: 'begun', paperInstance: 'p', horizon: 90 },
    sent('a', 70),
    sent('b', 50),
    named('b', SECOND),
    named('c', orderId('1-3-1')),
    { kind: 'was-ours', orderId: FIRST, at: NOW },
    { kind: 'questioned', orderId: orderId('1-9-1') },
  );
  expect(notesOf(orders, NOW)).toEqual([
    { kind: 'begun', paperInstance: 'p', horizon: 90 },
    { kind: 'was-ours', orderId: FIRST, at: NOW },
    sent('a', 70),
    sent('b', 50),
    named('b', SECOND),
    named('c', orderId('1-3-1')),
    { kind: 'questioned', orderId: '1-9-1' },
  ]);
  expect(fold(...notesOf(orders, NOW))).toEqual(orders);
});
