// A bot whose pm2 is gone (its daemon was killed) by the time it has something to tell it: it goes on.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { endProjects, newProject, until } from './bot-process.ts';
import { PROJECT_ROOT } from './start-program.ts';

afterEach(endProjects);

test('a bot that cannot say `ready` to the one who started it quotes all the same', async () => {
  const project = await newProject();
  await project.exchange();
  const main = path.join(PROJECT_ROOT, 'src/bot/main.ts');
  const args = ['--disable-warning=ExperimentalWarning', main, 'run', project.config];
  const bot = spawn(process.execPath, args, { cwd: project.folder, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  let said = '';
  for (const stream of [bot.stdout, bot.stderr]) stream?.on('data', (chunk) => (said += chunk));
  const ended = new Promise<number | null>((resolve) => bot.once('exit', resolve));
  bot.disconnect();
  try {
    await until('it is ready', () => said.includes('"op":"ready"') || bot.exitCode !== null);
    await until('eight quotes', async () => (await project.truth()).orders.length === 8, {
      hopeless: () => (bot.exitCode === null ? null : `It ended with ${bot.exitCode}: ${said.slice(-600)}`),
    });
    bot.kill('SIGTERM');
    expect(await ended).toBe(0);
  } finally {
    bot.kill('SIGKILL');
  }
});
