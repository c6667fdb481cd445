// Two operators at once, one who stops and one who lets it go on (F111): the last one wins, nobody is told what is not
// so, and nothing is created under the latch.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Changes, endProjects, LIVELY, type Project, pause, STILL, until } from './bot-process.ts';
import type { ControlledProject } from './controlled-project.ts';
import type { Ended, Program } from './start-program.ts';
import { watchedProject } from './watchdog-project.ts';

afterEach(endProjects);

const trailSchema = z.object({
  at: z.iso.datetime(),
  op: z.enum(['set', 'removed', 'proved']),
  reason: z.string().nullable(),
});

/** When the latch was set and taken off, by the trail that both leave. */
function trail(project: Project): readonly z.output<typeof trailSchema>[] {
  const file = path.join(project.stateFolder, 'kill-latch.log');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => trailSchema.parse(JSON.parse(line))).filter(({ op }) => op !== 'proved');
}

const isLatched = (project: Project): boolean => existsSync(path.join(project.stateFolder, 'kill-latch.json'));

/** Set or not set, whole, as the trail says, and nothing half written beside it. */
function expectWholeLatch(project: Project): void {
  expect(readdirSync(project.stateFolder).filter((name) => /^kill-latch.*\.new$/.test(name))).toEqual([]);
  const last = trail(project).at(-1);
  expect(isLatched(project)).toBe(last?.op === 'set');
  if (!isLatched(project)) return;
  const text = readFileSync(path.join(project.stateFolder, 'kill-latch.json'), 'utf8');
  expect(JSON.parse(text)).toEqual({ reason: last?.reason, at: last?.at, rearm: 'by-person' });
}

/** The latch's file is there a moment after its time, and a message is on its way for one: longer on a busy machine. */
const ON_ITS_WAY_MS = 1_000;

/** S9: no create came to the exchange while the latch was set. */
async function expectNoneUnderLatch(controlled: ControlledProject): Promise<void> {
  const lines = trail(controlled.project);
  for (const [index, { op, at }] of lines.entries()) {
    if (op !== 'set') continue;
    const from = Date.parse(at) + ON_ITS_WAY_MS;
    const next = lines[index + 1];
    const to = next === undefined ? Number.POSITIVE_INFINITY : Date.parse(next.at);
    expect((await controlled.creates()).filter((create) => create.at > from && create.at < to)).toEqual([]);
  }
}

/** What `cancel-all` claims holds: with 0 no order is open that the bot had placed before it ended. */
async function expectHonest({ code, out }: Ended, controlled: ControlledProject): Promise<void> {
  expect([0, 75]).toContain(code);
  if (code === 0) expect(await controlled.orderIds()).toEqual([]);
  const latched = isLatched(controlled.project);
  expect(out).toContain(latched ? 'The kill latch stays set' : 'The kill latch was removed meanwhile');
}

describe('cancel-all and rearm --yes', () => {
  test('at once, on a dead bot with orders: they are proved gone whoever wins, and the latch is whole', async () => {
    const controlled = await watchedProject();
    const { project } = controlled;
    const bot = await project.readyBot();
    await controlled.quotes();
    bot.signal('SIGKILL');
    await bot.ended;
    const canceling = project.command('cancel-all');
    const rearmed = await project.command('rearm', '--yes');
    expect(rearmed.code).toBe(0);
    const ended = await canceling;
    expect({ code: ended.code, out: ended.code === 0 ? '' : ended.out }).toEqual({ code: 0, out: '' });
    await expectHonest(ended, controlled);
    expectWholeLatch(project);
    await project.command('rearm', '--yes');
    await expectNoneUnderLatch(controlled);
  });

  test('at once, on a bot that runs: it ends latched, or goes on and cancel-all says it proved nothing', async () => {
    const controlled = await watchedProject(LIVELY);
    const { project } = controlled;
    const bot = await project.readyBot();
    await until('some orders', async () => (await controlled.orderIds()).length > 4);
    let code: number | null | undefined;
    void bot.ended.then((ended) => {
      code = ended.code;
    });
    const canceling = project.command('cancel-all');
    await project.command('rearm', '--yes');
    await expectHonest(await canceling, controlled);
    expectWholeLatch(project);
    // It has seen the latch and ends with 77, or it has not and quotes.
    await pause(500);
    const ready = await fetch(`http://127.0.0.1:${project.pagePort}/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    const stays = code === undefined && ready;
    if (stays) {
      const placed = (await controlled.creates()).length;
      await until('it quotes on', async () => (await controlled.creates()).length > placed);
      bot.signal('SIGTERM');
    }
    const { code: end } = await bot.ended;
    expect(end).toBe(stays ? 0 : 77);
    expect(await controlled.orderIds()).toEqual([]);
    await project.command('rearm', '--yes');
    await expectNoneUnderLatch(controlled);
  });
});

/**
 * So long after the last create passes until the second cancel: who is in a hurry can be faster. The tests stop the
 * canceling program meanwhile, because a busy machine may not be.
 */
const SLOW: Changes = { ...STILL, 'assumptions.venueInternalLagMs': 12_000, 'advanced.giveUpMs': 150_000 };

describe('rearm --yes and a start while orders are still being canceled', () => {
  const deadBot = async (controlled: ControlledProject): Promise<void> => {
    const bot = await controlled.project.readyBot();
    await controlled.quotes();
    bot.signal('SIGKILL');
    await bot.ended;
  };

  /** The bot itself may replace one of its quotes meanwhile; who cancels all leaves none. */
  const expectLeftAlone = async (controlled: ControlledProject, placed: readonly string[]): Promise<void> => {
    const left = await controlled.orderIds();
    expect(placed.filter((orderId) => left.includes(orderId))).not.toEqual([]);
  };

  /** What the bot has placed since is still known by the file of own orders: the next kill takes it away. */
  const expectKnown = async ({ project }: ControlledProject, bot: Program): Promise<void> => {
    bot.signal('SIGKILL');
    await bot.ended;
    expect(await project.command('cancel-all')).toMatchObject({ code: 0 });
    expect((await project.truth()).orders).toEqual([]);
  };

  test('by cancel-all: it ends with 75, and the orders of the new bot are not forgotten', async () => {
    const controlled = await watchedProject(SLOW);
    const { project } = controlled;
    await project.exchange();
    await deadBot(controlled);
    const canceling = project.start(['cancel-all', project.config]);
    await controlled.quotes(0);
    canceling.signal('SIGSTOP');
    expect((await project.command('rearm', '--yes')).code).toBe(0);
    const bot = await project.readyBot();
    await controlled.quotes();
    const placed = await controlled.orderIds();
    canceling.signal('SIGCONT');
    const { code, out } = await canceling.ended;
    expect({ code, out }).toEqual({ code: 75, out: expect.stringContaining('the bot has placed orders since') });
    await expectLeftAlone(controlled, placed);
    expectWholeLatch(project);
    await expectKnown(controlled, bot);
    await expectNoneUnderLatch(controlled);
  });

  test('by the watchdog: it ends with 75, to be started again; the new bot’s orders are not forgotten', async () => {
    const watched = await watchedProject(SLOW);
    const { project } = watched;
    const first = await project.readyBot();
    await watched.quotes();
    const watchdog = await watched.readyWatchdog();
    first.signal('SIGKILL');
    await watchdog.said('"op":"clearing"');
    await watched.quotes(0);
    watchdog.signal('SIGSTOP');
    const { code: rearmed, out: said } = await project.command('rearm', '--yes');
    expect({ rearmed, said }).toEqual({ rearmed: 0, said: expect.stringContaining('are not proved gone') });
    const bot = await project.readyBot();
    await watched.quotes();
    const placed = await watched.orderIds();
    watchdog.signal('SIGCONT');
    const { code, out } = await watchdog.ended;
    expect({ code, out }).toEqual({ code: 75, out: expect.stringContaining('"op":"rearmed"') });
    await expectLeftAlone(watched, placed);
    await expectKnown(watched, bot);
    await expectNoneUnderLatch(watched);
  });
});
