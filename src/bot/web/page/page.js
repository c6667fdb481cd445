// The whole page as a function of the bot's status and the time.
import { account, limits, protections } from './account/account.js';
import { lags, markouts } from './account/measures.js';
import { requests } from './account/requests.js';
import { days } from './books/days.js';
import { trades } from './books/trades.js';
import { h } from './dom.js';
import { assetPlaces, count, grouped, signed, sum } from './numbers.js';
import { age, empty, figure, glyph, stateWord, unit } from './parts.js';
import { botControls, remedyButton } from './steer/controls.js';
import { symbolCard } from './symbol/symbol-card.js';
import { ageText, agoText, momentText } from './times.js';

/** @import { SymbolView } from '../../../trader/status/snapshot.ts' */
/** @import { BotStatus } from '../../status/bot-status.ts' */
/** @import { VNode } from './dom.js' */
/** @import { createHistory } from './history.js' */
/** @import { Session } from './steer/session.js' */

/**
 * `now`: by the bot's clock.
 * @param {BotStatus} status
 * @param {{ now: number, history: ReturnType<typeof createHistory>, session: Session }} context
 */
export function page(status, { now, history, session }) {
  const { trader } = status;
  const { symbols } = trader;
  return [
    masthead(status, { now, session }),
    attentions(status),
    accountFigures(status, now),
    h(
      'main',
      { class: symbols.length === 1 ? 'symbols single' : 'symbols' },
      symbols.length === 0
        ? empty('No symbol is configured. Add one under `runs:` in the configuration, then start again.')
        : null,
      ...symbols.map((symbol) => {
        const reason = ownReason(status, symbol);
        const presence = status.presence.find((each) => each.symbol === symbol.symbol)?.sentence ?? '';
        const drawn = {
          course: history.of(symbol.symbol),
          isOver: status.isPast && !history.isComing(symbol.symbol),
        };
        return symbolCard(symbol, { now, limits: trader.limits, reason, presence, ...drawn });
      }),
    ),
    h('article', { class: 'card' }, trades(symbols), days()),
    h(
      'div',
      { class: 'ground' },
      h('article', { class: 'card' }, account(trader, now), limits(trader), protections(trader, now)),
      h('article', { class: 'card' }, requests(status, history.requestsPerMinute())),
      h('article', { class: 'card' }, markouts(status), lags(trader.readLags, now)),
    ),
    h(
      'footer',
      {},
      `${status.program} ${status.version}, started ${agoText(status.startedAt, now)} with ${status.files.join(', ')}`,
      status.paperInstance === null ? '' : `; paper exchange ${status.paperInstance}`,
      `; last sign of life ${agoText(status.deadMan.leaseRenewedAt, now)}${watchdogWords(status, now)}`,
    ),
  ];
}

/** @param {BotStatus} status @param {number} now @returns {string} */
function watchdogWords({ deadMan: { watchdog, watchdogSeenAt } }, now) {
  if (watchdog === 'not-asked') return '';
  return `; watchdog ${watchdog === 'alive' ? 'alive' : 'MISSING'}, seen ${agoText(watchdogSeenAt, now)}`;
}

/** @param {BotStatus} status @returns {string} */
export const titleOf = (status) =>
  `${modeText(status)} · ${isGone(status) ? 'GONE' : status.isPast ? 'STOPPED' : status.headline.word} · quotekeeper`;

/** Whether the bot's process ended without an orderly end. @param {BotStatus} status */
export const isGone = ({ isPast, trader }) => isPast && trader.phase !== 'stopped';

/**
 * Why a symbol is not quoted, for its own card: empty if the head of the page says it already.
 * @param {BotStatus} status
 * @param {SymbolView} symbol
 */
function ownReason({ headline, trader }, { reason }) {
  if (reason === null || headline.sentence.includes(reason) || trader.blockers.includes(reason)) return '';
  return reason;
}

/** @param {BotStatus} status @returns {string} */
export const modeText = ({ mode }) => mode.toUpperCase();

/** The mode's meaning for money. @type {Readonly<Record<BotStatus['mode'], string>>} */
const MODES = {
  paper: 'Everything happens on this machine: no real money.',
  live: 'Orders go to the exchange: this is real money.',
};

/** @param {BotStatus} status @param {{ now: number, session: Session }} context @returns {VNode} */
function masthead(status, { now, session }) {
  const { trader, mode, headline, timeZone } = status;
  const { sentence, next, remedy } = headline;
  return h(
    'header',
    { class: 'masthead' },
    h('span', { class: `mode ${mode}`, title: MODES[mode] }, modeText(status)),
    h('h1', {}, stateWord(headline)),
    h('p', { class: 'sentence' }, sentence, next === '' ? null : h('span', { class: 'next' }, ` ${next}`)),
    remedyButton(remedy),
    botControls(status, session),
    h(
      'p',
      { class: 'aside' },
      isGone(status) ? 'gone; ' : `${trader.phase}; `,
      h('time', { title: momentText(trader.at) }, `as of ${ageText(now - trader.at)} ago`),
      `; times of ${timeZone}`,
    ),
  );
}

/** @param {BotStatus} status @returns {VNode} */
function attentions({ attentions: found }) {
  return h(
    'ul',
    { class: 'attentions', hidden: found.length === 0 },
    found.map(({ tone, what, next, remedy }) =>
      h('li', { class: tone }, glyph(tone), ' ', h('b', {}, what), next === '' ? '' : ` ${next}`, remedyButton(remedy)),
    ),
  );
}

/** @param {BotStatus} status @param {number} now @returns {VNode} */
function accountFigures({ trader, lanes }, now) {
  const { clock, limits, unknownOrders, latched } = trader;
  const throttled = lanes.reduce((total, lane) => total + lane.throttledTotal, 0);
  return h(
    'dl',
    { class: 'figures account' },
    ...profits(trader, now),
    ownOrders(trader, now),
    figure('Unknown orders', count(unknownOrders), unknownOrders === 0 ? 'every outcome is known' : 'being found out'),
    contactFigure(trader, now),
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
      clock === null
        ? 'not known yet'
        : `against ours; must be known to ± ${grouped(String(Math.round(limits.clockUncertaintyMs)))} ms`,
    ),
    figure('Throttled', count(throttled), 'requests refused as too many, or unavailable'),
    figure('Kill latch', latched === null ? 'not set' : 'SET', 'while it is set, nothing is quoted'),
  );
}

/**
 * Orders by their standing: only a live one is a quote.
 * @param {BotStatus['trader']} trader
 * @param {number} now
 */
function ownOrders({ symbols, limits }, now) {
  const orders = symbols.flatMap((symbol) => symbol.orders);
  const words = { live: 'live', placing: 'on the way', leaving: 'leaving', unknown: 'unknown' };
  const counts = Object.entries(words).map(([standing, word]) => {
    const many = orders.filter((order) => order.standing === standing).length;
    return many === 0 && standing !== 'live' ? null : `${count(many)} ${word}`;
  });
  const reads = symbols.map(({ openOrdersSentAt }) => openOrdersSentAt);
  return figure(
    'Own orders',
    count(orders.length),
    counts.filter((each) => each !== null).join(', '),
    h('span', {}, 'list read ', age(oldest(reads), { now, limitMs: limits.openOrdersAgeMs })),
  );
}

/** @param {BotStatus['trader']} trader @param {number} now @returns {VNode} */
function contactFigure({ contact: { usedAt, silentSince, probes } }, now) {
  const value = h('span', { class: silentSince === null ? null : 'stop' }, agoText(usedAt, now));
  return figure(
    'Last answer',
    value,
    silentSince === null ? 'of the exchange, used by the bot' : `${count(probes)} requests unanswered since`,
  );
}

/** @param {readonly (number | null)[]} moments @returns {number | null} */
const oldest = (moments) =>
  moments.reduce((least, each) => (least === null || each === null ? null : Math.min(least, each)), moments[0] ?? null);

/**
 * Profit by quote asset: rupees and dollars don't add up.
 * @param {BotStatus['trader']} trader
 * @param {number} now
 */
function profits({ symbols, limits }, now) {
  const byQuote = Map.groupBy(symbols, ({ quote }) => quote);
  return [...byQuote].map(([quote, alike]) => {
    const total = alike.map(({ pnl }) => pnl.total).reduce(sum);
    const pricedAt = oldest(alike.map(({ pnl }) => pnl.pricedAt));
    return figure(
      'Profit and loss',
      [signed(total, assetPlaces(quote)), unit(quote)],
      h('span', {}, 'at prices of ', age(pricedAt, { now, limitMs: limits.bookAgeMs })),
    );
  });
}
