// One schedule: two hosts of one account and a watchdog, faults as drawn, then calm until one quotes, then a stop.
import { cpSync, existsSync, lstatSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { holderOf, postgresPlace } from '../../src/bot/postgres/journal-of.ts';
import { type Reader, readPostgresJournal } from '../../src/bot/postgres/postgres-journal.ts';
import { takeoverBound } from '../../src/bot/run/standby.ts';
import { loadSettings } from '../../src/bot/settings/settings.ts';
import { invariant } from '../../src/domain/invariant.ts';
import { amountText } from '../../src/ledger/amount.ts';
import { expectedTotal } from '../../src/ledger/ledger.ts';
import { readTraderJournal } from '../../src/loop/trader-journal.ts';
import { realClock } from '../../src/ports/clock.ts';
import { endProjects, newProject, type Project, until } from '../process/bot-process.ts';
import { endProxies } from '../process/recording-proxy.ts';
import type { Database } from './database.ts';
import { FLEET, Host } from './host.ts';
import { type Accepted, judge, keyOf, type Struck, type Takeover } from './judge.ts';
import { type LeaseWitness, watchLease } from './lease-witness.ts';
import type { Link } from './link.ts';
import { type Fault, faultsOf, faultText, type HostName } from './plan.ts';

const CREATE = '/api/v1/spot/order/create';
const START_WITHIN_MS = 120_000;
/** From the end of all faults; a watchdog that acts proves an empty account before anybody may re-arm. */
const QUOTES_WITHIN_MS = 120_000;
/** Where it takes longer the judge finds it. */
const TAKEOVER_WITHIN_MS = 30_000;
const READ_WITHIN_MS = 10_000;
const INTENT_WITHIN_MS = 2_000;
const STOP_WITHIN_MS = 60_000;

export interface Outcome {
  readonly faults: readonly Fault[];
  readonly takeovers: readonly Takeover[];
  /** One sentence each. */
  readonly broken: readonly string[];
  readonly creates: number;
  readonly epochs: number;
  readonly rearmed: number;
  /** Of a broken schedule. */
  readonly folder: string | null;
}

interface Fleet {
  readonly database: Database;
  /** The name of its database. */
  readonly name: string;
  readonly market: Project;
  readonly bots: readonly [Host, Host];
  readonly watchdog: Host;
  readonly lease: LeaseWitness;
}

/** Ends everything that it has started. */
export async function playSchedule(seed: number, database: Database, clockLibrary: string | null): Promise<Outcome> {
  const faults = faultsOf(seed, { fakeClock: clockLibrary !== null, smallDisk: database.isSmall });
  const market = await newProject(FLEET);
  const name = database.cluster.newDatabase();
  writeFileSync(path.join(market.folder, 'database-url'), `${database.cluster.url(name)}\n`, { mode: 0o600 });
  await market.exchange();
  const { cluster, writable } = database;
  const host = (of: HostName) => {
    const isOff = faults.some((fault) => fault.kind === 'clock' && fault.host === of);
    return Host.open(of, { market, cluster, database: name, clockLibrary: isOff ? clockLibrary : null });
  };
  const bots = [await host('A'), await host('B')] as const;
  const watchdog = await host('watchdog');
  const waiting = () => {
    for (const bot of bots) bot.look();
    return Object.fromEntries(bots.flatMap((bot) => (bot.waitsSince === null ? [] : [[bot.name, bot.waitsSince]])));
  };
  const lease = watchLease({ cluster, database: name, writable, waiting });
  const fleet = { database, name, market, bots, watchdog, lease };
  const broken: string[] = [];
  let folder: string | null = null;
  let judged: Omit<Outcome, 'faults' | 'broken' | 'folder'> = { takeovers: [], creates: 0, epochs: 0, rearmed: 0 };
  try {
    judged = await played(fleet, faults, broken);
  } catch (error) {
    broken.push(`schedule: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    lease.end();
    if (broken.length > 0) folder = keep(seed, fleet, [...faults.map(faultText), ...broken]);
    for (const each of [...bots, watchdog]) each.endLinks();
    endProxies();
    await endProjects().catch((error: Error) => broken.push(`end: ${error.message}`));
  }
  return { ...judged, faults, broken, folder };
}

async function played(fleet: Fleet, faults: readonly Fault[], broken: string[]) {
  const { bots, watchdog, lease } = fleet;
  const [first, second] = bots;
  const starting = { withinMs: START_WITHIN_MS };
  first.start();
  await until('the first host has the account', () => lease.seen.length > 0, starting);
  second.start();
  watchdog.start();
  await until('the first host places orders', () => acceptedBy(first).length > 0, starting);
  await until('the second host waits', () => second.waitsSince, starting);
  const struck = await strikeAll(fleet, faults);
  const rearmed = await heal(fleet, broken);
  const stoppedAt = Date.now();
  await stopAll(fleet, broken);
  const settings = await loadSettings([fleet.market.file]);
  invariant(settings.journal !== null, 'The journal is no database.');
  const storage = readPostgresJournal(postgresPlace({ ...settings.journal, waitMs: READ_WITHIN_MS }, {}), realClock);
  const records = [...storage.read()];
  const accepted = [...bots, watchdog].flatMap(acceptedBy).sort((one, other) => one.at - other.at);
  const verdict = judge({
    ...{ struck, accepted, records, leases: lease.seen, stoppedAt },
    hosts: new Map(bots.map(({ name, project }) => [holderOf(project.stateFolder), name])),
    bounds: takeoverBound(settings, settings.journal),
  });
  // First, since a journal that makes no sense can't be read.
  broken.push(...verdict.broken);
  broken.push(...(await finalTroubles(storage, fleet.market)));
  storage.close();
  return { takeovers: verdict.takeovers, creates: accepted.length, epochs: lease.seen.length, rearmed };
}

async function quotes({ project }: Host): Promise<boolean> {
  const { trader } = await project.status();
  return trader.symbols.some(({ state }) => state === 'quoting');
}

async function activeOf(bots: Fleet['bots']): Promise<Host | null> {
  for (const bot of bots) if (await quotes(bot).catch(() => false)) return bot;
  return null;
}

async function strikeAll(fleet: Fleet, faults: readonly Fault[]): Promise<Struck[]> {
  const strike = async (fault: Fault, before: Promise<unknown>): Promise<Struck> => {
    await (fault.afterTakeover ? takenOver : undefined);
    await Promise.all([pause(fault.atMs), before]);
    const from = Date.now();
    await carriedOut(fleet, fault);
    return { fault, from, to: Date.now() };
  };
  const second = (): boolean => acceptedBy(fleet.bots[1]).length > 0;
  const takenOver = until('a takeover', second, { withinMs: TAKEOVER_WITHIN_MS }).catch(() => undefined);
  let ofDatabase: Promise<unknown> = Promise.resolve();
  const all: Promise<Struck>[] = [];
  for (const fault of faults) {
    const isShared = !('host' in fault);
    // One at a time: a standby that is down can't be promoted.
    const done = strike(fault, isShared ? ofDatabase : Promise.resolve());
    if (isShared) ofDatabase = done;
    all.push(done);
  }
  // Also where one fails the others go on: it must not be in the next schedule.
  await Promise.allSettled(all);
  return Promise.all(all);
}

async function carriedOut({ bots, watchdog, database }: Fleet, fault: Fault): Promise<void> {
  const { forMs } = fault;
  const host = [...bots, watchdog].find(({ name }) => 'host' in fault && name === fault.host) ?? watchdog;
  switch (fault.kind) {
    case 'kill':
      host.kill(forMs);
      await pause(forMs);
      return;
    case 'suspend': {
      const { pid } = host;
      host.signal('SIGSTOP', pid);
      await pause(forMs);
      host.signal('SIGCONT', pid);
      return;
    }
    case 'cut': {
      const ways = fault.ways.map((way) => host.links[way]);
      await atIntent(fault.atIntent ? ways : [], () => ways.map((way) => way.cut()));
      await pause(forMs);
      for (const way of ways) way.mend(fault.late);
      return;
    }
    case 'clock':
      host.setClock(fault.offsetMs);
      await pause(forMs);
      host.setClock(0);
      return;
    case 'standby-stopped':
      return database.stopStandby(forMs);
    case 'standby-frozen':
      return database.freezeStandby(forMs);
    case 'promote':
      return database.promote(forMs);
    case 'failover':
      await atIntent([bots[0].links.primary, bots[1].links.primary], database.killStandby);
      return database.failover(forMs);
    case 'full-disk':
      return database.fillDisk(forMs);
  }
}

/** Acts while an intent is on one of these ways; at once without any, a little later where none is sent. */
function atIntent(ways: readonly Link[], act: () => unknown): Promise<void> {
  return new Promise((resolve) => {
    const now = (): void => {
      clearTimeout(timer);
      for (const way of ways) way.watch = null;
      act();
      resolve();
    };
    const timer = setTimeout(now, ways.length > 0 ? INTENT_WITHIN_MS : 0);
    for (const way of ways) way.watch = (sent) => sent.includes('"type":"intent"') && now();
  });
}

/** As a person does it: until all three do what they are for. Returns how often it was re-armed. */
async function heal({ bots, watchdog, lease, market }: Fleet, broken: string[]): Promise<number> {
  let rearmed = 0;
  const from = Date.now();
  const all = [...bots, watchdog];
  // A host that the latch has stopped has one of its own. Whoever latched the account proves first that it is flat.
  const latched = ({ isRunning, project }: Host): boolean =>
    !isRunning && existsSync(path.join(project.stateFolder, 'kill-latch.json'));
  const look = async (): Promise<boolean> => {
    const isLatched = lease.latch() !== null && !watchdog.isRunning;
    const held = all.filter((host) => latched(host) || (isLatched && host === watchdog));
    for (const { project } of held) await project.start(['rearm', project.file, '--yes']).ended;
    if (held.length > 0) {
      rearmed += 1;
      await pause(500);
    }
    if (lease.latch() === null) for (const each of all) each.start();
    const active = await activeOf(bots);
    const isWaiting = bots.some((bot) => bot !== active && bot.waitsSince !== null);
    // Else it may not have noticed yet that its database is another now.
    const isRenewed = (lease.seen.at(-1)?.renewedAt ?? 0) > from;
    const areRunning = active !== null && isWaiting && watchdog.hasStarted;
    return areRunning && isRenewed && (await market.orderIds()).length > 0;
  };
  const waiting = { withinMs: QUOTES_WITHIN_MS, everyMs: 500 };
  await until('all three do what they are for once all is well', look, waiting).catch(({ message }: Error) => {
    broken.push(`calm: ${message} ${all.flatMap(({ ends }) => ends.slice(-1)).join(' ')}`);
  });
  return rearmed;
}

/** The one that quotes last. */
async function stopAll({ bots, watchdog }: Fleet, broken: string[]): Promise<void> {
  const active = (await activeOf(bots)) ?? bots[0];
  const stop = async (host: Host): Promise<void> => {
    const code = await Promise.race([host.stop(), pause(STOP_WITHIN_MS, 'still runs')]);
    if (code !== 0 && code !== null) broken.push(`stop: ${host.name} was told to stop at the end: ${code}.`);
  };
  await Promise.all([...bots, watchdog].filter((host) => host !== active).map(stop));
  await stop(active);
}

function acceptedBy({ name, wire }: Host): Accepted[] {
  return wire.posted.flatMap((sent) => {
    if (sent.path !== CREATE) return [];
    const orderId = (JSON.parse(sent.answer) as { data?: { order_id?: string } }).data?.order_id;
    if (orderId === undefined) return [];
    const { symbol, action, price, quantity } = JSON.parse(sent.body) as Readonly<Record<string, string>>;
    const key = keyOf(String(symbol), String(action), [price, quantity, sent.timestamp]);
    return [{ host: name, orderId, key, at: performance.timeOrigin + sent.answeredAt }];
  });
}

/** Of the journal in the database that is writable now, beside what the exchange says. */
async function finalTroubles(storage: Reader, market: Project): Promise<readonly string[]> {
  const read = readTraderJournal(storage, realClock);
  if (!read.ok) return [`chain: ${read.error.message}`];
  const { books, orders } = read.value;
  const truth = await market.truth();
  const assets = Object.keys(truth.totals);
  const ledger = Object.fromEntries(assets.map((asset) => [asset, amountText(expectedTotal(books.ledger, asset))]));
  return [
    ...truth.orders.map(({ orderId, symbol }) => `orphan: Order ${orderId} (${symbol}) is open after the stop.`),
    ...[...orders.intents.values()].map(
      ({ intentId, state }) => `orphan: The journal says after the stop that ${intentId} is ${state}.`,
    ),
    ...assets
      .filter((asset) => ledger[asset] !== truth.totals[asset])
      .map((asset) => `ledger: It has ${ledger[asset]} ${asset}, and the wallet ${truth.totals[asset]}.`),
  ];
}

/** What a person needs to see what happened. */
function keep(seed: number, fleet: Fleet, lines: readonly string[]): string {
  const { bots, watchdog, market, lease, database } = fleet;
  const folder = mkdtempSync(path.join(tmpdir(), `fleet-seed-${seed}-`));
  const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
  const copy = (project: Project, name: string): void =>
    cpSync(project.folder, path.join(folder, name), {
      recursive: true,
      filter: (from) => !lstatSync(from).isSocket(),
    });
  copy(market, 'market');
  for (const { name, project, ends, wire } of [...bots, watchdog]) {
    copy(project, name);
    write(`${name}.txt`, [...ends, ...wire.posted.map((each) => JSON.stringify(each))].join('\n'));
  }
  write('leases.json', JSON.stringify(lease.seen, null, 1));
  write('verdict.txt', lines.join('\n'));
  try {
    const records = database.writable().query('SELECT * FROM quotekeeper.records ORDER BY seq', fleet.name);
    write('records.txt', records);
  } catch (error) {
    write('records.txt', String(error));
  }
  return folder;
}
