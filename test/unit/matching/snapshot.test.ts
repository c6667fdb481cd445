import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import {
  applyCommand,
  type EngineSnapshot,
  type EngineState,
  reader,
  restore,
  snapshot,
  validateState,
} from '../../../src/matching/engine.ts';
import type { EngineSettings } from '../../../src/matching/types.ts';
import { answer, engineWith, expectScript, PLAIN } from './engine-script.ts';

const SETTINGS: Partial<EngineSettings> = {
  makerFeeRatio: decimal('0.01'),
  takerFeeRatio: decimal('0.02'),
  tdsRatio: decimal('0.01'),
  selfTrade: 'cancel-resting',
  firstOrderNumber: 2n ** 60n,
  firstTradeNumber: 2n ** 70n,
};

const PAST = [
  'dan opens limited',
  'dan gets 100000000000000000000 INR',
  'ann sells 5 @ 101',
  'bob sells 5 @ 101',
  'ann sells 5 @ 102',
  'dan buys 7 @ 101',
  'dan buys 9 @ 100',
  'cat buys 9 ETH/INR @ 100',
  `bob reduces 1-${2n ** 60n + 1n}-1 by 1`,
  'cat buys 4 @ 100',
  'ann numbers',
  'bob sells 1 @ 102',
  `ann sells 3 @ 102 as 1-${2n ** 60n + 7n}-1`,
];
const FUTURE = [
  'dan sells 1 @ 100',
  'cat sells 3 @ 100',
  'dan buys 6 @ 103',
  'queue sell 101',
  'queue sell 102',
  'queue buy 100',
  'orders dan',
  'cat cancels all',
  'ann buys 7 @ 105',
  'balance dan INR',
  'balance fees INR',
  'balance tax INR',
];

const play = (state: EngineState, lines: readonly string[]): string[] =>
  lines.map((line, at) => answer(state, line, at));
const settings: EngineSettings = { ...PLAIN, ...SETTINGS };

describe('snapshot and restore', () => {
  // Cut before every line: what follows must not notice.
  test.each([...PAST, ...FUTURE].map((_, cut) => cut))('an engine restored before line %d goes on the same', (cut) => {
    const lines = [...PAST, ...FUTURE];
    const original = engineWith(SETTINGS);
    play(original, lines.slice(0, cut));
    const restored = restore(settings, snapshot(original));
    expect(snapshot(restored)).toEqual(snapshot(original));
    expect(play(restored, lines.slice(cut))).toEqual(play(original, lines.slice(cut)));
    expect(snapshot(restored)).toEqual(snapshot(original));
    expect(reader(restored).lastTrade('BTC/INR')).toEqual(reader(original).lastTrade('BTC/INR'));
  });

  test('an order with an older id than its rank keeps both', () => {
    const state = engineWith(SETTINGS);
    expect(play(state, PAST).at(-1)).toBe(`accepted 1-${2n ** 60n + 7n}-1`);
    const restored = restore(settings, snapshot(state));
    expect(answer(restored, 'queue sell 102', 0)).toMatch(
      new RegExp(`1-${2n ** 60n + 8n}-1:1 1-${2n ** 60n + 7n}-1:3$`),
    );
    expect(answer(restored, `ann cancels 1-${2n ** 60n + 7n}-1`, 0)).toContain('with 3');
  });

  test('a snapshot stays as it was', () => {
    const state = engineWith(SETTINGS);
    play(state, PAST);
    const saved = snapshot(state);
    const copy = structuredClone(saved);
    play(state, FUTURE);
    expect(saved).toEqual(copy);
    expect(saved.lastTrades).toMatchObject([{ tradeId: `${2n ** 70n + 1n}`, notional: 202n }]);
  });

  test.each<[string, (saved: EngineSnapshot) => EngineSnapshot, Partial<EngineSettings>]>([
    ['reserve', (saved) => saved, { makerFeeRatio: decimal('0.5') }],
    [
      "The snapshot knows ETH/INR, the settings don't",
      (saved) => saved,
      { instruments: PLAIN.instruments.slice(0, 1) },
    ],
    ['belongs to cat, which is no account', (saved) => ({ ...saved, accounts: [] }), {}],
    ['were credited', (saved) => ({ ...saved, credited: new Map() }), {}],
    ['the next being 0', (saved) => ({ ...saved, nextOrder: 0 }), {}],
    ['younger', (saved) => ({ ...saved, orders: [...saved.orders].reverse() }), {}],
    [
      '7 is no order id',
      (saved) => ({ ...saved, orders: saved.orders.map((order) => ({ ...order, orderId: '7' })) }),
      {},
    ],
  ])('what does not fit is a bug: %s', (message, damage, overrides) => {
    const state = engineWith(SETTINGS);
    play(state, ['cat buys 9 ETH/INR @ 100', 'cat buys 9 ETH/INR @ 100', 'cat gets 5 INR']);
    const damaged = damage(snapshot(state));
    expect(() => restore({ ...settings, ...overrides }, damaged)).toThrow(message);
  });
});

describe('validateState finds', () => {
  const damages: [string, (state: EngineState) => void][] = [
    ['units of INR; 500 were credited', (state) => Object.assign(holding(state, 'dan', 'INR'), { free: 401n })],
    ['dan has -1 BTC units free', (state) => Object.assign(holding(state, 'dan', 'BTC'), { free: -1n })],
    [
      'dan has 99 INR units locked; its orders reserve 100',
      (state) => Object.assign(holding(state, 'dan', 'INR'), { locked: 99n }),
    ],
    ['must lock 100', (state) => firstOrder(state, (order) => Object.assign(order.info, { locked: 99n }))],
    ['locks 100 and must lock 200', (state) => firstOrder(state, (order) => doubled(order))],
    ['is not among those of dan', (state) => state.accounts.get('dan')?.orders.clear()],
    ['The books hold 1 orders, the index 2', (state) => firstOrder(state, (order) => state.orders.set(7, order))],
    ['lots left of 1', (state) => firstOrder(state, (order) => applyQuantity(order))],
  ];

  const holding = (state: EngineState, account: string, asset: string): object =>
    state.accounts.get(account)?.holdings.get(asset) ?? {};
  type Order = EngineState['orders'] extends Map<number, infer Live> ? Live : never;
  const firstOrder = (state: EngineState, damage: (order: Order) => void): void => {
    for (const order of [...state.orders.values()]) damage(order);
  };
  const doubled = (order: Order): void => {
    order.remaining *= 2;
    if (order.level !== null) order.level.quantity *= 2;
    Object.assign(order.info, { quantity: order.remaining });
  };
  const applyQuantity = (order: Order): void => {
    order.remaining *= 2;
    if (order.level !== null) order.level.quantity *= 2;
  };

  test.each(damages)('%s', (message, damage) => {
    const state = engineWith();
    expectScript(
      state,
      `
      dan opens limited   → -
      dan gets 500 INR    → -
      dan gets 0 BTC      → -
      dan buys 1 @ 100    → accepted 1-1-1
    `,
    );
    damage(state);
    expect(() => validateState(state)).toThrow(message);
  });

  test('an order whose owner is no account', () => {
    const state = engineWith();
    applyCommand(state, { kind: 'open-account', account: 'dan', unlimited: true }, 0);
    answer(state, 'dan buys 1 @ 100', 1);
    state.accounts.delete('dan');
    expect(() => validateState(state)).toThrow('Order 1-1-1 is not among those of dan.');
  });
});
