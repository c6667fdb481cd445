// Holds the tree to `.ci/import-table.ts`: who imports whom, which package is at home where, and no cycles.
// Run: `node .ci/check-imports.ts [root]`. Prints one sentence per violation and exits with 1 when there is one.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise, type ICruiseResult, type IDependency } from 'dependency-cruiser';
import { FILE_EXCEPTIONS, IMPORT_TABLE, NEVER_IMPORTED, ROOMS } from './import-table.ts';

const ROOTS = ['src', 'strategies', 'simulation', 'test', 'bench', '.ci'];

/** Sentences about what breaks the table under `root`, sorted; empty when all is well. */
export async function importViolations(root: string): Promise<string[]> {
  const { output } = await cruise(
    ROOTS.filter((folder) => existsSync(path.join(root, folder))),
    {
      baseDir: root,
      parser: 'swc',
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
      enhancedResolveOptions: { extensions: ['.ts', '.js'] },
      // The rule itself is not used: asking for it makes the cruiser look for cycles.
      validate: true,
      ruleSet: { forbidden: [{ name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } }] },
    },
  );
  if (typeof output === 'string') throw new Error('The cruiser answered with text instead of a result.');
  // The first member by name speaks for a circle: later entries of a map win.
  const circles = new Map(output.modules.flatMap(circlesOf).sort(([, a], [, b]) => (a < b ? 1 : -1)));
  return [...new Set([...output.modules.flatMap(violationsOf), ...circles.values()])].sort();
}

/** Each circle under the names of its members, so that it is reported once and not once per member. */
function circlesOf(module: ICruiseResult['modules'][number]): [string, string][] {
  return module.dependencies.flatMap((dependency): [string, string][] => {
    if (!dependency.circular) return [];
    const members = (dependency.cycle ?? []).map((step) => step.name);
    const way = [module.source, ...members].join(' → ');
    return [[[...members].sort().join(' '), `${module.source} imports in a circle: ${way}.`]];
  });
}

function violationsOf(module: ICruiseResult['modules'][number]): string[] {
  const folder = folderOf(module.source);
  if (folder === null) return [];
  return module.dependencies.flatMap((dependency) => {
    const sentence = judge(module.source, folder, dependency);
    return sentence === null ? [] : [sentence];
  });
}

function judge(file: string, folder: string, dependency: IDependency): string | null {
  if (dependency.couldNotResolve && dependency.module.startsWith('.')) {
    return `${file} imports ${dependency.module}, which does not exist.`;
  }
  const target = folderOf(dependency.resolved);
  return target === null ? judgePackage(file, folder, dependency) : judgeOurs({ file, folder, target }, dependency);
}

function judgeOurs(at: { file: string; folder: string; target: string }, dependency: IDependency): string | null {
  const { file, folder, target } = at;
  const rooms = Object.keys(ROOMS).filter((house) => [file, dependency.resolved].every((each) => isIn(each, house)));
  const broken = rooms.flatMap((house) => judgeRooms(file, house, dependency.resolved) ?? []);
  const words = `${file} imports ${dependency.resolved}`;
  if (folder === target) return broken[0] ?? null;
  if (NEVER_IMPORTED.includes(target) && folder !== 'test') return `${words}: nothing imports ${target}.`;
  const rule = IMPORT_TABLE[folder];
  if (!rule) return `${file} lies in the folder ${folder}, which the import table does not know.`;
  if (rule.except?.some((prefix) => dependency.resolved.startsWith(prefix))) {
    return `${words}: ${folder} must not import that part of ${target}.`;
  }
  if (rule.ours.includes(target) || rule.ours.includes('*')) return null;
  if (rule.ours.includes(`${target} (types)`)) {
    return dependency.dependencyTypes.includes('type-only')
      ? null
      : `${words}: ${folder} may import types only from ${target}.`;
  }
  return `${words}: ${folder} may import ${listOf(rule.ours)} of ours.`;
}

function judgeRooms(file: string, house: string, imported: string): string | null {
  const [from, to] = [roomOf(file, house), roomOf(imported, house)];
  if (from === to) return null;
  const allowed = ROOMS[house]?.[from];
  if (allowed === undefined) {
    const isBeside = from.endsWith('.ts');
    return isBeside ? null : `${file} lies in ${house}/${from}, a room that the import table does not know.`;
  }
  if (allowed.includes(to.endsWith('.ts') && ROOMS[house]?.[to] === undefined ? '.' : to)) return null;
  return `${file} imports ${imported}: ${house}/${from} may import ${listOf(allowed)} of its neighbors.`;
}

const isIn = (file: string, house: string): boolean => file.startsWith(`src/${house}/`);

/** `src/paper/wire/x.ts` → `wire`; `src/paper/exchange.ts` → `exchange.ts`. */
const roomOf = (file: string, house: string): string => file.slice(`src/${house}/`.length).split('/')[0] ?? '';

function judgePackage(file: string, folder: string, dependency: IDependency): string | null {
  const name = packageName(dependency);
  const rule = IMPORT_TABLE[folder];
  if (!rule) return `${file} lies in the folder ${folder}, which the import table does not know.`;
  const homes = [...rule.packages, ...(FILE_EXCEPTIONS[file]?.packages ?? [])];
  const isHome = homes.some((home) => home === '*' || home === name || matchesStar(home, name));
  return isHome ? null : `${file} imports ${name}: the packages of ${folder} are ${listOf(rule.packages)}.`;
}

const matchesStar = (home: string, name: string): boolean => home.endsWith(':*') && name.startsWith(home.slice(0, -1));

/** `src/paper/server/x.ts` → `paper`; `strategies/x.ts` → `strategies`; what is not ours → `null`. */
function folderOf(file: string): string | null {
  const [first = '', second = ''] = file.split('/');
  if (first === 'src') return second;
  return ROOTS.includes(first) ? first : null;
}

/**
 * `got/dist/x.js` → `got`; `@a/b/c` → `@a/b`; built-in modules get their prefix; `node:fs/promises` counts as
 * `node:fs`.
 */
function packageName(dependency: IDependency): string {
  // What a browser is served under an address is no file here.
  if (dependency.module.startsWith('/')) return dependency.module;
  const parts = dependency.module.replace(/^node:/, '').split('/');
  const [first = '', second = ''] = parts;
  if (dependency.coreModule) return `node:${first}`;
  return first.startsWith('@') ? `${first}/${second}` : first;
}

const listOf = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));

if (import.meta.main) {
  const root = process.argv[2] ?? path.dirname(path.dirname(fileURLToPath(import.meta.url)));
  const violations = await importViolations(root);
  for (const sentence of violations) console.log(sentence);
  console.log(
    violations.length === 0 ? 'The import table holds.' : `${violations.length} imports break the import table.`,
  );
  process.exitCode = violations.length === 0 ? 0 : 1;
}
