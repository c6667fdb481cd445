// The command that shows or renews the page's token, for everybody who can read the state folder.
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createCommandLine } from '../../../src/bot/command-line.ts';
import { makePageTokens } from '../../../src/bot/web/page-tokens.ts';
import { enterProject, inProject, leaveProject, load, PAPER } from './settings-project.ts';

beforeEach(() => void enterProject());
afterEach(leaveProject);

async function run(...options: readonly string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const io = { out: (text: string) => void out.push(text), err: (text: string) => void err.push(text) };
  const program = createCommandLine({ ...io, isTerminal: false, environment: {} });
  const code = await program.run(['page-token', inProject('config/a.yaml'), ...options]);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

test('prints a token and nothing else, renews it on demand, and refuses a file that others may read', async () => {
  const { stateFolder } = await load(PAPER);
  expect(await run()).toMatchObject({ code: 73, err: expect.stringContaining('page-token --renew') });
  mkdirSync(stateFolder, { recursive: true });
  makePageTokens(stateFolder);
  const file = path.join(stateFolder, 'page-token');
  const first = readFileSync(file, 'utf8').trim();
  expect(await run()).toEqual({ code: 0, out: first, err: '' });
  const other = (await run('--read')).out;
  const renewed = await run('--renew');
  expect(renewed.out).toMatch(/^[\w-]{43}$/);
  expect(new Set([first, other, renewed.out]).size).toBe(3);
  expect((await run('--read')).out).toBe(other);
  chmodSync(file, 0o640);
  expect(await run()).toMatchObject({ code: 73, out: '', err: expect.stringContaining('only you can read it') });
});
