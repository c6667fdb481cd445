// A limit lowered while the bot runs: the preview, and the effect.
import { expect, test } from '@jest/globals';
import { linesOf, previewOf } from '../../../src/bot/steer/proposal.ts';
import type { RunSettings } from '../../../src/trader/state/settings.ts';
import { deskSettings } from '../trader/desk-settings.ts';
import { readyDesk } from '../trader/trader-kit.ts';

const runOf = (parts: Parameters<typeof deskSettings>[0], parameters: Record<string, string>): RunSettings => {
  const [run] = deskSettings(parts).runs as [RunSettings];
  return { ...run, parameters };
};

test('open orders stay, and the person who set it is warned', () => {
  const desk = readyDesk();
  desk.run(3_000);
  const before = desk.slots();
  expect(before).toEqual(['buy:0 open', 'sell:0 open']);
  const lower = runOf({ limits: { maxOpenNotional: '1500' } }, { 'limits.maxOpenNotional': '1500' });
  const lines = linesOf(previewOf(desk.state(), lower, desk.now()).parts);
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}orders: 2 stay/));
  expect(lines).toContainEqual(
    expect.stringMatching(/^ {2}limits: .*those that stay were placed by the limits of before/),
  );
  desk.tell({ kind: 'revise-run', run: lower, by: 'asha' });
  desk.run(20_000);
  expect(desk.slots()).toEqual(before);
});

test('a change that lowers no limit gives no warning', () => {
  const desk = readyDesk();
  desk.run(3_000);
  const finer = runOf({ refresh: { refreshMs: 20_000 } }, { 'refresh.refreshMs': '20000' });
  expect(linesOf(previewOf(desk.state(), finer, desk.now()).parts).join('\n')).not.toContain('limits:');
});
