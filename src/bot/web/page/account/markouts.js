// Price moves after own fills: earned at the fill, and how much of it is left later.
import { h } from '../dom.js';
import { bps, count, signed } from '../numbers.js';
import { empty, section, table } from '../parts.js';

/** @import { BotStatus } from '../../../status/bot-status.ts' */
/** @import { VNode } from '../dom.js' */

/** @param {BotStatus} status @returns {VNode} */
export function markouts({ markouts: sums }) {
  const aside = h('span', {}, 'since the start, against the trusted price');
  if (sums.length === 0) return section('Markouts', aside, empty('None yet: they come with the fills of this run.'));
  return section(
    'Markouts',
    aside,
    table({
      label: 'Markouts',
      columns: [
        { name: 'Symbol', cell: ({ symbol }) => symbol },
        { name: 'Side', cell: ({ side }) => side },
        {
          ...{ name: 'After', number: true, title: 'Time after the fill; 0 s is the fill itself' },
          cell: ({ horizon }) => `${horizon} s`,
        },
        { name: 'Fills', number: true, cell: ({ fills }) => count(fills) },
        {
          ...{ name: 'Gained', number: true, title: 'In quote; above zero is in our favor' },
          cell: ({ gained }) => ({ text: signed(gained.toFixed(2), 2), class: gained < 0 ? 'warn' : null }),
        },
        {
          ...{ name: 'Of what was filled', number: true },
          cell: ({ gained, filled }) => (filled === 0 ? '–' : bps((gained / filled) * 10_000)),
        },
      ],
      rows: sums.toSorted(
        (a, b) => a.symbol.localeCompare(b.symbol) || a.side.localeCompare(b.side) || a.horizon - b.horizon,
      ),
    }),
  );
}
