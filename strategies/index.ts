// Loads a strategy by its file name, so that a file in this folder, or in `strategies/` next to the user's
// configuration, just works. The only part of strategies/ that reads the disk; it runs at start, before anything is
// quoted.
import { readdir, realpath } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { extname, join, parse } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, ok, type Result } from '../src/domain/result.ts';
import type { Strategy } from '../src/quoting/strategy.ts';

const OWN_FILE = 'index';
const SHIPPED_FOLDER = import.meta.dirname;
/** `.ts` from the sources, `.js` in the package. */
const SHIPPED_ENDING = extname(import.meta.filename);
/** `.mts` and `.mjs` are modules regardless of the nearest package.json. */
const ENDINGS = ['.ts', '.mts', '.js', '.mjs'];

/**
 * `strategies/<name>.ts` exports a strategy as `strategy` or as its default; it lies in this folder, or in `folder`,
 * which may be missing. The error is a sentence: which names there are, why the file can't be loaded, or what the
 * export is missing.
 */
export async function loadStrategy(name: string, folder: string = SHIPPED_FOLDER): Promise<Result<Strategy>> {
  // A clone that is reached through a link is the same folder.
  const ownFolder = await realpath(folder).catch(() => folder);
  const shipped = await filesOf(SHIPPED_FOLDER);
  const own = ownFolder === SHIPPED_FOLDER ? [] : await filesOf(ownFolder);
  const [file, ...others] = [...own, ...shipped].filter((each) => each.name === name);
  if (file === undefined) return fail(noSuchStrategy(name, { own, shipped, ownFolder }));
  if (others.length > 0) {
    const paths = [file, ...others].map(({ path }) => path).join(' and ');
    return fail(`The name "${name}" does not say which strategy is meant: ${paths}. Rename your own file.`);
  }
  const loaded = await importFile(file.path);
  if (!loaded.ok) return fail(`The strategy "${name}" can't be loaded: ${loaded.error}`);
  const { strategy, default: standard } = loaded.value;
  const candidate = strategy ?? standard;
  if (isStrategy(candidate)) return ok(candidate);
  const missing = missingParts(candidate).join(', ');
  return fail(`The strategy "${name}" is missing ${missing}. Its file must export what defineStrategy(…) returns.`);
}

/** Names of the strategies that come with the program, in alphabetical order. */
export async function strategyNames(): Promise<string[]> {
  return (await filesOf(SHIPPED_FOLDER)).map(({ name }) => name);
}

interface StrategyFile {
  readonly name: string;
  readonly path: string;
}

/** The files that may hold a strategy, in alphabetical order; none without the folder. */
async function filesOf(folder: string): Promise<StrategyFile[]> {
  const endings = folder === SHIPPED_FOLDER ? [SHIPPED_ENDING] : ENDINGS;
  const names = await readdir(folder).catch((): string[] => []);
  return names
    .filter((file) => endings.includes(extname(file)) && !/\.d\.m?ts$/.test(file) && parse(file).name !== OWN_FILE)
    .sort()
    .map((file) => ({ name: parse(file).name, path: join(folder, file) }));
}

interface Folders {
  readonly own: readonly StrategyFile[];
  readonly shipped: readonly StrategyFile[];
  readonly ownFolder: string;
}

function noSuchStrategy(name: string, { own, shipped, ownFolder }: Folders): string {
  const namesOf = (files: readonly StrategyFile[]): string => files.map((each) => each.name).join(', ');
  const known = `There is no strategy "${name}"; there are ${namesOf(shipped)}`;
  if (ownFolder === SHIPPED_FOLDER) return `${known}.`;
  return `${known}, and in ${ownFolder} ${own.length === 0 ? 'none' : namesOf(own)}.`;
}

async function importFile(path: string): Promise<Result<Record<string, unknown>>> {
  const lent = lendOwnParts();
  try {
    return ok(await import(pathToFileURL(path).href));
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  } finally {
    lent.deregister();
  }
}

/**
 * Lets a file anywhere on the machine import `quotekeeper/strategy` from the running program: next to
 * /etc/quotekeeper/live.yaml there are no packages, and another copy's decimals would not be ours. Ends with the load,
 * because it slows every later import.
 */
function lendOwnParts() {
  const { href } = new URL(`../src/quoting/own-strategy${SHIPPED_ENDING}`, import.meta.url);
  return registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'quotekeeper/strategy' ? { url: href, shortCircuit: true } : next(specifier, context),
  });
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
