// What the watchdog takes for a hung bot, and what not: an exchange that does not answer is no fault of the bot's.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { endProjects, expectStop, pause, STILL, until } from '../bot-process.ts';
import { proxiedExchange } from '../proxied-exchange.ts';
import { endProxies } from '../recording-proxy.ts';
import type { Program } from '../start-program.ts';
import { SHORT, SHORT_TTL_MS, type WatchedProject, watchedProject } from '../watchdog-project.ts';

afterEach(endProjects);
afterEach(endProxies);

const latchOf = ({ project }: WatchedProject): string => path.join(project.stateFolder, 'kill-latch.json');

/** Orders that rested before are gone, and as many others are there. */
const moved = async (watched: WatchedProject, before: readonly string[]): Promise<boolean> => {
  const now = await watched.orderIds();
  return now.length === before.length && !before.some((id) => now.includes(id));
};

describe('an exchange that does not answer for longer than the time to live', () => {
  test('the bot is not killed, tries on, and moves its quotes when it is back; the watchdog says so', async () => {
    const watched = await watchedProject(STILL);
    const { project } = watched;
    const { proxy, behind } = await proxiedExchange(project, { ...SHORT, ...STILL });
    const truth = async (): Promise<readonly string[]> => {
      const response = await fetch(`http://127.0.0.1:${behind}/paper/truth`);
      const { accounts } = (await response.json()) as { accounts: { orders: { orderId: string }[] }[] };
      return (accounts[0]?.orders ?? []).map(({ orderId }) => orderId);
    };
    const bot = await project.readyBot();
    await until('eight orders', async () => (await truth()).length === 8);
    const watchdog = await watched.readyWatchdog();
    const before = await truth();
    proxy.cut('hang');
    const asked = proxy.asked.length;
    await watchdog.said('"op":"exchange-silent"');
    await pause(3 * SHORT_TTL_MS);
    expect(existsSync(latchOf(watched))).toBe(false);
    expect(watchdog.out()).not.toContain('lease-expired');
    const tried = proxy.asked.length - asked;
    expect(tried).toBeGreaterThan(2);
    const shown = JSON.parse(readFileSync(path.join(project.stateFolder, 'watchdog.json'), 'utf8'));
    expect(shown).toMatchObject({ phase: 'watching', watching: true, exchangeSilentSince: expect.any(Number) });
    proxy.cut(null);
    await watchdog.said('"op":"exchange-answers"');
    await until('quotes are moved', async () => {
      const now = await truth();
      return now.length === 8 && now.some((id) => !before.includes(id));
    });
    expect(existsSync(latchOf(watched))).toBe(false);
    await expectStop(bot);
    await expectStop(watchdog);
  });

  test('in maintenance: the bot is not killed, and moves its quotes afterward', async () => {
    const watched = await watchedProject(STILL);
    const bot = await watched.project.readyBot();
    await watched.quotes();
    const watchdog = await watched.readyWatchdog();
    const before = await watched.orderIds();
    await watched.control('PATCH', '/controls', { maintenance: true });
    await watchdog.said('"op":"exchange-silent"');
    await pause(3 * SHORT_TTL_MS);
    expect(existsSync(latchOf(watched))).toBe(false);
    await watched.control('PATCH', '/controls', { maintenance: false });
    await until('quotes are moved', () => moved(watched, before));
    expect(watchdog.out()).not.toContain('lease-expired');
    await expectStop(bot);
    await expectStop(watchdog);
  });
});

describe('a bot that hangs while its timers still fire', () => {
  const hanging = (watched: WatchedProject, how: 'loop' | 'request'): Program => {
    const { project } = watched;
    const preload = path.join(import.meta.dirname, 'hang-on-signal.mjs');
    return project.start(['run', project.config], {
      environment: { HANG_ON_SIGNAL: how, NODE_OPTIONS: `--import=${preload}` },
    });
  };

  const expectKilled = async (watched: WatchedProject, watchdog: Program): Promise<void> => {
    expect((await watchdog.ended).code).toBe(77);
    expect(watchdog.out()).toContain('"op":"flat"');
    expect(watched.latch().reason).toMatch(/^The watchdog: The bot has shown no progress for/);
  };

  test('its loop: it is ended and its orders are gone, however long its page answers', async () => {
    const watched = await watchedProject(STILL);
    const { project } = watched;
    await project.exchange();
    const bot = hanging(watched, 'loop');
    await project.ready(bot);
    await watched.quotes();
    const watchdog = await watched.readyWatchdog();
    // So that the page is asked before the bot is ended, however late this process is.
    watchdog.signal('SIGSTOP');
    bot.signal('SIGUSR2');
    await pause(1_500);
    // It hangs where nobody sees it from outside.
    expect((await fetch(`http://127.0.0.1:${project.pagePort}/api/status`)).ok).toBe(true);
    watchdog.signal('SIGCONT');
    await expectKilled(watched, watchdog);
    expect(await watched.orderIds()).toEqual([]);
  });

  test('a request that never ends: the loop says so, and does not show progress any more', async () => {
    const watched = await watchedProject(STILL);
    const { project } = watched;
    const { proxy } = await proxiedExchange(project, { ...SHORT, ...STILL });
    const bot = hanging(watched, 'request');
    await project.ready(bot);
    const watchdog = await watched.readyWatchdog();
    bot.signal('SIGUSR2');
    proxy.cut('hang');
    await bot.said('"op":"lease-failed"');
    await watchdog.said('"op":"clearing"');
    await bot.ended;
    proxy.cut(null);
    await expectKilled(watched, watchdog);
  });
});
