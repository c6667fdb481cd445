// A run that is measured is the run that it would be without.
import { expect, test } from '@jest/globals';
import { CONDITIONS } from '../../../../bench/presence/conditions.ts';
import { playCondition } from '../../../../bench/presence/play-condition.ts';
import { playSettingsOf } from '../../../../bench/presence/play-settings.ts';
import { play } from '../../../../src/backtest/play.ts';
import { MINUTE } from '../../../../src/domain/time.ts';

const how = CONDITIONS.find(({ name }) => name === 'slow-one')?.how;

test('measuring changes nothing, and the same seed gives the same numbers', async () => {
  if (how?.kind !== 'played') throw new Error('The condition is not played.');
  const order = { condition: 'slow-one', seed: 7, durationMs: 6 * MINUTE };
  const measured = await playCondition(how, order);
  const plain = await play(await playSettingsOf(how, order));
  expect(plain.ok && plain.value.journalHash).toBe(measured.hash);
  expect(await playCondition(how, order)).toEqual(measured);
  expect(measured.shares.all?.live).toBeGreaterThan(0.3);
  expect(measured.breaches).toEqual([]);
  // What the bot counts of itself, by its own state, is what the exchange's books say.
  expect(Math.abs((measured.own.all?.fresh ?? 0) - (measured.shares.all?.fresh ?? 1))).toBeLessThan(0.01);
});
