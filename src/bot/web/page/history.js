// What the charts and rates are made of: what the bot has kept, and what this page has seen for itself.

/** @import { BotStatus } from '../../status/bot-status.ts' */
/** @import { SymbolView } from '../../../trader/status/snapshot.ts' */

const SEEN_MS = 10 * 60_000;
/** So far back the bot is asked for what it has kept, in so many points. */
const ASKED_MS = 6 * 3_600_000;
const ASKED_POINTS = 600;
/** What was killed kept more than its last status says. */
const ASKED_BEYOND_MS = 60_000;
/** Well before what was seen is forgotten, so that nothing is missing between both. */
const ASK_AGAIN_MS = 3 * 60_000;
const ASK_AGAIN_AFTER_FAILURE_MS = 20_000;
/** Where nothing that was kept says it: two points that are farther apart have nothing between them. */
const USUAL_GAP_MS = 2 * 60_000;

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
 * @typedef {Course & { readonly gapMs: number }} Kept
 */

const VALUES = /** @type {const} */ ([
  ...['marketBid', 'marketAsk', 'ownBid', 'ownAsk', 'reference', 'inventory', 'profit'],
]);

/** @returns {Course} */
const emptyCourse = () => ({
  ...{ times: [], marketBid: [], marketAsk: [], ownBid: [], ownAsk: [], reference: [], inventory: [], profit: [] },
  fills: [],
});

/**
 * @param {() => number} tick The browser's steady clock: that of a bot that has ended stands still.
 * @returns {{
 *   take(status: BotStatus): void,
 *   of(symbol: string): Course,
 *   isComing(symbol: string): boolean,
 *   requestsPerMinute(): number | null,
 * }}
 */
export function createHistory(tick) {
  /** @type {Map<string, Course>} */
  const seen = new Map();
  const kept = createKept(tick);
  /** Joined once for each news. @type {Map<string, Course>} */
  const drawn = new Map();
  /** @type {{ at: number, requests: number }[]} */
  let totals = [];
  let startedAt = 0;
  let now = 0;
  return {
    take(status) {
      const { trader } = status;
      for (const { symbol } of trader.symbols) kept.load(symbol, trader.at, () => drawn.delete(symbol));
      if (status.startedAt !== startedAt) totals = [];
      startedAt = status.startedAt;
      // Two pages may be given the same answer.
      if (trader.at === now) return;
      now = trader.at;
      drawn.clear();
      for (const symbol of trader.symbols) {
        const course = seen.get(symbol.symbol) ?? emptyCourse();
        seen.set(symbol.symbol, course);
        add(course, symbol, now);
      }
      totals.push({ at: now, requests: trader.requests.reduce((sum, { count }) => sum + count, 0) });
      while ((totals[0]?.at ?? now) < now - 60_000) totals.shift();
    },
    of(symbol) {
      const course = drawn.get(symbol) ?? joined(kept.of(symbol), seen.get(symbol) ?? emptyCourse());
      drawn.set(symbol, course);
      return course;
    },
    isComing: kept.isComing,
    requestsPerMinute() {
      const [first, last] = [totals[0], totals.at(-1)];
      if (first === undefined || last === undefined || last.at - first.at < 5_000) return null;
      return ((last.requests - first.requests) / (last.at - first.at)) * 60_000;
    },
  };
}

/** What the bot has kept, asked for again and again while the page is open. @param {() => number} tick */
function createKept(tick) {
  /** @type {Map<string, Kept>} */
  const kept = new Map();
  /**
   * By both clocks: while a computer sleeps the browser's may stand still.
   * @type {Map<string, { tick: number, now: number }>}
   */
  const askAgainAt = new Map();
  /** @type {Set<string>} */
  const coming = new Set();
  return {
    /** @param {string} symbol */
    of: (symbol) => kept.get(symbol),
    /** Whether the first answer is still awaited. @param {string} symbol */
    isComing: (symbol) => coming.has(symbol) && !kept.has(symbol),
    /** Asks where it is time. @param {string} symbol @param {number} now @param {() => void} then */
    load(symbol, now, then) {
      const due = askAgainAt.get(symbol);
      if (coming.has(symbol) || (due !== undefined && tick() < due.tick && now < due.now)) return;
      coming.add(symbol);
      void keptOf(symbol, now).then((answer) => {
        coming.delete(symbol);
        const waitMs = answer === 'failed' ? ASK_AGAIN_AFTER_FAILURE_MS : ASK_AGAIN_MS;
        askAgainAt.set(symbol, { tick: tick() + waitMs, now: now + waitMs });
        if (typeof answer !== 'string') kept.set(symbol, answer);
        then();
      });
    },
  };
}

/**
 * `none` where the bot keeps nothing.
 * @param {string} symbol
 * @param {number} now
 * @returns {Promise<Kept | 'none' | 'failed'>}
 */
async function keptOf(symbol, now) {
  const [from, to] = [now - ASKED_MS, now + ASKED_BEYOND_MS];
  const question = { symbol, from: String(from), to: String(to), points: String(ASKED_POINTS) };
  try {
    const answer = await fetch(`/api/history?${new URLSearchParams(question)}`, { signal: AbortSignal.timeout(5_000) });
    if (answer.status === 404) return 'none';
    return answer.ok ? { ...emptyCourse(), gapMs: USUAL_GAP_MS, ...(await answer.json()) } : 'failed';
  } catch {
    return 'failed';
  }
}

/**
 * What was seen, and what was kept of all the time that this page did not see.
 * @param {Kept | undefined} kept
 * @param {Course} seen
 * @returns {Course}
 */
function joined(kept = { ...emptyCourse(), gapMs: USUAL_GAP_MS }, seen) {
  const { gapMs } = kept;
  const course = emptyCourse();
  let next = 0;
  for (const [index, at] of seen.times.entries()) {
    const before = seen.times[index - 1] ?? Number.NEGATIVE_INFINITY;
    for (; (kept.times[next] ?? at) < at; next += 1)
      if (at - before > gapMs && (kept.times[next] ?? 0) > before) append(course, kept, next, gapMs);
    append(course, seen, index, gapMs);
  }
  const last = seen.times.at(-1) ?? Number.NEGATIVE_INFINITY;
  for (; next < kept.times.length; next += 1) if ((kept.times[next] ?? 0) > last) append(course, kept, next, gapMs);
  const newest = new Set(seen.fills.map(({ at, price }) => `${at} ${price}`));
  course.fills = [...kept.fills.filter(({ at, price }) => !newest.has(`${at} ${price}`)), ...seen.fills];
  return course;
}

/**
 * One point; before it a break where nobody looked for longer than `gapMs`.
 * @param {Course} course
 * @param {Course} source
 * @param {number} index
 * @param {number} gapMs
 */
function append(course, source, index, gapMs) {
  const at = source.times[index] ?? 0;
  const before = course.times.at(-1) ?? at;
  if (at - before > gapMs) {
    course.times.push(before + 1);
    for (const name of VALUES) course[name].push(null);
  }
  course.times.push(at);
  for (const name of VALUES) course[name].push(source[name][index] ?? null);
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
  while ((course.times[0] ?? at) < at - SEEN_MS) {
    course.times.shift();
    for (const name of VALUES) course[name].shift();
  }
  course.fills = recentFills
    .filter(({ ours }) => ours)
    .map(({ venueTime, side, price, quantity }) => ({
      at: venueTime,
      side,
      price: Number(price),
      quantity: Number(quantity),
    }));
}
