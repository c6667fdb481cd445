// The locked sides of each symbol, by the journal.

/** Active locks, by symbol, code and side; null means both sides. */
export type Locks = Map<string, { readonly symbol: string; readonly side: string | null }>;

type Payload = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? value : String(value));
const sideOrNull = (side: unknown): string | null => (side === null ? null : text(side));
const lockKey = ({ symbol, code, side }: Payload): string => [symbol, code, side].map(text).join(' ');

/** Symbols that a person resumes are no longer locked. */
export function foldResumed(locks: Locks, symbol: string): null {
  for (const [key, lock] of locks) if (lock.symbol === symbol) locks.delete(key);
  return null;
}

export function foldLock(locks: Locks, payload: Payload): null {
  if (payload.lock === null) locks.delete(lockKey(payload));
  else locks.set(lockKey(payload), { symbol: text(payload.symbol), side: sideOrNull(payload.side) });
  return null;
}

/** Whether a side of the symbol is locked, or with null any side. */
export const isLocked = ({ locks }: { readonly locks: Locks }, symbol: string, side: string | null): boolean =>
  [...locks.values()].some(
    (lock) => lock.symbol === symbol && (side === null || lock.side === null || lock.side === side),
  );
