// The whole program once: it quotes on an exchange of its own, and Ctrl-C ends it flat.
import { afterEach, expect, test } from '@jest/globals';
import { endProjects, expectFlat, newProject, signalGroup } from './bot-process.ts';

afterEach(endProjects);

test('a Ctrl-C, which reaches the whole process group, leaves no order; the exchange ends after the bot', async () => {
  const project = await newProject();
  const bot = project.bot();
  await project.ready(bot);
  await project.quotes();
  signalGroup(bot.pid, 'SIGINT');
  const { code, signal, out } = await bot.ended;
  expect({ code, signal }).toEqual({ code: 0, signal: null });
  expect(out).toMatch(/Stopping: own orders that may still be open: 8\. The stop takes \d+ s more at most\./);
  expect(out).toContain('Done; no order of the bot is open.');
  expect(project.exchangePid()).toBeNull();
  await expectFlat(project);
});
