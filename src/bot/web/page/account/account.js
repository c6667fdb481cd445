// Balances of the account, ledger against wallet, to the last digit; limits and locks.
import { h } from '../dom.js';
import { amount, assetPlaces, count, isZero, placesOf, signed } from '../numbers.js';
import { age, empty, section, table } from '../parts.js';
import { button } from '../steer/controls.js';
import { ageText, agoText, momentText } from '../times.js';

/** @import { AssetView, StatusSnapshot } from '../../../../trader/status/snapshot.ts' */
/** @import { VNode } from '../dom.js' */
/** @import { Column } from '../parts.js' */

/** @type {readonly Column<AssetView>[]} */
const COLUMNS = [
  { name: 'Asset', cell: ({ asset }) => ({ text: h('b', {}, asset) }) },
  { name: 'Ledger', number: true, title: 'What the bot’s books say', cell: (view) => money(view.expected, view) },
  { name: 'Wallet', number: true, title: 'What the exchange says', cell: (view) => money(view.wallet, view) },
  { name: 'Difference', number: true, cell: differenceCell },
  {
    ...{ name: 'In orders', number: true, title: 'Of the ledger’s total, reserved for orders that may be live' },
    cell: (view) => unlessZero(view.reserved, view),
  },
  { name: 'Fees paid', number: true, cell: (view) => unlessZero(view.feesPaid, view) },
  {
    ...{ name: 'Tax withheld', number: true, title: 'Held back by the exchange: yours to claim' },
    cell: (view) => unlessZero(view.taxWithheld, view),
  },
  {
    ...{ name: 'Cash lasts', number: true, title: 'Until all of it is withheld, at the turnover of the last hour' },
    cell: ({ cashRunwayDays: days }) =>
      days === null ? '–' : days >= 100 ? 'over 100 days' : `${days.toFixed(1)} days`,
  },
];

/** @param {StatusSnapshot} trader @param {number} now @returns {VNode} */
export function account({ assets, walletSentAt, reconciledAt, limits }, now) {
  const equal = h(
    'span',
    {},
    'wallet ',
    age(walletSentAt, { now }),
    '; last equal ',
    age(reconciledAt, { now, limitMs: limits.reconciledAgeMs }),
  );
  if (assets.length === 0) return section('Balances', equal, empty('No symbol is configured: add one under `runs:`.'));
  return section(
    'Balances',
    equal,
    table({ label: 'Balances', columns: COLUMNS, rows: assets }),
    walletSentAt === null
      ? empty('The wallet has not been read yet: it is read once the clock of the exchange is known.')
      : null,
  );
}

/** @param {string | null} text @param {AssetView} view */
const money = (text, { asset }) => ({
  text: amount(text, assetPlaces(asset)),
  title: text === null ? 'Not read yet' : `${text} ${asset}`,
});

/** @param {string} text @param {AssetView} view */
const unlessZero = (text, view) => (isZero(text) ? '–' : money(text, view));

/** @param {AssetView} view */
function differenceCell({ difference, asset, differenceStands: stands }) {
  if (difference === null) return { text: '–', title: 'Not compared yet' };
  if (isZero(difference)) return { text: 'equal', title: 'To the last digit', class: 'good' };
  const title = `${difference} ${asset}${stands ? '' : ': a fill that one of them does not show yet?'}`;
  return { text: `▲ ${signed(difference, placesOf(difference))}`, title, class: stands ? 'stop' : 'warn' };
}

// Use of each limit, the fullest first: look here before the risk gate denies orders.

/**
 * `name` and `where` say which limit it is.
 * @typedef {{ readonly name: string, readonly where: string, readonly share: number,
 *   readonly used: string, readonly most: string, readonly unit: string }} Used
 */

/** Fraction of a limit that is worth a look. */
const NEAR = 0.7;
const FULL = 1;
/** Of all symbols, or those with one quote asset. */
const OVER_ALL = /OverAll$/;

/** @type {Readonly<Record<string, string>>} */
const LOSSES = {
  'loss-session': 'maxSessionLoss',
  'loss-day': 'maxDayLoss',
  'loss-drawdown': 'maxDrawdown',
};

/** @param {StatusSnapshot} trader @returns {VNode} */
export function limits(trader) {
  const all = [...trader.symbols.flatMap(ofSymbol), ...ofMessages(trader.messages)];
  if (all.length === 0) return section('Limits', null, empty('No symbol is configured: nothing is limited.'));
  // Symbols share some; of different amounts of one limit the fullest counts.
  const fullest = all.sort((a, b) => a.share - b.share).map((each) => [`${each.name} ${each.where}`, each]);
  return section(
    'Limits',
    h('span', {}, 'the fullest first'),
    table({
      label: 'Limits',
      class: 'short',
      columns: [
        { name: 'Limit', cell: ({ name }) => name },
        { name: 'Where', cell: ({ where }) => where },
        { name: 'Full', number: true, cell: shareCell },
        { name: 'Used', number: true, cell: ({ used }) => used },
        { name: 'Most', number: true, cell: ({ most }) => most },
        { name: 'Unit', wide: true, cell: ({ unit }) => unit },
      ],
      rows: Object.values(Object.fromEntries(fullest)).sort((a, b) => b.share - a.share),
    }),
  );
}

/** @param {StatusSnapshot['symbols'][number]} symbol @returns {Used[]} */
function ofSymbol({ symbol, base, quote, lotSize, risk: { limitsUsed, losses } }) {
  const units = { orders: 'orders', base, quote };
  const places = { orders: 0, base: placesOf(lotSize), quote: assetPlaces(quote) };
  return [
    ...limitsUsed.flatMap(({ name, share, used, most, unit }) => {
      if (most === null) return [];
      const all = unit === 'quote' ? `all in ${quote}` : 'all symbols';
      const amounts = { used: amount(used, places[unit]), most: amount(most, places[unit]), unit: units[unit] };
      return [{ name, where: OVER_ALL.test(name) ? all : symbol, share, ...amounts }];
    }),
    ...losses.flatMap(({ code, loss, limit }) => {
      if (limit === null) return [];
      // A drawdown is never negative; a session or a day may have a profit.
      const shown = code === 'loss-drawdown' && loss.startsWith('-') ? '0' : loss;
      const amounts = { used: amount(shown, places.quote), most: amount(limit, places.quote), unit: quote };
      const share = Math.max(0, Number(loss) / Number(limit));
      return [{ name: LOSSES[code] ?? code, where: symbol, share, ...amounts }];
    }),
  ];
}

/** @param {StatusSnapshot['messages']} messages @returns {Used[]} */
const ofMessages = ({ inSecond, inMinute, today, maxPerSecond, maxPerMinute, maxPerDay }) =>
  /** @type {const} */ ([
    ['maxPerSecond', inSecond, maxPerSecond],
    ['maxPerMinute', inMinute, maxPerMinute],
    ['maxPerDay', today, maxPerDay],
  ]).map(([name, sent, most]) => ({
    ...{ name, where: 'all symbols', share: sent / most },
    ...{ used: count(sent), most: count(most), unit: 'messages' },
  }));

/** @param {Used} limit */
function shareCell({ share }) {
  const tone = share >= FULL ? 'stop' : share >= NEAR ? 'warn' : null;
  const text = `${(share * 100).toFixed(0)} %`;
  return { text: tone === null ? text : `▲ ${text}`, class: tone };
}

// Current locks: by whom, why, and until when.

/** @param {StatusSnapshot} trader @param {number} now @returns {VNode} */
export function protections({ symbols }, now) {
  const locks = symbols.flatMap(({ symbol, risk }) => risk.locks.map((lock) => ({ symbol, ...lock })));
  if (locks.length === 0)
    return section('Locks', null, empty('None: neither a protection nor a person holds anything back.'));
  return section(
    'Locks',
    h('span', {}, `${locks.length}`),
    table({
      label: 'Locks',
      class: 'locks',
      columns: [
        { name: 'Symbol', cell: ({ symbol }) => symbol },
        { name: 'Side', cell: ({ side }) => side ?? 'both' },
        { name: 'By', cell: ({ code }) => (code === 'operator' ? 'a person' : code) },
        { name: 'Since', cell: ({ since }) => ({ text: agoText(since, now), title: momentText(since) }) },
        {
          name: 'Ends',
          cell: ({ until }) =>
            until === null
              ? 'when somebody resumes it'
              : { text: `in ${ageText(until - now)}`, title: momentText(until) },
        },
        {
          name: '',
          cell: ({ symbol: of }) => ({
            text: button('resume', 'Resume …', { 'data-of': of, 'aria-label': `Take the locks off ${of}` }),
          }),
        },
        { name: 'Why', wide: true, cell: ({ reason }) => reason },
      ],
      rows: locks,
    }),
  );
}
