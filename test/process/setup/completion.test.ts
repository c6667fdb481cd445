// The completion that `quotekeeper completion` prints, in the real shells.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createCommandLine } from '../../../src/bot/command-line.ts';
import { PROJECT_ROOT } from '../start-program.ts';
import { findTool } from '../tools.ts';

const BASH = findTool('bash', 'completion in bash');
const ZSH = findTool('zsh', 'that zsh reads its completion');
const FISH = findTool('fish', 'completion in fish');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'completion-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function printed(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const said: { out: string[]; err: string[] } = { out: [], err: [] };
  const io = {
    out: (text: string) => void said.out.push(text),
    err: (text: string) => void said.err.push(text),
    isTerminal: false,
    environment: {},
  };
  const code = await createCommandLine(io).run(['completion', ...args]);
  return { code, out: said.out.join('\n'), err: said.err.join('\n') };
}

async function scriptOf(shell: string): Promise<string> {
  const file = path.join(folder, shell);
  writeFileSync(file, (await printed(shell)).out);
  return file;
}

/** Empty ones are dropped. */
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

const environment = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8' });

(BASH === null ? describe.skip : describe)('bash', () => {
  /** What the function that `complete` registered answers for these words, of which the last is being typed. */
  async function completed(...words: readonly string[]): Promise<string[]> {
    const ask = [
      'source "$1"; shift',
      '[[ $(complete -p quotekeeper) == *"-F _quotekeeper "* ]] || exit 9',
      'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _quotekeeper',
      `printf "%s\\n" "\${COMPREPLY[@]}"`,
    ].join('\n');
    const args = ['--norc', '-euo', 'pipefail', '-c', ask, 'bash', await scriptOf('bash'), 'quotekeeper', ...words];
    return linesOf(execFileSync(BASH ?? '', args, { encoding: 'utf8', cwd: PROJECT_ROOT, env: environment() }));
  }

  test.each([
    [['st'], ['status', 'stop', 'statement']],
    [['notify', ''], ['test']],
    [['notify', 'test', '--c'], ['--channel']],
    [['check', '--o'], ['--offline']],
    [['check', 'config/paper.yaml', '--o'], ['--offline']],
    [['run', 'config/pa'], ['config/paper.yaml']],
    [['--ver'], ['--version']],
    [['nothing-such', 'x-such'], []],
  ])('%j', async (words, wanted) => {
    expect(await completed(...words)).toEqual(wanted);
  });

  test('every command of --help', async () => {
    const commands = await completed('');
    expect(commands).toEqual(expect.arrayContaining(['init', 'run', 'cancel-all', 'completion']));
  });
});

(FISH === null ? test.skip : test)('fish completes commands, options and files', async () => {
  const ask = async (line: string): Promise<string[]> => {
    const args = ['--no-config', '-c', `source ${await scriptOf('fish')}; complete -C "quotekeeper ${line}"`];
    const out = execFileSync(FISH ?? '', args, { encoding: 'utf8', cwd: PROJECT_ROOT, env: environment() });
    return linesOf(out).map((each) => each.split('\t')[0] ?? '');
  };
  expect(await ask('st')).toEqual(['statement', 'status', 'stop']);
  expect(await ask('notify test --c')).toEqual(['--channel']);
  expect(await ask('run config/pap')).toEqual(['config/paper.yaml']);
});

(ZSH === null ? test.skip : test)('zsh reads it without a complaint', async () => {
  const load = 'autoload -Uz compinit; compinit -D; source "$1"; print $_comps[quotekeeper]';
  const args = ['-f', '-c', load, 'zsh', await scriptOf('zsh')];
  expect(execFileSync(ZSH ?? '', args, { encoding: 'utf8', env: environment() })).toBe('_quotekeeper\n');
});

test('another shell is refused with the names of those there are', async () => {
  const { code, err } = await printed('tcsh');
  expect([code, err]).toEqual([64, expect.stringContaining('Allowed choices are bash, zsh, fish')]);
});
