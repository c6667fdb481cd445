// Turns configuration files into settings, or into all complaints, each with file and line.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { StartError } from '../base/exit-codes.ts';
import { systemCode } from '../base/system-error.ts';
import { accountsIn, ofAccount, ofFleetPage } from './accounts.ts';
import { settingsComplaints, webComplaints } from './checks/checks.ts';
import { sayIn } from './checks/judged.ts';
import { complaintLines, joinFiles, parsed } from './complain.ts';
import { configurationSchema } from './configuration-schema.ts';
import { type Complaint, type Located, locate, placeAt, splitName } from './located.ts';
import { loadStrategies } from './parameters.ts';
import { type Overrides, projectRootOf, type Resolving, type Settings, toSettings, webOf } from './resolve.ts';

export type { KeySource, Overrides, Settings } from './resolve.ts';

/** Returns the text of a file, as the person named it. */
export type ReadFile = (file: string) => string;

/**
 * Reads and joins the files. Throws `StartError` (78) with one line per fault, all at once: `config/paper.yaml:14:
 * runs[0].limits.collarBps: "abc" is not a number ≥ 0.`
 */
export async function loadSettings(
  files: readonly string[],
  overrides: Overrides = {},
  read: ReadFile = readText,
): Promise<Settings> {
  const texts = new Map(files.map((file) => [file, read(file)]));
  const root = treeOf(files, texts);
  return readTree(root, resolvingOf(root, { files, overrides, texts }));
}

/** Sections that make up a run; all others stay unchanged while the bot runs. */
const OF_RUNS: readonly string[] = ['runs', 'costs'];

/** The runs of `texts` combined with all other sections of `running`. Throws `StartError` (78) if they don't agree. */
export async function loadRunsWithin(running: Settings, texts: ReadonlyMap<string, string>): Promise<Settings> {
  const { files, overrides } = running;
  const root = withSectionsOf(treeOf(files, running.texts), treeOf(files, texts), OF_RUNS);
  return readTree(root, resolvingOf(root, { files, overrides, texts }));
}

function withSectionsOf(root: Located, other: Located, names: readonly string[]): Located {
  if (root.kind !== 'map' || other.kind !== 'map') return other;
  const kept = [...root.entries].filter(([name]) => !names.includes(name));
  const taken = [...other.entries].filter(([name]) => names.includes(name));
  return { ...root, entries: new Map([...kept, ...taken]) };
}

export interface FilesOfAccount {
  /** Null where the files are of one account that has no name in them. */
  readonly account: string | null;
  readonly files: readonly string[];
}

/**
 * The account that is named behind a file, with the very `files`; or each account of a file that has several, with
 * files that name it. Throws `StartError` (78).
 */
export function filesByAccount(files: readonly string[]): readonly FilesOfAccount[] {
  for (const [index, file] of files.entries()) {
    const { account } = splitName(file);
    if (account !== null) return [{ account, files }];
    const names = accountsIn(rootOf(file, readText(file)));
    if (names !== null) return names.map((name) => ({ account: name, files: files.with(index, `${file}#${name}`) }));
  }
  return [{ account: null, files }];
}

/** Where the page of all accounts listens, and its state folder. Throws `StartError` (78). */
export function loadFleetPage(files: readonly string[]): Pick<Settings, 'web' | 'stateFolder'> {
  const { root, complaints } = joinFiles(files.map((file) => ofFleetPage(rootOf(file, readText(file)))));
  refuse(complaints);
  if (root === null) throw new StartError(78, 'No configuration file is named.');
  const { data, complaints: others } = parsed(configurationSchema.pick({ web: true, state: true }), root);
  refuse(others);
  if (data === null) throw new StartError(78, 'The configuration is invalid.');
  refuse([...webComplaints({ configuration: data }, sayIn({ root }))]);
  const projectRoot = commonRoot(files);
  const stateFolder = path.resolve(projectRoot, data.state ?? 'state/fleet');
  return { web: webOf(data.web, projectRoot), stateFolder };
}

function rootOf(named: string, text: string): Located {
  const { file } = splitName(named);
  const { root, complaints } = locate(file, text);
  refuse(complaints);
  return root ?? refuseEmpty(file);
}

function treeOf(files: readonly string[], texts: ReadonlyMap<string, string>): Located {
  const parsed = files.map((file) => ofAccount(rootOf(file, texts.get(file) ?? ''), splitName(file).account));
  refuse(parsed.flatMap((each) => each.complaints));
  const { root, complaints } = joinFiles(parsed.map((each) => each.root));
  refuse(complaints);
  if (root === null) throw new StartError(78, 'No configuration file is named.');
  return root;
}

function resolvingOf(root: Located, read: Pick<Resolving, 'files' | 'overrides' | 'texts'>): Resolving {
  const tapeFolder = path.dirname(path.resolve(placeAt(root, ['paper', 'crowd']).file));
  return { ...read, projectRoot: commonRoot(read.files), tapeFolder };
}

async function readTree(root: Located, resolving: Resolving): Promise<Settings> {
  const { loaded, complaints } = await loadStrategies(root, resolving.projectRoot);
  const { data: configuration, complaints: others } = parsed(configurationSchema, root);
  refuse([...others, ...complaints]);
  if (configuration === null) throw new StartError(78, 'The configuration is invalid.');
  const settings = toSettings({ configuration, strategies: loaded }, resolving);
  // Checks that need the whole configuration: whether its parts agree.
  refuse(settingsComplaints({ configuration, settings, root }));
  return settings;
}

function refuse(complaints: readonly Complaint[]): void {
  if (complaints.length > 0) throw new StartError(78, complaintLines(complaints).join('\n'));
}

function refuseEmpty(file: string): never {
  throw new StartError(78, `${file}:1: The file is empty.`);
}

/** Throws `StartError` (78) if it can't be read. An account may be named behind the file. */
export function readText(named: string): string {
  const { file } = splitName(named);
  try {
    // A pipe would hold the program up; a device would fill its memory.
    if (!isFileOrFolder(file)) throw Object.assign(new Error(), { code: 'it is no file' });
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(78, whyUnread(file, systemCode(error)));
  }
}

function isFileOrFolder(file: string): boolean {
  const stats = statSync(file);
  return stats.isFile() || stats.isDirectory();
}

function whyUnread(file: string, code: string): string {
  if (code === 'ENOENT') return `There is no file ${file}.`;
  if (code === 'EISDIR') return `${file} is a folder; a configuration file was expected.`;
  if (code === 'EACCES' || code === 'EPERM') return `This user may not read ${file} (${code}).`;
  return `${file} cannot be read (${code}).`;
}

function commonRoot(files: readonly string[]): string {
  const roots = [...new Set(files.map((file) => projectRootOf(path.resolve(file))))];
  const [first = process.cwd()] = roots;
  if (roots.length > 1) {
    throw new StartError(
      78,
      `${files.join(' and ')} belong to different folders; configurations that are joined lie in one.`,
    );
  }
  return first;
}
