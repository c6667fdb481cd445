// A simulated fleet: 100 accounts of two symbols each in one process and one virtual time, their journals in a
// PostgreSQL with a synchronous standby. How many statements a second of the market they want, what one server carries
// at the same appends from 1, 10 and 100 connections, and the memory of both. Needs Debian's `postgresql`.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createExchangeTransport } from '../src/backtest/exchange-transport.ts';
import { startVirtualTime, type VirtualTime } from '../src/backtest/virtual-time.ts';
import { waitingStatus } from '../src/bot/fleet/fleet-status.ts';
import { clientSettings } from '../src/bot/keys/keys.ts';
import { paperSettingsOf } from '../src/bot/paper/paper-exchange.ts';
import { databaseAddress } from '../src/bot/postgres/database-address.ts';
import { openPostgresJournal } from '../src/bot/postgres/postgres-journal.ts';
import { loadSettings } from '../src/bot/settings/settings.ts';
import type { Settings } from '../src/bot/settings/types.ts';
import { Secret } from '../src/client/wire/secret.ts';
import { randomStream, uniform } from '../src/crowd/random.ts';
import { invariant } from '../src/domain/invariant.ts';
import { SECOND } from '../src/domain/time.ts';
import { startTrading } from '../src/loop/start-trading.ts';
import { advance } from '../src/paper/engine/advance.ts';
import { createExchange } from '../src/paper/exchange.ts';
import { freePort } from './free-port.ts';
import type { BenchResult } from './measure.ts';
import { type Cluster, postgresPrograms, startCluster } from './postgres-cluster.ts';

/** Needs a server that not every machine has. */
export const onlyByName = true;

const ACCOUNTS = 100;
const MARKET_SECONDS = 120;
const START_AT = Date.UTC(2026, 0, 1);
const LATENCY = { leastMs: 5, spreadMs: 5 };
const LOAD_SECONDS = 10;

export async function run(): Promise<BenchResult> {
  const programs = postgresPrograms();
  if (programs === null) throw new Error('PostgreSQL is not installed: install the package `postgresql`.');
  const cluster = startCluster(programs, [await freePort(), await freePort()], { connections: ACCOUNTS + 20 });
  try {
    const database = cluster.newDatabase();
    const simulated = await simulate(cluster, database);
    while (Number(cluster.primary.query(`SELECT count(*) FROM pg_stat_activity WHERE datname = '${database}'`)) > 0)
      await delay(100);
    const loads = [1, 10, ACCOUNTS].map((clients) => loadOf(programs, cluster, { database, clients }));
    return { title: 'A simulated fleet', lines: [...simulated, ...loads] };
  } finally {
    cluster.end();
  }
}

const statementsSoFar = (cluster: Cluster, database: string): number =>
  Number(cluster.primary.query(`SELECT xact_commit FROM pg_stat_database WHERE datname = '${database}'`));

async function simulate(cluster: Cluster, database: string): Promise<string[]> {
  const settings = await loadSettings([path.join(import.meta.dirname, '../config/paper.yaml')]);
  const [before, from] = [process.memoryUsage().rss, performance.now()];
  const time = startVirtualTime(START_AT);
  const url = cluster.url(database, { ports: [cluster.primary.port] });
  let bots: readonly Bot[] = [];
  try {
    const all: Bot[] = [];
    for (let number = 0; number < ACCOUNTS; number += 1) all.push(await startBot(settings, time, { url, number }));
    bots = all;
    // Everything is opened and quoted; from here on it is the usual day.
    await time.run(START_AT + 30 * SECOND);
    const counted = [statementsSoFar(cluster, database), records(bots)] as const;
    await time.run(START_AT + (30 + MARKET_SECONDS) * SECOND);
    const perSecond = (statementsSoFar(cluster, database) - counted[0]) / MARKET_SECONDS;
    const appended = (records(bots) - counted[1]) / MARKET_SECONDS;
    const quoting = bots.filter(({ isQuoting }) => isQuoting()).length;
    const memory = (process.memoryUsage().rss - before) / ACCOUNTS / 2 ** 20;
    return [
      `${ACCOUNTS} accounts × ${settings.trader.runs.length} symbols, ${quoting} of them quoting, ` +
        `${MARKET_SECONDS} s of their market: ${perSecond.toFixed(0)} statements a second, ` +
        `${appended.toFixed(0)} records; ${((performance.now() - from) / 1_000).toFixed(0)} s of this machine`,
      `memory: ${memory.toFixed(1)} MiB a simulated account, exchange and connection included; ` +
        `${backendMiB(cluster).toFixed(1)} MiB a connection of the server`,
      `${bytesOfRecord(cluster, database).toFixed(0)} bytes a record, with its indexes`,
    ];
  } finally {
    time.end();
    for (const { close } of bots) close();
  }
}

const records = (bots: readonly Bot[]): number => bots.reduce((sum, bot) => sum + bot.records(), 0);

type Bot = Awaited<ReturnType<typeof startBot>>;

async function startBot(settings: Settings, time: VirtualTime, { url, number }: { url: string; number: number }) {
  const { clock, sleep } = time;
  const keys = { key: new Secret(`key-${number}`), secret: new Secret(`secret-${number}`) };
  invariant(settings.paper !== null, 'config/paper.yaml describes no exchange.');
  const { recordings: _none, ...paper } = await paperSettingsOf(settings, { ...settings.paper, seed: number }, keys);
  const network = randomStream(number, 'network');
  const exchange = createExchangeTransport({
    ...{ clock, sleep, latency: LATENCY, random: { next: () => uniform(network) } },
    exchange: createExchange({ ...paper, instanceId: `simulated-${number}` }, START_AT),
  });
  const place = {
    address: databaseAddress(new Secret(url)),
    account: `account ${number}`,
    waitMs: 5_000,
    leaseMs: 30_000,
  };
  const storage = openPostgresJournal(place, `host ${number}`, clock);
  let appended = 0;
  const append: typeof storage.append = (batch) => {
    storage.append(batch);
    appended += 1;
  };
  const trading = {
    ...{ trader: settings.trader, client: clientSettings(settings, keys), lanes: settings.lanes, resume: [] },
    ...{ program: 'bench', paperInstance: `simulated-${number}` },
  };
  const killLatch = { reason: () => null, set: () => undefined };
  const ports = { clock, random: { next: () => uniform(network) }, transport: exchange, killLatch };
  const silent = { notice: () => undefined, completed: () => undefined, fatal: () => undefined };
  const started = startTrading(trading, { ...ports, storage: { ...storage, append } }, silent);
  if (!started.ok) throw new Error(started.error);
  const { loop } = started.value;
  const status = waitingStatus('Quoting', 'x'.repeat(600));
  void (async () => {
    for (;;) {
      await sleep(SECOND);
      advance(exchange.state(), clock.now());
      // What a bot of a fleet does beside its journal.
      storage.fleet?.report('bot', status);
      storage.assertInPlace();
    }
  })();
  return {
    records: () => appended,
    isQuoting: () => loop.snapshot().symbols.every(({ verdict }) => verdict.word === 'Quoting'),
    close: () => storage.close(),
  };
}

/** Without the memory that all of them share. */
function backendMiB(cluster: Cluster): number {
  const [postmaster, ...others] = cluster.primary.pids();
  invariant(postmaster !== undefined, 'The server does not run.');
  const ofClients = others.filter((pid) =>
    /postgres: .*127\.0\.0\.1/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')),
  );
  const own = ofClients.map((pid) => {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Private_Dirty:\s+(\d+)/m.exec(text)?.[1] ?? 0);
  });
  return own.reduce((sum, each) => sum + each, 0) / Math.max(1, own.length) / 1_024;
}

function bytesOfRecord(cluster: Cluster, database: string): number {
  const sql = "SELECT pg_total_relation_size('quotekeeper.records') / count(*) FROM quotekeeper.records";
  return Number(cluster.primary.query(sql, database));
}

const LOAD = `\\set account :client_id
WITH moved AS (
  UPDATE quotekeeper.heads SET seq = seq + 1, renewed_at = clock_timestamp()
  WHERE account = 'account ' || :account AND epoch = 2 RETURNING account, seq
)
INSERT INTO quotekeeper.records
SELECT account, seq + 1000000, 2, 0, 0, 'intent', repeat('x', 250), repeat('a', 64), repeat('b', 64) FROM moved;
`;

/** The same work as an append, from so many connections at once, each of an account of its own. */
function loadOf(
  programs: string,
  cluster: Cluster,
  { database, clients }: { database: string; clients: number },
): string {
  const file = path.join(tmpdir(), `quotekeeper-load-${process.pid}.sql`);
  writeFileSync(file, LOAD);
  cluster.primary.query('UPDATE quotekeeper.heads SET epoch = 2, holder = NULL', database);
  const url = cluster.url(database, { ports: [cluster.primary.port] });
  const args = ['-n', '-c', String(clients), '-j', '2', '-T', String(LOAD_SECONDS), '-M', 'prepared', '-f', file, url];
  const said = execFileSync(path.join(programs, 'pgbench'), args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [, perSecond] = /^tps = ([\d.]+)/m.exec(said) ?? [];
  const [, latency] = /^latency average = ([\d.]+) ms/m.exec(said) ?? [];
  return `${clients} at once: ${Number(perSecond).toFixed(0)} appends a second, ${latency} ms each`;
}
