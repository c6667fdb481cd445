// Opens the exchange that was stopped, or a new one where there is none to go on with.

import type { Logger } from 'pino';
import type { Clock } from '../../ports/clock.ts';
import { realRandom } from '../../ports/real-random.ts';
import { hasEnded } from '../engine/crowd-end.ts';
import { type ExchangeSnapshot, restore } from '../engine/snapshot.ts';
import { createExchange } from '../exchange.ts';
import { giveBackKeys } from '../state/keys.ts';
import type { PaperSettings } from '../state/settings.ts';
import type { ExchangeState } from '../state/state.ts';
import { readState, setAside } from './state-file.ts';

/** Why the paper exchange could not start, as a sentence for whoever started it. */
export class PaperStartError extends Error {
  override readonly name: string = 'PaperStartError';
}

/** The same, where it is the state file that can't be had. */
export class PaperStateError extends PaperStartError {
  override readonly name = 'PaperStateError';
}

export interface StartOptions {
  readonly settings: Omit<PaperSettings, 'instanceId'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly stateFile: string | null;
}

export interface Started {
  readonly state: ExchangeState;
  /** Whether it is the exchange that was stopped: accounts that it has keep what they had. */
  readonly goesOn: boolean;
}

/**
 * With a file left in good order the same exchange goes on, under its name. Without one a new exchange starts. A file
 * that can't be gone on with is set aside, a new exchange starts under a new name, and the log says why and where.
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
  // Orders and balances are gone with the old exchange. Whoever was given a key still has it.
  giveBackKeys(started.state, stored.keys);
  return started;
}

/** The exchange of the snapshot, or why it can't go on. */
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
