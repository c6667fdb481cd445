// A project folder with configurations for the tests of the settings: the examples of the repository, with changes.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { StartError } from '../../../src/bot/base/exit-codes.ts';
import { loadSettings, type Overrides, type Settings } from '../../../src/bot/settings/settings.ts';

const projectRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const example = (name: string): string => readFileSync(path.join(projectRoot, 'config', name), 'utf8');
export const PAPER = example('paper.yaml');
export const LIVE = example('live.example.yaml');
export const TAPE = example('tape.example.yaml');

const home = process.cwd();
let folder = '';

/** For `beforeEach`: makes the folder and changes into it, for `path.resolve`. Returns its path. */
export function enterProject(): string {
  folder = mkdtempSync(path.join(tmpdir(), 'settings-'));
  mkdirSync(path.join(folder, 'config'));
  process.chdir(folder);
  return process.cwd();
}

/** For `afterEach`. */
export function leaveProject(): void {
  process.chdir(home);
  rmSync(folder, { recursive: true, force: true });
}

/** The full path of a file of the project: a thread has no working folder of its own (docs/decisions/0052). */
export const inProject = (file: string): string => path.resolve(folder, file);

/** Returns the file's name relative to the project. */
const fromProject = (text: string): string => text.replaceAll(`${folder}/`, '');

export function write(name: string, text: string): string {
  const file = inProject(path.join('config', name));
  writeFileSync(file, text);
  return file;
}

export const load = (text: string, overrides: Overrides = {}): Promise<Settings> =>
  loadSettings([write('a.yaml', text)], overrides);

/** The lines of the refusal; fails if the configuration is accepted. */
export async function refusal(files: readonly string[], overrides: Overrides = {}): Promise<string[]> {
  const error: unknown = await loadSettings(files, overrides).then(
    () => 'accepted',
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StartError);
  if (!(error instanceof StartError)) return [];
  expect(error.code).toBe(78);
  return fromProject(error.message).split('\n');
}

/** `text` with the first occurrence of one piece replaced; the piece must be there. */
export function changed(text: string, from: string, to: string): string {
  expect(text).toContain(from);
  return text.replace(from, to);
}

/** The refusal of the paper configuration with one change, and the line of the change. */
export async function paperRefusal(from: string, to: string): Promise<{ lines: string[]; at: number }> {
  const text = changed(PAPER, from, to);
  const at = PAPER.slice(0, PAPER.indexOf(from)).split('\n').length;
  return { lines: await refusal([write('a.yaml', text)]), at };
}
