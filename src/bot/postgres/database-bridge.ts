// Makes the asynchronous client of the database synchronous: the program's thread sleeps until the worker has answered,
// since nothing may be sent to the exchange before its intent is durable.
import path from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { DurationMs } from '../../domain/time.ts';
import type { DatabaseAddress } from './database-address.ts';

export type Parameter = string | number | null;
export type Row = Readonly<Record<string, unknown>>;

export interface Asked {
  readonly id: number;
  readonly sql: string;
  /** Without parameters several statements may be given; they are one transaction. */
  readonly parameters: readonly Parameter[];
  readonly timeoutMs: DurationMs;
  /** In a transaction: fails if the connection was lost. */
  readonly sameConnection: boolean;
}

/** `lost`: no answer, or none that counts: what became of the statement is unknown. `refused`: it did nothing. */
export type Failure =
  | { readonly kind: 'lost'; readonly message: string }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

/** `warned`: the server added a warning, such as that it has not waited for its standby. `at`: the server. */
export interface Done {
  readonly kind: 'done';
  readonly rows: readonly Row[];
  readonly count: number;
  readonly warned: boolean;
  readonly at: string;
}

export type Answer = Done | Failure;

export interface Database {
  /** Returns within the time limit, connecting included, and a moment. */
  ask(
    sql: string,
    parameters?: readonly Parameter[],
    how?: Partial<Pick<Asked, 'timeoutMs' | 'sameConnection'>>,
  ): Answer;
  /** Drops the connection, whatever it is doing. */
  close(): void;
}

/** A worker that is slow to start, or has not been given the processor. */
const SLACK_MS = 2_000;

/** Connects with the first statement. `waitMs`: the time limit of one that names none. */
export function openDatabase(address: DatabaseAddress, waitMs: DurationMs): Database {
  const { port1: ours, port2: theirs } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const file = new URL(`./database-worker${path.extname(import.meta.filename)}`, import.meta.url);
  const worker = new Worker(file, { workerData: { address, waitMs, port: theirs, signal }, transferList: [theirs] });
  worker.unref();
  let lastId = 0;
  return {
    ask(sql, parameters = [], { timeoutMs = waitMs, sameConnection = false } = {}) {
      lastId += 1;
      ours.postMessage({ id: lastId, sql, parameters, timeoutMs, sameConnection } satisfies Asked);
      const longestMs = timeoutMs + SLACK_MS;
      for (;;) {
        // In this order no answer is missed: the worker sets the signal after its answer is there.
        Atomics.store(signal, 0, 0);
        const got = receiveMessageOnPort(ours)?.message as { id: number; answer: Answer } | undefined;
        // An answer to an earlier statement, for which nobody waits any more.
        if (got?.id === lastId) return got.answer;
        if (got === undefined && Atomics.wait(signal, 0, 0, longestMs) === 'timed-out')
          return { kind: 'lost', message: `the database's thread has not answered for ${longestMs} ms` };
      }
    },
    close() {
      ours.close();
      void worker.terminate();
    },
  };
}
