// How the bot's ops are notified: which last, when they are over, and which somebody else reports.
import { type EpochMs, MINUTE, SECOND } from '../../domain/time.ts';
import { allWrongTimes } from '../../trader/contact/clock.ts';
import type { Differences } from '../../trader/durable/books.ts';
import { marketIn } from '../../trader/durable/market.ts';
import { readLagsView } from '../../trader/lags/lags.ts';
import type { TraderState, With } from '../../trader/state/state.ts';
import { BY_WATCHDOG } from '../../watchdog/watch-state.ts';
import { AWAITED, type DeadManStatus, NO_WATCHDOG } from '../dead-man/dead-man-switch.ts';
import type { OpTraits, Told } from '../notify/notifier.ts';
import type { Problem } from '../notify/state.ts';

export interface Seen {
  readonly state: TraderState;
  readonly deadMan: DeadManStatus;
  readonly now: EpochMs;
}

type IsOver = (seen: Seen, problem: Problem) => boolean;

/** In a later session only: the session that it ended may have been running. */
const runsAgain: IsOver = ({ state }, { lastAt }) => state.phase === 'running' && state.session.startedAt > lastAt;
/** In this session: an old condition is not over just because nothing was sent yet. */
const isAnswered = ({ contact }: With<'contact'>): boolean => contact.private.usedAt !== null;
const renewed: IsOver = ({ deadMan }, { lastAt }) => (deadMan.leaseRenewedAt ?? 0) > lastAt;
const allExplained = (differences: Differences): boolean => differences.byAsset.size === 0;

/** Lasting conditions, and when they are over. */
const ENDS: Readonly<Record<string, IsOver>> = {
  'symbol-halted': ({ state }, { symbol }) => {
    const market = state.settings.runs.find(({ instrument }) => instrument.symbol === symbol)?.instrument.symbol;
    return market === undefined || marketIn(state.durable, market).halt === null;
  },
  difference: ({ state }) => allExplained(state.durable.differences),
  'difference-unjudged': ({ state }) =>
    state.reconciliation.differsSince === null &&
    state.reconciliation.equalSentAt !== null &&
    allExplained(state.durable.differences),
  'market-unlisted': ({ state }, { symbol }) =>
    state.holds.listingAwaited === null &&
    [...state.markets].every(([each, { unavailable }]) => each !== symbol || unavailable === null),
  maintenance: ({ state }) => state.refusal?.kind !== 'maintenance' && isAnswered(state),
  // A maintenance that begins meanwhile replaces the refusal, and says nothing about the keys.
  refused: ({ state }) => state.refusal === null && isAnswered(state),
  'not-responding': ({ state }) =>
    state.contact.silenceNotified === null && isAnswered(state) && state.contact.public.usedAt !== null,
  'exchange-awaited': ({ state }) => state.holds.listingAwaited === null,
  'watchdog-missing': ({ deadMan }) => deadMan.watchdog !== 'missing',
  paused: ({ state }) => state.holds.paused === null,
  'lag-bound-broken': ({ state, now }) => readLagsView(state, now).broken === null,
  'times-off': ({ state }) => allWrongTimes(state.lags).length === 0,
  'lease-failed': renewed,
  // These end a session: over when the next one quotes.
  latched: runsAgain,
  fatal: runsAgain,
  'journal-moved': runsAgain,
  'key-refused': runsAgain,
  summary: runsAgain,
};

/** Shown every few seconds, and derived from events that are reported themselves. */
const SHOWN: readonly string[] = ['status', 'money', 'request'];
/** The watchdog has reported the reason, and that it removes the latch. */
const TOLD_BY_WATCHDOG: readonly string[] = ['rearmed'];

/** `look`: null before trading begins; nothing is over then. */
export function botTraits(look: () => Seen | null): (what: Told) => OpTraits {
  return (what) => {
    const end = ENDS[what.op];
    const isOver = (problem: Problem): boolean => {
      const seen = look();
      return seen !== null && end?.(seen, problem) === true;
    };
    return { severity: severityOf(what), pageAfterMs: patienceWith(what), ...(end && { isOver }) };
  };
}

function severityOf({ op, text }: Told): OpTraits['severity'] {
  if (SHOWN.includes(op) || TOLD_BY_WATCHDOG.includes(op)) return null;
  if (op === 'latched' && text.includes(BY_WATCHDOG)) return null;
  // `watchdog-missing` says the same.
  if (op === 'paused' && text.includes(NO_WATCHDOG)) return null;
  return op === 'log-not-reopened' ? 'warn' : undefined;
}

/** The same delay as in the matching alert. */
function patienceWith({ op, text }: Told): number | null {
  if (op === 'not-responding') return 20 * SECOND;
  return op === 'paused' && text.includes(AWAITED) ? MINUTE : null;
}
