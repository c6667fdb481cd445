// What the timelines do not meet: a new process with the numbers of the old one, and from when on the bot's orders are
// canceled.
import { describe, expect, test } from '@jest/globals';
import { orderId } from '../../../../src/domain/ids.ts';
import type { Lease } from '../../../../src/ports/lease.ts';
import { noOrders, take } from '../../../../src/watchdog/own-orders.ts';
import { apply, startWatch } from '../../../../src/watchdog/watch.ts';
import type { KillState, Turn, WatchState } from '../../../../src/watchdog/watch-state.ts';
import { create, SETTINGS } from '../watch-world.ts';

const WALL = 1_800_000_000_000;
const at = (mono: number) => ({ wall: WALL + mono, mono });

const leaseOf = (changes: Partial<Lease> = {}): Lease => ({
  ...{ seq: 1, cycles: 1, at: WALL, ended: false, process: { pid: 100, startedAt: '1', bootId: 'boot' } },
  ...changes,
});

test.each([
  ['another process', { pid: 101, startedAt: '1', bootId: 'boot' }],
  ['the same number, born later', { pid: 100, startedAt: '2', bootId: 'boot' }],
])('a sign of life is that of %s, with the same count', (_what, process) => {
  const state: WatchState = { ...startWatch(SETTINGS, at(0)), phase: 'watching', lease: leaseOf(), lookedAt: 900 };
  const input = { kind: 'look', lease: leaseOf({ process }) } as const;
  expect(apply(state, input, at(1_000)).state.beatAt).toBe(1_000);
});

const TERM_AT = 50_000;

/** The bot is seen to be gone: its orders are canceled. */
function seenGone(kill: Partial<KillState>): Turn {
  const orders = noOrders(null);
  take(orders, { kind: 'sent', intentId: 'i', create: create({ horizon: WALL - 100_000 }) });
  take(orders, { kind: 'named', intentId: 'i', orderId: orderId('1-1-1') });
  const begun: KillState = {
    ...{ reason: 'Silence.', orders, damaged: null, actedAt: 45_000, isLatched: true, latchTriedAt: 45_000 },
    ...{ end: { termAt: TERM_AT, killedAt: null, isGone: false }, sweep: null, ...kill },
  };
  const state: WatchState = { ...startWatch(SETTINGS, at(0)), phase: 'ending', kill: begun };
  return apply(state, { kind: 'bot', bot: { process: 'gone', folderHeld: false } }, at(TERM_AT));
}

const said = ({ effects }: Turn): string =>
  effects.map((effect) => (effect.kind === 'tell' ? effect.message : '')).join('\n');

describe('orders are canceled again', () => {
  test.each([
    ['at once where the last horizon passed a minute ago', -60_001, null, '0.0 s'],
    ['after it where it passed less than a minute ago by one of two clocks', -60_000, null, '14.0 s'],
    ['after it where the file is damaged, whatever it says', -100_000, 'Line 3 is damaged.', '14.0 s'],
  ])('%s', (_what, horizon, damaged, wait) => {
    const orders = noOrders(null);
    orders.horizon = WALL + TERM_AT + horizon;
    expect(said(seenGone({ orders, damaged }))).toContain(`again in ${wait}, after`);
  });
});
