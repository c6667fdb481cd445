// `plan` and `check` about moves.
import { expect, test } from '@jest/globals';
import { movesLine, type PlannedMoves, plannedMoves, roomSentence } from '../../../src/bot/show/planned-orders.ts';
import { deskSettings } from '../trader/desk-settings.ts';

function movesFor(volatilityBpsPerSqrtSecond: number): PlannedMoves {
  const [run] = deskSettings({ refresh: { priceToleranceBps: 10, refreshMs: 15_000 } }).runs;
  if (run === undefined) throw new Error('The desk has one run.');
  const guard = { ...run.quoting.guard, volatilityBpsPerSqrtSecond };
  const room = { moves: 4, limit: 'That is the limit.' };
  const told = { orders: 4, requestsPerSecond: 0.4, room, withinMs: 150_000 };
  return plannedMoves({ ...run, quoting: { ...run.quoting, guard } }, told);
}

test('how often, in which market, and which share of the lane that takes', () => {
  expect(movesLine(movesFor(3))).toBe(
    'moves: each order about 162 times an hour, where the price goes 3 bps per √s (as configured): 1296 requests, ' +
      '90 % of the private lane',
  );
});

test('that the market is assumed if the configuration does not name it', () => {
  expect(movesLine(movesFor(0))).toBe(
    'moves: each order about 72 times an hour, where the price goes 2 bps per √s (assumed: ' +
      'quoting.guard.volatilityBpsPerSqrtSecond is not set): 576 requests, 40 % of the private lane',
  );
});

test('how many fit, in which time, what ends it, and how many are expected then', () => {
  const { room, ...market } = movesFor(3);
  expect(room && roomSentence(room, market)).toBe(
    'Moves with room: 4 in 150 s, while canceled orders count. Beyond that a level waits: That is the limit. ' +
      'Expected: 27, where the price goes 3 bps per √s (as configured).',
  );
});
