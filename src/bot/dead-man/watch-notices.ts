// Notices of the watchdog: that the bot is gone or silent, and what became of its orders; it also sends what the bot
// left unsent. A live bot sends everything else itself.
import { type DurationMs, HOUR, SECOND } from '../../domain/time.ts';
import { realClock } from '../../ports/clock.ts';
import type { WatchState } from '../../watchdog/watch-state.ts';
import { EXIT, type ExitCode } from '../base/exit-codes.ts';
import type { Log } from '../base/log.ts';
import { stateOf } from '../base/process-identity.ts';
import { hasCome } from '../base/signals.ts';
import type { Channels } from '../notify/channels.ts';
import { listenTo, type Notifier, type OpTraits, type Told } from '../notify/notifier.ts';
import { outboxFile } from '../notify/outbox.ts';
import type { Settings } from '../settings/types.ts';
import { leaseFile, readLease, watchdogFile } from '../state-folder/lease-file.ts';
import { isFolderHeld } from '../state-folder/state-folder.ts';

const LOOK_MS: DurationMs = SECOND;
const LAST_MESSAGES_MS: DurationMs = 3 * SECOND;
/** Nothing restarts it after 77 and 78: it stays this long to send what a channel does not accept yet. */
const STAYS_MS: DurationMs = HOUR;

export type WatchNotices = ReturnType<typeof watchNotices>;

export function watchNotices(settings: Settings, plain: Log, channels: Channels) {
  const { notify, stateFolder } = settings;
  let state: (() => WatchState) | null = null;
  const traits = ({ op }: Told): OpTraits => traitsOf(op, () => state?.() ?? null);
  const { notifier, log } = listenTo(plain, settings, { process: 'watchdog', channels, traits });
  const look = lookAfterBot(settings, notifier);
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    /** Events logged here are sent as notices, too. */
    log,
    notifier,
    /** Starts checking; `of` returns the watchdog's state. */
    begin(of: () => WatchState): void {
      state = of;
      if (notify !== null) timer = setInterval(look, LOOK_MS);
      timer?.unref();
    },
    /** Sends the rest. `told` resolves when somebody wants the process to end. */
    async end(code: ExitCode | null, told: Promise<unknown>): Promise<void> {
      const isLast = code === EXIT.killLatched || code === EXIT.configurationInvalid;
      if (isLast && notify !== null && state !== null) await stay(notifier, told, stateFolder);
      clearInterval(timer);
      await notifier.close(LAST_MESSAGES_MS);
    },
  };
}

/** Reported by the bot, which is alive then, or of no interest to people. */
const NEVER: readonly string[] = ['request', 'exchange-silent', 'exchange-answers', 'latched'];

function traitsOf(op: string, state: () => WatchState | null): OpTraits {
  const botLives = (): boolean => {
    const { lived = false, kill = null } = state() ?? {};
    return lived && kill === null;
  };
  if (NEVER.includes(op)) return { severity: null };
  switch (op) {
    case 'lease-expired':
      return { isOver: botLives };
    // No error in the log, but whoever was paged for the silence must learn how it ended.
    case 'flat':
    case 'rearmed':
      return { severity: 'page' };
    case 'bot-gone':
      return { severity: 'page', isOver: botLives };
    case 'log-not-reopened':
      return { severity: 'warn' };
    default:
      return {};
  }
}

/** Once the bot is gone, sends what it left. */
function lookAfterBot({ stateFolder }: Settings, notifier: Notifier): () => void {
  let hasInherited = false;
  let seq: number | undefined;
  return () => {
    const lease = readLease(leaseFile(stateFolder));
    // If the lease is renewed, the process table need not be checked.
    const isRenewed = lease !== null && lease.seq !== seq;
    seq = lease?.seq;
    if (isRenewed || (lease !== null && stateOf(lease.process) === 'running')) hasInherited = false;
    // A bot that starts holds the folder, and sends its own.
    else if (!hasInherited && !isFolderHeld(stateFolder)) {
      notifier.inherit(outboxFile(stateFolder, 'bot'));
      hasInherited = true;
    }
  };
}

/** Until everything is sent, somebody wants it to end, or another watchdog has started. */
async function stay(notifier: Notifier, told: Promise<unknown>, stateFolder: string): Promise<void> {
  const isTold = hasCome(told);
  const isReplaced = (): boolean => {
    const watchdog = readLease(watchdogFile(stateFolder));
    return watchdog !== null && watchdog.process.pid !== process.pid;
  };
  // The ended bot may have left messages; they are checked for once a second.
  const from = realClock.monotonic();
  const isDone = (): boolean => notifier.isDrained() && realClock.monotonic() - from > 2 * LOOK_MS;
  while (!isTold() && !isDone() && !isReplaced() && realClock.monotonic() - from < STAYS_MS)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS / 4));
}
