// One mutant, shown to the tests that run its place, until one fails.
import type { RandomMutant } from '../../simulation/mutation/random-mutant.ts';
import { testsOf } from './direct-tests.ts';
import type { Message } from './message.ts';
import type { Outcome } from './outcome.ts';
import type { Reaches } from './reach.ts';
import { runJest } from './run-jest.ts';

/** A file that takes so many times as long as without the mutant hangs; a busy machine slows it, too. */
const SLOWEST = 8;
const LEAST_BOUND_MS = 60_000;

export async function testMutant(mutant: RandomMutant, reaches: Reaches, withinMs: number): Promise<Outcome> {
  const { isLoaded, tests, count } = testsOf(mutant, reaches, withinMs);
  if (!isLoaded) return { kind: 'not-loaded' };
  if (tests.length === 0) return { kind: 'not-run' };
  let failed: Extract<Message, { kind: 'ended' }> | null = null;
  const ended = await runJest({
    ...{ mutant, tests, isUntilFailure: true },
    boundMs: (test) => Math.max(LEAST_BOUND_MS, SLOWEST * (reaches.get(test)?.ms ?? 0)),
    take(message) {
      if (message.kind === 'ended' && message.failure !== null) failed ??= message;
    },
  });
  return outcomeOf(failed, ended, { tests: tests.length, of: count });
}

function outcomeOf(
  failed: Extract<Message, { kind: 'ended' }> | null,
  { isTimedOut, during, code, words }: Awaited<ReturnType<typeof runJest>>,
  ran: { readonly tests: number; readonly of: number },
): Outcome {
  if (failed !== null) return { kind: 'killed', test: failed.test, words: failed.failure ?? '' };
  if (isTimedOut) return { kind: 'hang', test: during };
  if (code === 0) return { kind: 'survived', ...ran };
  // Jest tells nothing of a file that ends its process.
  if (during !== null) return { kind: 'killed', test: during, words: `the process ended with code ${code}` };
  throw new Error(`Jest ended with code ${code} before any test: ${words}`);
}
