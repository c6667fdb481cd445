// Two accounts of one configuration file and one database, and processes that tell of themselves there.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Cluster } from '../../bench/postgres-cluster.ts';
import { openAccount, openPostgresJournal } from '../../src/bot/postgres/postgres-journal.ts';
import { realClock } from '../../src/ports/clock.ts';
import { type Changes, newProject, type Project, STILL } from './bot-process.ts';
import { freePort } from './free-port.ts';
import { placeAt } from './postgres-kit.ts';

export interface FleetProject {
  readonly project: Project;
  /** Of the database. */
  readonly url: string;
}

/** A database that is busy is not one that does not answer. */
export const PATIENT = { 'journal.waitMs': 5_000, 'journal.leaseMs': 30_000 };

/** Accounts `alice` and `bob`. */
export async function newFleet(cluster: Cluster, changes: Changes = {}): Promise<FleetProject> {
  const project = await newProject({
    ...STILL,
    ...{ state: 'state/$account', 'journal.kind': 'postgres', 'journal.url.file': 'database-url' },
    ...{ 'journal.account': '$account', 'journal.waitMs': 3_000, 'journal.leaseMs': 12_000 },
    'accounts.alice': { paper: { port: await freePort() }, web: { port: await freePort() } },
    'accounts.bob': { paper: { port: await freePort() }, web: { port: await freePort() } },
    ...changes,
  });
  const url = cluster.url(cluster.newDatabase());
  writeFileSync(path.join(project.folder, 'database-url'), `${url}\n`, { mode: 0o600 });
  return { project, url };
}

export const TOLD = {
  ...{ tone: 'good', word: 'Quoting', sentence: 'Both sides are quoted.', next: '', attentions: 0 },
  page: 'http://127.0.0.1:8801',
  symbols: [
    {
      ...{ symbol: 'BTC/INR', state: 'Quoting', inventory: '0.5 BTC', presence: 0.987 },
      ...{ profit: '1234.5 INR', dayLoss: '-20' },
    },
  ],
} as const;

/** Holds an account as a bot does, tells `status`, and answers what it is asked. */
export function heldAccount(url: string, account: string, status: object = TOLD) {
  const place = { ...placeAt(url), account };
  const journal = openPostgresJournal(place, `host-of-${account}:/srv/${account}`, realClock);
  const asked: unknown[] = [];
  const tell = (): void => {
    for (const { id, request } of journal.fleet?.report('bot', status) ?? []) {
      asked.push(request);
      journal.fleet?.answer(id, { done: [`Done by ${account}.`] });
    }
  };
  tell();
  const timer = setInterval(tell, 300);
  return {
    fleet: journal.fleet,
    /** Requests, as they came. */
    asked,
    /** It tells nothing any more. */
    hush: (): void => clearInterval(timer),
    end(): void {
      clearInterval(timer);
      journal.close();
    },
  };
}

/** Tells once of a process that does not hold the account. */
export function tellAside(url: string, account: string, role: 'standby' | 'watchdog', status: object): void {
  const aside = openAccount({ ...placeAt(url), account }, `host-b:/srv/${account}`, realClock);
  aside.fleet.report(role, status);
  aside.close();
}
