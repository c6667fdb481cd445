// The bot in one sentence, the same on page, `status` and log: based on live and fresh orders, not on wanted ones.
import type { DurationMs } from '../../domain/time.ts';
import { clockText, timeText } from '../../domain/time-text.ts';
import { lockEnd } from '../../quoting/protection-settings.ts';
import { contactWords } from '../../trader/contact/responsive.ts';
import { needsNoStart } from '../../trader/observe/resume.ts';
import type { LockView, StatusSnapshot, SymbolView } from '../../trader/status/snapshot.ts';
import {
  countStandings,
  REPLACED_WITHIN_MS,
  type SideView,
  type StandingCounts,
  standingWords,
  type Verdict,
} from '../../trader/status/standing.ts';
import { duration } from '../base/message.ts';
import type { DeadManStatus } from '../dead-man/dead-man-switch.ts';
import type { ChannelStatus } from '../notify/notifier.ts';
import { ended, listed } from './status-words.ts';

export interface Headline extends Verdict {
  readonly sentence: string;
  /** What to do about it; empty if nothing. */
  readonly next: string;
  /** Its subject, so that it is not repeated below. */
  readonly about: string;
  /** What the page can do about it; null if nothing. */
  readonly remedy: Remedy | null;
}

/** The parts of the status from which the sentences are made. */
export interface Facts {
  readonly trader: StatusSnapshot;
  readonly deadMan: DeadManStatus;
  readonly channels: readonly ChannelStatus[];
  /** Why the current stop began; null before. */
  readonly stopping: string | null;
}

export function headlineOf(facts: Facts): Headline {
  const { trader, deadMan, stopping } = facts;
  const rest = mayRest(trader);
  if (stopping === HAS_FAILED) return said('failed', { tone: 'stop', word: 'Failed' }, `${stopping}${rest}`);
  if (trader.latched !== null)
    return said('latch', { tone: 'stop', word: 'Latched' }, `The kill latch is set: ${ended(trader.latched)}${rest}`);
  if (trader.phase === 'stopped' || trader.phase === 'stopping') return stopHeadline(facts);
  const silence = silenceSentence(trader);
  if (silence !== null) return said('silence', silenceVerdict(trader), silence);
  if (trader.phase === 'paused' && deadMan.watchdog === 'missing') {
    const sentence = `No watchdog is running: nothing is quoted.${rest}`;
    return said('watchdog', { tone: 'stop', word: 'Not quoting' }, sentence);
  }
  if (trader.phase === 'paused') {
    const sentence = `${ended(trader.paused ?? 'Paused.')} Nothing is quoted.${rest}`;
    return said('paused', { tone: 'warn', word: 'Paused' }, sentence);
  }
  const [blocker] = trader.blockers;
  if (blocker !== undefined) {
    const word = trader.phase === 'starting' ? 'Starting' : 'Not quoting';
    const tone = trader.firstBlocker === 'exchange' ? 'stop' : 'warn';
    return said(trader.firstBlocker ?? 'blocker', { tone, word }, `${ended(blocker)}${rest}`);
  }
  return symbolsHeadline(trader);
}

function stopHeadline({ trader, stopping }: Facts): Headline {
  const { all } = standingsOf(trader);
  if (trader.phase === 'stopped')
    return said(
      'stop',
      { tone: trader.flat ? 'calm' : 'stop', word: 'Stopped' },
      `${ended(stopping ?? 'The bot has ended.')}${mayRest(trader)}`,
    );
  const left = `${ownOrders(all)} left to be proved gone.`;
  return said('stop', { tone: 'warn', word: 'Stopping' }, `${ended(stopping ?? 'The bot is stopping.')} ${left}`);
}

function symbolsHeadline({ symbols, assets }: StatusSnapshot): Headline {
  if (symbols.length === 0) return said('idle', { tone: 'warn', word: 'Idle' }, 'No symbol is configured.');
  const gravest = symbols.toSorted((a, b) => gravity(b) - gravity(a));
  const without = gravest.filter((symbol) => !isLive(symbol));
  const [missing] = without;
  const tone = gravest[0]?.verdict.tone ?? 'good';
  if (missing === undefined) return quotingHeadline(symbols, tone);
  const { word } = missing.verdict;
  const differing = assets.find(
    ({ asset, differenceStands }) => differenceStands && (asset === missing.base || asset === missing.quote),
  );
  const about = differing === undefined ? `symbol ${missing.symbol}` : `difference ${differing.asset}`;
  const locked = lockedSentence(missing, without);
  const others = symbols.filter((symbol) => symbol !== missing && symbol.state === 'quoting');
  const late = lateWords(others.filter((symbol) => lockOfBoth(symbol) === null));
  const sentence = `${locked ?? whyNothingLive(missing)}${late}`;
  const live = symbols.length - without.length;
  if (live > 0) {
    const part = `Quoting ${live} of ${symbols.length}`;
    return said(about, { tone: tone === 'calm' ? 'calm' : 'warn', word: part }, sentence);
  }
  if (differing !== undefined) return said(about, { tone: 'stop', word: 'Not quoting' }, sentence);
  const both = symbols.length === 1 || tone === 'calm' ? word : 'Not quoting';
  return said(about, { tone, word: locked === null ? both : 'Locked' }, sentence);
}

/** The reason for a missing order is shown next to its side. */
function quotingHeadline(symbols: readonly SymbolView[], tone: Verdict['tone']): Headline {
  const word = tone === 'good' ? 'Quoting' : 'Quoting in part';
  const named = (buy: boolean, sell: boolean): string =>
    listed(
      symbols
        .filter(({ sides }) => (sides.buy.state === 'quoted') === buy && (sides.sell.state === 'quoted') === sell)
        .map(({ symbol }) => symbol),
    );
  const parts: readonly [string, string][] = [
    ['both sides of', named(true, true)],
    ['only the bid of', named(true, false)],
    ['only the ask of', named(false, true)],
  ];
  const sentence = parts.flatMap(([words, names]) => (names === '' ? [] : [`${words} ${names}`])).join('; ');
  return said(
    'quoting',
    { tone, word },
    `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.${lateWords(symbols)}`,
  );
}

/** Sides that are missing for longer than a replacement takes. */
const lateWords = (symbols: readonly SymbolView[]): string =>
  symbols.map((view) => `${bothLate(view) === 0 ? '' : ` ${noQuoteWords(view)}.`}${lateSides(view)}`).join('');

/** For how long neither side has had an order; zero while that is no longer than a replacement takes. */
function bothLate({ sides: { buy, sell } }: SymbolView): DurationMs {
  const ms = Math.min(buy.missingMs, sell.missingMs);
  return ms > REPLACED_WITHIN_MS ? ms : 0;
}

function noQuoteWords(view: SymbolView): string {
  const ms = bothLate(view);
  return `${view.symbol} has no quote${ms === 0 ? '' : ` for ${duration(ms)}`}`;
}

/** A side that was missing long before the other is mentioned separately. */
function lateSides(view: SymbolView): string {
  const { symbol, sides } = view;
  const late = (name: string, { missingMs }: SideView): string =>
    missingMs - bothLate(view) > REPLACED_WITHIN_MS ? ` ${symbol} has no ${name} for ${duration(missingMs)}.` : '';
  return `${late('bid', sides.buy)}${late('ask', sides.sell)}`;
}

const said = (about: string, verdict: Verdict, sentence: string): Headline => ({
  ...verdict,
  sentence,
  next: '',
  about,
  remedy: null,
});

const gravity = ({ verdict }: SymbolView): number => ['good', 'calm', 'warn', 'stop'].indexOf(verdict.tone);

/** Quoting is allowed and at least one order is live. */
const isLive = ({ state, sides }: SymbolView): boolean =>
  state === 'quoting' && (sides.buy.state === 'quoted' || sides.sell.state === 'quoted');

/** Mentions a common pause of several symbols once; null if no lock covers both sides. */
function lockedSentence(first: SymbolView, symbols: readonly SymbolView[]): string | null {
  const lock = lockOfBoth(first);
  if (lock === null || first.state !== 'quoting') return null;
  const isSame = (other: LockView | null): boolean => other?.reason === lock.reason && other.until === lock.until;
  const names = symbols.filter((symbol) => isSame(lockOfBoth(symbol))).map(({ symbol }) => symbol);
  const end = lock.until === null ? 'until resumed' : lockEnd(lock);
  return `${listed(names)} ${names.length === 1 ? 'is' : 'are'} locked ${end}: ${ended(lock.reason)}`;
}

const lockOfBoth = ({ risk: { locks } }: SymbolView): LockView | null =>
  locks.find(({ side }) => side === null) ?? null;

function whyNothingLive(view: SymbolView): string {
  const { symbol, state, reason, orders } = view;
  const counts = standingWords(countStandings(orders));
  if (state !== 'quoting') {
    const resting = orders.length === 0 ? '' : ` Its orders: ${counts}.`;
    return `${symbol}: ${ended(reason ?? state)}${resting}`;
  }
  const resting = orders.length === 0 ? '' : `; own orders that may rest and fill: ${counts}`;
  return `${noQuoteWords(view)}${resting}.${lateSides(view)}`;
}

// An outage of the exchange: since when, which orders may be open, and what a person can do about it.

type SilenceFacts = Pick<StatusSnapshot, 'at' | 'contact' | 'maintenance' | 'symbols'>;

/** Null while the exchange answers. */
export function silenceSentence({ at, contact, maintenance, symbols }: SilenceFacts): string | null {
  const { silentSince: since, because } = contact;
  const how = since === null ? '' : ` for ${duration(at - since)}, since ${clockText(since)}`;
  if (maintenance !== null) {
    const again = `It is asked again at ${clockText(maintenance.askedAgainAt)}.`;
    return `The exchange refuses requests: it is in maintenance${how}. ${again} ${restWords(symbols)}`;
  }
  if (since === null) return null;
  const last = because === null ? '' : ` The last attempt: ${ended(because)}`;
  return `${contactWords(contact.lanes)}${how}. ${restWords(symbols)}${last}`;
}

/** What to do about it. A watchdog does not end a bot for it, because the bot keeps asking. */
export function silenceRemedy({ maintenance, contact: { lanes } }: SilenceFacts): string {
  if (maintenance !== null)
    return 'Nothing to do: the first answer is used for cancels, and all is read before anything is quoted.';
  if (!Object.values(lanes).includes('silent'))
    return (
      'The bot waits as the answers say and cancels first; do not restart it. If it lasts: does somebody else use ' +
      "this key or this address? The exchange's own page cancels, too."
    );
  return (
    'The bot keeps asking and cancels first when it is answered; do not restart it. If your own network is ' +
    'well, look ' +
    "at the exchange's own page and cancel there; from another network, `quotekeeper cancel-all` with the same " +
    'configuration. Where that page is silent too, nothing can be done from here.'
  );
}

/** The same in one word; a silent lane is worse than a refused one. */
function silenceVerdict({ contact, maintenance }: SilenceFacts): Verdict {
  if (maintenance !== null) return { tone: 'stop', word: 'Maintenance' };
  const lanes = Object.values(contact.lanes);
  if (!lanes.includes('silent')) return { tone: 'stop', word: 'Refused' };
  return { tone: 'stop', word: lanes.every((each) => each === 'silent') ? 'No answer' : 'No answer in part' };
}

function restWords(symbols: StatusSnapshot['symbols']): string {
  const { all } = standingsOf({ symbols });
  return all === 0
    ? 'No own order is open, as far as is known.'
    : `${ownOrders(all)} may rest there, and may fill unseen.`;
}

// Actions on the page for a condition that needs a person: a button next to the sentence.

export interface Remedy {
  readonly command: 'resume';
  readonly symbol: string;
  /** After a jump, a person must state which price is right. */
  readonly needsPrice: boolean;
}

/** Null if nothing blocks the symbol, or if its halt needs a restart. */
export function remedyOf({ symbol, risk }: Pick<SymbolView, 'symbol' | 'risk'>): Remedy | null {
  const { halt, locks, isQuestionOver } = risk;
  if (halt !== null && !needsNoStart(halt.code, isQuestionOver)) return null;
  if (halt === null && locks.length === 0) return null;
  return { command: 'resume', symbol, needsPrice: halt?.code === 'price' };
}

// Counts own orders that may be open on the exchange, the most important fact when nothing else works.

export function standingsOf({ symbols }: Pick<StatusSnapshot, 'symbols'>): StandingCounts & { readonly all: number } {
  const orders = symbols.flatMap((symbol) => symbol.orders);
  return { ...countStandings(orders), all: orders.length };
}

/** `1 own order`, `2 own orders`. */
export const ownOrders = (count: number): string => `${count} own ${count === 1 ? 'order' : 'orders'}`;

/** A sentence about orders that may be open while nothing is quoted, and about a stop's proof that none is. */
function mayRest(trader: Pick<StatusSnapshot, 'at' | 'symbols' | 'phase' | 'flat'>): string {
  const { all } = standingsOf(trader);
  if (all > 0) return ` ${ownOrders(all)} may still rest on the exchange.`;
  if (trader.phase !== 'stopped') return '';
  // A duplicate of a create, or an order that only a person can identify as the bot's, is not among the known orders.
  return trader.flat
    ? ` It was proved at ${timeText(trader.at)} that none of its orders rests on the exchange.`
    : ' It is not proved that none of its orders rests on the exchange.';
}

// Why a bot ends, in one sentence, since it need not have been told to.

export interface Ending {
  /** Null if a signal or a command told it to. */
  because: string | null;
  /** How long the stop may still take; null before it begins. */
  leftMs: (() => DurationMs) | null;
}

/** At the pace that the exchange allows the bot, which may be slower than configured. */
export const stopTakes = (leftMs: DurationMs): string => `The stop takes ${duration(leftMs)} more at most.`;

/** The trader has failed: its state is outdated. */
export const HAS_FAILED =
  'The bot has failed and ends, as its log says: it cancels its orders from memory, and verifies nothing.';

/** Null while it continues. */
export function whyItEnds(
  { phase, latched }: Pick<StatusSnapshot, 'phase' | 'latched'>,
  { because, leftMs, isBroken }: Ending & { readonly isBroken: boolean },
): string | null {
  if (isBroken) return HAS_FAILED;
  if (phase !== 'stopping' && phase !== 'stopped') return null;
  const why = latched ?? because ?? 'The bot was told to stop.';
  return phase === 'stopped' || leftMs === null ? why : `${ended(why)} ${stopTakes(leftMs())}`;
}
