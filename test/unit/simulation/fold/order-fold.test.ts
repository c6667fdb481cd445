// What records make of an order, of what it reserves, and of refusals in a row.
import { describe, expect, test } from '@jest/globals';
import type { Answered } from '../../../../simulation/checks/context.ts';
import type { Told } from '../../../../simulation/checks/journal-model.ts';
import { createOrderFold, type FoldedOrder, remainingOf } from '../../../../simulation/fold/order-fold.ts';
import { createRefusalFold } from '../../../../simulation/fold/refusals.ts';
import { openOf, reservedBy } from '../../../../simulation/fold/reserved.ts';
import { decimal } from '../../../../src/domain/decimal.ts';
import { BTC, deskSettings } from '../../trader/desk-settings.ts';

type Row = readonly [type: string, payload: object, epoch?: number];

const told = ([type, payload, epoch = 1]: Row): Told => ({ type, seq: 1, epoch, payload: payload as Told['payload'] });

const SETTINGS = deskSettings();
const INTENT: Row = [
  'intent',
  {
    intentId: '1-1',
    symbol: BTC,
    side: 'buy',
    price: '100',
    quantity: '10',
    timestamp: 1_500,
    sentAt: 1_000,
    uncertaintyMs: 7.5,
  },
];
const of = (type: string, more: object = {}): Row => [type, { intentId: '1-1', at: 2_000, ...more }];
const ACCEPTED = of('create-outcome', { outcome: 'accepted', orderId: '1-5-1' });
const fill = (quantity: string, tradeId = '7', intentId: string | null = '1-1'): Row => [
  'fill',
  { intentId, fill: { symbol: BTC, tradeId, side: 'buy', orderId: '1-5-1', quantity } },
];
const corrected = (quantity: string, intentId: string | null): Row => [
  'fill-corrected',
  fill(quantity, '7', intentId)[1],
];

function folded(...rows: readonly Row[]): FoldedOrder {
  const fold = createOrderFold(SETTINGS);
  for (const row of [INTENT, ...rows]) fold.take(told(row));
  const order = fold.orders.get('1-1');
  if (order === undefined) throw new Error('The intent was not folded.');
  expect(fold.live.has('1-1')).toBe(order.state !== 'closed');
  return order;
}

describe('the state of an order', () => {
  test.each<[string, readonly Row[], Partial<FoldedOrder>]>([
    ['is sent', [], { state: 'sent', orderId: null }],
    ['accepted', [ACCEPTED], { state: 'open', orderId: '1-5-1' }],
    ['unknown', [of('create-outcome', { outcome: 'unknown', orderId: null })], { state: 'unknown' }],
    ['not sent', [of('create-outcome', { outcome: 'not-sent' })], { state: 'closed', closedAs: 'not-placed' }],
    ['refused', [of('create-outcome', { outcome: 'rejected' })], { state: 'closed', closedAs: 'rejected' }],
    ['being canceled', [ACCEPTED, of('cancel-sent')], { state: 'cancel-sent', cancel: 'sent' }],
    [
      'canceled twice, the first acknowledged',
      [ACCEPTED, of('cancel-sent'), of('cancel-outcome', { outcome: 'acknowledged' }), of('cancel-sent')],
      { state: 'cancel-sent', cancel: 'acknowledged' },
    ],
    ['gone, and listed again', [ACCEPTED, of('closing'), of('reopened')], { state: 'open' }],
    [
      'listed again after its cancel was acknowledged, as if there had been none',
      [
        ...[ACCEPTED, of('cancel-sent'), of('cancel-outcome', { outcome: 'acknowledged' })],
        ...[of('closing'), of('reopened', { belied: true })],
      ],
      { state: 'open', cancel: 'none' },
    ],
    ['closed', [ACCEPTED, of('closing'), of('closed', { as: 'canceled' })], { state: 'closed', closedAs: 'canceled' }],
  ])('%s', (_, rows, expected) => {
    expect(folded(...rows)).toMatchObject(expected);
  });
});

describe('what is filled', () => {
  test.each<[string, readonly Row[], string]>([
    ['two trades', [fill('1'), fill('2', '8')], '3'],
    ['one trade that is written with leading zeros the second time', [fill('1'), fill('1', '007')], '1'],
    ['a correction', [fill('1'), corrected('4', '1-1')], '4'],
    ['a correction of a trade whose order is forgotten', [fill('1'), corrected('4', null)], '4'],
    ['a trade that was taken back', [fill('1'), ['fill-reversed', { symbol: BTC, tradeId: '7', side: 'buy' }]], '0'],
    ["somebody else's", [fill('1', '7', null)], '0'],
  ])('%s', (_, rows, expected) => {
    expect(folded(...rows).filled.toFixed()).toBe(expected);
  });

  test('never leaves less than nothing', () => {
    expect(remainingOf(folded(fill('11'))).toFixed()).toBe('0');
  });
});

test('what remains of a bid reserves its price and the higher fee, of an ask itself; a closed one nothing', () => {
  const [run] = SETTINGS.runs;
  if (run === undefined) throw new Error('The desk has a run.');
  const costs = { ...run.costs, makerFeeRatio: decimal('0.001'), takerFeeRatio: decimal('0.002') };
  const settings = { ...SETTINGS, runs: [{ ...run, costs }] };
  const bid = folded(ACCEPTED, fill('4'));
  expect(reservedBy(settings, bid)?.amount.toFixed()).toBe('601.2');
  expect(reservedBy(settings, { ...bid, side: 'sell' })?.amount.toFixed()).toBe('6');
  expect(reservedBy(settings, { ...bid, state: 'closed' })?.amount.toFixed()).toBe('0');
  expect(openOf(settings, [bid, bid], run.instrument.quote)).toEqual({ notional: decimal(1_200), orders: 2 });
  expect(openOf(settings, [bid], 'XYZ')).toEqual({ notional: decimal(0), orders: 1 });
});

test('the horizon is T, W, ε and Lm by the own clock; a clock that was set moves what an older session noted', () => {
  const { recvWindowMs, venueInternalLagMs } = SETTINGS.assumptions;
  const horizon = 1_000 + recvWindowMs + 7.5 + venueInternalLagMs;
  expect(folded().horizon).toBe(horizon);
  const moved: Row = ['clock-moved', { byMs: 60, startedAt: 2_900, at: 3_500 }, 2];
  expect(folded(ACCEPTED, moved)).toMatchObject({
    horizon: horizon + 60,
    sentAt: 1_060,
    since: 2_060,
    timestamp: 1_500,
  });
  const again: Row = ['cancel-sent', { intentId: '1-1', at: 3_000 }, 2];
  expect(folded(ACCEPTED, again, moved)).toMatchObject({ sentAt: 1_060, since: 3_000 });
  // An older moment that could be one of this session may be taken for it.
  const back: Row = ['clock-moved', { byMs: -60, startedAt: 1_990, at: 2_010 }, 2];
  expect(folded(ACCEPTED, back)).toMatchObject({ since: 1_940, sinceAtMost: 2_000 });
  // And is moved from there by the next session; where the clock was set back it may stay as it was.
  const forth: Row = ['clock-moved', { byMs: 100, startedAt: 5_000, at: 5_010 }, 3];
  expect(folded(ACCEPTED, back, forth)).toMatchObject({ since: 2_040, sinceAtMost: 2_100 });
  const further: Row = ['clock-moved', { byMs: -100, startedAt: 5_000, at: 5_010 }, 3];
  expect(folded(ACCEPTED, back, further)).toMatchObject({ since: 1_840, sinceAtMost: 2_000 });
});

test('of a create that left by a third clock, before the machine slept, no moment is known after the move', () => {
  const later = { ...INTENT[1], intentId: '1-2', timestamp: 901_500, sentAt: 2_000 };
  const named: Row = ['create-outcome', { intentId: '1-2', outcome: 'accepted', orderId: '1-6-1', at: 2_050 }];
  const moved: Row = ['clock-moved', { byMs: 10_000, startedAt: 20_000, at: 20_500 }, 2];
  expect(folded(ACCEPTED, ['intent', later], named, moved)).toMatchObject({ sentAt: null, horizon: null });
});

test('the second order of one create is another one with the same terms', () => {
  const fold = createOrderFold(SETTINGS);
  const found: Row = ['duplicate-found', { intentId: '1-2', of: '1-1', orderId: '1-6-1', at: 3_000 }];
  for (const row of [INTENT, ACCEPTED, fill('4'), found]) fold.take(told(row));
  const order = fold.live.get('1-2');
  expect(order).toMatchObject({ side: 'buy', state: 'open', orderId: '1-6-1', timestamp: 1_500 });
  expect([order?.price, order?.quantity, order?.filled].map(String)).toEqual(['100', '10', '0']);
});

describe('refusals in a row', () => {
  const answer = (status: number | null, text: string): Answered =>
    ({ endpoint: 'create', intent: { intentId: '1-1' }, status, text }) as unknown as Answered;
  const REFUSED = [answer(400, '{"code":-1114,"msg":"No."}'), 'rejected'] as const;
  const OTHERWISE = [answer(200, '{"msg":"No."}'), 'soft-rejected'] as const;
  const TOO_MANY = [answer(429, '{"code":-1003,"msg":"Later."}'), 'soft-rejected'] as const;
  const UNSENT = [answer(null, 'No route.'), 'not-sent'] as const;
  const PLACED = [answer(200, '{"data":{"order_id":"1-5-1"}}'), 'accepted'] as const;

  test.each([
    ['of one reason', [REFUSED, REFUSED], 2, 0],
    ['three of them make it rest', [REFUSED, REFUSED, REFUSED], 3, 2_000 + SETTINGS.rejectPauseMs],
    ['of two reasons', [REFUSED, REFUSED, OTHERWISE], 1, 0],
    ['with an order between them', [REFUSED, PLACED, REFUSED], 1, 0],
    ['with one that wants fewer requests between them', [REFUSED, TOO_MANY, REFUSED], 2, 0],
    ['with one that did not leave between them', [REFUSED, UNSENT, REFUSED], 2, 0],
  ])('%s', (_, answers, inARow, restUntil) => {
    const fold = createRefusalFold(SETTINGS);
    for (const [message, outcome] of answers) {
      fold.answered(message);
      fold.recorded(told(of('create-outcome', { outcome })), BTC);
    }
    expect(fold.of(BTC)).toMatchObject({ inARow, restUntil });
    fold.recorded(told(['session-started', {}]), '');
    expect(fold.of(BTC)).toMatchObject({ inARow: 0, restUntil: 0 });
  });

  test('a person who resumes the symbol lets them begin anew, also while the bot runs', () => {
    const fold = createRefusalFold(SETTINGS);
    fold.answered(REFUSED[0]);
    fold.recorded(told(of('create-outcome', { outcome: REFUSED[1] })), BTC);
    fold.recorded(told(['symbol-resumed', { symbol: 'ETH/INR', at: 1_000 }]), '');
    expect(fold.of(BTC).inARow).toBe(1);
    fold.recorded(told(['symbol-resumed', { symbol: BTC, at: 1_000 }]), '');
    expect(fold.of(BTC).inARow).toBe(0);
  });
});
