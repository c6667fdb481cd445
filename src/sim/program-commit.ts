// Which program a run or a campaign was of.
import { execFileSync } from 'node:child_process';

/** The short hash of the commit, with a word where the tree has changes; `unknown` outside of a checkout. */
export function programCommit(): string {
  try {
    const head = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim();
    const dirty = execFileSync('git', ['status', '--porcelain', '--untracked-files=no'], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    return dirty === '' ? head : `${head} with changes`;
  } catch {
    return 'unknown';
  }
}
