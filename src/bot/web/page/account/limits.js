// Use of each limit, the fullest first: look here before the risk gate denies orders.
import { h } from '../dom.js';
import { amount, assetPlaces, count } from '../numbers.js';
import { empty, section, table } from '../parts.js';

/** @import { StatusSnapshot } from '../../../../trader/status/snapshot.ts' */
/** @import { VNode } from '../dom.js' */

/** @typedef {{ readonly name: string, readonly where: string, readonly used: number, readonly words: string }} Used */

/** Fraction of a limit that is worth a look. */
const NEAR = 0.7;
const FULL = 1;

/** @type {Readonly<Record<string, string>>} */
const LOSSES = {
  'loss-session': 'maxSessionLoss',
  'loss-day': 'maxDayLoss',
  'loss-drawdown': 'maxDrawdown',
};

/** @param {StatusSnapshot} trader @returns {VNode} */
export function limits(trader) {
  const used = [...trader.symbols.flatMap(ofSymbol), ...ofMessages(trader.messages)];
  if (used.length === 0) return section('Limits', null, empty('No symbol is configured: nothing is limited.'));
  return section(
    'Limits',
    h('span', {}, 'the fullest first'),
    table({
      label: 'Limits',
      class: 'short',
      columns: [
        { name: 'Limit', cell: ({ name }) => name },
        { name: 'Where', cell: ({ where }) => where },
        { name: 'Used', number: true, cell: usedCell },
        {
          ...{ name: 'Left', number: true, title: 'Headroom, as a share of the limit' },
          cell: ({ used: share }) => percent(Math.max(0, 1 - share)),
        },
        { name: 'In numbers', wide: true, cell: ({ words }) => words },
      ],
      rows: used.toSorted((a, b) => b.used - a.used),
    }),
  );
}

/** @param {StatusSnapshot['symbols'][number]} symbol @returns {Used[]} */
function ofSymbol({ symbol, quote, risk: { limitsUsed, losses } }) {
  const places = assetPlaces(quote);
  return [
    ...Object.entries(limitsUsed).map(([name, used]) => ({ name, where: symbol, used, words: '' })),
    ...losses.flatMap(({ code, loss, limit }) => {
      if (limit === null) return [];
      // A drawdown is never negative; a session or a day may have a profit.
      const shown = code === 'loss-drawdown' && loss.startsWith('-') ? '0' : loss;
      const words = `${amount(shown, places)} of ${amount(limit, places)} ${quote}`;
      return [{ name: LOSSES[code] ?? code, where: symbol, used: Math.max(0, Number(loss) / Number(limit)), words }];
    }),
  ];
}

/** @param {StatusSnapshot['messages']} messages @returns {Used[]} */
const ofMessages = ({ inSecond, inMinute, today, maxPerSecond, maxPerMinute, maxPerDay }) =>
  /** @type {const} */ ([
    ['messages in a second', inSecond, maxPerSecond],
    ['messages in a minute', inMinute, maxPerMinute],
    ['messages today', today, maxPerDay],
  ]).map(([name, sent, most]) => ({
    name,
    where: 'all symbols',
    used: sent / most,
    words: `${count(sent)} of ${count(most)}`,
  }));

/** @param {number} share */
const percent = (share) => `${(share * 100).toFixed(0)} %`;

/** @param {Used} limit */
function usedCell({ used }) {
  const tone = used >= FULL ? 'stop' : used >= NEAR ? 'warn' : null;
  return { text: tone === null ? percent(used) : `▲ ${percent(used)}`, class: tone };
}
