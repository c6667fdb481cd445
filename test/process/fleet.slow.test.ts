// Two accounts of one configuration file and one database: seen and steered as one, within limits that both share.
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Cluster } from '../../bench/postgres-cluster.ts';
import { type Changes, endProjects, type Project, signalGroup, until } from './bot-process.ts';
import { newFleet } from './fleet-kit.ts';
import { findPostgres, newCluster } from './postgres.ts';
import type { Program } from './start-program.ts';

const bin = findPostgres('a fleet');
const withServer = bin === null ? test.skip : test;

let cluster: Cluster;
beforeAll(async () => {
  if (bin !== null) cluster = await newCluster(bin);
});
afterEach(endProjects);
afterAll(() => {
  if (bin !== null) cluster.end();
});

const NAMES = ['alice', 'bob'] as const;

const fleetOf = async (changes: Changes = {}): Promise<Project> => (await newFleet(cluster, changes)).project;

const start = (project: Project, name: string): Program => project.start(['run', `${project.config}#${name}`]);

interface Seen {
  readonly accounts: readonly {
    readonly account: string;
    readonly trouble: string | null;
    readonly processes: readonly {
      readonly role: string;
      readonly status: { readonly word: string; readonly symbols: readonly { readonly state: string }[] };
    }[];
  }[];
  readonly shares: Readonly<Record<string, string>>;
}

async function seen(project: Project): Promise<Seen> {
  const { code, out, err } = await project.ask('fleet', 'status', project.file, '--json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
}

const states = async (project: Project): Promise<string> =>
  (await seen(project)).accounts
    .map(({ account, processes }) => `${account} ${processes[0]?.status.symbols.map(({ state }) => state)}`)
    .join('; ');

const fleet = (project: Project, ...args: readonly string[]) => {
  const [command = '', ...rest] = args;
  return project.ask('fleet', command, project.file, ...rest);
};

withServer('every account of the file quotes, pauses, resumes and stops by one command', async () => {
  const project = await fleetOf();
  const bots = NAMES.map((name) => start(project, name));
  const quoting = () =>
    until('both quote', async () => /^alice Quoting,Quoting; bob Quoting,Quoting$/.test(await states(project)));
  await quoting();
  const paused = await fleet(project, 'pause', '--reason', 'a look at the fees');
  expect({ code: paused.code, err: paused.err }).toEqual({ code: 0, err: '' });
  expect(paused.out).toMatch(/^alice \(bot at .*\): Locked until it is removed.*\nbob \(bot at .*\): Locked/);
  await until('both rest', async () => !(await states(project)).includes('Quoting'));
  expect((await fleet(project, 'resume')).code).toBe(0);
  await quoting();
  expect((await fleet(project, 'stop')).code).toBe(0);
  expect((await Promise.all(bots.map(({ ended }) => ended))).map(({ code }) => code)).toEqual([0, 0]);
  const { accounts } = await seen(project);
  expect(accounts.map(({ trouble }) => trouble)).toEqual(Array(2).fill('No bot has the account: nothing is quoted.'));
});

withServer('cancel-all names the bot that does not answer, and nobody quotes afterward', async () => {
  const project = await fleetOf();
  const [alice, bob] = NAMES.map((name) => start(project, name));
  await until('both quote', async () => /^alice Quoting,Quoting; bob Quoting,Quoting$/.test(await states(project)));
  signalGroup(bob?.pid ?? 0, 'SIGSTOP');
  const { code, out, err } = await fleet(project, 'cancel-all', '--yes');
  expect(code).toBe(69);
  expect(out).toMatch(/^alice \(bot at .*\): The kill latch is set/m);
  expect(`${out}${err}`).toMatch(/^bob.*(no answer within|no bot was asked)/m);
  expect((await alice?.ended)?.code).toBe(77);
  signalGroup(bob?.pid ?? 0, 'SIGCONT');
  expect([74, 77]).toContain((await bob?.ended)?.code);
  expect((await start(project, 'bob').ended).code).toBe(77);
});

withServer('what all accounts may hold is reserved before it is quoted, and requests before a start', async () => {
  // Both begin with 0.5 BTC: a tenth is left for purchases.
  const project = await fleetOf({ fleet: { maxBase: { BTC: 1.1 }, requestsPerSecond: 50 } });
  const alice = start(project, 'alice');
  await until('alice quotes', async () => (await states(project)).startsWith('alice Quoting'));
  const bob = await start(project, 'bob').ended;
  expect(bob.code).toBe(69);
  expect(bob.err).toContain('30 a second are wanted, 20 of 50 are left (fleet.requestsPerSecond)');
  const { shares } = await seen(project);
  expect(Number(shares['base BTC'])).toBeGreaterThan(0.5);
  expect(Number(shares['base BTC'])).toBeLessThanOrEqual(1.1);
  alice.signal('SIGTERM');
  expect((await alice.ended).code).toBe(0);
});
