// A row of own trades that comes late, below the cursor, is looked for soon, whatever else trades meanwhile.
import { describe, expect, test } from '@jest/globals';
import { decimal, ZERO } from '../../../../src/domain/decimal.ts';
import type { Fill } from '../../../../src/domain/fill.ts';
import { orderId } from '../../../../src/domain/ids.ts';
import { MINUTE, SECOND } from '../../../../src/domain/time.ts';
import { takeSnapshot } from '../../../../src/trader/status/snapshot.ts';
import { BTC, deskSettings, ETH } from '../desk-settings.ts';
import { type Desk, fillOf, moveWallet, ops, quotingDesk } from '../trader-kit.ts';

const LAG_BOUND_MS = MINUTE;
/** How often something else trades. */
const EVERY_MS = 3 * SECOND;

/** Two markets with a lag bound of a minute, and no regular scan for late rows in the time that a test takes. */
function desk(): Desk {
  const { polling } = deskSettings();
  return quotingDesk(
    deskSettings({
      symbols: [BTC, ETH],
      polling: { ...polling, tradesRescanMs: 60 * MINUTE },
      assumptions: { readLagBoundMs: LAG_BOUND_MS },
      ageLimits: { ...deskSettings().ageLimits, reconciledMs: 10 * MINUTE },
      limits: { repeatedFillsNotional: '100000000' },
    }),
  );
}

const bought = (at: Desk, symbol: string, quantity = '0.001'): Fill =>
  fillOf({ symbol, side: 'buy', price: decimal(9_950), quantity: decimal(quantity) }, orderId('1-5-1'), {
    at: at.now(),
  });

function happens(at: Desk, fill: Fill): void {
  at.shows.fills.push(fill);
  moveWallet(at.shows, fill);
}

/** A purchase in ETH/INR whose row comes after that of the next one; `trades` go on in these markets all the while. */
function missing(at: Desk, trades: readonly string[], shownAfterMs: number): Fill {
  const late = bought(at, ETH, '0.013');
  moveWallet(at.shows, late);
  at.run(100);
  happens(at, bought(at, ETH));
  for (let passed = 0; passed < shownAfterMs; passed += EVERY_MS) tradeOn(at, trades, passed);
  at.shows.fills.unshift(late);
  return late;
}

function tradeOn(at: Desk, trades: readonly string[], passed: number): void {
  const symbol = trades[(passed / EVERY_MS) % trades.length];
  if (symbol !== undefined) happens(at, bought(at, symbol));
  at.run(EVERY_MS);
}

/** Milliseconds until the row is booked, while trades go on. */
function bookedAfter(at: Desk, late: Fill, trades: readonly string[]): number {
  const from = at.now();
  const isBooked = (): boolean =>
    at.events.some(({ type, payload }) => type === 'fill' && payload.fill.tradeId === late.tradeId);
  for (let passed = 0; !isBooked() && passed < 5 * MINUTE; passed += EVERY_MS) tradeOn(at, trades, passed);
  return at.now() - from;
}

describe('a late row is booked within the lag bound', () => {
  test.each([
    ['nothing else trades', []],
    ['another market of the same quote asset trades', [BTC]],
    ['its own market trades', [ETH]],
    ['both trade', [BTC, ETH]],
  ])('while %s', (_name, trades) => {
    const at = desk();
    const late = missing(at, trades, 6 * SECOND);
    expect(bookedAfter(at, late, trades)).toBeLessThanOrEqual(LAG_BOUND_MS);
    expect(ops(at)).not.toContain('difference');
  });

  test('even if it comes after the first scan', () => {
    const at = desk();
    const late = missing(at, [BTC, ETH], LAG_BOUND_MS - 2 * EVERY_MS);
    expect(bookedAfter(at, late, [BTC, ETH])).toBeLessThanOrEqual(LAG_BOUND_MS);
    expect(ops(at)).not.toContain('difference');
  });
});

test('a difference in one asset is reported after the lag bound while another market trades', () => {
  const at = desk();
  const from = at.now();
  at.shows.balances.ETH = (at.shows.balances.ETH ?? ZERO).add('0.5');
  for (let passed = 0; passed < LAG_BOUND_MS / 2; passed += EVERY_MS) tradeOn(at, [BTC], passed);
  const eth = takeSnapshot(at.state(), at.now()).assets.find(({ asset }) => asset === 'ETH');
  expect(eth).toMatchObject({ difference: '0.5', differsSince: expect.any(Number), differenceStands: false });
  expect((eth?.differsSince ?? 0) - from).toBeLessThanOrEqual(2 * EVERY_MS);
  for (let passed = 0; passed < LAG_BOUND_MS; passed += EVERY_MS) tradeOn(at, [BTC], passed);
  expect(ops(at)).toContain('difference');
});
