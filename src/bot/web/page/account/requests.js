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
      { name: 'Sent' },
      { name: 'Request' },
      { name: 'Symbol' },
      { name: 'Spent on', wide: true },
      { name: 'Worth', number: true, title: 'Value of the order, in quote' },
      { name: 'Came back' },
      { name: 'Took', number: true },
    ],
    rows: spent.map(({ at, kind, symbol, purpose, notional, outcome, tookMs }) => ({
      cells: [
        { text: clockText(at), title: momentText(at) },
        kind,
        symbol ?? '–',
        purpose,
        notional === null ? '–' : grouped(notional),
        { text: outcome, class: GOOD.has(outcome) ? null : 'warn' },
        `${count(Math.round(tookMs))} ms`,
      ],
    })),
  });
}

/** @param {BotStatus['trader']['requests']} rows @returns {VNode} */
function kindTable(rows) {
  const kinds = [...new Set(rows.map(({ lane, kind }) => `${lane} ${kind}`))].sort();
  return table({
    label: 'Requests by kind and outcome',
    columns: [{ name: 'Lane' }, { name: 'Request' }, { name: 'Done', number: true }, { name: 'Otherwise', wide: true }],
    rows: kinds.map((name) => {
      const mine = rows.filter(({ lane, kind }) => `${lane} ${kind}` === name);
      const [lane = '', kind = ''] = name.split(' ');
      const good = mine.filter(({ outcome }) => GOOD.has(outcome)).reduce((sum, each) => sum + each.count, 0);
      const others = mine
        .filter(({ outcome }) => !GOOD.has(outcome))
        .map((each) => `${count(each.count)} ${each.outcome}`);
      return {
        cells: [
          lane,
          kind,
          count(good),
          { text: others.length === 0 ? '–' : others.join(', '), class: others.length === 0 ? null : 'warn' },
        ],
      };
    }),
  });
}

/** @param {BotStatus['lanes']} lanes @returns {VNode} */
function laneTable(lanes) {
  const figure = (/** @type {number | null} */ value) => (value === null ? 'not said' : count(value));
  return table({
    label: 'Lanes',
    columns: [
      { name: 'Lane' },
      { name: 'One every', number: true, title: 'Time between two requests, as configured and learned' },
      { name: 'In flight', number: true },
      { name: 'Waiting', number: true },
      { name: 'Throttled', number: true, title: 'Answers 429, 503 and 504 since the start' },
      { name: 'Left of limit', number: true, title: 'As the last answer that named them said' },
    ],
    rows: lanes.map(({ lane, intervalMs, inFlight, waiting, throttledTotal, remaining, limit }) => ({
      cells: [
        lane,
        `${(intervalMs / 1_000).toFixed(2)} s`,
        count(inFlight),
        count(waiting),
        { text: count(throttledTotal), class: throttledTotal === 0 ? null : 'warn' },
        remaining === null && limit === null ? 'not said' : `${figure(remaining)} of ${figure(limit)}`,
      ],
    })),
  });
}
