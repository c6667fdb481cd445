// History of one order from the journal's records.
import { h } from '../dom.js';
import { empty, table } from '../parts.js';
import { clockText, momentText } from '../times.js';

/** @import { OrderLife } from '../../order-lives.ts' */
/** @import { VNode } from '../dom.js' */

/** @param {string} intentId @returns {Promise<VNode[]>} */
export async function orderLife(intentId) {
  try {
    const answer = await fetch(`/api/orders/${encodeURIComponent(intentId)}/life`, {
      signal: AbortSignal.timeout(5_000),
    });
    const body = await answer.json();
    return answer.ok ? lifeOf(body) : [empty(body.refused)];
  } catch {
    return [empty('The bot does not answer: its life is in the journal.')];
  }
}

/**
 * Keeps each pair on one line if possible: an id broken at its hyphen reads like another.
 * @param {OrderLife['events'][number]['values']} values
 */
const pairsOf = (values) =>
  Object.entries(values).flatMap(([name, value], index) => [
    index === 0 ? '' : ', ',
    h('span', { class: 'pair' }, `${name} ${value}`),
  ]);

/** @param {OrderLife} life @returns {VNode[]} */
function lifeOf({ intentId, events, dropped }) {
  return [
    table({
      label: `What happened to order ${intentId}`,
      columns: [{ name: 'Time' }, { name: 'What' }, { name: 'Values', wide: true }],
      rows: events.map(({ at, what, values }) => ({
        cells: [{ text: clockText(at), title: momentText(at) }, what, { text: pairsOf(values) }],
      })),
    }),
    h('p', { class: 'note', hidden: dropped === 0 }, `${dropped} older events are not kept.`),
  ];
}
