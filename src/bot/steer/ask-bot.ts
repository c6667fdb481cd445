// Tells a running bot something through the socket in its state folder.
import { userInfo } from 'node:os';
import got from 'got';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { type SteerAnswer, type SteerRequest, steerAnswerSchema } from './command.ts';
import { controlSocket } from './control-socket.ts';

const PATIENCE_MS = 5_000;

/** Throws `StartError` (69) where no bot listens there, or where it says something else. */
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
  } catch {
    const sentence = `No bot listens at ${file}: nothing was changed. Does it run with this configuration?`;
    throw new StartError(EXIT.unavailable, sentence);
  }
  const read = steerAnswerSchema.safeParse(body);
  if (read.success) return read.data;
  throw new StartError(EXIT.unavailable, `What listens at ${file} is not a bot of this kind.`);
}

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

/** Who steers, for the journal: the name on this machine, as far as it is one. */
export function personHere(): string {
  const name = userInfo()
    .username.replace(/[^\w.@-]/g, '_')
    .slice(0, 64);
  return name === '' ? 'somebody' : name;
}
