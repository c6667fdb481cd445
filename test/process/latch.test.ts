// The kill latch and `cancel-all`: with the bot alive, and with the bot dead and its orders on the exchange.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { endProjects, newProject, type Project, until } from './bot-process.ts';

afterEach(endProjects);

const MAX_MS = 120_000;
const EIGHT = 8;

const quotes = (project: Project): Promise<unknown> =>
  until('eight quotes', async () => (await project.truth()).orders.length === EIGHT);

function setLatch(project: Project): void {
  mkdirSync(project.stateFolder, { recursive: true, mode: 0o700 });
  const text = JSON.stringify({ reason: 'Somebody wants to look first.', at: '2026-01-02T03:04:05.000Z' });
  writeFileSync(path.join(project.stateFolder, 'kill-latch.json'), text);
}

/** A bot that was killed while its eight quotes stood. */
async function deadBot(project: Project): Promise<void> {
  const bot = await project.readyBot();
  await quotes(project);
  bot.signal('SIGKILL');
  await bot.ended;
  expect((await project.truth()).orders).toHaveLength(EIGHT);
}

describe('the kill latch', () => {
  test(
    'keeps the bot from starting with 77, until a person takes it away',
    async () => {
      const project = await newProject();
      setLatch(project);
      const { code, err } = await project.command('run');
      expect(code).toBe(77);
      expect(err).toContain('Somebody wants to look first.');
      expect(project.exchangePid()).toBeNull();
      expect((await project.command('rearm', '--yes')).code).toBe(0);
      const bot = await project.readyBot();
      bot.signal('SIGTERM');
      expect((await bot.ended).code).toBe(0);
    },
    MAX_MS,
  );

  test(
    'set while the bot runs makes it cancel, verify and end with 77',
    async () => {
      const project = await newProject();
      const exchange = await project.exchange();
      const bot = await project.readyBot();
      await quotes(project);
      setLatch(project);
      const { code, out } = await bot.ended;
      expect(code).toBe(77);
      expect(out).toContain('Somebody wants to look first.');
      expect((await project.truth()).orders).toEqual([]);
      exchange.signal('SIGTERM');
      await exchange.ended;
    },
    MAX_MS,
  );
});

describe('cancel-all', () => {
  test(
    'while the bot lives: the bot stops with 77 and nothing is left',
    async () => {
      const project = await newProject();
      const bot = await project.readyBot();
      await quotes(project);
      const { code, out } = await project.command('cancel-all');
      expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('proved by two complete lists') });
      expect((await bot.ended).code).toBe(77);
      expect(project.exchangePid()).toBeNull();
      expect((await project.truthOfStopped()).orders).toEqual([]);
    },
    MAX_MS,
  );

  test(
    'while the bot is dead: cancels by the journal, and the bot can start afterwards',
    async () => {
      const project = await newProject();
      await deadBot(project);
      const { code, out } = await project.command('cancel-all', '--json');
      expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 0, flat: true });
      expect((await project.truth()).orders).toEqual([]);
      expect((await project.command('rearm', '--yes')).code).toBe(0);
      const bot = await project.readyBot();
      bot.signal('SIGTERM');
      expect((await bot.ended).code).toBe(0);
    },
    MAX_MS,
  );

  test(
    'again, with nothing left and the exchange stopped: says so and ends with 0',
    async () => {
      const project = await newProject();
      const bot = await project.readyBot();
      await quotes(project);
      bot.signal('SIGTERM');
      expect((await bot.ended).code).toBe(0);
      const { code, out } = await project.command('cancel-all');
      expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('proved by two complete lists') });
      expect(project.exchangePid()).toBeNull();
    },
    MAX_MS,
  );

  test(
    'after both bot and exchange were killed: the orders are gone with the exchange',
    async () => {
      const project = await newProject();
      await deadBot(project);
      project.killExchange();
      await until('the exchange is gone', () => project.exchangePid() === null);
      const { code, out } = await project.command('cancel-all');
      expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('proved by two complete lists') });
      expect((await project.command('rearm', '--yes')).code).toBe(0);
      const bot = await project.readyBot();
      bot.signal('SIGTERM');
      expect((await bot.ended).code).toBe(0);
      expect(project.ledger()).toEqual((await project.truthOfStopped()).totals);
    },
    MAX_MS,
  );

  test(
    '--everything lists what it would cancel, and cancels it with --yes',
    async () => {
      const project = await newProject();
      await deadBot(project);
      // Without its journal nobody knows whose orders these are.
      const exchange = project.exchangePid();
      writeFileSync(path.join(project.stateFolder, 'journal.sqlite'), '');
      writeFileSync(path.join(project.stateFolder, 'journal.sqlite-wal'), '');
      const { code, out } = await project.command('cancel-all', '--everything');
      expect(code).toBe(75);
      expect(out).toContain(`these ${EIGHT} orders`);
      expect((await project.truth()).orders).toHaveLength(EIGHT);
      const done = await project.command('cancel-all', '--everything', '--yes');
      expect(done).toMatchObject({
        code: 0,
        out: expect.stringContaining(`${EIGHT} orders of the account are cancelled`),
      });
      expect((await project.truth()).orders).toEqual([]);
      expect(project.exchangePid()).toBe(exchange);
    },
    MAX_MS,
  );
});
