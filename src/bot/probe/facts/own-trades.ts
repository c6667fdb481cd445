// The account's own trades as the answers show them, each once.
import type { Fill } from '../../../domain/fill.ts';
import type { InstrumentSymbol } from '../../../domain/instrument.ts';
import { parseSpotTrades } from '../../../venue/parsers/trades.ts';
import { type Answer, good, type Topic } from './answer.ts';
import { exactJsonOf } from './json-body.ts';

const LISTS: readonly Topic[] = ['spot-trades', 'spot-trades-encoded', 'spot-trades-from-id', 'spot-trades-historical'];

/** The rows of one answer in its order. */
export function fillsOf(answer: Answer): readonly Fill[] {
  if (answer.symbol === null) return [];
  const parsed = parseSpotTrades(exactJsonOf(answer), { symbol: answer.symbol });
  return parsed.ok ? parsed.value.rows.filter(({ symbol }) => symbol === answer.symbol) : [];
}

/** Of all lists of a symbol together, by id and side: a trade with ourselves is two rows of one id. */
export function ownFills(answers: readonly Answer[], symbol: InstrumentSymbol): readonly Fill[] {
  const all = LISTS.flatMap((topic) => good(answers, topic, symbol)).flatMap(fillsOf);
  return [...new Map(all.map((fill) => [`${fill.tradeId} ${fill.side}`, fill])).values()];
}
