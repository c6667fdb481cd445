// The bot's side of the dead man's switch: its lease, the file of its own orders, and the check of latch and watchdog
// before each create.
import type { DurationMs } from '../../domain/time.ts';
import { latchedTransport } from '../../loop/latched-transport.ts';
import { leaseKeeper } from '../../loop/lease-keeper.ts';
import type { PrivatePass } from '../../loop/loop.ts';
import type { Trading } from '../../loop/start-trading.ts';
import type { Clock } from '../../ports/clock.ts';
import type { JournalStorage } from '../../ports/journal-storage.ts';
import type { Transport } from '../../ports/transport.ts';
import type { LeaseWriter } from '../../watchdog/lease-writer.ts';
import { sharesKey } from '../../watchdog/watch-settings.ts';
import { EXIT } from '../base/exit-codes.ts';
import type { Log } from '../base/log.ts';
import { readStateJson } from '../base/private-file.ts';
import { quietly, refusing, systemCode } from '../base/system-error.ts';
import { tellStarter } from '../base/tell-starter.ts';
import type { Settings } from '../settings/types.ts';
import { latchSentence, readKillLatch } from '../state-folder/kill-latch.ts';
import { leaseFile, openLease, readLease, watchdogFile } from '../state-folder/lease-file.ts';
import { keepOwnOrders, type OwnOrdersKeeper, ownOrdersFile } from '../state-folder/own-orders-file.ts';
import { otherTerms, shownTerms, type WatchTerms, watchTermsOf } from './watchdog-report.ts';

const LOOK_EVERY_MS: DurationMs = 500;
export const AWAITED = 'Waiting for a sign of life of the watchdog; until then nothing is quoted.';
/** More text may follow. */
export const NO_WATCHDOG = 'No watchdog shows that it lives, and the configuration requires one (watchdog.mode).';

/** Status for the page and the metrics. */
export interface DeadManStatus {
  /** When the lease was last renewed; null before the first sign of progress. */
  readonly leaseRenewedAt: number | null;
  /** `not-asked` if the configuration requires none. */
  readonly watchdog: 'alive' | 'missing' | 'not-asked';
  readonly watchdogSeenAt: number | null;
}

export type DeadManSwitch = ReturnType<typeof deadManSwitch>;

export interface DeadManParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly paperInstance: string | null;
}

/** Throws `StartError` (73) if the state folder can't be used. */
export function deadManSwitch(settings: Settings, parts: DeadManParts) {
  const { clock, log, paperInstance } = parts;
  const { stateFolder, watchdog } = settings;
  const isRequired = watchdog.mode === 'required';
  const patienceMs = Math.max(2_000, 4 * watchdog.lookEveryMs);
  const sight = watchdogSight({ stateFolder, terms: watchTermsOf(settings), patienceMs, clock });
  const own = keepOwnOrders(ownOrdersFile(stateFolder), paperInstance, clock);
  const file = leaseFile(stateFolder);
  const unwritable = (code: string): string => `The lease ${file} cannot be written (${code}).`;
  const lease = refusing(EXIT.stateUnusable, unwritable, () => openLease(file, clock));
  const keepLease = keeperOf(settings, parts, { own, lease });
  let trading: Trading | null = null;
  let isBroken = false;
  let isStarterTold = false;
  let looking: ReturnType<typeof setInterval> | undefined;

  function forbids(): string | null {
    const latch = readKillLatch(stateFolder);
    if (latch !== null) return latchSentence(latch);
    return isRequired && !sight.isAlive() ? noWatchdog(sight) : null;
  }

  function lookAtWatchdog(): void {
    if (trading === null) return;
    // Process managers that start processes in sequence wait for this word: the awaited watchdog may be next.
    if (!isStarterTold && isAwaitedAlone(trading.loop.snapshot().blockers)) {
      isStarterTold = true;
      tellStarter('ready');
    }
    if (!sight.look()) return;
    const message = sight.isAlive() ? 'A watchdog shows that it lives.' : noWatchdog(sight);
    log.logEvent(sight.isAlive() ? { op: 'watchdog', message } : { op: 'watchdog-missing', level: 'error', message });
    trading.loop.tell(sight.isAlive() ? { kind: 'resume' } : { kind: 'pause', reason: message });
  }

  return {
    transport: (inner: Transport): Transport => latchedTransport(inner, forbids, clock),
    storage: (inner: JournalStorage): JournalStorage => own.over(inner),
    /** The loop is running: starts recording own orders and checking the watchdog. */
    begin(running: Trading): void {
      trading = running;
      const orders = ownOrdersFile(stateFolder);
      const refusal = (code: string): string => `The file of own orders ${orders} cannot be written (${code}).`;
      refusing(EXIT.diskError, refusal, () => own.begin(running.loop.state().durable));
      if (!isRequired) return;
      running.loop.tell({ kind: 'pause', reason: AWAITED });
      log.logEvent({ op: 'watchdog', message: AWAITED });
      looking = setInterval(lookAtWatchdog, Math.min(LOOK_EVERY_MS, watchdog.lookEveryMs));
    },
    /** The loop has processed the private lane. */
    passed(pass: PrivatePass): void {
      if (!isBroken && trading !== null) keepLease(pass, trading);
    },
    /** Nothing is sent any more: lets the lease run out. */
    broken: (): void => {
      isBroken = true;
    },
    /** The bot ends with all orders proved gone. A lease that can't be ended runs out; the watchdog finds nothing. */
    endedFlat: (): void => quietly(() => lease.end()),
    status: (): DeadManStatus => ({
      leaseRenewedAt: lease.renewedAt(),
      watchdog: isRequired ? (sight.isAlive() ? 'alive' : 'missing') : 'not-asked',
      watchdogSeenAt: sight.seenAt(),
    }),
    close(): void {
      clearInterval(looking);
      own.close();
    },
  };
}

const noWatchdog = (sight: WatchdogSight): string =>
  [NO_WATCHDOG, sight.other()].filter((each) => each !== null).join(' ');

type Kept = Readonly<{ own: OwnOrdersKeeper; lease: LeaseWriter }>;

/** Renews the lease while the bot makes progress; otherwise the log and the lease say why not. */
const keeperOf = (settings: Settings, { clock, log }: DeadManParts, { own, lease }: Kept) =>
  leaseKeeper({
    clock,
    ttlMs: settings.watchdog.ttlMs,
    deadlineMs: settings.venue.timeoutMs,
    sharesKey: sharesKey(settings),
    agree: (state) => own.agree(state),
    renew: (renewal) => lease.renew(renewal),
    withhold(why) {
      const message = `The lease is not renewed: a watchdog will end the bot. ${why}`;
      log.logEvent({ op: 'lease-failed', level: 'error', message });
      // If it can't be written, the watchdog only lacks the reason.
      quietly(() => lease.withhold(why));
    },
    failed(error) {
      const message = `The lease cannot be renewed (${systemCode(error)}): a watchdog will end the bot.`;
      log.logEvent({ op: 'lease-failed', level: 'error', message });
    },
  });

/** Only the watchdog is still missing. */
const isAwaitedAlone = (blockers: readonly string[]): boolean =>
  blockers.length > 0 && blockers.every((reason) => reason === AWAITED || reason.startsWith(NO_WATCHDOG));

// The bot's view of the watchdog: whether its sign of life changes, and whether it uses the same configuration. A file
// left from before is no sign of life.

export type WatchdogSight = ReturnType<typeof watchdogSight>;

type SightParts = Readonly<{ stateFolder: string; terms: WatchTerms; patienceMs: DurationMs; clock: Clock }>;

/** `terms`: the bot's own. `patienceMs`: the watchdog counts as dead after this long without a change. */
export function watchdogSight({ stateFolder, terms, patienceMs, clock }: SightParts) {
  const file = watchdogFile(stateFolder);
  let last = readLease(file)?.seq ?? null;
  let changedAt: number | null = null;
  let seenAt: number | null = null;
  let lives = false;
  let other: string | null = null;
  return {
    /** As of the last look: alive, with the same terms as the bot. */
    isAlive: (): boolean => lives && other === null,
    /** One sentence on how a live watchdog's terms differ; null if they don't. */
    other: (): string | null => other,
    /** When the last sign of life was seen, by the bot's clock; null before the first. */
    seenAt: (): number | null => seenAt,
    /** Reads the sign of life; returns true if an answer changed. */
    look(): boolean {
      const lease = readLease(file);
      if (lease !== null && lease.seq !== last) {
        last = lease.seq;
        changedAt = lease.ended ? null : clock.monotonic();
        seenAt = clock.now();
      }
      const before = { lives, other };
      lives = changedAt !== null && clock.monotonic() - changedAt <= patienceMs;
      other = lives ? otherWords(file, terms) : null;
      return lives !== before.lives || other !== before.other;
    },
  };
}

function otherWords(file: string, terms: WatchTerms): string | null {
  const differ = otherTerms(readStateJson('sign of life', file, shownTerms)?.terms, terms);
  if (differ.length === 0) return null;
  return `One does that goes by another configuration (${differ.join(', ')}): start it again.`;
}
