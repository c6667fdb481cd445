// `init` in an empty folder, by flags and by a dialogue on a terminal, and the bot that starts with what it wrote.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { loadSettings } from '../../../src/bot/settings/settings.ts';
import { endProjects, newProject } from '../bot-process.ts';
import { endPrograms, QUOTEKEEPER, startProgram } from '../start-program.ts';
import { absent, findTool } from '../tools.ts';

const SKIPPED = 'the dialogue of `init`';
const SCRIPT =
  process.platform === 'linux'
    ? findTool('script', SKIPPED)
    : absent('`script` makes terminals in another way here', { skipped: SKIPPED, remedy: 'run it on Linux' });
const onTerminal = SCRIPT === null ? test.skip : test;

const folders: string[] = [];
afterEach(async () => {
  endPrograms();
  await endProjects();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

test('a bot starts with it, check and plan take it, and it stops flat', async () => {
  const project = await newProject();
  const file = path.join(project.folder, project.config);
  rmSync(path.dirname(file), { recursive: true });
  const written = await project.start(['init', '--symbol', 'BTC/INR']).ended;
  expect([written.code, written.err]).toEqual([0, '']);
  const text = readFileSync(file, 'utf8').replace('port: 8788', `port: ${project.exchangePort}`);
  writeFileSync(file, `${text}\nweb: { port: ${project.pagePort} }\n`);
  const bot = await project.readyBot();
  const checked = await project.command('check');
  const planned = await project.command('plan');
  expect([checked.code, planned.code, planned.out]).toEqual([0, 0, expect.stringContaining('BTC/INR')]);
  bot.signal('SIGINT');
  expect((await bot.ended).code).toBe(0);
});

onTerminal('on a terminal it asks for what was not said, says what is wrong and asks again', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'init-'));
  folders.push(folder);
  const command = `exec ${QUOTEKEEPER} init --mode live --strategy fixed-spread`;
  const options = { executable: SCRIPT ?? '', typing: true, cwd: folder, ownGroup: true };
  const program = startProgram(['-qfec', command, '/dev/null'], options);
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
  const folder = mkdtempSync(path.join(tmpdir(), 'init-'));
  folders.push(folder);
  const options = { executable: SCRIPT ?? '', typing: true, cwd: folder, ownGroup: true };
  const program = startProgram(['-qfec', `exec ${QUOTEKEEPER} init`, '/dev/null'], options);
  await program.said('paper (no money) or live');
  program.type('\x04');
  const { code, out } = await program.ended;
  expect([code, out]).toEqual([64, expect.stringContaining('nothing was written')]);
  expect(existsSync(path.join(folder, 'config'))).toBe(false);
});
