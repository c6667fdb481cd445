// The socket in the state folder through which a person steers a running bot. Whoever may use the folder's files may
// use it: it has mode 0600, and nothing else listens to commands.
import { chmodSync, rmSync } from 'node:fs';
import path from 'node:path';
import fastify, { type FastifyError } from 'fastify';
import { framesOf } from '../base/error-frames.ts';
import type { Log } from '../base/log.ts';
import { systemCode } from '../base/system-error.ts';
import { answerCommand } from './answer.ts';
import type { SteerAnswer } from './command.ts';
import type { Steering } from './steering.ts';

export const controlSocket = (stateFolder: string): string => path.join(stateFolder, 'control.sock');

/** What systems take for the path of a socket, with its end. */
const LONGEST_SOCKET_PATH = 103;

/** Whether a socket can be there. */
export const isReachable = (file: string): boolean => Buffer.byteLength(file) <= LONGEST_SOCKET_PATH;

const BODY_MAX_BYTES = 4_096;

export interface ControlSocket {
  close(): Promise<void>;
}

/** The folder is held by this process: what lies there is of one that has ended. Without the socket the bot runs on. */
export async function openControl(
  stateFolder: string,
  { steering, status }: { readonly steering: Steering; readonly status: () => object },
  log: Log,
): Promise<ControlSocket> {
  const file = controlSocket(stateFolder);
  const app = fastify({ bodyLimit: BODY_MAX_BYTES, requestTimeout: 5_000, forceCloseConnections: true });
  app.post('/command', async (request, reply) => reply.send(await answerCommand(request.body, steering)));
  // A page that wants a sign-in is no way for `quotekeeper status`.
  app.get('/status', (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(log.scrub(JSON.stringify(status()))),
  );
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    if ((error.statusCode ?? 500) < 500)
      return reply.code(400).send({ refused: 'The command could not be read.' } satisfies SteerAnswer);
    // A bug: the message of an error may hold what nobody should read.
    const frames = framesOf(error).map((each) => each.trim());
    log.logEvent({ op: 'steering-failed', level: 'error', message: `A command failed: ${error.name}.`, frames });
    return reply.code(500).send({ refused: 'The bot could not do it; its log says more.' } satisfies SteerAnswer);
  });
  try {
    if (!isReachable(file)) throw Object.assign(new Error(), { code: 'ENAMETOOLONG' });
    rmSync(file, { force: true });
    await app.listen({ path: file });
    chmodSync(file, 0o600);
  } catch (error) {
    const message = `Commands can't be taken: ${file} (${systemCode(error)}). The bot runs; a signal stops it.`;
    log.logEvent({ op: 'control-closed', level: 'warn', message });
  }
  return {
    async close() {
      await app.close();
      rmSync(file, { force: true });
    },
  };
}
