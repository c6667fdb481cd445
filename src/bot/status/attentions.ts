// What needs a person, most urgent first, each with what to do. What the headline says already is not said again.
import { decimal } from '../../domain/decimal.ts';
import { isJumpHalt } from '../../trader/decision/price-jump.ts';
import type { SymbolView, Verdict } from '../../trader/snapshot.ts';
import type { Facts, Headline } from './headline.ts';
import { grouped } from './sentence.ts';
import { silenceRemedy, silenceSentence } from './silence.ts';

export interface Attention {
  /** What it is about, to tell it from the headline. */
  readonly about: string;
  readonly tone: Verdict['tone'];
  readonly what: string;
  /** What to do; empty where nothing is to be done. */
  readonly next: string;
}

/** The headline with what to do about it, and everything else that needs a person. */
export function withAttentions(facts: Facts, headline: Headline): { headline: Headline; attentions: Attention[] } {
  const found = attentionsOf(facts, headline);
  const same = found.find(({ about }) => about === headline.about);
  return {
    headline: same === undefined ? headline : { ...headline, next: same.next },
    attentions: found.filter((each) => each !== same),
  };
}

function attentionsOf(facts: Facts, { sentence }: Headline): Attention[] {
  const { trader, deadMan } = facts;
  const { latched } = trader;
  const silence = silenceSentence(trader);
  return [
    ...(latched === null ? [] : [stop('latch', `The kill latch is set: ${latched}`, LATCH_REMEDY)]),
    ...(silence === null ? [] : [stop('silence', silence, silenceRemedy(trader))]),
    ...(deadMan.watchdog === 'missing' ? [stop('watchdog', 'No watchdog is running.', WATCHDOG_REMEDY)] : []),
    ...trader.assets.flatMap(({ asset, difference }) =>
      difference === null || decimal(difference).isZero() ? [] : [differs(asset, difference)],
    ),
    ...trader.symbols.flatMap((symbol) => (symbol.state === 'halted' ? [halted(symbol, trader.symbols)] : [])),
    ...unknownOrders(trader.unknownOrders),
    ...trader.symbols.flatMap(nearLosses),
    ...trader.blockers
      .filter((blocker) => !sentence.includes(blocker) && blocker !== 'The bot is stopping.')
      .map((blocker) => warn('blocker', blocker, '')),
    ...trader.symbols.flatMap(foreignOrders),
  ];
}

const LATCH_REMEDY = 'Look at the exchange; then `quotekeeper rearm`, and start the bot.';
const WATCHDOG_REMEDY =
  'The configuration requires one: start `quotekeeper watchdog` with it, and quotes come back by themselves.';

const stop = (about: string, what: string, next: string): Attention => ({ about, tone: 'stop', what, next });
const warn = (about: string, what: string, next: string): Attention => ({ about, tone: 'warn', what, next });

function differs(asset: string, difference: string): Attention {
  const amount = difference.startsWith('-') ? grouped(difference) : `+${grouped(difference)}`;
  return stop(
    `difference ${asset}`,
    `Wallet and ledger differ by ${amount} ${asset}.`,
    'A deposit, a withdrawal or a trade by hand? Nothing is quoted until it is explained.',
  );
}

/** After a jump of the price a start is refused that does not say which price is right. */
const resumeArgument = ({ symbol, reason }: SymbolView): string =>
  isJumpHalt(reason ?? '') ? `${symbol}@PRICE` : symbol;

/** One start resumes all of them. Where the reason itself says how to answer it, nothing else is advised. */
function halted({ symbol, reason, risk, referencePrice }: SymbolView, all: readonly SymbolView[]): Attention {
  const names = all.filter(({ state }) => state === 'halted').map(resumeArgument);
  const settled = reason?.includes('in suspense') === true ? '--accept-differences ' : '';
  const market = isJumpHalt(reason ?? '') && referencePrice !== null ? `The market shows ${referencePrice} now. ` : '';
  const remedy = `${market}Look at orders and market; then start again with ${settled}--resume ${names.join(' ')}.`;
  return stop(
    `symbol ${symbol}`,
    `${symbol}: ${reason ?? 'halted'}`,
    risk.halt?.code === 'journal-stale' ? '' : remedy,
  );
}

function unknownOrders(count: number): Attention[] {
  if (count === 0) return [];
  const what = `What became of ${count} ${count === 1 ? 'order' : 'orders'} is not known.`;
  return [warn('unknown', what, 'The bot finds out by itself; until then they count as open and as filled.')];
}

/** As the alert of the same: from this part of a limit on a loss is worth a look. */
const LOSS_NEAR_RATIO = 0.7;

const LOSS_WORDS: Readonly<Record<string, string>> = {
  'loss-session': ' since the session began',
  'loss-day': ' since midnight UTC',
  'loss-drawdown': ' below its highest profit',
};

function nearLosses({ symbol, quote, risk }: SymbolView): Attention[] {
  return risk.losses.flatMap(({ code, loss, limit }) => {
    if (limit === null || decimal(loss).lt(decimal(limit).mul(LOSS_NEAR_RATIO))) return [];
    const [lost, most] = [loss, limit].map((text) => grouped(decimal(text).toFixed(2)));
    const what = `${symbol} has lost ${lost} of ${most} ${quote}${LOSS_WORDS[code] ?? ''}.`;
    return [warn(`${code} ${symbol}`, what, 'At the limit it is halted and its orders are canceled.')];
  });
}

function foreignOrders({ symbol, foreignOrders: count }: SymbolView): Attention[] {
  if (count === 0) return [];
  const orders = count === 1 ? '1 open order' : `${count} open orders`;
  const what = `${symbol}: ${orders} on the account that are not the bot’s.`;
  return [warn(`foreign ${symbol}`, what, 'They are left alone.')];
}
