// Somebody who only looks whether the state folder is held (watchdog, `cancel-all`) keeps nobody from taking it.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { takeStateFolder } from '../../src/bot/state-folder/state-folder.ts';
import { newFolder, removeFolders } from './journal-processes.ts';
import { PROJECT_ROOT } from './start-program.ts';

afterAll(removeFolders);

test('a folder that is free is taken, also while others look', async () => {
  const folder = newFolder();
  takeStateFolder(folder).close();
  const module = pathToFileURL(path.join(PROJECT_ROOT, 'src/bot/state-folder/state-folder.ts')).href;
  const code = `import { writeSync } from 'node:fs'; const { isFolderHeld } = await import('${module}');
    for (;;) { isFolderHeld('${folder}'); writeSync(1, '.'); await new Promise((go) => setTimeout(go, 5)); }`;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', code];
  const looker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let looks = 0;
  looker.stdout.on('data', (dots: Buffer) => {
    looks += dots.length;
  });
  const until = async (count: number): Promise<void> => {
    while (looks < count) await new Promise((go) => setTimeout(go, 3));
  };
  try {
    await until(1);
    const refused: string[] = [];
    for (let n = 0; n < 150; n += 1) {
      try {
        takeStateFolder(folder).close();
      } catch (error) {
        // A looker that the system stops while it looks holds its lock for longer than anybody waits.
        refused.push((error as Error).message);
        await until(looks + 2);
      }
      await new Promise((go) => setTimeout(go, 3));
    }
    // One in six would be, if nobody waited.
    expect(refused.slice(3)).toEqual([]);
  } finally {
    looker.kill('SIGKILL');
  }
});
