// Who is signed in at the page. Kept in memory alone: a restart ends every session.
import { createHash, randomBytes } from 'node:crypto';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PageRole, PageTokens, TokenFit } from './page-tokens.ts';

export interface Session {
  readonly role: PageRole;
  /** Who it is, for the journal: the name that was given, and that it was at the page. */
  readonly by: string;
  readonly expiresAt: EpochMs;
}

export const SESSION_MS: DurationMs = 12 * 3_600_000;
const SESSION_BYTES = 32;
/** The oldest one gives way: whoever has a token can't fill the memory. */
const MOST_SESSIONS = 32;

interface Kept extends Session {
  readonly fit: TokenFit;
  /** By the clock that is never set. */
  readonly begunAt: DurationMs;
}

export interface Sessions {
  /** What the cookie holds. */
  begin(fit: TokenFit, by: string): { readonly id: string; readonly session: Session };
  /** Null where there is none, or none any more: its time is over, or its token was renewed. */
  of(id: string): Session | null;
  end(id: string): void;
}

export function createSessions(tokens: Pick<PageTokens, 'isCurrent'>, clock: Clock): Sessions {
  // A clock that is set back makes no session longer.
  const isOver = ({ expiresAt, begunAt }: Kept): boolean =>
    expiresAt <= clock.now() || clock.monotonic() - begunAt >= SESSION_MS;
  // By their digest: neither how long a look takes nor what a dump of the memory shows is of use to anybody.
  const kept = new Map<string, Kept>();
  return {
    begin(fit, by) {
      for (const [key, each] of kept) if (isOver(each)) kept.delete(key);
      const [oldest] = kept.keys();
      if (kept.size >= MOST_SESSIONS && oldest !== undefined) kept.delete(oldest);
      const id = randomBytes(SESSION_BYTES).toString('base64url');
      const session = { role: fit.role, by, expiresAt: clock.now() + SESSION_MS };
      kept.set(keyOf(id), { ...session, fit, begunAt: clock.monotonic() });
      return { id, session };
    },
    of(id) {
      const found = kept.get(keyOf(id));
      if (found === undefined) return null;
      const { fit, begunAt: _begunAt, ...session } = found;
      if (!isOver(found) && tokens.isCurrent(fit)) return session;
      kept.delete(keyOf(id));
      return null;
    },
    end: (id) => void kept.delete(keyOf(id)),
  };
}

const keyOf = (id: string): string => createHash('sha256').update(id).digest('hex');
