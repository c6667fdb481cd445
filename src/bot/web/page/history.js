// The charts' points from the bot's history, and the pace of its requests. Requests the whole span at first and every
// few minutes, in between only the last minutes; another view anew.

/** @import { BotStatus } from '../../status/bot-status.ts' */
/** @import { View } from './symbol/view.js' */

const POINTS = 600;
/** Fills and points arrive some seconds late, so this much is requested again. */
const TAIL_MS = 2 * 60_000;
/** A killed bot recorded more than its last status shows. */
const BEYOND_MS = 60_000;
const ASK_EVERY_MS = 10_000;
const WHOLE_EVERY_MS = 5 * 60_000;

/**
 * @typedef {number | null} Value
 * @typedef {{
 *   readonly at: number, readonly side: 'buy' | 'sell', readonly price: number, readonly quantity: number
 * }} Mark
 * Columns of equal length; a value is null if unknown. `end`: of all that is recorded, which may be later.
 * @typedef {{
 *   times: number[], marketBid: Value[], marketAsk: Value[], ownBid: Value[], ownAsk: Value[], reference: Value[],
 *   inventory: Value[], profit: Value[], fills: Mark[], fillsLeftOut: number, end: number,
 * }} Course
 * `askedTo` and `wholeAt`: by the bot's clock.
 * @typedef {{ readonly course: Course, readonly view: View, readonly askedTo: number, readonly wholeAt: number }} Known
 */

const VALUES = /** @type {const} */ ([
  ...['marketBid', 'marketAsk', 'ownBid', 'ownAsk', 'reference', 'inventory', 'profit'],
]);

/** @type {Course} */
const NOTHING = {
  ...{ times: [], marketBid: [], marketAsk: [], ownBid: [], ownAsk: [], reference: [], inventory: [], profit: [] },
  ...{ fills: [], fillsLeftOut: 0, end: 0 },
};

/**
 * @param {() => number} tick The browser's monotonic clock: an ended bot's clock stands still.
 * @param {(path: string) => Promise<Response>} send
 * @param {(symbol: string) => View} viewOf
 * @returns {{
 *   take(status: BotStatus): void,
 *   of(symbol: string): Course,
 *   isComing(symbol: string): boolean,
 *   requestsPerMinute(): number | null,
 * }}
 */
export function createHistory(tick, send, viewOf) {
  /** @type {Map<string, Known>} */
  const known = new Map();
  /**
   * When to ask again, if the view is the same; never while an answer is awaited.
   * @type {Map<string, { readonly at: number, readonly view: View }>}
   */
  const next = new Map();
  /** @type {{ at: number, requests: number }[]} */
  let totals = [];
  let startedAt = 0;

  /**
   * Null if the bot has no history.
   * @param {string} symbol @param {number} from @param {number} to @param {number} [points]
   */
  async function ask(symbol, from, to, points = POINTS) {
    const question = { symbol, from: String(Math.floor(from)), to: String(Math.ceil(to)), points: String(points) };
    const answer = await send(`/api/history?${new URLSearchParams(question)}`);
    return answer.ok ? { ...NOTHING, ...(await answer.json()) } : null;
  }

  /** @param {string} symbol @param {number} now @param {boolean} isPast */
  async function load(symbol, now, isPast) {
    const view = viewOf(symbol);
    const waits = next.get(symbol);
    if (waits !== undefined && (waits.at === Number.POSITIVE_INFINITY || (waits.view === view && tick() < waits.at)))
      return;
    next.set(symbol, { at: Number.POSITIVE_INFINITY, view });
    const answer = await answerFor(symbol, view, now).catch(() => null);
    if (answer !== null) known.set(symbol, answer);
    const isOver = answer !== null && (isPast || (view.to !== null && view.to < answer.askedTo));
    next.set(symbol, { at: isOver ? Number.MAX_VALUE : tick() + ASK_EVERY_MS, view });
  }

  /** @param {string} symbol @param {View} view @param {number} now @returns {Promise<Known | null>} */
  async function answerFor(symbol, view, now) {
    const { spanMs, to } = view;
    if (to !== null) {
      // Half as much on each side, to be moved to.
      const course = await ask(symbol, Math.max(0, to - 1.5 * spanMs), to + spanMs / 2, 2 * POINTS);
      return course && { course: { ...course, end: now }, view, askedTo: now, wholeAt: now };
    }
    const before = known.get(symbol);
    // The bot's clock may have been set back.
    const isTail = before?.view === view && now >= before.askedTo && now - before.wholeAt < WHOLE_EVERY_MS;
    const from = isTail ? before.askedTo - TAIL_MS : now - spanMs;
    const answer = await ask(symbol, from, now + BEYOND_MS);
    if (answer === null) return null;
    const course = isTail ? joined(before.course, answer, from) : answer;
    course.end = course.times.at(-1) ?? now;
    return { course, view, askedTo: now, wholeAt: isTail ? before.wholeAt : now };
  }

  return {
    take({ trader, startedAt: begun, isPast }) {
      for (const { symbol } of trader.symbols) void load(symbol, trader.at, isPast);
      if (begun !== startedAt) totals = [];
      startedAt = begun;
      // Two requests may get the same status.
      if (totals.at(-1)?.at === trader.at) return;
      totals.push({ at: trader.at, requests: trader.requests.reduce((sum, { count }) => sum + count, 0) });
      while ((totals[0]?.at ?? trader.at) < trader.at - 60_000) totals.shift();
    },
    of: (symbol) => known.get(symbol)?.course ?? NOTHING,
    isComing: (symbol) => !known.has(symbol) && next.get(symbol)?.at === Number.POSITIVE_INFINITY,
    requestsPerMinute() {
      const [first, last] = [totals[0], totals.at(-1)];
      if (first === undefined || last === undefined || last.at - first.at < 5_000) return null;
      return ((last.requests - first.requests) / (last.at - first.at)) * 60_000;
    },
  };
}

/**
 * The points known before `from`, then the answer's.
 * @param {Course} before
 * @param {Course} answer
 * @param {number} from
 * @returns {Course}
 */
function joined(before, answer, from) {
  const kept = before.times.filter((at) => at < from).length;
  const course = { ...answer, times: [...before.times.slice(0, kept), ...answer.times] };
  for (const name of VALUES) course[name] = [...before[name].slice(0, kept), ...answer[name]];
  course.fillsLeftOut += before.fillsLeftOut;
  course.fills = [...before.fills.filter(({ at }) => at < from), ...answer.fills];
  return course;
}
