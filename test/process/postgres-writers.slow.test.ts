// Writers that know nothing of each other: of one account, and after a failover with the old server alive.
import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { openPostgresJournal, readPostgresJournal } from '../../src/bot/postgres/postgres-journal.ts';
import { verify } from '../../src/journal/chain.ts';
import { realClock } from '../../src/ports/clock.ts';
import { clusterForTests } from './postgres.ts';
import { chainFor, placeAt } from './postgres-kit.ts';

const { withServer, cluster } = clusterForTests('several writers of a journal in PostgreSQL');
const CHILD = `${import.meta.dirname}/postgres-writers-child.ts`;

withServer('of three that race, the last one to open goes on, and no acknowledged record is lost', async () => {
  const url = cluster().url(cluster().newDatabase());
  openPostgresJournal(placeAt(url), 'host a', realClock).close();
  const run = async (delayMs: number): Promise<string[]> => {
    await wait(delayMs);
    const { stdout } = await promisify(execFile)(process.execPath, [CHILD, url, '150'], { timeout: 120_000 });
    return stdout.trim().split('\n');
  };
  const outputs = await Promise.all([run(0), run(0), run(300)]);
  expect(outputs.map((lines) => lines.at(-1)).sort()).toEqual(['all', 'taken', 'taken']);
  const reader = readPostgresJournal(placeAt(url), realClock);
  const found = new Set([...reader.read()].map(({ seq, hash }) => `${seq} ${hash}`));
  expect(verify(reader.read())).toMatchObject({ ok: true });
  reader.close();
  for (const lines of outputs) for (const acknowledged of lines.slice(0, -1)) expect(found).toContain(acknowledged);
});

// Last: the cluster has two primaries from then on.
withServer('after a promotion nothing is acknowledged by the old primary, though it is alive', () => {
  const database = cluster().newDatabase();
  const { primary, standby } = cluster();
  const old = openPostgresJournal(placeAt(cluster().url(database), 4_000), 'host a', realClock);
  old.append(chainFor(old, 2));
  const late = chainFor(old);
  standby.promote();
  expect(() => old.append(late)).toThrow(expect.objectContaining({ name: 'JournalError', kind: 'failed' }));
  // Not even after a person ended the wait: the head is there, and it is only there.
  primary.cancelWaitLater();
  expect(() => old.append(late)).toThrow(expect.objectContaining({ name: 'JournalError', kind: 'failed' }));
  const there = placeAt(cluster().url(database, { ports: [standby.port] }));
  const next = openPostgresJournal(there, 'host a', realClock);
  expect([...next.read()].map(({ seq }) => seq)).toEqual([1, 2]);
  next.append(chainFor(next));
  expect(verify(next.read())).toMatchObject({ ok: true, value: { seq: 3, epoch: 2 } });
  next.close();
  old.close();
});
