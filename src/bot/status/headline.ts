// The bot in one sentence. Page, `status` and log show this one: it follows what is live and fresh, not what is wanted.
import { decimal } from '../../domain/decimal.ts';
import { lockEnd } from '../../quoting/lock.ts';
import type { LockView, SideView, StatusSnapshot, SymbolView, Verdict } from '../../trader/status/snapshot.ts';
import { countStandings, standingWords } from '../../trader/status/standing.ts';
import { REPLACED_WITHIN_MS } from '../../trader/status/symbol-verdict.ts';
import type { DeadManStatus } from '../dead-man/dead-man-switch.ts';
import type { ChannelStatus } from '../notify/notifier.ts';
import { HAS_FAILED } from './ending.ts';
import type { Remedy } from './remedy.ts';
import { mayRest, ownOrders, standingsOf } from './resting.ts';
import { ended, listed } from './sentence.ts';
import { silenceSentence, silenceVerdict } from './silence.ts';
import { duration } from './status-words.ts';

export interface Headline extends Verdict {
  readonly sentence: string;
  /** What to do about it; empty where nothing is to be done. */
  readonly next: string;
  /** What it is about, so that the same is not said again below it. */
  readonly about: string;
  /** What can be done from the page; null where nothing can. */
  readonly remedy: Remedy | null;
}

/** What of the status the sentences are made of. */
export interface Facts {
  readonly trader: StatusSnapshot;
  readonly deadMan: DeadManStatus;
  readonly channels: readonly ChannelStatus[];
  /** Why the last stop began; null before. */
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
    const tone = NEEDS_A_PERSON.has(trader.firstBlocker ?? '') ? 'stop' : 'warn';
    return said(aboutBlocker(trader), { tone, word }, `${ended(blocker)}${rest}`);
  }
  return symbolsHeadline(trader.symbols);
}

const NEEDS_A_PERSON: ReadonlySet<string> = new Set(['refused', 'difference', 'suspense']);

/** What else says what to do about the first blocker is about the same. */
function aboutBlocker({ firstBlocker, assets, symbols }: StatusSnapshot): string {
  if (firstBlocker === 'difference') {
    const differing = assets.find(({ difference }) => difference !== null && !decimal(difference).isZero());
    if (differing !== undefined) return `difference ${differing.asset}`;
  }
  const halted = symbols.find(({ state }) => state === 'halted');
  if (firstBlocker === 'suspense' && halted !== undefined) return `symbol ${halted.symbol}`;
  return firstBlocker ?? 'blocker';
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

function symbolsHeadline(symbols: readonly SymbolView[]): Headline {
  if (symbols.length === 0) return said('idle', { tone: 'warn', word: 'Idle' }, 'No symbol is configured.');
  const live = symbols.filter(isLive);
  const without = symbols.filter((symbol) => !isLive(symbol)).sort((a, b) => gravity(b) - gravity(a));
  const [missing] = without;
  if (missing !== undefined) {
    const { tone, word } = missing.verdict;
    const about = `symbol ${missing.symbol}`;
    const locked = lockedSentence(missing, without);
    const sentence = locked ?? whyNothingLive(missing);
    if (live.length === 0) {
      const both = symbols.length === 1 || tone === 'calm' ? word : 'Not quoting';
      return said(about, { tone, word: locked === null ? both : 'Locked' }, sentence);
    }
    const part = `Quoting ${live.length} of ${symbols.length}`;
    return said(about, { tone: tone === 'calm' ? 'calm' : 'warn', word: part }, sentence);
  }
  return quotingHeadline(symbols);
}

/** Why a side has no order stands beside that side. */
function quotingHeadline(symbols: readonly SymbolView[]): Headline {
  const [gravest] = symbols.toSorted((a, b) => gravity(b) - gravity(a));
  const tone = gravest?.verdict.tone ?? 'good';
  const word = tone === 'good' ? 'Quoting' : 'Quoting in part';
  const late = symbols.flatMap(({ symbol, sides }) => [
    lateWords(symbol, 'bid', sides.buy),
    lateWords(symbol, 'ask', sides.sell),
  ]);
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
  return said('quoting', { tone, word }, `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.${late.join('')}`);
}

/** A side that is missing for longer than a replacement takes. */
const lateWords = (symbol: string, name: string, { missingMs }: SideView): string =>
  missingMs > REPLACED_WITHIN_MS ? ` ${symbol} has no ${name} for ${duration(missingMs)}.` : '';

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

/** One pause of several symbols is said once; null where no lock holds both sides. */
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

function whyNothingLive({ symbol, state, reason, orders, sides }: SymbolView): string {
  const counts = standingWords(countStandings(orders));
  if (state !== 'quoting') {
    const resting = orders.length === 0 ? '' : ` Its orders: ${counts}.`;
    return `${symbol}: ${ended(reason ?? state)}${resting}`;
  }
  const missingMs = Math.min(sides.buy.missingMs, sides.sell.missingMs);
  const since = missingMs > REPLACED_WITHIN_MS ? ` for ${duration(missingMs)}` : '';
  const resting = orders.length === 0 ? '' : `; own orders that may rest and fill: ${counts}`;
  return `${symbol} has no quote${since}${resting}.`;
}
