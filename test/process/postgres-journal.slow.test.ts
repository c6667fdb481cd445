// The journal in PostgreSQL holds what SQLite's holds, refuses what does not fit, and survives what it can.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect } from '@jest/globals';
import type { Cluster } from '../../bench/postgres-cluster.ts';
import { openAccount, openPostgresJournal, readPostgresJournal } from '../../src/bot/postgres/postgres-journal.ts';
import type { BotJournal } from '../../src/bot/state-folder/bot-journal.ts';
import { openSqliteJournal } from '../../src/bot/state-folder/sqlite-journal.ts';
import { GENESIS, verify } from '../../src/journal/chain.ts';
import { openJournal } from '../../src/journal/open-journal.ts';
import { realClock } from '../../src/ports/clock.ts';
import type { JournalRecord, JournalStorage } from '../../src/ports/journal-storage.ts';
import { newFolder, removeFolders } from './journal-processes.ts';
import { clusterForTests } from './postgres.ts';
import { chainAfter, chainFor, placeAt, startCuttingProxy } from './postgres-kit.ts';

const { withServer, cluster } = clusterForTests('the journal in PostgreSQL');

afterAll(removeFolders);

const openIn = (database: string, holder = 'host a', waitMs?: number): BotJournal =>
  openPostgresJournal(placeAt(cluster().url(database), waitMs), holder, realClock);
const failsAs = (kind: string, message: RegExp) =>
  expect.objectContaining({ name: 'JournalError', kind, message: expect.stringMatching(message) });
const seqs = (records: Iterable<JournalRecord>): number[] => [...records].map(({ seq }) => seq);

describe('as SQLite', () => {
  /** Runs a journal of 600 events with upkeep, opened twice. Returns all that its readers are given. */
  function played(open: () => BotJournal) {
    let at = 1_700_000_000_000;
    const clock = { now: () => at, monotonic: () => at };
    const upkeep = { everyMs: 160, everyRecords: 1_000_000, keepRecords: 80, stepRecords: 120 };
    const count = (state: { n: number }): { n: number } => Object.assign(state, { n: state.n + 1 });
    const stateText = { encode: ({ n }: { n: number }) => String(n), decode: (text: string) => ({ n: Number(text) }) };
    const options = { ...{ clock, upkeep, stateText, schema: 1 }, initial: () => ({ n: 0 }), reduce: count };
    const run = (storage: JournalStorage): number => {
      const opened = openJournal(storage, options);
      if (!opened.ok) throw opened.error;
      const { journal, state } = opened.value;
      const before = state.n;
      count(state);
      for (let n = 1; n <= 300; n += 1) {
        at += 1;
        for (const _ of journal.append([{ type: n % 7 === 0 ? 'fill' : 'intent', payload: { n, text: '₹ \0' } }]))
          count(state);
        const { seq } = journal.head();
        journal.tend();
        // The record of a snapshot counts too.
        if (journal.head().seq !== seq) count(state);
      }
      return before;
    };
    const folded = [open, open].map((each) => {
      const storage = each();
      const before = run(storage);
      const all = {
        ...{ before, kept: [...storage.read()], later: [...storage.read(560)], books: [...storage.books()] },
        ...{ trades: storage.trades(360, 20), snapshot: storage.snapshots.latest() },
      };
      storage.close();
      return all;
    });
    return folded;
  }

  withServer('the same records, books, trades, snapshots and folds', () => {
    const database = cluster().newDatabase();
    const file = join(newFolder(), 'journal.db');
    const ours = played(() => openIn(database));
    expect(ours).toEqual(played(() => openSqliteJournal(file)));
    expect(ours[1]).toMatchObject({ before: expect.any(Number), snapshot: { schema: 1 } });
    expect(ours[1]?.books.length).toBeGreaterThan(40);
    expect(ours[1]?.kept[0]?.seq).toBeGreaterThan(1);
    // Nothing is lost: what a start does not need stays in the table.
    const reader = readPostgresJournal(placeAt(cluster().url(database)), realClock);
    expect(verify(reader.read(0))).toMatchObject({ ok: true, value: { epoch: 2 } });
    reader.close();
  });

  withServer('takes all records of an append or none', () => {
    const database = cluster().newDatabase();
    const journal = openIn(database);
    const [first, second, third] = chainFor(journal, 3) as [JournalRecord, JournalRecord, JournalRecord];
    journal.append([first]);
    expect(() => journal.append([second, third, first])).toThrow(failsAs('damaged', /23505/));
    expect(seqs(journal.read())).toEqual([1]);
    journal.append([second, third]);
    expect(verify(journal.read())).toMatchObject({ ok: true, value: { seq: 3 } });
    journal.close();
  });

  withServer('fills an empty journal, all or nothing, and puts one aside', () => {
    const database = cluster().newDatabase();
    const journal = openIn(database);
    const records = chainAfter(GENESIS, 1_200, 5);
    const content = { books: records.slice(0, 8), snapshot: { seq: 1_000, schema: 1, text: 'state' } };
    const rows = [...records.slice(600), records[600] as JournalRecord];
    expect(() => journal.load({ ...content, records: rows })).toThrow(failsAs('damaged', /23505/));
    journal.close();
    const again = openIn(database);
    expect(seqs(again.read())).toEqual([]);
    again.load({ ...content, records: records.slice(600) });
    again.close();
    const reopened = openIn(database);
    expect([...reopened.read()]).toEqual(records.slice(600));
    expect(seqs(reopened.books())).toEqual([1, 7]);
    expect(reopened.snapshots.latest()).toEqual(content.snapshot);
    expect(reopened.epoch?.()).toBe(6);
    reopened.putAside?.('main of before');
    expect([...reopened.read(), ...reopened.books()]).toEqual([]);
    reopened.append(chainFor(reopened));
    reopened.close();
    const aside = readPostgresJournal({ ...placeAt(cluster().url(database)), account: 'main of before' }, realClock);
    expect(seqs(aside.read())).toHaveLength(600);
    aside.close();
  });
});

describe('one writer', () => {
  withServer('another holder waits for the lease to end, and then the first can write no more', () => {
    const database = cluster().newDatabase();
    const first = openIn(database);
    first.append(chainFor(first, 3));
    const forAnotherHolder = /holds the journal .*: host a\. If it is gone, the journal is free in (?:2\d|30) s\./;
    expect(() => openIn(database, 'host b')).toThrow(failsAs('locked', forAnotherHolder));
    cluster().primary.query("UPDATE quotekeeper.heads SET renewed_at = renewed_at - interval '31 s'", database);
    const second = openIn(database, 'host b');
    const intents = chainFor(first, 1);
    expect(() => first.append(intents)).toThrow(failsAs('taken', /Another instance has taken over .* opening 1\./));
    expect(() => first.snapshots.write({ seq: 3, schema: 1, text: '' })).toThrow(failsAs('taken', /taken over/));
    expect(seqs(second.read())).toEqual([1, 2, 3]);
    second.append(chainFor(second, 2));
    expect(verify(second.read())).toMatchObject({ ok: true, value: { seq: 5, epoch: 2 } });
    first.close();
    second.assertInPlace();
    second.close();
    // Orders of it may be open: nobody takes them for proved gone.
    expect(() => openIn(database, 'host c')).toThrow(failsAs('locked', /host b/));
    const again = openIn(database, 'host b');
    again.endedFlat?.();
    again.close();
    openIn(database, 'host c').close();
  });

  withServer('a start that is refused after it took the account of a lost host gives nothing back', () => {
    const database = cluster().newDatabase();
    const lost = openIn(database);
    lost.append(chainFor(lost, 3));
    cluster().primary.query("UPDATE quotekeeper.heads SET renewed_at = renewed_at - interval '31 s'", database);
    openIn(database, 'host b').close();
    const holder = cluster().primary.query('SELECT holder FROM quotekeeper.heads', database);
    expect(holder).toBe('host b');
    lost.close();
  });

  withServer('a standby takes the account of a lost host before it can open the journal', () => {
    const database = cluster().newDatabase();
    const lost = openIn(database);
    lost.append(chainFor(lost, 3));
    const [b, watchdog] = ['host b', 'watchdog'].map((name) =>
      openAccount(placeAt(cluster().url(database)), name, realClock),
    );
    b?.takeLost();
    // Nothing of that while the lease runs.
    expect(b?.look()).toMatchObject({ isFree: false, holder: 'host a' });
    cluster().primary.query("UPDATE quotekeeper.heads SET renewed_at = renewed_at - interval '31 s'", database);
    b?.takeLost();
    expect(watchdog?.look()).toMatchObject({ isFree: false, holder: 'host b' });
    expect(watchdog?.fence('too late')).toBe(false);
    expect(() => lost.append(chainFor(lost, 1))).toThrow(failsAs('taken', /taken over/));
    const opened = openIn(database, 'host b');
    expect(seqs(opened.read())).toEqual([1, 2, 3]);
    // One more start with the same state folder takes nothing from who has the account.
    b?.takeLost();
    opened.append(chainFor(opened, 1));
    for (const each of [b, watchdog, opened, lost]) each?.close();
  });

  withServer('one that lost the account between its taking and its first look can write nothing', () => {
    const database = cluster().newDatabase();
    openIn(database).close();
    const takenAtOnce = `CREATE FUNCTION quotekeeper.take() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        UPDATE quotekeeper.heads SET epoch = epoch + 1, holder = 'host b' WHERE account = NEW.account;
        RETURN NULL;
      END $$;
      CREATE TRIGGER taken AFTER UPDATE ON quotekeeper.heads FOR EACH ROW WHEN (NEW.holder = 'slow')
        EXECUTE FUNCTION quotekeeper.take()`;
    cluster().primary.query(takenAtOnce, database);
    const slow = openIn(database, 'slow');
    expect(() => slow.append(chainFor(slow))).toThrow(failsAs('taken', /taken over/));
    slow.close();
  });

  withServer('an idle one renews its lease, and is told that it has lost it', () => {
    let skipped = 0;
    const clock = { now: realClock.now, monotonic: () => realClock.monotonic() + skipped };
    const database = cluster().newDatabase();
    const first = openPostgresJournal(placeAt(cluster().url(database)), 'host a', clock);
    cluster().primary.query("UPDATE quotekeeper.heads SET renewed_at = renewed_at - interval '29 s'", database);
    skipped = 6_000;
    first.assertInPlace();
    expect(() => openIn(database, 'host b')).toThrow(failsAs('locked', /free in (?:2\d|30) s/));
    const second = openIn(database);
    skipped = 12_000;
    expect(() => first.assertInPlace()).toThrow(failsAs('taken', /taken over/));
    first.close();
    second.close();
  });
});

describe('a lost answer', () => {
  withServer.each(['before', 'after'] as const)('is settled by the head: the way was cut %s the request', (when) => {
    const database = cluster().newDatabase();
    const proxy = startCuttingProxy(cluster().primary.port);
    const url = cluster().url(database, { ports: [proxy.port] });
    const journal = openPostgresJournal(placeAt(url), 'host a', realClock);
    try {
      journal.append(chainFor(journal, 2));
      proxy.cut(when);
      journal.append(chainFor(journal, 2));
      expect(proxy.cuts()).toBe(1);
      journal.append(chainFor(journal, 1));
      expect(verify(journal.read())).toMatchObject({ ok: true, value: { seq: 5 } });
    } finally {
      journal.close();
      void proxy.end();
    }
  });

  withServer('an append survives a server that is killed and comes back in time', () => {
    const database = cluster().newDatabase();
    const journal = openIn(database, 'host a', 60_000);
    journal.append(chainFor(journal, 2));
    const next = chainFor(journal, 1);
    cluster().primary.kill();
    cluster().primary.startLater(1);
    journal.append(next);
    expect(verify(journal.read())).toMatchObject({ ok: true, value: { seq: 3 } });
    journal.close();
  });

  withServer('and fails in a bounded time where it does not; a restart goes on', () => {
    const database = cluster().newDatabase();
    const journal = openIn(database, 'host a', 4_000);
    journal.append(chainFor(journal, 2));
    const next = chainFor(journal, 1);
    cluster().primary.kill();
    const from = realClock.monotonic();
    try {
      expect(() => journal.append(next)).toThrow(failsAs('failed', /unknown what was written last/));
      expect(realClock.monotonic() - from).toBeLessThan(10_000);
      journal.close();
    } finally {
      cluster().primary.start();
    }
    const again = openIn(database, 'host a', 60_000);
    expect(verify(again.read())).toMatchObject({ ok: true, value: { seq: 2 } });
    again.close();
  });
});

describe('the standby', () => {
  withServer('a canceled wait counts as unknown until the standby has the records', () => {
    const database = cluster().newDatabase();
    const journal = openIn(database, 'host a', 60_000);
    const next = chainFor(journal, 1);
    cluster().standby.kill();
    cluster().primary.cancelWaitLater();
    cluster().standby.startLater(3);
    const from = realClock.monotonic();
    journal.append(next);
    expect(realClock.monotonic() - from).toBeGreaterThan(2_500);
    expect(seqs(journal.read())).toEqual([1]);
    journal.close();
  });

  withServer('without it an append fails, and what it wrote is read by the next start', () => {
    const database = cluster().newDatabase();
    const journal = openIn(database, 'host a', 4_000);
    const next = chainFor(journal, 1);
    cluster().standby.kill();
    cluster().primary.cancelWaitLater();
    try {
      expect(() => journal.append(next)).toThrow(failsAs('failed', /unknown what was written last/));
    } finally {
      cluster().standby.start();
    }
    journal.close();
    const again = openIn(database, 'host a', 60_000);
    expect([...again.read()]).toEqual(next);
    again.close();
  });
});

describe('bad input ends with a sentence', () => {
  const secret = 'not-the-password';
  const sentenceOf = (open: () => BotJournal): { kind?: string; message: string } => {
    try {
      open().close();
    } catch (error) {
      return error as { kind?: string; message: string };
    }
    throw new Error('It was opened.');
  };
  const openBy = (options: Parameters<Cluster['url']>[1], database = cluster().newDatabase()) =>
    sentenceOf(() => openPostgresJournal(placeAt(cluster().url(database, options), 5_000), 'host a', realClock));

  withServer('no server, wrong password, no such database, a role without rights, only a standby', () => {
    const found = [
      openBy({ ports: [1] }),
      openBy({ password: secret }),
      openBy({}, 'nowhere'),
      openBy({ user: 'stranger' }),
      openBy({ ports: [cluster().standby.port] }),
    ];
    expect(found.map(({ kind }) => kind)).toEqual(found.map(() => 'unreachable'));
    const words = found.map(({ message }) => message);
    expect(words[0]).toMatch(/must be reachable and writable\. 127\.0\.0\.1:1 can't be reached \(ECONNREFUSED\)\.$/);
    expect(words[1]).toMatch(/refuses user or password\. .* \(28P01\)\.$/);
    expect(words[2]).toMatch(/no such database\. .* \(3D000\)\.$/);
    expect(words[3]).toMatch(/the role lacks rights: .* \(42501\)\.$/);
    expect(words[4]).toMatch(/can only be read \(a standby\)/);
    for (const message of words) expect(message).not.toMatch(/not-the-password|a-password-of-tests/);
  });

  withServer(
    'hosts that say nothing, within the wait; a silent one keeps none behind it from being tried',
    async () => {
      // The kernel takes their connections while this thread sleeps.
      const silent = [createServer(), createServer()];
      for (const server of silent) await once(server.listen(0, '127.0.0.1'), 'listening');
      const [one = 0, two = 0] = silent.map((server) => (server.address() as AddressInfo).port);
      const from = realClock.monotonic();
      const { kind, message } = openBy({ ports: [one, two] });
      expect(realClock.monotonic() - from).toBeLessThan(8_000);
      expect(kind).toBe('unreachable');
      expect(message).toContain(`127.0.0.1:${one} did not answer in time; 127.0.0.1:${two} did not answer in time`);
      const database = cluster().newDatabase();
      const ports = [one, cluster().primary.port];
      openPostgresJournal(placeAt(cluster().url(database, { ports }), 5_000), 'host a', realClock).close();
      for (const server of silent) server.close();
    },
  );

  withServer.each([
    ['the tables of a newer program', 'UPDATE quotekeeper.version SET version = 99', 'newer', /Start that one/],
    ['a head that is not the last record', 'UPDATE quotekeeper.heads SET seq = 9', 'damaged', /head is record 9 /],
    ['a record too many', 'DELETE FROM quotekeeper.records WHERE seq = 3', 'damaged', /last record is 2 /],
    ['a table too few', 'DROP TABLE quotekeeper.records', 'not-a-journal', /lacks tables.*42P01/],
  ])('%s', (_, change, kind, message) => {
    const database = cluster().newDatabase();
    const journal = openIn(database);
    journal.append(chainFor(journal, 3));
    journal.close();
    cluster().primary.query(change, database);
    expect(() => openIn(database)).toThrow(failsAs(kind, message));
  });

  withServer('tables of an older program get what they lack, and keep their records', () => {
    const database = cluster().newDatabase();
    const journal = openIn(database);
    journal.append(chainFor(journal, 3));
    journal.close();
    const before = 'DROP TABLE quotekeeper.processes, quotekeeper.commands, quotekeeper.shares, quotekeeper.samples';
    cluster().primary.query(`${before}; UPDATE quotekeeper.version SET version = 1`, database);
    // A report changes nothing.
    const reader = readPostgresJournal(placeAt(cluster().url(database)), realClock);
    expect(seqs(reader.read())).toEqual([1, 2, 3]);
    reader.close();
    const again = openIn(database);
    expect(again.fleet?.report('bot', {})).toEqual([]);
    expect(seqs(again.read())).toEqual([1, 2, 3]);
    again.close();
    expect(cluster().primary.query('SELECT version FROM quotekeeper.version', database)).toBe('2');
  });

  withServer('a full disk: nothing is written, and nothing is repeated', () => {
    const database = cluster().newDatabase();
    const journal = openIn(database);
    cluster().primary.query(
      `CREATE FUNCTION fill_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         RAISE EXCEPTION USING ERRCODE = 'disk_full', MESSAGE = 'could not extend file'; END $$;
       CREATE TRIGGER fill_up BEFORE INSERT ON quotekeeper.records FOR EACH ROW EXECUTE FUNCTION fill_up()`,
      database,
    );
    expect(() => journal.append(chainFor(journal, 1))).toThrow(failsAs('full', /disk is full\. .*53100/));
    expect(seqs(journal.read())).toEqual([]);
    journal.close();
  });
});
