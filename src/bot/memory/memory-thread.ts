// The bot's side of the thread that keeps the memory: it never waits for it, and lives without it.
import { Worker } from 'node:worker_threads';
import type { Batch } from '../../memory/batch.ts';
import type { History, HistoryQuery } from '../../memory/history.ts';
import { MODULE_ENDING } from '../base/program.ts';

type Written = Exclude<FromMemory, { kind: 'answer' }>;

export interface MemoryThread {
  /** Whether every step is done: what comes meanwhile is better gathered. */
  isIdle(): boolean;
  /** Resolves with what came of it; never rejects. */
  do(step: Exclude<ToMemory, { kind: 'ask' | 'close' }>): Promise<Written>;
  /** Null where there is no memory to ask. */
  ask(query: HistoryQuery): Promise<History | null>;
  /** Writes a last batch; resolves when it is on the disk, or after so long. */
  close(last: Batch | null, withinMs: number): Promise<void>;
}

const GONE: Written = { kind: 'failed', why: 'its thread has ended', again: false };
/** The next step begins it once more. */
const NOT_BEGUN: Written = { kind: 'failed', why: 'its thread could not be started', again: true };
/** As many wait for an answer at the most: each holds a connection of the page. */
const MOST_QUESTIONS = 64;

/** Does not keep the process alive. */
export function startMemoryThread(settings: WorkerSettings): MemoryThread {
  let worker: Worker | null = null;
  /** Of the steps that are under way, in their order: the thread takes one after the other. */
  const steps: ((written: Written) => void)[] = [];
  const questions = new Map<number, (history: History | null) => void>();
  let asked = 0;
  const ended = (from: Worker): void => {
    if (worker !== from) return;
    worker = null;
    for (const settle of steps.splice(0)) settle(GONE);
    for (const answer of questions.values()) answer(null);
    questions.clear();
  };
  const heard = (message: FromMemory): void => {
    if (message.kind !== 'answer') return steps.shift()?.(message);
    questions.get(message.id)?.(message.history);
    questions.delete(message.id);
  };
  /** A thread that ended is begun anew with the next step. */
  const thread = (): Worker => {
    if (worker !== null) return worker;
    const fresh = new Worker(new URL(`./memory-worker${MODULE_ENDING}`, import.meta.url), {
      workerData: settings,
      // What it writes to the terminal of its own accord is a warning of the runtime: nobody is to read it.
      stdout: true,
      stderr: true,
    });
    fresh.unref();
    fresh.on('message', heard);
    fresh.on('error', () => ended(fresh));
    fresh.on('exit', () => ended(fresh));
    worker = fresh;
    return fresh;
  };
  const run: MemoryThread['do'] = (step) => {
    try {
      thread().postMessage(step);
    } catch {
      return Promise.resolve(NOT_BEGUN);
    }
    const { promise, resolve } = Promise.withResolvers<Written>();
    steps.push(resolve);
    return promise;
  };
  return {
    isIdle: () => steps.length === 0,
    do: run,
    ask(query) {
      if (worker === null || questions.size >= MOST_QUESTIONS) return Promise.resolve(null);
      const { promise, resolve } = Promise.withResolvers<History | null>();
      asked += 1;
      questions.set(asked, resolve);
      worker.postMessage({ kind: 'ask', id: asked, query } satisfies ToMemory);
      return promise;
    },
    async close(last, withinMs) {
      const open = worker;
      if (open === null) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      open.once('exit', () => resolve());
      if (last !== null) open.postMessage({ kind: 'write', batch: last } satisfies ToMemory);
      open.postMessage({ kind: 'close' } satisfies ToMemory);
      const timer = setTimeout(resolve, withinMs);
      await promise;
      clearTimeout(timer);
      if (worker === open) await open.terminate();
    },
  };
}

// What the bot's thread and that of its memory say to each other.

export interface WorkerSettings {
  readonly file: string;
  readonly maxBytes: number;
}

export type ToMemory =
  | { readonly kind: 'write'; readonly batch: Batch }
  /** Thins what grew old. */
  | { readonly kind: 'thin'; readonly now: number }
  /** All that the journal knows was written. */
  | { readonly kind: 'rebuilt'; readonly at: number }
  | { readonly kind: 'ask'; readonly id: number; readonly query: HistoryQuery }
  | { readonly kind: 'close' };

export type FromMemory =
  | {
      readonly kind: 'written';
      /** Why the file of before could not be gone on with; null where it could. */
      readonly putAside: string | null;
      /** What was before the file began is not in it yet. */
      readonly lacksPast: boolean;
    }
  /** Somebody else holds the file: the batch is to be sent again. */
  | { readonly kind: 'busy' }
  /** `again`: the disk is at fault, and the batch is to be sent again; else it is lost. */
  | { readonly kind: 'failed'; readonly why: string; readonly again: boolean }
  | { readonly kind: 'answer'; readonly id: number; readonly history: History | null };
