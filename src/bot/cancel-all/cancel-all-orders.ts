// `cancel-all`: sets the kill latch, then cancels the bot's orders on the exchange and proves that they are gone, from
// the file of own orders and without the journal. Works while the bot is dead; a live one sees the latch and cancels
// first.
import type { DurationMs } from '../../domain/time.ts';
import { realClock } from '../../ports/clock.ts';
import { stopBoundMs } from '../../trader/observe/stopping.ts';
import { noCreateFrom } from '../../watchdog/kill-bound.ts';
import { together } from '../../watchdog/own-orders.ts';
import { runSweep, type StampedVenue } from '../../watchdog/run-sweep.ts';
import { doubtfulIn, doubtfulWords } from '../../watchdog/sweep.ts';
import { beginSweep, remainsOf } from '../../watchdog/sweep-state.ts';
import { horizonMsOf, killBoundOf, sweepSettingsOf } from '../../watchdog/watch-settings.ts';
import { EXIT, type ExitCode, StartError } from '../base/exit-codes.ts';
import { duration } from '../base/message.ts';
import { quietly } from '../base/system-error.ts';
import { waitForBot } from '../dead-man/await-bot.ts';
import type { CommandIo } from '../io/command-io.ts';
import { accountLine, accountNamed } from '../keys/account-named.ts';
import { type ApiKeys, type Environment, paperKeys, readKeys } from '../keys/keys.ts';
import { openStampedVenue } from '../keys/venue-session.ts';
import { findPaperProcess } from '../paper/paper-process.ts';
import { accountOrders, fenceAccount, latchAccount } from '../postgres/shared-account.ts';
import type { Settings } from '../settings/types.ts';
import { type KillLatch, readKillLatch, recordProof, setKillLatch } from '../state-folder/kill-latch.ts';
import {
  forgetOwnOrders,
  hasPlacedSince,
  namesIn,
  ownOrdersAt,
  ownOrdersFile,
  ownOrdersWrittenAt,
  type ReadOrders,
} from '../state-folder/own-orders-file.ts';
import { whyOwnOrdersAreOld } from '../state-folder/restored-mark.ts';
import { ended } from '../status/status-words.ts';
import { leftLines, leftResting, listEverything, type Outcome, stoppedPaperOutcome } from './cancel-everything.ts';

export interface CancelAllOptions {
  /** All open orders of the account, whoever placed them. */
  readonly everything: boolean;
  /** Cancels instead of listing; only used with `everything`. */
  readonly yes: boolean;
  readonly json: boolean;
}

/** `isLatched`: the kill latch is set, and a live bot stops because of it. */
type Latching = CancelAllOptions & Readonly<{ isLatched: boolean }>;
type Proving = Latching & Readonly<{ environment: Environment }>;

const REASON = 'cancel-all was called.';

export async function cancelAllOrders(settings: Settings, io: CommandIo, options: CancelAllOptions): Promise<ExitCode> {
  const named = accountNamed(settings);
  if (options.json) io.err(accountLine(named));
  else io.out(accountLine(named));
  const before = readKillLatch(settings.stateFolder);
  const unlatched = latchOrSay(settings, io);
  const latching = { ...options, isLatched: readKillLatch(settings.stateFolder) !== null };
  io.err(whatFollows(settings, latching, unlatched ?? latchedWords(before)));
  const keys = settings.keys === null ? null : readKeys(settings.keys, io.environment);
  const done = await cancelAndProve(settings, keys, { ...latching, environment: io.environment });
  // The latch is not set, so nothing keeps a bot from quoting again.
  const outcomes = unlatched === null ? done : [{ flat: false, message: unlatched }, ...done];
  const isFlat = (outcome: Outcome): boolean => outcome.flat;
  const flat = outcomes.every(isFlat);
  const latch = readKillLatch(settings.stateFolder)?.reason ?? 'unset';
  const advice = latchAdvice({ isSet: latch !== 'unset', isTaken: unlatched === null, isProved: done.every(isFlat) });
  const steps = outcomes.map((outcome) => ({ flat: outcome.flat, message: outcome.message }));
  const left = outcomes.findLast((outcome) => outcome.left !== undefined)?.left ?? null;
  const lines = outcomes.flatMap(({ message, left: resting, namesLeft = false }) =>
    resting === undefined || namesLeft ? [message] : [message, ...leftLines(resting)],
  );
  io.out(options.json ? JSON.stringify({ ...named, flat, latch, steps, left }) : [...lines, advice].join('\n'));
  return flat ? EXIT.done : EXIT.unknownRemains;
}

/** The last line. `isTaken`: the latch was written to disk. */
function latchAdvice({ isSet, isTaken, isProved }: Record<'isSet' | 'isTaken' | 'isProved', boolean>): string {
  if (isSet) return 'The kill latch stays set; `quotekeeper rearm --yes` removes it.';
  if (isTaken) return 'The kill latch was removed meanwhile: the bot may quote.';
  const what = `${isProved ? 'Flat, but the' : 'The'} kill latch is not set`;
  return `${what}: nothing keeps a bot from quoting again. Make room on the disk, then press again.`;
}

/**
 * A disk that can't store the latch must not keep the orders of a dead bot on the exchange. Returns a sentence if it
 * could not be set.
 */
function latchOrSay(settings: Settings, { environment }: CommandIo): string | null {
  try {
    setKillLatch(settings.stateFolder, REASON, realClock.now());
    return latchAccount(settings, environment, REASON);
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
}

/** A latch that was set already has its own reason. */
const latchedWords = (before: KillLatch | null): string =>
  before === null
    ? 'The kill latch is set.'
    : `The kill latch was set already${before.at === null ? '' : `, ${before.at}`}: ${ended(before.reason)}`;

/** Printed at once: the rest may take minutes, and the operator must know that it works, and for how long. */
function whatFollows(settings: Settings, { everything, yes, isLatched }: Latching, latch: string): string {
  const ttl = duration(settings.watchdog.ttlMs);
  const wait = isLatched
    ? `A live bot cancels and ends by itself: it gets ${duration(stopBound(settings))}, or ${ttl} if it ` +
      'shows no sign of life, and is not killed.'
    : 'Without it a live bot is not told to stop, and nothing is canceled under it; this waits for ' +
      `${ttl} without a sign of life.`;
  const isAlone = settings.trader.foreignOrders === 'refuse';
  const goes = everything || isAlone ? 'every open order of the account' : 'what is left';
  const then =
    everything && !yes
      ? 'Then the open orders of the account are listed.'
      : `Then ${goes} is canceled and proved gone: that is tried for ${duration(patienceOf(settings))} at the most.`;
  return `${latch} ${wait} ${then}`;
}

/** A live bot cancels by itself, and stops the paper exchange that it started. */
async function cancelAndProve(settings: Settings, keys: ApiKeys | null, options: Proving): Promise<Outcome[]> {
  const bot = await waitForBot(settings, stopBound(settings), options.isLatched);
  if (bot.goesOn) return [{ flat: false, message: bot.message ?? 'The bot goes on.' }];
  const withinMs = stopBound(settings) + (settings.journal?.leaseMs ?? 0);
  const unfenced = await fenceAccount(settings, options.environment, { reason: REASON, withinMs });
  const told = [
    ...(bot.message === null ? [] : [{ flat: true, message: bot.message }]),
    ...(unfenced === null ? [] : [{ flat: false, message: unfenced }]),
  ];
  const paper = settings.mode === 'paper' ? await findPaperProcess(settings) : null;
  if (settings.mode === 'paper' && paper === null) {
    const stopped = await stoppedPaperOutcome(settings);
    if (stopped.flat && bot.isGone) forgetIfThere(settings);
    return [...told, stopped];
  }
  const venue = openStampedVenue(settings, keys ?? paperKeys(settings.stateFolder));
  try {
    const { everything, yes } = options;
    const read = knownOrders(settings, options.environment, everything ? null : (paper?.instanceId ?? null));
    const isAll = everything || settings.trader.foreignOrders === 'refuse';
    if (everything && !yes) return [...told, await listEverything(venue)];
    if (!read.exists && !isAll) return [...told, await withoutFile(settings, venue)];
    return [...told, await cancelOrders(settings, venue, { read, isAll, isGone: bot.isGone })];
  } finally {
    venue.close();
  }
}

/** By the file, and by the journal that other hosts write. */
function knownOrders(settings: Settings, environment: Environment, paperInstance: string | null): ReadOrders {
  const { stateFolder, journal } = settings;
  const own = ownOrdersAt(stateFolder, paperInstance);
  // A file restored from a backup is intact, but misses all orders placed since.
  const read = { ...own, damaged: own.damaged ?? whyOwnOrdersAreOld(stateFolder) };
  if (journal === null) return read;
  try {
    const orders = together(own.orders, accountOrders(settings, environment));
    return { orders, damaged: null, exists: true };
  } catch (error) {
    if (error instanceof StartError) return { ...read, damaged: read.damaged ?? error.message };
    throw error;
  }
}

const stopBound = ({ trader, venue }: Settings): DurationMs => stopBoundMs({ trader, deadlineMs: venue.timeoutMs });

export interface Wanted {
  readonly read: ReadOrders;
  /** All orders of the account, not only those in the file. */
  readonly isAll: boolean;
  /** The bot was seen to be gone. */
  readonly isGone: boolean;
}

/** Cancels until nothing is left, and proves it. */
export async function cancelOrders(settings: Settings, venue: StampedVenue, wanted: Wanted): Promise<Outcome> {
  const { read, isAll, isGone } = wanted;
  const { orders, damaged } = read;
  const before = namesIn(settings.stateFolder);
  const whose = isAll ? 'account' : 'own';
  const sweep = beginSweep({ ...sweepSettingsOf(settings), whose }, orders, secondFrom(settings, wanted));
  const isEmpty = await runSweep(sweep, { clock: realClock, venue }, patienceOf(settings));
  const doubtful = doubtfulIn(sweep, orders.questioned);
  const left = leftResting(sweep, new Set([...orders.questioned, ...doubtful.copies]));
  const doubt = doubtfulWords(doubtful);
  // Where everything is canceled, an empty list is enough.
  const knew = isAll || damaged === null;
  if (isEmpty && knew) {
    if (hasPlacedSince(settings.stateFolder, before)) return { ...OVERTAKEN, left };
    if (doubt !== null) return { flat: false, message: doubt, left };
    if (isGone) forgetIfThere(settings);
    return {
      flat: true,
      message: `No order of the ${isAll ? 'account' : 'bot'} is open: proved by two complete lists.`,
      left,
    };
  }
  const remains = remainsOf(sweep);
  const sentences = [
    ...(knew ? [] : [`${damaged} Orders that it lacks were not canceled: see --everything.`]),
    ...(remains.length > 0 || !knew ? remains : ['It could not be proved in time that no such order is open.']),
  ];
  return { flat: false, message: sentences.join(' '), left };
}

/** Without the file, the bot's orders on a shared account are unknown. */
async function withoutFile({ stateFolder }: Settings, venue: StampedVenue): Promise<Outcome> {
  const { message } = await listEverything(venue);
  const why = `There is no file of own orders in ${stateFolder}: which orders are the bot's is not known here.`;
  return { flat: false, message: `${why} --everything --yes cancels every order of the account.\n${message}` };
}

/**
 * Earliest time at which no create can be newly accepted. Only an intact file of a bot that is gone can prove that this
 * has passed.
 */
function secondFrom(settings: Settings, { read, isGone }: Wanted): DurationMs {
  const { orders, damaged, exists } = read;
  const horizonMs = horizonMsOf(settings);
  const horizon = Math.max(orders.horizon, ownOrdersWrittenAt(settings.stateFolder) + horizonMs);
  // Horizons of the journal are by another host's clock.
  const isKnown = isGone && exists && damaged === null && settings.journal === null;
  return noCreateFrom({ horizon, isKnown, horizonMs }, realClock);
}

const OVERTAKEN: Outcome = {
  flat: false,
  message:
    'What was found is proved gone, but the kill latch was removed meanwhile and the bot has placed orders ' +
    'since. To end it, press again.',
};

/**
 * With the latch set, nobody writes the file; without it, a bot may have started and opened it. If the disk refuses,
 * the file keeps naming canceled orders: the next reader cancels them again, which is harmless.
 */
function forgetIfThere({ stateFolder }: Settings): void {
  if (readKillLatch(stateFolder) === null) return;
  recordProof(stateFolder, 'cancel-all', realClock.now());
  quietly(() => {
    if (ownOrdersAt(stateFolder, null).exists) forgetOwnOrders(ownOrdersFile(stateFolder), realClock);
  });
}

/** Twice the watchdog's upper bound: a person waits, and can press again. */
const patienceOf = (settings: Settings): DurationMs => 2 * killBoundOf(settings).provedMs;
