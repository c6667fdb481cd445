// The kill latch and `cancel-all`: with the bot alive, and with the bot dead and its orders on the exchange.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { ownOrdersFile, readOwnOrders } from '../../src/bot/state-folder/own-orders-file.ts';
import {
  endProjects,
  expectFlat,
  expectStopsFlat,
  newProject,
  type Project,
  pause,
  STILL,
  until,
} from './bot-process.ts';
import { freePort } from './free-port.ts';
import { SHORT_TTL_MS } from './watchdog-project.ts';

afterEach(endProjects);

const EIGHT = 8;

/** A bot that was killed while its eight quotes stood. */
async function deadBot(project: Project): Promise<void> {
  const bot = await project.readyBot();
  await project.quotes();
  bot.signal('SIGKILL');
  await bot.ended;
  expect((await project.truth()).orders).toHaveLength(EIGHT);
}

describe('cancel-all', () => {
  test('while the bot lives: the bot stops with 77 and nothing is left', async () => {
    const project = await newProject();
    const bot = project.bot();
    await project.ready(bot);
    await project.quotes();
    const command = project.start(['cancel-all', project.config]);
    await until('what it waits for', () => command.err().includes('A live bot cancels and ends by itself: it'));
    expect(command.out()).toContain('PAPER, no real money: exchange ');
    expect(command.out().trim().split('\n')).toHaveLength(1);
    const { code, out, err } = await command.ended;
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('so no order is open') });
    expect(err).toMatch(
      /^The kill latch is set\. .* it gets [\d minsh]+, or [\d minsh]+ if .* for [\d minsh]+ at the most\.$/m,
    );
    expect(await bot.ended).toMatchObject({ code: 77, out: expect.stringContaining('cancel-all was called.') });
    expect(project.exchangePid()).toBeNull();
    await expectFlat(project);
  });

  test('while the bot hangs: cancels, and keeps the names of its orders: what it chose may still leave', async () => {
    const project = await newProject({ ...STILL, 'watchdog.ttlMs': SHORT_TTL_MS });
    const bot = await project.readyBot();
    await project.quotes();
    bot.signal('SIGSTOP');
    // It is not gone: its last status would say so, and to start it again.
    expect(await project.command('status')).toMatchObject({
      ...{ code: 69, out: '', err: expect.stringMatching(/Process \d+ has .* does not answer/) },
    });
    expect(await project.command('cancel-all')).toMatchObject({
      code: 0,
      out: expect.stringContaining('proved by two complete lists'),
    });
    expect(readOwnOrders(ownOrdersFile(project.stateFolder)).orders.open.size).toBe(EIGHT);
    bot.signal('SIGCONT');
    expect((await bot.ended).code).toBe(77);
  });

  test('while the bot is dead: cancels by the file of own orders alone, and the bot can start afterward', async () => {
    const project = await newProject();
    await deadBot(project);
    const journal = path.join(project.stateFolder, 'journal.sqlite');
    for (const ending of ['', '-wal']) renameSync(`${journal}${ending}`, `${journal}${ending}.away`);
    const { code, out } = await project.command('cancel-all', '--json');
    for (const ending of ['', '-wal']) renameSync(`${journal}${ending}.away`, `${journal}${ending}`);
    expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 0, flat: true });
    expect((await project.truth()).orders).toEqual([]);
    expect((await project.command('rearm', '--yes')).code).toBe(0);
    await expectStopsFlat(project, await project.readyBot());
  });

  test('F109: pressed twice at once while the bot is dead: both end with 0, the latch has one reason', async () => {
    const project = await newProject();
    await deadBot(project);
    const press = (...options: string[]) => project.start(['cancel-all', project.config, ...options]).ended;
    const both = await Promise.all([press(), press('--json')]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect((await project.truth()).orders).toEqual([]);
    expect((await project.command('rearm')).out).toContain('cancel-all was called.');
    expect((await project.command('rearm', '--yes')).code).toBe(0);
  });

  test(
    'F109: pressed in maintenance it keeps trying, ' +
      'and is through when that is over; a file that is damaged is no proof',
    async () => {
      const controlPort = await freePort();
      const project = await newProject({
        ...STILL,
        'paper.control': { port: controlPort },
        'watchdog.ttlMs': SHORT_TTL_MS,
      });
      const maintenance = (on: boolean): Promise<unknown> =>
        fetch(`http://127.0.0.1:${controlPort}/controls`, {
          method: 'PATCH',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ maintenance: on }),
        });
      await deadBot(project);
      await maintenance(true);
      const command = project.command('cancel-all');
      await pause(4_000);
      expect((await project.truth()).orders).toHaveLength(EIGHT);
      await maintenance(false);
      expect(await command).toMatchObject({ code: 0, out: expect.stringContaining('proved by two complete lists') });
      expect((await project.truth()).orders).toEqual([]);
      writeFileSync(path.join(project.stateFolder, 'own-orders.log'), 'no such line\nnor this\n');
      const damaged = await project.command('cancel-all');
      expect(damaged).toMatchObject({ code: 75, out: expect.stringContaining('is damaged') });
    },
  );

  test('after both bot and exchange were killed: the orders are gone with the exchange', async () => {
    const project = await newProject();
    const dead = project.bot();
    await project.ready(dead);
    await project.quotes();
    dead.signal('SIGKILL');
    await dead.ended;
    project.killExchange();
    await until('the exchange is gone', () => project.exchangePid() === null);
    const { code, out } = await project.command('cancel-all');
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('so no order is open') });
    expect((await project.command('rearm', '--yes')).code).toBe(0);
    await expectStopsFlat(project, await project.readyBot());
  });

  test('after bot and exchange were killed with orders at rest: starts none, says that they rest again', async () => {
    const project = await newProject(STILL);
    await deadBot(project);
    await project.stopExchange();
    const { code, out } = await project.command('cancel-all');
    expect({ code, out }).toMatchObject({ code: 75, out: expect.stringContaining(`with ${EIGHT} open orders`) });
    expect(project.exchangePid()).toBeNull();
    await project.exchange();
    expect(await project.command('cancel-all')).toMatchObject({
      code: 0,
      out: expect.stringContaining('proved by two complete lists'),
    });
  });

  test('--everything lists what it would cancel, and cancels it with --yes', async () => {
    const project = await newProject(STILL);
    await deadBot(project);
    // Without its file nobody knows whose orders these are.
    rmSync(path.join(project.stateFolder, 'own-orders.log'));
    const lost = await project.command('cancel-all');
    expect(lost).toMatchObject({ code: 75, out: expect.stringContaining('--everything --yes cancels every order') });
    expect((await project.truth()).orders).toHaveLength(EIGHT);
    const { code, out, err } = await project.command('cancel-all', '--everything');
    expect(code).toBe(75);
    expect(err).toContain('Then the open orders of the account are listed.');
    expect(out).toContain(`these ${EIGHT} orders`);
    expect((await project.truth()).orders).toHaveLength(EIGHT);
    const done = await project.command('cancel-all', '--everything', '--yes');
    expect(done).toMatchObject({
      code: 0,
      out: expect.stringContaining('No order of the account is open: proved by two complete lists.'),
    });
    expect((await project.truth()).orders).toEqual([]);
    const empty = await project.command('cancel-all', '--everything');
    expect(empty).toMatchObject({ code: 75, out: expect.stringContaining('is no proof') });
  });
});
