// `watchdog.rearm: after-proof` with real processes: killed, proved, re-armed, quoting again; so often a day, and
// never over a person.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { readKillLatch } from '../../../src/bot/state-folder/kill-latch.ts';
import { endProjects, type Project, STILL, until } from '../bot-process.ts';
import { type WatchedProject, watchedProject } from '../watchdog-project.ts';

afterEach(endProjects);

const AFTER_PROOF = { ...STILL, 'watchdog.rearm': 'after-proof', 'advanced.giveUpMs': 150_000 };
const inFolder = ({ stateFolder }: Project, name: string): string => path.join(stateFolder, name);
const isLatched = ({ project }: WatchedProject): boolean => existsSync(inFolder(project, 'kill-latch.json'));

/** How many re-armings the trail names. */
function rearms(project: Project): number {
  const file = inFolder(project, 'kill-latch.log');
  return existsSync(file) ? readFileSync(file, 'utf8').split('"op":"rearmed"').length - 1 : 0;
}

/** The day has room for one more. */
function twiceToday(project: Project): void {
  const at = new Date().toISOString();
  const line = JSON.stringify({ at, op: 'rearmed', reason: 'It fell silent.', pid: 1 });
  const told = JSON.stringify({ at, op: 'told', reason: null, pid: 1 });
  writeFileSync(inFolder(project, 'kill-latch.log'), `${line}\n${line}\n${told}\n`, { mode: 0o600 });
}

describe('a bot that was killed under after-proof', () => {
  test('waits for the proof, quotes, is watched, tells a person; after the day’s last both end with 77', async () => {
    const watched = await watchedProject(AFTER_PROOF);
    const { project } = watched;
    const first = await project.readyBot();
    await watched.quotes();
    twiceToday(project);
    const watchdog = await watched.readyWatchdog();
    first.signal('SIGSTOP');
    await watchdog.said('"op":"latched"');
    // The proof takes seconds, and a busy machine may need longer than that to start a bot.
    watchdog.signal('SIGSTOP');
    expect(isLatched(watched)).toBe(true);

    // As a supervisor does.
    const second = project.bot();
    await until('it says what it waits for', () => second.err().includes('Waiting for the watchdog to prove'));
    watchdog.signal('SIGCONT');
    await first.ended;
    await watchdog.said('"op":"rearmed"');
    await project.ready(second);
    await watched.quotes();
    expect(isLatched(watched)).toBe(false);
    expect(second.out()).toContain('"op":"rearmed"');
    const metrics = await (await fetch(`http://127.0.0.1:${project.pagePort}/metrics`)).text();
    expect(metrics).toMatch(/quotekeeper_notices_total\{level="page"\} [1-9]/);
    expect(rearms(project)).toBe(3);

    second.signal('SIGSTOP');
    await second.ended;
    const third = project.bot();
    expect((await watchdog.ended).code).toBe(77);
    expect(watchdog.out()).toContain('It was re-armed 3 times today');
    expect((await third.ended).code).toBe(77);
    expect(await watched.orderIds()).toEqual([]);
  });

  test('and a person who presses cancel-all meanwhile keeps it down', async () => {
    const watched = await watchedProject(AFTER_PROOF);
    const { project } = watched;
    const first = await project.readyBot();
    await watched.quotes();
    const watchdog = await watched.readyWatchdog();
    first.signal('SIGSTOP');
    await watchdog.said('"op":"latched"');
    // It would prove and re-arm before a busy machine has started the command.
    watchdog.signal('SIGSTOP');
    const second = project.bot();
    const pressed = project.command('cancel-all');
    await until('it is a person who keeps it down', () => readKillLatch(project.stateFolder)?.rearm === 'by-person');
    watchdog.signal('SIGCONT');
    expect((await second.ended).code).toBe(77);
    expect((await watchdog.ended).code).toBe(77);
    expect((await pressed).code).toBe(0);
    expect(isLatched(watched)).toBe(true);
    expect(rearms(project)).toBe(0);
  });
});
