// For commands that send single requests: checks that the exchange answers, lists the configured symbols, and knows the
// key.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../domain/time.ts';
import { timeText } from '../../domain/time-text.ts';
import type { Trading } from '../../loop/start-trading.ts';
import type { Clock } from '../../ports/clock.ts';
import { askNeeds } from '../../quoting/strategy-call/ask-strategy.ts';
import type { RunSettings } from '../../trader/state/settings.ts';
import type { ReadOutcome } from '../../venue/outcomes.ts';
import { PROBE_EVERY_MS, stopsAll } from '../../venue/refusals.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import type { Log } from '../base/log.ts';
import { duration } from '../base/message.ts';
import type { VenueSession } from '../keys/venue-session.ts';
import type { Settings } from '../settings/types.ts';

/** Sends one public request. Throws `StartError`: 69 if the exchange can't be reached, 78 if a symbol is not listed. */
export async function checkListed(session: Pick<VenueSession, 'ask'>, settings: Settings): Promise<void> {
  const completed = await session.ask({ kind: 'symbols' });
  invariant(completed.kind === 'symbols', 'The answer is to another question.');
  const { outcome } = completed;
  if (outcome.kind !== 'read') {
    throw new StartError(
      EXIT.unavailable,
      `The exchange at ${settings.venue.baseUrl} cannot be asked: ${whyNot(outcome)}`,
    );
  }
  const listed = new Set<unknown>(outcome.read.rows);
  const missing = [...new Set(settings.trader.runs.flatMap(readSymbols))].filter((symbol) => !listed.has(symbol));
  if (missing.length > 0) {
    throw new StartError(
      EXIT.configurationInvalid,
      `The exchange does not list ${missing.join(', ')}; it lists ${listed.size} symbols.`,
    );
  }
}

/** The run's own symbol, and those whose books its strategy needs. */
function readSymbols({ instrument, strategy, params }: RunSettings): readonly InstrumentSymbol[] {
  const asked = askNeeds(strategy, params);
  return [instrument.symbol, ...(asked.kind === 'needs' ? (asked.needs.books ?? []) : [])];
}

/**
 * One private read from a paper exchange that was running already. Throws `StartError` (69) if it does not know our
 * key: then it is another folder's.
 */
export async function checkKey(session: Pick<VenueSession, 'ask' | 'stamp'>, settings: Settings): Promise<void> {
  const { outcome } = await session.ask({ kind: 'wallet', stamp: session.stamp() });
  if (outcome.kind !== 'rejected' || !stopsAll(outcome.refusal)) return;
  const { venue, stateFolder } = settings;
  const sentence =
    `The paper exchange at ${venue.baseUrl} belongs to another folder: it does not know the key of ${stateFolder}. ` +
    'Stop it, or set paper.port to another.';
  throw new StartError(EXIT.unavailable, sentence);
}

// Asks the exchange until it states which configured markets it lists. A start goes on even if the exchange does not
// answer or lacks a market: orders of an earlier session may be open, and only a running bot can cancel them.

const FIRST_PAUSE_MS: DurationMs = SECOND / 2;
/** How often a line reports that the exchange does not answer. */
const SUMMARY_EVERY_MS: DurationMs = MINUTE;
/** How often a missing market is looked up again. */
const MISSING_LOOK_MS: DurationMs = MINUTE;
/** After this many lists in a row with an unreadable row, whatever they lack counts as missing. */
const UNREADABLE_OFTEN = 3;

export interface ListingWatchParts {
  readonly trading: Pick<Trading, 'listMarkets'> & { readonly loop: Pick<Trading['loop'], 'tell'> };
  readonly symbols: readonly InstrumentSymbol[];
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly log: Pick<Log, 'logEvent'>;
}

/** Begins at once; nothing is created before the first answer. */
export function watchListing({ trading, symbols, baseUrl, clock, log }: ListingWatchParts): { end(): void } {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  let failures = 0;
  let since: EpochMs | null = null;
  let toldAt: DurationMs = 0;
  let unreadable = 0;
  /** The exchange has stated its list: from then on only missing markets are looked up. */
  let isKnown = false;

  function countFailure(why: string): DurationMs {
    failures += 1;
    since ??= clock.now();
    const isFirst = failures === 1;
    const awaited = `Starting: the exchange at ${baseUrl} has not said since ${timeText(since)} what it lists: ${why}`;
    trading.loop.tell({ kind: 'listing', awaited });
    const again = `It is asked again every ${PROBE_EVERY_MS / SECOND} s at least; nothing is quoted before it answers.`;
    if (isFirst || clock.monotonic() - toldAt >= SUMMARY_EVERY_MS) {
      toldAt = clock.monotonic();
      const message = isFirst
        ? `The exchange at ${baseUrl} cannot be asked: ${why} ${again}`
        : `The exchange at ${baseUrl} has not answered for ${duration(clock.now() - since)}, ${failures} tries: ${why}`;
      log.logEvent({ op: 'exchange-awaited', level: 'error', message });
    }
    return Math.min(PROBE_EVERY_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10));
  }

  function takeListing(listed: ReadonlySet<unknown>): DurationMs | null {
    if (since !== null) {
      const waited = duration(clock.now() - since);
      const message = `The exchange at ${baseUrl} answers, after ${waited} and ${failures} tries.`;
      log.logEvent({ op: 'exchange-answers', message });
    }
    since = null;
    isKnown = true;
    const missing = symbols.filter((symbol) => !listed.has(symbol));
    trading.loop.tell({ kind: 'listing', awaited: null, missing });
    return missing.length > 0 ? MISSING_LOOK_MS : null;
  }

  /** A failed lookup of a missing market says nothing about the others: it is simply repeated. */
  const pauseAfter = (why: string): DurationMs => (isKnown ? MISSING_LOOK_MS : countFailure(why));

  async function look(): Promise<void> {
    const completed = await trading.listMarkets();
    if (ended || completed === null) return;
    const { outcome } = completed;
    if (outcome.kind === 'read') unreadable = outcome.read.complete ? 0 : unreadable + 1;
    const isTold = unreadable >= UNREADABLE_OFTEN || isDecisive(outcome, symbols);
    const isListed = outcome.kind === 'read' && outcome.read.rows.length > 0 && isTold;
    const pauseMs = isListed ? takeListing(new Set<unknown>(outcome.read.rows)) : pauseAfter(whyNot(outcome));
    if (pauseMs !== null) timer = setTimeout(() => void look(), pauseMs);
  }

  trading.loop.tell({ kind: 'listing', awaited: 'The exchange has not said yet which markets it lists.' });
  void look();
  return {
    end: () => {
      ended = true;
      clearTimeout(timer);
    },
  };
}

/** Whether the list has all symbols or is complete: an unreadable row may be a missing symbol's. */
const isDecisive = (outcome: ReadOutcome<readonly unknown[]>, symbols: readonly InstrumentSymbol[]): boolean =>
  outcome.kind === 'read' && (outcome.read.complete || symbols.every((symbol) => outcome.read.rows.includes(symbol)));

/** One sentence. An empty list is a sign of an outage, not of an exchange without markets. */
function whyNot(outcome: ReadOutcome<unknown>): string {
  switch (outcome.kind) {
    case 'read':
      return outcome.read.incompleteBecause ?? 'Its list of markets is empty.';
    case 'failed':
      return outcome.fault.detail;
    case 'rejected':
      return `${outcome.code} ${outcome.msg}`;
    case 'throttled':
      return `HTTP ${outcome.status}.`;
  }
}
