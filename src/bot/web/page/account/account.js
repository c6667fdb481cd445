// Balances of the account: ledger against wallet, to the last digit.
import { h } from '../dom.js';
import { assetPlaces, grouped, isZero, rounded, signed } from '../numbers.js';
import { age, empty, section, table } from '../parts.js';

/** @import { AssetView, StatusSnapshot } from '../../../../trader/status/snapshot.ts' */
/** @import { VNode } from '../dom.js' */
/** @import { Row } from '../parts.js' */

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
    table({
      label: 'Balances',
      columns: [
        { name: 'Asset' },
        { name: 'Ledger', number: true, title: 'What the bot’s books say' },
        { name: 'Wallet', number: true, title: 'What the exchange says' },
        { name: 'Difference', number: true },
        { name: 'In orders', number: true, title: 'Of the ledger’s total, reserved for orders that may be live' },
        { name: 'Fees paid', number: true },
        { name: 'Tax withheld', number: true, title: 'Held back by the exchange: yours to claim' },
        { name: 'Cash lasts', number: true, title: 'Until all of it is withheld, at the turnover of the last hour' },
      ],
      rows: assets.map(rowOf),
    }),
    walletSentAt === null
      ? empty('The wallet has not been read yet: it is read once the clock of the exchange is known.')
      : null,
  );
}

/** @param {AssetView} asset @returns {Row} */
function rowOf({ asset, expected, wallet, difference, differenceStands, reserved, feesPaid, taxWithheld, ...rest }) {
  const { cashRunwayDays } = rest;
  const places = assetPlaces(asset);
  const money = (/** @type {string | null} */ text) => ({
    text: text === null ? '–' : grouped(rounded(text, places)),
    title: text === null ? 'Not read yet' : `${text} ${asset}`,
  });
  const small = (/** @type {string} */ text) => (isZero(text) ? '–' : money(text));
  return {
    cells: [
      h0(asset),
      money(expected),
      money(wallet),
      differenceCell(difference, asset, differenceStands),
      small(reserved),
      small(feesPaid),
      small(taxWithheld),
      { text: cashRunwayDays === null ? '–' : lasts(cashRunwayDays) },
    ],
  };
}

/** @param {number} days */
const lasts = (days) => (days >= 100 ? 'over 100 days' : `${days.toFixed(1)} days`);

/** @param {string} asset */
const h0 = (asset) => ({ text: h('b', {}, asset) });

/** @param {AssetView['difference']} difference @param {string} asset @param {boolean} stands */
function differenceCell(difference, asset, stands) {
  if (difference === null) return { text: '–', title: 'Not compared yet' };
  if (isZero(difference)) return { text: 'equal', title: 'To the last digit', class: 'good' };
  const places = difference.split('.')[1]?.length ?? 0;
  const title = `${difference} ${asset}${stands ? '' : ': a fill that one of them does not show yet?'}`;
  return { text: `▲ ${signed(difference, places)}`, title, class: stands ? 'stop' : 'warn' };
}
