// The dialogue of `init` on a terminal.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { loadSettings } from '../../../src/bot/settings/settings.ts';
import { endPrograms, type Program, QUOTEKEEPER, startProgram } from '../start-program.ts';
import { absent, findTool } from '../tools.ts';

const SKIPPED = 'the dialogue of `init`';
const SCRIPT =
  process.platform === 'linux'
    ? findTool('script', SKIPPED)
    : absent('`script` makes terminals in another way here', { skipped: SKIPPED, remedy: 'run it on Linux' });
const onTerminal = SCRIPT === null ? test.skip : test;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'init-'));
});
afterEach(() => {
  endPrograms();
  rmSync(folder, { recursive: true, force: true });
});

const init = (options = ''): Program =>
  startProgram(['-qfec', `exec ${QUOTEKEEPER} init${options}`, '/dev/null'], {
    executable: SCRIPT ?? '',
    typing: true,
    cwd: folder,
    ownGroup: true,
  });

onTerminal('on a terminal it asks for what was not said, says what is wrong and asks again', async () => {
  const program = init(' --mode live --strategy fixed-spread');
  const answer = async (question: string, text: string): Promise<void> => {
    await program.said(question);
    program.type(`${text}\r`);
  };
  await answer('Symbols', 'ETHINR');
  await answer('"ETHINR" is not a symbol', 'ETH/INR');
  await answer('Distance of the first quote', '');
  await answer('Size of an order', '2000');
  await answer('Loss of a day', '');
  await answer('type yours', '250');
  await answer('File of the API key', '');
  const { code, out } = await program.ended;
  expect([code, out]).toEqual([0, expect.stringContaining('Next: quotekeeper check config/live.yaml')]);
  const { trader } = await loadSettings([path.join(folder, 'config/live.yaml')]);
  const [run] = trader.runs;
  expect([run?.instrument.symbol, run?.limits.maxDayLoss?.toFixed()]).toEqual(['ETH/INR', '250']);
});

onTerminal('Ctrl-D ends it with nothing written', async () => {
  const program = init();
  await program.said('paper (no money) or live');
  program.type('\x04');
  const { code, out } = await program.ended;
  expect([code, out]).toEqual([64, expect.stringContaining('nothing was written')]);
  expect(existsSync(path.join(folder, 'config'))).toBe(false);
});
