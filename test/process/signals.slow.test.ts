// What signals do to the running program: those that ask for nothing are refused, SIGHUP reopens the log, and one
// that comes before the program is loaded is kept until it can be obeyed.
import { copyFileSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { endProjects, newProject, type Project, until } from './bot-process.ts';
import type { Program } from './start-program.ts';

const recordsOf = (text: string): readonly { op: string; msg: string }[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const opsOf = (text: string): readonly string[] => recordsOf(text).map(({ op }) => op);

describe('a running bot', () => {
  let project: Project;
  let bot: Program;
  beforeAll(async () => {
    project = await newProject();
    bot = await project.readyBot();
  });
  afterAll(endProjects);

  test('goes on after SIGUSR1 and SIGUSR2: no debugger, and its orders stay', async () => {
    await project.quotes();
    bot.signal('SIGUSR1');
    bot.signal('SIGUSR2');
    await until('it says so', () => opsOf(project.log()).includes('steering'));
    expect(recordsOf(project.log()).find(({ op }) => op === 'steering')?.msg).toContain('SIGUSR2 does nothing');
    expect((await project.status()).trader).toMatchObject({ phase: 'running', blockers: [] });
  });

  test(
    'writes into a new file after rename and SIGHUP, ' +
      'and at the new end of one that was copied and cut; nothing is lost',
    async () => {
      const file = path.join(project.stateFolder, 'bot.log');
      const toldSince = (): string[] => opsOf(readFileSync(file, 'utf8')).filter((op) => op === 'status');

      renameSync(file, `${file}.1`);
      const told = opsOf(readFileSync(`${file}.1`, 'utf8')).length;
      await until('it goes on in the old file', () => opsOf(readFileSync(`${file}.1`, 'utf8')).length > told);
      bot.signal('SIGHUP');
      await until('the new file', () => toldSince().length > 0);
      expect(opsOf(readFileSync(file, 'utf8'))[0]).toBe('steering');

      // What is written between the two is lost, as logrotate's own page says of it.
      bot.signal('SIGSTOP');
      copyFileSync(file, `${file}.2`);
      truncateSync(file);
      bot.signal('SIGCONT');
      await until('it goes on in the file that was cut', () => toldSince().length > 0);

      bot.signal('SIGTERM');
      const { code, out, err } = await bot.ended;
      expect(code).toBe(0);
      expect(out + err).not.toContain('Debugger');
      const kept = [`${file}.1`, `${file}.2`, file].map((each) => readFileSync(each, 'utf8')).join('');
      // Standard output has each line, too.
      const lines = out.trim().split('\n');
      expect(lines.filter((line) => !kept.includes(line))).toEqual([]);
    },
  );
});

/** Sends the process a signal at the moment when it begins to load what is heavy. */
function signalWhileLoading({ folder }: Project, signal: NodeJS.Signals): Record<string, string> {
  const file = path.join(folder, 'signal-while-loading.cjs');
  // Not in the exchange that a bot starts.
  const text = `delete process.env.NODE_OPTIONS; require('node:module').registerHooks({ load(url, context, next) {
    if (url.endsWith('/bot/command-line.ts')) process.kill(process.pid, '${signal}');
    return next(url, context);
  } });`;
  writeFileSync(file, text);
  return { NODE_OPTIONS: `--require ${file}` };
}

describe('while the program is loaded', () => {
  afterEach(endProjects);

  test.each(['run', 'watchdog', 'exchange'])('SIGTERM ends `%s` with 0, not by the signal', async (command) => {
    const project = await newProject();
    const environment = signalWhileLoading(project, 'SIGTERM');
    const { code, signal } = await project.start([command, project.config], { environment }).ended;
    expect({ code, signal }).toEqual({ code: 0, signal: null });
  });

  test.each(['SIGUSR1', 'SIGUSR2'] as const)('%s does nothing', async (signal) => {
    const project = await newProject();
    const environment = signalWhileLoading(project, signal);
    const ended = await project.start(['check', project.config, '--offline'], { environment }).ended;
    expect(ended).toMatchObject({ code: 0, signal: null });
    expect(ended.err).not.toContain('Debugger');
  });
});
