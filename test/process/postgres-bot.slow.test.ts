// The bot with its journal in PostgreSQL: as an operator sets it up, asks about it, and moves it.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect } from '@jest/globals';
import { PASSWORD } from '../../bench/postgres-cluster.ts';
import {
  type Changes,
  endProjects,
  expectStop,
  LIVELY,
  newProject,
  type Project,
  signalGroup,
  until,
} from './bot-process.ts';
import { clusterForTests } from './postgres.ts';
import { filesBelow } from './secret-scan.ts';

const { withServer, cluster } = clusterForTests('a bot with its journal in PostgreSQL');

afterEach(endProjects);

const URL_FILE = 'database-url';
const IN_DATABASE: Changes = {
  ...LIVELY,
  ...{ 'journal.kind': 'postgres', 'journal.url.file': URL_FILE, 'journal.account': 'main' },
};

async function projectIn(url: string, changes: Changes = {}): Promise<Project> {
  const project = await newProject({ ...IN_DATABASE, ...changes });
  writeFileSync(path.join(project.folder, URL_FILE), `${url}\n`, { mode: 0o600 });
  return project;
}

const copy = (project: Project, to: 'postgres' | 'sqlite') => project.ask('journal', 'copy', project.file, '--to', to);

const tradesOf = async (project: Project) => {
  const { code, out, err } = await project.ask('export', 'trades', project.file, '--format', 'json');
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out).rows as readonly unknown[];
};

withServer('it trades, is killed, goes on, and is read and copied both ways without a lost digit', async () => {
  const project = await projectIn(cluster().url(cluster().newDatabase()));
  const first = await project.readyBot();
  await until('fills', () => project.log().split('"op":"fill"').length > 5);
  expect((await project.ask('export', 'ledger', project.file)).code).toBe(0);
  signalGroup(first.pid, 'SIGKILL');
  await first.ended;
  const second = project.bot();
  await project.ready(second);
  await until('more fills', () => project.log().split('"op":"fill"').length > 8);
  const refused = await copy(project, 'sqlite');
  expect(refused).toMatchObject({ code: 73, err: expect.stringContaining('Another instance holds the journal') });
  await expectStop(second);
  const truth = await project.truth();
  const trades = await tradesOf(project);
  expect(trades).toHaveLength(truth.fillCount);

  const server = /note +journal +PostgreSQL \d+.* at 127\.0\.0\.1:\d+\. Only a role with pg_monitor sees/;
  expect((await project.command('check')).out).toMatch(server);
  cluster().primary.query('GRANT pg_monitor TO bot');
  expect((await project.command('check')).out).toMatch(
    /ok +journal +PostgreSQL \d+.* at 127\.0\.0\.1:\d+, with 1 synchronous standby\./,
  );
  const backup = await project.command('backup', '--to', path.join(project.folder, 'backup'));
  expect(backup).toMatchObject({ code: 73, err: expect.stringContaining('pg_dump') });

  const copied = await copy(project, 'sqlite');
  expect(copied).toMatchObject({ code: 0, out: expect.stringContaining('The chain of the copy is whole.') });
  expect((await copy(project, 'sqlite')).err).toContain('has records already');
  expect(project.ledger()).toEqual(truth.totals);
  project.configure({ ...IN_DATABASE, 'journal.account': 'second' });
  expect((await project.command('run')).err).toContain('`quotekeeper journal copy --to postgres`');
  const back = await copy(project, 'postgres');
  expect(back).toMatchObject({ code: 0, out: expect.stringContaining('The chain of the copy is whole.') });
  expect(await tradesOf(project)).toEqual(trades);
  const third = project.bot();
  await project.ready(third);
  await expectStop(third);
  // What the folder still has is old by now.
  project.configure(LIVELY);
  expect(await project.command('run')).toMatchObject({ code: 73, err: expect.stringContaining('an old copy') });

  const texts = [...filesBelow(project.folder)].map(({ where, text }) => [where, text.includes(PASSWORD)]);
  const holding = texts.filter(([, holds]) => holds).map(([where]) => String(where));
  expect(holding).toEqual([expect.stringContaining(URL_FILE)]);
  expect([first, second, third].some((program) => (program.out() + program.err()).includes(PASSWORD))).toBe(false);
});

withServer('what is wrong with the database ends `run` and `check` with one sentence and a code', async () => {
  const url = cluster().url(cluster().newDatabase(), { ports: [1] });
  const project = await projectIn(url, { 'journal.waitMs': 3_000 });
  await project.exchange();
  for (const command of ['run', 'check']) {
    const ended = await project.command(command);
    expect(ended).toMatchObject({
      code: 73,
      err: expect.stringContaining('must be reachable and writable. 127.0.0.1:1'),
    });
    expect(ended.out + ended.err).not.toContain(PASSWORD);
  }
  const file = path.join(project.folder, URL_FILE);
  writeFileSync(file, readFileSync(file, 'utf8').replace('postgres:', 'mysql:'));
  expect(await project.command('check')).toMatchObject({ code: 78, err: expect.stringContaining('journal.url') });
  chmodSync(file, 0o644);
  expect(await project.command('run')).toMatchObject({ code: 78, err: expect.stringContaining('chmod 600') });
});
