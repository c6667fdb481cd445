// `kill -9` of the bot again and again: never more own orders than configured, nothing lost, nothing unknown for good.
import { afterEach, expect, test } from '@jest/globals';
import { endProjects, expectFlat, expectStop, LIVELY, newProject, ONE_A_LEVEL, pause, until } from './bot-process.ts';
import { watchOrders } from './watch-orders.ts';

afterEach(endProjects);

/** `levels` of the strategy's parameters. */
const LEVELS = 2;
const KILLS = 5;

test('five kills at random moments, the first ones right after the start', async () => {
  const project = await newProject({ ...LIVELY, ...ONE_A_LEVEL });
  const watch = watchOrders(project);
  const moments: number[] = [];
  await project.exchange();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const bot = project.bot();
    if (kill > 0 && kill % 3 === 0) await project.ready(bot);
    const moment = Math.round(Math.random() * 3_000);
    moments.push(moment);
    await pause(moment);
    bot.signal('SIGKILL');
    expect((await bot.ended).signal).toBe('SIGKILL');
  }
  const last = await project.readyBot();
  await until('no unknown order is left', async () => (await project.status()).trader.unknownOrders === 0);
  await project.quotes(2 * 2 * LEVELS);
  await until('wallet and ledger are equal', async () => {
    const { assets } = (await project.status()).trader;
    return assets.length === 3 && assets.every(({ difference }) => difference === '0');
  });
  last.signal('SIGTERM');
  expect({ moments, code: (await last.ended).code }).toEqual({ moments, code: 0 });
  await watch.stop();
  expect({ moments, most: watch.most }).toEqual({ moments, most: LEVELS });
  await expectFlat(project);
  expect(project.log()).not.toContain('"op":"difference"');
});

test('the exchange that listens is the one that the last bot ends, whichever bot started it', async () => {
  const project = await newProject();
  const ofKilled = ['exchange', project.config, '--of-bot', '--json'];
  const exchange = project.start(ofKilled);
  await exchange.said('\n');
  const pid = project.exchangePid();
  expect(pid).not.toBeNull();
  // A bot that did not see it yet started another one, which finds the port taken.
  expect((await project.start(ofKilled).ended).code).toBe(69);
  expect(project.exchangePid()).toBe(pid);
  const bot = project.bot();
  await project.ready(bot);
  await expectStop(bot);
  expect((await exchange.ended).code).toBe(0);
  expect(project.exchangePid()).toBeNull();
});
