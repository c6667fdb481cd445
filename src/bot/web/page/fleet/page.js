// The page of all accounts as a function of what their processes have told.
import { h } from '../dom.js';
import { amount, assetPlaces, counted, signed } from '../numbers.js';
import { glyph, stateWord, table } from '../parts.js';
import { button, signInControls } from '../steer/controls.js';
import { ageText } from '../times.js';

/** @import { Verdict } from '../../../../trader/status/standing.ts' */
/** @import { AccountView, ProcessView } from '../../../fleet/fleet-control.ts' */
/** @import { FleetNews } from '../../../fleet/fleet-page.ts' */
/** @import { VNode } from '../dom.js' */
/** @import { Session } from '../steer/session.js' */

/** @typedef {NonNullable<ProcessView['status']>['symbols'][number]} Quoted */

/** Accounts with trouble come first. @param {FleetNews} news @param {Session} session */
export function fleetPage({ accounts, shares }, session) {
  const byTrouble = accounts.toSorted((a, b) => Number(isTroubled(b)) - Number(isTroubled(a)));
  return [
    masthead(accounts, session),
    h('main', { class: 'symbols' }, byTrouble.map(accountCard)),
    h(
      'footer',
      {},
      ...Object.entries(shares).map(([resource, used]) => h('p', {}, `reserved of ${resource}: ${used}`)),
    ),
  ];
}

/** @param {FleetNews} news @returns {string} */
export const titleOf = ({ accounts }) => `${summaryOf(accounts).word} · fleet · quotekeeper`;

/** Whether a person should look at it. @param {AccountView} account */
const isTroubled = (account) =>
  account.trouble !== null ||
  ['warn', 'stop'].includes(verdictOf(account).tone) ||
  (botOf(account)?.status?.attentions ?? 0) > 0;

/** @param {readonly AccountView[]} accounts @returns {Verdict} */
function summaryOf(accounts) {
  const troubled = accounts.filter(isTroubled);
  if (troubled.length === 0) return { tone: 'good', word: 'All is well' };
  const tone = troubled.some((each) => verdictOf(each).tone === 'stop') ? 'stop' : 'warn';
  return { tone, word: `${troubled.length} of ${accounts.length} to look at` };
}

/** @param {readonly AccountView[]} accounts @param {Session} session @returns {VNode} */
function masthead(accounts, session) {
  const words = [...Map.groupBy(accounts, (each) => verdictOf(each).word)];
  return h(
    'header',
    { class: 'masthead' },
    h('h1', {}, stateWord(summaryOf(accounts))),
    h(
      'p',
      { class: 'sentence' },
      `${counted(accounts.length, 'account')}: ${words.map(([word, alike]) => `${alike.length} ${word}`).join(', ')}`,
    ),
    h('div', { class: 'controls' }, ...buttons(null), ...signInControls(session)),
  );
}

/** For one account, or for all. @param {string | null} of */
const buttons = (of) =>
  /** @type {const} */ ([
    ['pause', 'Pause', 'Pause all', null],
    ['resume', 'Resume', 'Resume all', null],
    ['stop', 'Stop', 'Stop all', 'stop'],
    ['cancel-all', 'Cancel all', 'Cancel all', 'stop'],
  ]).map(([action, one, all, tone]) =>
    button(action, `${of === null ? all : one} …`, {
      ...{ 'data-of': of, class: tone, 'aria-label': of === null ? null : `${one} ${of}` },
    }),
  );

/** The process that has the account; else the bot that told something last. @param {AccountView} account */
function botOf({ heldBy, processes }) {
  const bots = processes.filter(({ role }) => role === 'bot').toSorted((a, b) => a.agoMs - b.agoMs);
  return bots.find(({ holder }) => holder === heldBy) ?? bots[0] ?? null;
}

/** @param {AccountView} account @returns {Verdict} */
function verdictOf(account) {
  const { heldBy, latch } = account;
  const bot = botOf(account);
  if (latch !== null) return { tone: 'stop', word: 'Latched' };
  if (heldBy === null) return { tone: 'warn', word: 'No bot' };
  if (bot === null || bot.isSilent || bot.holder !== heldBy) return { tone: 'stop', word: 'Silent' };
  return bot.status ?? { tone: 'warn', word: 'Of another version' };
}

/** @param {AccountView} view @returns {VNode} */
function accountCard(view) {
  const { account, trouble, processes } = view;
  const bot = botOf(view);
  const status = bot?.status ?? null;
  const verdict = verdictOf(view);
  // A sentence of a bot that is silent, or has ended, is no longer true.
  const isNow = status !== null && verdict.word === status.word;
  return h(
    'article',
    { class: 'card', 'data-account': account },
    h(
      'header',
      {},
      h('h2', {}, account),
      stateWord(verdict),
      h(
        'p',
        { class: 'reason' },
        isNow ? status.sentence : trouble,
        isNow && status.next !== '' ? h('b', {}, ` ${status.next}`) : null,
        isNow && status.attentions > 0 ? ` ${counted(status.attentions, 'other thing')} to look at.` : null,
      ),
      pageLink(status?.page ?? null),
      h('span', { class: 'controls' }, ...buttons(account)),
    ),
    status === null || status.symbols.length === 0 ? null : symbolsTable(account, status.symbols, isNow),
    h('footer', { class: 'section' }, processes.map(processLine)),
  );
}

/** A bot on another host tells the address that it has there. @param {string | null} page */
const pageLink = (page) =>
  page === null || !/^https?:\/\//.test(page)
    ? null
    : h('a', { class: 'aside', href: `${page}/`, rel: 'noreferrer' }, 'Page of the bot');

/** @param {ProcessView} process @returns {VNode} */
const processLine = ({ role, holder, agoMs, isSilent, status }) =>
  h(
    'p',
    { class: isSilent ? 'note warn' : 'note' },
    ...[isSilent ? glyph('warn') : null, isSilent ? ' ' : null, h('b', {}, role), ` at ${holder}`],
    `${role === 'bot' || status === null ? '' : `: ${status.sentence}`} · seen ${ageText(agoMs)} ago`,
  );

/** @param {string} account @param {readonly Quoted[]} rows @param {boolean} isNow @returns {VNode} */
const symbolsTable = (account, rows, isNow) =>
  table({
    label: `Symbols of ${account}`,
    columns: [
      { name: 'Symbol', cell: ({ symbol }) => symbol },
      { name: 'State', wide: true, cell: ({ state }) => (isNow ? state : `was ${state}`) },
      {
        ...{ name: 'Both sides', number: true, title: 'Time with quotes on both sides, of the last hour' },
        cell: ({ presence }) => (presence === null ? '–' : `${(100 * presence).toFixed(1)} %`),
      },
      { name: 'Profit', number: true, cell: ({ profit }) => money(profit, signed) },
      { name: 'Day loss', number: true, cell: ({ dayLoss }) => amount(dayLoss, 2) },
      { name: 'Inventory', number: true, cell: ({ inventory }) => money(inventory, amount) },
    ],
    classOf: () => (isNow ? null : 'same'),
    rows,
  });

/** `12.5 INR`, with the digits of that asset. @param {string} text @param {typeof amount} form */
function money(text, form) {
  const [value = '', asset = ''] = text.split(' ');
  return { text: `${form(value, assetPlaces(asset))} ${asset}`, title: text };
}
