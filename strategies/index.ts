// Loads a strategy by the name of its file, so that a file put into this folder just works. The only part of
// strategies/ that touches the disk; it runs at start, before anything is quoted.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, ok, type Result } from '../src/domain/result.ts';
import type { Strategy } from '../src/quoting/strategy.ts';

const OWN_FILE = 'index.ts';

/**
 * `strategies/<name>.ts` exports a strategy as `strategy` or as its default. The error is a sentence: which names there
 * are, why the file can't be loaded, or what the export is missing.
 */
export async function loadStrategy(name: string, directory: string = import.meta.dirname): Promise<Result<Strategy>> {
  const names = await strategyNames(directory);
  if (!names.includes(name)) {
    const known = names.length === 0 ? 'there are none' : `there are ${names.join(', ')}`;
    return fail(`There is no strategy "${name}" in ${directory}; ${known}.`);
  }
  const loaded = await importFile(join(directory, `${name}.ts`));
  if (!loaded.ok) return fail(`The strategy "${name}" can't be loaded: ${loaded.error}`);
  const { strategy, default: standard } = loaded.value;
  const candidate = strategy ?? standard;
  if (isStrategy(candidate)) return ok(candidate);
  const missing = missingParts(candidate).join(', ');
  return fail(`The strategy "${name}" is missing ${missing}. Its file must export what defineStrategy(…) returns.`);
}

/** Names of the files of a folder that may hold a strategy, in alphabetical order; none where there is no folder. */
export async function strategyNames(directory: string = import.meta.dirname): Promise<string[]> {
  const files = await readdir(directory).catch((): string[] => []);
  const strategies = files.filter((file) => file.endsWith('.ts') && file !== OWN_FILE);
  return strategies.map((file) => file.slice(0, -'.ts'.length)).sort();
}

async function importFile(path: string): Promise<Result<Record<string, unknown>>> {
  try {
    return ok(await import(pathToFileURL(path).href));
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function isStrategy(value: unknown): value is Strategy {
  return missingParts(value).length === 0;
}

function missingParts(value: unknown): string[] {
  if (!isObject(value)) return ['an export called `strategy` or a default export'];
  const { name, params, quote } = value;
  const missing: string[] = [];
  if (typeof name !== 'string' || name === '') missing.push('`name` (text)');
  if (!isObject(params) || typeof params.safeParse !== 'function') missing.push('`params` (a zod schema)');
  if (typeof quote !== 'function') missing.push('`quote` (a function)');
  return missing;
}
