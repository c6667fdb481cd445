// Journals in the databases of a test's cluster, and chains of records to put into them.
import { Worker } from 'node:worker_threads';
import { databaseAddress } from '../../src/bot/postgres/database-address.ts';
import type { PostgresPlace } from '../../src/bot/postgres/postgres-place.ts';
import type { BotJournal } from '../../src/bot/state-folder/bot-journal.ts';
import { Secret } from '../../src/client/wire/secret.ts';
import { GENESIS, type Head, headAt, nextRecord } from '../../src/journal/chain.ts';
import type { JournalRecord } from '../../src/ports/journal-storage.ts';

export const placeAt = (url: string, waitMs = 5_000): PostgresPlace => ({
  ...{ address: databaseAddress(new Secret(url)), account: 'main', waitMs, leaseMs: 30_000 },
});

/** Every seventh is a fill. */
export function chainAfter(head: Head, count: number, epoch = head.epoch): JournalRecord[] {
  const records: JournalRecord[] = [];
  for (let n = 1; n <= count; n += 1) {
    const type = n % 7 === 0 ? 'fill' : 'intent';
    const event = { type, payload: { n, text: '₹ \0 " \\ \ud800' } };
    const record = nextRecord(head, { epoch, wall: 1_700_000_000_000 + n, mono: n }, event);
    records.push(record);
    head = headAt(record);
  }
  return records;
}

export const chainFor = (journal: BotJournal, count = 1): JournalRecord[] => {
  const last = [...journal.read()].at(-1);
  return chainAfter(last ? headAt(last) : GENESIS, count, journal.epoch?.() ?? 1);
};

export interface CuttingProxy {
  readonly port: number;
  /** How to cut the next append: its request passes, or it does not. */
  cut(when: 'before' | 'after'): void;
  cuts(): number;
  end(): Promise<unknown>;
}

/** Before the server at this port. `instead`: its first word is read as the second, of the same length. */
export function startCuttingProxy(target: number, instead: readonly [string, string] = ['', '']): CuttingProxy {
  const told = new Int32Array(new SharedArrayBuffer(12));
  const worker = new Worker(new URL('./cutting-proxy-worker.ts', import.meta.url), {
    workerData: { target, told, instead },
  });
  Atomics.wait(told, 0, 0);
  return {
    port: Atomics.load(told, 0),
    cut: (when) => void Atomics.store(told, 1, when === 'before' ? 1 : 2),
    cuts: () => Atomics.load(told, 2),
    end: () => worker.terminate(),
  };
}
