// The whole page as a function of the bot's status and the moment.
import { account } from './account.js';
import { h } from './dom.js';
import { assetPlaces, count, signed, sum } from './numbers.js';
import { age, empty, figure, unit } from './parts.js';
import { requests } from './requests.js';
import { attentionsOf, verdictOf } from './sentences.js';
import { symbolCard } from './symbol-card.js';
import { ageText, agoText, momentText } from './times.js';

/** @import { BotStatus } from '../bot-status.ts' */
/** @import { VNode } from './dom.js' */
/** @import { createHistory } from './history.js' */
/** @import { Tone } from './sentences.js' */

/** @type {Readonly<Record<Tone, string>>} */
const GLYPHS = { good: '●', calm: '○', warn: '▲', stop: '■' };

/**
 * `now` is by the bot's clock.
 * @param {BotStatus} status
 * @param {{ now: number, history: ReturnType<typeof createHistory> }} context
 * @returns {VNode[]}
 */
export function page(status, { now, history }) {
  const { trader } = status;
  const { limits, symbols } = trader;
  return [
    masthead(status, now),
    attentions(status),
    accountFigures(status, now),
    h(
      'main',
      { class: symbols.length === 1 ? 'symbols single' : 'symbols' },
      symbols.length === 0
        ? empty('No symbol is configured. Add one under `runs:` in the configuration, then start again.')
        : null,
      ...symbols.map((symbol) => symbolCard(symbol, { now, limits, history: history.of(symbol.symbol) })),
    ),
    h(
      'div',
      { class: 'ground' },
      h('article', { class: 'card' }, account(trader, now)),
      h('article', { class: 'card' }, requests(status, history.requestsPerMinute())),
    ),
    h(
      'footer',
      {},
      `${status.program} ${status.version}, started ${agoText(status.startedAt, now)} with ${status.files.join(', ')}`,
      status.paperInstance === null ? '' : `; paper exchange ${status.paperInstance}`,
      `; last completed cycle ${agoText(status.deadMan.leaseRenewedAt, now)}${watchdogWords(status, now)}`,
    ),
  ];
}

/** @param {BotStatus} status @param {number} now @returns {string} */
function watchdogWords({ deadMan: { watchdog, watchdogSeenAt } }, now) {
  if (watchdog === 'not-asked') return '';
  return `; watchdog ${watchdog === 'alive' ? 'alive' : 'MISSING'}, seen ${agoText(watchdogSeenAt, now)}`;
}

/** @param {BotStatus} status @returns {string} */
export const titleOf = (status) => `${modeText(status)} · ${verdictOf(status).word} · quotekeeper`;

/** @param {BotStatus} status @returns {string} */
export const modeText = ({ mode }) => mode.toUpperCase();

/** What the mode means for money. @type {Readonly<Record<BotStatus['mode'], string>>} */
const MODES = {
  paper: 'Everything happens on this machine: no real money.',
  shadow: 'The live market’s data, a paper exchange’s orders: no real money.',
  live: 'Orders go to the exchange: this is real money.',
};

/** @param {BotStatus} status @param {number} now @returns {VNode} */
function masthead(status, now) {
  const { trader, mode } = status;
  const { tone, word, sentence } = verdictOf(status);
  return h(
    'header',
    { class: 'masthead' },
    h('span', { class: `mode ${mode}`, title: MODES[mode] }, modeText(status)),
    h(
      'h1',
      {},
      h(
        'span',
        { class: `state-word ${tone}` },
        h('span', { class: 'glyph', 'aria-hidden': 'true' }, GLYPHS[tone]),
        ` ${word}`,
      ),
    ),
    h('p', { class: 'sentence' }, sentence),
    h(
      'p',
      { class: 'aside' },
      `${trader.phase}; `,
      h('time', { title: momentText(trader.at) }, `as of ${ageText(now - trader.at)} ago`),
    ),
  );
}

/** @param {BotStatus} status @returns {VNode} */
function attentions(status) {
  const found = attentionsOf(status);
  return h(
    'ul',
    { class: 'attentions', hidden: found.length === 0 },
    found.map(({ tone, what, next }) =>
      h(
        'li',
        { class: tone },
        h('span', { class: 'glyph', 'aria-hidden': 'true' }, GLYPHS[tone]),
        ' ',
        h('b', {}, what),
        next === '' ? '' : ` ${next}`,
      ),
    ),
  );
}

/** @param {BotStatus} status @param {number} now @returns {VNode} */
function accountFigures({ trader, lanes }, now) {
  const { clock, limits, unknownOrders, latched, symbols } = trader;
  const orders = symbols.reduce((total, symbol) => total + symbol.orders.length, 0);
  const throttled = lanes.reduce((total, lane) => total + lane.throttledTotal, 0);
  return h(
    'dl',
    { class: 'figures account' },
    ...profits(trader),
    figure('Open orders', count(orders), `in ${symbols.length === 1 ? '1 symbol' : `${symbols.length} symbols`}`),
    figure('Unknown orders', count(unknownOrders), unknownOrders === 0 ? 'every outcome is known' : 'being found out'),
    figure(
      'Wallet equals ledger',
      age(trader.reconciledAt, { now, limitMs: limits.reconciledAgeMs }),
      'to the last digit',
    ),
    figure(
      'Exchange’s clock',
      clock === null
        ? '–'
        : [`${signed(String(Math.round(clock.offsetMs)), 0)} ms`, unit(`± ${Math.round(clock.uncertaintyMs)}`)],
      clock === null ? 'not known yet' : `may be ± ${Math.round(limits.clockUncertaintyMs)} ms`,
    ),
    figure('Throttled', count(throttled), 'answers 429, 503, 504'),
    figure('Kill latch', latched === null ? 'not set' : 'SET', latched ?? 'set, it stops everything'),
  );
}

/** Profit by quote asset: rupees and dollars don't add up. @param {BotStatus['trader']} trader @returns {VNode[]} */
function profits({ symbols }) {
  /** @type {Map<string, string>} */
  const totals = new Map();
  for (const { quote, pnl } of symbols) totals.set(quote, sum(totals.get(quote) ?? '0', pnl.total));
  return [...totals].map(([quote, total]) =>
    figure('Profit and loss', [signed(total, assetPlaces(quote)), unit(quote)], 'since the ledger was opened'),
  );
}
