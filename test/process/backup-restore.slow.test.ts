// `backup` beside a bot that runs, and `restore`: both refuse rather than harm, and after a restore a person is asked
// before anything is quoted.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { readBackup } from '../../src/bot/state-folder/backup-file.ts';
import { endProjects, expectFlat, LIVELY, newProject, type Project, STILL, until } from './bot-process.ts';
import { secretsIn } from './secret-scan.ts';
import type { Program } from './start-program.ts';

afterEach(endProjects);

/** The exchange, which runs, writes files of its own. */
const botsFiles = (project: Project): readonly string[] =>
  readdirSync(project.stateFolder)
    .filter((name) => !name.startsWith('paper-'))
    .toSorted();
const backupOf = (project: Project): string => path.join(project.folder, 'monday.sqlar');

async function stop(bot: Program): Promise<number | null> {
  bot.signal('SIGTERM');
  return (await bot.ended).code;
}

async function kill(bot: Program): Promise<void> {
  bot.signal('SIGKILL');
  await bot.ended;
}

describe('backup', () => {
  test('copies a journal that is being written, without keys, mode 0600, and never over another file', async () => {
    const project = await newProject(LIVELY);
    const bot = await project.readyBot();
    const seqs: number[] = [];
    for (let round = 0; round < 2; round += 1) {
      await until('fills', () => project.log().split('"op":"fill"').length > 5 * (round + 1));
      const file = path.join(project.folder, `round-${round}.sqlar`);
      const { code, out } = await project.command('backup', '--to', file, '--json');
      expect(code).toBe(0);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const { manifest, entries } = readBackup(file);
      expect(JSON.parse(out)).toMatchObject({ file, venue: 'paper', journal: { seq: manifest.journal.seq } });
      const names = entries.map(({ name }) => name);
      expect(names).toEqual(['journal.sqlite', 'journal-witness.json', 'own-orders.log']);
      const secrets = secretsIn(path.join(project.stateFolder, 'paper-keys')) ?? [];
      const text = entries.map(({ bytes }) => Buffer.from(bytes).toString('latin1')).join('\n');
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
      seqs.push(manifest.journal.seq);
    }
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    expect(seqs.at(-1)).toBeGreaterThan(seqs[0] ?? 0);
    const again = await project.command('backup', '--to', path.join(project.folder, 'round-0.sqlar'));
    expect(again).toMatchObject({ code: 73, err: expect.stringContaining('is there already') });
    expect(readdirSync(project.folder).filter((name) => name.includes('backup') || name.endsWith('.new'))).toEqual([]);
    expect(await stop(bot)).toBe(0);
  });
});

describe('restore', () => {
  test('refuses while a bot runs and over a full folder; nothing is quoted before a person has answered', async () => {
    const project = await newProject({ ...STILL, 'account.foreignOrders': 'ignore' });
    const first = await project.readyBot();
    await project.quotes();
    expect((await project.command('backup', '--to', backupOf(project))).code).toBe(0);
    const held = await project.command('restore', '--from', backupOf(project), '--replace');
    expect(held).toMatchObject({ code: 73, err: expect.stringContaining('A bot runs in') });
    expect(await stop(first)).toBe(0);
    const second = await project.readyBot();
    await project.quotes();
    await kill(second);
    const resting = (await project.orderIds()).toSorted();
    const full = await project.command('restore', '--from', backupOf(project));
    expect(full).toMatchObject({ code: 73, err: expect.stringContaining('is not empty') });
    const put = await project.command('restore', '--from', backupOf(project), '--replace', '--json');
    expect(put.code).toBe(0);
    const { movedTo, kept } = JSON.parse(put.out);
    expect(existsSync(path.join(movedTo, 'journal.sqlite'))).toBe(true);
    // It names the orders that rest.
    expect(kept).toEqual(['own-orders.log']);

    const third = project.start(['run', project.config, '--not-mine']);
    await third.said('"op":"symbol-halted"');
    await until('all of them are named', async () => {
      const { trader } = await project.status();
      const named = trader.unmatchedOrders.filter(({ mayBeOurs }) => mayBeOurs).map(({ orderId }) => orderId);
      return named.toSorted().join() === resting.join();
    });
    expect((await fetch(`http://127.0.0.1:${project.pagePort}/ready`)).status).toBe(503);
    expect((await project.orderIds()).toSorted()).toEqual(resting);
    expect(await stop(third)).toBe(75);
    const fourth = project.start(['run', project.config, '--adopt-orders']);
    await project.ready(fourth);
    await until('they are gone', async () => !(await project.orderIds()).some((id) => resting.includes(id)));
    await project.quotes();
    expect(await stop(fourth)).toBe(0);
    await expectFlat(project);
  });

  test('`cancel-all` before a start calls nothing flat that own orders out of a backup can’t name', async () => {
    const project = await newProject({ ...STILL, 'account.foreignOrders': 'ignore' });
    const first = await project.readyBot();
    await project.quotes();
    expect(await stop(first)).toBe(0);
    const made = await project.command('backup', '--to', backupOf(project));
    expect(made).toMatchObject({
      code: 0,
      out: expect.stringMatching(/its record \d+ of [\d-]+ [\d:]+ GMT\+5:30; 0 orders/),
    });
    const second = await project.readyBot();
    await project.quotes();
    await kill(second);
    // The machine is lost.
    for (const name of botsFiles(project).filter((each) => !each.startsWith('exchange')))
      rmSync(path.join(project.stateFolder, name), { recursive: true });
    const put = await project.command('restore', '--from', backupOf(project));
    expect(put).toMatchObject({ code: 0, out: expect.stringMatching(/ is as it was at [\d-]+ [\d:]+ GMT\+5:30, by /) });
    const { code, out } = await project.command('cancel-all');
    expect({ code, out, resting: (await project.orderIds()).length }).toEqual({
      code: 75,
      out: expect.stringContaining('what was placed after that it does not name.'),
      resting: 8,
    });
  });

  test('changes nothing where the backup is damaged, or is none; a latch that is set stays set', async () => {
    const project = await newProject(STILL);
    const bot = await project.readyBot();
    await project.quotes();
    expect(await stop(bot)).toBe(0);
    const file = backupOf(project);
    expect((await project.command('backup', '--to', file)).code).toBe(0);
    const watchdog = project.start(['watchdog', project.config]);
    await until('a watchdog lives', () => existsSync(path.join(project.stateFolder, 'watchdog.json')));
    const watched = await project.command('restore', '--from', file, '--replace');
    expect(watched).toMatchObject({ code: 73, err: expect.stringContaining('A watchdog (process') });
    await stop(watchdog);
    expect((await project.command('cancel-all')).code).toBe(0);
    const before = botsFiles(project);
    const whole = readFileSync(file);
    const damaged = Buffer.from(whole);
    // A single byte may fall where nothing is.
    for (let at = 4_096; at < damaged.length; at += 512) damaged.writeUInt8(damaged.readUInt8(at) ^ 0xff, at);
    writeFileSync(`${file}-damaged`, damaged);
    writeFileSync(`${file}-none`, 'no backup');
    for (const wrong of [`${file}-damaged`, `${file}-none`]) {
      const { code, err } = await project.command('restore', '--from', wrong, '--replace');
      expect({ code, err }).toEqual({ code: 74, err: expect.stringContaining('Nothing was changed.') });
    }
    expect(botsFiles(project)).toEqual(before);
    expect((await project.command('restore', '--from', file, '--replace')).code).toBe(0);
    expect((await project.bot().ended).code).toBe(77);
  });
});
