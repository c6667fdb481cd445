// The thread that keeps the memory's file: what a disk costs is never paid by the bot's own thread.
import { parentPort, workerData } from 'node:worker_threads';
import { invariant } from '../../domain/invariant.ts';
import { type MemoryFile, memoryTrouble, openMemory, putAside } from './memory-file.ts';
import type { FromMemory, ToMemory, WorkerSettings } from './memory-messages.ts';
import { isBusy } from './memory-schema.ts';
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

/** What fails with a file that is there succeeds with a new one, or the disk is at fault. */
function attempt(at: number, work: (memory: MemoryFile) => void): FromMemory {
  try {
    return done(at, work);
  } catch (error) {
    if (isBusy(error)) return { kind: 'busy' };
    try {
      shut();
      putAside(file);
      aside = memoryTrouble(error);
      return done(at, work);
    } catch (again) {
      shut();
      return { kind: 'failed', why: memoryTrouble(again) };
    }
  }
}

function done(at: number, work: (memory: MemoryFile) => void): FromMemory {
  kept ??= openMemory(file, {
    ...{ at, maxBytes },
    putAside: (why) => {
      aside = why;
    },
  });
  work(kept);
  const answer = { kind: 'written', putAside: aside, lacksPast: kept.rebuiltAt() === null } as const;
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
