// Commands from the page: the same as through the socket in the state folder, by whoever is signed in to steer.
import type { FastifyInstance } from 'fastify';
import type { SteerAnswer } from '../steer/command.ts';
import type { SignIn } from './sign-in.ts';

/** Judges a command and performs it. */
export type Steer = (command: unknown) => SteerAnswer | Promise<SteerAnswer>;

export interface CommandParts {
  /** Null where nothing is there to steer. */
  readonly steer: Steer | null;
  readonly signIn: SignIn;
}

const NOBODY = 'Nobody is signed in here, or no more: sign in again. Nothing was changed.';
const READER = 'This tab may only look: sign in here with the token to steer. Nothing was changed.';
const BUSY = 'Another command is being performed: wait for its answer. Nothing was changed.';
const GONE = 'The bot has stopped: there is nothing to steer.';
const NO_OBJECT = 'A command was expected, without `by`: who says it, the session knows. Nothing was changed.';

export function addCommandRoute(app: FastifyInstance, { steer, signIn }: CommandParts): void {
  let isBusy = false;
  app.post('/api/command', async (request, reply) => {
    const refuse = (code: number, refused: string) => reply.code(code).send({ refused });
    const session = signIn.sessionOf(request);
    if (session === null) return refuse(401, NOBODY);
    if (session.role !== 'steer') return refuse(403, READER);
    if (steer === null) return refuse(409, GONE);
    const { body } = request;
    if (typeof body !== 'object' || body === null || Array.isArray(body) || 'by' in body) return refuse(400, NO_OBJECT);
    if (isBusy) return refuse(409, BUSY);
    isBusy = true;
    try {
      const answer = await steer({ ...body, by: session.by });
      return reply.code('refused' in answer ? 409 : 200).send(answer);
    } finally {
      isBusy = false;
    }
  });
}
