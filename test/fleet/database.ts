// The database of the schedules: a primary and a synchronous standby on a small disk of their own, and what can be done
// to them while everything else goes on.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Cluster, type Server, startCluster } from '../../bench/postgres-cluster.ts';
import { freePort } from '../process/free-port.ts';

const SMALL_DISK = 'size=700m,mode=755';

export interface Database {
  readonly cluster: Cluster;
  /** The one that is to be written: the standby once it is promoted. */
  writable(): Server;
  /** Each resolves when what it did is undone; a promotion, when the old primary has ended. */
  stopStandby(forMs: number): Promise<void>;
  freezeStandby(forMs: number): Promise<void>;
  promote(forMs: number): Promise<void>;
  fillDisk(forMs: number): Promise<void>;
  /** What was ended by a full disk runs again. */
  revive(): Promise<void>;
  end(): void;
}

/** Whether a disk can be mounted. */
export function canMount(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), 'fleet-'));
  try {
    mount(folder, 'size=1m');
    unmount(folder);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
}

const mount = (folder: string, options: string): void => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
};
const unmount = (folder: string): void => void execFileSync('umount', ['-l', folder], { stdio: 'ignore' });

/** `onSmallDisk`: else beside the other temporary files, and `fillDisk` must not be called. */
export async function startDatabase(bin: string, onSmallDisk: boolean): Promise<Database> {
  const disk = mkdtempSync(path.join(tmpdir(), 'fleet-'));
  if (onSmallDisk) mount(disk, SMALL_DISK);
  const cluster = startCluster(bin, [await freePort(), await freePort()], disk);
  const { primary, standby } = cluster;
  const frozen = new Set<number>();
  let isPromoted = false;
  const thaw = (): void => {
    for (const pid of frozen) signal(pid, 'SIGCONT');
    frozen.clear();
  };
  const filler = path.join(disk, 'filler');
  return {
    cluster,
    writable: () => (isPromoted ? standby : primary),
    async stopStandby(forMs) {
      if (isPromoted) return;
      await standby.control('-m', 'immediate', 'stop');
      await pause(forMs);
      await standby.control('-w', 'start');
    },
    async freezeStandby(forMs) {
      if (isPromoted) return;
      for (const pid of standby.pids()) frozen.add(pid);
      for (const pid of frozen) signal(pid, 'SIGSTOP');
      await pause(forMs);
      thaw();
    },
    async promote(forMs) {
      await standby.control('-w', 'promote');
      isPromoted = true;
      await pause(forMs);
      await primary.control('-m', 'immediate', 'stop');
    },
    async fillDisk(forMs) {
      const { bavail, bsize } = statfsSync(disk);
      await promisify(execFile)('fallocate', ['-l', String(bavail * bsize), filler]).catch(() => undefined);
      await pause(forMs);
      rmSync(filler, { force: true });
    },
    async revive() {
      for (const server of isPromoted ? [standby] : [primary, standby])
        if (server.pids().length === 0) await server.control('-w', 'start').catch(() => undefined);
    },
    end() {
      thaw();
      cluster.end();
      if (onSmallDisk) unmount(disk);
      rmSync(disk, { recursive: true, force: true });
    },
  };
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}
