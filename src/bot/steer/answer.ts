// A command that came in, by the socket or the page: read, and performed where it is one.
import { type SteerAnswer, steerCommandSchema } from './command.ts';
import type { Steering } from './steering.ts';

export async function answerCommand(body: unknown, steering: Steering): Promise<SteerAnswer> {
  const read = steerCommandSchema.safeParse(body);
  if (!read.success) {
    const [issue] = read.error.issues;
    return { refused: `The command can't be read: ${issue?.path.join('.')}: ${issue?.message}.` };
  }
  return steering.perform(read.data);
}
