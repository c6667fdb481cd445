// The kill latch while the exchange does not answer: the stop has the same bound as one by a signal, and ends with 75.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { loadSettings } from '../../src/bot/settings.ts';
import { stopBoundMs } from '../../src/trader/stop-bound.ts';
import { endProjects, newProject, pause, until } from './bot-process.ts';

afterEach(endProjects);

test('a bot that is latched and can not prove that nothing is open ends with 75 within the bound of a stop', async () => {
  const project = await newProject({ 'venue.deadlines.createMs': 1_000 });
  const bot = await project.readyBot();
  await until('eight quotes', async () => (await project.truth()).orders.length === 8);
  project.killExchange();
  await bot.said('ECONNREFUSED');
  const { trader, venue } = await loadSettings([path.join(project.folder, project.config)]);
  const boundMs = stopBoundMs({ trader, deadlineMs: venue.deadlines.createMs });
  const text = JSON.stringify({ reason: 'Somebody pressed the button.', at: null });
  writeFileSync(path.join(project.stateFolder, 'kill-latch.json'), text);
  await bot.said('The kill latch is set');
  const ended = await Promise.race([bot.ended.then(({ code }) => code), pause(boundMs + 20_000).then(() => 'goes on')]);
  expect({ boundMs, ended }).toEqual({ boundMs, ended: 75 });
}, 180_000);
