// How far a strategy says that it quotes. It is user code, too: what it throws, or what is no number, says nothing.
import type { Strategy } from '../strategy.ts';
import { atOnce } from './at-once.ts';

/** In basis points of the reference price; null where the strategy does not say. */
export function askWidthBps({ widthBps }: Strategy, params: unknown): number | null {
  try {
    const width = atOnce(widthBps?.(params), 'widthBps()');
    return typeof width === 'number' && Number.isFinite(width) && width >= 0 ? width : null;
  } catch {
    return null;
  }
}
