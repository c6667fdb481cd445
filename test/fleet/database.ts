// The database of the schedules: a primary and a synchronous standby on a small disk of their own, and what can be done
// to them while everything else goes on.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Cluster, type Server, startCluster } from '../../bench/postgres-cluster.ts';
import { freePort } from '../process/free-port.ts';

const SMALL_DISK = 'size=700m,mode=755';
const [START_TRIES, START_PAUSE_MS] = [10, 500];

export interface Database {
  readonly cluster: Cluster;
  /** Whether its disk may be filled: one of its own, which only root can mount. */
  readonly isSmall: boolean;
  /** The one that is to be written: the standby once it is promoted. */
  writable(): Server;
  /** Each resolves when what it did is undone; a promotion, when the old primary has ended. */
  stopStandby(forMs: number): Promise<void>;
  freezeStandby(forMs: number): Promise<void>;
  promote(forMs: number): Promise<void>;
  killStandby(): void;
  /** Of a killed standby: a person ends a commit's wait for it, the primary dies, and it is promoted without that. */
  failover(forMs: number): Promise<void>;
  fillDisk(forMs: number): Promise<void>;
  end(): void;
}

export async function startDatabase(bin: string, template: string): Promise<Database> {
  const disk = mkdtempSync(path.join(tmpdir(), 'fleet-'));
  const isSmall = mounted(disk);
  const ports = [await freePort(), await freePort()] as const;
  const removeDisk = (): void => {
    if (isSmall) execFileSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  };
  let cluster: Cluster;
  try {
    cluster = startCluster(bin, ports, { under: disk, template });
  } catch (error) {
    removeDisk();
    throw error;
  }
  const { primary, standby } = cluster;
  const frozen = new Set<number>();
  let isPromoted = false;
  const thaw = (): void => {
    for (const pid of frozen) signal(pid, 'SIGCONT');
    frozen.clear();
  };
  // A full disk may have ended it.
  const stopPrimary = () => primary.control('-m', 'immediate', 'stop').catch(() => undefined);
  const filler = path.join(disk, 'filler');
  return {
    ...{ cluster, isSmall },
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
      if (isPromoted) return;
      await standby.control('-w', 'promote');
      isPromoted = true;
      await pause(forMs);
      await stopPrimary();
    },
    killStandby() {
      if (!isPromoted) for (const pid of standby.pids()) signal(pid, 'SIGKILL');
    },
    async failover(forMs) {
      if (isPromoted) return;
      primary.cancelWaitLater();
      await pause(forMs);
      await stopPrimary();
      await startKilled(standby);
      await standby.control('-w', 'promote');
      isPromoted = true;
    },
    async fillDisk(forMs) {
      const { bavail, bsize } = statfsSync(disk);
      await promisify(execFile)('fallocate', ['-l', String(bavail * bsize), filler]).catch(() => undefined);
      await pause(forMs);
      rmSync(filler, { force: true });
      for (const server of isPromoted ? [standby] : [primary, standby])
        if (server.pids().length === 0) await server.control('-w', 'start').catch(() => undefined);
    },
    end() {
      thaw();
      cluster.end();
      removeDisk();
    },
  };
}

/** Its memory is free only once the last of its processes has gone. */
async function startKilled(server: Server): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await server.control('-w', 'start');
    } catch (error) {
      if (tries === START_TRIES) throw error;
      await pause(START_PAUSE_MS);
    }
  }
}

function mounted(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', SMALL_DISK, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}
