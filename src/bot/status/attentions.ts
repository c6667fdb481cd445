// Everything that needs a person, most urgent first, each with what to do. Never repeats the headline.
import { decimal, grouped, shownDecimals } from '../../domain/decimal.ts';
import { clockText } from '../../domain/time-text.ts';
import { brokenSentence } from '../../trader/lags/lags.ts';
import { needsNoStart } from '../../trader/observe/resume.ts';
import type { AssetView, StatusSnapshot, SymbolView } from '../../trader/status/snapshot.ts';
import type { Verdict } from '../../trader/status/standing.ts';
import type { ChannelStatus } from '../notify/notifier.ts';
import { type Facts, type Headline, type Remedy, remedyOf, silenceRemedy, silenceSentence } from './headline.ts';

export interface Attention {
  /** Subject, for comparison with the headline. */
  readonly about: string;
  readonly tone: Verdict['tone'];
  readonly what: string;
  /** What to do; empty if nothing. */
  readonly next: string;
  /** What the page can do about it; null if nothing. */
  readonly remedy: Remedy | null;
}

/** The headline with what to do about it, and everything else that needs a person. */
export function withAttentions(facts: Facts, headline: Headline): { headline: Headline; attentions: Attention[] } {
  const found = [...attentionsOf(facts, headline)];
  const same = found.find(({ about }) => about === headline.about);
  const named = facts.trader.symbols.find(({ symbol }) => headline.about === `symbol ${symbol}`);
  const remedy = named === undefined ? null : remedyOf(named);
  return {
    headline: { ...headline, remedy, ...(same === undefined ? {} : { next: same.next }) },
    attentions: found.filter((each) => each !== same),
  };
}

function* attentionsOf({ trader, deadMan, channels }: Facts, { sentence }: Headline): Iterable<Attention> {
  const { latched, symbols, wrongTimes } = trader;
  const silence = silenceSentence(trader);
  if (latched !== null) yield stop('latch', `The kill latch is set: ${latched}`, LATCH_REMEDY);
  if (silence !== null) yield stop('silence', silence, silenceRemedy(trader));
  if (deadMan.watchdog === 'missing') yield stop('watchdog', 'No watchdog is running.', WATCHDOG_REMEDY);
  yield* refused(trader);
  yield* trader.assets.flatMap((asset) => differs(asset, trader));
  yield* symbols.filter(({ state }) => state === 'halted').map((symbol) => halted(symbol, symbols));
  yield* brokenBound(trader);
  yield* wrongTimes.map((each) => stop('times', each, ''));
  yield* unknownOrders(trader.unknownOrders);
  yield* symbols.flatMap(nearLosses);
  yield* channels.flatMap(failingChannel);
  const isSaid = (blocker: string): boolean =>
    sentence.includes(blocker) || wrongTimes.includes(blocker) || blocker === 'The bot is stopping.';
  yield* trader.blockers.filter((blocker) => !isSaid(blocker)).map((blocker) => warn('blocker', blocker, ''));
  yield* symbols.flatMap(foreignOrders);
}

const LATCH_REMEDY = 'Look at the exchange; then `quotekeeper rearm`, and start the bot.';
const WATCHDOG_REMEDY =
  'The configuration requires one: start `quotekeeper watchdog` with it, and quotes come back by themselves.';

const attention =
  (tone: Verdict['tone']) =>
  (about: string, what: string, next: string): Attention => ({ about, tone, what, next, remedy: null });
const [stop, warn] = [attention('stop'), attention('warn')];

const REFUSED_REMEDY =
  "`quotekeeper check` says whether it is the key, what it may do, or this machine's clock. A clock that is " +
  'set right is used at once; for another key: `quotekeeper stop`, put it where `keys` says, start again.';
const CLOCK_REMEDY =
  "The bot finds the exchange's clock by itself, from the next answers. Where it does not: `quotekeeper check` says " +
  "by how much this machine's clock is off; set it.";

/** Reasons why no signed request is accepted. */
function refused({ firstBlocker, blockers: [first = ''], phase, maintenance }: StatusSnapshot): Attention[] {
  if (maintenance !== null) return [];
  if (firstBlocker === 'exchange') return [stop('exchange', first, REFUSED_REMEDY)];
  return firstBlocker === 'clock' && phase !== 'starting' ? [warn(firstBlocker, first, CLOCK_REMEDY)] : [];
}

const differenceRemedy = (asset: string): string =>
  `Symbols of ${asset} are not quoted until they agree. Look for the amount among the exchange's deposits, ` +
  'withdrawals and trades; if it is your own doing, start again with --accept-differences.';

/** A wallet read between a fill and its booking differs for a moment: quotes stay, and no alarm is raised. */
function differs(view: AssetView, trader: StatusSnapshot): Attention[] {
  const { asset, difference, differsSince, differenceStands } = view;
  if (difference === null || decimal(difference).isZero()) return [];
  const about = `difference ${asset}`;
  const amount = difference.startsWith('-') ? grouped(difference) : `+${grouped(difference)}`;
  const since = differsSince === null ? '' : ` since ${clockText(differsSince)}`;
  const what = `Wallet and ledger differ by ${amount} ${asset}${since}.`;
  const heldFrom = trader.reconciledAt === null ? null : trader.reconciledAt + trader.limits.reconciledAgeMs;
  if (differenceStands || heldFrom === null || trader.at > heldFrom)
    return [stop(about, what, differenceRemedy(asset))];
  const likely = 'Most likely a fill that one of them does not show yet: both are read again, and quotes stay.';
  return [warn(about, what, `${likely} If they still differ at ${clockText(heldFrom)}, quoting stops.`)];
}

/** After a price jump, a start must state which price is right. */
const resumeArgument = (view: SymbolView): string => (hasJumped(view) ? `${view.symbol}@PRICE` : view.symbol);

/** The command to continue a running bot. */
const runningAdvice = (view: SymbolView): string =>
  `quotekeeper resume ${view.symbol}${hasJumped(view) ? ' --at PRICE' : ''}`;

const hasJumped = ({ risk }: SymbolView): boolean => risk.halt?.code === 'price';

/** One start resumes all of them. Gives no further advice if the reason includes it. */
function halted(view: SymbolView, all: readonly SymbolView[]): Attention {
  const { symbol, reason, risk } = view;
  const names = all.filter(({ state }) => state === 'halted').map(resumeArgument);
  const { halt, isQuestionOver } = risk;
  const goOn = halt !== null && needsNoStart(halt.code, isQuestionOver) ? runningAdvice(view) : null;
  const remedy = `${whereToLook(view)}; then ${goOn ?? `start again with --resume ${names.join(' ')}`}.`;
  const next = halt?.code === 'journal-stale' ? '' : remedy;
  return { ...stop(`symbol ${symbol}`, `${symbol}: ${reason ?? 'halted'}`, next), remedy: remedyOf(view) };
}

function whereToLook(view: SymbolView): string {
  const isJump = hasJumped(view) && view.referencePrice !== null;
  return `${isJump ? `The market shows ${view.referencePrice} now. ` : ''}Look at orders and market`;
}

function unknownOrders(count: number): Attention[] {
  if (count === 0) return [];
  const what = `What became of ${count} ${count === 1 ? 'order' : 'orders'} is not known.`;
  return [warn('unknown', what, 'The bot finds out by itself; until then they count as open and as filled.')];
}

const LAG_REMEDY =
  'Raise assumptions.readLagBoundMs above it and restart; look whether orders on the exchange are those ' +
  'that are shown here.';

function brokenBound({ readLags: { broken, assumedMs } }: StatusSnapshot): Attention[] {
  return broken === null ? [] : [stop('lag-bound', brokenSentence(broken, assumedMs), LAG_REMEDY)];
}

/** Fraction of a loss limit that is worth a look; the same as in the alert. */
const LOSS_NEAR_RATIO = 0.7;

const LOSS_WORDS: Readonly<Record<string, readonly [name: string, key: string]>> = {
  'loss-session': ['session loss (since the session began)', 'maxSessionLoss'],
  'loss-day': ['day loss (since midnight UTC)', 'maxDayLoss'],
  'loss-drawdown': ['drawdown (below its highest profit)', 'maxDrawdown'],
};

function nearLosses({ symbol, quote, state, risk }: SymbolView): Attention[] {
  return risk.losses.flatMap(({ code, loss, limit }) => {
    if (limit === null || decimal(loss).lt(decimal(limit).mul(LOSS_NEAR_RATIO))) return [];
    const [lost, most] = [loss, limit].map((text) => grouped(decimal(text).toFixed(shownDecimals(quote))));
    const [name, key] = LOSS_WORDS[code] ?? [code, 'limit'];
    const isHalted = state === 'halted';
    const what = `${symbol}: ${name} ${lost} ${quote}${isHalted ? ' now' : ''}; its limit ${key} is ${most}.`;
    const next =
      risk.halt === null
        ? 'At the limit it is halted and its orders are canceled.'
        : `Resuming ${risk.halt.code === 'loss' ? 'resets all three losses' : 'resets no loss'}.`;
    return [warn(`${code} ${symbol}`, what, next)];
  });
}

function failingChannel({ name, waiting, failingSince, because }: ChannelStatus): Attention[] {
  if (failingSince === null) return [];
  const waits = waiting === 0 ? '' : waiting === 1 ? ' 1 message waits.' : ` ${waiting} messages wait.`;
  const what = `The channel ${name} has been failing since ${clockText(failingSince)}: ${because ?? ''}${waits}`;
  return [warn(`channel ${name}`, what, `\`quotekeeper notify test --channel ${name}\` tries it.`)];
}

function foreignOrders({ symbol, foreignOrders: count }: SymbolView): Attention[] {
  if (count === 0) return [];
  const orders = count === 1 ? '1 open order' : `${count} open orders`;
  const what = `${symbol}: ${orders} on the account that are not the bot’s.`;
  return [warn(`foreign ${symbol}`, what, 'They are left alone.')];
}
