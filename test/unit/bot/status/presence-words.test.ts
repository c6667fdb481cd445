// Time in the market in words: a share that is never rounded up, and the main reasons.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { statusLines } from '../../../../src/bot/status/status-table.ts';
import {
  lostWords,
  percentOf,
  presenceSentence,
  presenceSentences,
  presenceTable,
} from '../../../../src/bot/status/status-words.ts';
import { BLOCK_WORDS, BLOCKS } from '../../../../src/quoting/block.ts';
import type { TimeShare } from '../../../../src/trader/presence/presence.ts';
import { btc, eth, statusFixture } from '../../../browser/status-fixture.ts';

const share = (freshMs: number, lost: TimeShare['lost'] = []): TimeShare => ({ freshMs, lost });
const all = (both: TimeShare) => ({ buy: both, sell: both, both });

test.each([
  [share(3_600_000), '100.0 %'],
  [share(3_599_999, [{ reason: 'lane', ms: 1 }]), '99.9 %'],
  [share(0, [{ reason: 'loss', ms: 5 }]), '0.0 %'],
  [share(0), '–'],
])('a share is rounded down', (part, words) => {
  expect(percentOf(part)).toBe(words);
});

test('three reasons are named, the others summed up, and moments left out', () => {
  const lost = [
    { reason: 'leaving', ms: 61_000 },
    { reason: 'book', ms: 9_000 },
    { reason: 'placing', ms: 2_000 },
    { reason: 'lane', ms: 1_000 },
    { reason: 'order-unknown', ms: 1_000 },
  ] as const;
  expect(lostWords(share(0, lost))).toBe(
    '1 min 1 s waiting for room behind leaving orders, 9 s no fresh order book, 2 s order on its way, ' +
      '2 s for other reasons',
  );
  expect(lostWords(share(0, [{ reason: 'lane', ms: 300 }]))).toBe('');
  expect(presenceSentence(all(share(60_000)), '1 min')).toBe(
    'Two-sided and fresh 100.0 % of 1 min (bid 100.0 %, ask 100.0 %).',
  );
});

test('a bot younger than an hour mentions its age, and one that has just started says nothing', () => {
  const young = (ms: number) => btc({ presence: { sinceStart: all(share(ms)), lastHour: all(share(ms)) } });
  expect(presenceSentences({ symbols: [young(754_000)] })[0]?.sentence).toContain('of the last 12 min 34 s (');
  expect(presenceSentences({ symbols: [young(999)] })).toEqual([]);
});

test('`status` ends with a sentence for each symbol', () => {
  const lines = statusLines(statusFixture());
  expect(lines.slice(-2)).toEqual([
    expect.stringMatching(
      /^BTC\/INR: Two-sided and fresh 98\.2 % of the last hour \(bid 99\.1 %, ask 99\.0 %\); lost: /,
    ),
    expect.stringMatching(/^ETH\/INR: Two-sided and fresh 0\.0 % of the last hour /),
  ]);
});

test('operations.md explains every reason, with the same words and in the same order', () => {
  const text = readFileSync(path.join(import.meta.dirname, '../../../../docs/operations.md'), 'utf8');
  const table = text.slice(text.indexOf('| reason | in words |'));
  const rows = [...table.slice(0, table.indexOf('\n\n')).matchAll(/^\| `([a-z-]+)` \| (.+) \|$/gm)];
  expect(rows.map(([, reason, words]) => [reason, words])).toEqual(BLOCKS.map((each) => [each, BLOCK_WORDS[each]]));
});

test('a report has a line for each symbol, in columns', () => {
  expect(presenceTable([btc(), eth()])).toEqual([
    'fresh quotes  two-sided     bid     ask  two-sided lost to',
    'BTC/INR          98.2 %  99.1 %  99.0 %  32 s waiting for room behind leaving orders, 30 s no fresh order book, ' +
      '3 s waiting for a turn on the lane',
    'ETH/INR           0.0 %  99.9 %   0.0 %  1 h inventory at its bound',
  ]);
});
