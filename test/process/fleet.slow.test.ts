// Two accounts of one configuration file and one database: seen and steered as one, within limits that both share.
import { afterEach, expect } from '@jest/globals';
import { z } from 'zod';
import { calendarOf, yearOfDay } from '../../src/bot/books/local-time.ts';
import { loadSettings } from '../../src/bot/settings/settings.ts';
import { type Decimal, ZERO } from '../../src/domain/decimal.ts';
import { type Changes, endProjects, LIVELY, type Project, signalGroup, until } from './bot-process.ts';
import { newFleet } from './fleet-kit.ts';
import { clusterForTests } from './postgres.ts';
import type { Program } from './start-program.ts';

const { withServer, cluster } = clusterForTests('a fleet');

afterEach(endProjects);

const NAMES = ['alice', 'bob'] as const;
const YEAR = yearOfDay(calendarOf('Asia/Kolkata').dayOf(Date.now()), { month: 4, day: 1 });

const fleetOf = async (changes: Changes = {}): Promise<Project> => (await newFleet(cluster(), changes)).project;

const start = (project: Project, name: string): Program => project.start(['run', `${project.config}#${name}`]);

interface Seen {
  readonly accounts: readonly {
    readonly account: string;
    readonly trouble: string | null;
    readonly processes: readonly {
      readonly role: string;
      readonly status: { readonly word: string; readonly symbols: readonly Record<'state' | 'inventory', string>[] };
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
  // Of one account, where it is named behind the file.
  const one = await project.ask('fleet', 'pause', `${project.file}#bob`, '--reason', 'one of them');
  expect(one).toMatchObject({ code: 0, out: expect.stringMatching(/^bob \(bot at .*\n$/) });
  await until('bob alone rests', async () => /^alice Quoting,Quoting; bob (?!.*Quoting)/.test(await states(project)));
  expect((await fleet(project, 'stop')).code).toBe(0);
  expect((await Promise.all(bots.map(({ ended }) => ended))).map(({ code }) => code)).toEqual([0, 0]);
  const { accounts } = await seen(project);
  expect(accounts.map(({ trouble }) => trouble)).toEqual(Array(2).fill('No bot has the account: nothing is quoted.'));
  await expectBooksOfAll(project);
});

/** Of all accounts in one output, where it can be joined. */
async function expectBooksOfAll(project: Project): Promise<void> {
  const table = await project.ask('export', 'flows', project.file);
  const [head = '', ...rows] = table.out.trim().split('\n');
  expect({ code: table.code, head }).toEqual({ code: 0, head: expect.stringMatching(/^account,\w+,/) });
  // Both have their opening balances.
  expect([...new Set(rows.map((row) => row.split(',')[0]))]).toEqual(['alice', 'bob']);
  for (const args of [
    ['report', 'day'],
    ['statement', project.file, '--year', YEAR, '--format', 'json'],
  ]) {
    const { code, out } = await project.ask(...(args.length > 2 ? args : [...args, project.file, '--json']));
    expect({ args, code, names: Object.keys(JSON.parse(out)) }).toEqual({ args, code: 0, names: ['alice', 'bob'] });
  }
  const text = await project.ask('statement', project.file, '--year', YEAR);
  expect(text.out).toMatch(/^alice\n.*\nbob\n/s);
  expect((await project.ask('check', project.file, '--offline')).out).toMatch(/^alice\n.*\nbob\n/s);
  const lots = await project.ask('export', 'ledger', project.file, '--format', 'beancount');
  expect(lots).toMatchObject({ code: 64, err: expect.stringContaining('#alice') });
}

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

const truthSchema = z.object({
  accounts: z.array(
    z.object({
      balances: z.record(z.string(), z.object({ free: z.string(), locked: z.string() })),
      orders: z.array(z.looseObject({ symbol: z.string(), side: z.string(), remainingQty: z.string() })),
    }),
  ),
});

/** What an account holds of BTC by its exchange, and would with every bid filled. */
async function mostOf(project: Project, name: string): Promise<number> {
  const { venue } = await loadSettings([`${project.file}#${name}`]);
  const { accounts } = truthSchema.parse(await (await fetch(`${venue.baseUrl}/paper/truth`)).json());
  const [own] = accounts;
  const bids = (own?.orders ?? []).filter(({ symbol, side }) => symbol === 'BTC/INR' && side === 'BUY');
  const parts = [own?.balances.BTC?.free, own?.balances.BTC?.locked, ...bids.map((bid) => bid.remainingQty)];
  return parts.reduce((sum, each) => sum + Number(each), 0);
}

withServer('accounts that trade never come to hold more together than they may, and use what there is', async () => {
  // Both begin with 0.5 BTC, and bids for 0.023 where it may: together they may for 0.03.
  const project = await fleetOf({ ...LIVELY, fleet: { maxBase: { BTC: 1.03 } } });
  const bots = NAMES.map((name) => start(project, name));
  await until('both quote', async () => /alice Quoting.*; bob Quoting/.test(await states(project)));
  let most = 0;
  for (let looks = 0; looks < 60; looks += 1) {
    const held = await Promise.all(NAMES.map((name) => mostOf(project, name)));
    most = Math.max(
      most,
      held.reduce((sum, each) => sum + each, 0),
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(most).toBeLessThanOrEqual(1.03 + 1e-9);
  expect(most).toBeGreaterThan(1.01);
  expect((await fleet(project, 'stop')).code).toBe(0);
  await Promise.all(bots.map(({ ended }) => ended));
  // A bot that has stopped keeps what it holds, and nothing to buy with.
  const { accounts, shares } = await seen(project);
  const held = accounts.map(({ processes }) => processes[0]?.status.symbols[0]?.inventory.split(' ')[0] ?? '');
  expect(shares['base BTC']).toBe(held.reduce<Decimal>((sum, each) => sum.add(each), ZERO).toFixed());
});

withServer('public requests of an address are reserved before a start, and a refused one keeps none', async () => {
  const project = await fleetOf({ fleet: { requestsPerSecond: 50 } });
  const alice = start(project, 'alice');
  await until('alice quotes', async () => (await states(project)).startsWith('alice Quoting'));
  const bob = await start(project, 'bob').ended;
  expect(bob.code).toBe(69);
  expect(bob.err).toContain('30 a second are wanted, 20 of 50 are left (fleet.requestsPerSecond)');
  const reserved = () => seen(project).then(({ shares }) => Object.values(shares));
  expect(await reserved()).toEqual(['30']);
  alice.signal('SIGTERM');
  expect((await alice.ended).code).toBe(0);
  expect(await reserved()).toEqual([]);
});
