// Paths that lead nowhere, to a pipe, or into a file system that makes nothing: each option that takes a path ends with
// a sentence that names it, and nothing waits or tries for ever.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { parseDocument } from 'yaml';
import { endPrograms, runProgram } from './start-program.ts';

let folder: string;
const at = (name: string): string => path.join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'odd-'));
  execFileSync('mkfifo', ['-m', '600', at('pipe')]);
  writeFileSync(at('file'), '');
  mkdirSync(at('sub'));
  symlinkSync('circle', at('circle'));
  const { code } = await runProgram(['init', at('config'), '--symbol', 'BTC/INR']);
  expect(code).toBe(0);
});
afterEach(endPrograms);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What `init` wrote, with another state folder or log file. */
function configured(changes: { readonly state: string; readonly log?: { readonly file: string } }): string {
  const document = parseDocument(readFileSync(at('config/paper.yaml'), 'utf8'));
  for (const [name, value] of Object.entries(changes)) document.set(name, value);
  writeFileSync(at('config/odd.yaml'), document.toString());
  return at('config/odd.yaml');
}

const ODD = {
  'in /proc': () => '/proc/x/y',
  'below a file': () => at('file/x'),
  'a pipe': () => at('pipe'),
  'a link to itself': () => at('circle'),
};

describe.each(Object.entries(ODD))('%s', (_name, odd) => {
  test.each<[string, () => readonly string[]]>([
    ['state of `check --offline`', () => ['check', '--offline', configured({ state: odd() })]],
    ['state of `backtest`', () => ['backtest', at('config/paper.yaml'), '--hours', '0.001', '--state', odd()]],
    ['state of `exchange`', () => ['exchange', '--port', '0', '--state', odd()]],
    ['folder of `init`', () => ['init', odd(), '--symbol', 'BTC/INR']],
    ['log file of `check`', () => ['check', '--offline', configured({ state: at('s'), log: { file: odd() } })]],
  ])('as %s it ends with 73 and a sentence', async (_option, args) => {
    const { code, err, signal } = await runProgram(args());
    expect({ code, signal, err }).toEqual({ code: 73, signal: null, err: expect.stringContaining(odd()) });
  });

  test('as a configuration it ends with 78 and a sentence', async () => {
    const { code, err } = await runProgram(['check', '--offline', odd()]);
    expect({ code, err }).toEqual({ code: 78, err: expect.stringContaining(odd()) });
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
  expect((await runProgram(['rearm', config])).out).toContain(why);
});
