// A fault excuses what it is said to excuse: of its symbol, for its reasons, and as long as its effects last.
import { describe, expect, test } from '@jest/globals';
import { createExcuses, type Excuses } from '../../../../simulation/excuses/excuses.ts';
import { createCounters } from '../../../../simulation/machine/counters.ts';
import { MINUTE } from '../../../../src/domain/time.ts';

const BTC = 'BTC/INR';
const ETH = 'ETH/INR';

function excusesAt(lastOn: number | null = null) {
  const clock = { now: 0 };
  const counters = createCounters();
  const excuses: Excuses = createExcuses({
    now: () => clock.now,
    boundsMs: 5 * MINUTE,
    lastOn: () => lastOn,
    counters,
  });
  return { excuses, clock, counters };
}

describe('a halt', () => {
  test('is excused by its code and symbol, and counted', () => {
    const { excuses, counters } = excusesAt();
    excuses.strike('F07', BTC);
    expect(excuses.mayHalt({ code: 'answers-untrue', symbol: BTC })).toBe(true);
    expect(excuses.mayHalt({ code: 'answers-untrue', symbol: ETH })).toBe(false);
    expect(excuses.mayHalt({ code: 'loss', symbol: BTC })).toBe(false);
    expect([...counters.all]).toEqual([['halt answers-untrue excused by F07', 1]]);
  });

  test('is excused in every symbol where the fault names none', () => {
    const { excuses } = excusesAt();
    excuses.strike('F54', null);
    expect(excuses.mayHalt({ code: 'order-unknown', symbol: ETH })).toBe(true);
  });

  test('is not excused by a fault that has not struck, nor long after it did', () => {
    const { excuses, clock } = excusesAt();
    expect(excuses.mayHalt({ code: 'order-unknown', symbol: BTC })).toBe(false);
    excuses.strike('F54', null);
    clock.now = 15 * MINUTE;
    expect(excuses.mayHalt({ code: 'order-unknown', symbol: BTC })).toBe(true);
    clock.now += 1;
    expect(excuses.mayHalt({ code: 'order-unknown', symbol: BTC })).toBe(false);
  });

  test('is excused from the end of a window on', () => {
    const { excuses, clock } = excusesAt(20 * MINUTE);
    excuses.strike('F62', null);
    clock.now = 35 * MINUTE;
    expect(excuses.mayHalt({ code: 'price', symbol: BTC })).toBe(true);
    clock.now += 1;
    expect(excuses.mayHalt({ code: 'price', symbol: BTC })).toBe(false);
  });
});

test('what had effects when the bot went down is looked at when it is back; what was over is not', () => {
  for (const [downAt, expected] of [
    [10 * MINUTE, true],
    [16 * MINUTE, false],
  ] as const) {
    const { excuses, clock } = excusesAt();
    excuses.strike('F54', null);
    clock.now = 60 * MINUTE;
    excuses.begun(downAt);
    expect(excuses.excused('difference')).toBe(expected);
  }
});

test('so is what befell in an outage of more than five minutes, once a signed request is taken again', () => {
  for (const [takenMin, expected] of [
    [56, true],
    [54, false],
  ] as const) {
    const { excuses, clock } = excusesAt();
    clock.now = 49 * MINUTE;
    excuses.taken();
    excuses.strike('F54', null);
    clock.now = takenMin * MINUTE;
    excuses.taken();
    clock.now = 66 * MINUTE;
    expect(excuses.excused('difference')).toBe(expected);
  }
});

test('a second order of one create lasts', () => {
  const { excuses, clock } = excusesAt();
  excuses.strike('F11', BTC);
  clock.now = 600 * MINUTE;
  expect(excuses.excused('second-order')).toBe(true);
  expect(excuses.excused('funds')).toBe(false);
});
