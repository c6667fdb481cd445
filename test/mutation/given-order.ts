// Jest sequencer: the test files run in the order in which they were named, the most likely to notice a mutant first.
import type { Test, TestResult } from '@jest/reporters';
import { fromRoot, readErrand } from './places.ts';

export default class GivenOrder {
  sort(tests: readonly Test[]): Test[] {
    const order = new Map(readErrand().tests.map((test, place) => [test, place]));
    const placeOf = ({ path: file }: Test): number => order.get(fromRoot(file)) ?? order.size;
    return tests.toSorted((a, b) => placeOf(a) - placeOf(b));
  }

  shard(tests: readonly Test[]): readonly Test[] {
    return tests;
  }

  allFailedTests(tests: readonly Test[]): readonly Test[] {
    return tests;
  }

  // Jest would remember durations and failures here, and ask for them when it sorts.
  cacheResults(_tests: readonly Test[], _results: TestResult): void {}
}
