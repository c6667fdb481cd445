// A command that came in, by the socket or the page: read, and performed where it is one.
import { ended } from '../status/sentence.ts';
import { type SteerAnswer, steerCommandSchema } from './command.ts';
import type { Steering } from './steering.ts';

export async function answerCommand(body: unknown, steering: Steering): Promise<SteerAnswer> {
  const read = steerCommandSchema.safeParse(body);
  if (!read.success) {
    const [issue] = read.error.issues;
    const place = issue === undefined || issue.path.length === 0 ? 'command' : issue.path.join('.');
    return { refused: ended(`The command can't be read: ${place}: ${issue?.message}`) };
  }
  return steering.perform(read.data);
}
