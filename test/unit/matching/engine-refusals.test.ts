import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { applyCommand, createEngine, reader, snapshot } from '../../../src/matching/engine.ts';
import type { EngineCommand, EngineSettings, Lots, Ticks } from '../../../src/matching/types.ts';
import { BTC_INR, engineWith, expectScript, PLAIN } from './engine-script.ts';

type Create = Extract<EngineCommand, { kind: 'create' }>;

describe('a create is refused for the first reason that applies', () => {
  // dan is poor, has an order on the other side, and the exchange takes neither crossing nor self-trades. Each row
  // mends the reason of the row before.
  const settings: Partial<EngineSettings> = {
    selfTrade: 'reject',
    crossing: 'rejected',
    instruments: [{ ...BTC_INR, minNotional: decimal(1_000) }],
  };
  const worst: Create = {
    kind: 'create',
    account: 'zoe',
    symbol: 'XRP/INR',
    side: 'buy',
    price: 0 as Ticks,
    quantity: 0 as Lots,
  };
  const rows: [string, Partial<Create>][] = [
    ['unknown-account', {}],
    ['unknown-symbol', { account: 'dan' }],
    ['invalid-price', { symbol: 'BTC/INR' }],
    ['invalid-quantity', { price: 100 as Ticks }],
    ['below-min-notional', { quantity: 9 as Lots }],
    ['would-cross', { quantity: 10 as Lots }],
    ['self-trade', { immediateOrCancel: true }],
    ['insufficient-funds', { immediateOrCancel: false, price: 99 as Ticks, quantity: 11 as Lots }],
  ];
  const mended = rows.map(([reason], index): [string, Create] => [
    reason,
    Object.assign({}, worst, ...rows.slice(0, index + 1).map(([, change]) => change)),
  ]);

  test.each(mended)('%s', (reason, command) => {
    const state = engineWith(settings);
    expectScript(
      state,
      `
      dan opens limited     → -
      dan gets 10 BTC       → -
      dan sells 10 @ 100    → accepted 1-1-1
    `,
    );
    const before = snapshot(state);
    const { events } = applyCommand(state, command, 5);
    expect(events).toEqual([{ kind: 'refused', reason, detail: expect.stringMatching(/^[A-Za-z].*\.$/) }]);
    expect(snapshot(state)).toEqual(before);
  });
});

describe('numbers', () => {
  const bad = [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53];
  const create = { kind: 'create', account: 'ann', symbol: 'BTC/INR', side: 'buy' } as const;

  test.each(bad)('a price of %d ticks is invalid', (price) => {
    const { events } = applyCommand(engineWith(), { ...create, price: price as Ticks, quantity: 1 as Lots }, 1);
    expect(events).toMatchObject([{ kind: 'refused', reason: 'invalid-price' }]);
  });

  test.each(bad)('a quantity of %d lots is invalid', (quantity) => {
    const { events } = applyCommand(engineWith(), { ...create, price: 1 as Ticks, quantity: quantity as Lots }, 1);
    expect(events).toMatchObject([{ kind: 'refused', reason: 'invalid-quantity' }]);
  });

  test('the quantities at one price may not add up past 2^53', () =>
    expectScript(
      engineWith(),
      `
      ann buys 9007199254740990 @ 100   → accepted 1-1-1
      bob buys 2 @ 100                  → refused invalid-quantity
      bob buys 1 @ 100                  → accepted 1-2-1
      bob buys 2 @ 99                   → accepted 1-3-1
    `,
    ));

  test('the least notional is rounded up where it is finer than a unit', () =>
    expectScript(
      engineWith({ instruments: [{ ...BTC_INR, minNotional: decimal('99.5') }] }),
      `
      eve opens limited   → -
      eve gets 1000 INR   → -
      eve buys 1 @ 99     → refused below-min-notional
      eve buys 1 @ 100    → accepted 1-1-1
    `,
    ));

  test('no least notional binds an unlimited account: a recorded crowd trades what it traded', () =>
    expectScript(
      engineWith({ instruments: [{ ...BTC_INR, minNotional: decimal('99.5') }] }),
      `
      ann buys 1 @ 99     → accepted 1-1-1
    `,
    ));
});

describe('self-trade', () => {
  test('reject: looks exactly as far as the order would match', () =>
    expectScript(
      engineWith({ selfTrade: 'reject' }),
      `
      bob sells 3 @ 100     → accepted 1-1-1
      bob sells 2 @ 101     → accepted 1-2-1
      ann sells 5 @ 101     → accepted 1-3-1
      ann buys 6 @ 101      → refused self-trade
      ann buys 5 @ 102      → accepted 1-4-1 | trade 3 @ 100 bob 1-1-1 ann 1-4-1 | trade 2 @ 101 bob 1-2-1 ann 1-4-1
      ann buys 1 @ 101      → refused self-trade
      ann buys 9 @ 100      → accepted 1-5-1
      ann sells 1 @ 100     → refused self-trade
      cat sells 2 @ 100     → accepted 1-6-1 | trade 2 @ 100 ann 1-5-1 cat 1-6-1
    `,
    ));

  test('cancel-resting: funds that the cancel would free do not count', () =>
    expectScript(
      engineWith({ selfTrade: 'cancel-resting' }),
      `
      dan opens limited     → -
      dan gets 100 INR      → -
      dan gets 1 BTC        → -
      dan buys 1 @ 100      → accepted 1-1-1
      dan sells 2 @ 100     → refused insufficient-funds
      dan sells 1 @ 100     → accepted 1-2-1 | canceled 1-1-1 with 1
      balance dan INR       → 100 free, 0 locked
      balance dan BTC       → 0 free, 1 locked
    `,
    ));
});

describe('settings that contradict themselves are bugs', () => {
  const rows: [string, Partial<EngineSettings>][] = [
    ['Tick × lot of BTC/INR, 0.1, is finer', { instruments: [{ ...BTC_INR, tickSize: decimal('0.1') }] }],
    [
      'The lot of BTC/INR, 0.5, is finer',
      { instruments: [{ ...BTC_INR, tickSize: decimal(2), lotSize: decimal('0.5') }] },
    ],
    ['The tick size of BTC/INR is 0', { instruments: [{ ...BTC_INR, tickSize: decimal(0) }] }],
    ['listed twice', { instruments: [BTC_INR, BTC_INR] }],
    ['trades BTC for itself', { instruments: [{ ...BTC_INR, quote: 'BTC' }] }],
    ['The tds ratio is 1.1', { tdsRatio: decimal('1.1') }],
    ['The maker fee ratio is -0.1', { makerFeeRatio: decimal('-0.1') }],
    ["can't have 8.5 decimals", { assetDecimals: 8.5 }],
    ['a number is negative', { firstOrderNumber: -1n }],
  ];
  test.each(rows)('%s', (message, overrides) => {
    expect(() => createEngine({ ...PLAIN, ...overrides })).toThrow(message);
  });

  test('internal accounts exist from the start and belong to nobody', () => {
    const state = engineWith();
    expect(reader(state).balance('fees', 'INR')).toEqual({ free: 0n, locked: 0n });
    expectScript(state, 'tax buys 1 @ 1 → refused unknown-account');
  });
});
