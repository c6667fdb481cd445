// Opens the stopped exchange, or a new one if it can't be resumed.
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Logger } from 'pino';
import type { Clock } from '../../ports/clock.ts';
import { realRandom } from '../../ports/random.ts';
import { hasEnded } from '../engine/advance.ts';
import { type ExchangeSnapshot, restore, snapshot } from '../engine/snapshot.ts';
import { createExchange } from '../exchange.ts';
import { giveBackKeys, type PaperSettings } from '../state/settings.ts';
import type { ExchangeState } from '../state/state.ts';
import { PaperStateError, readState, setAside, systemCodeOf, writeState } from './state-file.ts';

interface StartOptions {
  readonly settings: Omit<PaperSettings, 'instanceId'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly stateFile: string | null;
}

interface Started {
  readonly state: ExchangeState;
  /** Whether it resumes the stopped exchange: its accounts keep what they had. */
  readonly goesOn: boolean;
}

/**
 * If the file was left in good order, resumes that exchange under its name. Without a file a new exchange starts. A
 * file that can't be resumed is set aside, a new exchange starts under a new name, and the log says why and where the
 * file is.
 */
export async function startExchange({ settings, clock, log, stateFile }: StartOptions): Promise<Started> {
  const fresh = (): Started => ({
    state: createExchange({ ...settings, instanceId: newInstanceId() }, clock.now()),
    goesOn: false,
  });
  if (stateFile === null) return fresh();
  const stored = await readState(stateFile);
  if (stored.kind === 'none') return fresh();
  const resumed = stored.kind === 'clean' ? resume(settings, stored.snapshot, clock.now()) : stored.reason;
  if (typeof resumed !== 'string') return { state: resumed, goesOn: true };
  const aside = await setAside(stateFile).catch(() => null);
  if (aside === null) throw new PaperStateError(`The state file ${stateFile} can't be moved aside.`);
  log.warn({ aside }, `The paper exchange starts anew: ${resumed} The old file is kept as ${aside}.`);
  const started = fresh();
  // Orders and balances are gone with the old exchange, but the keys it gave out stay valid.
  giveBackKeys(started.state, stored.keys);
  return started;
}

/** The exchange of the snapshot, or why it can't be resumed. */
function resume(
  settings: Omit<PaperSettings, 'instanceId'>,
  saved: ExchangeSnapshot,
  now: number,
): ExchangeState | string {
  try {
    const restored = restore({ ...settings, instanceId: saved.instanceId }, saved, now);
    if (!restored.ok) return restored.error;
    return hasEnded(restored.value) ? 'Its recording had ended.' : restored.value;
  } catch {
    return 'The state contradicts itself.';
  }
}

function newInstanceId(): string {
  return `paper-${Math.floor(realRandom.next() * 2 ** 47).toString(36)}`;
}

export interface StateKeeper {
  /** Stores the present state; resolves when it is on the disk, or storing has failed. */
  store(): Promise<void>;
  /** Stores the state a last time; `clean` allows the exchange to resume from it. */
  close(clean: boolean): Promise<void>;
}

/**
 * Stores at once, so that the next start notices if this exchange is killed. Only a stopped exchange resumes, so in
 * between only the keys it made need to be on disk.
 */
export async function keepState(
  current: () => ExchangeState,
  { stateFile, log }: Pick<StartOptions, 'stateFile' | 'log'>,
): Promise<StateKeeper> {
  if (stateFile === null) return { store: async () => {}, close: async () => {} };
  const write = (clean: boolean): Promise<void> => writeState(stateFile, snapshot(current()), clean);
  const sentence = `The state file ${stateFile} can't be written.`;
  await write(false).catch(() => {
    throw new PaperStateError(sentence);
  });
  let writing: Promise<void> = Promise.resolve();
  // Two at once would write into one file.
  const store = (clean: boolean): Promise<void> => {
    writing = writing.then(() => write(clean)).catch(() => log.error(sentence));
    return writing;
  };
  return { store: () => store(false), close: store };
}

// Two exchanges with one state file would overwrite each other: a system lock, which ends with its process.

/** Readable by its owner only. Not opened if it exists: closing it would release a lock of this process. */
function makeOwn(lockFile: string): void {
  try {
    closeSync(openSync(lockFile, 'ax', 0o600));
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error;
  }
}

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;

function isHeld(error: unknown): boolean {
  const known = typeof error === 'object' && error !== null && 'errcode' in error && typeof error.errcode === 'number';
  const code = known ? Number(error.errcode) & 0xff : 0;
  return code === SQLITE_BUSY || code === SQLITE_LOCKED;
}

/**
 * Takes the lock file, creating it if needed; returns its release. Throws `PaperStateError` where another exchange has
 * the state file, where its folder is not writable, and where the file is not a lock.
 */
export function holdStateFile(stateFile: string | null): () => void {
  if (stateFile === null) return () => {};
  const lockFile = `${stateFile}.lock`;
  let file: DatabaseSync | null = null;
  try {
    makeOwn(lockFile);
    file = new DatabaseSync(lockFile, { timeout: 0 });
    // Nothing is ever written into it: a journal file next to it would only be litter.
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    // A read-only file opens like any other and locks nobody out. This write, never committed, detects it.
    file.exec('PRAGMA user_version = 1');
    return () => file?.close();
  } catch (error) {
    file?.close();
    if (isHeld(error)) throw new PaperStateError(`The state file ${stateFile} is in use by another exchange.`);
    throw new PaperStateError(
      `The state file ${stateFile} can't be held: ${lockFile} can't be written, or is no lock.`,
    );
  }
}
