// `watchdog`: connects the watchdog to files, processes and the exchange, and turns its end into an exit code.
import path from 'node:path';
import { realClock } from '../../ports/clock.ts';
import type { KillLatch as KillLatchPort, Lease } from '../../ports/lease.ts';
import type { Completed } from '../../venue/outcomes.ts';
import { stopsAll } from '../../venue/refusals.ts';
import type { StampedVenue } from '../../watchdog/run-sweep.ts';
import { runWatchdog, type Watchdog, type WatchdogPorts } from '../../watchdog/run-watchdog.ts';
import { horizonMsOf, killBoundSentence, sharesKey, watchSettingsOf } from '../../watchdog/watch-settings.ts';
import type { BotSight, Evidence } from '../../watchdog/watch-state.ts';
import { EXIT, type ExitCode, StartError } from '../base/exit-codes.ts';
import { createLog, type Log } from '../base/log.ts';
import { signalProcess, stateOf } from '../base/process-identity.ts';
import { logSignalsTo, stopSignal } from '../base/signals.ts';
import { quietly, refusing, systemCode } from '../base/system-error.ts';
import { tellStarter } from '../base/tell-starter.ts';
import { assertFolderUsable } from '../base/usable-paths.ts';
import type { CommandIo } from '../io/command-io.ts';
import { accountLine, accountNamed } from '../keys/account-named.ts';
import { type ApiKeys, type Environment, paperKeys, readKeys } from '../keys/keys.ts';
import { openStampedVenue } from '../keys/venue-session.ts';
import { openChannels } from '../notify/channels.ts';
import { latchAccount, unlatchAccount } from '../postgres/shared-account.ts';
import type { Settings } from '../settings/types.ts';
import { killLatchOf, readKillLatch, recordProof } from '../state-folder/kill-latch.ts';
import { leaseFile, readLease, watchdogFile } from '../state-folder/lease-file.ts';
import {
  forgetOwnOrders,
  hasPlacedSince,
  namesIn,
  ownOrdersAt,
  ownOrdersFile,
  ownOrdersWrittenAt,
} from '../state-folder/own-orders-file.ts';
import { isFolderHeld } from '../state-folder/state-folder.ts';
import { leaveToPerson, rearmAfterProof } from './rearm.ts';
import { type WatchNotices, watchNotices } from './watch-notices.ts';
import { watchdogReport } from './watchdog-report.ts';

const LOG_FILE = 'watchdog.log';
/** Most re-arms in a UTC day; after that the watchdog waits for a person. */
const REARMS_PER_DAY = 3;

/**
 * Watches until told to stop (0), until everything is proved gone (77), or until it gives up (75). Throws `StartError`.
 */
export async function watchBot(settings: Settings, io: CommandIo): Promise<ExitCode> {
  const told = stopSignal(EXIT.unknownRemains);
  assertFolderUsable(settings.stateFolder);
  refuseSecond(settings.stateFolder);
  const channels = openChannels(settings, io.environment, 'watchdog');
  const source = settings.watchdog.keys ?? settings.keys;
  const keys = source === null ? null : readKeys(source, io.environment);
  const file = path.join(settings.stateFolder, LOG_FILE);
  const terminal = { stream: process.stdout, isTerminal: io.isTerminal };
  const notices = watchNotices(settings, createLog({ level: settings.log.level, file }, terminal), channels);
  const { log } = notices;
  logSignalsTo(log);
  let code: ExitCode | null = null;
  try {
    code = await watch(settings, { venue: venueOf(settings, keys, log), notices, told, environment: io.environment });
    return code;
  } finally {
    await notices.end(code, told);
    await log.close();
  }
}

type Parts = Readonly<{
  venue: StampedVenue;
  notices: WatchNotices;
  told: Promise<NodeJS.Signals>;
  environment: Environment;
}>;

async function watch(settings: Settings, { venue, notices, told, environment }: Parts): Promise<ExitCode> {
  const { log } = notices;
  const report = refusing(
    EXIT.stateUnusable,
    (code) => `The state folder ${settings.stateFolder} cannot be used (${code}).`,
    () => watchdogReport(settings, realClock, () => notices.notifier.status()),
  );
  let paperInstance: string | null = null;
  let named: ReadonlySet<string> = new Set();
  const isOvertaken = (): boolean => hasPlacedSince(settings.stateFolder, named);
  const recordAnswer = ({ kind, outcome, facts }: Completed): void => {
    paperInstance = facts.paperInstance ?? paperInstance;
    report.count(outcome.kind);
    const durationMs = facts.receivedAt - facts.sentAt;
    const detail =
      'fault' in outcome ? outcome.fault.detail : outcome.kind === 'rejected' ? `${outcome.code} ${outcome.msg}` : '';
    log.logEvent({ op: 'request', kind, outcome: outcome.kind, durationMs, ...(detail && { message: detail }) });
  };
  const eyes = eyesOf(settings, () => paperInstance);
  const ports: WatchdogPorts = {
    ...eyes,
    // It acts on the names read last.
    evidence: () => {
      named = namesIn(settings.stateFolder);
      return eyes.evidence();
    },
    clock: realClock,
    venue,
    latch: bothLatches(settings, environment, log),
    forgetOrders: () => {
      if (!isOvertaken()) forgetOrders(settings, log);
    },
    rearm: () => {
      if (isOvertaken()) return { kind: 'kept', why: 'An order was placed while the others were canceled.' };
      if (eyes.evidence().orders.open.size > 0)
        return { kind: 'kept', why: 'The file of own orders still names orders that are gone.' };
      const reason = readKillLatch(settings.stateFolder)?.reason ?? null;
      const limits = { stateFolder: settings.stateFolder, mostPerDay: REARMS_PER_DAY };
      const rearmed = rearmAfterProof(limits, realClock.now());
      if (rearmed.kind === 'kept') return rearmed;
      const why = refusalIn(() => unlatchAccount(settings, environment, reason));
      return why === null ? rearmed : { kind: 'kept', why };
    },
    leaveToPerson: (why) => leaveToPerson(settings.stateFolder, why, realClock.now()),
    // A failing disk must not keep orders on the exchange: the missing sign of life is the report.
    showLife: (state) => quietly(() => report.show(state)),
    tell: ({ level, op, message }) => log.logEvent({ op, level, message }),
    answered: recordAnswer,
  };
  const account = accountNamed(settings, settings.watchdog.keys ?? settings.keys);
  const started = `Watching ${settings.stateFolder}. ${accountLine(account)} ${killBoundSentence(settings)}`;
  log.logEvent({ op: 'started', message: started, ...account });
  const watchdog = runWatchdog(watchSettingsOf(settings), ports);
  notices.begin(watchdog.state);
  tellStarter('ready');
  const refused = sharesKey(settings) ? new Promise<never>(() => {}) : testKey(venue, log, recordAnswer);
  void told.then((signal) => stopUnlessActing(signal, watchdog, log));
  const how = await Promise.race([watchdog.ended, refused]);
  watchdog.stop();
  venue.close();
  const code = how === 'refused' ? EXIT.configurationInvalid : exitCodeOf(how, { settings, log, isOvertaken });
  quietly(() => report.end(watchdog.state(), code));
  log.logEvent({ op: 'stopping', message: `The watchdog ends with ${code}.` });
  return code;
}

/** The sentence of a `StartError`; null if there is none. */
function refusalIn(step: () => void): string | null {
  try {
    step();
    return null;
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
}

/** The state folder's latch, and the account's: no standby takes over while orders are being canceled. */
function bothLatches(settings: Settings, environment: Environment, log: Log): KillLatchPort {
  const own = killLatchOf(settings.stateFolder, realClock, settings.watchdog.rearm);
  return {
    ...own,
    set(reason) {
      own.set(reason);
      const message = latchAccount(settings, environment, reason);
      if (message !== null) log.logEvent({ op: 'latched', level: 'error', message });
    },
  };
}

type Ending = Readonly<{ settings: Settings; log: Log; isOvertaken: () => boolean }>;

/**
 * The proof holds for a bot under the latch. If a person let a bot go on in between, it must be watched again.
 * `isOvertaken`: the file of own orders names creates that were not in it when the watchdog acted.
 */
function exitCodeOf(how: boolean | null, { settings, log, isOvertaken }: Ending): ExitCode {
  if (how === null) return EXIT.done;
  if (!how) return EXIT.unknownRemains;
  // The latch may have been removed and set again.
  if (readKillLatch(settings.stateFolder) !== null && !isOvertaken()) return EXIT.killLatched;
  const message =
    'The kill latch was taken off while orders were being canceled: a bot may have placed others, and nobody ' +
    'watches it. Start the watchdog again.';
  log.logEvent({ op: 'rearmed', level: 'error', message });
  return EXIT.unknownRemains;
}

/** Once it acts, it finishes: a second signal ends it at once. */
function stopUnlessActing(signal: string, watchdog: Watchdog, log: Log): void {
  if (watchdog.state().kill === null) return watchdog.stop();
  const message = `${signal}: orders are being canceled, that is finished first. A second signal ends at once.`;
  log.logEvent({ op: 'told-to-stop', level: 'warn', message });
}

/**
 * Tests a key of its own early, because finding it refused during an emergency would be too late. Resolves only if it
 * is refused. A shared key is tested by the bot, which uses it all the time and has the whole rate budget.
 */
async function testKey(venue: StampedVenue, log: Log, recordAnswer: (answer: Completed) => void): Promise<'refused'> {
  const completed = await venue.perform({ kind: 'open-orders' });
  recordAnswer(completed);
  const { outcome } = completed;
  if (outcome.kind === 'rejected' && stopsAll(outcome.refusal)) {
    const message = `The exchange refuses the key of the watchdog: ${outcome.code} ${outcome.msg}`;
    log.logEvent({ op: 'key-refused', level: 'fatal', message });
    return 'refused';
  }
  return new Promise(() => {});
}

function eyesOf(settings: Settings, paperInstance: () => string | null) {
  const { stateFolder } = settings;
  const lease = (): Lease | null => readLease(leaseFile(stateFolder));
  const bot = (): BotSight => {
    const found = lease();
    return { process: found === null ? 'unknown' : stateOf(found.process), folderHeld: isFolderHeld(stateFolder) };
  };
  const evidence = (): Evidence => {
    const { orders, damaged, exists } = ownOrdersAt(stateFolder, paperInstance());
    const writtenAt = ownOrdersWrittenAt(stateFolder);
    orders.horizon = Math.max(orders.horizon, writtenAt + horizonMsOf(settings));
    const found = lease();
    const isMissing = !exists && found !== null && !found.ended && found.cycles > 0;
    const missing = isMissing ? `The file of own orders ${ownOrdersFile(stateFolder)} is not there.` : null;
    const latch = readKillLatch(stateFolder);
    const mayRearm = latch?.rearm === 'after-proof';
    return { orders, damaged: damaged ?? missing, latched: latch?.reason ?? null, mayRearm, bot: bot() };
  };
  const signal = (name: 'SIGTERM' | 'SIGKILL'): void => {
    const found = lease();
    if (found !== null) signalProcess(found.process, name);
  };
  return { lease, bot, evidence, signal };
}

/** Only under the latch: without it, a bot may have started and opened the file. */
function forgetOrders({ stateFolder }: Settings, log: Log): void {
  if (readKillLatch(stateFolder) === null) return;
  try {
    const { questioned } = forgetOwnOrders(ownOrdersFile(stateFolder), realClock);
    if (questioned.size === 0) recordProof(stateFolder, 'watchdog', realClock.now());
  } catch (error) {
    const code = systemCode(error);
    const message = `The file of own orders cannot be written (${code}): it still names orders that are gone.`;
    log.logEvent({ op: 'state-folder', level: 'error', message });
  }
}

function refuseSecond(stateFolder: string): void {
  const other = readLease(watchdogFile(stateFolder));
  if (other === null || other.ended || stateOf(other.process) !== 'running') return;
  const sentence = `Another watchdog (process ${other.process.pid}) watches ${stateFolder} already.`;
  throw new StartError(EXIT.stateUnusable, sentence);
}

/**
 * `keys`: null for those of a paper exchange, which the bot or the exchange makes. They are there once there is
 * something to cancel.
 */
function venueOf(settings: Settings, keys: ApiKeys | null, log: Log): StampedVenue {
  const open = (used: ApiKeys): StampedVenue => {
    for (const each of [used.key, used.secret]) log.registerSecret(each.reveal());
    return openStampedVenue(settings, used);
  };
  let venue = keys === null ? null : open(keys);
  return {
    perform: async (request) => {
      venue ??= open(paperKeys(settings.stateFolder));
      return venue.perform(request);
    },
    close: () => venue?.close(),
  };
}
