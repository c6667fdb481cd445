// What the bot does, said in one sentence, and what a person should look at.
import { amount, assetPlaces, counted, isZero, signed } from './numbers.js';

/** @import { BotStatus } from '../bot-status.ts' */
/** @import { SymbolView } from '../../trader/snapshot.ts' */

/**
 * @typedef {'good' | 'calm' | 'warn' | 'stop'} Tone
 * @typedef {{ readonly tone: Tone, readonly word: string, readonly sentence: string }} Verdict
 * @typedef {{ readonly tone: Tone, readonly what: string, readonly next: string }} Attention
 */

/** The words for a symbol's state; the glyph stands for the colour where there is none. */
export const SYMBOL_STATES = /** @type {const} */ ({
  quoting: { tone: 'good', glyph: '●', word: 'Quoting' },
  waiting: { tone: 'warn', glyph: '○', word: 'Waiting' },
  paused: { tone: 'warn', glyph: '❚❚', word: 'Paused' },
  halted: { tone: 'stop', glyph: '■', word: 'Halted' },
});

/** @param {BotStatus} status @returns {Verdict} */
export function verdictOf(status) {
  const { trader, stopping, deadMan } = status;
  const [blocker] = trader.blockers;
  if (trader.latched !== null) return { tone: 'stop', word: 'Latched', sentence: ended(trader.latched) };
  if (trader.phase === 'stopped')
    return { tone: 'calm', word: 'Stopped', sentence: ended(stopping ?? 'The bot has ended.') };
  if (trader.phase === 'stopping') {
    const open = trader.symbols.reduce((sum, { orders }) => sum + orders.length, 0);
    const why = ended(stopping ?? 'The bot is stopping.');
    return { tone: 'warn', word: 'Stopping', sentence: `${why} ${counted(open, 'order')} left to be proved gone.` };
  }
  if (trader.phase === 'paused' && deadMan.watchdog === 'missing')
    return { tone: 'stop', word: 'No watchdog', sentence: 'No watchdog shows that it lives: nothing is quoted.' };
  if (trader.phase === 'paused')
    return { tone: 'warn', word: 'Paused', sentence: `${ended(trader.paused ?? 'Paused.')} Nothing is quoted.` };
  if (blocker !== undefined) {
    return { tone: 'warn', word: trader.phase === 'starting' ? 'Starting' : 'Not quoting', sentence: ended(blocker) };
  }
  return symbolsVerdict(trader.symbols);
}

/** @param {readonly SymbolView[]} symbols @returns {Verdict} */
function symbolsVerdict(symbols) {
  const quoting = symbols.filter(({ state }) => state === 'quoting');
  const other = symbols.find(({ state }) => state !== 'quoting');
  if (symbols.length === 0) return { tone: 'warn', word: 'Idle', sentence: 'No symbol is configured.' };
  if (other !== undefined) {
    const rest = `${other.symbol} is ${other.state}: ${ended(other.reason ?? 'no reason was given.')}`;
    if (quoting.length === 0)
      return { tone: other.state === 'halted' ? 'stop' : 'warn', word: 'Not quoting', sentence: rest };
    return { tone: 'warn', word: `Quoting ${quoting.length} of ${symbols.length}`, sentence: rest };
  }
  const oneSided = quoting.find(({ noQuote }) => noQuote.buy !== null || noQuote.sell !== null);
  const names = listed(quoting.map(({ symbol }) => symbol));
  if (oneSided === undefined) return { tone: 'good', word: 'Quoting', sentence: `Both sides of ${names}.` };
  const [side, why] = oneSided.noQuote.buy === null ? ['ask', oneSided.noQuote.sell] : ['bid', oneSided.noQuote.buy];
  return { tone: 'good', word: 'Quoting', sentence: `${names}; no ${side} in ${oneSided.symbol}: ${ended(why ?? '')}` };
}

/** As the alert of the same: from this part of a limit on a loss is worth a look. */
const LOSS_NEAR_RATIO = 0.7;

/** @type {Readonly<Record<string, string>>} */
const LOSS_WORDS = {
  'loss-session': 'since the session began',
  'loss-day': 'since midnight UTC',
  'loss-drawdown': 'below its highest profit',
};

/** What needs a person, most urgent first, each with what to do. @param {BotStatus} status @returns {Attention[]} */
export function attentionsOf({ trader, deadMan }) {
  /** @type {Attention[]} */
  const found = [];
  /** @type {(tone: Tone, what: string, next: string) => void} */
  const say = (tone, what, next) => void found.push({ tone, what, next });
  if (trader.latched !== null) {
    say(
      'stop',
      `The kill latch is set: ${trader.latched}`,
      'Look at the exchange; then `quotekeeper rearm`, and start the bot.',
    );
  }
  if (deadMan.watchdog === 'missing') {
    say(
      'stop',
      'No watchdog shows that it lives, and the configuration requires one.',
      'Start `quotekeeper watchdog` with the same configuration; quotes come back by themselves.',
    );
  }
  for (const { asset, difference } of trader.assets) {
    if (difference === null || isZero(difference)) continue;
    say(
      'stop',
      `Wallet and ledger differ by ${signed(difference, places(difference))} ${asset}.`,
      'A deposit, a withdrawal or a trade by hand? Quotes stay away until it is explained.',
    );
  }
  for (const { symbol, state, reason } of trader.symbols) {
    if (state === 'halted')
      say(
        'stop',
        `${symbol}: ${reason ?? 'halted'}`,
        `Look at its orders and its market; then start again with --resume ${symbol}.`,
      );
  }
  if (trader.unknownOrders > 0) {
    say(
      'warn',
      `What became of ${counted(trader.unknownOrders, 'order')} is not known.`,
      'The bot finds out by itself; until then they count as open and as filled.',
    );
  }
  for (const { symbol, quote, risk } of trader.symbols) {
    for (const { code, loss, limit } of risk.losses) {
      if (limit === null || Number(loss) / Number(limit) < LOSS_NEAR_RATIO) continue;
      const money = [loss, limit].map((text) => amount(text, assetPlaces(quote)));
      say(
        'warn',
        `${symbol} has lost ${money[0]} of ${money[1]} ${quote} ${LOSS_WORDS[code] ?? ''}`.trimEnd().concat('.'),
        'At the limit it is halted and its orders are canceled.',
      );
    }
  }
  for (const blocker of trader.blockers.slice(1)) say('warn', blocker, '');
  for (const { symbol, foreignOrders } of trader.symbols) {
    if (foreignOrders > 0)
      say(
        'warn',
        `${symbol}: ${counted(foreignOrders, 'open order')} on the account that are not the bot’s.`,
        'They are left alone.',
      );
  }
  return found;
}

/** @param {string} text @returns {number} */
const places = (text) => text.split('.')[1]?.length ?? 0;

/** @param {string} text @returns {string} */
const ended = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** @param {readonly string[]} names @returns {string} */
function listed(names) {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
