// Tells a running bot something through the socket in its state folder.
import { userInfo } from 'node:os';
import got from 'got';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { systemCode } from '../base/system-error.ts';
import { type SteerAnswer, type SteerRequest, steerAnswerSchema } from './command.ts';
import { controlSocket } from './control-socket.ts';

const PATIENCE_MS = 5_000;

/** Of a connection that was never made. */
const NOBODY_THERE = /^(?:ECONNREFUSED|ENOENT|ENOTDIR|EACCES|EPERM|EINVAL|ENAMETOOLONG)$/;

/** Throws `StartError` (69) where no bot listens there, it does not answer, or it says something else. */
export async function askBot(stateFolder: string, command: SteerRequest): Promise<SteerAnswer> {
  const file = controlSocket(stateFolder);
  let body: unknown;
  try {
    body = await got
      .post(`unix:${file}:/command`, {
        ...{ json: command, enableUnixSockets: true, throwHttpErrors: false },
        ...{ timeout: { request: PATIENCE_MS }, retry: { limit: 0 } },
      })
      .json();
  } catch (error) {
    throw new StartError(EXIT.unavailable, NOBODY_THERE.test(systemCode(error)) ? nobody(file) : notKnown(file));
  }
  const read = steerAnswerSchema.safeParse(body);
  if (read.success) return read.data;
  throw new StartError(EXIT.unavailable, `What listens at ${file} is not a bot of this kind.`);
}

const nobody = (file: string): string =>
  `No bot listens at ${file}: nothing was changed. Does it run with this configuration?`;

/** A bot that hangs or was stopped for a while performs what it was told when it goes on. */
const notKnown = (file: string): string =>
  `What listens at ${file} gave no answer within ${PATIENCE_MS / 1_000} s: it is not known whether the command was ` +
  'taken, and it may be yet. `status` shows what holds.';

/** What the running bot shows; null where none listens there. */
export async function askStatus(stateFolder: string): Promise<unknown> {
  try {
    return await got
      .get(`unix:${controlSocket(stateFolder)}:/status`, {
        ...{ enableUnixSockets: true, timeout: { request: PATIENCE_MS }, retry: { limit: 0 } },
      })
      .json();
  } catch {
    return null;
  }
}

/** Who steers, for the journal: the name on this machine, as far as there is one. */
export function personHere(): string {
  const name = userName()
    .replace(/[^\w.@-]/g, '_')
    .slice(0, 64);
  return name === '' ? 'somebody' : name;
}

/** Empty for a user of whom the system knows a number alone, as in a container. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}
