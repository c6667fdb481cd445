// Draws the charts with uPlot, in the places made by chart.js, in the page's colors.

import { placesOf } from '../numbers.js';
import { clockText, dayText, zoneShown } from '../times.js';
import { candleMs, candlesOf, isCandles, rangeOf, show, viewOf } from './view.js';

/** @import { Course, Mark, Value } from '../history.js' */
/** @import { SymbolView } from '../../../../trader/status/snapshot.ts' */
/** @import { Range, View } from './view.js' */

/** @import uPlot from 'uplot' */

/** @typedef {{ readonly course: Course, readonly symbol: SymbolView }} Drawn */
/** @typedef {{ readonly color: string, readonly dash?: number[], readonly of: (course: Course) => Value[] }} Line */
/** @typedef {{ readonly course: Course, readonly view: View, readonly hasCandles: boolean }} Content */
/** @typedef {{ plot: uPlot, symbol: string, content: Content }} Plot */

// The bot serves the package under this name; the page may be under a path of a proxy.
/** @type {{ default: typeof import('uplot') }} */
const { default: Charts } = await import(new URL('../uplot.js', import.meta.url).href);

const HEIGHTS = { price: 200, spread: 110, inventory: 110, profit: 110 };

/** Distance between two times in pixels: their text plus as much space. */
const TIME_SPACE = 90;

/** @type {Map<Element, Plot>} */
const plots = new Map();

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
  // A card has gone, or shows another symbol now: uPlot holds on to what is not destroyed.
  for (const [place, { symbol }] of plots)
    if (!(place instanceof HTMLElement) || !place.isConnected || place.dataset.of !== symbol) forget(place);
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
  const content = { course, view: viewOf(symbol.symbol), hasCandles: isCandles() };
  const known = plots.get(place);
  if (known !== undefined) {
    if (known.plot.width !== place.clientWidth) known.plot.setSize({ width: place.clientWidth, height: HEIGHTS[kind] });
    const { content: before } = known;
    // New data and views come as new objects.
    if (before.course === course && before.view === content.view && before.hasCandles === content.hasCandles) return;
    known.content = content;
    fill(known, kind);
    return;
  }
  /** @type {Plot} */
  const made = {
    plot: new Charts(
      optionsOf(place, kind, symbol, () => made.content),
      [[]],
      place,
    ),
    ...{ symbol: symbol.symbol, content },
  };
  plots.set(place, made);
  fill(made, kind);
}

/** @param {Plot} plot @param {keyof typeof HEIGHTS} kind */
function fill({ plot, content }, kind) {
  const { course, view } = content;
  const { from, to } = rangeOf(view, course);
  plot.batch(() => {
    plot.setData(dataOf(kind, content), false);
    plot.setScale('x', { min: from, max: to });
  });
}

/** What a chart shows, for gestures; null before it is drawn. @param {Element} place */
export function shownAt(place) {
  const found = plots.get(place);
  if (found === undefined) return null;
  const { plot, symbol, content } = found;
  const range = rangeOf(viewOf(symbol), content.course);
  return { symbol, range, end: content.course.end / 1_000, area: plot.over.getBoundingClientRect() };
}

/** The color scheme has changed: redraws every plot. */
export function forgetPlots() {
  for (const place of plots.keys()) forget(place);
}

/** @param {Element} place */
function forget(place) {
  plots.get(place)?.plot.destroy();
  plots.delete(place);
}

/** @param {HTMLElement} place @returns {keyof typeof HEIGHTS} */
function kindOf({ dataset: { plot } }) {
  return plot === 'spread' || plot === 'inventory' || plot === 'profit' ? plot : 'price';
}

/**
 * Candles replace the line of the reference price.
 * @param {keyof typeof HEIGHTS} kind @param {Content} content @returns {uPlot.AlignedData}
 */
const dataOf = (kind, { course }) => [course.times.map((at) => at / 1_000), ...LINES[kind].map(({ of }) => of(course))];

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
 * @param {() => Content} contentOf
 * @returns {uPlot.Options}
 */
function optionsOf(place, kind, symbol, contentOf) {
  const style = getComputedStyle(place);
  const color = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  const font = `11px ${style.fontFamily}`;
  const axis = { stroke: color('--quiet'), font, grid: { stroke: color('--line'), width: 1 }, ticks: { show: false } };
  const places = kind === 'price' ? placesOf(symbol.tickSize) : kind === 'inventory' ? placesOf(symbol.lotSize) : 2;
  // A value holds until the next point, also where that one is a gap.
  const stepped = Charts.paths.stepped?.({ align: 1, alignGaps: 1 });
  const isPrice = kind === 'price';
  return {
    width: place.clientWidth,
    height: HEIGHTS[kind],
    tzDate: (at) => Charts.tzDate(new Date(at * 1_000), zoneShown()),
    // Half a time fits beside the first line of the grid.
    padding: [10, null, null, 30],
    legend: { show: false },
    cursor: {
      sync: { key: symbol.symbol, filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' } },
      drag: { x: true, y: false, setScale: false, dist: 4 },
      bind: { dblclick: () => null },
    },
    scales: { x: { time: true }, y: { range: (plot, min, max) => heightOf(plot, [min, max], isPrice, contentOf()) } },
    axes: [
      {
        ...axis,
        size: (plot) => (hasDays(plot) ? 38 : 24),
        space: TIME_SPACE,
        values: (plot, splits) => splits.map((at) => timeText(at, plot)),
      },
      { ...axis, side: 1, size: widthOf, values: (_plot, splits) => splits.map((each) => textOf(each, places)) },
    ],
    series: [
      {},
      ...LINES[kind].map(({ color: name, dash }) => ({
        stroke:
          isPrice && name === '--text' ? () => (contentOf().hasCandles ? 'transparent' : color(name)) : color(name),
        width: 1.25,
        points: { show: false },
        ...(dash === undefined ? {} : { dash }),
        ...(stepped === undefined ? {} : { paths: stepped }),
      })),
    ],
    hooks: {
      setSelect: [(plot) => choose(place, plot)],
      draw: isPrice ? [(plot) => drawPrice(plot, contentOf(), color)] : [],
    },
  };
}

/** A range selected by the mouse. @param {HTMLElement} place @param {uPlot} plot */
function choose(place, plot) {
  const shown = shownAt(place);
  const { left, width } = plot.select;
  if (shown === null || width === 0) return;
  show(shown.symbol, { from: plot.posToVal(left, 'x'), to: plot.posToVal(left + width, 'x') }, shown.end);
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  place.dispatchEvent(new Event('rangechange', { bubbles: true }));
}

/**
 * With the marks of fills, which may lie beyond all lines.
 * @param {uPlot} plot @param {[min: number | null, max: number | null]} extremes
 * @param {boolean} isPrice @param {Content} content @returns {uPlot.Range.MinMax}
 */
function heightOf({ scales }, extremes, isPrice, { course }) {
  const { min: from = 0, max: to = 0 } = scales.x ?? {};
  const within = isPrice ? course.fills.filter(({ at }) => at >= (from ?? 0) * 1_000 && at <= (to ?? 0) * 1_000) : [];
  const all = [...extremes, ...within.map(({ price }) => price)].filter((each) => each !== null);
  return all.length === 0 ? [0, 1] : Charts.rangeNum(Math.min(...all), Math.max(...all), 0.1, true);
}

/**
 * As wide as the longest text.
 * @param {uPlot} plot @param {string[] | null} texts @param {number} index @param {number} cycle @returns {number}
 */
function widthOf({ axes, ctx }, texts, index, cycle) {
  const { font, gap = 0, _size = 0 } = /** @type {uPlot.Axis & { _size?: number }} */ (axes[index] ?? {});
  // The size that other axes were laid out for.
  if (cycle > 1) return _size;
  ctx.font = font?.[0] ?? '';
  const widths = (texts ?? []).map((text) => ctx.measureText(text).width / devicePixelRatio);
  return Math.ceil(Math.max(0, ...widths)) + gap + 6;
}

const DAY = 86_400;

/** With the day below where there are several. @param {number} at @param {uPlot} plot */
function timeText(at, plot) {
  const clock = clockText(at * 1_000);
  return hasDays(plot) ? `${clock.slice(0, 5)}\n${dayText(at * 1_000)}` : clock;
}

/** @param {uPlot} plot */
const hasDays = ({ scales }) => (scales.x?.max ?? 0) - (scales.x?.min ?? 0) > DAY;

/** @param {number} value @param {number} places */
const textOf = (value, places) => value.toLocaleString('en-US', { maximumFractionDigits: places }).replace('-', '−');

/**
 * Candles, and own fills at their time and price.
 * @param {uPlot} plot @param {Content} content @param {(name: string) => string} color
 */
function drawPrice(plot, { course, view, hasCandles }, color) {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  if (hasCandles) candles(plot, course, { range: rangeOf(view, course), color: color('--text') });
  marks(plot, course.fills, { buy: color('--buy'), sell: color('--sell') });
  ctx.restore();
}

/**
 * Hollow where the price rose, filled where it fell.
 * @param {uPlot} plot @param {Course} course @param {{ readonly range: Range, readonly color: string }} look
 */
function candles(plot, { times, reference }, { range, color }) {
  const { ctx } = plot;
  const ms = candleMs(range);
  const x = (/** @type {number} */ at) => plot.valToPos(at / 1_000, 'x', true);
  const y = (/** @type {number} */ price) => plot.valToPos(price, 'y', true);
  ctx.strokeStyle = color;
  ctx.fillStyle = color;
  ctx.lineWidth = devicePixelRatio;
  for (const { at, open, high, low, close } of candlesOf(times, reference, ms)) {
    const [left, right] = [x(at + 0.15 * ms), x(at + 0.85 * ms)];
    const middle = (left + right) / 2;
    const [top, bottom] = [y(Math.max(open, close)), y(Math.min(open, close))];
    ctx.beginPath();
    ctx.moveTo(middle, y(high));
    ctx.lineTo(middle, top);
    ctx.moveTo(middle, bottom);
    ctx.lineTo(middle, y(low));
    ctx.rect(left, top, right - left, bottom - top);
    ctx.stroke();
    if (close < open) ctx.fill();
  }
}

/**
 * Own fills at their time and price.
 * @param {uPlot} plot
 * @param {readonly Mark[]} fills
 * @param {{ readonly buy: string, readonly sell: string }} colors
 */
function marks(plot, fills, colors) {
  const { ctx } = plot;
  const size = 5 * devicePixelRatio;
  for (const { at, price, side } of fills) {
    const x = plot.valToPos(at / 1_000, 'x', true);
    const y = plot.valToPos(price, 'y', true);
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
