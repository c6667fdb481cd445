// Copies of a journal that another process writes as fast as it can, while its write-ahead log is begun anew time and
// again.
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { copyJournal } from '../../src/bot/state-folder/copy-journal.ts';
import { openSqliteJournal } from '../../src/bot/state-folder/sqlite-journal.ts';
import { verify } from '../../src/journal/chain.ts';
import { CHILD, newFolder, removeFolders, start } from './journal-processes.ts';

afterEach(removeFolders);

const COPIES = 15;

test('each of them is a whole chain, and not shorter than what was durable when it was begun', async () => {
  const folder = newFolder();
  const journal = path.join(folder, 'journal.sqlite');
  const writer = start(process.execPath, [CHILD, 'write', journal]);
  try {
    await writer.line('acked 500');
    let last = 0;
    const generations = new Set<string>();
    // A writer that gets no turn for a while begins no log anew.
    for (let count = 0; count < COPIES || generations.size < 2; count += 1) {
      const durable = Number(writer.lines.at(-1)?.split(' ')[1]);
      generations.add(readFileSync(`${journal}-wal`).toString('hex', 0, 32));
      const copy = path.join(folder, `copy-${count}.sqlite`);
      expect(copyJournal(journal, copy)).toBe(true);
      const opened = openSqliteJournal(copy);
      try {
        const verified = verify(opened.read());
        if (!verified.ok) throw verified.error;
        expect(verified.value.seq).toBeGreaterThanOrEqual(Math.max(durable, last));
        last = verified.value.seq;
      } finally {
        opened.close();
      }
      rmSync(copy);
      // Lets the lines of the writer come in.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(generations.size).toBeGreaterThan(1);
  } finally {
    writer.child.kill('SIGKILL');
    await writer.ended();
  }
});
