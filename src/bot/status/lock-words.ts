// A lock in a sentence, as the terminal has it; the page has its own of the same facts.
import { lockEnd } from '../../quoting/protection-settings.ts';

const WHAT = { buy: 'buying', sell: 'selling' } as const;

/** `buying is locked until 2026-11-24 14:05:00 UTC: 2 own sales …`, behind the symbol. */
export function lockWords(lock: {
  readonly side: 'buy' | 'sell' | null;
  readonly reason: string;
  readonly until: number | null;
}): string {
  const what = lock.side === null ? 'quoting' : WHAT[lock.side];
  return `${what} is locked ${lockEnd(lock)}: ${lock.reason}`;
}
