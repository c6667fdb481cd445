// Starting and stopping as an operator does it: SIGTERM, Ctrl-C twice and early, impatience, `npm start`.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { endProjects, expectFlat, expectStopsFlat, newProject, pause, signalGroup, until } from './bot-process.ts';
import { proxiedExchange } from './proxied-exchange.ts';
import { endProxies } from './recording-proxy.ts';
import { QUOTEKEEPER } from './start-program.ts';

afterEach(async () => {
  endProxies();
  await endProjects();
});

describe('a stop leaves no order and ends with 0', () => {
  test('by a Ctrl-C that arrives twice at once: from the terminal, and passed on by npm', async () => {
    const project = await newProject();
    const bot = await project.readyBot();
    await project.quotes();
    // Two signals of one kind that wait are one; the bot takes either kind for the same.
    bot.signal('SIGSTOP');
    bot.signal('SIGINT');
    bot.signal('SIGTERM');
    bot.signal('SIGCONT');
    expect((await bot.ended).code).toBe(0);
    await expectFlat(project);
  });

  test('by a signal while it still starts', async () => {
    const project = await newProject();
    const bot = project.bot();
    await until('its exchange is started', () => project.exchangePid());
    signalGroup(bot.pid, 'SIGINT');
    const { code, signal } = await bot.ended;
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(project.exchangePid()).toBeNull();
    await project.exchange();
    expect((await project.truth()).orders).toEqual([]);
  });

  test('of `npm start` by Ctrl-C, with a shell that gives its place to the program', async () => {
    const project = await newProject();
    const scripts = { start: `exec ${QUOTEKEEPER} run ${project.config}` };
    writeFileSync(path.join(project.folder, 'package.json'), JSON.stringify({ private: true, scripts }));
    await project.exchange();
    const npm = project.start(['start'], { executable: 'npm' });
    await project.ready(npm);
    await project.quotes();
    signalGroup(npm.pid, 'SIGINT');
    const { code, signal } = await npm.ended;
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    await expectFlat(project);
  });
});

describe('a start on an exchange that takes one request in ten seconds', () => {
  test('does not send what it checks and what it then reads one upon the other', async () => {
    const project = await newProject();
    const scarce = { requestsPerSecond: 0.1 };
    const { proxy } = await proxiedExchange(project, {
      'lanes.public': scarce,
      'lanes.private': scarce,
    });
    const bot = project.bot();
    const times = (lane: RegExp): number[] => proxy.at.filter((_, index) => lane.test(proxy.asked[index] ?? ''));
    const lanes = [/\/api\/v1\/public\//, /\/api\/v1\/(?:wallet|spot)/];
    await until('two requests on each lane', () => lanes.every((lane) => times(lane).length >= 2));
    for (const lane of lanes) {
      const [first = 0, second = 0] = times(lane);
      // Less than half of the pace: how long a request is on its way varies, and how late its arrival is noted.
      expect(second - first).toBeGreaterThan(4_000);
    }
    bot.signal('SIGKILL');
  });
});

describe('impatience', () => {
  test('a second signal ends at once and says so; the next start takes the orders over', async () => {
    const project = await newProject({ 'assumptions.readLagBoundMs': 10_000 });
    const bot = project.bot();
    await project.ready(bot);
    await project.quotes();
    bot.signal('SIGTERM');
    await bot.said('told-to-stop');
    await pause(1_500);
    bot.signal('SIGTERM');
    expect((await bot.ended).code).toBe(75);
    expect(project.exchangePid()).not.toBeNull();
    project.configure();
    const next = project.bot();
    await project.ready(next);
    await project.quotes();
    await expectStopsFlat(project, next);
  });
});
