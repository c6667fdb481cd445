import { expect, test } from '@jest/globals';
import { stopBoundMs } from '../../../../src/trader/observe/stopping.ts';
import { BTC, deskSettings, ETH } from '../desk-settings.ts';

/** An order on each side, ten requests a second, an answer within ten seconds. */
const bound = (settings: Parameters<typeof deskSettings>[0] = {}, requestsPerSecond?: number): number =>
  stopBoundMs({
    trader: deskSettings({ limits: { maxOpenOrders: 4 }, ...settings }),
    deadlineMs: 10_000,
    ...(requestsPerSecond !== undefined && { requestsPerSecond }),
  });

// 10,000 for the answer, 2,500 + 1,000 + 2,000 for the horizon, twice the lag of 5,000, and 5,000 of slack.
const WAITS_MS = 30_500;

test.each<[string, Parameters<typeof deskSettings>[0], number | undefined, number]>([
  ['four cancels, four reads and three more at the pace of the lane', {}, undefined, 1_100],
  ['the same at the pace that was learned', {}, 2, 5_500],
  ['at the configured pace where the learned one is quicker', {}, 20, 1_100],
  ['a fence as well, where the account is the bot’s alone', { foreignOrders: 'refuse' }, undefined, 1_200],
  ['the orders and reads of each symbol', { symbols: [BTC, ETH] }, undefined, 1_900],
])('a verified stop may take as long as all waits one after the other, and %s', (_, settings, pace, atPaceMs) => {
  expect(bound(settings, pace)).toBe(WAITS_MS + atPaceMs);
});

test.each([
  ['recvWindowMs', 1],
  ['venueInternalLagMs', 1],
  ['maxClockUncertaintyMs', 1],
  ['readLagBoundMs', 2],
] as const)('a millisecond more of %s makes it longer by %i', (name, by) => {
  const { assumptions } = deskSettings();
  expect(bound({ assumptions: { [name]: assumptions[name] + 1 } }) - bound()).toBe(by);
});

test('it is a whole number of milliseconds, rounded up', () => {
  expect(bound({}, 3)).toBe(WAITS_MS + Math.ceil(11_000 / 3));
});
