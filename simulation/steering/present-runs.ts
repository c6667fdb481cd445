// The runs of the bot as people have changed them: in the file, which the next process starts with, or in the bot that
// runs alone.
import type { RunSettings } from '../../src/trader/state/settings.ts';

export interface PresentRuns {
  /** What the bot quotes by. The same array until something changes. */
  now(): readonly RunSettings[];
  /** `isLasting`: in the file as well. */
  revise(run: RunSettings, isLasting: boolean): void;
  /** A process begins with what is in the file. */
  begun(): void;
}

export function createPresentRuns(runs: readonly RunSettings[]): PresentRuns {
  let [present, lasting] = [runs, runs];
  return {
    now: () => present,
    revise(run, isLasting) {
      present = withRun(present, run);
      if (isLasting) lasting = withRun(lasting, run);
    },
    begun() {
      present = lasting;
    },
  };
}

const withRun = (runs: readonly RunSettings[], run: RunSettings): readonly RunSettings[] =>
  runs.map((each) => (each.instrument.symbol === run.instrument.symbol ? run : each));
