// `run --standby`: waits while another host has the account, and takes it when that host's lease is over.
import { type DurationMs, SECOND } from '../../domain/time.ts';
import { JournalError } from '../../journal/chain.ts';
import { realClock } from '../../ports/clock.ts';
import { horizonMsOf } from '../../watchdog/watch-settings.ts';
import { StartError } from '../base/exit-codes.ts';
import { duration } from '../base/message.ts';
import { hasCome } from '../base/signals.ts';
import { waitingStatus } from '../fleet/fleet-status.ts';
import type { CommandIo } from '../io/command-io.ts';
import { holderOf, postgresPlace } from '../postgres/journal-of.ts';
import { openAccount } from '../postgres/postgres-journal.ts';
import { type LeaseSeen, placeText } from '../postgres/postgres-place.ts';
import type { Settings } from '../settings/types.ts';
import type { BotJournal } from '../state-folder/bot-journal.ts';
import type { FleetReporter } from '../state-folder/fleet-account.ts';
import { translated } from '../state-folder/state-folder.ts';
import { steerCommandSchema } from '../steer/command.ts';
import { assertMayStart } from './start-checks.ts';

const LOOK_EVERY_MS: DurationMs = SECOND;
/** Opening and folding the journal, and the first answers of the exchange. */
const START_MS: DurationMs = 10 * SECOND;

export interface TakeoverBound {
  /** From the last renewal of the lease until markets in which nothing is unknown have quotes again. */
  readonly quotesMs: DurationMs;
  /** Until it is known what became of every order. */
  readonly knownMs: DurationMs;
}

/** While database and exchange answer: throttling and maintenance have no bound. */
export function takeoverBound({ trader, lanes }: Settings, journal: NonNullable<Settings['journal']>): TakeoverBound {
  const quotesMs = journal.leaseMs + LOOK_EVERY_MS + 2 * journal.waitMs + START_MS;
  const orders = trader.runs.reduce((sum, run) => sum + run.limits.maxOpenOrders, 0);
  const requests = orders + 2 * (1 + trader.runs.length);
  const pacedMs = Math.ceil((requests * SECOND) / lanes.private.requestsPerSecond);
  // A create of the last moment lands by its horizon; after that two lists a lag bound apart show or lack it.
  const listsMs = 2 * trader.assumptions.readLagBoundMs;
  return { quotesMs, knownMs: Math.max(quotesMs, horizonMsOf({ trader })) + listsMs + pacedMs };
}

export interface Claimed {
  readonly held: BotJournal;
  /** Whose lease was over; null if the account was free. */
  readonly from: string | null;
}

interface Waiting {
  readonly told: Promise<unknown>;
  /** Makes all checks of a start, and takes the account. Throws `StartError`. */
  readonly claim: () => Promise<BotJournal>;
}

/**
 * Waits until the account can be taken, through outages of the database too, and takes it; null if told to stop before.
 * Throws `StartError`, also at once for what would keep it from taking over.
 */
export async function claimAsStandby(settings: Settings, io: CommandIo, waiting: Waiting): Promise<Claimed | null> {
  const { journal, stateFolder } = settings;
  if (journal === null) return { held: await waiting.claim(), from: null };
  await assertMayStart(settings, { environment: io.environment, claim: () => undefined });
  const place = postgresPlace(journal, io.environment);
  const holder = holderOf(stateFolder);
  const account = translated(stateFolder, () => openAccount(place, holder, realClock), placeText(place));
  const { quotesMs, knownMs } = takeoverBound(settings, journal);
  const bound = `quotes again within ${duration(quotesMs)} and knows every order within ${duration(knownMs)}`;
  let said = '';
  const look = (): LeaseSeen | null => {
    const { seen, words } = lookAt(account.look);
    const sentence = words && `Standby for ${placeText(place)}. ${words} This host ${bound} after a last renewal.`;
    if (sentence !== '' && sentence !== said) io.err(sentence);
    said = sentence;
    return seen;
  };
  const isTold = hasCome(waiting.told);
  try {
    for (;;) {
      const seen = look();
      if (seen?.isFree) takeAtOnce(account.takeLost);
      const held = seen?.isFree ? await claimIfFree(waiting.claim, look) : null;
      if (held !== null) return { held, from: seen?.holder === holder ? null : (seen?.holder ?? null) };
      if (isTold() || answerFleet(account.fleet, said)) return null;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  } finally {
    account.fleet.leave('standby');
    account.close();
  }
}

/** Tells the fleet that it waits, and answers its commands. Returns whether one of them is to stop. */
function answerFleet(fleet: FleetReporter, said: string): boolean {
  let isTold = false;
  for (const { id, request } of fleet.report('standby', waitingStatus('Waiting', said))) {
    const isStop = steerCommandSchema.safeParse(request).data?.command === 'stop';
    isTold ||= isStop;
    fleet.answer(id, isStop ? { done: ['The standby ends.'] } : { refused: 'A standby quotes nothing.' });
  }
  return isTold;
}

/** A start takes seconds on a busy machine, and the watchdog of another host waits only for a lease that is renewed. */
function takeAtOnce(takeLost: () => void): void {
  try {
    takeLost();
  } catch (error) {
    // The start says what is wrong, or the next look.
    if (!(error instanceof JournalError)) throw error;
  }
}

/** `words` for people: without what changes from look to look. Empty where it is free. */
function lookAt(ask: () => LeaseSeen): { readonly seen: LeaseSeen | null; readonly words: string } {
  try {
    const seen = ask();
    if (seen.isFree) return { seen, words: '' };
    const held = seen.holder === null ? 'Nobody has it.' : `${seen.holder} has it.`;
    return { seen, words: seen.latch === null ? held : `Its kill latch is set until \`rearm\`: ${seen.latch}` };
  } catch (error) {
    if (error instanceof JournalError) return { seen: null, words: error.message };
    throw error;
  }
}

/** Null where another standby was quicker. */
async function claimIfFree(claim: () => Promise<BotJournal>, look: () => LeaseSeen | null): Promise<BotJournal | null> {
  try {
    return await claim();
  } catch (error) {
    if (error instanceof StartError && look()?.isFree === false) return null;
    throw error;
  }
}
