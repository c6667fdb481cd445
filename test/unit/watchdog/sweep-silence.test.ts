// A sweep while the exchange does not answer: a cancel leaves every five seconds, whatever hangs and whatever a
// gateway says.
import { describe, expect, test } from '@jest/globals';
import { orderId } from '../../../src/domain/ids.ts';
import { noOrders, take } from '../../../src/watchdog/own-orders.ts';
import { nextStep } from '../../../src/watchdog/sweep.ts';
import { beginSweep } from '../../../src/watchdog/sweep-state.ts';
import { create, SETTINGS, silentBot } from './watch-world.ts';

const pauses = (at: readonly number[]): number[] => at.slice(1).map((moment, index) => moment - (at[index] ?? 0));

describe('a sweep', () => {
  test.each([
    ['in which 503 and 504 name five minutes', { status: 503, retryAfter: 300_000 }],
    ['without a word of how long', { status: 504 }],
  ])('in an outage %s cancels every five seconds, and at once when it is over', (_name, answer) => {
    const world = silentBot();
    const over = 600_000;
    world.refuse = (_request, now) => {
      const fault = { sent: true, reason: 'status', status: answer.status, detail: 'A gateway.' } as const;
      return now < over ? { outcome: { kind: 'unknown', fault }, ...answer } : null;
    };
    world.run(over + 10_500);
    expect(world.book.size).toBe(0);
    const cancels = world.done.filter((line) => line.includes('send cancel')).map((line) => Number(line.split(' ')[0]));
    expect(Math.max(...pauses(cancels.filter((at) => at < over)))).toBeLessThanOrEqual(5_500);
    world.run(700_000);
    expect(world.ended).toBe(true);
  });

  test('that hears nothing at all repeats its cancels, although their answers may still come', () => {
    const orders = noOrders(null);
    for (const name of ['1-1-1', '1-2-1', '1-3-1']) {
      take(orders, { kind: 'sent', intentId: name, create: create() });
      take(orders, { kind: 'named', intentId: name, orderId: orderId(name) });
    }
    const sweep = beginSweep({ ...SETTINGS.sweep, maxInFlight: 1 }, orders, 0);
    const left: { at: number; what: string }[] = [];
    for (let now = 0; now < 60_000; now += 250) {
      const step = nextStep(sweep, now);
      if (step.kind === 'send') left.push({ at: now, what: Object.values(step.request).join(' ') });
    }
    expect(new Set(pauses(left.map(({ at }) => at)))).toEqual(new Set([5_000]));
    expect(new Set(left.map(({ what }) => what))).toEqual(new Set(['cancel 1-1-1', 'cancel 1-2-1', 'cancel 1-3-1']));
  });
});
