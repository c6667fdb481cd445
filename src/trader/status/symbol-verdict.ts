// A symbol in one word. It follows what is live, not what is wanted: an order that is being canceled is no quote.
import type { SideView, SymbolView, Verdict } from './snapshot.ts';

const BLOCKED: Readonly<Record<Exclude<SymbolView['state'], 'quoting'>, Verdict>> = {
  waiting: { tone: 'warn', word: 'Waiting' },
  paused: { tone: 'warn', word: 'Paused' },
  halted: { tone: 'stop', word: 'Halted' },
};

export function symbolVerdict({ state, sides: { buy, sell } }: Pick<SymbolView, 'state' | 'sides'>): Verdict {
  if (state !== 'quoting') return BLOCKED[state];
  if (isQuoted(buy) && isQuoted(sell)) return { tone: 'good', word: 'Quoting' };
  const missing = [buy, sell].filter((side) => !isQuoted(side));
  const tone = missing.some(needsALook) ? 'warn' : 'good';
  if (isQuoted(buy)) return { tone, word: 'Quoting, bid only' };
  if (isQuoted(sell)) return { tone, word: 'Quoting, ask only' };
  return missing.some(isMoving) ? { tone: 'calm', word: 'Replacing quotes' } : { tone: 'warn', word: 'No quote' };
}

const isQuoted = ({ state }: SideView): boolean => state === 'quoted';
const needsALook = ({ state }: SideView): boolean => state === 'unknown' || state === 'denied';
/** The next moments bring an order, or tell. */
const isMoving = ({ state }: SideView): boolean => state === 'leaving' || state === 'placing' || state === 'unknown';
