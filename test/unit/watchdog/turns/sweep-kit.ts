// A sweep by itself: one order with a name, and answers as a test makes them.
import { orderId } from '../../../../src/domain/ids.ts';
import type { OpenOrder } from '../../../../src/domain/order.ts';
import type { AnswerFacts, CancelOutcome, Completed } from '../../../../src/venue/outcomes.ts';
import { noOrders, take } from '../../../../src/watchdog/own-orders.ts';
import { keyOf, nextStep, type SweepRequest } from '../../../../src/watchdog/sweep.ts';
import { recordSweepAnswer } from '../../../../src/watchdog/sweep-answers.ts';
import { beginSweep, type Sweep, type SweepSettings, type Target } from '../../../../src/watchdog/sweep-state.ts';
import { kindOf } from '../../refused.ts';
import { create, SETTINGS } from '../watch-world.ts';

export const WALL = 1_800_000_000_000;
export const STAMP = { timestamp: WALL, recvWindow: 2_500 };
export const ID = orderId('1-1-1');
export const ACKNOWLEDGED: CancelOutcome = { kind: 'acknowledged', msg: 'ok' };
export const lost = (code?: number, status?: number): CancelOutcome => ({
  kind: 'unknown',
  fault: {
    sent: true,
    reason: 'status',
    detail: 'Nothing came back.',
    ...(code && { code, refusal: kindOf(code) }),
    ...(status && { status }),
  },
});

/** One order with a name, and as many creates without one; the horizon has passed. */
export function sweepOf(settings: Partial<SweepSettings> = {}, { unnamed = 0, secondFrom = 0 } = {}): Sweep {
  const orders = noOrders(null);
  take(orders, { kind: 'sent', intentId: 'i', create: create() });
  take(orders, { kind: 'named', intentId: 'i', orderId: ID });
  for (let n = 0; n < unnamed; n += 1) take(orders, { kind: 'sent', intentId: `u-${n}`, create: create() });
  return beginSweep({ ...SETTINGS.sweep, ...settings }, orders, secondFrom);
}

export interface Said {
  readonly now: number;
  readonly leftAt?: number;
  readonly facts?: Partial<AnswerFacts>;
}

export function answer(sweep: Sweep, request: SweepRequest, outcome: Completed['outcome'], said: Said): void {
  const leftAt = said.leftAt ?? said.now;
  sweep.inFlight.set(keyOf(request), Math.max(leftAt, sweep.inFlight.get(keyOf(request)) ?? leftAt));
  const facts = { sentAt: WALL, receivedAt: WALL + said.now - leftAt, status: 200, ...said.facts };
  recordSweepAnswer(
    sweep,
    {
      completed: { kind: request.kind, request: { ...request, stamp: STAMP }, outcome, facts } as Completed,
      leftAt,
    },
    said.now,
  );
}

export const cancel = (sweep: Sweep, outcome: CancelOutcome, said: Said): void =>
  answer(sweep, { kind: 'cancel', orderId: ID }, outcome, said);

export function list(
  sweep: Sweep,
  rows: readonly OpenOrder[],
  leftAt: number,
  more: { symbol?: string; cut?: string } = {},
) {
  const { symbol, cut } = more;
  const read = { rows, complete: cut === undefined, sentAt: WALL, receivedAt: WALL, incompleteBecause: cut };
  const request = { kind: 'open-orders', ...(symbol && { symbol }) } as const;
  answer(sweep, request, { kind: 'read', read } as Completed['outcome'], { now: leftAt + 10, leftAt });
}

export const target = (sweep: Sweep, id = ID): Target => {
  const found = sweep.targets.get(id);
  if (found === undefined) throw new Error(`${id} is no target.`);
  return found;
};
export const whole = (sweep: Sweep) => sweep.scopes.get('*');
/** Canceled twice at these moments. */
export function canceledTwice(sweep: Sweep, first = 100, second = 200): void {
  cancel(sweep, ACKNOWLEDGED, { now: first });
  nextStep(sweep, first);
  nextStep(sweep, second);
  sweep.inFlight.clear();
  cancel(sweep, ACKNOWLEDGED, { now: second });
  nextStep(sweep, second);
  sweep.inFlight.clear();
}
