// What this page has seen since it was opened, for its charts and rates. It is gone when the page is closed.

/** @import { BotStatus } from '../../status/bot-status.ts' */
/** @import { SymbolView } from '../../../trader/status/snapshot.ts' */

const KEPT_MS = 10 * 60_000;

/**
 * @typedef {number | null} Price
 * @typedef {{ readonly at: number, readonly reference: Price, readonly bid: Price, readonly ask: Price }} Point
 */

/**
 * @returns {{
 *   take(status: BotStatus): void,
 *   of(symbol: string): readonly Point[],
 *   requestsPerMinute(): number | null,
 * }}
 */
export function createHistory() {
  /** @type {Map<string, Point[]>} */
  const points = new Map();
  /** @type {{ at: number, requests: number }[]} */
  let totals = [];
  let startedAt = 0;
  return {
    take(status) {
      const { trader } = status;
      if (status.startedAt !== startedAt) totals = [];
      startedAt = status.startedAt;
      for (const symbol of trader.symbols) {
        const kept = points.get(symbol.symbol) ?? [];
        points.set(symbol.symbol, kept);
        kept.push(pointOf(symbol, trader.at));
        while ((kept[0]?.at ?? trader.at) < trader.at - KEPT_MS) kept.shift();
      }
      totals.push({ at: trader.at, requests: trader.requests.reduce((sum, { count }) => sum + count, 0) });
      while ((totals[0]?.at ?? trader.at) < trader.at - 60_000) totals.shift();
    },
    of: (symbol) => points.get(symbol) ?? [],
    requestsPerMinute() {
      const [first, last] = [totals[0], totals.at(-1)];
      if (first === undefined || last === undefined || last.at - first.at < 5_000) return null;
      return ((last.requests - first.requests) / (last.at - first.at)) * 60_000;
    },
  };
}

/** @param {SymbolView} symbol @param {number} at @returns {Point} */
function pointOf({ referencePrice, orders }, at) {
  /** @type {(side: 'buy' | 'sell') => number[]} */
  const open = (side) =>
    orders.filter((order) => order.side === side && order.standing === 'live').map(({ price }) => Number(price));
  const [bids, asks] = [open('buy'), open('sell')];
  return {
    at,
    reference: referencePrice === null ? null : Number(referencePrice),
    bid: bids.length === 0 ? null : Math.max(...bids),
    ask: asks.length === 0 ? null : Math.min(...asks),
  };
}
