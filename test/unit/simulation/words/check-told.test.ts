// A record whose notice does not come, comes for something else, or wakes nobody.
import { expect, test } from '@jest/globals';
import type { CheckContext } from '../../../../simulation/checks/context.ts';
import type { Told } from '../../../../simulation/checks/journal-model.ts';
import { toldChecks } from '../../../../simulation/words/check-told.ts';
import { wordChecks } from '../../../../simulation/words/check-words.ts';
import type { Notice } from '../../../../src/trader/state/turn.ts';

const HALTED: Told = { type: 'symbol-halted', seq: 7, epoch: 1, payload: { symbol: 'BTC/INR', reason: 'So.' } };
const PAGE: Notice = { level: 'page', op: 'symbol-halted', symbol: 'BTC/INR', message: 'It is halted: so.' };

function brokenBy(told: Told | null, notices: readonly object[]): string[] {
  const broken: string[] = [];
  let now = 5;
  const context = {
    isUp: () => true,
    now: () => now,
    journal: { epoch: 1, intents: new Map([['1-1', { symbol: 'BTC/INR', orderId: '9' }]]) },
    violated: (invariant: string, sentence: string) => void broken.push(`${invariant} ${sentence}`),
  } as unknown as CheckContext;
  const checks = [toldChecks(), wordChecks()];
  for (const each of checks) if (told !== null) each.recorded?.(context, told, {} as never);
  for (const notice of notices) for (const each of checks) each.noticed?.(context, notice as Notice);
  now += 1;
  for (const each of checks) each.event?.(context, false);
  return broken;
}

test.each<[string, readonly object[], readonly string[]]>([
  ['told', [PAGE], []],
  ['not told', [], ['W2 Nobody is told of record 7 (symbol-halted): no notice is symbol-halted.']],
  ['told without waking anybody', [{ ...PAGE, level: 'warn' }], [expect.stringMatching(/^W2/) as never]],
  ['told of another symbol', [{ ...PAGE, symbol: 'ETH/INR' }], [expect.stringMatching(/^W2/) as never]],
])('a halt that is %s', (_what, notices, broken) => {
  expect(brokenBy(HALTED, notices)).toEqual(broken);
});

test.each<[string, object]>([
  ['has the level "loud"', { ...PAGE, level: 'loud' }],
  ['has no name', { ...PAGE, op: '' }],
  ['has a field more', { ...PAGE, more: 1 }],
  ['is about "BTC"', { ...PAGE, symbol: 'BTC' }],
  ['is about an intent that no record has', { ...PAGE, intentId: '1-2' }],
  ['is about an intent of another symbol', { ...PAGE, symbol: 'ETH/INR', intentId: '1-1' }],
  ['is about another order', { ...PAGE, intentId: '1-1', orderId: '8' }],
  ['has a text that is empty', { ...PAGE, message: '' }],
  ['has a text that is one word', { ...PAGE, message: 'Halted.' }],
])('a notice that %s', (words, notice) => {
  expect(brokenBy(null, [notice])).toEqual([expect.stringContaining(words)]);
});

test('a second order is told of by the create that it is a second one of', () => {
  const payload = { intentId: '1-1~1-9-1', of: '1-1', orderId: '1-9-1', evidence: 'fill' };
  const found: Told = { type: 'duplicate-found', seq: 7, epoch: 1, payload };
  const told: Notice = { level: 'page', op: 'duplicate-order', symbol: 'BTC/INR', message: 'It is a second one.' };
  expect(brokenBy(found, [{ ...told, intentId: '1-1' }])).toEqual([]);
  expect(brokenBy(found, [])).toEqual([expect.stringMatching(/^W2/)]);
  expect(brokenBy(found, [{ ...told, intentId: '1-2' }])).toContainEqual(expect.stringMatching(/^W2/));
});

test('what is told to be over was told to begin, and ends once', () => {
  const over: Notice = { level: 'info', op: 'responding', message: 'It answers again.' };
  const began: Notice = { level: 'warn', op: 'not-responding', message: 'It does not answer.' };
  expect(brokenBy(null, [began, over])).toEqual([]);
  expect(brokenBy(null, [began, over, over])).toEqual([
    expect.stringContaining('responding follows no not-responding'),
  ]);
});

test.each<[string, readonly Notice['level'][], readonly string[]]>([
  ['a page', ['page', 'warn', 'warn'], []],
  ['no page', ['warn', 'page'], ['W2 Nobody is called for the first rest of BTC/INR: 5 refusals in a row.']],
])('the first rest of a symbol is told by %s', (_what, levels, broken) => {
  const rests = levels.map((level) => ({ level, op: 'resting', symbol: 'BTC/INR', message: '5 refusals in a row.' }));
  expect(brokenBy(null, rests)).toEqual(broken);
});
