// A command that came in, from wherever: it is judged, performed and logged.
import type { Log } from '../base/log.ts';
import { type SteerAnswer, steerCommandSchema } from './command.ts';
import { perform, type Steered } from './perform.ts';

/** Each is performed within one turn of the event loop, so that none comes between two others. */
export function answerCommand(body: unknown, steered: Steered, log: Log): SteerAnswer {
  const read = steerCommandSchema.safeParse(body);
  if (!read.success) {
    const [issue] = read.error.issues;
    return { refused: `The command can't be read: ${issue?.path.join('.')}: ${issue?.message}.` };
  }
  const answer = perform(steered, read.data);
  const { command, by } = read.data;
  const words = 'done' in answer ? answer.done.join(' ') : `refused: ${answer.refused}`;
  log.logEvent({ op: 'steered', message: `${by} says ${command}: ${words}` });
  return answer;
}
