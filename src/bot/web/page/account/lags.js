// Lag of the exchange's lists: proved by own orders, compared with the assumed bound.
import { h } from '../dom.js';
import { count } from '../numbers.js';
import { age, empty, section, table } from '../parts.js';

/** @import { LagFigures, ReadLagsView } from '../../../../trader/lags/lags.ts' */
/** @import { LagKind } from '../../../../trader/state/lags.ts' */
/** @import { VNode } from '../dom.js' */
/** @import { Row } from '../parts.js' */

/** @type {Readonly<Record<LagKind, string>>} */
const EVENTS = {
  listed: 'New order listed',
  gone: 'Ended order gone',
  trades: 'Fill in own trades',
};

const MOST = 'Time from the event to the first correct answer: mostly depends on how often the list is read';
const LEAST = 'Time from the event to the request of the last wrong answer';

/** @param {ReadLagsView} lags @param {number} now @returns {VNode} */
export function lags({ assumedMs, kinds }, now) {
  const assumed = h('span', {}, `assumed: ${secondsText(assumedMs)} at most`);
  return section(
    'How far lists trail',
    assumed,
    table({
      label: 'How far lists trail',
      columns: [
        { name: 'Own event' },
        { name: 'At most', number: true, title: MOST },
        { name: 'Half', number: true, title: `${MOST}: half of them` },
        { name: '99 %', number: true, title: `${MOST}: 99 in 100 of them` },
        { name: 'At least', number: true, title: LEAST },
        { name: 'Events', number: true, title: 'The last 500 are kept' },
        { name: 'Last' },
      ],
      rows: kinds.map((each) => rowOf(each, now)),
    }),
    kinds.every(({ samples }) => samples === 0)
      ? empty(
          'Nothing was measured yet: it comes with orders that are placed, canceled and filled, a minute after each.',
        )
      : null,
  );
}

/** @param {LagFigures} figures @param {number} now @returns {Row} */
function rowOf({ kind, samples, atLeastMs, atMostMs, newestAt }, now) {
  return {
    cells: [
      EVENTS[kind],
      secondsText(atMostMs?.max),
      secondsText(atMostMs?.p50),
      secondsText(atMostMs?.p99),
      secondsText(atLeastMs?.max),
      count(samples),
      { text: newestAt === null ? '–' : age(newestAt, { now }) },
    ],
  };
}

/** @param {number | undefined} ms @returns {string} */
const secondsText = (ms) => (ms === undefined ? '–' : `${Number((ms / 1_000).toFixed(1))} s`);
