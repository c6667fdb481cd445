// `cancel-all` on a disk that takes nothing any more, which may be what the bot died of: its orders rest, and nobody
// else takes them away.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { endProjects, newProject } from './bot-process.ts';
import { QUOTEKEEPER } from './start-program.ts';

afterEach(endProjects);

test('takes the orders of a bot that is dead off the exchange although the kill latch cannot be written', async () => {
  const project = await newProject();
  const bot = await project.readyBot();
  await project.quotes();
  bot.signal('SIGKILL');
  await bot.ended;
  const script = 'ulimit -f 0; exec "$@"';
  const { code, out, err } = await project.start(['-c', script, 'sh', QUOTEKEEPER, 'cancel-all', project.config], {
    executable: 'sh',
  }).ended;
  expect(existsSync(path.join(project.stateFolder, 'kill-latch.json'))).toBe(false);
  expect({ open: (await project.truth()).orders.length, code, said: out + err }).toEqual({
    open: 0,
    code: 75,
    said: expect.any(String),
  });
  expect(err).toContain('Without it a live bot is not told to stop');
  expect(out).toContain('No order of the bot is open');
  expect(out.trimEnd().split('\n').at(-1)).toMatch(
    /^Flat, but the kill latch is not set: .* Make room on the disk, then press again\.$/,
  );
});
