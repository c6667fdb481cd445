// The order of slow test files: those that wait for processes first, so that those that compute fill the cores beside
// them; the largest of each kind first, so that none is alone at the end.
import { statSync } from 'node:fs';

interface TestFile {
  readonly path: string;
}

const rankOf = ({ path }: TestFile): number => (/\/test\/(?:process|browser)\//.test(path) ? 0 : 1);

export default class WaitingFirst {
  sort(tests: readonly TestFile[]): TestFile[] {
    const sizes = new Map(tests.map((each) => [each, statSync(each.path).size]));
    return tests.toSorted((a, b) => rankOf(a) - rankOf(b) || (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
  }

  /** The tests of one shard: neighbors, which often start the same, go to different ones. */
  shard(tests: readonly TestFile[], { shardIndex, shardCount }: { shardIndex: number; shardCount: number }) {
    const byPath = tests.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    return byPath.filter((_, index) => index % shardCount === shardIndex - 1);
  }

  /** The next run needs nothing of this one. */
  cacheResults(): void {}
}
