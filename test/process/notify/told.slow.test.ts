// Told, not polled, with real processes and a real receiver: soon, by one of the two and not by both, over an outage of
// the channel and a restart, and with the word that it is over.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeServers, type HttpReceiver, httpReceiver } from '../../unit/bot/notify/servers.ts';
import { endProjects, expectStop, newProject, type Project, pause, STILL, until } from '../bot-process.ts';
import { filesBelow } from '../secret-scan.ts';
import { type WatchedProject, watchedProject } from '../watchdog-project.ts';

afterEach(async () => {
  await endProjects();
  await closeServers();
});

const CANARY = 'canary-token-7d1f0b';
const ENVIRONMENT = { environment: { QK_HOOK: CANARY } };

/** What is told, `op` and process, in the order of its arrival. */
interface Said {
  readonly op: string;
  readonly process: string;
  readonly kind: string;
  readonly text: string;
  readonly id: string;
}
const said = (receiver: HttpReceiver): Said[] => receiver.taken.map(({ body }) => body as Said);
const words = (receiver: HttpReceiver): string[] =>
  said(receiver).map(({ process, kind, op }) => `${process} ${kind} ${op}`);

const notifyOf = (receiver: HttpReceiver, more: object = {}): object => ({
  channels: [{ form: 'webhook', name: 'night', url: receiver.url, token: { environment: 'QK_HOOK' }, ...more }],
});

function setLatch({ stateFolder }: Project): number {
  const text = JSON.stringify({ reason: 'Somebody wants to look first.', at: '2026-01-02T03:04:05.000Z' });
  writeFileSync(path.join(stateFolder, 'kill-latch.json'), text);
  return performance.now();
}

const arrived = (receiver: HttpReceiver, op: string): Promise<Said> =>
  until(`${op} is told`, () => said(receiver).find((each) => each.op === op));

/** Bot and watchdog, both with the token, the bot quoting. */
async function both(watched: WatchedProject) {
  const { project } = watched;
  await project.exchange();
  const bot = project.start(['run', project.config], ENVIRONMENT);
  await project.ready(bot);
  await watched.quotes();
  const watchdog = project.start(['watchdog', project.config], ENVIRONMENT);
  await watchdog.said('"op":"bot-lives"');
  return { bot, watchdog };
}

describe('the bot tells', () => {
  test('of a latch within seconds, once, by the bot alone; its end when it quotes again; no secret shows', async () => {
    const receiver = await httpReceiver();
    const watched = await watchedProject({ ...STILL, notify: notifyOf(receiver) });
    const { project } = watched;
    const { bot, watchdog } = await both(watched);
    const from = setLatch(project);
    await arrived(receiver, 'latched');
    // Within five on a machine that has nothing else to do.
    expect((receiver.taken[0]?.at ?? 0) - from).toBeLessThan(20_000);
    expect((await bot.ended).code).toBe(77);
    expect((await watchdog.ended).code).toBe(77);
    expect(words(receiver)).toEqual(['bot problem latched']);

    expect((await project.command('rearm', '--yes')).code).toBe(0);
    const again = project.start(['run', project.config], ENVIRONMENT);
    await project.ready(again);
    await until('the all-clear', () => receiver.taken.length === 2);
    expect(words(receiver)[1]).toBe('bot all-clear latched');
    expect(receiver.taken.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${CANARY}`,
      `Bearer ${CANARY}`,
    ]);
    await expectStop(again);
    const places = [
      ...filesBelow(project.folder),
      ...[bot, watchdog, again].map((each) => ({ where: 'out', text: each.out() })),
    ];
    expect(places.filter(({ text }) => text.includes(CANARY))).toEqual([]);
  });

  test('of an error that ends it, before it is gone', async () => {
    const receiver = await httpReceiver();
    const project = await newProject({ ...STILL, notify: notifyOf(receiver) });
    await project.exchange();
    const bot = project.start(['run', project.config], ENVIRONMENT);
    await project.ready(bot);
    renameSync(path.join(project.stateFolder, 'journal.sqlite'), path.join(project.stateFolder, 'moved.sqlite'));
    expect((await bot.ended).code).toBe(74);
    // The next intent or the next look at the file notices first.
    expect([
      ['bot problem fatal', 'bot problem summary'],
      ['bot problem journal-moved', 'bot problem summary'],
    ]).toContainEqual(words(receiver));
  });
});

describe('the watchdog tells', () => {
  test('that a bot was killed, once, what it did, and that it lives again', async () => {
    const receiver = await httpReceiver();
    const watched = await watchedProject({ ...STILL, notify: notifyOf(receiver) });
    const { project } = watched;
    await project.exchange();
    const { bot, watchdog } = await both(watched);
    bot.signal('SIGKILL');
    expect((await watchdog.ended).code).toBe(77);
    expect(words(receiver)).toEqual(['watchdog problem lease-expired', 'watchdog problem flat']);
    expect((await project.command('rearm', '--yes')).code).toBe(0);
    const again = await both(watched);
    await until('the all-clear', () => receiver.taken.length === 3);
    expect(words(receiver)[2]).toBe('watchdog all-clear lease-expired');
    await expectStop(again.bot);
    await expectStop(again.watchdog);
    expect(receiver.taken).toHaveLength(3);
  });

  test('what a bot that ended could not send, stays until the channel takes it, and doubles nothing', async () => {
    const receiver = await httpReceiver();
    const watched = await watchedProject({ ...STILL, notify: notifyOf(receiver) });
    const { project } = watched;
    const { bot, watchdog } = await both(watched);
    await receiver.stop();
    setLatch(project);
    expect((await bot.ended).code).toBe(77);
    await watchdog.said('"op":"stopping"');
    await pause(4_000);
    expect(words(receiver)).toEqual([]);
    const metrics = readFileSync(path.join(project.stateFolder, 'watchdog.prom'), 'utf8');
    expect(metrics).toContain('quotekeeper_watchdog_notifications_waiting{channel="night"}');
    await receiver.start();
    expect((await watchdog.ended).code).toBe(77);
    // The bot's own words, sent by the watchdog.
    expect(words(receiver)).toEqual(['watchdog problem latched']);
    expect(new Set(said(receiver).map(({ id }) => id)).size).toBe(receiver.taken.length);
  });
});

test('a channel that is down while the bot is killed gets all once, later; status and metrics say so', async () => {
  const receiver = await httpReceiver();
  const channel = { from: 'info', only: ['started', 'ready', 'told-to-stop'] };
  const project = await newProject({ ...STILL, notify: notifyOf(receiver, channel) });
  await project.exchange();
  await receiver.stop();
  const bot = project.start(['run', project.config], ENVIRONMENT);
  await project.ready(bot);
  const told = await until('the line', async () => {
    const { out } = await project.command('status');
    return out.split('\n').find((line) => line.includes('The channel night has been failing since'));
  });
  expect(told).toContain('messages wait. `quotekeeper notify test --channel night` tries it.');
  const metrics = await (await fetch(`http://127.0.0.1:${project.pagePort}/metrics`)).text();
  expect(metrics).toContain('quotekeeper_notifications_waiting{channel="night"} 2');
  expect(metrics).toMatch(/quotekeeper_notifications_total\{channel="night",outcome="failed"\} [1-9]/);
  expect(metrics).toMatch(/quotekeeper_notifications_oldest_age_seconds\{channel="night"\} \d/);
  bot.signal('SIGKILL');
  await bot.ended;
  await receiver.start();
  const again = project.start(['run', project.config], ENVIRONMENT);
  await project.ready(again);
  await until('four messages', () => receiver.taken.length === 4);
  await expectStop(again);
  expect(said(receiver).map(({ op }) => op)).toEqual(['started', 'ready', 'started', 'ready', 'told-to-stop']);
  expect(new Set(said(receiver).map(({ id }) => id)).size).toBe(5);
});
