// What `plan` says of moves.
import { expect, test } from '@jest/globals';
import { movesLine, plannedMoves } from '../../../src/bot/show/planned-moves.ts';
import { deskSettings } from '../trader/desk-settings.ts';

const lineFor = (volatilityBpsPerSqrtSecond: number): string => {
  const [run] = deskSettings({ refresh: { priceToleranceBps: 10, refreshMs: 15_000 } }).runs;
  if (run === undefined) throw new Error('The desk has one run.');
  const guard = { ...run.quoting.guard, volatilityBpsPerSqrtSecond };
  return movesLine(plannedMoves({ ...run, quoting: { ...run.quoting, guard } }, { orders: 4, requestsPerSecond: 0.4 }));
};

test('how often, in which market, and what of the lane that takes', () => {
  expect(lineFor(3)).toBe(
    'moves: each order about 162 times an hour, where the price goes 3 bps per √s (as configured): 1296 requests, ' +
      '90 % of the private lane',
  );
});

test('that the market is assumed where the configuration does not name it', () => {
  expect(lineFor(0)).toBe(
    'moves: each order about 72 times an hour, where the price goes 2 bps per √s (assumed: ' +
      'quoting.guard.volatilityBpsPerSqrtSecond is not set): 576 requests, 40 % of the private lane',
  );
});
