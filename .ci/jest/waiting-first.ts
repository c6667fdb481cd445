// The order of test files where all run in one go: those that wait for processes first, so that those that compute fill
// the cores beside them; the largest of each kind first, so that none is alone at the end.
import { statSync } from 'node:fs';

interface TestFile {
  readonly path: string;
}

const rankOf = ({ path }: TestFile): number => {
  if (!path.includes('.slow.')) return 2;
  return /\/test\/(?:process|browser)\//.test(path) ? 0 : 1;
};

export default class WaitingFirst {
  sort(tests: readonly TestFile[]): TestFile[] {
    const sizes = new Map(tests.map((each) => [each, statSync(each.path).size]));
    return tests.toSorted((a, b) => rankOf(a) - rankOf(b) || (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
  }

  /** The next run needs nothing of this one. */
  cacheResults(): void {}
}
