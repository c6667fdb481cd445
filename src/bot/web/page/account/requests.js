// What the scarce requests were spent on, and the exchange's rate limits.
import { h } from '../dom.js';
import { count, grouped } from '../numbers.js';
import { empty, section, table } from '../parts.js';
import { clockText, momentText } from '../times.js';

/** @import { BotStatus } from '../../../status/bot-status.ts' */
/** @import { VNode } from '../dom.js' */

/** Normal outcomes. */
const GOOD = new Set(['read', 'accepted', 'acknowledged']);

/** @param {BotStatus} status @param {number | null} perMinute @returns {VNode} */
export function requests({ trader, lanes, spent }, perMinute) {
  const aside = h(
    'span',
    {},
    perMinute === null ? 'since the start' : `${Math.round(perMinute)} a minute now; totals since the start`,
  );
  return section(
    'Requests',
    aside,
    trader.requests.length === 0
      ? empty('No answer has come back yet. If this stays, run `quotekeeper check`.')
      : kindTable(trader.requests),
    laneTable(lanes),
    spent.length === 0 ? null : spentTable(spent),
  );
}

/** Newest first. @param {BotStatus['spent']} spent @returns {VNode} */
function spentTable(spent) {
  return table({
    label: 'What the last requests were spent on',
    class: 'short',
    columns: [
      { name: 'Sent', cell: ({ at }) => ({ text: clockText(at), title: momentText(at) }) },
      { name: 'Request', cell: ({ kind }) => kind },
      { name: 'Symbol', cell: ({ symbol }) => symbol ?? '–' },
      { name: 'Spent on', wide: true, cell: ({ purpose }) => purpose },
      {
        ...{ name: 'Worth', number: true, title: 'Value of the order, in quote' },
        cell: ({ notional }) => (notional === null ? '–' : grouped(notional)),
      },
      { name: 'Came back', cell: ({ outcome }) => ({ text: outcome, class: GOOD.has(outcome) ? null : 'warn' }) },
      { name: 'Took', number: true, cell: ({ tookMs }) => `${count(Math.round(tookMs))} ms` },
    ],
    rows: spent,
  });
}

/** @param {BotStatus['trader']['requests']} rows @returns {VNode} */
function kindTable(rows) {
  const kinds = [...Map.groupBy(rows, ({ lane, kind }) => `${lane} ${kind}`)];
  const isGood = (/** @type {BotStatus['trader']['requests'][number]} */ { outcome }) => GOOD.has(outcome);
  return table({
    label: 'Requests by kind and outcome',
    columns: [
      { name: 'Lane', cell: ([, [first]]) => first?.lane ?? '' },
      { name: 'Request', cell: ([, [first]]) => first?.kind ?? '' },
      {
        ...{ name: 'Done', number: true },
        cell: ([, mine]) => count(mine.filter(isGood).reduce((sum, each) => sum + each.count, 0)),
      },
      {
        ...{ name: 'Otherwise', wide: true },
        cell: ([, mine]) => {
          const others = mine.filter((each) => !isGood(each)).map((each) => `${count(each.count)} ${each.outcome}`);
          return others.length === 0 ? '–' : { text: others.join(', '), class: 'warn' };
        },
      },
    ],
    rows: kinds.toSorted(([a], [b]) => (a < b ? -1 : 1)),
  });
}

/** @param {BotStatus['lanes']} lanes @returns {VNode} */
function laneTable(lanes) {
  const figure = (/** @type {number | null} */ value) => (value === null ? 'not said' : count(value));
  return table({
    label: 'Lanes',
    columns: [
      { name: 'Lane', cell: ({ lane }) => lane },
      {
        ...{ name: 'One every', number: true, title: 'Time between two requests, as configured and learned' },
        cell: ({ intervalMs }) => `${(intervalMs / 1_000).toFixed(2)} s`,
      },
      { name: 'In flight', number: true, cell: ({ inFlight }) => count(inFlight) },
      { name: 'Waiting', number: true, cell: ({ waiting }) => count(waiting) },
      {
        ...{ name: 'Throttled', number: true, title: 'Answers 429, 503 and 504 since the start' },
        cell: ({ throttledTotal: many }) => ({ text: count(many), class: many === 0 ? null : 'warn' }),
      },
      {
        ...{ name: 'Left of limit', number: true, title: 'As the last answer that named them said' },
        cell: ({ remaining, limit }) =>
          remaining === null && limit === null ? 'not said' : `${figure(remaining)} of ${figure(limit)}`,
      },
    ],
    rows: lanes,
  });
}
