// The section of the watchdog: how long the bot may be silent, and how its orders are taken away then.
import { z } from 'zod';
import { durationMs } from './fields.ts';
import { keysSchema } from './sections.ts';

export const watchdogSchema = z
  .strictObject({
    mode: z
      .enum(['required', 'off'])
      .default('off')
      .describe(
        '`required`: the bot quotes only while a watchdog (`quotekeeper watchdog`) shows that it lives. `off`: it ' +
          'does not ask; one may run all the same.',
      ),
    ttlMs: durationMs(500, 3_600_000)
      .default(45_000)
      .describe(
        [
          'Without a sign of progress of its loop for so long the bot is ended and its orders are canceled.',
          'An exchange that does not answer is no lack of it.',
        ].join(' '),
      ),
    lookEveryMs: durationMs(20, 60_000)
      .default(500)
      .describe('How often the watchdog looks at the sign of life, and shows its own.'),
    termGraceMs: durationMs(0, 600_000)
      .default(2_000)
      .describe('Between SIGTERM and SIGKILL: a bot that was silent for so long does not stop well.'),
    giveUpMs: durationMs(1_000)
      .default(10_800_000)
      .describe('After so long without proof that nothing is open it ends with 75: longer than a maintenance.'),
    gentleMs: durationMs(100, 600_000)
      .default(10_000)
      .describe('Pause between two tries to cancel while the exchange is in maintenance or refuses the key.'),
    longestWaitMs: durationMs(1_000, 600_000)
      .default(60_000)
      .describe('A `Retry-After` is honoured up to this, that of a 503 by lists only.'),
    requestsPerSecond: z
      .number()
      .positive()
      .max(1_000)
      .optional()
      .describe('Its own share of the rate. Left out: that of the private lane, which the bot needs no more by then.'),
    maxInFlight: z.int().min(1).max(64).optional().describe('The same for requests that wait for an answer.'),
    rearm: z
      .enum(['by-person', 'after-proof'])
      .default('by-person')
      .describe(
        [
          'Who takes the latch off that the watchdog has set: ' +
            '`by-person`, with `rearm`; `after-proof`: the watchdog itself,',
          'once two complete lists have shown that no order is open. ' +
            'One that `cancel-all` or a person set stays either way.',
        ].join(' '),
      ),
    maxRearmsPerDay: z
      .int()
      .min(1)
      .max(100)
      .default(3)
      .describe('With `after-proof`: so often per UTC day, then it waits for a person.'),
    keys: keysSchema
      .optional()
      .describe('A key of its own, which the exchange counts by itself. Left out: the key of the bot.'),
  })
  .prefault({})
  .describe("The dead man's switch: a second process that takes the bot's orders away when the bot falls silent.");
