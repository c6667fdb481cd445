// Check 7: how often the bot may create and cancel. Creates wait, cancels never do, and what goes on too long halts.
import { describe, expect, test } from '@jest/globals';
import { DAY, MINUTE } from '../../../src/domain/time.ts';
import { type MessageRateLimits, messageRateSchema } from '../../../src/quoting/risk/risk-limits.ts';
import { messageCounts } from '../../../src/trader/decision/view.ts';
import { emptyDurable } from '../../../src/trader/durable/durable.ts';
import { applyRisk } from '../../../src/trader/durable/fold/apply-risk.ts';
import { marketIn } from '../../../src/trader/durable/market.ts';
import { marketOf } from '../../../src/trader/state/state.ts';
import { takeSnapshot } from '../../../src/trader/status/snapshot.ts';
import { BTC, deskSettings, ETH } from './desk-settings.ts';
import { codesIn, haltsIn } from './durable-kit.ts';
import { type Desk, fillNow, inSlot, ops, quotingDesk, readyDesk, START } from './trader-kit.ts';

const limitedTo = ({ maxPerSecond = 10, ...limits }: Partial<MessageRateLimits>, symbols = [BTC]) =>
  deskSettings({
    symbols,
    messageRate: { maxPerSecond, ...messageRateSchema.parse(limits) },
    refresh: { refreshMs: 500 },
  });

const times = (desk: Desk, kinds: readonly string[]): number[] =>
  desk.sent.filter(({ chosen }) => kinds.includes(chosen.request.kind)).map(({ at }) => at);
const creates = (desk: Desk): number[] => times(desk, ['create']);
const messages = (desk: Desk): number[] => times(desk, ['create', 'cancel', 'cancel-symbol']);

/** The market moves by 1 % back and forth every 3 seconds, so that all quotes are replaced. */
function runInUnrest(desk: Desk, ms: number): void {
  for (const end = desk.now() + ms; desk.now() < end; ) {
    const isHigh = Math.floor((desk.now() - START) / 3_000) % 2 === 1;
    desk.shows.books[BTC] = isHigh ? [100_000, 102_000] : [99_000, 101_000];
    desk.run(1_000, 100);
  }
}

/** Most messages that left before a create within its window, itself included. */
const most = (desk: Desk, windowMs: number): number => {
  const all = messages(desk);
  return Math.max(...creates(desk).map((at) => all.filter((each) => each <= at && each > at - windowMs).length));
};

describe('messages', () => {
  test('at the limit of a second delay a create until there is room, and nothing halts', () => {
    const desk = readyDesk(limitedTo({ maxPerSecond: 1 }));
    desk.run(5_000, 100);
    expect(creates(desk)).toHaveLength(2);
    expect((creates(desk)[1] ?? 0) - (creates(desk)[0] ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect(marketOf(desk.state(), BTC).denialCounts.get('message-rate')).toBeGreaterThan(0);
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
  });

  test('at the limit of a minute delay creates but no cancel: no create exceeds the limit', () => {
    const desk = readyDesk(limitedTo({ maxPerMinute: 12 }));
    const shown = new Set<string | undefined>();
    for (let passed = 0; passed < 3 * MINUTE; passed += 1_000) {
      runInUnrest(desk, 1_000);
      shown.add(takeSnapshot(desk.state(), desk.now()).symbols[0]?.denied?.message);
    }
    expect(most(desk, MINUTE)).toBe(12);
    expect(ops(desk)).toContain('creates-throttled');
    expect(shown).toContain('12 creates and cancels have left within a minute; maxPerMinute is 12.');
    expect(haltsIn(desk.state().durable).size).toBe(0);
    // Without the limit the same unrest makes many more.
    const free = readyDesk(limitedTo({}));
    runInUnrest(free, 3 * MINUTE);
    expect(most(free, MINUTE)).toBeGreaterThan(24);
  });

  test('delayed minute after minute halt every symbol, over a restart, until a person resumes', () => {
    const settings = limitedTo({ maxPerMinute: 8 }, [BTC, ETH]);
    const desk = readyDesk(settings);
    runInUnrest(desk, 9 * MINUTE);
    expect(haltsIn(desk.state().durable).size).toBe(0);
    runInUnrest(desk, 2 * MINUTE);
    expect([...codesIn(desk.state().durable)]).toEqual([
      [BTC, 'message-rate'],
      [ETH, 'message-rate'],
    ]);
    expect(haltsIn(desk.state().durable).get(BTC)).toBe(
      'creates have had to wait for room within messageRate.maxPerMinute (8) in 10 minutes in a row; ' +
        'the limit is 10.',
    );
    expect(desk.shows.orders).toEqual([]);
    desk.pass(10 * MINUTE);
    desk.restart(settings);
    const before = creates(desk).length;
    desk.run(10_000);
    expect(creates(desk)).toHaveLength(before);
    desk.restart(settings, [
      { symbol: BTC, price: null },
      { symbol: ETH, price: null },
    ]);
    desk.run(10_000);
    expect(creates(desk).length).toBeGreaterThan(before);
    expect(desk.state().durable.messages.throttled).toBeNull();
  });

  test('at the limit of a day halt every symbol; its cancels still leave', () => {
    const desk = readyDesk(limitedTo({ maxPerDay: 10 }));
    runInUnrest(desk, MINUTE);
    expect(marketIn(desk.state().durable, BTC).halt?.code).toBe('message-rate');
    expect(haltsIn(desk.state().durable).get(BTC)).toMatch(
      /^\d+ creates and cancels have left today; messageRate.maxPerDay is 10\.$/,
    );
    expect(messages(desk).indexOf(creates(desk).at(-1) ?? 0)).toBeLessThan(10);
    expect(desk.shows.orders).toEqual([]);
    expect(desk.notices.filter(({ op }) => op === 'symbol-halted')).toHaveLength(1);
  });

  test('from before the clock was set back delay no create', () => {
    const desk = quotingDesk(limitedTo({ maxPerSecond: 2 }));
    fillNow(desk, inSlot(desk, 'buy:0'));
    desk.restart(undefined, [], -60 * MINUTE);
    desk.run(10_000);
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
  });

  test('from before the clock was set forward count as long as they would have', () => {
    const desk = quotingDesk(limitedTo({ maxPerMinute: 2 }));
    fillNow(desk, inSlot(desk, 'buy:0'));
    desk.restart(undefined, [], 60 * MINUTE);
    desk.run(50_000);
    expect(desk.slots()).toEqual(['sell:0 open']);
    desk.run(20_000);
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
  });

  test.each([
    [
      'nothing is answered',
      { kind: 'unknown', fault: { sent: true, reason: 'timeout', detail: 'Nothing came back.' } },
    ],
    [
      'cancels fail',
      {
        kind: 'unknown',
        fault: { sent: true, reason: 'status', status: 500, code: -5014, refusal: 'cancel-failure', detail: 'No.' },
      },
    ],
  ] as const)('are an order and its cancel: repeated cancels while %s hold no create up', (_name, outcome) => {
    const desk = quotingDesk(limitedTo({ maxPerMinute: 8, maxPerDay: 20 }));
    desk.reply = (request) => {
      if (request.kind === 'cancel') return outcome;
      return request.kind === 'order-book' ? { kind: 'failed', fault: outcome.fault } : undefined;
    };
    desk.run(3 * MINUTE, 500);
    expect(times(desk, ['cancel']).length).toBeGreaterThan(20);
    expect(messageCounts(desk.state().durable.messages, desk.now()).today).toBe(4);
    desk.reply = () => undefined;
    desk.run(5_000, 100);
    expect(desk.slots()).toEqual(expect.arrayContaining(['buy:0 open', 'sell:0 open']));
    expect(haltsIn(desk.state().durable).size).toBe(0);
  });

  test("for a stop's cancels leave, whatever the limit", () => {
    const desk = quotingDesk(limitedTo({ maxPerSecond: 2, maxPerMinute: 2 }));
    expect(messages(desk)).toHaveLength(2);
    desk.tell({ kind: 'latched', reason: 'test' });
    desk.run(1_000, 100);
    expect(desk.shows.orders).toEqual([]);
    expect(messages(desk)).toHaveLength(4);
  });
});

describe('the count', () => {
  test('of a day restarts at midnight UTC, that of a minute slides; a clock set back gives no room', () => {
    const desk = quotingDesk();
    const { durable } = desk.state();
    const today = () => messageCounts(desk.state().durable.messages, desk.now());
    expect(today()).toEqual({ inSecond: 0, inMinute: 2, today: 2 });
    desk.pass(MINUTE);
    expect(today()).toEqual({ inSecond: 0, inMinute: 0, today: 2 });
    expect(messageCounts(desk.state().durable.messages, desk.now() + DAY).today).toBe(0);
    const cancelAt = (at: number) =>
      applyRisk(durable, { type: 'cancel-sent', payload: { intentId: '1-1', why: '', at } });
    cancelAt(START + DAY);
    cancelAt(START);
    expect(durable.messages.today).toBe(2);
  });

  test('covers no more than a minute', () => {
    const durable = emptyDurable();
    for (let at = START; at < START + 10 * MINUTE; at += 100)
      applyRisk(durable, { type: 'cancel-sent', payload: { intentId: '1-1', why: '', at } });
    // One of just a minute ago stays; no minute counts both ends.
    expect(durable.messages.recent).toHaveLength(601);
    expect(durable.messages.today).toBe(6_000);
  });
});
