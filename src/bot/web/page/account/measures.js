// What was measured: prices after own fills, and how far lists trail.
import { h } from '../dom.js';
import { bps, count, signed } from '../numbers.js';
import { age, empty, section, table } from '../parts.js';

/** @import { ReadLagsView } from '../../../../trader/lags/lags.ts' */
/** @import { LagKind } from '../../../../trader/state/lags.ts' */
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

// Lag of the exchange's lists: proved by own orders, compared with the assumed bound.

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
  const [half, most99] = [`${MOST}: half of them`, `${MOST}: 99 in 100 of them`];
  return section(
    'How far lists trail',
    assumed,
    table({
      label: 'How far lists trail',
      columns: [
        { name: 'Own event', cell: ({ kind }) => EVENTS[kind] },
        { name: 'At most', number: true, title: MOST, cell: ({ atMostMs }) => secondsText(atMostMs?.max) },
        { name: 'Half', number: true, title: half, cell: ({ atMostMs }) => secondsText(atMostMs?.p50) },
        { name: '99 %', number: true, title: most99, cell: ({ atMostMs }) => secondsText(atMostMs?.p99) },
        { name: 'At least', number: true, title: LEAST, cell: ({ atLeastMs }) => secondsText(atLeastMs?.max) },
        { name: 'Events', number: true, title: 'The last 500 are kept', cell: ({ samples }) => count(samples) },
        { name: 'Last', cell: ({ newestAt: at }) => ({ text: at === null ? '–' : age(at, { now }) }) },
      ],
      rows: kinds,
    }),
    kinds.every(({ samples }) => samples === 0)
      ? empty(
          'Nothing was measured yet: it comes with orders that are placed, canceled and filled, a minute after each.',
        )
      : null,
  );
}

/** @param {number | undefined} ms @returns {string} */
const secondsText = (ms) => (ms === undefined ? '–' : `${Number((ms / 1_000).toFixed(1))} s`);
