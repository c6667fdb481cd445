// Which orders count, from what left and what was answered: a bot some minutes after its start, and one more create.
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answered, CheckContext, Outgoing } from '../../../../simulation/checks/context.ts';
import type { JournalIntent } from '../../../../simulation/checks/journal-model.ts';
import { createMayBeLive, type MayBeLive } from '../../../../simulation/exposure/may-be-live.ts';
import { decimal } from '../../../../src/domain/decimal.ts';
import { SECOND } from '../../../../src/domain/time.ts';
import { type Stage, staged } from '../staged.ts';

const SYMBOL = 'BTC/INR';
const WINDOW = 2_500;

/** What the checks take of a message. */
const message = (endpoint: Outgoing['endpoint'], intent: JournalIntent | null = null): Outgoing =>
  ({ endpoint, request: {}, query: new URLSearchParams(), body: {}, intent }) as unknown as Outgoing;

interface Play {
  readonly mayBeLive: MayBeLive;
  readonly intent: JournalIntent;
  /** The context so much later. */
  readonly contextIn: (ms: number) => CheckContext;
  /** A read that leaves then, and is answered at once. */
  readonly read: (ms: number, ...endpoints: Outgoing['endpoint'][]) => void;
  readonly where: (ms: number) => readonly string[];
}

let stage: Stage;

/** All look at the same moment of one run, and change nothing in it. */
beforeAll(() =>
  staged({}, (each) => {
    stage = each;
  }),
);

function played(play: (parts: Play) => void): void {
  const { context, journal } = stage;
  const [known] = journal.intents.values();
  if (known === undefined) throw new Error('The bot has not quoted yet.');
  const now = context.now();
  const intent: JournalIntent = {
    ...known,
    intentId: '9-1',
    symbol: SYMBOL,
    side: 'buy',
    price: '5000000',
    quantity: '0.01',
  };
  const contextIn = (ms: number): CheckContext => ({ ...context, now: () => now + ms });
  const mayBeLive = createMayBeLive();
  mayBeLive.sent(context, message('create', { ...intent, timestamp: now }));
  const read = (ms: number, ...endpoints: Outgoing['endpoint'][]): void => {
    for (const endpoint of endpoints) {
      const left = message(endpoint);
      mayBeLive.sent(contextIn(ms), left);
      mayBeLive.answered(contextIn(ms), { ...left, status: 200, sentAt: now + ms + context.clockError() } as Answered);
    }
  };
  const where = (ms: number): string[] => mayBeLive.all(contextIn(ms)).map((each) => each.where);
  play({ mayBeLive, intent, contextIn, read, where });
}

describe('a create that made no order', () => {
  test('counts whole, and is on its way', () => {
    played(({ mayBeLive, contextIn }) => {
      const [each] = mayBeLive.all(contextIn(0));
      expect([each?.where, each?.ticks, each?.lots]).toEqual(['on-its-way', 5_000_000n, 1_000n]);
    });
  });

  test('counts until a list was asked for after which the exchange takes no copy of it', () => {
    played(({ read, where }) => {
      read(WINDOW - 1, 'open-orders');
      expect(where(WINDOW)).toEqual(['on-its-way']);
      read(WINDOW, 'wallet', 'spot-trades');
      expect(where(10 * SECOND)).toEqual(['on-its-way']);
      read(WINDOW, 'open-orders');
      expect(where(10 * SECOND)).toEqual([]);
    });
  });

  test.each([
    [400, []],
    [401, []],
    [429, ['on-its-way']],
    [503, ['on-its-way']],
    [null, ['on-its-way']],
  ] as const)('answered with %s: %j', (status, expected) => {
    played(({ mayBeLive, intent, contextIn, where }) => {
      mayBeLive.answered(contextIn(SECOND), { ...message('create', intent), status } as Answered);
      expect(where(SECOND)).toEqual(expected);
    });
  });
});

describe('an order that is gone from the book', () => {
  const GONE = { orderId: '1-77-1', maker: { kind: 'bot', intentId: '9-1' }, symbol: SYMBOL, live: false };

  /** What of 0.01 counts where so much of it had filled, before and after these reads. */
  function counted(filled: string, reads: readonly (readonly [number, ...Outgoing['endpoint'][]])[]) {
    const seen: (readonly (readonly [string, bigint])[])[] = [];
    played(({ mayBeLive, contextIn, read }) => {
      const { oracle, settings } = contextIn(0);
      const order = { ...GONE, filled: decimal(filled), endedAfter: contextIn(0).now() };
      const of = (ms: number): CheckContext => ({
        ...contextIn(ms),
        oracle: {
          ...oracle,
          ordersOf: (id: string) => (id === '9-1' ? [order] : []),
        } as unknown as CheckContext['oracle'],
      });
      const look = (ms: number): void =>
        void seen.push(mayBeLive.all(of(ms)).map(({ where, lots }) => [where, lots] as const));
      look(0);
      const lag = settings.assumptions.readLagBoundMs;
      for (const [ms, ...endpoints] of reads) {
        read(lag + ms, ...endpoints);
        look(lag + ms + SECOND);
      }
    });
    return seen;
  }

  test('counts with what is left until list, trades and wallet were all asked for a lag later', () => {
    const leaving = [['leaving', 600n]] as const;
    expect(
      counted('0.004', [
        [-1, 'open-orders', 'spot-trades', 'wallet'],
        [0, 'open-orders'],
        [0, 'spot-trades'],
        [0, 'wallet'],
      ]),
    ).toEqual([leaving, leaving, leaving, leaving, []]);
  });

  test('does not count once the bot holds it for closed: others judge that proof', () => {
    played(({ mayBeLive, intent, contextIn }) => {
      const { oracle, journal } = contextIn(0);
      const order = { ...GONE, filled: decimal('0'), endedAfter: contextIn(0).now() };
      const knowing = (state: JournalIntent['state'], closedAs: JournalIntent['closedAs']): CheckContext => ({
        ...contextIn(0),
        oracle: { ...oracle, ordersOf: () => [order] } as unknown as CheckContext['oracle'],
        journal: { ...journal, intents: new Map([['9-1', { ...intent, state, closedAs }]]) },
      });
      expect(mayBeLive.all(knowing('closing', null))).toHaveLength(1);
      expect(mayBeLive.all(knowing('closed', 'canceled'))).toEqual([]);
    });
  });

  test('does not count once it has filled', () => {
    expect(counted('0.01', [])).toEqual([[]]);
  });
});
