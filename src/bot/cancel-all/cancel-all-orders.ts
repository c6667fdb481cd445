// `cancel-all`: latches, then takes the bot's orders off the exchange and proves it, by the file of own orders and
// without the journal. Works while the bot is dead; one that lives sees the latch and does it itself first.
import type { DurationMs } from '../../domain/time.ts';
import { realClock } from '../../ports/clock.ts';
import { stopBoundMs } from '../../trader/observe/stopping.ts';
import { noCreateFrom } from '../../watchdog/kill-bound.ts';
import { runSweep, type StampedVenue } from '../../watchdog/run-sweep.ts';
import { doubtfulIn, doubtfulWords } from '../../watchdog/sweep.ts';
import { beginLook, beginSweep, remainsOf, type SweepSettings } from '../../watchdog/sweep-state.ts';
import { horizonMsOf, killBoundOf, sweepSettingsOf } from '../../watchdog/watch-settings.ts';
import { EXIT, type ExitCode, StartError } from '../base/exit-codes.ts';
import { duration } from '../base/message.ts';
import { waitForBot } from '../dead-man/await-bot.ts';
import type { CommandIo } from '../io/command-io.ts';
import { accountLine, accountNamed } from '../keys/account-named.ts';
import { type ApiKeys, paperKeys, readKeys } from '../keys/keys.ts';
import { openStampedVenue } from '../keys/venue-session.ts';
import { findPaperProcess } from '../paper/paper-process.ts';
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
import {
  cancelEverything,
  leftLines,
  leftResting,
  listEverything,
  type Outcome,
  stoppedPaperOutcome,
} from './cancel-everything.ts';

export interface CancelAllOptions {
  /** Every open order of the account, whoever placed it. */
  readonly everything: boolean;
  /** Do it instead of listing it; only asked for with `everything`. */
  readonly yes: boolean;
  readonly json: boolean;
}

interface Latching extends CancelAllOptions {
  /** The kill latch is set: a bot that lives stops by it. */
  readonly isLatched: boolean;
}

export async function cancelAllOrders(settings: Settings, io: CommandIo, options: CancelAllOptions): Promise<ExitCode> {
  const named = accountNamed(settings);
  if (options.json) io.err(accountLine(named));
  else io.out(accountLine(named));
  const before = readKillLatch(settings.stateFolder);
  const unlatched = latchOrSay(settings);
  io.err(whatFollows(settings, { ...options, isLatched: unlatched === null }, unlatched ?? latchedWords(before)));
  const keys = settings.keys === null ? null : readKeys(settings.keys, io.environment);
  const done = await cancelAndProve(settings, keys, { ...options, isLatched: unlatched === null });
  // Nothing keeps a bot from quoting again.
  const outcomes = unlatched === null ? done : [{ flat: false, message: unlatched }, ...done];
  const flat = outcomes.every(isFlat);
  const latch = readKillLatch(settings.stateFolder)?.reason ?? 'unset';
  const advice = latchAdvice({ isSet: latch !== 'unset', isTaken: unlatched === null, isProved: done.every(isFlat) });
  const steps = outcomes.map((outcome) => ({ flat: outcome.flat, message: outcome.message }));
  const left = outcomes.findLast((outcome) => outcome.left !== undefined)?.left ?? null;
  if (options.json) io.out(JSON.stringify({ ...named, flat, latch, steps, left }));
  else io.out([...outcomes.flatMap(outcomeLines), advice].join('\n'));
  return flat ? EXIT.done : EXIT.unknownRemains;
}

const isFlat = (outcome: Outcome): boolean => outcome.flat;

/** Its last line. `isTaken`: the disk took the latch. */
function latchAdvice({ isSet, isTaken, isProved }: Record<'isSet' | 'isTaken' | 'isProved', boolean>): string {
  if (isSet) return 'The kill latch stays set; `quotekeeper rearm --yes` removes it.';
  if (isTaken) return 'The kill latch was taken off meanwhile: the bot may quote.';
  const what = `${isProved ? 'Flat, but the' : 'The'} kill latch is not set`;
  return `${what}: nothing keeps a bot from quoting again. Make room on the disk, then press again.`;
}

const outcomeLines = ({ message, left, namesLeft = false }: Outcome): string[] => [
  message,
  ...(left === undefined || namesLeft ? [] : leftLines(left)),
];

/**
 * A disk that takes no latch must not keep the orders of a bot that is gone on the exchange. A sentence where it could
 * not be set.
 */
function latchOrSay({ stateFolder }: Settings): string | null {
  try {
    setKillLatch(stateFolder, 'cancel-all was called.', realClock.now());
    return null;
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
}

/** One that was set already has a reason of its own. */
const latchedWords = (before: KillLatch | null): string =>
  before === null
    ? 'The kill latch is set.'
    : `The kill latch was set already${before.at === null ? '' : `, ${before.at}`}: ${ended(before.reason)}`;

/** Said at once: what follows may take minutes, and whoever presses this must know that it works, and for how long. */
function whatFollows(settings: Settings, { everything, yes, isLatched }: Latching, latch: string): string {
  const ttl = duration(settings.watchdog.ttlMs);
  const wait = isLatched
    ? `A bot that lives cancels and ends by itself: it gets ${duration(stopBound(settings))}, or ${ttl} where it ` +
      'shows no life, and is not killed.'
    : 'Without it a bot that lives is not told to stop, and nothing is canceled under it; ' +
      `${ttl} without a sign of life are waited for.`;
  const isAlone = settings.trader.foreignOrders === 'refuse';
  const goes = everything || isAlone ? 'every open order of the account' : 'what is left';
  const then =
    everything && !yes
      ? 'Then the open orders of the account are listed. Where none is, that is proved: it is tried for ' +
        `${duration(lookPatienceOf(settings))} at the most.`
      : `Then ${goes} is canceled and proved gone: that is tried for ${duration(patienceOf(settings))} at the most.`;
  return `${latch} ${wait} ${then}`;
}

/** A bot that lives cancels by itself, and takes a paper exchange that it started with it. */
async function cancelAndProve(settings: Settings, keys: ApiKeys | null, options: Latching): Promise<Outcome[]> {
  const bot = await waitForBot(settings, stopBound(settings), options.isLatched);
  if (bot.goesOn) return [{ flat: false, message: bot.message ?? 'The bot goes on.' }];
  const told = bot.message === null ? [] : [{ flat: true, message: bot.message }];
  const paper = settings.mode === 'paper' ? await findPaperProcess(settings) : null;
  if (settings.mode === 'paper' && paper === null) {
    const stopped = await stoppedPaperOutcome(settings);
    if (stopped.flat && bot.isGone) forgetIfThere(settings);
    return [...told, stopped];
  }
  const venue = openStampedVenue(settings, keys ?? paperKeys(settings.stateFolder));
  try {
    if (options.everything) return [...told, await everything(settings, venue, { ...options, isGone: bot.isGone })];
    const read = ownOrdersNow(settings, paper?.instanceId ?? null);
    const done = read.exists
      ? await cancelOwn(settings, venue, { read, isGone: bot.isGone })
      : await withoutFile(settings, venue);
    return [...told, done];
  } finally {
    venue.close();
  }
}

/** One that came out of a backup is whole, and names nothing that was placed since. */
function ownOrdersNow({ stateFolder }: Settings, paperInstance: string | null): ReadOrders {
  const read = ownOrdersAt(stateFolder, paperInstance);
  return { ...read, damaged: read.damaged ?? whyOwnOrdersAreOld(stateFolder) };
}

const stopBound = ({ trader, venue }: Settings): DurationMs => stopBoundMs({ trader, deadlineMs: venue.timeoutMs });

interface Own {
  readonly read: ReadOrders;
  /** Whether the bot is seen to be gone. */
  readonly isGone: boolean;
}

/** By the file: what it names, or everything where the account is the bot's alone. */
async function cancelOwn(settings: Settings, venue: StampedVenue, { read, isGone }: Own): Promise<Outcome> {
  const { orders, damaged } = read;
  const before = namesIn(settings.stateFolder);
  const sweepSettings = sweepSettingsOf(settings);
  const sweep = beginSweep(sweepSettings, orders, secondFrom(settings, { read, isGone }));
  const isEmpty = await runSweep(sweep, portsOf(venue), patienceOf(settings));
  const knew = damaged === null || sweepSettings.whose === 'account';
  const doubtful = doubtfulIn(sweep, orders.questioned);
  const left = leftResting(sweep, new Set([...orders.questioned, ...doubtful.copies]));
  const doubt = doubtfulWords(doubtful);
  if (isEmpty && knew) {
    if (hasPlacedSince(settings.stateFolder, before)) return { ...OVERTAKEN, left };
    if (doubt !== null) return { flat: false, message: doubt, left };
    if (isGone) forgetIfThere(settings);
    return { flat: true, message: 'No order of the bot is open: proved by two complete lists.', left };
  }
  const remains = remainsOf(sweep);
  const sentences = [
    ...(knew ? [] : [`${damaged} What it does not name was not canceled: look at --everything.`]),
    ...(remains.length > 0 || !knew ? remains : ['It could not be proved in time that no order of the bot is open.']),
  ];
  return { flat: false, message: sentences.join(' '), left };
}

/** Without the file nobody knows what is the bot's. On an account of its own that is no question. */
async function withoutFile(settings: Settings, venue: StampedVenue): Promise<Outcome> {
  if (settings.trader.foreignOrders === 'refuse') {
    return everything(settings, venue, { yes: true, isGone: true });
  }
  const listed = await everything(settings, venue, { yes: false, isGone: true });
  if (listed.flat) return listed;
  const message =
    `There is no file of own orders in ${settings.stateFolder}: which orders are the bot's is not known here. ` +
    `--everything --yes cancels every order of the account.\n${listed.message}`;
  return { flat: false, message };
}

async function everything(
  settings: Settings,
  venue: StampedVenue,
  { yes, isGone }: { readonly yes: boolean; readonly isGone: boolean },
): Promise<Outcome> {
  const account: SweepSettings = { ...sweepSettingsOf(settings), whose: 'account' };
  const read = ownOrdersAt(settings.stateFolder, null);
  const before = namesIn(settings.stateFolder);
  const from = secondFrom(settings, { read, isGone });
  const outcome = yes
    ? await cancelEverything(venue, {
        sweep: beginSweep(account, read.orders, from),
        portsOf,
        withinMs: patienceOf(settings),
      })
    : await listEverything(venue, { sweep: beginLook(account, from), portsOf, withinMs: lookPatienceOf(settings) });
  if (outcome.flat && hasPlacedSince(settings.stateFolder, before)) return OVERTAKEN;
  if (outcome.flat && isGone) forgetIfThere(settings);
  return outcome;
}

/**
 * From when on no create can be newly accepted. That this is over only the file can say, a whole one of a bot that is
 * gone.
 */
function secondFrom(settings: Settings, { read, isGone }: Own): DurationMs {
  const { orders, damaged, exists } = read;
  const horizonMs = horizonMsOf(settings);
  const horizon = Math.max(orders.horizon, ownOrdersWrittenAt(settings.stateFolder) + horizonMs);
  return noCreateFrom({ horizon, isKnown: isGone && exists && damaged === null, horizonMs }, realClock);
}

const OVERTAKEN: Outcome = {
  flat: false,
  message:
    'What was found is proved gone, but the kill latch was taken off meanwhile and the bot has placed orders ' +
    'since. To end it, press again.',
};

/**
 * Under the latch nobody writes the file; without it a bot may have begun, and has it open. Where the disk does not
 * take it, the file goes on naming orders that are gone: the next one who looks cancels them again, which is harmless.
 */
function forgetIfThere({ stateFolder }: Settings): void {
  if (readKillLatch(stateFolder) === null) return;
  recordProof(stateFolder, 'cancel-all', realClock.now());
  try {
    if (ownOrdersAt(stateFolder, null).exists) forgetOwnOrders(ownOrdersFile(stateFolder), realClock);
  } catch {
    // Nothing depends on it.
  }
}

const portsOf = (venue: StampedVenue) => ({ clock: realClock, venue, answered: () => {} });

/** As long as the watchdog would need at the most, twice: a person waits, and can press again. */
const patienceOf = (settings: Settings): DurationMs => 2 * killBoundOf(settings).provedMs;

/**
 * Where nothing is canceled, the lists are waited for until they must show whatever was accepted, and as long again.
 * That is in the bound of a shared account already.
 */
function lookPatienceOf(settings: Settings): DurationMs {
  const { foreignOrders, assumptions } = settings.trader;
  return patienceOf(settings) + (foreignOrders === 'refuse' ? 2 * assumptions.readLagBoundMs : 0);
}
