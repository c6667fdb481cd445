// Signing in, by a token, and out. The token goes over the wire once; from then on a cookie that no script reads looks,
// and together with the tab's own secret steers.
import cookie from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../base/log.ts';
import type { WebSettings } from '../settings/types.ts';
import { isOpen, isSecure } from './page-address.ts';
import type { PageTokens } from './page-tokens.ts';
import { createSessions, SESSION_MS, type Session, type SessionSecrets } from './sessions.ts';

export interface SignInParts {
  readonly web: WebSettings;
  readonly tokens: PageTokens;
  readonly clock: Clock;
  readonly log: Log;
  /** As bound. */
  readonly port: () => number;
}

export interface SignIn {
  /** With the role to steer only where the request carries the secret of the tab that signed in. */
  sessionOf(request: FastifyRequest): Session | null;
  /** Signed in, with a token as `Authorization: Bearer`, or at a page that is open to this machine. */
  mayRead(request: FastifyRequest): boolean;
}

/** What a person calls himself, for the journal; nothing is granted by it. */
const body = z.strictObject({
  token: z.string().max(200),
  name: z
    .string()
    .regex(/^[\w.-]{0,48}$/)
    .default(''),
});

/** Tries to sign in, by all addresses together and by one: who guesses must not fill the log. */
const TRIES = { all: 30, one: 10, window: 60_000 };
/** A page of another origin can't send this header: the browser would ask us first, and nobody allows it. */
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
  // Cookies know no port: two bots on one machine would sign each other out. The prefix holds browsers to Secure and /.
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
    // Asked of those alone who have a token: nobody else learns what is a secret.
    if (givesAway(read.data.name)) return reply.code(400).send({ refused: SECRET_AS_NAME });
    const by = read.data.name === '' ? 'page' : `${read.data.name}@page`;
    const { id, proof, session } = sessions.begin(fit, by);
    log.logEvent({ op: 'page-signed-in', message: `${by} signed in at the page, to ${fit.role}.`, role: fit.role, by });
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
    // One address that is over its own limit takes no try away from the others.
    const one = await ofOne(request);
    if (!one.isAllowed && one.isExceeded) return true;
    const all = await ofAll(request);
    return !all.isAllowed && all.isExceeded;
  };
}

function refuse(reply: FastifyReply, { tokens, log }: SignInParts): FastifyReply {
  const troubles = tokens.troubles();
  const message = ['A token that was shown at the page does not fit.', ...troubles].join(' ');
  log.logEvent({ op: 'page-sign-in-refused', level: 'warn', message });
  const why = troubles.length === 0 ? '' : ' A token file of the bot can’t be used; its log says why.';
  return reply
    .code(401)
    .send({ refused: `This token does not fit: \`quotekeeper page-token\` shows those that do.${why}` });
}

function hasBearer({ headers }: FastifyRequest, tokens: PageTokens): boolean {
  const [, token] = BEARER.exec(headers.authorization ?? '') ?? [];
  return token !== undefined && tokens.fitOf(token) !== null;
}
