// Commands to a running bot: one format for the command line and all other controls.
import { z } from 'zod';
import { amount } from '../../quoting/amount.ts';
import { HALT_CODES } from '../../quoting/block.ts';

const LONGEST_REASON = 200;
const MOST_CHANGES = 20;
const LONGEST_LOCK_MS = 30 * 24 * 3_600_000;

const side = z.enum(['buy', 'sell']).nullable();
/** Null means every symbol of the bot. */
const symbol = z.string().min(1).nullable();
/** The person: the name of the account on this machine. */
const by = z
  .string()
  .regex(/^[\w.@-]{1,64}$/, { error: 'A name of letters, digits, dot, dash, _ and @ was expected.' });
const text = z
  .string()
  .trim()
  .min(1, { error: 'A sentence was expected, and it is empty.' })
  .max(LONGEST_REASON, { error: `At most ${LONGEST_REASON} characters were expected.` })
  // Control characters could forge a line of the log.
  .regex(/^\P{Cc}*$/u, { error: 'Text without control characters was expected.' });

/** A part of a line of a configuration file. */
const line = z
  .string()
  .min(1, { error: 'Something was expected, and it is empty.' })
  .max(LONGEST_REASON, { error: `At most ${LONGEST_REASON} characters were expected.` })
  .regex(/^\P{Cc}*$/u, { error: 'One line was expected.' });
/** Null requests the preview; its id applies it. */
const confirm = z
  .string()
  .regex(/^[0-9a-f]{12}$/, { error: 'The id of a preview was expected.' })
  .nullable();

/**
 * The halts shown to the person in the question, by symbol; null if there was none. The bot lifts no others. Absent if
 * nothing was shown, as on the command line: then any halt is lifted.
 */
const halt = z
  .record(
    z.string().min(1),
    /** As in the status; `since` is null if it is there. */
    z.strictObject({ code: z.enum(HALT_CODES), since: z.number().int().nullable() }),
  )
  .nullable()
  .optional();

export const steerCommandSchema = z.discriminatedUnion('command', [
  z.strictObject({
    command: z.literal('pause'),
    symbol,
    side,
    /** Null: until somebody resumes it. */
    forMs: z.number().int().min(1_000).max(LONGEST_LOCK_MS).nullable(),
    reason: text,
    by,
  }),
  z.strictObject({
    command: z.literal('resume'),
    symbol,
    side,
    /** The right price, for a symbol that was halted because its price jumped. */
    price: amount('positive').nullable(),
    halt,
    by,
  }),
  z.strictObject({ command: z.literal('stop'), by }),
  /** Sets the kill latch: the bot cancels, verifies, ends, and does not start until it is re-armed. */
  z.strictObject({ command: z.literal('cancel-all'), by }),
  z.strictObject({
    command: z.literal('set'),
    symbol: z.string().min(1),
    changes: z
      .array(z.strictObject({ path: line, value: line }))
      .min(1, { error: 'At least one change was expected.' })
      .max(MOST_CHANGES, { error: `At most ${MOST_CHANGES} changes at once were expected.` }),
    /** Leaves the file as it is: the next start uses the value in the file. */
    temporary: z.boolean(),
    confirm,
    by,
  }),
  z.strictObject({ command: z.literal('reload'), confirm, by }),
]);

/** The wire format. */
export type SteerRequest = z.input<typeof steerCommandSchema>;
export type SteerCommand = z.output<typeof steerCommandSchema>;

/** The results, one sentence each; or a preview that needs confirmation. */
export const steerAnswerSchema = z.union([
  z.strictObject({ done: z.array(z.string()) }),
  z.strictObject({ preview: z.looseObject({ id: z.string(), lines: z.array(z.string()).readonly() }) }),
  z.strictObject({ refused: z.string() }),
]);
export type SteerAnswer = z.output<typeof steerAnswerSchema>;
