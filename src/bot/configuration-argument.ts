// The configuration files of a command line, and what stands in for them.
import path from 'node:path';
import type { Overrides, Settings } from './settings.ts';

/** The paper configuration that comes with the program, named as seen from the current folder. */
export function standardConfiguration(): string {
  const file = path.join(import.meta.dirname, '../../config/paper.yaml');
  const relative = path.relative(process.cwd(), file);
  return relative.startsWith('..') ? file : relative;
}

export const CONFIG_HELP = 'configuration files; what comes with the program when none is named (config/paper.yaml)';
export const TAPE_TRADES_HELP = 'recorded trades to play instead of those that the configuration names';
export const TAPE_BOOKS_HELP = 'recorded books to play instead of those that the configuration names';

export const LOOP_HELP = 'let the recordings begin again when they end';

/** Loads what the command line names. Throws `StartError` (78). */
export async function settingsOf(files: readonly string[], overrides: Overrides = {}): Promise<Settings> {
  // Late, so that --help and a mistyped command answer at once.
  const { loadSettings } = await import('./settings.ts');
  return loadSettings(files.length > 0 ? files : [standardConfiguration()], overrides);
}
