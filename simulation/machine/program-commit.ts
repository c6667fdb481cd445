// The program version of a run or a campaign.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

const MOST_CHANGES = 64 * 1024 * 1024;

/** The short hash of the commit, and of uncommitted changes if there are any; `unknown` outside of a checkout. */
export function programCommit(): string {
  try {
    const head = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim();
    const changes = execFileSync('git', ['diff', 'HEAD'], { encoding: 'utf8', stdio: 'pipe', maxBuffer: MOST_CHANGES });
    return changes === ''
      ? head
      : `${head} with changes ${createHash('sha256').update(changes).digest('hex').slice(0, 12)}`;
  } catch {
    return 'unknown';
  }
}
