// The span of time that a symbol's charts show, and whether its price is drawn as candles.

/** @import { Course, Value } from '../history.js' */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SHORTEST = MINUTE;
const LONGEST = 400 * DAY;

/**
 * In seconds, as in the charts. @typedef {{ readonly from: number, readonly to: number }} Range
 * `to`: null follows the bot. A new choice is a new object.
 * @typedef {{ readonly spanMs: number, readonly to: number | null }} View
 */

/** @type {readonly (readonly [name: string, spanMs: number])[]} */
export const SPANS = [
  ['15 min', 15 * MINUTE],
  ['1 h', HOUR],
  ['6 h', 6 * HOUR],
  ['1 day', DAY],
  ['7 days', 7 * DAY],
  ['30 days', 30 * DAY],
];

/** @type {View} */
const USUAL = { spanMs: 6 * HOUR, to: null };
/** @type {Map<string, View>} */
const views = new Map();
let candles = false;

/** @param {string} symbol */
export const viewOf = (symbol) => views.get(symbol) ?? USUAL;

/** The last part of the recorded history. @param {string} symbol @param {number} [spanMs] */
export const follow = (symbol, spanMs = USUAL.spanMs) => void views.set(symbol, { spanMs, to: null });

/**
 * A range that reaches `end`, of all that is recorded, follows the bot.
 * @param {string} symbol @param {Range} range @param {number} end
 */
export function show(symbol, { from, to }, end) {
  const spanMs = Math.min(LONGEST, Math.max(SHORTEST, (to - from) * 1_000));
  const middle = (from + to) * 500;
  const last = Math.round(middle + spanMs / 2);
  views.set(symbol, { spanMs: Math.round(spanMs), to: last >= end * 1_000 ? null : last });
}

/** Of all symbols. */
export const isCandles = () => candles;
export function toggleCandles() {
  candles = !candles;
}

/**
 * The range that is drawn: one that follows begins no earlier than the history.
 * @param {View} view @param {Pick<Course, 'times' | 'end'>} course @returns {Range}
 */
export function rangeOf({ spanMs, to }, { times: [first = 0], end }) {
  const last = to ?? end;
  const from = to === null ? Math.max(first, last - spanMs) : last - spanMs;
  return { from: from / 1_000, to: Math.max(last, from + 1_000) / 1_000 };
}

/** Moves it by a part of itself. @param {Range} range @param {number} share @returns {Range} */
export const moved = ({ from, to }, share) => ({ from: from + share * (to - from), to: to + share * (to - from) });

/** Wider if `factor` is above 1, around `at`. @param {Range} range @param {number} factor @param {number} at */
export const zoomed = ({ from, to }, factor, at = (from + to) / 2) => ({
  from: at - factor * (at - from),
  to: at + factor * (to - at),
});

// Candles from the recorded points.

const MOST_CANDLES = 80;
/** @type {readonly number[]} */
const LENGTHS = [10_000, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, DAY, 7 * DAY];

/** How long one candle lasts. @param {Range} range */
export const candleMs = ({ from, to }) => LENGTHS.find((ms) => ((to - from) * 1_000) / ms <= MOST_CANDLES) ?? 7 * DAY;

/**
 * Of points that are known; a candle without any is absent.
 * @typedef {{ at: number, open: number, high: number, low: number, close: number }} Candle
 * @param {readonly number[]} times @param {readonly Value[]} prices @param {number} ms
 */
export function candlesOf(times, prices, ms) {
  /** @type {Candle[]} */
  const all = [];
  for (const [index, time] of times.entries()) {
    const price = prices[index] ?? null;
    if (price === null) continue;
    const at = Math.floor(time / ms) * ms;
    const last = all.at(-1);
    if (last?.at !== at) all.push({ at, open: price, high: price, low: price, close: price });
    else Object.assign(last, { high: Math.max(last.high, price), low: Math.min(last.low, price), close: price });
  }
  return all;
}
