import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { applyCommand, createEngine, reader, snapshot } from '../../../src/matching/engine.ts';
import type { EngineSettings, EngineTrade, Lots, Ticks } from '../../../src/matching/types.ts';
import { BTC_INR, engineWith, expectScript, PLAIN } from './engine-script.ts';

const FEES = { makerFeeRatio: decimal('0.01'), takerFeeRatio: decimal('0.02'), tdsRatio: decimal('0.1') };

describe('locks', () => {
  test('the fee part of a lock is rounded up to the unit', () =>
    expectScript(
      engineWith({ makerFeeRatio: decimal('0.001') }),
      `
      dan opens limited   → -
      dan gets 102 INR    → -
      dan buys 1 @ 101    → accepted 1-1-1
      balance dan INR     → 0 free, 102 locked
      dan buys 1 @ 1      → refused insufficient-funds
    `,
    ));
});

describe('credits', () => {
  test('take no more than is free, except from unlimited accounts', () =>
    expectScript(
      engineWith(),
      `
      dan opens limited   → -
      dan gets 100 INR    → -
      dan buys 1 @ 60     → accepted 1-1-1
      dan gets -41 INR    → refused insufficient-funds
      dan gets -40 INR    → -
      dan opens unlimited → -                        # opening twice changes nothing
      dan gets -1 INR     → refused insufficient-funds
      balance dan INR     → 0 free, 60 locked
      ann gets -41 INR    → -
      balance ann INR     → -41 free, 0 locked
      zoe gets 1 INR      → refused unknown-account
    `,
    ));
});

test('a refused credit leaves no trace', () => {
  const state = engineWith();
  expectScript(state, 'dan opens limited → -');
  const before = snapshot(state);
  expectScript(state, 'dan gets -1 XRP → refused insufficient-funds');
  expect(snapshot(state)).toEqual(before);
});

describe('fees and tax', () => {
  const rounded: [EngineSettings['rounding'], number, bigint][] = [
    ['floor', 149, 1n],
    ['half-up', 149, 1n],
    ['floor', 150, 1n],
    ['half-up', 150, 2n],
    ['floor', 199, 1n],
    ['half-up', 199, 2n],
    ['floor', 200, 2n],
    ['half-up', 200, 2n],
  ];
  test.each(rounded)('1 %% rounded %s of %d is %d, for fee and tax alike', (rounding, price, expected) => {
    const ratio = decimal('0.01');
    const state = engineWith({ rounding, makerFeeRatio: ratio, takerFeeRatio: ratio, tdsRatio: ratio });
    expect(tradeAt(state, price)).toMatchObject({
      notional: BigInt(price),
      makerFee: { asset: 'INR', amount: expected },
      takerFee: { asset: 'INR', amount: expected },
      tds: expected,
    });
  });

  test('the notional is exact beyond 2^53', () => {
    const state = engineWith();
    const largest = Number.MAX_SAFE_INTEGER;
    const create = { kind: 'create', symbol: 'BTC/INR', price: largest as Ticks, quantity: largest as Lots } as const;
    applyCommand(state, { ...create, account: 'ann', side: 'sell' }, 1);
    applyCommand(state, { ...create, account: 'bob', side: 'buy' }, 1);
    expect(reader(state).lastTrade('BTC/INR')?.notional).toBe(BigInt(largest) ** 2n);
  });

  test('units follow tick, lot and the decimals of the assets', () => {
    const instrument = { ...BTC_INR, tickSize: decimal('0.01'), lotSize: decimal('0.00001') };
    const state = createEngine({ ...PLAIN, ...FEES, instruments: [instrument], assetDecimals: 8 });
    for (const account of ['ann', 'bob']) applyCommand(state, { kind: 'open-account', account, unlimited: true }, 0);
    // 3 lots at 5,000,000.01 are 150.0000003 INR; the fees 1 % and 2 % of it, half up at 8 decimals.
    const trade = tradeAt(state, 500_000_001, 3);
    expect(trade).toMatchObject({ notional: 15_000_000_030n, makerFee: { amount: 150_000_000n } });
    expect(trade).toMatchObject({ takerFee: { amount: 300_000_001n }, tds: 1_500_000_003n });
    expect(reader(state).balance('bob', 'BTC')).toEqual({ free: 3_000n, locked: 0n });
  });

  test('a fee without cover is cut to nothing, never below zero', () =>
    expectScript(
      engineWith({ makerFeeRatio: decimal('0.005') }),
      `
      dan opens limited   → -
      dan gets 201 INR    → -
      dan buys 2 @ 100    → accepted 1-1-1
      bob sells 1 @ 100   → accepted 1-2-1 | trade 1 @ 100 dan 1-1-1 bob 1-2-1
      balance dan INR     → 0 free, 101 locked     # the unit of rounding is still needed by the rest, so no fee
      balance fees INR    → 0 free, 0 locked
      bob sells 1 @ 100   → accepted 1-3-1 | trade 1 @ 100 dan 1-1-1 bob 1-3-1
      balance dan INR     → 0 free, 0 locked
      balance fees INR    → 1 free, 0 locked
    `,
    ));
});

function tradeAt(state: ReturnType<typeof engineWith>, price: number, quantity = 1): EngineTrade | undefined {
  const create = { kind: 'create', symbol: 'BTC/INR', price: price as Ticks, quantity: quantity as Lots } as const;
  applyCommand(state, { ...create, account: 'ann', side: 'sell' }, 1);
  applyCommand(state, { ...create, account: 'bob', side: 'buy' }, 1);
  return reader(state).lastTrade('BTC/INR');
}
