// What a list proves to a sweep, which order a create without a name has made, and what is asked next.
import { describe, expect, test } from '@jest/globals';
import { orderId } from '../../../../src/domain/ids.ts';
import { SHOWN } from '../../../../src/venue/lacked-twice.ts';
import type { Completed } from '../../../../src/venue/outcomes.ts';
import { nextStep, type SweepStep } from '../../../../src/watchdog/sweep.ts';
import { remainsOf } from '../../../../src/watchdog/sweep-state.ts';
import { refused } from '../../refused.ts';
import { create, order, SETTINGS } from '../watch-world.ts';
import { answer, canceledTwice, ID, list, sweepOf, target, WALL, whole } from './sweep-kit.ts';

describe('a list', () => {
  test('that shows an order of ours takes the proof back, and cancels it again', () => {
    const sweep = sweepOf();
    canceledTwice(sweep, 100, 200);
    list(sweep, [], 300);
    list(sweep, [order('1-1-1')], 400);
    expect(whole(sweep)).toMatchObject({ lacked: SHOWN, done: false, notBefore: 410 + 1_000 });
    expect(target(sweep)).toMatchObject({ passes: 1, notBefore: 410 + 1_000 });
    expect(sweep.secondDoneAt).toBeNull();
  });

  test('that left before the cancel was acknowledged does not say that it did nothing', () => {
    const sweep = sweepOf();
    canceledTwice(sweep, 100, 200);
    list(sweep, [order('1-1-1')], 200);
    expect(target(sweep)).toMatchObject({ passes: 2, notBefore: 0 });
    list(sweep, [order('1-1-1')], 201);
    expect(target(sweep).passes).toBe(1);
  });

  test('that cannot be read is asked for again a second later', () => {
    const sweep = sweepOf();
    const fault = { sent: true, reason: 'timeout', detail: 'Slow.' } as const;
    answer(sweep, { kind: 'open-orders' }, { kind: 'failed', fault } as Completed['outcome'], { now: 700 });
    expect(whole(sweep)?.notBefore).toBe(1_700);
  });

  test('that is cut is read by symbol; one of a symbol that is cut is said, and proves nothing', () => {
    const sweep = sweepOf();
    canceledTwice(sweep);
    list(sweep, [], 300, { cut: 'There are 20 rows.' });
    expect([...sweep.scopes.keys()]).toEqual(['BTC/INR', 'ETH/INR']);
    list(sweep, [], 400, { symbol: 'BTC/INR' });
    list(sweep, [], 500, { symbol: 'BTC/INR', cut: 'There are 20 rows.' });
    expect(sweep.scopes.get('BTC/INR')).toEqual({ lacked: SHOWN, done: false, notBefore: 1_510 });
    expect(sweep.trouble).toBe('The list of open orders is not complete: There are 20 rows.');
  });

  test.each([
    ['no longer known: only the list of all tells', { status: 400, code: -1121 }, ['*']],
    ['refused otherwise: each symbol is asked for again', { status: 400, code: -1122 }, ['BTC/INR', 'ETH/INR']],
  ])('of a symbol that is %s', (_, { status, code }, asked) => {
    const sweep = sweepOf();
    canceledTwice(sweep);
    list(sweep, [], 300, { cut: 'There are 20 rows.' });
    const request = { kind: 'open-orders', symbol: 'BTC/INR' } as const;
    answer(sweep, request, refused(code, { status }), { now: 400 });
    expect([...sweep.scopes.keys()]).toEqual(asked);
  });

  test('that is cut stays one list where everything goes, or no symbol is known', () => {
    for (const settings of [{ whose: 'account' as const }]) {
      const sweep = sweepOf(settings);
      list(sweep, [], 300, { cut: 'There are 20 rows.' });
      expect([...sweep.scopes.keys()]).toEqual(['*']);
    }
  });
});

describe('a create without a name', () => {
  test('is given the one order that it can have, which is canceled from the present pass on', () => {
    const sweep = sweepOf({}, { unnamed: 1, secondFrom: 60_000 });
    list(sweep, [order('1-9-1')], 100);
    expect(sweep.unnamed).toEqual([]);
    expect(target(sweep, orderId('1-9-1')).passes).toBe(0);
  });

  test('that could have two orders is said, until only one was listed for longer than a lag', () => {
    const sweep = sweepOf({}, { unnamed: 1 });
    list(sweep, [order('1-8-1'), order('1-9-1')], 0);
    const words =
      "1-8-1 and 1-9-1 could each be the bot's buy of 0.01 BTC/INR at 5000000: not canceled, one of them may be yours.";
    expect([...sweep.ambiguous.values()]).toEqual([words]);
    const lag = SETTINGS.sweep.readLagBoundMs;
    list(sweep, [order('1-9-1')], lag);
    expect(sweep.ambiguous.size).toBe(1);
    list(sweep, [order('1-9-1')], lag + 1);
    expect(sweep.ambiguous.size).toBe(0);
    expect(sweep.targets.has(orderId('1-9-1'))).toBe(true);
  });

  test('that somebody must look at keeps the list being read, and all is proved once that order is gone', () => {
    const sweep = sweepOf({ readLagBoundMs: 0 }, { unnamed: 1 });
    canceledTwice(sweep);
    const late = order('1-9-1', { venueTime: WALL + SETTINGS.sweep.match.laterMs + 1 });
    for (const at of [300, 600]) list(sweep, [late], at);
    expect(sweep.ambiguous.size).toBe(1);
    const now = 600 + SETTINGS.sweep.gentleMs + 1_000;
    expect(nextStep(sweep, now)).toEqual({ kind: 'send', request: { kind: 'open-orders' }, leftAt: now });
    sweep.inFlight.clear();
    list(sweep, [], now);
    expect(nextStep(sweep, now + 100)).toEqual({ kind: 'flat' });
  });

  test('is not searched in the list of another symbol', () => {
    const sweep = sweepOf({}, { unnamed: 1 });
    list(sweep, [], 0, { cut: 'There are 20 rows.' });
    list(sweep, [order('1-9-1')], 100, { symbol: 'ETH/INR' });
    expect(sweep.unnamed).toHaveLength(1);
  });
});

describe('the order of requests', () => {
  const until = (step: SweepStep): number => (step.kind === 'wait' ? step.until : Number.NaN);

  test('a cancel first, then a list; not more on their way than may be, nor faster than the pace', () => {
    const sweep = sweepOf({ maxInFlight: 2 });
    expect(nextStep(sweep, 0)).toEqual({ kind: 'send', request: { kind: 'cancel', orderId: ID }, leftAt: 0 });
    expect(nextStep(sweep, 0)).toEqual({ kind: 'wait', until: 250 });
    expect(nextStep(sweep, 250)).toEqual({ kind: 'send', request: { kind: 'open-orders' }, leftAt: 250 });
    expect(nextStep(sweep, 500)).toEqual({ kind: 'wait', until: 5_000 });
    // What is not answered for five seconds keeps no other from leaving.
    expect(nextStep(sweep, 5_000)).toEqual({ kind: 'send', request: { kind: 'cancel', orderId: ID }, leftAt: 5_000 });
  });

  test('a list waits until every order was tried once', () => {
    const sweep = sweepOf();
    target(sweep).notBefore = 900;
    expect(until(nextStep(sweep, 0))).toBe(900);
    target(sweep).attempts = 1;
    expect(nextStep(sweep, 0)).toEqual({ kind: 'send', request: { kind: 'open-orders' }, leftAt: 0 });
  });
});

test('what remains is said of each that is not proved', () => {
  const sweep = sweepOf({}, { unnamed: 2 });
  sweep.ambiguous.set(create(), 'Whose is it?');
  sweep.trouble = 'Nothing came back.';
  expect(remainsOf(sweep)).toEqual([
    '1 orders may be open: 1-1-1.',
    'Of 2 creates nobody knows what became of them.',
    'Whose is it?',
    'Nothing came back.',
  ]);
  const account = sweepOf({ whose: 'account' }, { unnamed: 2 });
  expect(remainsOf(account)).toEqual(['The cancel of all orders was not acknowledged.']);
  if (account.account !== null) account.account.passes = 1;
  expect(remainsOf(account)).toEqual([]);
});

test('an order whose cancel is refused as a request (-1124) may be on no list yet: lags are waited for', () => {
  const sweep = sweepOf({ readLagBoundMs: 30_000 });
  const refusal = refused(-1124, { msg: 'Order id format invalid.' });
  const facts = { status: 400 };
  nextStep(sweep, 0);
  answer(sweep, { kind: 'cancel', orderId: ID }, refusal, { now: 100, facts });
  nextStep(sweep, 300);
  answer(sweep, { kind: 'cancel', orderId: ID }, refusal, { now: 400, facts });
  nextStep(sweep, 500);
  sweep.inFlight.clear();
  list(sweep, [], 600);
  list(sweep, [], 900);
  expect(nextStep(sweep, 1_200).kind).not.toBe('flat');
  list(sweep, [], 30_600);
  list(sweep, [], 30_900);
  expect(nextStep(sweep, 31_000).kind).not.toBe('flat');
  list(sweep, [], 60_600);
  expect(nextStep(sweep, 61_000).kind).toBe('flat');
});
