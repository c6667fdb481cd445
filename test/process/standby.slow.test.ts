// Two hosts of one account, journal in PostgreSQL: the standby takes over from a host that died, was suspended or was
// stopped, and from none that a person has latched.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterEach, expect } from '@jest/globals';
import { postgresPlace } from '../../src/bot/postgres/journal-of.ts';
import { readPostgresJournal } from '../../src/bot/postgres/postgres-journal.ts';
import { takeoverBound } from '../../src/bot/run/standby.ts';
import { loadSettings } from '../../src/bot/settings/settings.ts';
import { invariant } from '../../src/domain/invariant.ts';
import { amountText } from '../../src/ledger/amount.ts';
import { expectedTotal } from '../../src/ledger/ledger.ts';
import { readTraderJournal } from '../../src/loop/trader-journal.ts';
import { realClock } from '../../src/ports/clock.ts';
import {
  type Changes,
  endProjects,
  expectStop,
  LIVELY,
  newProject,
  type Project,
  STILL,
  signalGroup,
  until,
} from './bot-process.ts';
import { clusterForTests } from './postgres.ts';
import type { Program } from './start-program.ts';

const { withServer, cluster } = clusterForTests('takeover by a standby');

afterEach(endProjects);

const LEASE_MS = 6_000;
const SHARED: Changes = {
  ...{ 'journal.kind': 'postgres', 'journal.url.file': 'database-url', 'journal.account': 'main' },
  ...{ 'journal.waitMs': 1_000, 'journal.leaseMs': LEASE_MS },
};

/** Two folders, on one exchange and one database; the exchange runs. */
async function twoHosts(market: Changes): Promise<readonly [Project, Project]> {
  const url = cluster().url(cluster().newDatabase());
  const first = await newProject({ ...SHARED, ...market });
  writeFileSync(path.join(first.folder, 'database-url'), `${url}\n`, { mode: 0o600 });
  await first.exchange();
  return [first, await hostBeside(first, market)];
}

async function hostBeside(first: Project, market: Changes): Promise<Project> {
  const other = await newProject({ ...SHARED, ...market, 'paper.port': first.exchangePort });
  mkdirSync(other.stateFolder, { recursive: true, mode: 0o700 });
  for (const [from, to] of [
    [path.join(first.stateFolder, 'paper-keys'), path.join(other.stateFolder, 'paper-keys')],
    [path.join(first.folder, 'database-url'), path.join(other.folder, 'database-url')],
  ] as const)
    copyFileSync(from, to);
  return other;
}

const standby = (project: Project): Program => project.start(['run', project.config, '--standby']);

async function waitingStandby(project: Project): Promise<Program> {
  const program = standby(project);
  await until('the standby waits', () => program.err().includes('has it.'));
  return program;
}

const settingsOf = (project: Project) => loadSettings([project.file]);

/** Both by the account's journal and by the exchange. */
async function expectWhole(project: Project, exchange: Project): Promise<void> {
  const settings = await settingsOf(project);
  invariant(settings.journal !== null, 'The journal is no database.');
  const storage = readPostgresJournal(postgresPlace(settings.journal, {}), realClock);
  const read = readTraderJournal(storage, realClock);
  storage.close();
  if (!read.ok) throw read.error;
  const { orders, totals } = await exchange.truth();
  expect(orders).toEqual([]);
  const { ledger } = read.value.books;
  expect(
    Object.fromEntries(['INR', 'BTC', 'ETH'].map((asset) => [asset, amountText(expectedTotal(ledger, asset))])),
  ).toEqual(totals);
}

withServer(
  'a host that is killed is replaced within the bound; the next one takes over at once from a stop',
  async () => {
    const [first, second] = await twoHosts(LIVELY);
    const settings = await settingsOf(second);
    invariant(settings.journal !== null, 'The journal is no database.');
    const bound = takeoverBound(settings, settings.journal);
    const active = standby(first);
    await first.ready(active);
    const waiting = await waitingStandby(second);
    expect(waiting.err()).toContain(`quotes again within ${Math.ceil(bound.quotesMs / 1_000)} s`);
    await first.quotes();
    signalGroup(active.pid, 'SIGKILL');
    const from = performance.now();
    await second.ready(waiting);
    await until('quotes', async () => (await second.status()).trader.symbols.some(({ state }) => state === 'quoting'));
    const takenMs = performance.now() - from;
    process.stdout.write(`Kill to quotes of the standby: ${takenMs.toFixed(0)} ms (bound ${bound.quotesMs} ms).\n`);
    expect(takenMs).toBeLessThan(bound.quotesMs);
    expect(takenMs).toBeGreaterThan(LEASE_MS / 2);
    expect(waiting.out()).toMatch(/"op":"standby".*This standby has taken over/);

    const again = await waitingStandby(first);
    await expectStop(waiting);
    await first.ready(again);
    expect(again.out()).not.toContain('has taken over');
    await first.quotes();
    await expectStop(again);
    await expectWhole(first, first);
  },
);

withServer(
  'a host that slept through its lease writes nothing more, and spares what the other has placed',
  async () => {
    const [first, second] = await twoHosts(STILL);
    const slept = standby(first);
    await first.ready(slept);
    const waiting = await waitingStandby(second);
    signalGroup(slept.pid, 'SIGSTOP');
    await second.ready(waiting);
    await first.quotes();
    const orders = await first.orderIds();
    signalGroup(slept.pid, 'SIGCONT');
    const ended = await slept.ended;
    expect(ended).toMatchObject({
      code: 74,
      out: expect.stringMatching(/Another instance has taken over the journal/),
    });
    expect(await first.orderIds()).toEqual(orders);
    await expectStop(waiting);
    await expectWhole(second, first);
  },
);

withServer('a latch on one host keeps the other from quoting, until a person takes it off', async () => {
  const [first, second] = await twoHosts(LIVELY);
  const active = standby(first);
  await first.ready(active);
  const waiting = await waitingStandby(second);
  await second.command('cancel-all');
  expect(await active.ended).toMatchObject({ code: 77 });
  await until('the latch is told', () => waiting.err().includes('Its kill latch is set until `rearm`'));
  await new Promise((resolve) => setTimeout(resolve, LEASE_MS));
  expect((await first.truth()).orders).toEqual([]);
  expect((await second.command('rearm', '--yes')).code).toBe(0);
  await second.ready(waiting);
  await expectStop(waiting);
  await expectWhole(second, first);
});

withServer(
  'a watchdog of another host waits for the standby; without one it latches the account and proves it flat',
  async () => {
    const [first, second] = await twoHosts(LIVELY);
    const third = await hostBeside(first, LIVELY);
    const active = standby(first);
    await first.ready(active);
    const watchdog = third.start(['watchdog', third.config, '--account']);
    await watchdog.said('"op":"started"');
    const waiting = await waitingStandby(second);
    signalGroup(active.pid, 'SIGKILL');
    await second.ready(waiting);
    await first.quotes();
    expect(watchdog.out()).not.toContain('lease-expired');
    signalGroup(waiting.pid, 'SIGKILL');
    const ended = await watchdog.ended;
    expect(ended).toMatchObject({ code: 77, out: expect.stringMatching(/"op":"flat".*proved by two complete lists/) });
    expect((await first.truth()).orders).toEqual([]);
    const refused = await first.command('run');
    expect(refused).toMatchObject({ code: 77, err: expect.stringContaining('has not renewed its lease') });
    expect(await third.command('rearm', '--yes')).toMatchObject({
      code: 0,
      out: expect.stringContaining('no standby'),
    });
    const again = first.bot();
    await first.ready(again);
    await expectStop(again);
    await expectWhole(first, first);
  },
);

withServer('a bot that ends soon after each start keeps no watchdog of another host waiting', async () => {
  const [first, other] = await twoHosts(LIVELY);
  const watchdog = other.start(['watchdog', other.config, '--account']);
  await watchdog.said('"op":"started"');
  const lost = first.bot();
  await first.ready(lost);
  await first.quotes();
  signalGroup(lost.pid, 'SIGKILL');
  await lost.ended;
  const taken = createServer().listen(first.pagePort, '127.0.0.1');
  let isOver = false;
  void watchdog.ended.finally(() => {
    isOver = true;
  });
  const codes: (number | null)[] = [];
  // As systemd and pm2 do it.
  while (!isOver && codes.at(-1) !== 77) {
    codes.push((await first.bot().ended).code);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  expect(new Set(codes)).toEqual(new Set([69, 77]));
  const latch = /has ended soon after each start, for \d+ s/;
  expect(await watchdog.ended).toMatchObject({ code: 77, out: expect.stringMatching(latch) });
  expect((await first.truth()).orders).toEqual([]);
  taken.close();
});
