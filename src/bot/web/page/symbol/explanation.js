// Why this price: every step of the pipeline from the reference price to the quote.
import { h } from '../dom.js';
import { empty, table } from '../parts.js';

/** @import { SymbolView } from '../../../../trader/status/snapshot.ts' */
/** @import { VNode } from '../dom.js' */

/** @param {SymbolView} symbol @returns {VNode} */
export function explanation({ symbol, explain, wanted }) {
  const quotes = wanted.length === 0 ? 'no quote' : wanted.length === 1 ? '1 quote' : `${wanted.length} quotes`;
  return h(
    'details',
    { class: 'section why' },
    h('summary', {}, 'Why this price', h('span', { class: 'aside' }, `${explain.length} steps to ${quotes}`)),
    explain.length === 0
      ? empty('Nothing was worked out while the symbol is not quoted.')
      : table({
          label: `Why ${symbol} is quoted as it is`,
          class: 'steps',
          columns: [
            { name: 'Step', cell: ({ name }) => name },
            { name: 'Quote', cell: ({ slot }) => slotText(slot) },
            { name: 'Before', number: true, cell: ({ before }) => before },
            { name: 'After', number: true, cell: ({ after }) => after },
            { name: 'Because', wide: true, cell: ({ why }) => why },
          ],
          rows: explain,
          classOf: ({ before, after }) => (before === after ? 'same' : null),
        }),
  );
}

/** `buy:0` → `bid 0`. @param {string | null} slot @returns {string} */
function slotText(slot) {
  if (slot === null) return '';
  const [side, level] = slot.split(':');
  return `${side === 'buy' ? 'bid' : 'ask'} ${level}`;
}
