// The dialogue of `init` on a terminal.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { loadSettings } from '../../../src/bot/settings/settings.ts';
import { strategyChoices } from '../../../src/bot/setup/first-configuration.ts';
import { until } from '../bot-process.ts';
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

/** Types a line each time the program has said something new. */
function answers(program: Program): (said: string, typed?: string) => Promise<void> {
  let seen = 0;
  return async (said, typed = '') => {
    await until(said, () => program.out().includes(said, seen));
    seen = program.out().length;
    program.type(`${typed}\r`);
  };
}

const BACKSPACE = '\x7f';
const CTRL_U = '\x15';

onTerminal(
  'it asks for what was not said, and offers a wrong answer for editing, in the end also a given one',
  async () => {
    const program = init(' --mode live --strategy fixed-spread --order-size=-5');
    const answer = answers(program);
    await answer('Symbols', 'ETHINR');
    await answer('"ETHINR" is not a symbol', `${BACKSPACE.repeat(3)}/INR`);
    await answer('Distance of the first quote');
    await answer('Loss of a day');
    await answer('"" is not an amount', '250');
    await answer('"-5" is not an amount');
    for (const question of ['Symbols', 'Strategy, by', 'Distance of']) await answer(question);
    await answer('Size of an order', `${BACKSPACE.repeat(2)}2000`);
    await answer('Loss of a day');
    const { code, out } = await program.ended;
    expect([code, out]).toEqual([0, expect.stringContaining('Next: quotekeeper check config/live.yaml')]);
    const { trader } = await loadSettings([path.join(folder, 'config/live.yaml')]);
    const [run] = trader.runs;
    expect([run?.instrument.symbol, run?.limits.maxDayLoss?.toFixed()]).toEqual(['ETH/INR', '250']);
    expect(readFileSync(path.join(folder, 'config/live.yaml'), 'utf8')).toMatch(/ orderSize: 2000 /);
  },
);

onTerminal('it lists the strategies; if the answers make no configuration, it asks again and keeps them', async () => {
  mkdirSync(path.join(folder, 'config'));
  writeFileSync(path.join(folder, 'config/paper.yaml'), 'mine');
  const program = init();
  const answer = answers(program);
  await answer('[paper]: ');
  await answer('config/paper.yaml is there already', 'live');
  await answer('Symbols', 'BTC/USDT');
  await answer('Strategy, by', '99');
  for (const { name, purpose } of await strategyChoices('live')) {
    expect(purpose).not.toBe('');
    expect(program.out()).toMatch(new RegExp(`^ +\\d +${name} +${purpose}`, 'm'));
  }
  await answer('there is no "99"', `${CTRL_U}cross-rate`);
  await answer('cross-rate wants legs', `${CTRL_U}5`);
  await answer('Size of an order', '0.01');
  await answer('Loss of a day', '7');
  await answer('Your answers again');
  await answer('Symbols');
  await answer('Strategy, by');
  await answer('Size of an order', `${CTRL_U}60`);
  await answer('Loss of a day');
  expect(await program.ended).toMatchObject({ code: 0 });
  const [run] = (await loadSettings([path.join(folder, 'config/live.yaml')])).trader.runs;
  const { instrument, strategy, params, limits } = run ?? {};
  expect([instrument?.symbol, strategy?.name, limits?.maxDayLoss?.toFixed()]).toEqual(['BTC/USDT', 'glft', '7']);
  expect(JSON.parse(JSON.stringify(params))).toMatchObject({ orderSize: '60' });
  expect(readFileSync(path.join(folder, 'config/paper.yaml'), 'utf8')).toBe('mine');
});

onTerminal('it asks six questions at most, and Ctrl-C at any of them leaves nothing behind', async () => {
  const questions = ['[paper]: ', 'Symbols', 'Strategy, by', 'Distance of', 'Size of an order', 'Loss of a day'];
  const lines = ['live', '', '', '', '', '300'];
  for (const [index, last] of questions.entries()) {
    const program = init();
    const answer = answers(program);
    for (const [before, question] of questions.slice(0, index).entries()) await answer(question, lines[before]);
    await program.said(last);
    program.type('half\x03');
    const { code, out } = await program.ended;
    expect([last, code, out]).toEqual([last, 64, expect.stringContaining('nothing was written')]);
    expect(readdirSync(folder)).toEqual([]);
  }
  const program = init();
  const answer = answers(program);
  for (const [index, question] of questions.entries()) await answer(question, lines[index]);
  expect(await program.ended).toMatchObject({ code: 0 });
});

onTerminal('Ctrl-D ends it with nothing written', async () => {
  const program = init();
  await program.said('paper (no money) or live');
  program.type('\x04');
  const { code, out } = await program.ended;
  expect([code, out]).toEqual([64, expect.stringContaining('nothing was written')]);
  expect(existsSync(path.join(folder, 'config'))).toBe(false);
});
