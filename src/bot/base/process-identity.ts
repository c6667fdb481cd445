// Identifies a process unmistakably and tells whether it still runs.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ProcessIdentity, ProcessState } from '../../ports/lease.ts';
import { systemCode } from './system-error.ts';

/** Field 22 of /proc/<pid>/stat, counted after the name, which may hold spaces and brackets. */
const START_FIELD_AFTER_NAME = 19;

export function identityOf(pid: number): ProcessIdentity {
  return { pid, startedAt: lookUp(pid)?.startedAt ?? null, bootId: bootId() };
}

export function stateOf(identity: ProcessIdentity): ProcessState {
  if (identity.bootId !== null && identity.bootId !== bootId()) return 'gone';
  if (!exists(identity.pid)) return 'gone';
  const found = lookUp(identity.pid);
  if (found === null || identity.startedAt === null) return 'unknown';
  return found.isOver || found.startedAt !== identity.startedAt ? 'gone' : 'running';
}

/** Signals only this very process; returns false if it is gone, uncertain, or not ours to signal. */
export function signalProcess(identity: ProcessIdentity, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  if (identity.pid <= 1 || identity.pid === process.pid || stateOf(identity) !== 'running') return false;
  try {
    return process.kill(identity.pid, signal);
  } catch {
    return false;
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists, but belongs to somebody else.
    return systemCode(error) === 'EPERM';
  }
}

interface Found {
  readonly startedAt: string;
  /** A zombie: ended but not yet reaped by its parent, so its locks are free. */
  readonly isOver: boolean;
}

function lookUp(pid: number): Found | null {
  return process.platform === 'linux' ? lookUpInProc(pid) : lookUpByPs(pid);
}

function lookUpInProc(pid: number): Found | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state = '', ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const startedAt = fields[START_FIELD_AFTER_NAME - 1];
    return startedAt === undefined ? null : { startedAt, isOver: state === 'Z' || state === 'X' };
  } catch {
    return null;
  }
}

function lookUpByPs(pid: number): Found | null {
  const { status, stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' });
  const [, state, startedAt] = /^(\S+)\s+(.+?)\s*$/.exec(stdout ?? '') ?? [];
  return status === 0 && state && startedAt ? { startedAt, isOver: state.startsWith('Z') } : null;
}

let knownBootId: string | null | undefined;

function bootId(): string | null {
  if (knownBootId === undefined) {
    try {
      knownBootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    } catch {
      knownBootId = null;
    }
  }
  return knownBootId;
}
