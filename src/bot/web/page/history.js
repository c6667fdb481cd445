// The charts' points from the bot's history, and the pace of its requests. Requests the whole span at first and every
// few minutes, in between only the last minutes.

/** @import { BotStatus } from '../../status/bot-status.ts' */

const SPAN_MS = 6 * 3_600_000;
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
 * Columns of equal length; a value is null if unknown.
 * @typedef {{
 *   times: number[], marketBid: Value[], marketAsk: Value[], ownBid: Value[], ownAsk: Value[], reference: Value[],
 *   inventory: Value[], profit: Value[], fills: Mark[],
 * }} Course
 * `askedTo` and `wholeAt`: by the bot's clock.
 * @typedef {{ readonly course: Course, readonly askedTo: number, readonly wholeAt: number }} Known
 */

const VALUES = /** @type {const} */ ([
  ...['marketBid', 'marketAsk', 'ownBid', 'ownAsk', 'reference', 'inventory', 'profit'],
]);

/** @type {Course} */
const NOTHING = {
  ...{ times: [], marketBid: [], marketAsk: [], ownBid: [], ownAsk: [], reference: [], inventory: [], profit: [] },
  fills: [],
};

/**
 * @param {() => number} tick The browser's monotonic clock: an ended bot's clock stands still.
 * @param {(path: string) => Promise<Response>} send
 * @returns {{
 *   take(status: BotStatus): void,
 *   of(symbol: string): Course,
 *   isComing(symbol: string): boolean,
 *   requestsPerMinute(): number | null,
 * }}
 */
export function createHistory(tick, send) {
  /** @type {Map<string, Known>} */
  const known = new Map();
  /** @type {Map<string, number>} */
  const nextAt = new Map();
  /** @type {{ at: number, requests: number }[]} */
  let totals = [];
  let startedAt = 0;

  /** Null if the bot has no history. @param {string} symbol @param {number} from @param {number} to */
  async function ask(symbol, from, to) {
    const question = { symbol, from: String(from), to: String(to), points: String(POINTS) };
    const answer = await send(`/api/history?${new URLSearchParams(question)}`);
    return answer.ok ? { ...NOTHING, ...(await answer.json()) } : null;
  }

  /** @param {string} symbol @param {number} now @param {boolean} isPast */
  async function load(symbol, now, isPast) {
    if (tick() < (nextAt.get(symbol) ?? 0)) return;
    nextAt.set(symbol, Number.POSITIVE_INFINITY);
    const before = known.get(symbol);
    const isWhole = before === undefined || now - before.wholeAt >= WHOLE_EVERY_MS;
    const from = isWhole ? now - SPAN_MS : before.askedTo - TAIL_MS;
    const answer = await ask(symbol, from, now + BEYOND_MS).catch(() => null);
    if (answer !== null)
      known.set(symbol, {
        course: joined(isWhole ? NOTHING : before.course, answer, from),
        askedTo: now,
        wholeAt: isWhole ? now : before.wholeAt,
      });
    if (answer === null || !isPast) nextAt.set(symbol, tick() + ASK_EVERY_MS);
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
    isComing: (symbol) => !known.has(symbol) && nextAt.get(symbol) === Number.POSITIVE_INFINITY,
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
  course.fills = [...before.fills.filter(({ at }) => at < from), ...answer.fills];
  return course;
}
