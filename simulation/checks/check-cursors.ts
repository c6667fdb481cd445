// R6: reads of own trades begin at a known one.
import type { CheckContext, Checker } from './context.ts';
import { fillKey, type Told } from './journal-model.ts';

export function cursorChecks(): Checker {
  /** Own trades that the session was shown, and those from before the opening. */
  const shown = new Set<string>();
  const openings = new Set<string>();
  return {
    answered(_scene, { endpoint, status, text, query }) {
      if (endpoint !== 'spot-trades' || status !== 200) return;
      for (const id of idsIn(text)) shown.add(shownKey(query.get('symbol') ?? '', id));
    },
    sent(context, { endpoint, query }) {
      if (endpoint === 'spot-trades') overlapping(context, query, (key) => shown.has(key) || openings.has(key));
    },
    recorded(_context, told) {
      if (told.type === 'session-started') shown.clear();
      for (const [symbol, id] of openingsIn(told)) openings.add(shownKey(symbol, id));
    },
  };
}

/**
 * R6: reads of own trades begin at a known one, so that nothing can lie between: a booked trade, the last one from
 * before the opening, or one that this session was shown and will book once its millisecond has been read.
 */
function overlapping(context: CheckContext, query: URLSearchParams, isShown: (key: string) => boolean): void {
  const from = query.get('fromId');
  const symbol = query.get('symbol') ?? '';
  if (from === null || from === '0' || !context.isUp() || context.excused('unbooked')) return;
  const isKnown =
    isShown(shownKey(symbol, from)) ||
    ['buy', 'sell'].some((side) => context.journal.fills.has(fillKey(symbol, from, side)));
  if (!isKnown)
    context.violated('R6', `Own trades of ${symbol} were asked for from ${from} on, which is no trade that is known.`);
}

const shownKey = (symbol: string, tradeId: string): string => fillKey(symbol, tradeId, 'shown');

/** Trade ids on a page of own trades, complete or not. */
const idsIn = (text: string): string[] => [...text.matchAll(/"id":\s*"?(\d+)"?/g)].map(([, id]) => id ?? '');

/** The trades at which reading begins, from the record of an opening. */
function openingsIn({ type, payload }: Told): [symbol: string, tradeId: string][] {
  if (type !== 'opened') return [];
  const markets = payload.markets as Readonly<Record<string, { readonly cursor: { readonly tradeId: string } | null }>>;
  return Object.entries(markets).flatMap(([symbol, { cursor }]) => (cursor === null ? [] : [[symbol, cursor.tradeId]]));
}
