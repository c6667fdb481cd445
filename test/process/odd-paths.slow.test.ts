// Paths that lead nowhere, to a pipe, or into a file system that makes nothing: each option that takes a path ends with
// a sentence that names it, and nothing waits or tries for ever.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { parseDocument } from 'yaml';
import { runHere } from './run-here.ts';
import { endPrograms, runProgram } from './start-program.ts';

let folder: string;
const at = (name: string): string => path.join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'odd-'));
  execFileSync('mkfifo', ['-m', '600', at('pipe')]);
  writeFileSync(at('file'), '');
  mkdirSync(at('sub'));
  symlinkSync('circle', at('circle'));
  const { code } = await runHere(['init', at('config'), '--symbol', 'BTC/INR']);
  expect(code).toBe(0);
});
afterEach(endPrograms);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const BACKTEST = ['backtest', 'config/paper.yaml', '--hours', '0.001'];

/** What `init` wrote, with another state folder or log file. */
function configured(changes: { readonly state: string; readonly log?: { readonly file: string } }): string {
  const document = parseDocument(readFileSync(at('config/paper.yaml'), 'utf8'));
  for (const [name, value] of Object.entries(changes)) document.set(name, value);
  writeFileSync(at('config/odd.yaml'), document.toString());
  return at('config/odd.yaml');
}

test.each<[string, () => string, (odd: string) => readonly string[]]>([
  [
    'in /proc, the state of `check --offline`',
    () => '/proc/x/y',
    (state) => ['check', '--offline', configured({ state })],
  ],
  ['below a file, the state of `backtest`', () => at('file/x'), (odd) => [...BACKTEST, '--state', odd]],
  ['a pipe as the state of `exchange`', () => at('pipe'), (odd) => ['exchange', '--port', '0', '--state', odd]],
  ['a link to itself as the folder of `init`', () => at('circle'), (odd) => ['init', odd, '--symbol', 'BTC/INR']],
  [
    'a pipe as the log file of `check`',
    () => at('pipe'),
    (file) => ['check', '--offline', configured({ state: at('s'), log: { file } })],
  ],
])('%s ends with 73 and a sentence', async (_what, odd, args) => {
  expect(await runHere(args(odd()))).toMatchObject({ code: 73, err: expect.stringContaining(odd()) });
});

test.each(['pipe', 'circle'])('a configuration that is a %s ends with 78 and a sentence', async (odd) => {
  expect(await runHere(['check', '--offline', at(odd)])).toMatchObject({
    code: 78,
    err: expect.stringContaining(at(odd)),
  });
});

test('`run` and `watchdog` refuse a state folder that cannot be made, or that others may write', async () => {
  for (const command of ['run', 'watchdog'])
    expect(await runProgram([command, configured({ state: '/proc/x' })])).toMatchObject({
      code: 73,
      err: expect.stringContaining('The state folder /proc/x cannot be used'),
    });
  execFileSync('chmod', ['0777', at('sub')]);
  for (const command of ['run', 'watchdog', 'check'])
    expect(await runProgram([command, configured({ state: at('sub') })])).toMatchObject({
      code: 73,
      err: expect.stringContaining(`run \`chmod go-w ${at('sub')}\``),
    });
});

test('a latch that cannot be read is not called set: it says why, and nothing is quoted', async () => {
  mkdirSync(at('latched'), { mode: 0o700 });
  execFileSync('mkfifo', ['-m', '600', at('latched/kill-latch.json')]);
  const config = configured({ state: at('latched') });
  const file = at('latched/kill-latch.json');
  const why = `The kill latch ${file} is not a file. As long as it is there, it counts as set.`;
  expect(await runProgram(['run', config])).toMatchObject({ code: 77, err: `${why}\n` });
  expect((await runHere(['rearm', config])).out).toContain(why);
});
