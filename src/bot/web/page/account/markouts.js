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
        { name: 'Symbol' },
        { name: 'Side' },
        { name: 'After', number: true, title: 'Time after the fill; 0 s is the fill itself' },
        { name: 'Fills', number: true },
        { name: 'Gained', number: true, title: 'In quote; above zero is in our favor' },
        { name: 'Of what was filled', number: true },
      ],
      rows: sums
        .toSorted((a, b) => a.symbol.localeCompare(b.symbol) || a.side.localeCompare(b.side) || a.horizon - b.horizon)
        .map(({ symbol, side, horizon, fills, gained, filled }) => ({
          cells: [
            symbol,
            side,
            `${horizon} s`,
            count(fills),
            { text: signed(gained.toFixed(2), 2), class: gained < 0 ? 'warn' : null },
            filled === 0 ? '–' : bps((gained / filled) * 10_000),
          ],
        })),
    }),
  );
}
