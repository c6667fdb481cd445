// A symbol in one word. It follows what is live, not what is wanted: an order that is being canceled is no quote.
import { SECOND } from '../../domain/time.ts';
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
  // A side that the strategy or a protection withholds is missing on purpose, and no quote is on its way there.
  const tone = missing.some((side) => needsALook(side) || (isMoving(side) && isLate(side))) ? 'warn' : 'calm';
  if (isQuoted(buy)) return { tone, word: 'Quoting, bid only' };
  if (isQuoted(sell)) return { tone, word: 'Quoting, ask only' };
  // A quote that is lost beside a late one makes it no better.
  return tone === 'calm' && missing.some(isMoving)
    ? { tone: 'calm', word: 'Replacing quotes' }
    : { tone: 'warn', word: 'No quote' };
}

/** To replace a quote takes some requests; what takes longer than this is no replacement. */
export const REPLACED_WITHIN_MS = 15 * SECOND;
const isLate = ({ missingMs }: SideView): boolean => missingMs > REPLACED_WITHIN_MS;
const isQuoted = ({ state }: SideView): boolean => state === 'quoted';
const needsALook = ({ state }: SideView): boolean => state === 'unknown' || state === 'denied';
/** The next moments bring an order, or tell. */
const isMoving = ({ state }: SideView): boolean => state === 'leaving' || state === 'placing' || state === 'unknown';
