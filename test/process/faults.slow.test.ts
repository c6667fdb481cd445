// What happens to a bot that runs: its journal vanishes, it is frozen and thawed, its exchange dies.
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { endProjects, expectStopsFlat, newProject, pause, until } from './bot-process.ts';

afterEach(endProjects);

const FROZEN_MS = 14_000;

describe('a journal that is deleted while the bot runs', () => {
  test('ends it with a sentence and 74, its orders canceled; a start misses it until told it is lost', async () => {
    const project = await newProject();
    const bot = await project.readyBot();
    await project.quotes();
    rmSync(path.join(project.stateFolder, 'journal.sqlite'));
    const { code, out } = await bot.ended;
    // The next intent or the next look at the file notices first.
    expect(out).toContain(`${path.join(project.stateFolder, 'journal.sqlite')} was file`);
    expect(out.match(/"op":"(?:journal-moved|fatal)"/g)).toHaveLength(1);
    expect(code).toBe(74);
    const truth = await project.truth();
    expect(truth.orders).toEqual([]);
    const refused = await project.bot().ended;
    expect(refused.code).toBe(73);
    expect(refused.out + refused.err).toContain('an old copy was put back, or the file was lost');
    for (const name of ['journal.sqlite', 'journal.sqlite-wal', 'journal-witness.json'])
      rmSync(path.join(project.stateFolder, name), { force: true });
    await expectStopsFlat(project, await project.readyBot());
  });
});

describe('a bot that is frozen for longer than its books may age, while it places its first quotes', () => {
  test('places none of the others on what it knew before, but on what it sees now', async () => {
    // Slow enough to be caught between its first quote and its last, also by a busy machine, and slower yet to read a
    // book than to place a quote.
    const project = await newProject({ 'lanes.private.requestsPerSecond': 2, 'lanes.public.requestsPerSecond': 1 });
    await project.exchange();
    const bot = project.bot();
    const first = async (): Promise<boolean> => (await project.truth()).orders.length > 0;
    await until('the first quote', first, { everyMs: 5 });
    bot.signal('SIGSTOP');
    const frozenAt = Date.now();
    expect((await project.truth()).orders.length).toBeLessThan(8);
    await pause(FROZEN_MS);
    bot.signal('SIGCONT');
    // Some moment while it was frozen: it may run again before this process does.
    const thawedAt = frozenAt + FROZEN_MS / 2;
    await project.quotes();
    expect((await project.status()).trader).toMatchObject({ phase: 'running', unknownOrders: 0, blockers: [] });
    await expectStopsFlat(project, bot);
    const later = project.journalled('intent').filter(({ sentAt }) => Number(sentAt) > frozenAt);
    expect(later.length).toBeGreaterThan(0);
    for (const { sentAt, bookSentAt } of later) {
      expect(Number(sentAt)).toBeGreaterThanOrEqual(thawedAt);
      expect(Number(bookSentAt)).toBeGreaterThanOrEqual(thawedAt);
    }
  });
});

describe('an exchange that is killed while the bot runs', () => {
  test('the bot goes on, says what it cannot reach, and its exit code is honest', async () => {
    const project = await newProject({ 'advanced.timeoutMs': 1_000 });
    const bot = project.bot();
    await project.ready(bot);
    await project.quotes();
    project.killExchange();
    await bot.said('ECONNREFUSED');
    await until('it says why it does not quote', async () => {
      const { trader } = await project.status();
      return trader.symbols.every(({ state, reason }) => state === 'waiting' && reason !== null);
    });
    expect((await fetch(`http://127.0.0.1:${project.pagePort}/health`)).status).toBe(200);
    bot.signal('SIGTERM');
    await bot.said('"op":"stopping"');
    // It waits for the exchange as long as orders may rest there; whoever doesn't want to is told which ones.
    await pause(1_500);
    bot.signal('SIGTERM');
    const { code, out } = await bot.ended;
    expect(code).toBe(75);
    expect(out).toContain('Own orders that may be open: 8.');
    expect(out.match(/"May be open: /g)).toHaveLength(8);
    expect(out).toContain('Something unknown remains');
    // The next start finds that the exchange is another one.
    const next = await project.readyBot();
    expect(next.out()).toContain('starting fresh');
    expect(readdirSync(project.stateFolder).filter((name) => /^journal-.*\.sqlite$/.test(name))).toHaveLength(1);
    await expectStopsFlat(project, next);
    expect(next.out()).not.toContain('"op":"difference"');
  });
});
