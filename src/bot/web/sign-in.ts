// Signing in with a token, and out. The token is sent once; from then on a cookie that no script can read allows
// reading, and together with the tab's own secret allows commands.

import { createHash, randomBytes } from 'node:crypto';
import cookie from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../base/log.ts';
import type { WebSettings } from '../settings/types.ts';
import type { PageRole, PageTokens, TokenFit } from './page-tokens.ts';
import { isOpen, isSecure } from './request-guard.ts';

export interface SignInParts {
  readonly web: WebSettings;
  readonly tokens: PageTokens;
  readonly clock: Clock;
  readonly log: Log;
  /** The actual port. */
  readonly port: () => number;
}

export interface SignIn {
  /** Has the role `steer` only if the request carries the secret of the tab that signed in. */
  sessionOf(request: FastifyRequest): Session | null;
  /** Signed in, with a token as `Authorization: Bearer`, or at a page that is open to this machine. */
  mayRead(request: FastifyRequest): boolean;
}

/** The person's name for the journal; it grants nothing. */
const body = z.strictObject({
  token: z.string().max(200),
  name: z
    .string()
    .regex(/^[\w.-]{0,48}$/)
    .default(''),
});

/** Sign-in attempts allowed from all addresses together and from one: guessing must not fill the log. */
const TRIES = { all: 30, one: 10, window: 60_000 };
/** Pages of another origin can't send this header: the browser would ask us first, and is never allowed to. */
const PROOF_HEADER = 'x-session-proof';
const SECRET_AS_NAME =
  'The name holds a token or a key of the bot, and names are shown and stored. Nobody was signed in: change the name.';
const BEARER = /^bearer (\S{1,200})$/i;

/** Adds the routes of `/api/session`. */
export async function addSignIn(app: FastifyInstance, parts: SignInParts): Promise<SignIn> {
  const { web, tokens, clock, log } = parts;
  await app.register(cookie);
  await app.register(rateLimit, { global: false });
  const sessions = createSessions(tokens, clock);
  // Cookies ignore ports: without the number, two bots on one machine would sign each other out. The prefix makes
  // browsers require Secure and /.
  const nameOf = (): string => `${isSecure(web) ? '__Host-' : ''}quotekeeper-${parts.port()}`;
  const traits = { httpOnly: true, sameSite: 'strict', secure: isSecure(web), path: '/' } as const;
  const secretsOf = ({ cookies, headers }: FastifyRequest): SessionSecrets => ({
    id: cookies[nameOf()] ?? '',
    proof: String(headers[PROOF_HEADER] ?? ''),
  });
  const sessionOf = (request: FastifyRequest): Session | null => sessions.of(secretsOf(request));
  const isTooMuch = triesCounter(app);
  const givesAway = (name: string): boolean => log.holdsSecret(name) || log.scrub(name) !== name;

  app.get('/api/session', (request, reply) => reply.send({ ...shown(sessionOf(request)), isOpen: isOpen(web) }));
  app.post('/api/session', async (request, reply) => {
    if (await isTooMuch(request)) {
      const refused = 'Too many tries. Wait a minute; `quotekeeper pause` and `stop` work meanwhile.';
      return reply.code(429).send({ refused });
    }
    const read = body.safeParse(request.body);
    if (!read.success) return reply.code(400).send({ refused: 'A token, and a name of letters, digits, . - and _.' });
    const fit = tokens.fitOf(read.data.token);
    if (fit === null) return refuse(reply, parts);
    // Checked only for holders of a token, so that nobody else learns what is a secret.
    if (givesAway(read.data.name)) return reply.code(400).send({ refused: SECRET_AS_NAME });
    const by = read.data.name === '' ? 'page' : `${read.data.name}@page`;
    const { id, proof, session } = sessions.begin(fit, by);
    log.logEvent({ op: 'page', message: `${by} signed in at the page, to ${fit.role}.`, role: fit.role, by });
    return reply.setCookie(nameOf(), id, { ...traits, maxAge: SESSION_MS / 1_000 }).send({ ...shown(session), proof });
  });
  app.delete('/api/session', (request, reply) => {
    sessions.end(secretsOf(request));
    return reply.clearCookie(nameOf(), traits).send(shown(null));
  });
  return {
    sessionOf,
    mayRead: (request) => isOpen(web) || sessionOf(request) !== null || hasBearer(request, tokens),
  };
}

const shown = (session: Session | null) => ({
  role: session?.role ?? null,
  by: session?.by ?? null,
  expiresAt: session?.expiresAt ?? null,
});

function triesCounter(app: FastifyInstance): (request: FastifyRequest) => Promise<boolean> {
  const window = { timeWindow: TRIES.window };
  const ofAll = app.createRateLimit({ ...window, max: TRIES.all, keyGenerator: () => 'all' });
  const ofOne = app.createRateLimit({ ...window, max: TRIES.one });
  return async (request) => {
    // An address over its own limit does not use up the others' attempts.
    const one = await ofOne(request);
    if (!one.isAllowed && one.isExceeded) return true;
    const all = await ofAll(request);
    return !all.isAllowed && all.isExceeded;
  };
}

function refuse(reply: FastifyReply, { tokens, log }: SignInParts): FastifyReply {
  const troubles = tokens.troubles();
  const message = ['A token that was typed at the page is wrong.', ...troubles].join(' ');
  log.logEvent({ op: 'page', level: 'warn', message });
  const why = troubles.length === 0 ? '' : ' A token file of the bot can’t be used; its log says why.';
  return reply.code(401).send({ refused: `Wrong token. Run \`quotekeeper page-token\` to see the valid one.${why}` });
}

function hasBearer({ headers }: FastifyRequest, tokens: PageTokens): boolean {
  const [, token] = BEARER.exec(headers.authorization ?? '') ?? [];
  return token !== undefined && tokens.fitOf(token) !== null;
}

// The sessions of signed-in people. In memory only: a restart ends them all.

export interface Session {
  readonly role: PageRole;
  /** For the journal: the given name, and that it was at the page. */
  readonly by: string;
  readonly expiresAt: EpochMs;
}

export const SESSION_MS: DurationMs = 12 * 3_600_000;
const SECRET_BYTES = 32;
/** Per role. The oldest one is dropped: a token can't fill the memory, and readers never end a session with control. */
const MOST_SESSIONS = 32;

interface Kept extends Session {
  readonly fit: TokenFit;
  readonly proofDigest: string;
  /** By the monotonic clock. */
  readonly begunAt: DurationMs;
}

/** The two secrets of a session. */
export interface SessionSecrets {
  /** In the cookie. Browsers send it to every port of the host, so it only allows reading. */
  readonly id: string;
  /** Stored by the tab that signed in, where no other origin can read it. Commands carry it as well. */
  readonly proof: string;
}

export function createSessions(tokens: Pick<PageTokens, 'isCurrent'>, clock: Clock) {
  // Setting the clock back makes no session longer.
  const isOver = ({ expiresAt, begunAt }: Kept): boolean =>
    expiresAt <= clock.now() || clock.monotonic() - begunAt >= SESSION_MS;
  // By digest, so that neither timing nor a memory dump reveals a secret.
  const kept = new Map<string, Kept>();
  const endAll = (which: (each: Kept, idDigest: string) => boolean): void => {
    for (const [idDigest, each] of kept) if (which(each, idDigest)) kept.delete(idDigest);
  };
  return {
    begin(fit: TokenFit, by: string): SessionSecrets & { readonly session: Session } {
      endAll(isOver);
      const alike = [...kept].filter(([, { role }]) => role === fit.role);
      const [oldest] = alike;
      if (alike.length >= MOST_SESSIONS && oldest !== undefined) kept.delete(oldest[0]);
      const [id, proof] = [newSecret(), newSecret()];
      const session = { role: fit.role, by, expiresAt: clock.now() + SESSION_MS };
      kept.set(digestOf(id), { ...session, fit, proofDigest: digestOf(proof), begunAt: clock.monotonic() });
      return { id, proof, session };
    },
    /**
     * The proof's session if both secrets are valid: other tabs of the browser may have replaced the cookie since. The
     * cookie's session, read-only, if the proof is invalid. Null if the cookie has none, it has expired, or its token
     * was renewed.
     */
    of({ id, proof }: SessionSecrets): Session | null {
      endAll((each) => isOver(each) || !tokens.isCurrent(each.fit));
      const ofCookie = kept.get(digestOf(id));
      if (ofCookie === undefined) return null;
      const proofDigest = digestOf(proof);
      const ofProof = [...kept.values()].find((each) => each.proofDigest === proofDigest);
      const { role, by, expiresAt } = ofProof ?? { ...ofCookie, role: 'read' };
      return { role, by, expiresAt };
    },
    /** Ends the sessions of both secrets. */
    end(secrets: SessionSecrets): void {
      const [ofId, ofProof] = [digestOf(secrets.id), digestOf(secrets.proof)];
      endAll(({ proofDigest }, idDigest) => idDigest === ofId || proofDigest === ofProof);
    },
  };
}

const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');
const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
