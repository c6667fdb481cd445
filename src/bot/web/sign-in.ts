// Signing in with a token, and out. The token is sent once; from then on the tab that signed in sends the secret of its
// session.
import { createHash, randomBytes } from 'node:crypto';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../base/log.ts';
import type { WebSettings } from '../settings/types.ts';
import type { PageRole, PageTokens, TokenFit } from './page-tokens.ts';
import { isOpen } from './request-guard.ts';

interface SignInParts {
  readonly web: WebSettings;
  readonly tokens: PageTokens;
  readonly clock: Clock;
  readonly log: Log;
}

export type SignIn = Awaited<ReturnType<typeof addSignIn>>;

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
const SECRET_HEADER = 'x-session';
const SECRET_AS_NAME =
  'The name holds a token or a key of the bot, and names are shown and stored. Nobody was signed in: change the name.';
const BEARER = /^bearer (\S{1,200})$/i;

/** Adds the routes of `/api/session`. */
export async function addSignIn(app: FastifyInstance, parts: SignInParts) {
  const { web, tokens, clock, log } = parts;
  await app.register(rateLimit, { global: false });
  const sessions = createSessions(tokens, clock);
  const secretOf = ({ headers }: FastifyRequest): string => String(headers[SECRET_HEADER] ?? '');
  const sessionOf = (request: FastifyRequest): Session | null => sessions.of(secretOf(request));
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
    const { secret, session } = sessions.begin(fit, by);
    log.logEvent({ op: 'page', message: `${by} signed in at the page, to ${fit.role}.`, role: fit.role, by });
    return reply.send({ ...shown(session), secret });
  });
  app.delete('/api/session', (request, reply) => {
    sessions.end(secretOf(request));
    return reply.send(shown(null));
  });
  return {
    /** Null if the request carries no session's secret. */
    sessionOf,
    /** Signed in, with a token as `Authorization: Bearer`, or at a page that is open to this machine. */
    mayRead: (request: FastifyRequest): boolean =>
      isOpen(web) || sessionOf(request) !== null || hasBearer(request, tokens),
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
  /** By the monotonic clock. */
  readonly begunAt: DurationMs;
}

export function createSessions(tokens: Pick<PageTokens, 'isCurrent'>, clock: Clock) {
  // Setting the clock back makes no session longer.
  const isOver = ({ expiresAt, begunAt }: Kept): boolean =>
    expiresAt <= clock.now() || clock.monotonic() - begunAt >= SESSION_MS;
  // By digest, so that neither timing nor a memory dump reveals a secret.
  const kept = new Map<string, Kept>();
  const dropEnded = (): void => {
    for (const [digest, each] of kept) if (isOver(each) || !tokens.isCurrent(each.fit)) kept.delete(digest);
  };
  return {
    /** The tab that signed in stores the secret where no other origin can read it. */
    begin(fit: TokenFit, by: string): { readonly secret: string; readonly session: Session } {
      dropEnded();
      const alike = [...kept].filter(([, { role }]) => role === fit.role);
      const [oldest] = alike;
      if (alike.length >= MOST_SESSIONS && oldest !== undefined) kept.delete(oldest[0]);
      const secret = randomBytes(SECRET_BYTES).toString('base64url');
      const session = { role: fit.role, by, expiresAt: clock.now() + SESSION_MS };
      kept.set(digestOf(secret), { ...session, fit, begunAt: clock.monotonic() });
      return { secret, session };
    },
    /** Null if there is none, it has expired, or its token was renewed. */
    of(secret: string): Session | null {
      dropEnded();
      return kept.get(digestOf(secret)) ?? null;
    },
    end: (secret: string): void => void kept.delete(digestOf(secret)),
  };
}

const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
