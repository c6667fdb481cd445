// A difference is told once the lists that may explain it were read: not while they are.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import type { Asset } from '../../../src/domain/instrument.ts';
import { BTC, deskSettings, ETH } from './desk-settings.ts';
import { account, crypto, fiat, move } from './money-kit.ts';
import { type Desk, deskWith, makeReady, ops, quotingDesk, rejected } from './trader-kit.ts';

/** A desk with this lag bound, and so many private requests a second. */
function pacedDesk(readLagBoundMs: number, pace: number, symbols: readonly string[]): Desk {
  const desk = deskWith(
    deskSettings({
      symbols,
      assumptions: { readLagBoundMs, resolutionDeadlineMs: 300_000 },
      requestsPerSecond: { public: 10, private: pace },
    }),
  );
  for (const symbol of symbols) {
    desk.shows.balances[symbol.split('/')[0] ?? ''] ??= decimal(10);
    desk.shows.books[symbol] ??= [9_900, 10_100];
  }
  makeReady(desk);
  desk.run(100_000, 1_000 / pace);
  return desk;
}

/** A deposit of three of a coin. */
function deposit(desk: Desk, asset: Asset): void {
  crypto(desk, { asset, transactionHash: null });
  move(desk, asset, '3');
}

test('no deposit is reported as a difference before its list was read, even past the lag bound', () => {
  const desk = pacedDesk(1_000, 5, [BTC]);
  deposit(desk, 'BTC');
  desk.run(5 * 60_000, 200);
  expect(account(desk, 'BTC', 'external:deposit')).toBe('-3');
  expect(ops(desk)).not.toContain('difference');
});

test('nor of two of them on a slow lane', () => {
  const desk = pacedDesk(30_000, 0.5, [BTC, ETH, 'SOL/INR', 'ADA/INR', 'XRP/INR']);
  deposit(desk, 'BTC');
  fiat(desk);
  move(desk, 'INR', '5000');
  desk.run(10 * 60_000, 2_000);
  expect(account(desk, 'INR', 'external:deposit')).toBe('-5000');
  expect(ops(desk)).not.toContain('difference');
});

test('a loss is reported in time, even if no list can be read', () => {
  const desk = quotingDesk();
  const lost = { kind: 'failed', fault: { sent: true, reason: 'timeout', detail: 'Slow.' } } as const;
  desk.reply = ({ kind }) => (/deposits|withdrawals|sbs/.test(kind) ? lost : undefined);
  move(desk, 'INR', '-500');
  desk.run(20_000);
  expect(ops(desk)).not.toContain('difference');
  desk.run(17_000);
  expect(ops(desk)).toContain('difference');
  expect(ops(desk)).not.toContain('difference-unjudged');
});

test('and soon if they are refused', () => {
  const desk = quotingDesk();
  desk.reply = ({ kind }) => (/deposits|withdrawals|sbs/.test(kind) ? rejected(-1121) : undefined);
  move(desk, 'INR', '-500');
  desk.run(15_000);
  expect(ops(desk)).toContain('difference');
});
