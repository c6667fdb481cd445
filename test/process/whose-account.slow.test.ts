// Commands about an account that are given no configuration: they take that of the one bot that runs, and say so.
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { endProjects, newProject } from './bot-process.ts';

afterEach(endProjects);

const namedSchema = z.object({
  mode: z.string(),
  exchange: z.string(),
  files: z.array(z.string()),
  stateFolder: z.string(),
  account: z.string(),
});

test('status, rearm, check, plan, cancel-all take the running bot, and name its account in text and JSON', async () => {
  const project = await newProject();
  const bot = await project.readyBot();
  await project.quotes();
  const file = path.join(project.folder, project.config);
  const line = `PAPER, no real money: exchange ${project.exchangeUrl}, configuration ${file}, account of the key in `;
  for (const command of ['rearm', 'plan']) {
    const { code, out } = await project.start([command]).ended;
    expect({ command, code, out }).toMatchObject({ code: 0, out: expect.stringContaining(line) });
  }
  for (const command of ['status', 'rearm', 'check', 'plan', 'cancel-all']) {
    const { code, out } = await project.start([command, '--json']).ended;
    expect({ command, code }).toEqual({ command, code: 0 });
    expect({ command, ...namedSchema.parse(JSON.parse(out)) }).toEqual({
      command,
      mode: 'paper',
      exchange: project.exchangeUrl,
      // A bot shows the files as it was given them.
      files: [command === 'status' ? project.config : file],
      stateFolder: project.stateFolder,
      account: `key in ${path.join(project.stateFolder, 'paper-keys')}`,
    });
  }
  expect((await bot.ended).code).toBe(77);
  const { code, out, err } = await project.start(['cancel-all']).ended;
  expect({ code, out }).toEqual({ code: 64, out: '' });
  expect(err).toContain(`${project.stateFolder}: no bot runs, configuration ${file}`);
  expect(err).toContain(`quotekeeper cancel-all ${file}`);
});
