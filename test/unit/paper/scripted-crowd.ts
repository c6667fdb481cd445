// A crowd that does what a list says, at the moments of its own clock that the list says.
import { CROWD_ACCOUNT, type Crowd, OPEN_CROWD_ACCOUNTS } from '../../../src/crowd/types.ts';
import type { Side } from '../../../src/domain/order.ts';
import type { Lots, Ticks } from '../../../src/matching/types.ts';

export interface ScriptedOrder {
  /** Milliseconds on the crowd's clock after it began. */
  readonly after: number;
  readonly side: Side;
  readonly price: number;
  readonly quantity: number;
}

interface ScriptState {
  readonly startAt: number;
  readonly next: number;
}

/** Orders for BTC/INR in ticks and lots, in order of time. */
export function scriptedCrowd(script: readonly ScriptedOrder[]): Crowd {
  const read = (state: unknown): ScriptState => JSON.parse(JSON.stringify(state));
  return {
    start: (startAt): ScriptState => ({ startAt, next: 0 }),
    nextAt: (state) => {
      const { startAt, next } = read(state);
      const order = script[next];
      return order ? startAt + order.after : null;
    },
    step: (state) => {
      const { startAt, next } = read(state);
      const order = script[next];
      if (!order) throw new Error('The crowd was stepped after its end.');
      const { side } = order;
      const [price, quantity] = [order.price as Ticks, order.quantity as Lots];
      const create = { kind: 'create', account: CROWD_ACCOUNT, symbol: 'BTC/INR', side, price, quantity } as const;
      return { state: { startAt, next: next + 1 }, commands: [...(next === 0 ? OPEN_CROWD_ACCOUNTS : []), create] };
    },
  };
}

/** One bid of one lot each `everyMs`, each a tick higher than the one before. */
export function climbingBids(count: number, everyMs: number): readonly ScriptedOrder[] {
  return [...Array(count).keys()].map((step) => ({
    after: step * everyMs,
    side: 'buy',
    price: 2_000 + step,
    quantity: 200,
  }));
}
