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
const SECRET_BYTES = 32;
/** Of each role. The oldest one gives way: a token can't fill the memory, and readers end no session that steers. */
const MOST_SESSIONS = 32;

interface Kept extends Session {
  readonly fit: TokenFit;
  readonly proofDigest: string;
  /** By the clock that is never set. */
  readonly begunAt: DurationMs;
}

/** The two secrets of a session. */
export interface SessionSecrets {
  /** In the cookie. Browsers send it to every port of the host, so that it only reads. */
  readonly id: string;
  /** Kept by the tab that signed in, where no other origin reads it. A command carries it as well. */
  readonly proof: string;
}

export interface Sessions {
  begin(fit: TokenFit, by: string): SessionSecrets & { readonly session: Session };
  /**
   * The session of the proof where both secrets are valid: other tabs of the browser may have replaced the cookie
   * since. The cookie's session, which may only read, where the proof is not. Null where the cookie has none, or its
   * time is over, or its token was renewed.
   */
  of(secrets: SessionSecrets): Session | null;
  /** Ends the session of either secret. */
  end(secrets: SessionSecrets): void;
}

export function createSessions(tokens: Pick<PageTokens, 'isCurrent'>, clock: Clock): Sessions {
  // A clock that is set back makes no session longer.
  const isOver = ({ expiresAt, begunAt }: Kept): boolean =>
    expiresAt <= clock.now() || clock.monotonic() - begunAt >= SESSION_MS;
  // By their digest: neither how long a look takes nor what a dump of the memory shows is of use to anybody.
  const kept = new Map<string, Kept>();
  const endAll = (which: (each: Kept, idDigest: string) => boolean): void => {
    for (const [idDigest, each] of kept) if (which(each, idDigest)) kept.delete(idDigest);
  };
  return {
    begin(fit, by) {
      endAll(isOver);
      const alike = [...kept].filter(([, { role }]) => role === fit.role);
      const [oldest] = alike;
      if (alike.length >= MOST_SESSIONS && oldest !== undefined) kept.delete(oldest[0]);
      const [id, proof] = [newSecret(), newSecret()];
      const session = { role: fit.role, by, expiresAt: clock.now() + SESSION_MS };
      kept.set(digestOf(id), { ...session, fit, proofDigest: digestOf(proof), begunAt: clock.monotonic() });
      return { id, proof, session };
    },
    of({ id, proof }) {
      endAll((each) => isOver(each) || !tokens.isCurrent(each.fit));
      const ofCookie = kept.get(digestOf(id));
      if (ofCookie === undefined) return null;
      const proofDigest = digestOf(proof);
      const ofProof = [...kept.values()].find((each) => each.proofDigest === proofDigest);
      const { role, by, expiresAt } = ofProof ?? { ...ofCookie, role: 'read' };
      return { role, by, expiresAt };
    },
    end(secrets) {
      const [ofId, ofProof] = [digestOf(secrets.id), digestOf(secrets.proof)];
      endAll(({ proofDigest }, idDigest) => idDigest === ofId || proofDigest === ofProof);
    },
  };
}

const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');
const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
