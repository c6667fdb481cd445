// The kill latch while the exchange does not answer: the stop goes on, as one by a signal does, until a signal ends
// it with 75.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { loadSettings } from '../../src/bot/settings/settings.ts';
import { stopBoundMs } from '../../src/trader/observe/stopping.ts';
import { endProjects, newProject, pause, until } from './bot-process.ts';

afterEach(endProjects);

test(
  'a bot that is latched while nothing answers and orders rest tries on beyond the bound of a stop; signals end ' +
    'it with 75',
  async () => {
    const project = await newProject({ 'advanced.timeoutMs': 1_000 });
    const bot = await project.readyBot();
    await until('eight quotes', async () => (await project.truth()).orders.length === 8);
    project.killExchange();
    await bot.said('ECONNREFUSED');
    const { trader, venue } = await loadSettings([path.join(project.folder, project.config)]);
    const boundMs = stopBoundMs({ trader, deadlineMs: venue.timeoutMs });
    const text = JSON.stringify({ reason: 'Somebody pressed the button.', at: null });
    writeFileSync(path.join(project.stateFolder, 'kill-latch.json'), text);
    await bot.said('The kill latch is set');
    let code: number | null | 'goes on' = 'goes on';
    void bot.ended.then((ended) => {
      code = ended.code;
    });
    await pause(boundMs + 2_000);
    expect(code).toBe('goes on');
    expect(bot.out()).toContain('they are canceled as soon as it takes requests; a second signal ends at once');
    bot.signal('SIGTERM');
    await pause(1_500);
    bot.signal('SIGTERM');
    await until('the bot ends', () => code !== 'goes on');
    expect(code).toBe(75);
  },
);
