// S12: a create leaves only when everything that it rests on is known; what keeps it has a code. And what the trader
// tells of itself.
import { describe, expect, test } from '@jest/globals';
import { decimal, plain } from '../../../src/domain/decimal.ts';
import type { Block } from '../../../src/quoting/block.ts';
import { notReady } from '../../../src/trader/decision/readiness.ts';
import { riskContext } from '../../../src/trader/decision/view.ts';
import { liveOrders } from '../../../src/trader/orders/live-orders.ts';
import { stretch } from '../../../src/trader/state/state.ts';
import { takeSnapshot } from '../../../src/trader/status/snapshot.ts';
import { wakeAt } from '../../../src/trader/turns/next.ts';
import { BTC, deskSettings, HORIZON_MS, LAG_MS } from './desk-settings.ts';
import { runUntil } from './run-until.ts';
import { type Desk, deskWith, inSlot, nextCreate, quotingDesk, readyDesk, rejected, unknown } from './trader-kit.ts';

const codes = (desk: Desk): Block[] => notReady(desk.state(), BTC, desk.now()).map(({ code }) => code);

const lost = { kind: 'failed', fault: { sent: true, reason: 'timeout', detail: 'Slow.' } } as const;

const unready: readonly [Block, (desk: Desk) => void][] = [
  ['latched', (desk) => desk.tell({ kind: 'latched', reason: 'Pressed.' })],
  ['stopping', (desk) => desk.tell({ kind: 'stop' })],
  ['paused', (desk) => desk.tell({ kind: 'pause', reason: 'Nobody watches.' })],
  ['clock', (desk) => void Object.assign(desk.state(), { clock: null })],
  ['clock', (desk) => desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 5_000, confirmed: true })],
  ['clock', (desk) => desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 50, confirmed: false })],
  [
    'exchange',
    (desk) => {
      desk.reply = ({ kind }) => (kind === 'wallet' ? rejected(-2015, 403) : undefined);
      desk.run(3_000);
    },
  ],
  ['book', (desk) => desk.pass(6_000)],
  ['orders', (desk) => desk.pass(16_000)],
  ['account', (desk) => desk.pass(61_000)],
  [
    'difference',
    (desk) => {
      desk.shows.balances.INR = decimal(999_900);
      desk.run(LAG_MS + 8_000);
    },
  ],
];

describe('a create is not sent', () => {
  test.each(unready)('while not ready: %s', (code, spoil) => {
    const desk = readyDesk();
    expect(codes(desk)).toEqual([]);
    desk.reply = () => undefined;
    spoil(desk);
    expect(codes(desk)).toContain(code);
    const before = desk.sent.length;
    desk.open('private');
    expect(desk.sent.slice(before).map(({ chosen }) => chosen.request.kind)).not.toContain('create');
  });

  test('before anything is read: everything is named at once', () => {
    expect(codes(deskWith())).toEqual(['clock', 'account', 'book', 'orders', 'account']);
  });

  test('on a decision that was ready a moment ago', () => {
    const desk = readyDesk(deskSettings({ ageLimits: { ...deskSettings().ageLimits, bookMs: 300 } }));
    // It wants to create; then nothing is observed, and the book grows too old for it.
    wakeAt(desk.state(), 'private', desk.now());
    expect(desk.state().markets.get(BTC)?.decision?.creates).toHaveLength(2);
    const before = desk.sent.length;
    desk.pass(400);
    desk.open('private');
    expect(desk.sent.slice(before).map(({ chosen }) => chosen.request.kind)).not.toContain('create');
  });

  test('again when the pause is over', () => {
    const desk = readyDesk();
    desk.tell({ kind: 'pause', reason: 'The watchdog is not there.' });
    desk.run(2_000);
    expect(desk.slots()).toEqual([]);
    desk.tell({ kind: 'resume' });
    desk.run(2_000);
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
  });
});

describe('exposure of an order that is gone and not counted', () => {
  test('falls as the schedule says; its funds stay reserved', () => {
    const desk = quotingDesk();
    desk.run(1_500);
    const bid = inSlot(desk, 'buy:0');
    desk.reply = ({ kind }) => (kind === 'wallet' ? lost : undefined);
    desk.shows.orders = desk.shows.orders.filter(({ orderId }) => orderId !== bid.orderId);
    runUntil(desk, () => inSlot(desk, 'buy:0').state === 'closing');
    const exposed = (): string | undefined => {
      const order = liveOrders(desk.state(), BTC, desk.now()).find(({ intentId }) => intentId === bid.intentId);
      return order?.exposed && plain(order.exposed);
    };
    const { free } = riskContext(desk.state(), BTC, desk.now()).quote;
    expect(exposed()).toBe('0.01');
    desk.pass(10_000);
    expect(exposed()).toBe('0.005');
    expect(plain(riskContext(desk.state(), BTC, desk.now()).quote.free)).toBe(plain(free));
  });
});

test('periodic reads keep to their share of the pace that the lane has learned, not of the configured one', () => {
  const desk = quotingDesk();
  expect(stretch(desk.state(), 'private')).toBe(1);
  desk.pace(1.25);
  // Two and a half reads a second are wanted, and 70 % of 1.25 are there.
  expect(stretch(desk.state(), 'private')).toBeCloseTo(2.5 / 0.875);
  desk.pace(10);
  expect(stretch(desk.state(), 'private')).toBe(1);
});

test('how each unknown create was resolved, and how long that took, is remembered, the last thousand of them', () => {
  const desk = readyDesk();
  desk.answer(nextCreate(desk), unknown);
  const create = nextCreate(desk);
  desk.answerTo(create.request, desk.now());
  desk.answer(create, unknown);
  desk.run(HORIZON_MS + 2 * LAG_MS + 4_000);
  const { unknownResolutions } = takeSnapshot(desk.state(), desk.now());
  expect(unknownResolutions.total).toBe(2);
  expect(unknownResolutions.last.map(({ by }) => by)).toEqual(['match', 'absence']);
  const [match, absence] = unknownResolutions.last.map(({ seconds }) => seconds);
  expect(absence).toBeGreaterThan((HORIZON_MS + LAG_MS) / 1_000);
  expect(match).toBeLessThan(3);
});
