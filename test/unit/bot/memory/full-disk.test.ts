// The memory on a disk that takes nothing for a while.
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { putAside } from '../../../../src/bot/memory/memory-file.ts';
import { asidePath, memoryPath } from '../../../../src/bot/memory/memory-schema.ts';
import { readMemory } from '../../../../src/bot/memory/read-memory.ts';
import { AT, batch, open, stateFolder } from './memory-kit.ts';

const THREAD = path.resolve(import.meta.dirname, '../../../../src/bot/memory/memory-thread.ts');
const counted = (a: string, n: number) =>
  batch({ counts: [{ symbol: null, level: 'day', at: AT, kind: 'request', a, b: '', c: '', n }] });

/** What was counted before the disk was full. */
function remembered(file: string): number | undefined {
  const reader = readMemory(file);
  const found = reader?.counts({ from: 0, to: AT + 1 }).find(({ a }) => a === 'before')?.n;
  reader?.close();
  return found;
}

test('a disk that is full for a while loses nothing of what the memory had', () => {
  const { file, memory, folder } = open();
  memory.write(counted('before', 7));
  memory.close();
  const program = path.join(folder, 'child.mjs');
  writeFileSync(
    program,
    `import { startMemoryThread } from ${JSON.stringify(THREAD)};
    const thread = startMemoryThread({ file: ${JSON.stringify(file)}, maxBytes: 2 ** 24 });
    const batch = ${JSON.stringify(counted('meanwhile', 1))};
    // As a bot does it, ten seconds apart.
    for (let n = 0; n < 2; n += 1) console.log(JSON.stringify(await thread.do({ kind: 'write', batch })));
    await thread.close(null, 1000);`,
  );
  // No file may grow: what a full disk does, for this process alone.
  const full = ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, program];
  const { stdout } = spawnSync('sh', full, { encoding: 'utf8' });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers).toEqual(Array(2).fill({ kind: 'failed', why: expect.not.stringContaining('thread'), again: true }));
  expect(remembered(file)).toBe(7);
  expect(existsSync(asidePath(file))).toBe(false);
});

test('an empty file takes the place of none that was put aside', () => {
  const file = memoryPath(stateFolder());
  writeFileSync(asidePath(file), 'of before');
  writeFileSync(file, '');
  putAside(file);
  expect([existsSync(file), existsSync(asidePath(file))]).toEqual([false, true]);
});
