// Files on disk after a proof of the watchdog that must not re-arm: a person's latch, and own orders with the question
// to them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startVirtualTime, type VirtualTime } from '../../../../src/backtest/virtual-time.ts';
import { isRearmAwaited, leaveToPerson, rearmAfterProof } from '../../../../src/bot/dead-man/rearm.ts';
import type { Settings } from '../../../../src/bot/settings/types.ts';
import { killLatchOf, readKillLatch } from '../../../../src/bot/state-folder/kill-latch.ts';
import {
  forgetOwnOrders,
  ownOrdersAt,
  ownOrdersFile,
  writeOwnOrders,
} from '../../../../src/bot/state-folder/own-orders-file.ts';
import { orderId } from '../../../../src/domain/ids.ts';
import type { Completed } from '../../../../src/venue/outcomes.ts';
import { noOrders, take } from '../../../../src/watchdog/own-orders.ts';
import { runWatchdog, type WatchdogPorts } from '../../../../src/watchdog/run-watchdog.ts';
import type { SweepRequest } from '../../../../src/watchdog/sweep.ts';
import type { WatchSettings } from '../../../../src/watchdog/watch-state.ts';
import { create, order, SETTINGS } from '../../watchdog/watch-world.ts';

const START = 1_800_000_000_000;

describe('with rearm: after-proof, if an order may be the bot’s', () => {
  let time: VirtualTime;
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'after-proof-'));
    time = startVirtualTime(START);
  });
  afterEach(() => {
    time.end();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The ports of `watch-bot.ts` on a real state folder; the exchange lists only the order in question. */
  function ports(told: string[]): WatchdogPorts {
    const bot = { process: 'gone', folderHeld: false } as const;
    async function perform(request: SweepRequest): Promise<Completed> {
      const sentAt = time.clock.now();
      await time.sleep(20);
      const facts = { sentAt, receivedAt: time.clock.now(), status: 200 };
      const read = { rows: [order('7-7-7')], complete: true, sentAt, receivedAt: time.clock.now() };
      const outcome = request.kind === 'open-orders' ? { kind: 'read', read } : { kind: 'acknowledged', msg: 'ok' };
      return { kind: request.kind, request, outcome, facts } as unknown as Completed;
    }
    return {
      clock: time.clock,
      venue: { perform, close: () => {} },
      latch: killLatchOf(folder, time.clock, 'after-proof'),
      lease: () => null,
      evidence: () => {
        const { orders, damaged } = ownOrdersAt(folder, null);
        const latch = readKillLatch(folder);
        return {
          orders,
          damaged,
          latched: latch?.reason ?? null,
          mayRearm: latch?.rearm === 'after-proof',
          bot,
        };
      },
      bot: () => bot,
      signal: () => {},
      forgetOrders: () => forgetOwnOrders(ownOrdersFile(folder), time.clock),
      rearm: () => rearmAfterProof({ stateFolder: folder, mostPerDay: 3 }, time.clock.now()),
      leaveToPerson: (why) => leaveToPerson(folder, why, time.clock.now()),
      showLife: () => {},
      tell: ({ op, message }) => void told.push(`${op}: ${message}`),
      answered: () => {},
    };
  }

  const settings: WatchSettings = { ...SETTINGS, rearm: 'after-proof' };

  async function watchOnce(): Promise<string[]> {
    const told: string[] = [];
    const running = runWatchdog(settings, ports(told));
    await time.run(time.clock.now() + 300_000);
    running.stop();
    return told;
  }

  /** Its only order is gone; a person was asked about another. */
  function deadBot(): void {
    const orders = noOrders(null);
    take(orders, { kind: 'sent', intentId: 'i', create: create({ horizon: START - 100_000 }) });
    take(orders, { kind: 'named', intentId: 'i', orderId: orderId('1-1-1') });
    take(orders, { kind: 'questioned', orderId: orderId('7-7-7') });
    writeOwnOrders(ownOrdersFile(folder), orders, time.clock).close();
  }

  test('the latch is a person’s, nobody waits for a re-arm, the question stays, and no restart re-arms', async () => {
    deadBot();
    const told = await watchOnce();
    expect(told.find((line) => line.startsWith('flat'))).toMatch(
      "What is known to be the bot's is not open: proved by two complete lists",
    );
    expect(readKillLatch(folder)).not.toBeNull();
    expect(isRearmAwaited({ stateFolder: folder, watchdog: { rearm: 'after-proof' } } as Settings)).toBe(false);
    // `cancel-all` and the next watchdog still have it.
    expect([...ownOrdersAt(folder, null).orders.questioned]).toEqual(['7-7-7']);
    const later = await watchOnce();
    expect([...told, ...later].filter((line) => line.startsWith('rearmed'))).toEqual([]);
    expect(readKillLatch(folder)).not.toBeNull();
  });

  test('a restarted watchdog does not re-arm either if the file was damaged', async () => {
    deadBot();
    const file = ownOrdersFile(folder);
    const bytes = readFileSync(file);
    // One bit of the second line.
    const at = bytes.indexOf('\n') + 12;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    const account = { ...settings, sweep: { ...settings.sweep, whose: 'account' as const } };
    const told: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      const made = ports(told);
      const inner = made.venue.perform;
      const empty = async (request: SweepRequest): Promise<Completed> => {
        const completed = await inner(request);
        if (completed.kind === 'open-orders' && completed.outcome.kind === 'read')
          return {
            ...completed,
            outcome: { ...completed.outcome, read: { ...completed.outcome.read, rows: [] } },
          };
        return completed;
      };
      const running = runWatchdog(account, { ...made, venue: { perform: empty, close: () => {} } });
      await time.run(time.clock.now() + 300_000);
      running.stop();
    }
    expect(told.filter((line) => line.startsWith('rearmed'))).toEqual([]);
  });
});
