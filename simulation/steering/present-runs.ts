// The bot's runs as people have changed them: in the file, for the next process, or only in the running bot.
import type { RunSettings } from '../../src/trader/state/settings.ts';

export interface PresentRuns {
  /** The bot's present runs. The same array until something changes. */
  now(): readonly RunSettings[];
  /** `isLasting`: in the file as well. */
  revise(run: RunSettings, isLasting: boolean): void;
  /** Whether every market is in the file by now. */
  isComplete(): boolean;
  /** Writes the market left out so far into the file: the next process has it. */
  complete(): void;
  /** A process begins with the file's content. */
  begun(): void;
}

/** `first`: how many are configured from the start. */
export function createPresentRuns(runs: readonly RunSettings[], first = runs.length): PresentRuns {
  let present: readonly RunSettings[] = runs.slice(0, first);
  let lasting = present;
  return {
    now: () => present,
    revise(run, isLasting) {
      present = withRun(present, run);
      if (isLasting) lasting = withRun(lasting, run);
    },
    isComplete: () => lasting.length === runs.length,
    complete() {
      lasting = runs.map((run) => lasting.find((each) => isOf(each, run)) ?? run);
    },
    begun() {
      present = lasting;
    },
  };
}

const withRun = (runs: readonly RunSettings[], run: RunSettings): readonly RunSettings[] =>
  runs.map((each) => (isOf(each, run) ? run : each));

const isOf = (a: RunSettings, b: RunSettings): boolean => a.instrument.symbol === b.instrument.symbol;
