// Errors that nobody caught, inside the running program (F101): it cancels what it knows, ends with 70, and the next
// start or the watchdog does the rest.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import { endProjects, expectStop, expectStopsFlat, type Project, STILL, until } from './bot-process.ts';
import { type ControlledProject, controlledProject } from './controlled-project.ts';
import type { Program } from './start-program.ts';
import { watchedProject } from './watchdog-project.ts';

afterEach(endProjects);

/** What goes wrong in the program's own process, once it is told to. */
const FAULTS = {
  rejection: "void Promise.reject(new Error('nobody waits for this'));",
  'a throw in a timer, again and again': "setInterval(() => { throw new Error('nor this'); }, 1);",
  'no memory left':
    'const kept = []; setInterval(() => { for (;;) kept.push(new Array(1_000_000).fill(kept.length)); }, 1);',
} as const;

interface Faulty {
  readonly command: 'run' | 'watchdog';
  readonly fault: keyof typeof FAULTS;
  readonly nodeOptions?: string;
}

/** A program with a fault in it, which SIGUSR2 sets off. */
function faulty(project: Project, { command, fault, nodeOptions = '' }: Faulty): Program {
  const file = path.join(project.folder, 'fault.mjs');
  writeFileSync(file, `process.once('SIGUSR2', async () => { ${FAULTS[fault]} });\n`);
  const environment = { NODE_OPTIONS: `--import=${pathToFileURL(file).href} ${nodeOptions}` };
  return project.start([command, project.config], { environment });
}

/** Its exchange is a process of its own, without the fault. */
async function faultyBot(project: Project, fault: keyof typeof FAULTS, nodeOptions = ''): Promise<Program> {
  await project.exchange();
  return faulty(project, { command: 'run', fault, nodeOptions });
}

/** Ends by itself with 70, its orders canceled; says so, and shows nobody's words but its own. */
async function expectFatal({ project }: ControlledProject, bot: Program): Promise<void> {
  const { code, out, err } = await bot.ended;
  expect({ code, err }).toEqual({ code: 70, err: '' });
  expect(out.match(/"op":"fatal"/g)).toHaveLength(1);
  expect(out).toMatch(/(\d+) of \1 own orders were canceled from memory/);
  expect(out).not.toContain('nobody');
  expect((await project.truth()).orders).toEqual([]);
}

/** The next start finds everything out by itself: nothing unknown, ledger equal to wallet, a journal that is whole. */
async function expectRecovery({ project }: ControlledProject): Promise<void> {
  const next = await project.readyBot();
  await until('nothing is unknown', async () => (await project.status()).trader.unknownOrders === 0);
  await expectStopsFlat(project, next);
}

describe('an error that nobody caught', () => {
  test('again and again: orders are canceled, the end is 70, the next start recovers', async () => {
    const controlled = await controlledProject();
    const bot = await faultyBot(controlled.project, 'a throw in a timer, again and again');
    await controlled.quotes();
    bot.signal('SIGUSR2');
    await expectFatal(controlled, bot);
    await expectRecovery(controlled);
  });

  test('while orders are being placed: none is placed after it', async () => {
    const controlled = await controlledProject({ 'lanes.private.requestsPerSecond': 4 });
    const { project } = controlled;
    const bot = await faultyBot(project, 'rejection');
    await until('some orders', async () => (await controlled.orderIds()).length >= 3, { everyMs: 5 });
    bot.signal('SIGUSR2');
    await bot.said('"op":"fatal"');
    const { code, out } = await bot.ended;
    const line = out.split('\n').find((each) => each.includes('"op":"fatal"')) ?? '';
    const fatalAt = Date.parse(JSON.parse(line).time);
    const intents = project.journalled('intent').map(({ sentAt }) => Number(sentAt));
    expect({ code, late: intents.filter((sentAt) => sentAt > fatalAt) }).toEqual({ code: 70, late: [] });
    expect((await controlled.creates()).length).toBeLessThanOrEqual(intents.length);
    await expectRecovery(controlled);
  });

  test('while it stops: the end is 70 all the same', async () => {
    const controlled = await controlledProject({ 'assumptions.readLagBoundMs': 3_000 });
    const { project } = controlled;
    const bot = await faultyBot(project, 'rejection');
    await controlled.quotes();
    bot.signal('SIGTERM');
    await bot.said('"op":"told-to-stop"');
    bot.signal('SIGUSR2');
    await expectFatal(controlled, bot);
  });
});

describe('a watchdog beside it', () => {
  test('no memory left: the process is gone without a word, and the watchdog takes its orders away', async () => {
    const watched = await watchedProject(STILL);
    const { project } = watched;
    const bot = await faultyBot(project, 'no memory left', '--max-old-space-size=200');
    await watched.quotes();
    const watchdog = await watched.readyWatchdog();
    // A busy machine may need longer to fill the memory than the watchdog waits for a bot that shows no progress.
    watchdog.signal('SIGSTOP');
    bot.signal('SIGUSR2');
    expect((await bot.ended).signal).toBe('SIGABRT');
    expect(await watched.orderIds()).toHaveLength(8);
    watchdog.signal('SIGCONT');
    const { code, out } = await watchdog.ended;
    expect({ code, out: code === 77 ? '' : out }).toEqual({ code: 77, out: '' });
    expect(out).toContain('"op":"flat"');
    expect(await watched.orderIds()).toEqual([]);
    expect((await project.command('rearm', '--yes')).code).toBe(0);
    await expectRecovery(watched);
  });

  test('that meets one itself ends with 70 as well, so that whoever started it starts it again', async () => {
    const watched = await watchedProject();
    const { project } = watched;
    const bot = await project.readyBot();
    const watchdog = faulty(project, { command: 'watchdog', fault: 'rejection' });
    await watchdog.said('"op":"bot-lives"');
    watchdog.signal('SIGUSR2');
    const { code, err } = await watchdog.ended;
    expect({ code, err }).toEqual({ code: 70, err: expect.stringMatching(/^Internal error: an unexpected Error\./) });
    expect(err).not.toContain('nobody');
    await watched.readyWatchdog();
    await expectStop(bot);
  });
});
