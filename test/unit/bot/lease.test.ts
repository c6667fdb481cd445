// Signs of life as files, identities of processes, and the bot's view of its watchdog.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { identityOf, signalProcess, stateOf } from '../../../src/bot/base/process-identity.ts';
import { watchdogSight } from '../../../src/bot/dead-man/dead-man-switch.ts';
import type { WatchTerms } from '../../../src/bot/dead-man/watchdog-report.ts';
import { leaseFile, openLease, readLease, watchdogFile } from '../../../src/bot/state-folder/lease-file.ts';
import { isFolderHeld, takeStateFolder } from '../../../src/bot/state-folder/state-folder.ts';

let folder = '';
let now = 1_000;
const clock = { now: () => now, monotonic: () => now };

beforeEach(() => {
  now = 1_000;
  folder = mkdtempSync(path.join(tmpdir(), 'lease-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a lease', () => {
  test('begins without a cycle, rises with each, and ends with a word', () => {
    const file = leaseFile(folder);
    const lease = openLease(file, clock);
    expect(readLease(file)).toMatchObject({ seq: 1, cycles: 0, ended: false, process: { pid: process.pid } });
    expect(lease.renewedAt()).toBe(null);
    now += 500;
    lease.renew({ phase: 'watching' });
    expect(readLease(file)).toMatchObject({ seq: 2, cycles: 1, at: 1_500, ended: false });
    expect(lease.renewedAt()).toBe(1_500);
    lease.end();
    expect(readLease(file)).toMatchObject({ seq: 3, ended: true });
  });

  test('that is withheld says why, is no renewal, keeps its other fields, and continues when it is renewed', () => {
    const file = leaseFile(folder);
    const lease = openLease(file, clock);
    lease.renew({ pace: { intervalMs: 250, pausedUntil: null } });
    now += 500;
    lease.withhold('The key is refused.');
    const pace = { intervalMs: 250, pausedUntil: null };
    expect(readLease(file)).toMatchObject({ seq: 2, cycles: 1, at: 1_000, pace, withheld: 'The key is refused.' });
    lease.renew();
    expect(readLease(file)).toMatchObject({ seq: 3, cycles: 2 });
    expect(readLease(file)?.withheld).toBeUndefined();
  });

  test('continues to count where the one before it stopped', () => {
    const file = leaseFile(folder);
    openLease(file, clock).renew();
    openLease(file, clock);
    expect(readLease(file)).toMatchObject({ seq: 3, cycles: 0 });
  });

  test.each(['', '{', '{"seq":1}', '{"seq":-1,"cycles":0,"at":0,"process":{"pid":1},"ended":false}'])(
    'of %j is none',
    (text) => {
      writeFileSync(leaseFile(folder), text);
      expect(readLease(leaseFile(folder))).toBe(null);
    },
  );
});

describe('a process', () => {
  test('is itself, and no other with its pid', () => {
    const self = identityOf(process.pid);
    expect(stateOf(self)).toBe('running');
    expect(stateOf({ ...self, startedAt: 'yesterday' })).toBe('gone');
    if (self.bootId !== null) expect(stateOf({ ...self, bootId: 'another boot' })).toBe('gone');
  });

  test('that was killed is gone, even before its parent has reaped it', async () => {
    const child = spawn('sleep', ['60']);
    const identity = identityOf(child.pid ?? 0);
    expect(stateOf(identity)).toBe('running');
    expect(signalProcess({ ...identity, startedAt: 'yesterday' }, 'SIGKILL')).toBe(false);
    expect(stateOf(identity)).toBe('running');
    expect(signalProcess(identity, 'SIGKILL')).toBe(true);
    while (stateOf(identity) !== 'gone') await new Promise((go) => setTimeout(go, 10));
    expect(signalProcess(identity, 'SIGTERM')).toBe(false);
  });
});

describe('the state folder', () => {
  test('is held while the journal is open, which can be seen without disturbing its holder', () => {
    expect(isFolderHeld(folder)).toBe(false);
    const journal = takeStateFolder(folder);
    // Even within one process, another connection requests the lock.
    expect(isFolderHeld(folder)).toBe(true);
    journal.assertInPlace();
    journal.close();
    expect(isFolderHeld(folder)).toBe(false);
    takeStateFolder(folder).close();
  });
});

describe('the bot’s view of its watchdog', () => {
  const PATIENCE_MS = 2_000;
  const TERMS: WatchTerms = {
    ...{ exchange: 'https://x.example', whose: 'own', rearm: 'by-person', horizonMs: 1, readLagBoundMs: 1 },
  };

  test('an old file is no sign of life; one that changes is, until it stops changing', () => {
    const life = openLease(watchdogFile(folder), clock);
    const sight = watchdogSight({ stateFolder: folder, terms: TERMS, patienceMs: PATIENCE_MS, clock });
    expect([sight.look(), sight.isAlive()]).toEqual([false, false]);
    life.renew();
    expect([sight.look(), sight.isAlive()]).toEqual([true, true]);
    now += PATIENCE_MS;
    expect([sight.look(), sight.isAlive()]).toEqual([false, true]);
    now += 1;
    expect([sight.look(), sight.isAlive()]).toEqual([true, false]);
    life.renew();
    expect([sight.look(), sight.isAlive()]).toEqual([true, true]);
  });

  test('one with another configuration does not count until it is restarted with this one', () => {
    const life = openLease(watchdogFile(folder), clock);
    const sight = watchdogSight({ stateFolder: folder, terms: TERMS, patienceMs: PATIENCE_MS, clock });
    const terms = { ...TERMS, whose: 'account' };
    life.renew({ terms });
    expect([sight.look(), sight.isAlive()]).toEqual([true, false]);
    expect(sight.other()).toContain('another configuration (account.foreignOrders)');
    life.renew({ terms });
    expect([sight.look(), sight.isAlive()]).toEqual([false, false]);
    openLease(watchdogFile(folder), clock).renew({ terms: TERMS });
    expect([sight.look(), sight.isAlive(), sight.other()]).toEqual([true, true, null]);
    now += PATIENCE_MS + 1;
    life.renew({ terms, ended: true });
    expect([sight.look(), sight.isAlive(), sight.other()]).toEqual([true, false, null]);
  });

  test('one that has ended counts as dead at once', () => {
    const life = openLease(watchdogFile(folder), clock);
    const sight = watchdogSight({ stateFolder: folder, terms: TERMS, patienceMs: PATIENCE_MS, clock });
    life.renew();
    sight.look();
    life.end();
    expect([sight.look(), sight.isAlive()]).toEqual([true, false]);
  });
});
