// The routes of every page: one status for all who look, and commands of signed-in people.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DurationMs } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SteerAnswer } from '../steer/command.ts';
import type { SignIn } from './sign-in.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
const NOT_SIGNED_IN = 'Sign in first, or send a token as `Authorization: Bearer`.';

/** Options of a route that only those who may read get an answer of. */
export const readersOnly = (signIn: SignIn) => ({
  preHandler: async (request: FastifyRequest, reply: FastifyReply) =>
    signIn.mayRead(request) ? undefined : reply.code(401).send({ refused: NOT_SIGNED_IN }),
});

interface PageParts {
  readonly shared: Pick<SharedStatus<object>, 'text'>;
  /** Null if there is nothing to control. */
  readonly steer: Steer | null;
  readonly signIn: SignIn;
}

export function addPageRoutes(app: FastifyInstance, { shared, steer, signIn }: PageParts): void {
  app.get('/api/status', readersOnly(signIn), (_request, reply) => {
    const { text, ageMs } = shared.text();
    return reply.type(JSON_TYPE).header('age-ms', String(ageMs)).send(text);
  });
  addCommandRoute(app, steer, signIn);
}

// One status for all open pages: made at most once a second, however many ask.

/** How often an open page asks at least. */
export const PAGE_ASKS_MS: DurationMs = 1_200;
/** Requests within this time get the same status, since pages ask once a second. */
const SHARED_MS: DurationMs = 900;

export type SharedStatus<Status extends object> = ReturnType<typeof sharedStatus<Status>>;

export function sharedStatus<Status extends object>(
  make: () => Status,
  { clock, scrub }: { readonly clock: Clock; readonly scrub: (text: string) => string },
) {
  let askedAt: DurationMs | null = null;
  let made: { readonly at: DurationMs; readonly status: Status; text: string | null } | null = null;
  const current = () => {
    const now = clock.monotonic();
    if (made === null || now - made.at >= SHARED_MS) made = { at: now, status: make(), text: null };
    return made;
  };
  return {
    /** As JSON, with its age. */
    text(): { readonly text: string; readonly ageMs: DurationMs } {
      const found = current();
      askedAt = clock.monotonic();
      found.text ??= scrub(JSON.stringify(found.status));
      return { text: found.text, ageMs: Math.round(clock.monotonic() - found.at) };
    },
    status: (): Status => current().status,
    /** Something has changed: the next request gets a fresh status. */
    forget(): void {
      made = null;
    },
    askedAt: (): DurationMs | null => askedAt,
    /** Whether a page is open; on a busy machine it asks later. */
    isWatched: (): boolean => askedAt !== null && clock.monotonic() - askedAt < 4 * PAGE_ASKS_MS,
  };
}

/** Checks a command and performs it: the same as from the command line, by a person signed in with full control. */
export type Steer = (command: unknown) => SteerAnswer | Promise<SteerAnswer>;

const NOBODY = 'Nobody is signed in here, or no more: sign in again. Nothing was changed.';
const READER = 'This tab may only look: sign in here with the token to steer. Nothing was changed.';
const BUSY = 'Another command is being performed: wait for its answer. Nothing was changed.';
const GONE = 'The bot has stopped: there is nothing to steer.';
const NO_OBJECT = 'A command was expected, without `by`: who says it, the session knows. Nothing was changed.';

function addCommandRoute(app: FastifyInstance, steer: Steer | null, signIn: SignIn): void {
  // By the command's name: a `cancel-all` does not wait for a pause that a lost bot does not answer.
  const busy = new Set<unknown>();
  app.post('/api/command', async (request, reply) => {
    const refuse = (code: number, refused: string) => reply.code(code).send({ refused });
    const session = signIn.sessionOf(request);
    if (session === null) return refuse(401, NOBODY);
    if (session.role !== 'steer') return refuse(403, READER);
    if (steer === null) return refuse(409, GONE);
    const { body } = request;
    if (typeof body !== 'object' || body === null || Array.isArray(body) || 'by' in body) return refuse(400, NO_OBJECT);
    const name = 'command' in body ? body.command : null;
    if (busy.has(name)) return refuse(409, BUSY);
    busy.add(name);
    try {
      const answer = await steer({ ...body, by: session.by });
      return reply.code('refused' in answer ? 409 : 200).send(answer);
    } finally {
      busy.delete(name);
    }
  });
}
