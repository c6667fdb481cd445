// What a create may wait for: room that other orders of ours take, and nothing else.
import { expect, test } from '@jest/globals';
import { type DenyCode, deny } from '../../../../src/quoting/risk/risk-context.ts';
import { lacksRoom } from '../../../../src/trader/decision/moves.ts';

test.each<[DenyCode, boolean]>([
  ['slot', true],
  ['self-cross', true],
  ['inventory', true],
  ['funds', true],
  ['open-orders', true],
  ['collar', false],
  ['journal-stale', false],
])('a create that is refused for %s lacks room: %s', (code, lacks) => {
  expect(lacksRoom(deny(code, 'No.'))).toBe(lacks);
});
