// Balances of the account: ledger against wallet, to the last digit.
import { h } from '../dom.js';
import { amount, assetPlaces, isZero, placesOf, signed } from '../numbers.js';
import { age, empty, section, table } from '../parts.js';

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
