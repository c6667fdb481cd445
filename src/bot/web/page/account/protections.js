// Current locks: by whom, why, and until when.
import { h } from '../dom.js';
import { empty, section, table } from '../parts.js';
import { button } from '../steer/controls.js';
import { ageText, agoText, momentText } from '../times.js';

/** @import { StatusSnapshot } from '../../../../trader/status/snapshot.ts' */
/** @import { VNode } from '../dom.js' */

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
