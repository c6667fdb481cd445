// Processes by the folder in which they were started.
import { existsSync, readdirSync, readlinkSync } from 'node:fs';

const HAS_PROC = existsSync('/proc/self/cwd');

/** What was started there and left its group: the exchange, or a bot behind a terminal. */
export function pidsIn(folder: string): number[] {
  if (!HAS_PROC) return [];
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => runsIn(pid, folder));
}

/**
 * Whether the process lives and was started in `folder`: its number may belong to another by now. Without /proc the
 * number is believed.
 */
export function runsIn(pid: number, folder: string): boolean {
  try {
    if (HAS_PROC) return readlinkSync(`/proc/${pid}/cwd`) === folder;
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
