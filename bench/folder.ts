// A folder of its own for benchmarks that write files: each run gets a fresh file, and the last one is closed outside
// of what is timed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contestant, type Measurement, measureInTurn } from './measure.ts';

export interface Folder {
  /** Closes what the last run left open, and names a file that is not there yet. */
  nextFile(): string;
  /** What the present run leaves open. */
  leave(close: () => void): void;
}

/** Measures contestants that must all return the same, in a temporary folder that is removed afterward. */
export async function measureInFolder(
  rounds: number,
  contestants: (folder: Folder) => readonly Contestant[],
): Promise<Measurement[]> {
  const path = mkdtempSync(join(tmpdir(), 'quotekeeper-bench-'));
  let files = 0;
  let close = (): void => undefined;
  const folder: Folder = {
    nextFile() {
      close();
      close = () => undefined;
      files += 1;
      return join(path, `journal-${files}.db`);
    },
    leave(opened) {
      close = opened;
    },
  };
  try {
    return await measureInTurn({ contestants: contestants(folder), rounds, sameOutput: true });
  } finally {
    close();
    rmSync(path, { recursive: true });
  }
}
