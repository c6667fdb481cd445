// A state folder of yesterday is put back, as a backup of the whole machine does it: the journal, its witness and the
// file of own orders are all of the same day and contradict nothing. Only the account knows better.
import { cpSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { endProjects, expectFlat, newProject, type Project, pause, STILL, until } from './bot-process.ts';
import type { Program } from './start-program.ts';

afterEach(endProjects);

const HORIZON_MS = 6_000;

const SHARED = { ...STILL, 'account.foreignOrders': 'ignore' };
const WIDER = { 'runs.0.params.halfSpreadBps': 140, 'runs.1.params.halfSpreadBps': 150 };

async function kill(bot: Program): Promise<void> {
  bot.signal('SIGKILL');
  await bot.ended;
}

/** What belongs to the bot and not to the exchange; a socket is no file that could be copied. */
const isBots = (name: string): boolean => !/^(paper-|exchange|control\.sock)/.test(name);

/** Eight orders rest, and the bot knows each by its id: a create whose answer is not recorded may be open as well. */
async function knowsEight(project: Project): Promise<boolean> {
  const { symbols } = (await project.status()).trader;
  const known = symbols.flatMap(({ orders }) => orders).filter(({ state }) => state === 'open');
  return known.length === 8 && (await project.orderIds()).length === 8;
}

/** The orders that rest, which the journal that was put back does not know. */
async function yesterday(project: Project): Promise<readonly string[]> {
  const copy = path.join(project.folder, 'backup');
  const first = await project.readyBot();
  await until('eight quotes', () => knowsEight(project));
  await kill(first);
  const before = await project.orderIds();
  cpSync(project.stateFolder, copy, { recursive: true, filter: (name) => isBots(path.basename(name)) });
  // What is created within the horizon of the journal's last create could be of that one.
  await pause(HORIZON_MS);
  const second = await project.readyBot();
  expect((await stop(second)).code).toBe(0);
  // At other prices, as in a market that has moved.
  project.configure({ ...SHARED, ...WIDER });
  const third = await project.readyBot();
  await until('eight other quotes', () => knowsEight(project));
  await kill(third);
  const resting = await project.orderIds();
  expect(resting.filter((id) => before.includes(id))).toEqual([]);
  for (const name of readdirSync(project.stateFolder).filter(isBots))
    rmSync(path.join(project.stateFolder, name), { recursive: true });
  cpSync(copy, project.stateFolder, { recursive: true });
  return resting;
}

/** A bot that waits for a person, having placed nothing. */
async function waiting(project: Project, resting: readonly string[]): Promise<Program> {
  const bot = project.bot();
  await bot.said('"op":"symbol-halted"');
  await until('it is halted', async () => {
    const { trader } = await project.status();
    const named = trader.unmatchedOrders.filter(({ mayBeOurs }) => mayBeOurs).map(({ orderId }) => orderId);
    return trader.symbols.every(({ state }) => state === 'halted') && named.length === resting.length;
  });
  const { trader } = await project.status();
  for (const { reason, risk } of trader.symbols) {
    expect(reason).toMatch(
      /^The journal ends at \S+ \S+ \S+, and the account shows orders since then in \S+ that may be the bot's/,
    );
    expect(risk.halt?.code).toBe('journal-stale');
  }
  const ready = await fetch(`http://127.0.0.1:${project.pagePort}/ready`);
  expect(ready.status).toBe(503);
  expect(await ready.text()).toContain('--adopt-orders');
  expect((await project.orderIds()).toSorted()).toEqual(resting.toSorted());
  return bot;
}

async function stop(bot: Program): Promise<{ code: number | null; open: number; out: string }> {
  bot.signal('SIGTERM');
  const { code, out } = await bot.ended;
  return { code, out, open: out.split('\n').filter((line) => /"op":"summary".*May be open:/.test(line)).length };
}

describe('a journal that is older than what the account shows, on a shared account', () => {
  test('places nothing until a person says whose the orders are; the bot’s are taken over and canceled', async () => {
    const project = await newProject(SHARED);
    const resting = await yesterday(project);
    const stopped = await stop(await waiting(project, resting));
    expect({ code: stopped.code, open: stopped.open }).toEqual({ code: 75, open: resting.length });
    expect((await project.orderIds()).toSorted()).toEqual(resting.toSorted());
    const next = project.start(['run', project.config, '--adopt-orders']);
    await project.ready(next);
    await until('new quotes', async () => {
      const now = await project.orderIds();
      return now.length === 8 && !now.some((id) => resting.includes(id));
    });
    expect((await stop(next)).code).toBe(0);
    await expectFlat(project);
  });
});
