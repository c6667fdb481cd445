// Details that the page asks for when somebody opens them: the history of one order, and a symbol's parameters.
import { h } from '../dom.js';
import { empty, table } from '../parts.js';
import { clockText, momentText } from '../times.js';
import { send } from './session.js';

/** @import { OrderLife } from '../../order-lives.ts' */
/** @import { RunningParameters } from '../../running-parameters.ts' */
/** @import { VNode } from '../dom.js' */

/** @param {string} intentId */
export const orderLife = (intentId) => asked(`/api/orders/${encodeURIComponent(intentId)}/life`, lifeOf);

/** @param {string} symbol */
export const parameters = (symbol) =>
  asked('/api/parameters', (/** @type {readonly RunningParameters[]} */ all) => {
    const found = all.find((each) => each.symbol === symbol);
    return found === undefined
      ? [empty('Only a bot that runs has them; the configuration says the others.')]
      : rowsOf(found);
  });

/** @template Body @param {string} path @param {(body: Body) => VNode[]} drawn @returns {Promise<VNode[]>} */
async function asked(path, drawn) {
  try {
    const answer = await send(path);
    const body = await answer.json();
    return answer.ok ? drawn(body) : [empty(body.refused)];
  } catch {
    return [empty('The bot does not answer.')];
  }
}

/** @param {OrderLife} life @returns {VNode[]} */
const lifeOf = ({ intentId, events, dropped }) => [
  table({
    label: `What happened to order ${intentId}`,
    columns: [
      { name: 'Time', cell: ({ at }) => ({ text: clockText(at), title: momentText(at) }) },
      { name: 'What', cell: ({ what }) => what },
      { name: 'Values', wide: true, cell: ({ values }) => ({ text: pairsOf(values) }) },
    ],
    rows: events,
  }),
  h('p', { class: 'note', hidden: dropped === 0 }, `${dropped} older events are not kept.`),
];

/**
 * Keeps each pair on one line if possible: an id broken at its hyphen reads like another.
 * @param {OrderLife['events'][number]['values']} values
 */
const pairsOf = (values) =>
  Object.entries(values).flatMap(([name, value], index) => [
    index === 0 ? '' : ', ',
    h('span', { class: 'pair' }, `${name} ${value}`),
  ]);

/** @param {RunningParameters} parameters @returns {VNode[]} */
const rowsOf = ({ symbol, revision, values }) => [
  h('p', { class: 'note' }, `Revision ${revision}. \`quotekeeper set\` and the button *Change* go by these names.`),
  table({
    label: `Parameters of ${symbol}`,
    columns: [
      { name: 'Parameter', cell: ([name]) => name },
      { name: 'Value', wide: true, cell: ([, value]) => value },
    ],
    rows: Object.entries(values),
  }),
];
