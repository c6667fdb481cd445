// A symbol's current parameters.
import { h } from '../dom.js';
import { empty, table } from '../parts.js';

/** @import { RunningParameters } from '../../running-parameters.ts' */
/** @import { VNode } from '../dom.js' */

/** @param {string} symbol @returns {Promise<VNode[]>} */
export async function parameters(symbol) {
  try {
    const answer = await fetch('/api/parameters', { signal: AbortSignal.timeout(5_000) });
    /** @type {readonly RunningParameters[]} */
    const all = answer.ok ? await answer.json() : [];
    const found = all.find((each) => each.symbol === symbol);
    return found === undefined
      ? [empty('Only a bot that runs has them; the configuration says the others.')]
      : rowsOf(found);
  } catch {
    return [empty('The bot does not answer.')];
  }
}

/** @param {RunningParameters} parameters @returns {VNode[]} */
const rowsOf = ({ symbol, revision, values }) => [
  h('p', { class: 'note' }, `Revision ${revision}. \`quotekeeper set\` and the button *Change* go by these names.`),
  table({
    label: `Parameters of ${symbol}`,
    columns: [{ name: 'Parameter' }, { name: 'Value', wide: true }],
    rows: Object.entries(values).map(([name, value]) => ({ cells: [name, value] })),
  }),
];
