// How soon a standby quotes, by the configuration: the lease that must end, and the times that must fit it.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { takeoverBound } from '../../../../src/bot/run/standby.ts';
import { invariant } from '../../../../src/domain/invariant.ts';
import { enterProject, leaveProject, load, PAPER, refusal, write } from '../settings-project.ts';

beforeEach(() => void enterProject());
afterEach(leaveProject);

const JOURNAL = ['kind: postgres', 'url: { environment: URL }', 'account: main'];
const inDatabase = (...lines: readonly string[]): string =>
  [PAPER, 'journal:', ...[...JOURNAL, ...lines].map((line) => `  ${line}`), ''].join('\n');

async function boundOf(...lines: readonly string[]) {
  const settings = await load(inDatabase(...lines));
  invariant(settings.journal !== null, 'The journal is no database.');
  return takeoverBound(settings, settings.journal);
}

test('the lease, a look, two waits and a start; then the horizon and two lists show what is unknown', async () => {
  const [usual, shorter] = [await boundOf(), await boundOf('leaseMs: 12000', 'waitMs: 3000')];
  expect(usual.quotesMs).toBe(51_000);
  expect(shorter.quotesMs).toBe(29_000);
  expect(usual.knownMs).toBeGreaterThan(usual.quotesMs);
});

test('a lease is refused in which a bot that lost the database would not have noticed it', async () => {
  const sentences = await refusal([write('a.yaml', inDatabase('leaseMs: 17999'))]);
  expect(sentences.join('\n')).toMatch(/journal\.leaseMs.*17999 ms is too short for waitMs: 18000 ms is the least\./);
});
