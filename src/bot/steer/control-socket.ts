// The socket in the state folder for commands to a running bot. Access follows the folder's files: mode 0600, and
// nothing else accepts commands without a sign-in.
import { chmodSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import type { FastifyError } from 'fastify';
import { NO_SCHEMAS } from '../../paper/server/no-schemas.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import type { Log } from '../base/log.ts';
import { framesOf, systemCode } from '../base/system-error.ts';
import type { BotStatus } from '../status/bot-status.ts';
import { statusLines } from '../status/status-table.ts';
import { ended } from '../status/status-words.ts';
import { type SteerAnswer, type SteerRequest, steerAnswerSchema, steerCommandSchema } from './command.ts';
import type { Steering } from './steering.ts';

export const controlSocket = (stateFolder: string): string => path.join(stateFolder, 'control.sock');

// got and fastify are loaded on demand: each takes a tenth of a second, and every command loads this file.

/** Longest path of a socket that all systems accept. */
const LONGEST_SOCKET_PATH = 103;

/** Whether the path is short enough for a socket. */
export const isReachable = (file: string): boolean => Buffer.byteLength(file) <= LONGEST_SOCKET_PATH;

const BODY_MAX_BYTES = 4_096;

/**
 * This process holds the folder, so an existing socket was left by an earlier bot. Without the socket, the bot still
 * runs.
 */
export async function openControl(
  stateFolder: string,
  { steering, status }: { readonly steering: Steering; readonly status: () => BotStatus },
  log: Log,
) {
  const file = controlSocket(stateFolder);
  const { fastify } = await import('fastify');
  const bounds = { bodyLimit: BODY_MAX_BYTES, requestTimeout: 5_000 };
  const app = fastify({ ...NO_SCHEMAS, ...bounds, forceCloseConnections: true });
  app.post('/command', async (request, reply) => reply.send(await answerCommand(request.body, steering)));
  // `quotekeeper status` can't use a page that needs a sign-in.
  const show = (path: string, shown: () => object): void =>
    void app.get(path, (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(log.scrub(JSON.stringify(shown()))),
    );
  show('/status', status);
  show('/status-lines', () => statusLines(status()));
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    if ((error.statusCode ?? 500) < 500)
      return reply.code(400).send({ refused: 'The command could not be read.' } satisfies SteerAnswer);
    // A bug: the error's message may hold private data.
    const frames = framesOf(error).map((each) => each.trim());
    log.logEvent({ op: 'steering', level: 'error', message: `A command failed: ${error.name}.`, frames });
    return reply.code(500).send({ refused: 'The bot could not do it; its log says more.' } satisfies SteerAnswer);
  });
  try {
    if (!isReachable(file)) throw Object.assign(new Error(), { code: 'ENAMETOOLONG' });
    rmSync(file, { force: true });
    await app.listen({ path: file });
    chmodSync(file, 0o600);
  } catch (error) {
    const message = `Commands can't be taken: ${file} (${systemCode(error)}). The bot runs; a signal stops it.`;
    log.logEvent({ op: 'steering', level: 'warn', message });
  }
  return {
    async close(): Promise<void> {
      await app.close();
      rmSync(file, { force: true });
    },
  };
}

// Parses a command from the socket or the page, and performs it if it is valid.

export async function answerCommand(body: unknown, steering: Steering): Promise<SteerAnswer> {
  const read = steerCommandSchema.safeParse(body);
  if (!read.success) {
    const [issue] = read.error.issues;
    const place = issue === undefined || issue.path.length === 0 ? 'command' : issue.path.join('.');
    return { refused: ended(`The command can't be read: ${place}: ${issue?.message}`) };
  }
  return steering.perform(read.data);
}

// Sends a command to a running bot through the socket in its state folder.

const PATIENCE_MS = 5_000;

/** Errors of a connection that was never made. */
const NOBODY_THERE = /^(?:ECONNREFUSED|ENOENT|ENOTDIR|EACCES|EPERM|EINVAL|ENAMETOOLONG)$/;

/** Sends `json` if there is any. Rejects if no bot listens there, or it does not answer. */
async function asked(stateFolder: string, path: string, json?: SteerRequest): Promise<unknown> {
  const { default: got } = await import('got');
  return got(`unix:${controlSocket(stateFolder)}:/${path}`, {
    ...(json === undefined ? {} : { method: 'POST', json, throwHttpErrors: false }),
    ...{ enableUnixSockets: true, timeout: { request: PATIENCE_MS }, retry: { limit: 0 } },
  }).json();
}

/** Throws `StartError` (69) if no bot listens there, it does not answer, or the answer is malformed. */
export async function askBot(stateFolder: string, command: SteerRequest): Promise<SteerAnswer> {
  const file = controlSocket(stateFolder);
  const body = await asked(stateFolder, 'command', command).catch((error: unknown) => {
    throw new StartError(EXIT.unavailable, NOBODY_THERE.test(systemCode(error)) ? nobody(file) : notKnown(file));
  });
  const read = steerAnswerSchema.safeParse(body);
  if (read.success) return read.data;
  throw new StartError(EXIT.unavailable, `The process at ${file} is not a bot of this kind.`);
}

const nobody = (file: string): string =>
  `No bot listens at ${file}: nothing was changed. Does it run with this configuration?`;

/** A bot that hangs or was suspended performs the command when it continues. */
const notKnown = (file: string): string =>
  `The process at ${file} gave no answer within ${PATIENCE_MS / 1_000} s: it is not known whether the command was ` +
  'taken, and it may be yet. `status` shows the current state.';

/** The running bot's status, as an object or as lines for a terminal; null if no bot listens there. */
export const askStatus = (stateFolder: string, form: 'status' | 'status-lines'): Promise<unknown> =>
  asked(stateFolder, form).catch(() => null);

/** The person's name for the journal: the account on this machine, if it has a name. */
export function personHere(): string {
  let name = '';
  try {
    name = userInfo().username;
  } catch {
    // The system knows only the user's number, as in a container.
  }
  return name.replace(/[^\w.@-]/g, '_').slice(0, 64) || 'somebody';
}
