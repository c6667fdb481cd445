// What a newcomer sees on a terminal, a pseudo one made by `script` of util-linux: where to look, quotes and earnings,
// a calm end.
import { afterEach, describe, expect, test } from '@jest/globals';
import { endProjects, LIVELY, newProject, type Project, until } from './bot-process.ts';
import { type Program, QUOTEKEEPER } from './start-program.ts';
import { absent, findTool } from './tools.ts';

afterEach(endProjects);

const SKIPPED = 'what a newcomer sees on a terminal';
const SCRIPT =
  process.platform === 'linux'
    ? findTool('script', SKIPPED)
    : absent('`script` makes terminals in another way here', { skipped: SKIPPED, remedy: 'run it on Linux' });
const COLUMNS = 100;
const onTerminal = SCRIPT === null ? test.skip : test;

function botOnTerminal(project: Project): Program {
  const command = `stty cols ${COLUMNS}; exec ${QUOTEKEEPER} run ${project.config}`;
  return project.start(['-qfec', command, '/dev/null'], { executable: SCRIPT ?? '', typing: true });
}

/** Lines as a person reads them: without colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
const linesOf = (text: string): string[] => text.replace(/\x1b\[[0-9;]*m/g, '').split(/\r?\n/);

describe('on a terminal', () => {
  onTerminal('run says where to look, what it quotes and earns, and how it ended, in lines that fit', async () => {
    const project = await newProject(LIVELY);
    await project.exchange();
    const bot = botOnTerminal(project);
    await project.ready(bot);
    await bot.said('bps;');
    await bot.said('Bought');
    bot.type('\x03');
    const { code, out } = await bot.ended;
    expect(code).toBe(0);
    for (const wanted of [
      'quotekeeper makes a market in BTC/INR, ETH/INR on a paper exchange: no real money.',
      `  page      http://127.0.0.1:${project.pagePort}/`,
      `  metrics   http://127.0.0.1:${project.pagePort}/metrics`,
      '  log       state/paper/bot.log',
      '  stop      Ctrl-C',
      'BTC/INR bid ',
      'Done; no order of the bot is open.',
      'Wallet equals ledger: ',
    ]) {
      expect(out).toContain(wanted);
    }
    const lines = linesOf(out);
    expect(lines.filter((line) => line.length > COLUMNS)).toEqual([]);
    // Orders come and go in the file, not before the reader's eyes.
    expect(lines.filter((line) => /Order 1-\d+-1:/.test(line))).toEqual([]);
    expect(project.log()).toContain('"op":"accepted"');
  });

  onTerminal('that is closed the bot stops as by Ctrl-C', async () => {
    const project = await newProject();
    await project.exchange();
    const terminal = botOnTerminal(project);
    await project.ready(terminal);
    await project.quotes();
    terminal.signal('SIGKILL');
    await until('no order is left', async () => (await project.truth()).orders.length === 0);
    await until('the bot has ended', () => project.ledger());
    expect(project.ledger()).toEqual((await project.truth()).totals);
    await until('it says so', () => project.log().includes('Done; no order of the bot is open.'));
  });
});
