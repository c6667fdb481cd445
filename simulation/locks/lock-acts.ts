// A person's use of locks (F129): a symbol or one side of it, for some minutes, at times removed early.
import { chance, pick, type RandomStream } from '../../src/crowd/random.ts';
import { type DurationMs, type EpochMs, MINUTE } from '../../src/domain/time.ts';
import type { TraderSettings } from '../../src/trader/state/settings.ts';
import type { Restarts } from '../machine/restarts.ts';

export interface LockParts {
  readonly runs: TraderSettings['runs'];
  readonly restarts: Pick<Restarts, 'now'>;
  /** By the clock that the person and the bot share. */
  readonly now: () => EpochMs;
  readonly later: (ms: DurationMs, act: () => void) => void;
}

const LONGEST_MIN = 8;

/** True if a running bot received it. */
export function lockForAWhile({ runs, restarts, now, later }: LockParts, stream: RandomStream): boolean {
  const symbol = runs[pick(stream, runs.length)]?.instrument.symbol ?? '';
  const side = ([null, 'buy', 'sell'] as const)[pick(stream, 3)] ?? null;
  const lastsMs = MINUTE * (1 + pick(stream, LONGEST_MIN));
  const endsEarly = chance(stream, 1 / 2);
  const trading = () => {
    const process = restarts.now();
    return process === null || process.isOver() ? null : process.trading;
  };
  const reason = 'A person looks at the market.';
  const begun = trading();
  begun?.loop.tell({ kind: 'lock', symbol, side, reason, until: now() + lastsMs, by: 'operator' });
  if (endsEarly) later(lastsMs / 2, () => trading()?.loop.tell({ kind: 'unlock', symbol, side, by: 'operator' }));
  return begun !== null;
}
