// What the charts and rates are made of: what the bot has kept, and behind it what this page has seen since.

/** @import { BotStatus } from '../../status/bot-status.ts' */
/** @import { SymbolView } from '../../../trader/status/snapshot.ts' */

const SEEN_MS = 10 * 60_000;
/** So far back the bot is asked for what it has kept, in so many points. */
const ASKED_MS = 6 * 3_600_000;
const ASKED_POINTS = 600;

/**
 * @typedef {number | null} Value
 * @typedef {{
 *   readonly at: number, readonly side: 'buy' | 'sell', readonly price: number, readonly quantity: number
 * }} Mark
 * Columns of one length; a value is null where nothing was known.
 * @typedef {{
 *   times: number[], marketBid: Value[], marketAsk: Value[], ownBid: Value[], ownAsk: Value[], reference: Value[],
 *   inventory: Value[], profit: Value[], fills: Mark[],
 * }} Course
 */

const COLUMNS = /** @type {const} */ ([
  ...['times', 'marketBid', 'marketAsk', 'ownBid', 'ownAsk', 'reference', 'inventory', 'profit'],
]);

/** @returns {Course} */
const emptyCourse = () => ({
  ...{ times: [], marketBid: [], marketAsk: [], ownBid: [], ownAsk: [], reference: [], inventory: [], profit: [] },
  fills: [],
});

/**
 * @returns {{
 *   take(status: BotStatus): void,
 *   of(symbol: string): Course,
 *   load(symbol: string): void,
 *   requestsPerMinute(): number | null,
 * }}
 */
export function createHistory() {
  /** @type {Map<string, Course>} */
  const seen = new Map();
  /** @type {Map<string, Course>} */
  const kept = new Map();
  /** @type {Set<string>} */
  const asked = new Set();
  /** @type {{ at: number, requests: number }[]} */
  let totals = [];
  let startedAt = 0;
  let now = 0;
  return {
    take(status) {
      const { trader } = status;
      if (status.startedAt !== startedAt) totals = [];
      startedAt = status.startedAt;
      // Two pages may be given the same answer.
      if (trader.at === now) return;
      now = trader.at;
      for (const symbol of trader.symbols) {
        const course = seen.get(symbol.symbol) ?? emptyCourse();
        seen.set(symbol.symbol, course);
        add(course, symbol, now);
      }
      totals.push({ at: now, requests: trader.requests.reduce((sum, { count }) => sum + count, 0) });
      while ((totals[0]?.at ?? now) < now - 60_000) totals.shift();
    },
    of: (symbol) => joined(kept.get(symbol), seen.get(symbol) ?? emptyCourse()),
    load(symbol) {
      if (asked.has(symbol)) return;
      asked.add(symbol);
      void keptOf(symbol, now).then((course) => course !== null && kept.set(symbol, course));
    },
    requestsPerMinute() {
      const [first, last] = [totals[0], totals.at(-1)];
      if (first === undefined || last === undefined || last.at - first.at < 5_000) return null;
      return ((last.requests - first.requests) / (last.at - first.at)) * 60_000;
    },
  };
}

/** Null where the bot keeps nothing. @param {string} symbol @param {number} now @returns {Promise<Course | null>} */
async function keptOf(symbol, now) {
  const question = { symbol, from: String(now - ASKED_MS), to: String(now), points: String(ASKED_POINTS) };
  try {
    const answer = await fetch(`/api/history?${new URLSearchParams(question)}`, { signal: AbortSignal.timeout(5_000) });
    return answer.ok ? { ...emptyCourse(), ...(await answer.json()) } : null;
  } catch {
    return null;
  }
}

/**
 * What was kept, up to where this page began to see for itself.
 * @param {Course | undefined} kept
 * @param {Course} seen
 */
function joined(kept, seen) {
  if (kept === undefined) return seen;
  const [from = Number.POSITIVE_INFINITY] = seen.times;
  const length = kept.times.findIndex((at) => at >= from);
  const before = length === -1 ? kept.times.length : length;
  const columns = COLUMNS.map((name) => [name, [...kept[name].slice(0, before), ...seen[name]]]);
  const newest = new Set(seen.fills.map(({ at, price }) => `${at} ${price}`));
  const fills = [...kept.fills.filter(({ at, price }) => !newest.has(`${at} ${price}`)), ...seen.fills];
  return /** @type {Course} */ ({ ...Object.fromEntries(columns), fills });
}

/** @param {Course} course @param {SymbolView} symbol @param {number} at */
function add(course, { referencePrice, orders, market, inventory, pnl, recentFills }, at) {
  /** @type {(side: 'buy' | 'sell') => number[]} */
  const open = (side) =>
    orders.filter((order) => order.side === side && order.standing === 'live').map(({ price }) => Number(price));
  const [bids, asks] = [open('buy'), open('sell')];
  const numberOf = (/** @type {string | null | undefined} */ text) => (text == null ? null : Number(text));
  course.times.push(at);
  course.marketBid.push(numberOf(market?.bid));
  course.marketAsk.push(numberOf(market?.ask));
  course.ownBid.push(bids.length === 0 ? null : Math.max(...bids));
  course.ownAsk.push(asks.length === 0 ? null : Math.min(...asks));
  course.reference.push(numberOf(referencePrice));
  course.inventory.push(numberOf(inventory));
  course.profit.push(numberOf(pnl.price === null ? null : pnl.total));
  while ((course.times[0] ?? at) < at - SEEN_MS) for (const name of COLUMNS) course[name].shift();
  course.fills = recentFills
    .filter(({ ours }) => ours)
    .map(({ venueTime, side, price, quantity }) => ({
      at: venueTime,
      side,
      price: Number(price),
      quantity: Number(quantity),
    }));
}
