// `watchdog --account`: from one more host, when the host that has the account is lost and no standby has taken over:
// sees to it that nobody writes the journal any more, cancels the orders that it names, and proves that none is left.
import path from 'node:path';
import { type DurationMs, SECOND } from '../../domain/time.ts';
import { JournalError } from '../../journal/chain.ts';
import { type Clock, realClock } from '../../ports/clock.ts';
import type { StampedVenue } from '../../watchdog/run-sweep.ts';
import { BY_WATCHDOG } from '../../watchdog/watch-state.ts';
import { EXIT, type ExitCode, StartError } from '../base/exit-codes.ts';
import { createLog, type Log } from '../base/log.ts';
import { duration } from '../base/message.ts';
import { hasCome, logSignalsTo, stopSignal } from '../base/signals.ts';
import { tellStarter } from '../base/tell-starter.ts';
import { assertFolderUsable } from '../base/usable-paths.ts';
import { watchNotices } from '../dead-man/watch-notices.ts';
import { waitingStatus } from '../fleet/fleet-status.ts';
import type { CommandIo } from '../io/command-io.ts';
import { accountLine, accountNamed } from '../keys/account-named.ts';
import { type Environment, paperKeys, readKeys } from '../keys/keys.ts';
import { openStampedVenue } from '../keys/venue-session.ts';
import { openChannels } from '../notify/channels.ts';
import { holderOf, postgresPlace } from '../postgres/journal-of.ts';
import { openAccount } from '../postgres/postgres-journal.ts';
import { type LeaseSeen, type PostgresPlace, placeText } from '../postgres/postgres-place.ts';
import { accountOrders } from '../postgres/shared-account.ts';
import type { Settings } from '../settings/types.ts';
import { translated } from '../state-folder/state-folder.ts';
import { cancelOrders } from './cancel-all-orders.ts';

const LOOK_EVERY_MS: DurationMs = SECOND;

/** Until told to stop (0), until everything is proved gone (77), or until it gives up (75). Throws `StartError`. */
export async function watchAccount(settings: Settings, io: CommandIo): Promise<ExitCode> {
  const { journal, stateFolder } = settings;
  if (journal === null)
    throw new StartError(EXIT.configurationInvalid, '--account needs a journal that hosts share: journal.kind.');
  const told = stopSignal(EXIT.unknownRemains);
  assertFolderUsable(stateFolder);
  const place = postgresPlace(journal, io.environment);
  const open = () => openAccount(place, holderOf(stateFolder), realClock);
  const account = translated(stateFolder, open, placeText(place));
  const source = settings.watchdog.keys ?? settings.keys;
  const keys = source === null ? paperKeys(stateFolder) : readKeys(source, io.environment);
  const channels = openChannels(settings, io.environment, 'watchdog');
  const terminal = { stream: process.stdout, isTerminal: io.isTerminal };
  const file = path.join(stateFolder, 'watchdog.log');
  const notices = watchNotices(settings, createLog({ level: settings.log.level, file }, terminal), channels);
  const { log } = notices;
  logSignalsTo(log);
  for (const each of [keys.key, keys.secret]) log.registerSecret(each.reveal());
  const venue = openStampedVenue(settings, keys);
  let code: ExitCode | null = null;
  try {
    code = await watch(settings, { environment: io.environment, place, account, log, told, venue });
    log.logEvent({ op: 'stopping', message: `The watchdog ends with ${code}.` });
    return code;
  } finally {
    venue.close();
    account.fleet.leave('watchdog');
    account.close();
    await notices.end(code, told);
    await log.close();
  }
}

type Account = ReturnType<typeof openAccount>;

interface Parts {
  readonly place: PostgresPlace;
  readonly environment: Environment;
  readonly account: Account;
  readonly log: Log;
  readonly told: Promise<unknown>;
  readonly venue: StampedVenue;
}

async function watch(settings: Settings, parts: Parts): Promise<ExitCode> {
  const { log, account } = parts;
  const { leaseMs, waitMs, account: name } = parts.place;
  // A standby looks once a second, waits for the answer, and takes the account within another wait.
  const graceMs = 2 * LOOK_EVERY_MS + 2 * waitMs;
  const named = accountLine(accountNamed(settings, settings.watchdog.keys ?? settings.keys));
  const after = `${duration(leaseMs + graceMs)} after a last renewal, if no standby has taken over by then`;
  log.logEvent({ op: 'started', message: `Watching the account ${name} in the database. ${named} Acts ${after}.` });
  tellStarter('ready');
  const isTold = hasCome(parts.told);
  const look = lookerAt(parts);
  const restarting = restartWatch(leaseMs, realClock);
  while (!isTold()) {
    const seen = look();
    const endless = restarting(seen);
    if (endless !== null) latchRestarting(parts, endless);
    account.fleet.report('watchdog', waitingStatus('Watching', `Acts ${after}.`));
    const reason = seen === null ? null : whyToAct(seen, graceMs);
    const code = reason === null ? null : await act(settings, parts, reason);
    if (code !== null) return code;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return EXIT.done;
}

/** Null while the database does not answer: that is no evidence about the bot. */
function lookerAt({ account, log }: Pick<Parts, 'account' | 'log'>): () => LeaseSeen | null {
  let isBlind = false;
  return () => {
    try {
      const seen = account.look();
      isBlind = false;
      return seen;
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      if (!isBlind) log.logEvent({ op: 'watching', level: 'error', message: error.message });
      isBlind = true;
      return null;
    }
  };
}

/** In so many times the lease one start must have lasted for one. */
const LEASES_OF_RESTARTS = 4;

/**
 * To be called with each look. Returns why the account is to be latched: its bot ends soon after each start, which
 * renews the lease and looks after no order. Null while nothing is to be done.
 */
export function restartWatch(leaseMs: DurationMs, { monotonic }: Pick<Clock, 'monotonic'>) {
  let [epoch, begunAt, steadyAt] = [-1, monotonic(), monotonic()];
  return (seen: LeaseSeen | null): string | null => {
    const now = monotonic();
    if (seen?.epoch !== epoch) [epoch, begunAt] = [seen?.epoch ?? -1, now];
    const isQuiet = seen === null || seen.holder === null || seen.latch !== null;
    if (isQuiet || now - begunAt >= leaseMs) steadyAt = now;
    const forMs = now - steadyAt;
    if (forMs <= LEASES_OF_RESTARTS * leaseMs) return null;
    return `${BY_WATCHDOG}${seen?.holder} has ended soon after each start, for ${duration(forMs)}.`;
  };
}

/** It is refused its next start, so that its lease runs out. */
function latchRestarting({ account, log }: Pick<Parts, 'account' | 'log'>, reason: string): void {
  try {
    account.latch(reason);
    log.logEvent({ op: 'watching', level: 'error', message: reason });
  } catch (error) {
    // The next look says it.
    if (!(error instanceof JournalError)) throw error;
  }
}

/** Also finishes what a watchdog began that ended under its latch. */
function whyToAct({ holder, leftMs, latch }: LeaseSeen, graceMs: DurationMs): string | null {
  if (holder === null) return latch?.startsWith(BY_WATCHDOG) ? latch : null;
  if (leftMs >= -graceMs) return null;
  return `${BY_WATCHDOG}${holder} has not renewed its lease, and no standby has taken over.`;
}

/** Null where the account was taken, or the database was lost, in the meantime. */
async function act(settings: Settings, parts: Parts, reason: string): Promise<ExitCode | null> {
  const { environment, account, log, venue } = parts;
  try {
    if (!account.fence(reason)) return null;
  } catch (error) {
    if (error instanceof JournalError) return null;
    throw error;
  }
  log.logEvent({ op: 'lease-expired', level: 'error', message: reason });
  // Only now: nobody adds to them any more.
  const orders = accountOrders(settings, environment);
  const read = { orders, damaged: null, exists: true };
  const isAll = settings.trader.foreignOrders === 'refuse';
  const { flat, message } = await cancelOrders(settings, venue, { read, isAll, isGone: true });
  log.logEvent({ op: flat ? 'flat' : 'gave-up', level: flat ? 'info' : 'error', message });
  return flat ? EXIT.killLatched : EXIT.unknownRemains;
}
