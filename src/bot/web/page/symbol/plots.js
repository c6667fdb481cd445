// Draws the charts with uPlot, in the places made by chart.js, in the page's colors.

import { placesOf } from '../numbers.js';
import { clockText } from '../times.js';

/** @import { Course, Mark, Value } from '../history.js' */
/** @import { SymbolView } from '../../../../trader/status/snapshot.ts' */

/** @import uPlot from 'uplot' */

/** @typedef {{ readonly course: Course, readonly symbol: SymbolView }} Drawn */
/** @typedef {{ readonly color: string, readonly dash?: number[], readonly of: (course: Course) => Value[] }} Line */
/** @typedef {{ plot: uPlot, course: Course }} Plot */

// The bot serves the package under this name; the page may be under a path of a proxy.
/** @type {{ default: typeof import('uplot') }} */
const { default: Charts } = await import(new URL('../uplot.js', import.meta.url).href);

const HEIGHTS = { price: 200, spread: 110, inventory: 110, profit: 110 };

/** Distance between two times in pixels: their text plus as much space. */
const TIME_SPACE = 90;

/** @type {WeakMap<Element, Plot>} */
const plots = new WeakMap();

/** Dashed: own. Dotted: the market's. */
const OWN = [6, 3];
const MARKET = [1, 3];

/** @type {Readonly<Record<keyof typeof HEIGHTS, readonly Line[]>>} */
const LINES = {
  price: [
    { of: ({ marketAsk }) => marketAsk, color: '--quiet', dash: MARKET },
    { of: ({ marketBid }) => marketBid, color: '--quiet', dash: MARKET },
    { of: ({ ownAsk }) => ownAsk, color: '--sell', dash: OWN },
    { of: ({ ownBid }) => ownBid, color: '--buy', dash: OWN },
    { of: ({ reference }) => reference, color: '--text' },
  ],
  spread: [
    { of: ({ marketBid, marketAsk }) => spreadOf(marketBid, marketAsk), color: '--quiet', dash: MARKET },
    { of: ({ ownBid, ownAsk }) => spreadOf(ownBid, ownAsk), color: '--text', dash: OWN },
  ],
  inventory: [{ of: ({ inventory }) => inventory, color: '--text' }],
  profit: [{ of: ({ profit }) => profit, color: '--text' }],
};

/**
 * Draws visible charts that have changed.
 * @param {ParentNode} root
 * @param {(symbol: string) => Drawn | null} drawnOf
 */
export function drawPlots(root, drawnOf) {
  for (const place of root.querySelectorAll('[data-plot]')) {
    if (!(place instanceof HTMLElement) || place.offsetParent === null) continue;
    const drawn = drawnOf(place.dataset.of ?? '');
    if (drawn !== null) drawAt(place, drawn);
  }
}

/** @param {HTMLElement} place @param {Drawn} drawn */
function drawAt(place, { course, symbol }) {
  const kind = kindOf(place);
  const { height, top, bottom } = place.getBoundingClientRect();
  if (height === 0 || bottom < 0 || top > innerHeight) return;
  const known = plots.get(place);
  if (known !== undefined && place.contains(known.plot.root)) {
    if (known.plot.width !== place.clientWidth) known.plot.setSize({ width: place.clientWidth, height: HEIGHTS[kind] });
    // New data comes as a new object.
    if (known.course === course) return;
    known.course = course;
    known.plot.setData(dataOf(kind, course));
    return;
  }
  /** @type {Plot} */
  const made = {
    plot: new Charts(
      optionsOf(place, kind, symbol, () => made?.course.fills ?? []),
      dataOf(kind, course),
      place,
    ),
    course,
  };
  plots.set(place, made);
}

/** The color scheme has changed: redraws every plot. @param {ParentNode} root */
export function forgetPlots(root) {
  for (const place of root.querySelectorAll('[data-plot]')) {
    plots.get(place)?.plot.destroy();
    plots.delete(place);
  }
}

/** @param {HTMLElement} place @returns {keyof typeof HEIGHTS} */
function kindOf({ dataset: { plot } }) {
  return plot === 'spread' || plot === 'inventory' || plot === 'profit' ? plot : 'price';
}

/** @param {keyof typeof HEIGHTS} kind @param {Course} course @returns {uPlot.AlignedData} */
const dataOf = (kind, course) => [course.times.map((at) => at / 1_000), ...LINES[kind].map(({ of }) => of(course))];

/**
 * In basis points of the mid price. @param {readonly Value[]} bids @param {readonly Value[]} asks @returns {Value[]}
 */
const spreadOf = (bids, asks) =>
  bids.map((bid, index) => {
    const ask = asks[index] ?? null;
    return bid === null || ask === null ? null : ((ask - bid) / ((ask + bid) / 2)) * 10_000;
  });

/**
 * @param {HTMLElement} place
 * @param {keyof typeof HEIGHTS} kind
 * @param {SymbolView} symbol
 * @param {() => readonly Mark[]} fillsOf
 * @returns {uPlot.Options}
 */
function optionsOf(place, kind, symbol, fillsOf) {
  const style = getComputedStyle(place);
  const color = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  const font = `11px ${style.fontFamily}`;
  const axis = { stroke: color('--quiet'), font, grid: { stroke: color('--line'), width: 1 }, ticks: { show: false } };
  const places = kind === 'price' ? placesOf(symbol.tickSize) : kind === 'inventory' ? placesOf(symbol.lotSize) : 1;
  const stepped = Charts.paths.stepped?.({ align: 1 });
  return {
    width: place.clientWidth,
    height: HEIGHTS[kind],
    legend: { show: false },
    cursor: { sync: { key: symbol.symbol }, drag: { x: false, y: false } },
    scales: { x: { time: true } },
    axes: [
      { ...axis, size: 24, space: TIME_SPACE, values: (_plot, splits) => splits.map((at) => clockText(at * 1_000)) },
      { ...axis, side: 1, size: 74, values: (_plot, splits) => splits.map((each) => textOf(each, places)) },
    ],
    series: [
      {},
      ...LINES[kind].map(({ color: name, dash }) => ({
        stroke: color(name),
        width: 1.25,
        points: { show: false },
        ...(dash === undefined ? {} : { dash }),
        ...(stepped === undefined ? {} : { paths: stepped }),
      })),
    ],
    ...(kind === 'price'
      ? { hooks: { draw: [(plot) => marks(plot, fillsOf(), { buy: color('--buy'), sell: color('--sell') })] } }
      : {}),
  };
}

/** @param {number} value @param {number} places */
const textOf = (value, places) => value.toLocaleString('en-US', { maximumFractionDigits: places }).replace('-', '−');

/**
 * Own fills at their time and price.
 * @param {uPlot} plot
 * @param {readonly Mark[]} fills
 * @param {{ readonly buy: string, readonly sell: string }} colors
 */
function marks(plot, fills, colors) {
  const { ctx, bbox } = plot;
  const size = 5 * devicePixelRatio;
  for (const { at, price, side } of fills) {
    const x = plot.valToPos(at / 1_000, 'x', true);
    const y = plot.valToPos(price, 'y', true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    const up = side === 'buy' ? -1 : 1;
    ctx.beginPath();
    ctx.moveTo(x, y + up * size);
    ctx.lineTo(x - size, y - up * size);
    ctx.lineTo(x + size, y - up * size);
    ctx.closePath();
    ctx.fillStyle = colors[side];
    ctx.fill();
  }
}
