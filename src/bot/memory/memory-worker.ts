// The thread that keeps the memory's file: what a disk costs is never paid by the bot's own thread.
import { parentPort, workerData } from 'node:worker_threads';
import { invariant } from '../../domain/invariant.ts';
import { type MemoryFile, memoryTrouble, openMemory, putAside } from './memory-file.ts';
import { isBusy, isOfDisk } from './memory-schema.ts';
import type { FromMemory, ToMemory, WorkerSettings } from './memory-thread.ts';
import { type MemoryReader, readMemory } from './read-memory.ts';

invariant(parentPort !== null, 'The memory is kept by a thread of its own.');
const port = parentPort;
const { file, maxBytes } = workerData as WorkerSettings;
let kept: MemoryFile | null = null;
let reader: MemoryReader | null = null;
let aside: string | null = null;

const say = (message: FromMemory): void => port.postMessage(message);

port.on('message', (message: ToMemory) => {
  switch (message.kind) {
    case 'write':
      say(attempt(message.batch.at, (memory) => memory.write(message.batch)));
      return;
    case 'thin':
      say(attempt(message.now, (memory) => memory.thin(message.now)));
      return;
    case 'rebuilt':
      say(attempt(message.at, (memory) => memory.noteRebuilt(message.at)));
      return;
    case 'ask':
      say({ kind: 'answer', id: message.id, history: asked(message.query) });
      return;
    case 'close':
      shut();
      port.close();
  }
});

/** What fails by the file itself is done with a new one. What fails by the disk is to be tried again. */
function attempt(at: number, work: (memory: MemoryFile) => void): FromMemory {
  try {
    return done(at, work);
  } catch (error) {
    return isSpentBy(error) ? anew(error, { at, work }) : failed(error);
  }
}

function isSpentBy(error: unknown): boolean {
  try {
    return kept?.isSpentBy(error) === true;
  } catch {
    return false;
  }
}

function anew(why: unknown, { at, work }: { at: number; work: (memory: MemoryFile) => void }): FromMemory {
  try {
    shut();
    putAside(file);
    aside = memoryTrouble(why);
    return done(at, work);
  } catch (error) {
    return failed(error);
  }
}

function failed(error: unknown): FromMemory {
  if (isBusy(error)) return { kind: 'busy' };
  shut();
  return { kind: 'failed', why: memoryTrouble(error), again: isOfDisk(error) };
}

function done(at: number, work: (memory: MemoryFile) => void): FromMemory {
  kept ??= openMemory(file, {
    ...{ at, maxBytes },
    putAside: (why) => {
      aside = why;
    },
  });
  // Before the work: what was written must not be said to have failed.
  const lacksPast = kept.rebuiltAt() === null;
  work(kept);
  const answer = { kind: 'written', putAside: aside, lacksPast } as const;
  aside = null;
  return answer;
}

function asked(query: Parameters<MemoryReader['history']>[0]): ReturnType<MemoryReader['history']> | null {
  try {
    reader ??= readMemory(file);
    return reader?.history(query) ?? null;
  } catch {
    // The next write finds out what is wrong with the file; the next question opens it anew.
    closeReader();
    return null;
  }
}

function closeReader(): void {
  reader?.close();
  reader = null;
}

function shut(): void {
  closeReader();
  const open = kept;
  kept = null;
  open?.close();
}
